#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace semirec {

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
  area_tangent
};

/// How many of the values a, b and c an operation takes: 1, 2 or 3.
int operand_count(Operation operation);

/// One operation on values that stand before its own; unused ones are 0.
struct Term {
  Operation operation = Operation::add;
  int a = 0, b = 0, c = 0;
};

/// An expression of numbers as straight code: each term's value is kept, all terms are always
/// evaluated, and a choice takes one of two values that are both there.
struct Expression {
  std::vector<std::string> names;  ///< used in it, each once, in the order of their first use
  std::vector<double> numbers;     ///< that are written in it
  std::vector<Term> terms;
  int result = 0;  ///< index of its value among names, numbers and terms, in this order

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
/// Whether `name` is a constant of expressions: _pi or _e.
bool is_expression_constant(std::string_view name);

/// Compiles an expression: numbers, names of letters, digits, underscores and points, brackets,
/// functions, and from the loosest to the tightest  ?:  ||  &&  < <= > >= == !=  + -  * /, the
/// signs + and -, and ^ from right to left (-x^2 is -(x^2)). Throws ExpressionError.
Expression compile_expression(std::string_view text);

/// The value where names[k] is worth `values[k]`; `values` has room for value_count() numbers, the
/// names' first, and is overwritten behind them. No heap use.
double evaluate(const Expression& expression, double* values);

}  // namespace semirec
