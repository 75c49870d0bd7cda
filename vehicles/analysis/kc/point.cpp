#include "vehicles/analysis/kc/point.hpp"

#include "topology/indices.hpp"

namespace semirec {

RigPoint make_point(const Rig& rig, const RigCommand& command, const RigState& state, double step,
                    Workspace& ws) {
  return {&rig,  command,
          state, linearize(rig, command, state, ws, step),
          step,  read_rig(rig, state, ws)};
}

RigResponse response_of(const RigPoint& point, const RigCommand& rate, Workspace& ws) {
  return respond(*point.rig, point.command, point.state, point.tangent, rate, ws);
}

Reading rate_of(const RigPoint& point, const RigCommand& rate, Workspace& ws) {
  return read_rate(*point.rig, point.state, response_of(point, rate, ws), ws, point.step);
}

RigCommand lift(const Rig& rig, const Axle& axle, double left, double right) {
  RigCommand rate = make_command(rig);
  rate.height[axle.left] = left;
  rate.height[axle.right] = right;
  return rate;
}

RigCommand roll_rate(const Rig& rig) {
  RigCommand rate = make_command(rig);
  rate.roll = 1.0;
  return rate;
}

RigCommand steering_rate(const Rig& rig) {
  RigCommand rate = make_command(rig);
  rate.steering = 1.0;
  return rate;
}

double find_roll_centre(const RigPoint& point, const Axle& axle, Workspace& ws) {
  const Reading rate = rate_of(point, lift(*point.rig, axle, 1.0, -1.0), ws);
  const double sideways =
      0.5 * (rate.wheels[at(axle.left)].contact.y() + rate.wheels[at(axle.right)].contact.y());
  const double track = point.reading.wheels[at(axle.left)].contact.y() -
                       point.reading.wheels[at(axle.right)].contact.y();
  // the pads turn by 2/track, and carry the chassis' point at this height along
  return 0.5 * track * sideways;
}

}  // namespace semirec
