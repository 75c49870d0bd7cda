#include "vehicles/manoeuvre/trailing_units.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "topology/indices.hpp"
#include "vehicles/session/end_notes.hpp"

namespace semirec {

namespace {

std::string centre_marker(const Unit& unit) { return "unit_" + unit.name + "_centre"; }
std::string ahead_marker(const Unit& unit) { return "unit_" + unit.name + "_ahead"; }
std::string above_marker(const Unit& unit) { return "unit_" + unit.name + "_above"; }

}  // namespace

void add_unit_markers(Vehicle& vehicle, Scenario& scenario) {
  const std::vector<Unit> units = find_units(vehicle);
  for (std::size_t u = 1; u < units.size(); ++u) {
    const Eigen::Vector3d centre = find_unit_centre(vehicle.mechanism, units[u]);
    const Frame to_body = inverse(vehicle.mechanism.bodies[at(units[u].frame)].X_WB);
    const auto add = [&](const std::string& name, const Eigen::Vector3d& point) {
      Marker marker;
      marker.name = name;
      marker.body = units[u].frame;
      marker.X_BF.p = to_body.A * point + to_body.p;
      vehicle.mechanism.markers.push_back(marker);
      scenario.markers.push_back(name);
    };
    add(centre_marker(units[u]), centre);
    add(ahead_marker(units[u]), centre + Eigen::Vector3d::UnitX());
    add(above_marker(units[u]), centre + Eigen::Vector3d::UnitZ());
  }
}

UnitReader::UnitReader(const std::vector<Unit>& units, const std::vector<Channel>& outputs) {
  const auto find = [&](const std::string& marker) {
    const auto found = std::find_if(outputs.begin(), outputs.end(), [&](const Channel& channel) {
      return channel.name == marker + ".x";
    });
    if (found == outputs.end())
      throw ModelError("there are no numbers of the marker '" + marker + "', expected its motion");
    return static_cast<std::size_t>(found - outputs.begin());
  };
  for (std::size_t u = 1; u < units.size(); ++u) {
    places_.push_back({units[u].name, std::max(units[u].leader, 0), find(centre_marker(units[u])),
                       find(ahead_marker(units[u])), find(above_marker(units[u]))});
    channels_.push_back({units[u].name + ".articulation", "rad"});
    channels_.push_back({units[u].name + ".yaw_rate", "rad/s"});
    channels_.push_back({units[u].name + ".ay", "m/s^2"});
  }
}

void UnitReader::append(const double* outputs, const CarMotion& car,
                        std::vector<double>& row) const {
  // x y z, vx vy vz, ax ay az of both markers
  const auto along = [&](const Place& place, std::size_t k) {
    return outputs[place.ahead + k] - outputs[place.centre + k];
  };
  const auto heading = [&](int unit) {
    if (unit == 0) return car.yaw;
    const Place& place = places_[at(unit - 1)];
    return std::atan2(along(place, 1), along(place, 0));
  };
  for (std::size_t k = 0; k < places_.size(); ++k) {
    const Place& place = places_[k];
    const double own = heading(static_cast<int>(k) + 1);
    const double x = along(place, 0);
    const double y = along(place, 1);
    const double* acceleration = outputs + place.centre + 6;
    row.push_back(std::remainder(heading(place.leader) - own, 2.0 * std::numbers::pi));
    row.push_back((x * along(place, 4) - y * along(place, 3)) / (x * x + y * y));
    row.push_back(-std::sin(own) * acceleration[0] + std::cos(own) * acceleration[1]);
  }
}

const std::string* UnitReader::find_rolled_over(const double* outputs) const {
  // the marker above is 1 m away
  for (const Place& place : places_)
    if (!(outputs[place.above + 2] - outputs[place.centre + 2] > std::cos(kRolledOver)))
      return &place.name;
  return nullptr;
}

}  // namespace semirec
