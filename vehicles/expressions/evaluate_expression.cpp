#include <algorithm>

#include "vehicles/expressions/operations.hpp"

namespace semirec {

double evaluate(const Expression& expression, double* values) {
  TermSlopes no_slopes;
  TermCurvatures no_curvatures;
  const TableSpan tables = expression.tables;
  double* next = std::copy(expression.numbers.begin(), expression.numbers.end(),
                           values + expression.names.size());
  for (const Term& term : expression.terms)
    *next++ = apply_operation<TermDetail::value>(term, values[term.a], values[term.b],
                                                 values[term.c], tables, no_slopes, no_curvatures);
  return values[expression.result];
}

}  // namespace semirec
