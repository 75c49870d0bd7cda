#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace semirec {

/// A row sum_k c[k] y[first + k] + t * c_t over four neighbouring unknowns and the common one.
struct BandRow {
  int first = 0;  ///< index of the first of the four; unknowns below zero or beyond the last are 0
  std::array<double, 4> c{};
  double t = 0.0;
  double b = 0.0;  ///< bound of the row from above, or nothing for a row of the cost
};

/// A convex quadratic programme over unknowns y in a row, of which each term couples four
/// neighbours at most, and one unknown t that may stand in every row:
///
///   minimize  1/2 sum over cost rows (row)^2 + slope_t t   such that  row <= b  in every bound
///
/// The unknowns must be determined by cost and bounds together.
struct BandedProgramme {
  int size = 0;  ///< of y
  std::vector<BandRow> cost;
  double slope_t = 0.0;
  std::vector<BandRow> bounds;
};

struct BandedSolution {
  std::vector<double> y;
  double t = 0.0;
  bool converged = false;  ///< bounds kept to 1e-8, and optimal to 1e-8 of the cost's scale
};

/// Solves it by a primal-dual interior-point method (Mehrotra's predictor and corrector) on band
/// matrices. Not converged after 80 iterations: there is no such y, as a rule.
/// Cost: some 20 sweeps over the rows, no matter how many bounds are active.
BandedSolution solve(const BandedProgramme& programme);

}  // namespace semirec
