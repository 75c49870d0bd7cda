#include "vehicles/manoeuvre/straight_line_fit.hpp"

#include <algorithm>
#include <cmath>

namespace semirec {

StraightLine fit_straight_line(const std::vector<double>& x, const std::vector<double>& y,
                               double low, double high) {
  StraightLine line;
  const auto for_each = [&](auto&& visit) {
    for (std::size_t k = 0; k < std::min(x.size(), y.size()); ++k)
      if (x[k] >= low && x[k] <= high) visit(x[k], y[k]);
  };
  double mean_x = 0.0;
  double mean_y = 0.0;
  for_each([&](double a, double b) {
    mean_x += a;
    mean_y += b;
    ++line.points;
  });
  if (line.points < 3) return line;
  mean_x /= line.points;
  mean_y /= line.points;
  double xx = 0.0;
  double xy = 0.0;
  for_each([&](double a, double b) {
    xx += (a - mean_x) * (a - mean_x);
    xy += (a - mean_x) * (b - mean_y);
  });
  line.slope = xy / xx;
  line.offset = mean_y - line.slope * mean_x;
  double left_over = 0.0;
  for_each([&](double a, double b) { left_over += std::pow(b - line.offset - line.slope * a, 2); });
  line.slope_error = std::sqrt(left_over / (line.points - 2) / xx);
  return line;
}

}  // namespace semirec
