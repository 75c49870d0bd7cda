#include "vehicles/expressions/slopes.hpp"

#include "vehicles/expressions/operations.hpp"

namespace semirec {

double evaluate_with_slopes(const Term& term, const double* values, TermSlopes& slopes,
                            TableSpan tables) {
  TermCurvatures none;
  slopes = {};
  return apply_operation<TermDetail::slopes>(term, values[term.a], values[term.b], values[term.c],
                                             tables, slopes, none);
}

void evaluate_with_slopes(const std::vector<Term>& terms, std::size_t first, std::size_t last,
                          std::size_t values_before, double* values, TermSlopes* slopes,
                          TableSpan tables) {
  for (std::size_t k = first; k < last; ++k)
    values[values_before + k] = evaluate_with_slopes(terms[k], values, slopes[k], tables);
}

void pull_back(const std::vector<Term>& terms, std::size_t first, std::size_t last,
               std::size_t values_before, const TermSlopes* slopes, double* adjoints) {
  for (std::size_t k = last; k-- > first;) {
    const double adjoint = adjoints[values_before + k];
    if (adjoint == 0.0) continue;
    adjoints[values_before + k] = 0.0;
    const Term& term = terms[k];
    const TermSlopes& by = slopes[k];
    if (by.a != 0.0) adjoints[term.a] += by.a * adjoint;
    if (by.b != 0.0) adjoints[term.b] += by.b * adjoint;
    if (by.c != 0.0) adjoints[term.c] += by.c * adjoint;
  }
}

}  // namespace semirec
