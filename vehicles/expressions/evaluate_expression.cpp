#include <algorithm>

#include "vehicles/expressions/operations.hpp"

namespace semirec {

int operand_count(Operation operation) {
  switch (operation) {
    case Operation::choose:
      return 3;
    case Operation::add:
    case Operation::subtract:
    case Operation::multiply:
    case Operation::divide:
    case Operation::power:
    case Operation::less:
    case Operation::less_or_equal:
    case Operation::greater:
    case Operation::greater_or_equal:
    case Operation::equal:
    case Operation::unequal:
    case Operation::both:
    case Operation::either:
    case Operation::minimum:
    case Operation::maximum:
    case Operation::arc_tangent_2:
      return 2;
    default:
      return 1;
  }
}

double evaluate(const Expression& expression, double* values) {
  TermSlopes no_slopes;
  TermCurvatures no_curvatures;
  double* next = std::copy(expression.numbers.begin(), expression.numbers.end(),
                           values + expression.names.size());
  for (const Term& term : expression.terms)
    *next++ = apply_operation<TermDetail::value>(term.operation, values[term.a], values[term.b],
                                                 values[term.c], no_slopes, no_curvatures);
  return values[expression.result];
}

}  // namespace semirec
