#include "vehicles/analysis/drive_force.hpp"

namespace semirec {

void DriveForce::bind(const Mechanism& mechanism, TreeModel& model) {
  Marker marker;
  marker.body = body_;
  marker.X_BF.p = mechanism.bodies[static_cast<std::size_t>(body_)].com;
  centre_ = model.attach(marker);
}

Vector6 DriveForce::line(const TreeWorkspace& ws) const {
  Eigen::Vector3d heading = ws.A_WC[static_cast<std::size_t>(centre_.body)] * centre_.X_CF.A.col(0);
  heading.z() = 0.0;
  return make_line(ws.position_of(centre_), heading.normalized());
}

void DriveForce::add_forces(const TreeModel& /*model*/, TreeWorkspace& ws) const {
  const double force = ws.inputs[static_cast<std::size_t>(input_)].f;
  add_wrench(ws, centre_.body, force * line(ws));
}

ForcePower DriveForce::report(const TreeModel& /*model*/, const TreeWorkspace& ws,
                              double* values) const {
  const double force = ws.inputs[static_cast<std::size_t>(input_)].f;
  if (values != nullptr) values[0] = force;
  return {0.0, 0.0, force * line(ws).dot(ws.Z[static_cast<std::size_t>(centre_.body)])};
}

}  // namespace semirec
