#pragma once

#include <cstddef>
#include <vector>

namespace semirec {

class Fingerprint;

/// Value of a function of x and y, its slopes and its second derivatives.
struct SurfaceValue {
  double f = 0.0;
  double x = 0.0, y = 0.0;
  double xx = 0.0, xy = 0.0, yy = 0.0;
};

/// A function of two numbers through points over a grid; outside the grid the values of its edge
/// hold.
///   straight   bilinear in each cell
///   smooth     bicubic Hermite in each cell, slopes at the points by smooth_slope(), in x and in
///              y: value and slopes are continuous
/// Where derivatives jump, those from there on. Cost: two searches and one cell; no heap use.
class Surface {
 public:
  /// `f` has x.size() rows of y.size() values. Throws std::invalid_argument unless x and y ascend,
  /// all numbers are finite and there are as many values as points.
  Surface(std::vector<double> x, std::vector<double> y, const std::vector<double>& f, bool smooth);

  SurfaceValue evaluate(double x, double y) const;
  /// Puts its numbers into a hash.
  void put_into(Fingerprint& fingerprint) const;

 private:
  /// A point's value and derivatives: f, f_y, f_x, f_xy.
  struct Point {
    double f[2][2] = {{0.0, 0.0}, {0.0, 0.0}};  ///< by order in x and in y
  };
  const Point& point(std::size_t i, std::size_t j) const { return points_[i * y_.size() + j]; }

  std::vector<double> x_, y_;
  std::vector<Point> points_;
  bool smooth_;
};

}  // namespace semirec
