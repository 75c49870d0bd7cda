#pragma once

#include <vector>

namespace semirec {

/// y = offset + slope x by least squares.
struct StraightLine {
  double offset = 0.0, slope = 0.0;
  double slope_error = 0.0;  ///< standard error of the slope, from what the line leaves over
  int points = 0;            ///< below 3: nothing is known
};

/// Through the points with low <= x <= high.
StraightLine fit_straight_line(const std::vector<double>& x, const std::vector<double>& y,
                               double low, double high);

}  // namespace semirec
