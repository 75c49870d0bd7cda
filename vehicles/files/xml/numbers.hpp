#pragma once

#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include <Eigen/Core>

namespace semirec {

/// What a name stands for: a number, a point or direction (three numbers as written, never
/// mirrored), or a word.
using Value = std::variant<double, Eigen::Vector3d, std::string>;

/// Named values that expressions may use: the parameters of a file, or the arguments of one use of
/// a template with the parameters of the file behind them.
class Scope {
 public:
  explicit Scope(std::shared_ptr<const Scope> outer = nullptr) : outer_(std::move(outer)) {}
  /// The values of another, with other values behind them.
  Scope(const Scope& same, std::shared_ptr<const Scope> outer)
      : outer_(std::move(outer)), values_(same.values_) {}

  /// False if this scope (not an outer one) has the name already.
  bool define(const std::string& name, Value value) {
    return values_.emplace(name, std::move(value)).second;
  }
  /// Another value for a name that this scope has.
  void replace(const std::string& name, Value value) { values_.at(name) = std::move(value); }
  const Value* find(const std::string& name) const;
  /// All names that are seen from here.
  std::vector<std::string> names() const;

 private:
  std::shared_ptr<const Scope> outer_;
  std::map<std::string, Value> values_;
};

/// Letters, digits and underscores, not beginning with a digit, and no function of expressions.
bool is_parameter_name(const std::string& name);

/// The shortest digits that give the same number.
std::string shortest_digits(double value);

/// `the number 5`, `a point`, `the word 'ideal'`.
std::string describe(const Value& value);

/// Reads one number: a decimal literal, or an expression in braces such as `{xa - 0.14}`.
///
/// Expressions know the components of points (`{hub.y}`), `distance(a, b)` and `dot(a, b)`.
/// Throws std::invalid_argument with `is '...', which ..., expected ...` on a decimal comma, a
/// unit, NaN, infinity, an unknown name, a point or a word in the place of a number.
double parse_number(const std::string& text, const Scope& scope);

/// Reads blank-separated numbers; blanks inside braces do not separate. An expression of points
/// (`{lower_front}`, `{0.5*(front + rear)}`, `{unit(rear - front)}`, `{cross(a, b)}`) is three
/// numbers; operators and functions of numbers act on each component. Throws as parse_number().
std::vector<double> parse_numbers(const std::string& text, const Scope& scope);

/// Reads the value of a parameter or argument: one number, three of a point, or a word. Throws as
/// parse_number().
Value parse_value(const std::string& text, const Scope& scope);

/// Names that a number, a point or a condition in these words may look up, without components such
/// as `.y`, and what only looks like a name.
std::vector<std::string> find_names(const std::string& words);

/// The word that stands for text such as `{form}`; null if the text is anything else.
const std::string* find_word(const std::string& text, const Scope& scope);

}  // namespace semirec
