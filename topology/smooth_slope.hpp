#pragma once

#include <algorithm>
#include <cmath>

namespace semirec {

/// Slope of a smooth curve at a point between two lines of slopes `before` and `after` and of these
/// widths: that of the parabola through the three points, but no more than three times that of the
/// flatter line. The cubics of such slopes rise between points that go on rising, and stay level
/// where the points do [Fritsch, Carlson 1980]; beside a highest or lowest point they may go beyond
/// it.
inline double smooth_slope(double width_before, double before, double width_after, double after) {
  const double parabola =
      (width_after * before + width_before * after) / (width_before + width_after);
  const double most = 3.0 * std::min(std::abs(before), std::abs(after));
  return std::clamp(parabola, -most, most);
}

}  // namespace semirec
