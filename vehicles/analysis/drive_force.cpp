#include "vehicles/analysis/drive_force.hpp"

#include "topology/centre_marker.hpp"

namespace semirec {

void DriveForce::bind(const Mechanism& mechanism, TreeModel& model) {
  centre_ = model.attach(centre_marker(mechanism, body_));
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
