#include "vehicles/session/design_start.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "integrator/formulation/evaluate.hpp"
#include "integrator/statics/travel.hpp"
#include "recursive/spatial.hpp"
#include "topology/indices.hpp"
#include "topology/quoted_names.hpp"
#include "vehicles/session/standing_pose.hpp"
#include "vehicles/session/wheel_spin.hpp"
#include "vehicles/tyre/footing.hpp"

namespace semirec {

std::string describe_still_wheels(const Drive& drive, const Model& model, const State& state,
                                  Workspace& ws) {
  constexpr double kSlow = 1.0;   // m/s
  constexpr double kStill = 0.1;  // of the rate of rolling
  if (drive.chassis == kGround || drive.speed != 0.0) return {};
  evaluate_state(model, state, ws);
  const TreeIndex t = model.tree.tree.tree_index(drive.chassis);
  const double speed =
      find_forward(model, drive.chassis, ws)
          .dot(velocity_at(ws.tree.Z[at(t)], centre_of_mass(model, drive.chassis, ws)));
  if (std::abs(speed) < kSlow) return {};
  std::string still;
  for (const WheelSpin& spin : find_wheel_spins(model, drive.wheels, ws, speed))
    if (!spin.written && drive.wheels[spin.wheel].law &&
        std::abs(state.zd[spin.z]) < kStill * std::abs(speed * spin.rolling))
      add_quoted(still, drive.wheels[spin.wheel].name);
  if (still.empty()) return {};
  std::ostringstream text;
  text << "the car starts at " << speed
       << " m/s, which the file writes, on wheels that stand: " << still
       << ", expected the speed of the scenario's <start>, which lets them roll, or rates "
       << "of their joints";
  return text.str();
}

std::string describe_drop(const Drive& drive, const Model& model, const State& state,
                          Workspace& ws) {
  constexpr double kTimesTheWeight = 3.0;
  constexpr double kAbove = 0.1;  // m
  const Combination car = find_combination(model, drive.chassis);
  if (car.tyres.empty() || car.tethered) return {};
  evaluate_state(model, state, ws);
  double load = 0.0;
  double lowest = std::numeric_limits<double>::infinity();
  for (const StandingTyre* tyre : car.tyres) {
    const Footing footing = tyre->compute_footing({model.tree, ws.tree});
    load += footing.load;
    lowest = std::min(lowest, -footing.deflection);
  }
  double weight = 0.0;
  for (std::size_t b = 0; b < car.has.size(); ++b)
    if (car.has[b] != 0) weight += model.mechanism.bodies[b].mass * model.tree.gravity.norm();
  std::ostringstream text;
  if (load > kTimesTheWeight * weight && weight > 0.0)
    text << "the car starts pressed into the road: its tyres carry " << load
         << " N for a weight of " << weight << " N";
  else if (lowest > kAbove && weight > 0.0)
    text << "the car starts in the air: its lowest tyre is " << lowest << " m above the road";
  else
    return {};
  text << ", expected <start from=\"equilibrium\"/>, or the car on its wheels";
  return text.str();
}

}  // namespace semirec
