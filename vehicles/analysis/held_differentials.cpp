#include "vehicles/analysis/held_differentials.hpp"

#include <cmath>

#include "topology/indices.hpp"
#include "topology/quoted_names.hpp"
#include "vehicles/driveline/driveline_force.hpp"

namespace semirec {

namespace {

bool open(Differential& differential) {
  if (differential.type != DifferentialType::limited_slip) return false;
  differential = {};
  return true;
}

}  // namespace

Vehicle with_open_differentials(Vehicle vehicle, std::vector<std::string>& names) {
  for (Driveline& driveline : vehicle.drivelines) {
    bool any = open(driveline.centre);
    for (DrivenAxle& axle : driveline.axles) any = open(axle.differential) || any;
    if (any) names.push_back(driveline.name);
  }
  return vehicle;
}

namespace {

/// Below it the capacity of a differential is round-off, N m.
constexpr double kNoCapacity = 1e-6;

/// Whether the friction of a differential holds in a steady state: half shafts that do not twist on
/// carry k times their twist.
bool sticks(const DrivelineForce& driveline, std::size_t s, const State& state) {
  const DrivelineModel& model = driveline.model();
  const DrivelineModel::Slip& slip = model.slips[s];
  if (!slip.active) return false;
  const auto x = [&](int place) {
    return state.x[static_cast<Eigen::Index>(driveline.states().first) + place];
  };
  double load = 0.0;
  for (int j = 0; j < model.wheels; ++j)
    load += slip.load[at(j)] * model.stiffness[at(j)] * x(driveline_state::kTwist + j);
  const double capacity = 0.5 * (slip.preload + slip.bias * std::abs(load));
  return capacity > kNoCapacity &&
         std::abs(x(driveline_state::kAxleFriction + static_cast<int>(s))) < 1.0;
}

}  // namespace

std::string describe_stuck_differentials(const Drive& drive, const State& state) {
  std::string names;
  for (const auto& force : drive.model.forces) {
    const auto* driveline = dynamic_cast<const DrivelineForce*>(force.get());
    if (driveline == nullptr) continue;
    bool any = false;
    for (std::size_t s = 0; s < driveline->model().slips.size(); ++s)
      any = sticks(*driveline, s, state) || any;
    if (any) add_quoted(names, driveline->name());
  }
  if (names.empty()) return {};
  return "a differential of " + names +
         " sticks by its friction: in small motions about this state, and in the gradients and "
         "modes found from them, it is as if locked; in turns in which it slides it is not";
}

}  // namespace semirec
