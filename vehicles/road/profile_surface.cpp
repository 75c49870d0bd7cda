#include "vehicles/road/profile_surface.hpp"

namespace semirec {

RoadPoint ProfileSurface::evaluate(double x, double y) const {
  const CurveValue height = (y >= 0.0 ? left_ : right_).evaluate(x);
  return {height.f, height.fd, 0.0, 1.0};
}

}  // namespace semirec
