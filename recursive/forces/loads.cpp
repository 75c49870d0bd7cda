#include "recursive/forces/spring_line.hpp"
#include "recursive/forces/standard_forces.hpp"

namespace semirec {

void AppliedLoadForce::bind(const Mechanism& /*mechanism*/, TreeModel& model) {
  at_ = model.attach(load_.at);
  if (load_.body_axes)
    load_.direction = model.bodies[static_cast<std::size_t>(at_.body)].X_CB.A * load_.direction;
}

Vector6 AppliedLoadForce::wrench(const ForceInput& in) const {
  const double size = in.input(load_.input).f;
  Eigen::Vector3d u = load_.direction;
  if (load_.body_axes) u = in.rotation_of(at_.body) * load_.direction;
  if (load_.torque) return make_six(Eigen::Vector3d::Zero(), size * u);
  return size * make_line(in.position_of(at_), u);
}

void AppliedLoadForce::add_forces(const ForceInput& in, ForceSink& out) const {
  out.add_wrench(at_.body, wrench(in));
}

void AppliedLoadForce::add_derivatives(const ForceInput& in, ForceDerivatives& out) const {
  const Vector6 load = wrench(in);
  const Eigen::Vector3d force = load.head<3>();
  Matrix6 K = Matrix6::Zero();
  if (load_.torque) {
    if (load_.body_axes) K.bottomRightCorner<3, 3>() = -tilde(load.tail<3>());
  } else {
    const Eigen::Vector3d r = in.position_of(at_);
    if (load_.body_axes) {
      K.topRightCorner<3, 3>() = -tilde(force);
      K.bottomRightCorner<3, 3>() = -tilde(r) * tilde(force);
    }
    K.bottomRows<3>() -= tilde(force) * point_velocity(r);
  }
  out.add_load(at_.body, load, K);
}

ForcePower AppliedLoadForce::report(const ForceInput& in, double* values) const {
  if (values != nullptr) values[0] = in.input(load_.input).f;
  return {0.0, 0.0, wrench(in).dot(in.velocity_of(at_.body))};
}

std::vector<Channel> AppliedLoadForce::channels() const {
  return {{name() + ".load", load_.torque ? "N m" : "N"}};
}

bool AppliedLoadForce::add_reported_bodies(std::vector<TreeIndex>& bodies) const {
  bodies.push_back(at_.body);
  return true;
}

JointForce::JointForce(const CoordinateForce& force)
    : ForceElement(force.name, force.source),
      force_(force),
      edges_(find_contact_edges(force.spring)) {
  constexpr double kNoLimit = 1e299;
  if (force.upper < kNoLimit) edges_.push_back({force.upper, true});
  if (force.lower > -kNoLimit) edges_.push_back({force.lower, false});
}

void JointForce::bind(const Mechanism& mechanism, TreeModel& model) {
  const Joint& joint = mechanism.joints[static_cast<std::size_t>(force_.joint)];
  const JointType type = joint.type;
  const MotionKind kind = kind_of_coordinate(type, force_.coordinate);
  coordinate_ = model.coordinate(mechanism, force_.joint, force_.coordinate, source(), name());
  const TreeIndex t = model.tree.branch_of_joint[static_cast<std::size_t>(force_.joint)];
  if (kind == MotionKind::triad && model.tree.branches[static_cast<std::size_t>(t)].reversed)
    axis_ = Axis{model.attach(joint.a), model.attach(joint.b), force_.coordinate % 3,
                 model.connect(joint.a.body, joint.b.body)};
  else
    static_cast<void>(
        model.use_coordinate(mechanism, force_.joint, force_.coordinate, source(), name()));
  slides_ = kind == MotionKind::slide;
  if (!force_.spring.is_zero())
    potential_zero_ = force_.spring.integral(unloaded_length(force_.spring, 0.0));
  if (kind == MotionKind::triad && (!force_.spring.is_zero() || force_.stop_stiffness > 0.0))
    throw ModelError(
        source(), name(),
        "asks for a spring or limit on a rotation that has no angle, expected a bushing "
        "or a rotational spring");
}

JointForce::Law JointForce::evaluate(const ForceInput& in) const {
  // a rotation without angle has neither spring nor limit
  const double z = axis_ ? 0.0 : in.coordinate(coordinate_);
  const double zd = axis_ ? axis_->line(in).dot(in.relative_velocity(axis_->a.body, axis_->b.body))
                          : in.coordinate_rate(coordinate_);
  const CurveValue spring = force_.spring.evaluate(z);
  const CurveValue damper = force_.damper.evaluate(zd);
  Law law;
  law.force = -spring.f - damper.f;
  law.stiffness = spring.fd;
  law.damping = damper.fd;
  if (!force_.spring.is_zero()) law.power.stored = force_.spring.integral(z) - potential_zero_;
  law.power.dissipated = damper.f * zd;
  if (force_.applied != kNoInput) {
    const double applied = in.input(force_.applied).f;
    law.force += applied;
    law.power.input = applied * zd;
  }
  const double beyond =
      z > force_.upper ? z - force_.upper : (z < force_.lower ? z - force_.lower : 0.0);
  if (beyond != 0.0) {
    law.force -= force_.stop_stiffness * beyond + force_.stop_damping * zd;
    law.stiffness += force_.stop_stiffness;
    law.damping += force_.stop_damping;
    law.power.stored += 0.5 * force_.stop_stiffness * beyond * beyond;
    law.power.dissipated += force_.stop_damping * zd * zd;
  }
  return law;
}

void JointForce::add_forces(const ForceInput& in, ForceSink& out) const {
  const Law law = evaluate(in);
  if (axis_)
    out.add_line_force(axis_->connection, axis_->line(in), -law.force, law.stiffness, law.damping);
  else
    out.add_coordinate_force(coordinate_, law.force, law.stiffness, law.damping);
}

void JointForce::add_derivatives(const ForceInput& in, ForceDerivatives& out) const {
  const Law law = evaluate(in);
  if (axis_) {
    const Vector6 line = axis_->line(in);
    out.add_line_force(in, axis_->connection, line, -law.force, law.stiffness, law.damping,
                       axis_turning(line, in.position_of(axis_->b), /*axis_on_b=*/false));
    return;
  }
  out.add_coordinate_force(in, coordinate_, law.force, law.stiffness, law.damping);
}

ForcePower JointForce::report(const ForceInput& in, double* values) const {
  const Law law = evaluate(in);
  if (values != nullptr) values[0] = law.force;
  return law.power;
}

void JointForce::measure_contacts(const ForceInput& in, double* pressed) const {
  const double z = in.coordinate(coordinate_);
  for (const ContactEdge& edge : edges_) *pressed++ = edge.pressed(z);
}

std::vector<Channel> JointForce::channels() const {
  return {{name() + ".force", slides_ ? "N" : "N m"}};
}

bool JointForce::add_reported_bodies(std::vector<TreeIndex>& /*bodies*/) const { return true; }

std::vector<std::unique_ptr<ForceElement>> make_force_elements(const Mechanism& mechanism) {
  std::vector<std::unique_ptr<ForceElement>> elements;
  for (const SpringDamper& spring : mechanism.springs)
    if (spring.active) elements.push_back(std::make_unique<SpringDamperForce>(spring));
  for (const RotationalSpringDamper& spring : mechanism.rotational_springs)
    elements.push_back(std::make_unique<RotationalSpringDamperForce>(spring));
  for (const Bushing& bushing : mechanism.bushings)
    elements.push_back(std::make_unique<BushingForce>(bushing));
  for (const AppliedLoad& load : mechanism.loads)
    elements.push_back(std::make_unique<AppliedLoadForce>(load));
  for (const CoordinateForce& force : mechanism.coordinate_forces)
    elements.push_back(std::make_unique<JointForce>(force));
  return elements;
}

}  // namespace semirec
