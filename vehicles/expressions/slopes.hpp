#pragma once

#include <cstddef>
#include <vector>

#include "vehicles/expressions/expression.hpp"

namespace semirec {

/// Derivatives of a term's value by the values a, b and c that it takes; zero where it takes none.
///
/// They are infinite where the mathematical ones are (sqrt(0), acos(1)). Where none exists:
///   choices       that of the value taken; of min and max where a = b, by a
///   0 at jumps and corners: sign, rint, comparisons, && and ||, abs(0), atan2(0, 0)
///   power         by the exponent 0 where a <= 0: it exists for whole exponents only
/// Where the value is not a number they mean nothing.
struct TermSlopes {
  double a = 0.0, b = 0.0, c = 0.0;
};

/// Value of one term and its derivatives; a, b and c index into `values`. The value has the bits of
/// evaluate(). `tables` are those of the look-ups: Expression::tables. No heap use.
double evaluate_with_slopes(const Term& term, const double* values, TermSlopes& slopes,
                            TableSpan tables = {});

/// Evaluates terms[first..last) into values[values_before + k] and slopes[k] for each k in that
/// range. No heap use.
void evaluate_with_slopes(const std::vector<Term>& terms, std::size_t first, std::size_t last,
                          std::size_t values_before, double* values, TermSlopes* slopes,
                          TableSpan tables = {});

/// One step of the reverse sweep over terms[first..last), from the last to the first, with
/// adjoints parallel to the values:
///   adjoints[term.a] += slopes[k].a * adjoints[values_before + k], and so for b and c.
/// Zero times an infinite slope is zero here, on either side: what is not chosen does no harm, and
/// sqrt(x^2 + y^2) has no slope at its tip. Leaves the adjoints of these terms zero for the next
/// sweep. No heap use.
void pull_back(const std::vector<Term>& terms, std::size_t first, std::size_t last,
               std::size_t values_before, const TermSlopes* slopes, double* adjoints);

}  // namespace semirec
