#include "vehicles/road/polyline_surface.hpp"

#include <algorithm>

namespace semirec {

RoadPoint PolylineSurface::evaluate(double x, double y) const {
  const auto height = [y](const Point& point) { return y >= 0.0 ? point.left : point.right; };
  const auto above = std::upper_bound(points_.begin(), points_.end(), x,
                                      [](double at, const Point& point) { return at < point.x; });
  if (above == points_.begin()) return {height(points_.front()), 0.0, 0.0, 1.0};
  if (above == points_.end()) return {height(points_.back()), 0.0, 0.0, 1.0};
  const Point& before = *(above - 1);
  const double slope = (height(*above) - height(before)) / (above->x - before.x);
  return {height(before) + slope * (x - before.x), slope, 0.0, 1.0};
}

static void put_into(Fingerprint& fingerprint, const PolylineSurface::Point& point) {
  const auto& [x, left, right] = point;
  fingerprint(x, left, right);
}

void PolylineSurface::put_into(Fingerprint& fingerprint) const {
  fingerprint("polyline surface", points_);
}

}  // namespace semirec
