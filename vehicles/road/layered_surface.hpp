#pragma once

#include <memory>
#include <vector>

#include "vehicles/road/road_surface.hpp"

namespace semirec {

/// A rectangle of the ground plane with its own friction.
struct FrictionPatch {
  double friction = 1.0;
  double x_from = -1e300, x_to = 1e300;
  double y_from = -1e300, y_to = 1e300;
};

/// Roads laid on one another: heights and slopes add, frictions multiply. Of the patches that hold
/// a place the last one counts; it multiplies too.
class LayeredSurface final : public RoadSurface {
 public:
  LayeredSurface(std::vector<std::shared_ptr<const RoadSurface>> layers,
                 std::vector<FrictionPatch> patches)
      : layers_(std::move(layers)), patches_(std::move(patches)) {}
  RoadPoint evaluate(double x, double y) const override;
  void put_into(Fingerprint& fingerprint) const override;
  bool scales_friction() const override;
  bool is_even() const override;
  const std::vector<std::shared_ptr<const RoadSurface>>& layers() const { return layers_; }

 private:
  std::vector<std::shared_ptr<const RoadSurface>> layers_;
  std::vector<FrictionPatch> patches_;
};

/// A road moved in the plane: its own x axis points along `heading`, rad, from (x, y), m, and it is
/// lifted by z.
class PlacedSurface final : public RoadSurface {
 public:
  PlacedSurface(std::shared_ptr<const RoadSurface> road, double x, double y, double z,
                double heading);
  RoadPoint evaluate(double x, double y) const override;
  void put_into(Fingerprint& fingerprint) const override;
  bool scales_friction() const override { return road_->scales_friction(); }
  bool is_even() const override { return road_->is_even(); }
  const RoadSurface& road() const { return *road_; }
  /// A place of the world in the road's own axes, m.
  Eigen::Vector2d in_road(double x, double y) const;

 private:
  std::shared_ptr<const RoadSurface> road_;
  double x_, y_, z_, cosine_, sine_;
};

}  // namespace semirec
