#include "vehicles/parts/speed_control.hpp"

#include "topology/centre_marker.hpp"

namespace semirec {

void SpeedControl::bind(const Mechanism& mechanism, TreeModel& model) {
  centre_ = model.attach(centre_marker(mechanism, body_));
  connection_ = model.connect(kGround, body_);
}

Vector6 SpeedControl::heading_line(const ForceInput& in) const {
  Eigen::Vector3d heading = in.axis_of(centre_, 0);
  heading.z() = 0.0;
  return make_line(in.position_of(centre_), heading.normalized());
}

void SpeedControl::add_forces(const ForceInput& in, ForceSink& out) const {
  if (in.resting()) return;
  const Vector6 line = heading_line(in);
  const double v = line.dot(in.velocity_of(centre_.body));
  out.add_line_force(connection_, line, gain_ * (v - speed_), 0.0, gain_);
}

ForcePower SpeedControl::report(const ForceInput& in, double* values) const {
  const double v = heading_line(in).dot(in.velocity_of(centre_.body));
  const double force = gain_ * (speed_ - v);
  if (values != nullptr) {
    values[0] = v;
    values[1] = force;
  }
  return {0.0, 0.0, force * v};
}

std::vector<Channel> SpeedControl::channels() const {
  return {{name() + ".speed", "m/s"}, {name() + ".force", "N"}};
}

bool SpeedControl::add_reported_bodies(std::vector<TreeIndex>& bodies) const {
  bodies.push_back(centre_.body);
  return true;
}

}  // namespace semirec
