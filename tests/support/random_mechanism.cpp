#include "tests/support/random_mechanism.hpp"

#include <cmath>
#include <stdexcept>

#include "integrator/compile.hpp"
#include "integrator/formulation/evaluate.hpp"
#include "recursive/kinematics.hpp"

namespace semirec::test {

std::uint64_t Random::next() {
  // splitmix64
  std::uint64_t x = (state_ += 0x9E3779B97F4A7C15ULL);
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27U)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31U);
}

double Random::number(double low, double high) {
  return low + (high - low) * static_cast<double>(next() >> 11U) * 0x1.0p-53;
}

int Random::index(int n) { return static_cast<int>(next() % static_cast<std::uint64_t>(n)); }

Eigen::Vector3d Random::vector(double size) {
  // one draw a line: the order of evaluation in an argument list is open
  const double x = number(-size, size);
  const double y = number(-size, size);
  const double z = number(-size, size);
  return {x, y, z};
}

Eigen::VectorXd Random::values(Eigen::Index n, double size) {
  Eigen::VectorXd v(n);
  for (Eigen::Index k = 0; k < n; ++k) v[k] = number(-size, size);
  return v;
}

Eigen::Vector3d Random::unit() {
  Eigen::Vector3d v = vector(1.0);
  while (v.norm() < 0.2) v = vector(1.0);
  return v.normalized();
}

Eigen::Matrix3d Random::rotation() {
  const Eigen::Vector3d axis = unit();
  return rotation_exp(number(-3.0, 3.0) * axis);
}

Frame Random::frame(double size) {
  Frame X;
  X.A = rotation();
  X.p = vector(size);
  return X;
}

Eigen::Matrix3d Random::inertia(double scale) {
  // three pairs of mass points on the axes of a random frame
  const Eigen::Vector3d p = scale * (Eigen::Vector3d::Constant(1.5) + vector(1.0));
  const Eigen::Matrix3d A = rotation();
  const Eigen::Vector3d J(p.y() + p.z(), p.x() + p.z(), p.x() + p.y());
  const Eigen::Matrix3d turned = A * J.asDiagonal() * A.transpose();
  return 0.5 * (turned + turned.transpose());
}

const std::vector<JointType>& joint_types() {
  static const std::vector<JointType> types{
      JointType::fixed,       JointType::revolute,  JointType::prismatic,
      JointType::cylindrical, JointType::universal, JointType::spherical,
      JointType::planar,      JointType::free,      JointType::translational};
  return types;
}

Body make_random_body(Random& random, const std::string& name) {
  Body body;
  body.name = name;
  body.mass = random.number(0.5, 2.0);
  body.com = random.vector(0.3);
  body.inertia = random.inertia(0.1);
  body.X_WB = random.frame(1.0);
  return body;
}

Joint make_random_joint(Random& random, JointType type, BodyIndex parent, BodyIndex child,
                        bool reversed, const std::string& name) {
  Joint joint;
  joint.name = name;
  joint.type = type;
  joint.a.body = reversed ? child : parent;
  joint.b.body = reversed ? parent : child;
  joint.a.X_BF = random.frame(0.5);
  joint.b.X_BF = random.frame(0.5);
  return joint;
}

Mechanism make_tree_of_all_joints(std::uint64_t seed) {
  Random random(seed);
  Mechanism mechanism;
  mechanism.name = "all joints";
  mechanism.gravity = Eigen::Vector3d(1.0, -2.0, -9.0);  // across all axes, about 1 g
  for (const bool reversed : {false, true}) {
    for (const JointType type : joint_types()) {
      const int i = static_cast<int>(mechanism.bodies.size());
      // a free joint carries on the ground; everything else on any body before, the ground included
      const BodyIndex parent = type == JointType::free ? kGround : random.index(i + 1) - 1;
      const std::string number = std::to_string(i);
      mechanism.bodies.push_back(make_random_body(random, "b" + number));
      mechanism.joints.push_back(
          make_random_joint(random, type, parent, i, reversed, "j" + number));
    }
  }
  return mechanism;
}

