#include <cmath>

#include "recursive/forces/spring_line.hpp"
#include "recursive/forces/standard_forces.hpp"

namespace semirec {

void RotationalSpringDamperForce::bind(const Mechanism& /*mechanism*/, TreeModel& model) {
  a_ = model.attach(spring_.a);
  b_ = model.attach(spring_.b);
  counted_ = find_counted_angle(model, a_, b_);
  connection_ = model.connect(spring_.a.body, spring_.b.body);
  if (!spring_.spring.is_zero())
    potential_zero_ = spring_.spring.integral(unloaded_length(spring_.spring, 0.0));
}

RotationalSpringDamperForce::Measure RotationalSpringDamperForce::measure(
    const ForceInput& in) const {
  const Eigen::Matrix3d A_a = in.axes_of(a_);
  const Eigen::Vector3d x_b = in.axis_of(b_, 0);
  Measure m;
  m.line = make_six(Eigen::Vector3d::Zero(), A_a.col(2));
  m.angle = std::atan2(x_b.dot(A_a.col(1)), x_b.dot(A_a.col(0)));
  if (counted_) m.angle = add_whole_turns(*counted_, in, m.angle);
  m.rate = m.line.dot(in.relative_velocity(a_.body, b_.body));
  return m;
}

void RotationalSpringDamperForce::add_forces(const ForceInput& in, ForceSink& out) const {
  const Measure m = measure(in);
  const CurveValue spring = spring_.spring.evaluate(m.angle);
  const CurveValue damper = spring_.damper.evaluate(m.rate);
  out.add_line_force(connection_, m.line, spring.f + damper.f, spring.fd, damper.fd);
}

void RotationalSpringDamperForce::add_derivatives(const ForceInput& in,
                                                  ForceDerivatives& out) const {
  const Measure m = measure(in);
  const CurveValue spring = spring_.spring.evaluate(m.angle);
  const CurveValue damper = spring_.damper.evaluate(m.rate);
  const LineTurning turning = axis_turning(m.line, Eigen::Vector3d::Zero(), /*axis_on_b=*/false);
  out.add_line_force(in, connection_, m.line, spring.f + damper.f, spring.fd, damper.fd, turning);
}

ForcePower RotationalSpringDamperForce::report(const ForceInput& in, double* values) const {
  const Measure m = measure(in);
  const double damping_torque = spring_.damper.value(m.rate);
  if (values != nullptr) {
    values[0] = m.angle;
    values[1] = spring_.spring.value(m.angle) + damping_torque;
  }
  return {spring_.spring.integral(m.angle) - potential_zero_, damping_torque * m.rate, 0.0};
}

void RotationalSpringDamperForce::measure_contacts(const ForceInput& in, double* pressed) const {
  const double angle = measure(in).angle;
  for (const ContactEdge& edge : edges_) *pressed++ = edge.pressed(angle);
}

Eigen::Vector3d RotationalSpringDamperForce::part_turn(const ForceInput& in) const {
  return measure(in).angle * Eigen::Vector3d::UnitZ();
}

std::vector<Channel> RotationalSpringDamperForce::channels() const {
  return {{name() + ".angle", "rad"}, {name() + ".torque", "N m"}};
}

bool RotationalSpringDamperForce::add_reported_bodies(std::vector<TreeIndex>& bodies) const {
  bodies.insert(bodies.end(), {a_.body, b_.body});
  return true;
}

}  // namespace semirec
