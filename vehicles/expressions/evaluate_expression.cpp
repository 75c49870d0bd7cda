#include <algorithm>

#include "vehicles/expressions/operations.hpp"

namespace semirec {

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
