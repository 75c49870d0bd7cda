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

/// Evaluates terms[first..last) into values[leaf_count + k] for each k in that range, and slopes[k]
/// of those that are `sloped`. The values have the bits of evaluate(); `tables` are those of the
/// look-ups: Expression::tables. No heap use.
void evaluate_with_slopes(const std::vector<Term>& terms, const std::vector<char>& sloped,
                          std::size_t first, std::size_t last, std::size_t leaf_count,
                          double* values, TermSlopes* slopes, TableSpan tables = {});

/// One term on the way from a value back to what it depends on: where the adjoints of its operands
/// stand, the spare place behind those of all values for one that leads nowhere.
struct SlopeStep {
  int term = 0;
  int a = 0, b = 0, c = 0;
};

/// The terms by which values depend on leaves (names and numbers), the last term first.
using SlopePath = std::vector<SlopeStep>;

/// The terms by which the values at the indices `of` depend on the leaves that are `wanted` ([leaf]
/// 1 where one is). Terms index into leaf_count leaves and, behind them, the terms before them.
SlopePath find_slope_path(const std::vector<Term>& terms, std::size_t leaf_count,
                          const std::vector<int>& of, const std::vector<char>& wanted);

/// Marks the terms of a path: [term] 1 where it is on it.
void mark_sloped(const SlopePath& path, std::vector<char>& sloped);

/// Reverse sweep along a path: with adjoints parallel to the values and a spare one behind them,
///   adjoints[term.a] += slopes[k].a * adjoints[leaf_count + k], and so for b and c.
/// Zero times an infinite slope is zero here, on either side: what is not chosen does no harm, and
/// sqrt(x^2 + y^2) has no slope at its tip. Leaves the adjoints of the path's terms zero for the
/// next sweep. No heap use.
void pull_back(const SlopePath& path, std::size_t leaf_count, const TermSlopes* slopes,
               double* adjoints);

}  // namespace semirec
