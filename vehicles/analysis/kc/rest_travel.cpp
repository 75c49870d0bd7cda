#include "vehicles/analysis/kc/rest_travel.hpp"

#include "integrator/formulation/evaluate.hpp"
#include "topology/indices.hpp"
#include "vehicles/analysis/steady_state.hpp"

namespace semirec {

RestTravel find_rest_travel(const Vehicle& vehicle, BodyIndex frame) {
  SteadyCar car(vehicle, {});
  if (car.chassis() == kGround)
    throw ModelError("option 'position': vehicle '" + vehicle.mechanism.name +
                     "' has no chassis on a free joint that could come to rest, expected 'drawn'");
  const Model& model = car.drive().model;
  const SteadyTurn rest = car.rest();
  Workspace& ws = car.workspace();
  evaluate_state(model, rest.state, ws);
  // the axes of the drawing, carried along by the frame
  Marker drawing;
  drawing.body = frame;
  drawing.X_BF = inverse(model.mechanism.bodies[at(drawing.body)].X_WB);
  const Attachment carried = model.tree.attach(drawing);
  const Eigen::Matrix3d axes = ws.tree.A_WC[at(carried.body)] * carried.X_CF.A;
  RestTravel found;
  for (const Wheel& wheel : vehicle.wheels) {
    const Frame drawn = model.mechanism.bodies[at(wheel.centre.body)].X_WB * wheel.centre.X_BF;
    const Eigen::Vector3d centre = ws.tree.position_of(model.tree.attach(wheel.centre));
    const Eigen::Vector3d now = axes.transpose() * (centre - ws.tree.position_of(carried));
    found.travel.push_back(now.z() - drawn.p.z());
  }
  found.notes = car.rest_faults();
  return found;
}

}  // namespace semirec
