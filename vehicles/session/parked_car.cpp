#include "vehicles/session/parked_car.hpp"

#include <algorithm>
#include <cmath>

#include "integrator/formulation/evaluate.hpp"
#include "topology/indices.hpp"
#include "vehicles/driveline/hub_forces.hpp"
#include "vehicles/session/standing_car.hpp"
#include "vehicles/tyre/rolling_tyre.hpp"

namespace semirec {

EquilibriumReport find_parked_car(const Drive& drive, const Model& model, State& state,
                                  Workspace& ws) {
  if (drive.chassis == kGround) return {};
  evaluate_state(model, state, ws);
  const bool braked =
      std::any_of(drive.brakes.begin(), drive.brakes.end(), [&](const Brake& brake) {
        return brake.torque * brake.balance * ws.tree.inputs[at(brake.input)].f > 0.0;
      });
  if (!braked) return {};
  SteadyMotion rest;
  rest.zd = Eigen::VectorXd::Zero(model.n());
  rest.accelerations = Eigen::MatrixXd::Zero(model.n(), 0);
  rest.held = place_coordinates(model, drive.chassis);
  rest.resting = true;
  for (const auto& force : model.forces) {
    if (const auto* tyre = dynamic_cast<const RollingTyre*>(force.get()))
      rest.sticking.insert(rest.sticking.end(), {tyre->first_state(), tyre->first_state() + 1});
    if (const auto* brake = dynamic_cast<const BrakeForce*>(force.get()))
      rest.sticking.push_back(brake->first_state());
  }
  State parked = state;
  parked.zd.setZero();
  parked.zdd.setZero();
  EquilibriumReport report = find_steady_motion(model, rest, parked, ws);
  if (report.found) state = parked;
  return report;
}

}  // namespace semirec
