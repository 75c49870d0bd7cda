#include "vehicles/expressions/slopes.hpp"

#include "vehicles/expressions/operations.hpp"

namespace semirec {

void evaluate_with_slopes(const std::vector<Term>& terms, const std::vector<char>& sloped,
                          std::size_t first, std::size_t last, std::size_t leaf_count,
                          double* values, TermSlopes* slopes, TableSpan tables) {
  TermSlopes no_slopes;
  TermCurvatures none;
  for (std::size_t k = first; k < last; ++k) {
    const Term& term = terms[k];
    const double a = values[term.a], b = values[term.b], c = values[term.c];
    if (sloped[k] == 0) {
      values[leaf_count + k] =
          apply_operation<TermDetail::value>(term, a, b, c, tables, no_slopes, none);
    } else {
      slopes[k] = {};
      values[leaf_count + k] =
          apply_operation<TermDetail::slopes>(term, a, b, c, tables, slopes[k], none);
    }
  }
}

SlopePath find_slope_path(const std::vector<Term>& terms, std::size_t leaf_count,
                          const std::vector<int>& of, const std::vector<char>& wanted) {
  const auto place = [](int index) { return static_cast<std::size_t>(index); };
  std::vector<char> leads = wanted;  // [value] whether it depends on a leaf that is wanted
  for (const Term& term : terms)
    leads.push_back(leads[place(term.a)] | leads[place(term.b)] | leads[place(term.c)]);
  std::vector<char> reached(leads.size(), 0);
  for (const int index : of) reached[place(index)] = 1;
  const auto spare = static_cast<int>(leads.size());
  const auto adjoint_of = [&](int operand) { return leads[place(operand)] != 0 ? operand : spare; };
  SlopePath path;
  for (std::size_t k = terms.size(); k-- > 0;) {
    if (reached[leaf_count + k] == 0 || leads[leaf_count + k] == 0) continue;
    const Term& term = terms[k];
    for (const int operand : {term.a, term.b, term.c}) reached[place(operand)] = 1;
    path.push_back(
        {static_cast<int>(k), adjoint_of(term.a), adjoint_of(term.b), adjoint_of(term.c)});
  }
  return path;
}

void mark_sloped(const SlopePath& path, std::vector<char>& sloped) {
  for (const SlopeStep& step : path) sloped[static_cast<std::size_t>(step.term)] = 1;
}

void pull_back(const SlopePath& path, std::size_t leaf_count, const TermSlopes* slopes,
               double* adjoints) {
  double* of_terms = adjoints + leaf_count;
  for (const SlopeStep& step : path) {
    const double adjoint = of_terms[step.term];
    if (adjoint == 0.0) continue;
    of_terms[step.term] = 0.0;
    const TermSlopes& by = slopes[step.term];
    if (by.a != 0.0) adjoints[step.a] += by.a * adjoint;
    if (by.b != 0.0) adjoints[step.b] += by.b * adjoint;
    if (by.c != 0.0) adjoints[step.c] += by.c * adjoint;
  }
}

}  // namespace semirec