State make_random_state(const Model& model, std::uint64_t seed) {
  Random random(seed);
  State state = make_initial_state(model);
  state.z = random.values(model.n(), 1.0);
  state.zd = random.values(model.n(), 1.0);
  state.zdd = random.values(model.n(), 1.0);
  for (Quaternion& A0 : state.A0) A0 = Quaternion(random.rotation());
  for (const JointMotion& motion : model.tree.motions)
    if (motion.kind == JointMotion::Kind::triad) state.z.segment<3>(motion.z).setZero();
  return state;
}

namespace {

/// Writes a mechanism by world frames of its design position.
class Builder {
 public:
  explicit Builder(std::uint64_t seed) : random(seed) {}

  BodyIndex body(const std::string& name, const Eigen::Vector3d& where) {
    Body b = make_random_body(random, name);
    b.X_WB.p = where;
    b.com = random.vector(0.05);
    b.inertia = random.inertia(0.02);
    mechanism.bodies.push_back(b);
    return static_cast<BodyIndex>(mechanism.bodies.size()) - 1;
  }
  Marker marker(BodyIndex b, const Frame& X_WF) const {
    Marker m;
    m.body = b;
    m.X_BF =
        b == kGround ? X_WF : inverse(mechanism.bodies[static_cast<std::size_t>(b)].X_WB) * X_WF;
    return m;
  }
  Marker point(BodyIndex b, const Eigen::Vector3d& offset) {
    Frame X;
    X.A = random.rotation();
    X.p = offset + (b == kGround ? Eigen::Vector3d::Zero().eval()
                                 : mechanism.bodies[static_cast<std::size_t>(b)].X_WB.p);
    return marker(b, X);
  }
  JointIndex joint(const std::string& name, JointType type, BodyIndex a, BodyIndex b,
                   const Eigen::Vector3d& where) {
    Frame X;
    X.A = random.rotation();
    X.p = where;
    Joint j;
    j.name = name;
    j.type = type;
    j.a = marker(a, X);
    j.b = marker(b, X);
    mechanism.joints.push_back(j);
    return static_cast<JointIndex>(mechanism.joints.size()) - 1;
  }
  InputIndex input(const std::string& name, const Curve& curve) {
    mechanism.inputs.push_back({name, curve, {}});
    return static_cast<InputIndex>(mechanism.inputs.size()) - 1;
  }

  Random random;
  Mechanism mechanism;
};

Curve sine(double amplitude, double omega, double rise) {
  Curve curve;
  curve.add_sine({amplitude, omega, 0.0, rise, 0.0, 1e300});
  return curve;
}

}  // namespace

