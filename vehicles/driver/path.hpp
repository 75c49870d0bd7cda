#pragma once

#include <cstddef>
#include <vector>

namespace semirec {

/// A place on a path.
struct PathPoint {
  double s = 0.0;           ///< way from the start, m
  double x = 0.0, y = 0.0;  ///< world, m
  double heading = 0.0;     ///< of the tangent from the world's x axis to the left, rad, continuous
  double curvature = 0.0;   ///< positive to the left, 1/m
};

/// A piece along which the curvature goes straight from one value to another: a straight line (both
/// zero), an arc (both the same), a clothoid.
struct PathSegment {
  double length = 0.0;                          ///< m
  double curvature = 0.0, end_curvature = 0.0;  ///< 1/m
};

/// A line in the ground plane, by its arc length s. Straight beyond both ends. Kept as points so
/// close together that cubics between them are exact to some nm; constant after construction,
/// nothing but the constructors allocates.
class Path {
 public:
  Path() = default;
  /// From the origin along x. The points are exact: x = int cos(heading) ds by Gauss' rule.
  /// Throws std::invalid_argument unless each length is above 0, the whole at most 1e6 m, and no
  /// radius below 0.1 m.
  static Path from_segments(const std::vector<PathSegment>& segments);
  /// A smooth line through points (natural cubic splines over the chord length). Throws
  /// std::invalid_argument on fewer than two points, on two in one place, on more than 1e6 m.
  static Path from_points(const std::vector<std::pair<double, double>>& points);

  bool empty() const { return knots_.empty(); }
  double length() const { return knots_.empty() ? 0.0 : knots_.back().s; }
  PathPoint at(double s) const noexcept;
  /// The place of the path nearest to (x, y), searched for from s on both ways downhill.
  PathPoint nearest(double x, double y, double s) const noexcept;
  /// Distance of (x, y) from the path's tangent at `from`, positive to the left, m.
  static double offset(const PathPoint& from, double x, double y) noexcept;
  /// Largest |curvature| from s on over `ahead`, m.
  double sharpest(double s, double ahead) const noexcept;

 private:
  std::vector<PathPoint> knots_;
};

}  // namespace semirec
