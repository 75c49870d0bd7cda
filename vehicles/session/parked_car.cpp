#include "vehicles/session/parked_car.hpp"

#include <algorithm>
#include <sstream>
#include <vector>

#include "integrator/formulation/evaluate.hpp"
#include "topology/indices.hpp"
#include "vehicles/driveline/hub_forces.hpp"
#include "vehicles/session/continuation.hpp"
#include "vehicles/session/held_articulation.hpp"
#include "vehicles/session/standing_car.hpp"
#include "vehicles/tyre/rolling_tyres.hpp"

namespace semirec {

namespace {

bool is_braked(const Drive& drive, const Workspace& ws) {
  return std::any_of(drive.brakes.begin(), drive.brakes.end(), [&](const Brake& brake) {
    return brake.torque * brake.balance * ws.tree.inputs[at(brake.input)].f > 0.0;
  });
}

/// At rest the deflections of tyres and the bristles of brakes may have any value.
void find_sticking(const Model& model, SteadyMotion& rest) {
  constexpr double kBristle = 1.0;      // where a brake begins to slide
  constexpr double kDeflection = 0.05;  // m, rad: where most tyres do
  for (const auto& force : model.forces) {
    const bool is_brake = dynamic_cast<const BrakeForce*>(force.get()) != nullptr;
    if (!is_brake && dynamic_cast<const RollingTyres*>(force.get()) == nullptr) continue;
    for (int k = 0; k < force->states().count; ++k) {
      rest.sticking.push_back(force->states().first + k);
      rest.sticking_sizes.push_back(is_brake ? kBristle : kDeflection);
    }
  }
}

}  // namespace

ParkedCar find_parked_car(const Drive& drive, const Model& model, const Eigen::VectorXd& unheld,
                          State& state, Workspace& ws) {
  ParkedCar car;
  if (drive.chassis == kGround) return car;
  State parked = state;
  parked.zd.setZero();
  parked.zdd.setZero();
  // brakes may be told by states, holds and logics of the file
  evaluate_state(model, parked, ws);
  settle_states(model.forces, model.tree, ws.tree);
  parked.x = ws.tree.x;
  evaluate_state(model, parked, ws);
  car.braked = is_braked(drive, ws);
  if (!car.braked) return car;
  SteadyMotion rest;
  rest.zd = Eigen::VectorXd::Zero(model.n());
  rest.accelerations = Eigen::MatrixXd::Zero(model.n(), 0);
  rest.held = place_coordinates(model, drive.chassis);
  const Combination combination = find_combination(model, drive.chassis);
  const StandingPlane plane = find_road_plane(model, combination, drive.chassis, ws);
  for (const Articulation& articulation :
       find_articulations(drive, model, combination, plane.axes.col(2), ws))
    rest.held.push_back(articulation.held);
  rest.resting = true;
  find_sticking(model, rest);
  // brakes take over the weight along the road by and by
  const double heading = find_heading(model, drive.chassis, ws);
  const auto solve = [&](double share) {
    rest.given = (1.0 - share) * unheld;
    State trial = parked;
    EquilibriumReport report;
    search_on_heading(model, combination, drive.chassis, heading, trial, ws, [&](State& from) {
      const EquilibriumReport found = find_steady_motion(model, rest, from, ws);
      if (found.found || !report.found) report = found;
      return found.found;
    });
    // of a search that ends without success the last trial that failed counts
    if (!report.found || share == 1.0) car.equilibrium = report;
    if (report.found) parked = trial;
    return report.found;
  };
  car.equilibrium.found = solve_in_steps(solve);
  if (car.equilibrium.found) state = parked;
  return car;
}

std::string describe_unparked(const EquilibriumReport& report) {
  std::ostringstream text;
  text << "its brakes are on, but its rest was not found: forces stay unbalanced by "
       << report.residual
       << " N; brakes and tyres may be too weak to hold it there, or the search may have failed";
  return text.str();
}

}  // namespace semirec