Mechanism make_loop_mechanism(std::uint64_t seed) {
  Builder build(seed);
  Mechanism& m = build.mechanism;
  m.name = "two loops";
  const Eigen::Vector3d spread = build.random.vector(0.05);  // no symmetric position
  using V = Eigen::Vector3d;

  const BodyIndex base = build.body("base", V(0.0, 0.0, 1.0));
  const BodyIndex l1 = build.body("l1", V(0.5, 0.1, 1.2) + spread);
  const BodyIndex l2 = build.body("l2", V(0.9, 0.6, 1.3));
  const BodyIndex l3 = build.body("l3", V(0.3, 0.9, 1.1) - spread);
  const BodyIndex l4 = build.body("l4", V(0.6, 0.3, 1.7));
  const BodyIndex l5 = build.body("l5", V(0.5, 0.7, 1.8));
  const BodyIndex wheel = build.body("wheel", V(-0.6, 0.2, 0.9));
  const BodyIndex piston = build.body("piston", V(-0.3, -0.5, 1.1));
  m.bodies[static_cast<std::size_t>(base)].mass = 10.0;
  m.bodies[static_cast<std::size_t>(base)].inertia = build.random.inertia(0.3);

  // the flight counts from the world's own axes
  Joint flight;
  flight.name = "flight";
  flight.type = JointType::free;
  flight.b.body = base;
  const Frame X_W_base = m.bodies[static_cast<std::size_t>(base)].X_WB;
  const Eigen::Vector3d theta = rotation_log(X_W_base.A);
  flight.position = {X_W_base.p.x(), X_W_base.p.y(), X_W_base.p.z(),
                     theta.x(),      theta.y(),      theta.z()};
  flight.velocity = {1.0, 0.5, 2.0, 0.4, -0.3, 0.5};
  m.joints.push_back(flight);

  build.joint("s1", JointType::spherical, base, l1, V(0.25, 0.0, 1.1));
  build.joint("r12", JointType::revolute, l1, l2, V(0.75, 0.3, 1.25));
  build.joint("u23", JointType::universal, l2, l3, V(0.6, 0.85, 1.2));
  build.joint("s3", JointType::spherical, l3, base, V(0.1, 0.5, 1.0));
  build.joint("r14", JointType::revolute, l1, l4, V(0.55, 0.2, 1.45));
  build.joint("s45", JointType::spherical, l4, l5, V(0.6, 0.5, 1.8));
  build.joint("u53", JointType::universal, l5, l3, V(0.4, 0.8, 1.45));
  const JointIndex hub = build.joint("hub", JointType::revolute, base, wheel, V(-0.5, 0.2, 0.95));
  const JointIndex guide =
      build.joint("guide", JointType::cylindrical, base, piston, V(-0.3, -0.4, 1.0));

  Constraint rod;
  rod.name = "rod";
  rod.a = build.point(base, V(0.1, -0.2, 0.3));
  rod.b = build.point(l4, V(0.05, -0.05, 0.1));
  const auto place = [&](const Marker& marker) {
    return V((m.bodies[static_cast<std::size_t>(marker.body)].X_WB * marker.X_BF).p);
  };
  rod.length = (place(rod.b) - place(rod.a)).norm();
  m.constraints.push_back(rod);

  // the input that drives has no rate at the start
  const InputIndex stroke = build.input("stroke", sine(0.05, 12.0, 0.2));
  const InputIndex push = build.input("push", sine(8.0, 9.0, 0.0));
  const InputIndex torque = build.input("torque", Curve::constant(0.4));
  m.motions.push_back({"drive", guide, 0, stroke, {}});

  const auto spring = [&](const std::string& name, BodyIndex a, BodyIndex b, double stiffness,
                          double damping) {
    SpringDamper s;
    s.name = name;
    s.a = build.point(a, build.random.vector(0.15));
    s.b = build.point(b, build.random.vector(0.15));
    const double length = (place(s.b) - (a == kGround ? s.a.X_BF.p : place(s.a))).norm();
    s.spring = Curve::linear(stiffness, 0.9 * length);
    s.damper = Curve::linear(damping);
    m.springs.push_back(s);
  };
  spring("anchor", kGround, base, 60.0, 1.0);
  spring("s_base_l2", base, l2, 200.0, 2.0);
  spring("s_l1_l5", l1, l5, 150.0, 1.0);
  SpringDamper strut;
  strut.name = "strut";
  strut.a = build.point(base, V(0.2, 0.3, 0.1));
  strut.b = build.point(l3, V(0.0, 0.0, 0.1));
  strut.along_axis = true;
  strut.axis = build.random.unit();
  strut.spring = Curve::linear(120.0, 0.1);
  strut.damper = Curve::linear(1.5);
  m.springs.push_back(strut);

  RotationalSpringDamper hinge;
  hinge.name = "hinge";
  hinge.a = m.joints[2].a;
  hinge.b = m.joints[2].b;
  hinge.spring = Curve::linear(5.0);
  hinge.damper = Curve::linear(0.1);
  m.rotational_springs.push_back(hinge);

  Bushing bushing;
  bushing.name = "bushing";
  bushing.a = build.point(l4, V(0.0, 0.1, 0.05));
  bushing.b = build.point(l3, V(0.1, -0.1, 0.2));
  bushing.b.X_BF =
      build.marker(l3, m.bodies[static_cast<std::size_t>(l4)].X_WB * bushing.a.X_BF).X_BF;
  bushing.stiffness << 80.0, 120.0, 100.0, 2.0, 2.0, 2.0;
  bushing.damping << 1.0, 1.0, 1.0, 0.05, 0.05, 0.05;
  m.bushings.push_back(bushing);

  AppliedLoad force;
  force.name = "force";
  force.at = build.point(l2, V(0.1, 0.0, 0.1));
  force.direction = build.random.unit();
  force.input = push;
  m.loads.push_back(force);
  AppliedLoad moment;
  moment.name = "moment";
  moment.at = build.point(wheel, V::Zero());
  moment.torque = true;
  moment.body_axes = true;
  moment.direction = build.random.unit();
  moment.input = torque;
  m.loads.push_back(moment);

  CoordinateForce bearing;
  bearing.name = "bearing";
  bearing.joint = hub;
  bearing.spring = Curve::linear(3.0);
  bearing.damper = Curve::linear(0.05);
  bearing.applied = torque;
  bearing.lower = -0.3;
  bearing.upper = 0.3;
  bearing.stop_stiffness = 50.0;
  bearing.stop_damping = 0.5;
  m.coordinate_forces.push_back(bearing);
  CoordinateForce friction;
  friction.name = "friction";
  friction.joint = guide;
  friction.coordinate = 1;
  friction.spring = Curve::linear(2.0, 0.5);
  friction.damper = Curve::linear(0.1);
  m.coordinate_forces.push_back(friction);
  return m;
}

