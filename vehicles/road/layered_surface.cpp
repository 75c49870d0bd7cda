#include "vehicles/road/layered_surface.hpp"

#include <algorithm>
#include <cmath>

namespace semirec {

RoadPoint LayeredSurface::evaluate(double x, double y) const {
  RoadPoint sum;
  for (const auto& layer : layers_) {
    const RoadPoint point = layer->evaluate(x, y);
    sum.z += point.z;
    sum.z_x += point.z_x;
    sum.z_y += point.z_y;
    sum.friction *= point.friction;
  }
  double friction = 1.0;
  for (const FrictionPatch& patch : patches_)
    if (x >= patch.x_from && x <= patch.x_to && y >= patch.y_from && y <= patch.y_to)
      friction = patch.friction;
  sum.friction *= friction;
  return sum;
}

bool LayeredSurface::scales_friction() const {
  return std::any_of(patches_.begin(), patches_.end(),
                     [](const FrictionPatch& patch) { return patch.friction != 1.0; }) ||
         std::any_of(layers_.begin(), layers_.end(),
                     [](const auto& layer) { return layer->scales_friction(); });
}

bool LayeredSurface::is_even() const {
  const FrictionPatch everywhere;
  return std::all_of(patches_.begin(), patches_.end(),
                     [&](const FrictionPatch& patch) {
                       return patch.x_from == everywhere.x_from && patch.x_to == everywhere.x_to &&
                              patch.y_from == everywhere.y_from && patch.y_to == everywhere.y_to;
                     }) &&
         std::all_of(layers_.begin(), layers_.end(),
                     [](const auto& layer) { return layer->is_even(); });
}

PlacedSurface::PlacedSurface(std::shared_ptr<const RoadSurface> road, double x, double y, double z,
                             double heading)
    : road_(std::move(road)),
      x_(x),
      y_(y),
      z_(z),
      cosine_(std::cos(heading)),
      sine_(std::sin(heading)) {}

Eigen::Vector2d PlacedSurface::in_road(double x, double y) const {
  const double dx = x - x_;
  const double dy = y - y_;
  return {cosine_ * dx + sine_ * dy, cosine_ * dy - sine_ * dx};
}

RoadPoint PlacedSurface::evaluate(double x, double y) const {
  const Eigen::Vector2d own = in_road(x, y);
  RoadPoint point = road_->evaluate(own.x(), own.y());
  const double own_x = point.z_x;
  const double own_y = point.z_y;
  point.z += z_;
  point.z_x = cosine_ * own_x - sine_ * own_y;
  point.z_y = sine_ * own_x + cosine_ * own_y;
  return point;
}

static void put_into(Fingerprint& fingerprint, const FrictionPatch& patch) {
  const auto& [friction, x_from, x_to, y_from, y_to] = patch;
  fingerprint(friction, x_from, x_to, y_from, y_to);
}

void LayeredSurface::put_into(Fingerprint& fingerprint) const {
  fingerprint("layered surface", patches_, layers_.size());
  for (const std::shared_ptr<const RoadSurface>& layer : layers_) layer->put_into(fingerprint);
}

void PlacedSurface::put_into(Fingerprint& fingerprint) const {
  fingerprint("placed surface", x_, y_, z_, cosine_, sine_);
  road_->put_into(fingerprint);
}

}  // namespace semirec
