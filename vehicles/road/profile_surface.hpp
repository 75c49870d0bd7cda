#pragma once

#include <optional>

#include "topology/curve.hpp"
#include "vehicles/road/road_surface.hpp"

namespace semirec {

/// Heights over x, one curve for the left (y >= 0), one for the right.
class ProfileSurface final : public RoadSurface {
 public:
  ProfileSurface(Curve left, Curve right);
  RoadPoint evaluate(double x, double y) const override;
  void put_into(Fingerprint& fingerprint) const override;
  const RoadPoint* plane() const override { return plane_ ? &*plane_ : nullptr; }

 private:
  Curve left_, right_;
  std::optional<RoadPoint> plane_;
};

}  // namespace semirec
