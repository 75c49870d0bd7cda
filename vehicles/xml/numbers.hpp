#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace semirec {

/// Named numbers that expressions may use: the parameters of a file, or the arguments of one use of
/// a template with the parameters of the file behind them.
class Scope {
 public:
  explicit Scope(std::shared_ptr<const Scope> outer = nullptr) : outer_(std::move(outer)) {}

  /// False if this scope (not an outer one) has the name already.
  bool define(const std::string& name, double value) { return values_.emplace(name, value).second; }
  const double* find(const std::string& name) const;
  /// All names that are seen from here; inner ones hide outer ones.
  std::map<std::string, double> visible() const;

 private:
  std::shared_ptr<const Scope> outer_;
  std::map<std::string, double> values_;
};

/// Letters, digits and underscores, not beginning with a digit, and no function of expressions.
bool is_parameter_name(const std::string& name);

/// Reads one number: a decimal literal, or an expression in braces such as `{xa - 0.14}`.
///
/// Throws std::invalid_argument with `is '...', which ..., expected ...` on a decimal comma, a
/// unit, NaN, infinity, an unknown name.
double parse_number(const std::string& text, const Scope& scope);

/// Reads blank-separated numbers; blanks inside braces do not separate. Throws as parse_number().
std::vector<double> parse_numbers(const std::string& text, const Scope& scope);

}  // namespace semirec