Mechanism move_world(const Mechanism& mechanism, const Frame& X) {
  Mechanism moved = mechanism;
  moved.gravity = X.A * mechanism.gravity;
  for (Body& body : moved.bodies) body.X_WB = X * body.X_WB;
  const auto carry = [&](auto& elements) {
    for (auto& element : elements) {
      if (element.a.body == kGround) element.a.X_BF = X * element.a.X_BF;
      if (element.b.body == kGround) element.b.X_BF = X * element.b.X_BF;
    }
  };
  carry(moved.constraints);
  carry(moved.springs);
  carry(moved.rotational_springs);
  carry(moved.bushings);
  for (AppliedLoad& load : moved.loads)
    if (!load.body_axes) load.direction = X.A * load.direction;
  for (Joint& joint : moved.joints) {
    if (joint.type != JointType::free) continue;
    const Eigen::Map<const Eigen::Vector3d> p(joint.position.data());
    const Eigen::Map<const Eigen::Vector3d> theta(joint.position.data() + 3);
    const Eigen::Map<const Eigen::Vector3d> v(joint.velocity.data());
    const Eigen::Map<const Eigen::Vector3d> w(joint.velocity.data() + 3);
    const Eigen::Vector3d place = X.p + X.A * p;
    const Eigen::Vector3d turn = rotation_log(X.A * rotation_exp(theta));
    const Eigen::Vector3d velocity = X.A * v;
    const Eigen::Vector3d spin = X.A * w;
    joint.position = {place.x(), place.y(), place.z(), turn.x(), turn.y(), turn.z()};
    joint.velocity = {velocity.x(), velocity.y(), velocity.z(), spin.x(), spin.y(), spin.z()};
  }
  return moved;
}

std::vector<Frame> find_body_poses(const Model& model, const State& state, Workspace& ws) {
  evaluate_state(model, state, ws);
  std::vector<Frame> poses(model.mechanism.bodies.size());
  for (std::size_t b = 0; b < poses.size(); ++b) {
    const auto t = static_cast<std::size_t>(model.tree.tree.tree_of_body[b]);
    Frame X_WC;
    X_WC.A = ws.tree.A_WC[t];
    X_WC.p = ws.tree.origin + ws.tree.p[t];
    poses[b] = X_WC * model.tree.bodies[t].X_CB;
  }
  return poses;
}

BodyIndex find_body(const Mechanism& mechanism, const std::string& name) {
  for (std::size_t b = 0; b < mechanism.bodies.size(); ++b)
    if (mechanism.bodies[b].name == name) return static_cast<BodyIndex>(b);
  throw std::out_of_range("no body '" + name + "'");
}

JointIndex find_joint(const Mechanism& mechanism, const std::string& name) {
  for (std::size_t j = 0; j < mechanism.joints.size(); ++j)
    if (mechanism.joints[j].name == name) return static_cast<JointIndex>(j);
  throw std::out_of_range("no joint '" + name + "'");
}

}  // namespace semirec::test
