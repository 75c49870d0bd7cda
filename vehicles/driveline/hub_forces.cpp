#include "vehicles/driveline/hub_forces.hpp"

#include <algorithm>
#include <cmath>

namespace semirec {

namespace {

/// Turn of a disc at which a held brake begins to slide, rad.
constexpr double kBristle = 0.01;

}  // namespace

Hub::Hub(const std::vector<Wheel>& wheels, int index, const std::string& user, const Source& source)
    : wheel(wheels.at(static_cast<std::size_t>(index))) {
  if (wheel.rim == kGround)
    throw ModelError(source, user,
                     "acts on wheel '" + wheel.name +
                         "', which does not spin, expected a wheel with rim=\"...\"");
}

void Hub::bind(TreeModel& model) {
  axle = model.attach(wheel.centre);
  rim = model.tree.tree_index(wheel.rim);
  connection = model.connect(wheel.centre.body, wheel.rim);
}

Vector6 Hub::line(const ForceInput& in) const {
  return make_six(Eigen::Vector3d::Zero(), in.axis_of(axle, 1));
}

double Hub::speed(const ForceInput& in) const {
  return line(in).dot(in.relative_velocity(axle.body, rim));
}

BrakeForce::BrakeForce(const Brake& brake, const std::vector<Wheel>& wheels)
    : ForceElement(brake.name, brake.source),
      brake_(brake),
      friction_{kBristle, brake.lock_speed},
      hub_(wheels, brake.wheel, brake.name, brake.source) {
  if (!(brake.torque >= 0.0) || !std::isfinite(brake.torque) || !(brake.lock_speed > 0.0))
    throw ModelError(brake.source, brake.name,
                     "has a torque below or a lock_speed not above zero, expected positive ones");
}

void BrakeForce::bind(const Mechanism& /*mechanism*/, TreeModel& model) { hub_.bind(model); }

double BrakeForce::capacity(const ForceInput& in) const {
  const double input = in.input(brake_.input).f;
  return brake_.torque * brake_.balance * std::clamp(input, range().least, range().most);
}

FrictionTorque BrakeForce::rub(const ForceInput& in) const {
  return compute_friction(friction_, in.x_begin(0), hub_.speed(in), in.step());
}

void BrakeForce::add_forces(const ForceInput& in, ForceSink& out) const {
  const FrictionTorque rubbing = rub(in);
  out.set_x(0, rubbing.z);
  const double size = capacity(in);
  if (size == 0.0) return;
  out.add_line_force(hub_.connection, hub_.line(in), size * rubbing.part, 0.0,
                     size * rubbing.secant);
}

void BrakeForce::update_states(const ForceInput& in, StateSink& out) const {
  const FrictionTorque rubbing = rub(in);
  out.set_x(0, rubbing.z);
  out.set_xd(0, rubbing.rate);
}

void BrakeForce::settle_states(const ForceInput& in, StateSink& out) const {
  constexpr double kAtRest = 1e-9;  // rad/s: what sticks keeps its deflection
  const double speed = hub_.speed(in);
  if (std::abs(speed) > kAtRest) out.set_x(0, settled_bristle(speed));
}

ForcePower BrakeForce::report(const ForceInput& in, double* values) const {
  const double torque = capacity(in) * rub(in).part;
  const double speed = hub_.speed(in);
  if (values != nullptr) {
    values[0] = -torque;
    values[1] = speed;
  }
  // what the bristle gives back counts against what it has taken
  return {0.0, torque * speed, 0.0};
}

std::vector<Channel> BrakeForce::channels() const {
  return {{name() + ".torque", "N m"}, {name() + ".speed", "rad/s"}};
}

bool BrakeForce::add_reported_bodies(std::vector<TreeIndex>& bodies) const {
  bodies.insert(bodies.end(), {hub_.axle.body, hub_.rim});
  return true;
}

HubTorqueForce::HubTorqueForce(const HubTorque& torque, const std::vector<Wheel>& wheels)
    : ForceElement(torque.name, torque.source),
      torque_(torque),
      hub_(wheels, torque.wheel, torque.name, torque.source) {}

void HubTorqueForce::bind(const Mechanism& /*mechanism*/, TreeModel& model) { hub_.bind(model); }

void HubTorqueForce::add_forces(const ForceInput& in, ForceSink& out) const {
  const double torque = in.input(torque_.input).f;
  out.add_line_force(hub_.connection, hub_.line(in), -torque, 0.0, 0.0);
}

ForcePower HubTorqueForce::report(const ForceInput& in, double* values) const {
  const double torque = in.input(torque_.input).f;
  const double speed = hub_.speed(in);
  if (values != nullptr) {
    values[0] = torque;
    values[1] = speed;
  }
  return {0.0, 0.0, torque * speed};
}

std::vector<Channel> HubTorqueForce::channels() const {
  return {{name() + ".torque", "N m"}, {name() + ".speed", "rad/s"}};
}

bool HubTorqueForce::add_reported_bodies(std::vector<TreeIndex>& bodies) const {
  bodies.insert(bodies.end(), {hub_.axle.body, hub_.rim});
  return true;
}

}  // namespace semirec
