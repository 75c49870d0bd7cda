#include "vehicles/parts/sensor.hpp"

namespace semirec {

void SensorReport::bind(const Mechanism& /*mechanism*/, TreeModel& model) {
  at_ = model.attach(sensor_.at);
}

ForcePower SensorReport::report(const ForceInput& in, double* values) const {
  if (values == nullptr) return {};
  const Vector6& Z = in.velocity_of(at_.body);
  const Eigen::Matrix3d to_sensor = in.axes_of(at_).transpose();
  const Eigen::Vector3d r = in.position_of(at_);
  const Eigen::Vector3d v = velocity_at(Z, r);
  const Eigen::Vector3d a = acceleration_at(Z, in.acceleration_of(at_.body), r);
  const auto put = [&](const Eigen::Vector3d& u) {
    for (int k = 0; k < 3; ++k) *values++ = u[k];
  };
  put(in.origin() + r);
  put(v);
  put(to_sensor * v);
  put(to_sensor * a);
  put(to_sensor * (a - in.gravity()));
  put(to_sensor * Z.tail<3>());
  return {};
}

std::vector<Channel> SensorReport::channels() const {
  std::vector<Channel> channels;
  const auto add = [&](const char* before, const char* after, const char* unit) {
    for (const char* axis : {"x", "y", "z"})
      channels.push_back({name() + "." + before + axis + after, unit});
  };
  add("", "", "m");
  add("v", "", "m/s");
  add("v", "_body", "m/s");
  add("a", "_body", "m/s^2");
  add("a", "_felt", "m/s^2");
  add("w", "", "rad/s");
  return channels;
}

bool SensorReport::add_reported_bodies(std::vector<TreeIndex>& bodies) const {
  bodies.push_back(at_.body);
  return true;
}

}  // namespace semirec
