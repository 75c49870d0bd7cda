#include "vehicles/session/parked_car.hpp"

#include <algorithm>
#include <cmath>

#include "integrator/formulation/evaluate.hpp"
#include "topology/indices.hpp"
#include "vehicles/driveline/hub_forces.hpp"
#include "vehicles/session/standing_car.hpp"
#include "vehicles/tyre/rolling_tyres.hpp"

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
    // at rest the deflections of tyres and the bristles of brakes may have any value
    const bool sticks = dynamic_cast<const RollingTyres*>(force.get()) != nullptr ||
                        dynamic_cast<const BrakeForce*>(force.get()) != nullptr;
    if (!sticks) continue;
    for (int k = 0; k < force->states().count; ++k)
      rest.sticking.push_back(force->states().first + k);
  }
  State parked = state;
  parked.zd.setZero();
  parked.zdd.setZero();
  EquilibriumReport report = find_steady_motion(model, rest, parked, ws);
  if (report.found) state = parked;
  return report;
}

}  // namespace semirec
