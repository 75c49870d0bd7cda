#include "vehicles/manoeuvre/scenery.hpp"

#include <cmath>
#include <optional>

namespace semirec {

namespace {

std::optional<CarMeasures> find_measures(const Vehicle& vehicle) {
  try {
    return measure_car(vehicle);
  } catch (const ModelError&) {
    return std::nullopt;
  }
}

}  // namespace

std::vector<Cone> find_cones(const DriveDescription& read) {
  const Scenery& scenery = read.scenario.scenery;
  std::vector<Cone> cones;
  for (const Eigen::Vector2d& place : scenery.cones) cones.push_back({place.x(), place.y()});
  if (scenery.gates.empty()) return cones;
  const std::optional<CarMeasures> car = find_measures(read.vehicle);
  if (!car) return cones;
  for (const Scenery::Gates& gates : scenery.gates) {
    const LaneChange course =
        gates.part == 1 ? make_lane_change_1(car->width) : make_lane_change_2(car->width);
    const double c = std::cos(gates.heading);
    const double s = std::sin(gates.heading);
    for (const Cone& cone : course.cones)
      cones.push_back(
          {gates.place.x() + c * cone.x - s * cone.y, gates.place.y() + s * cone.x + c * cone.y});
  }
  return cones;
}

Outline find_outline(const Vehicle& vehicle) {
  const std::optional<CarMeasures> car = find_measures(vehicle);
  return car ? make_outline(*car, car->width, car->length) : Outline{};
}

}  // namespace semirec
