#include "vehicles/analysis/drive_force.hpp"

namespace semirec {

void DriveForce::bind(const Mechanism& mechanism, TreeModel& model) {
  Marker marker;
  marker.body = body_;
  marker.X_BF.p = mechanism.bodies[static_cast<std::size_t>(body_)].com;
  centre_ = model.attach(marker);
}

Vector6 DriveForce::line(const ForceInput& in) const {
  Eigen::Vector3d heading = in.axis_of(centre_, 0);
  heading.z() = 0.0;
  return make_line(in.position_of(centre_), heading.normalized());
}

void DriveForce::add_forces(const ForceInput& in, ForceSink& out) const {
  const double force = in.input(input_).f;
  out.add_wrench(centre_.body, force * line(in));
}

ForcePower DriveForce::report(const ForceInput& in, double* values) const {
  const double force = in.input(input_).f;
  if (values != nullptr) values[0] = force;
  return {0.0, 0.0, force * line(in).dot(in.velocity_of(centre_.body))};
}

}  // namespace semirec
