#include "vehicles/analysis/held_differentials.hpp"

#include <cmath>

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

std::string describe_stuck_differentials(const Drive& drive, const State& state) {
  std::string names;
  for (const auto& force : drive.model.forces) {
    const auto* driveline = dynamic_cast<const DrivelineForce*>(force.get());
    if (driveline == nullptr) continue;
    bool sticks = false;
    const auto& slips = driveline->model().slips;
    for (std::size_t s = 0; s < slips.size(); ++s) {
      const auto bristle = static_cast<Eigen::Index>(driveline->states().first) +
                           static_cast<Eigen::Index>(driveline_state::kAxleFriction + s);
      if (slips[s].active && slips[s].preload > 0.0 && std::abs(state.x[bristle]) < 1.0)
        sticks = true;
    }
    if (sticks) add_quoted(names, driveline->name());
  }
  if (names.empty()) return {};
  return "a differential of " + names +
         " sticks by its preload: in small motions about this state, and in the gradients and "
         "modes "
         "found from them, it is as if locked; in turns in which it slides it is not";
}

}  // namespace semirec
