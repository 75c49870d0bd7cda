#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace semirec {

class LookUpTable;

/// What one term of an expression does with the values a, b and c.
enum class Operation : unsigned char {
  add,
  subtract,
  multiply,
  divide,
  power,
  negate,
  less,
  less_or_equal,
  greater,
  greater_or_equal,
  equal,
  unequal,
  both,    ///< a and b
  either,  ///< a or b
  choose,  ///< a ? b : c
  minimum,
  maximum,
  absolute,
  sign,
  round,  ///< to the nearest whole number, halves up
  square_root,
  exponential,
  logarithm,
  logarithm_2,
  logarithm_10,
  sine,
  cosine,
  tangent,
  arc_sine,
  arc_cosine,
  arc_tangent,
  arc_tangent_2,  ///< of the point (b, a)
  hyperbolic_sine,
  hyperbolic_cosine,
  hyperbolic_tangent,
  area_sine,
  area_cosine,
  area_tangent,
  look_up_1,  ///< the term's table at a
  look_up_2   ///< the term's table at a, b
};

/// One operation on values that stand before its own; b and c repeat the last one where there are
/// fewer.
struct Term {
  Operation operation = Operation::add;
  int a = 0, b = 0, c = 0;
  int table = 0;  ///< of a look-up, index among the tables
};

/// Tables in the order that look-ups count them by.
using TableSpan = std::span<const std::shared_ptr<const LookUpTable>>;

/// An expression of numbers as straight code: each term's value is kept, all terms are always
/// evaluated, and a choice takes one of two values that are both there.
struct Expression {
  std::vector<std::string> names;  ///< used in it, each once, in the order of their first use
  std::vector<double> numbers;     ///< that are written in it
  std::vector<Term> terms;
  std::vector<std::size_t> columns;  ///< of each term's sign or function in the text, from 1
  std::vector<std::shared_ptr<const LookUpTable>>
      tables;      ///< all that were offered, in their order
  int result = 0;  ///< index of its value among names, numbers and terms, in this order

  /// Whether a quantity of this name is used in it.
  bool reads(const std::string& quantity) const {
    return std::find(names.begin(), names.end(), quantity) != names.end();
  }
  std::size_t value_count() const { return names.size() + numbers.size() + terms.size(); }
};

/// What is wrong with the text of an expression, and where.
class ExpressionError : public std::invalid_argument {
 public:
  ExpressionError(const std::string& what, std::size_t column)
      : std::invalid_argument(what), column_(column) {}
  std::size_t column() const { return column_; }  ///< from 1

 private:
  std::size_t column_;
};

/// Whether `name` is one of the functions of expressions: abs acos acosh asin asinh atan atan2
/// atanh avg cos cosh exp ln log log10 log2 max min rint sign sin sinh sqrt sum tan tanh.
bool is_expression_function(std::string_view name);
/// Whether `name` is a constant of expressions: pi, _pi or _e.
bool is_expression_constant(std::string_view name);
/// Whether `name` is written as expressions write names: letters, digits, `_` and `.`, the first no
/// digit and no point.
bool is_expression_name(std::string_view name);

/// Compiles an expression: numbers, names of letters, digits, underscores and points, brackets,
/// functions, and from the loosest to the tightest  ?:  ||  &&  < <= > >= == !=  + -  * /, the
/// signs + and -, and ^ from right to left (-x^2 is -(x^2)). Throws ExpressionError, also on more
/// than 100000 names, numbers and operations or 200 brackets, signs and choices within each other.
Expression compile_expression(std::string_view text);

/// A table and the name by which expressions call it: name(x) or name(x, y).
struct NamedTable {
  std::string name;
  std::shared_ptr<const LookUpTable> table;
};

/// The same for expressions that may call tables; a function of the same name goes before a table.
Expression compile_expression(std::string_view text, const std::vector<NamedTable>& tables);

/// The value where names[k] is worth `values[k]`; `values` has room for value_count() numbers, the
/// names' first, and is overwritten behind them. No heap use.
double evaluate(const Expression& expression, double* values);

}  // namespace semirec
