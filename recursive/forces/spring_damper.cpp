#include <cmath>

#include "recursive/forces/standard_forces.hpp"

namespace semirec {

void SpringDamperForce::bind(const Mechanism& mechanism, TreeModel& model) {
  a_ = model.attach(spring_.a);
  b_ = model.attach(spring_.b);
  connection_ = model.connect(spring_.a.body, spring_.b.body);
  // the axis is written in the body's own frame
  const Frame& X_CB = model.bodies[static_cast<std::size_t>(a_.body)].X_CB;
  const Eigen::Vector3d axis_B = spring_.axis;
  spring_.axis = X_CB.A * spring_.axis;

  const auto pose = [&](BodyIndex body) {
    return body == kGround ? Frame{} : mechanism.bodies[static_cast<std::size_t>(body)].X_WB;
  };
  const Eigen::Vector3d d =
      (pose(spring_.b.body) * spring_.b.X_BF).p - (pose(spring_.a.body) * spring_.a.X_BF).p;
  const double design = spring_.along_axis ? (pose(spring_.a.body).A * axis_B).dot(d) : d.norm();
  potential_zero_ = spring_.spring.integral(design);
}

SpringDamperForce::Measure SpringDamperForce::measure(const ForceInput& in) const {
  const Eigen::Vector3d r_a = in.position_of(a_);
  const Eigen::Vector3d r_b = in.position_of(b_);
  const Eigen::Vector3d d = r_b - r_a;
  Measure m;
  Eigen::Vector3d u;
  if (spring_.along_axis) {
    u = in.rotation_of(a_.body) * spring_.axis;
    m.length = u.dot(d);
  } else {
    m.length = d.norm();
    // points that coincide have no line: no force direction, as for a slack string
    u = m.length > 0.0 ? Eigen::Vector3d(d / m.length) : Eigen::Vector3d::Zero();
  }
  m.line = make_line(r_b, u);
  m.rate = u.dot(velocity_at(in.relative_velocity(a_.body, b_.body), r_b));
  return m;
}

void SpringDamperForce::add_forces(const ForceInput& in, ForceSink& out) const {
  const Measure m = measure(in);
  const CurveValue spring = spring_.spring.evaluate(m.length);
  const CurveValue damper = spring_.damper.evaluate(m.rate);
  out.add_line_force(connection_, m.line, spring.f + damper.f, spring.fd, damper.fd);
}

void SpringDamperForce::add_derivatives(const ForceInput& in, ForceDerivatives& out) const {
  const Measure m = measure(in);
  const CurveValue spring = spring_.spring.evaluate(m.length);
  const CurveValue damper = spring_.damper.evaluate(m.rate);
  const Eigen::Vector3d r_b = in.position_of(b_);
  const LineTurning turning = spring_.along_axis
                                  ? axis_turning(m.line, r_b, /*axis_on_b=*/false)
                                  : distance_turning(m.line, in.position_of(a_), r_b, m.length);
  out.add_line_force(in, connection_, m.line, spring.f + damper.f, spring.fd, damper.fd, turning);
}

ForcePower SpringDamperForce::report(const ForceInput& in, double* values) const {
  const Measure m = measure(in);
  const double damping_force = spring_.damper.value(m.rate);
  if (values != nullptr) {
    values[0] = m.length;
    values[1] = spring_.spring.value(m.length) + damping_force;
  }
  return {spring_.spring.integral(m.length) - potential_zero_, damping_force * m.rate, 0.0};
}

void SpringDamperForce::measure_contacts(const ForceInput& in, double* pressed) const {
  const double length = measure(in).length;
  for (const ContactEdge& edge : edges_) *pressed++ = edge.pressed(length);
}

std::vector<Channel> SpringDamperForce::channels() const {
  return {{name() + ".length", "m"}, {name() + ".force", "N"}};
}

bool SpringDamperForce::add_reported_bodies(std::vector<TreeIndex>& bodies) const {
  bodies.insert(bodies.end(), {a_.body, b_.body});
  return true;
}

}  // namespace semirec
