#pragma once

#include "topology/curve.hpp"
#include "vehicles/road/road_surface.hpp"

namespace semirec {

/// Heights over x, one curve for the left (y >= 0), one for the right.
class ProfileSurface final : public RoadSurface {
 public:
  ProfileSurface(Curve left, Curve right) : left_(std::move(left)), right_(std::move(right)) {}
  RoadPoint evaluate(double x, double y) const override;

 private:
  Curve left_, right_;
};

}  // namespace semirec
