#include "tests/support/mechanisms.hpp"

#include <cmath>
#include <numbers>

#include <Eigen/Geometry>

#include "recursive/kinematics.hpp"

namespace semirec::test {

namespace {

using V = Eigen::Vector3d;
using std::numbers::pi;

const V kGravityY{0.0, -9.81, 0.0};

Eigen::Matrix3d diagonal(double x, double y, double z) { return V(x, y, z).asDiagonal(); }

/// Uniform block with sides a, b, c.
Eigen::Matrix3d block_inertia(double mass, double a, double b, double c) {
  return mass / 12.0 * diagonal(b * b + c * c, a * a + c * c, a * a + b * b);
}

Frame at_point(const V& p) { return {Eigen::Matrix3d::Identity(), p}; }

Joint& last_joint(Mechanism& mechanism) { return mechanism.joints.back(); }

}  // namespace

Frame pose_of(const Mechanism& mechanism, BodyIndex body) {
  return body == kGround ? Frame{} : mechanism.bodies[static_cast<std::size_t>(body)].X_WB;
}

BodyIndex add_body(Mechanism& mechanism, const std::string& name, double mass, const Frame& X_WB,
                   const Eigen::Matrix3d& inertia, const Eigen::Vector3d& com) {
  Body body;
  body.name = name;
  body.mass = mass;
  body.com = com;
  body.inertia = inertia;
  body.X_WB = X_WB;
  mechanism.bodies.push_back(body);
  return static_cast<BodyIndex>(mechanism.bodies.size()) - 1;
}

BodyIndex add_rod(Mechanism& mechanism, const std::string& name, double mass, const V& from,
                  const V& to) {
  const V d = to - from;
  const double J = mass * d.squaredNorm() / 12.0;
  // z of the rod's frame across it, the world's own where that is possible
  const V across = std::abs(d.normalized().z()) < 0.9 ? V::UnitZ() : V::UnitY();
  Frame X;
  X.A.col(0) = d.normalized();
  X.A.col(2) = (across - across.dot(X.A.col(0)) * X.A.col(0)).normalized();
  X.A.col(1) = X.A.col(2).cross(X.A.col(0));
  X.p = 0.5 * (from + to);
  return add_body(mechanism, name, mass, X, diagonal(0.0, J, J));
}

BodyIndex add_plate(Mechanism& mechanism, const std::string& name, double mass, double J,
                    const Frame& X_WB, const V& com) {
  return add_body(mechanism, name, mass, X_WB, diagonal(0.5 * J, 0.5 * J, J), com);
}

Marker marker_at(const Mechanism& mechanism, BodyIndex body, const Frame& X_WF) {
  Marker marker;
  marker.body = body;
  marker.X_BF = inverse(pose_of(mechanism, body)) * X_WF;
  return marker;
}

Marker marker_at(const Mechanism& mechanism, BodyIndex body, const V& point) {
  return marker_at(mechanism, body, at_point(point));
}

JointIndex add_joint(Mechanism& mechanism, const std::string& name, JointType type, BodyIndex a,
                     BodyIndex b, const Frame& X_WF, Placement placement) {
  Joint joint;
  joint.name = name;
  joint.type = type;
  joint.a = marker_at(mechanism, a, X_WF);
  joint.b = marker_at(mechanism, b, X_WF);
  joint.placement = placement;
  mechanism.joints.push_back(joint);
  return static_cast<JointIndex>(mechanism.joints.size()) - 1;
}

JointIndex add_hinge(Mechanism& mechanism, const std::string& name, BodyIndex a, BodyIndex b,
                     const V& point, Placement placement) {
  return add_joint(mechanism, name, JointType::revolute, a, b, at_point(point), placement);
}

void add_massless_rod(Mechanism& mechanism, const std::string& name, BodyIndex a, BodyIndex b,
                      const V& point_a, const V& point_b) {
  Constraint rod;
  rod.name = name;
  rod.type = ConstraintType::rod;
  rod.a = marker_at(mechanism, a, point_a);
  rod.b = marker_at(mechanism, b, point_b);
  rod.length = (point_b - point_a).norm();
  mechanism.constraints.push_back(rod);
}

void add_spring(Mechanism& mechanism, const std::string& name, BodyIndex a, BodyIndex b,
                const V& point_a, const V& point_b, double stiffness, double free_length,
                double damping) {
  SpringDamper spring;
  spring.name = name;
  spring.a = marker_at(mechanism, a, point_a);
  spring.b = marker_at(mechanism, b, point_b);
  if (stiffness != 0.0) spring.spring = Curve::linear(stiffness, free_length);
  if (damping != 0.0) spring.damper = Curve::linear(damping);
  mechanism.springs.push_back(spring);
}

InputIndex add_input(Mechanism& mechanism, const std::string& name, const Curve& curve) {
  mechanism.inputs.push_back({name, curve, {}});
  return static_cast<InputIndex>(mechanism.inputs.size()) - 1;
}

Curve make_sine(double amplitude, double omega, double phase) {
  Curve curve;
  Curve::Sine sine;
  sine.amplitude = amplitude;
  sine.omega = omega;
  sine.phase = phase;
  curve.add_sine(sine);
  return curve;
}

Frame turned_about_z(const V& p, double angle) {
  Frame X;
  X.A = Eigen::AngleAxisd(angle, V::UnitZ()).toRotationMatrix();
  X.p = p;
  return X;
}

Mechanism make_pendulum() {
  Mechanism m;
  m.name = "pendulum";
  m.gravity = kGravityY;
  const BodyIndex bob = add_body(m, "bob", 1.0, at_point(V(-1, 0, 0)), Eigen::Matrix3d::Zero());
  add_hinge(m, "hinge", kGround, bob, V::Zero());
  return m;
}

Mechanism make_four_bars(int count, LoopKind kind) {
  Mechanism m;
  m.name = "four-bars";
  m.gravity = kGravityY;
  std::vector<BodyIndex> cranks;
  for (int k = 0; k <= count; ++k) {
    const std::string number = std::to_string(k);
    cranks.push_back(add_rod(m, "crank" + number, 1.0, V(k, 0, 0), V(k, 1, 0)));
    add_hinge(m, "pin" + number, kGround, cranks.back(), V(k, 0, 0));
    last_joint(m).velocity = {-1.0};
  }
  for (int k = 0; k < count; ++k) {
    const std::string number = std::to_string(k);
    const BodyIndex coupler = add_rod(m, "coupler" + number, 1.0, V(k, 1, 0), V(k + 1, 1, 0));
    const BodyIndex next = cranks[static_cast<std::size_t>(k) + 1];
    add_hinge(m, "left" + number, cranks[static_cast<std::size_t>(k)], coupler, V(k, 1, 0));
    last_joint(m).velocity = {1.0};
    if (kind != LoopKind::planar) {
      add_hinge(m, "right" + number, coupler, next, V(k + 1, 1, 0), Placement::cut);
      if (kind == LoopKind::redundant) last_joint(m).attached = true;
    } else {
      Constraint pin;
      pin.name = "right" + number;
      pin.type = ConstraintType::point_on_line;
      pin.a = marker_at(m, coupler, V(k + 1, 1, 0));
      pin.b = marker_at(m, next, V(k + 1, 1, 0));
      m.constraints.push_back(pin);
    }
  }
  return m;
}

Mechanism make_rod_chain(int count, double length, double mass) {
  Mechanism m;
  m.name = "chain";
  m.gravity = kGravityY;
  BodyIndex inboard = kGround;
  for (int k = 0; k < count; ++k) {
    const V from(k * length, 0, 0);
    const BodyIndex rod = add_rod(m, "rod" + std::to_string(k), mass, from, from + V(length, 0, 0));
    add_hinge(m, "hinge" + std::to_string(k), inboard, rod, from);
    inboard = rod;
  }
  return m;
}

Mechanism make_stiff_double_pendulum() {
  Mechanism m;
  m.name = "stiff double pendulum";
  m.gravity = kGravityY;
  const double theta1 = 1.5 * pi;
  const double theta2 = 23.0 / 12.0 * pi;
  const V elbow(std::cos(theta1), std::sin(theta1), 0.0);
  const V tip = elbow + 1.5 * V(std::cos(theta2), std::sin(theta2), 0.0);
  const BodyIndex first = add_rod(m, "rod0", 3.0, V::Zero(), elbow);
  const BodyIndex second = add_rod(m, "rod1", 0.3, elbow, tip);
  add_hinge(m, "hinge0", kGround, first, V::Zero());
  add_hinge(m, "hinge1", first, second, elbow);
  const auto spring = [&](const std::string& name, BodyIndex a, BodyIndex b, const V& point,
                          double angle_a, double angle_b, double stiffness, double damping) {
    RotationalSpringDamper s;
    s.name = name;
    s.a = marker_at(m, a, turned_about_z(point, angle_a));
    s.b = marker_at(m, b, turned_about_z(point, angle_b));
    s.spring = Curve::linear(stiffness);
    s.damper = Curve::linear(damping);
    m.rotational_springs.push_back(s);
  };
  spring("spring0", kGround, first, V::Zero(), 1.5 * pi, theta1, 400.0, 15.0);
  spring("spring1", first, second, elbow, theta1, theta2, 3e5, 5e4);
  return m;
}

const std::vector<double>& andrews_start() {
  static const std::vector<double> angles{-0.06171389001427645, 0.0,
                                          0.4552798191630704,   0.2226683901658859,
                                          0.4873649795438426,   -0.2226683901658859,
                                          1.230547444549821};
  return angles;
}

Mechanism make_andrews() {
  // data of the seven-body problem as the IVP test set publishes them
  constexpr double d = 0.028, da = 0.0115, e = 0.02, ea = 0.01421, zf = 0.02, fa = 0.01421,
                   rr = 0.007, ra = 0.00092, ss = 0.035, sa = 0.01874, sb = 0.01043, sc = 0.018,
                   sd = 0.02, zt = 0.04, ta = 0.02308, tb = 0.00916, u = 0.04, ua = 0.01228,
                   ub = 0.00449;
  const V A(-0.06934, -0.00227, 0), B(-0.03635, 0.03273, 0), C(0.014, 0.072, 0);
  const std::vector<double>& q = andrews_start();
  const double be = q[0], Th = q[1], ga = q[2], Ph = q[3], de = q[4], Om = q[5], ep = q[6];

  Mechanism m;
  m.name = "Andrews' squeezer";
  m.gravity.setZero();
  // each frame stands in the body's inboard pin, x along the direction its angle counts from +x;
  // (sin a, -cos a) is -y of that frame, (cos a, sin a) is x
  const Frame X1 = turned_about_z(V::Zero(), be);
  const V F = (X1 * at_point(V(rr, 0, 0))).p;
  const Frame X2 = turned_about_z(F, be + Th);
  const V E = (X2 * at_point(V(-d, 0, 0))).p;
  const Frame X3 = turned_about_z(B, ga);
  const V D = (X3 * at_point(V(sd, -sc, 0))).p;
  const Frame X5 = turned_about_z(A, de);
  const V G = (X5 * at_point(V(zt, 0, 0))).p;
  const Frame X4 = turned_about_z(G, Ph + de);
  const Frame X7 = turned_about_z(A, ep);
  const V H = (X7 * at_point(V(0, -u, 0))).p;
  const Frame X6 = turned_about_z(H, Om + ep);
  const BodyIndex K1 = add_plate(m, "K1", 0.04325, 2.194e-6, X1, V(ra, 0, 0));
  const BodyIndex K2 = add_plate(m, "K2", 0.00365, 4.410e-7, X2, V(-da, 0, 0));
  const BodyIndex K3 = add_plate(m, "K3", 0.02373, 5.255e-6, X3, V(sb, -sa, 0));
  const BodyIndex K4 = add_plate(m, "K4", 0.00706, 5.667e-7, X4, V(0, -(e - ea), 0));
  const BodyIndex K5 = add_plate(m, "K5", 0.07050, 1.169e-5, X5, V(ta, tb, 0));
  const BodyIndex K6 = add_plate(m, "K6", 0.00706, 5.667e-7, X6, V(zf - fa, 0, 0));
  const BodyIndex K7 = add_plate(m, "K7", 0.05498, 1.912e-5, X7, V(-ub, -ua, 0));
  const Placement tree = Placement::tree;
  const JointIndex crank = add_hinge(m, "beta", kGround, K1, V::Zero(), tree);
  add_hinge(m, "Theta", K1, K2, F, tree);
  add_hinge(m, "gamma", kGround, K3, B, tree);
  add_hinge(m, "Phi", K5, K4, G, tree);
  add_hinge(m, "delta", kGround, K5, A, tree);
  add_hinge(m, "Omega", K7, K6, H, tree);
  add_hinge(m, "epsilon", kGround, K7, A, tree);
  // E from each side: the start closes to the digits it is published with
  const auto close = [&](const std::string& name, BodyIndex body, const V& in_body) {
    add_hinge(m, name, K2, body, E, Placement::cut);
    last_joint(m).b.X_BF = {pose_of(m, body).A.transpose(), in_body};
  };
  close("E3", K3, V(0, -ss, 0));
  close("E4", K4, V(0, -e, 0));
  close("E6", K6, V(zf, 0, 0));
  add_spring(m, "spring", kGround, K3, C, D, 4530.0, 0.07785, 0.0);
  CoordinateForce motor;
  motor.name = "motor";
  motor.joint = crank;
  motor.applied = add_input(m, "torque", Curve::constant(0.033));
  m.coordinate_forces.push_back(motor);
  return m;
}

Mechanism make_slider_crank(const SliderCrank& data) {
  constexpr double L1 = 0.3, L2 = 0.6;
  Mechanism m;
  m.name = "slider-crank";
  m.gravity = V(0.0, -data.gravity, 0.0);
  const V pin = L1 * V(std::cos(data.crank_angle), std::sin(data.crank_angle), 0.0);
  const V B(pin.x() + std::sqrt(L2 * L2 - pin.y() * pin.y()), 0.0, 0.0);
  const BodyIndex crank = add_rod(m, "crank", 3.0, V::Zero(), pin);
  const BodyIndex rod = add_rod(m, "rod", 0.9, pin, B);
  add_hinge(m, "crank_pin", kGround, crank, V::Zero());
  last_joint(m).velocity = {data.crank_rate};
  last_joint(m).held = true;
  add_hinge(m, "rod_pin", crank, rod, pin);
  Constraint guide;
  guide.name = "guide";
  guide.type = ConstraintType::point_in_plane;
  guide.a = marker_at(m, kGround, make_frame(V::Zero(), V::UnitY()));
  guide.b = marker_at(m, rod, B);
  m.constraints.push_back(guide);
  add_spring(m, "spring", kGround, rod, V::Zero(), B, 100.0, data.free_length, data.damping);
  Marker marker = marker_at(m, rod, B);
  marker.name = "B";
  m.markers.push_back(marker);
  return m;
}

Mechanism make_haug_slider_crank() {
  constexpr double a = 0.5;
  const double q = 0.5 * pi;
  const double p = -std::asin(a * std::sin(q));
  Mechanism m;
  m.name = "Haug's slider-crank";
  m.gravity.setZero();
  const V pin = a * V(std::cos(q), std::sin(q), 0.0);
  const V along(std::cos(p), std::sin(p), 0.0);
  const V B = pin + along;
  // the crank's centre of mass on its pivot, the rod's on the slider: (1 qd^2 + 1 xd^2 + 2 pd^2) /
  // 2
  const BodyIndex crank = add_plate(m, "crank", 1.0, 1.0, at_point(V::Zero()), V::Zero());
  const BodyIndex rod = add_plate(m, "rod", 1.0, 2.0, at_point(B), V::Zero());
  add_hinge(m, "crank_pin", kGround, crank, V::Zero());
  add_hinge(m, "rod_pin", crank, rod, pin);
  Constraint guide;
  guide.name = "guide";
  guide.type = ConstraintType::point_in_plane;
  guide.a = marker_at(m, kGround, make_frame(V::Zero(), V::UnitY()));
  guide.b = marker_at(m, rod, B);
  m.constraints.push_back(guide);
  add_spring(m, "spring", crank, rod, 0.5 * pin, 0.5 * (pin + B), 1.0, 1.0, 1.0);
  // power F (xd - sin p pd): a force along x one rod's length beyond the slider
  AppliedLoad force;
  force.name = "force";
  force.at = marker_at(m, rod, B + along);
  force.direction = V::UnitX();
  force.input = add_input(m, "size", Curve::constant(1.0));
  m.loads.push_back(force);
  return m;
}

Mechanism make_heavy_top() {
  Mechanism m;
  m.name = "heavy top";
  const BodyIndex top =
      add_body(m, "top", 15.0, Frame{}, diagonal(0.234375, 0.46875, 0.234375), V(0, 1, 0));
  add_joint(m, "ball", JointType::spherical, kGround, top, Frame{});
  last_joint(m).velocity = {0.0, 150.0, -4.61538};
  return m;
}

Mechanism make_free_body() {
  Mechanism m;
  m.name = "free body";
  m.gravity.setZero();
  const BodyIndex body = add_body(m, "body", 1.0, Frame{}, diagonal(3.0, 2.0, 1.0));
  add_joint(m, "flight", JointType::free, kGround, body, Frame{});
  last_joint(m).velocity = {0.0, 0.0, 0.0, 2.0, 0.5, 0.3};
  return m;
}

Mechanism make_spatial_slider_crank() {
  Mechanism m;
  m.name = "spatial slider-crank";
  const V A(0.0, 0.1, 0.12);
  const V B = A + V(0.0, 0.0, 0.08);
  const V C(std::sqrt(0.3 * 0.3 - B.squaredNorm()), 0.0, 0.0);
  // crank and slider turn about no other axis than x, so of their inertias only Jxx of the crank
  // matters
  const BodyIndex crank =
      add_body(m, "crank", 0.12, at_point(A), diagonal(1e-4, 1e-4, 1e-5), V(0.0, 0.0, 0.04));
  Frame X = make_frame(0.5 * (B + C), V(C - B).cross(V::UnitX()), C - B);
  const BodyIndex rod = add_body(m, "rod", 0.5, X, diagonal(4e-4, 4e-3, 4e-3));
  const BodyIndex slider = add_body(m, "slider", 2.0, at_point(C), diagonal(1e-4, 1e-4, 1e-4));
  add_joint(m, "crank_pin", JointType::revolute, kGround, crank, make_frame(A, V::UnitX()));
  last_joint(m).velocity = {6.0};
  last_joint(m).held = true;
  add_joint(m, "ball", JointType::spherical, crank, rod, at_point(B));
  // one axis of the cross is x of the slider, the other one fixed in the rod, across it and across
  // x
  add_joint(m, "rod_slider", JointType::universal, slider, rod,
            make_frame(C, V::UnitX(), V(C - B).cross(V::UnitX())));
  add_joint(m, "guide", JointType::prismatic, kGround, slider, make_frame(C, V::UnitX()));
  return m;
}

Mechanism make_rssr(Coupler coupler) {
  Mechanism m;
  m.name = "RSSR four-bar";
  // axes skew by a right angle, the crank turns fully (lengths 0.2, 0.9, 0.5, frame 0.86)
  const V O(0, 0, 0), P(0, 0, 0.2), S(0.7, 0.3, 0.5), R(0.7, 0.3, 0.0);
  const BodyIndex crank = add_rod(m, "crank", 1.0, O, P);
  const BodyIndex rocker = add_rod(m, "rocker", 2.0, R, S);
  add_joint(m, "crank_pin", JointType::revolute, kGround, crank, make_frame(O, V::UnitX()));
  last_joint(m).velocity = {6.0};
  last_joint(m).held = true;
  add_joint(m, "rocker_pin", JointType::revolute, kGround, rocker, make_frame(R, V::UnitY()));
  if (coupler == Coupler::massless) {
    add_massless_rod(m, "coupler", crank, rocker, P, S);
  } else {
    const double L = (S - P).norm();
    Frame X = make_frame(0.5 * (P + S), V(S - P).cross(V::UnitY()), S - P);
    const BodyIndex link = add_body(m, "coupler", 1.5, X,
                                    diagonal(2e-3, 1.5 * L * L / 12.0, 1.5 * L * L / 12.0 + 2e-3));
    add_joint(m, "ball_P", JointType::spherical, crank, link, at_point(P));
    add_joint(m, "ball_S", JointType::spherical, link, rocker, at_point(S));
  }
  return m;
}

Mechanism make_universal_pendulum() {
  Mechanism m;
  m.name = "universal and revolute pendulum";
  const V O(0, 0, 0), P(0, 0, -1.0), S(0.2, 0.4, -1.6);
  const BodyIndex first = add_body(m, "upper", 2.0, at_point(0.5 * P), diagonal(0.2, 0.18, 0.05));
  const BodyIndex second =
      add_body(m, "lower", 1.0, at_point(0.5 * (P + S)), diagonal(0.05, 0.06, 0.03));
  add_joint(m, "shoulder", JointType::universal, kGround, first,
            make_frame(O, V::UnitX(), V::UnitY()));
  last_joint(m).position = {0.4, -0.3};
  last_joint(m).velocity = {1.0, 2.0};
  add_joint(m, "elbow", JointType::revolute, first, second, make_frame(P, V(0.2, 1.0, 0.3)));
  last_joint(m).position = {0.5};
  last_joint(m).velocity = {-1.0};
  return m;
}

Eigen::Vector3d puma_hand() { return {0.0, 0.0, 0.05625}; }

Mechanism make_puma(const std::vector<double>& q, const std::vector<double>& qd) {
  // standard Denavit-Hartenberg frames and the inertias of Corke and Armstrong-Helouvry; link 1 has
  // a mass of its own, which the joint dynamics do not feel
  struct Link {
    double d, a, alpha, mass;
    V com, J;
  };
  const double turn = 0.5 * pi;
  // The published inertia of link 3 is that of no body (0.066 + 0.0125 < 0.086). Links 2 and 3 have
  // the same angular velocity across their joint's axis, z of link 2 and -y of link 3: what is
  // moved between them there changes nothing but the moments across the joint.
  constexpr double moved = 0.004;
  const std::vector<Link> links{
      {0.672, 0.0, turn, 13.0, {0, 0, 0}, {0.3, 0.35, 0.3}},
      {0.0, 0.4318, 0.0, 17.4, {-0.3638, 0.006, 0.2275}, {0.13 - moved, 0.524 - moved, 0.539}},
      {0.15005,
       0.0203,
       -turn,
       4.8,
       {-0.0203, -0.0141, 0.07},
       {0.066 + moved, 0.086, 0.0125 + moved}},
      {0.4318, 0.0, turn, 0.82, {0, 0.019, 0}, {0.0018, 0.0013, 0.0018}},
      {0.0, 0.0, -turn, 0.34, {0, 0, 0}, {0.0003, 0.0004, 0.0003}},
      {0.0, 0.0, 0.0, 0.09, {0, 0, 0.032}, {0.00015, 0.00015, 4e-5}},
  };
  Mechanism m;
  m.name = "PUMA 560";
  Frame X_WP;
  BodyIndex inboard = kGround;
  for (std::size_t k = 0; k < links.size(); ++k) {
    const Link& link = links[k];
    // Tz(d) Tx(a) Rx(alpha) from the joint's frame to the link's
    Frame X_JB;
    X_JB.A = Eigen::AngleAxisd(link.alpha, V::UnitX()).toRotationMatrix();
    X_JB.p = V(link.a, 0.0, link.d);
    const Frame X_WB = X_WP * X_JB;
    const std::string number = std::to_string(k + 1);
    const BodyIndex body =
        add_body(m, "link" + number, link.mass, X_WB, link.J.asDiagonal(), link.com);
    add_joint(m, "joint" + number, JointType::revolute, inboard, body, X_WP, Placement::tree);
    last_joint(m).position = {q.at(k)};
    last_joint(m).velocity = {qd.at(k)};
    X_WP = X_WB;
    inboard = body;
  }
  Marker hand;
  hand.name = "hand";
  hand.body = inboard;
  hand.X_BF.p = puma_hand();
  m.markers.push_back(hand);
  return m;
}

Mechanism make_governor() {
  constexpr double density = 3000.0, rod_mass = density * 1.0 * 0.01 * 0.01;
  const double dip = pi / 6.0;
  Mechanism m;
  m.name = "flyball governor";
  const BodyIndex shaft = add_body(m, "shaft", rod_mass, at_point(V(0, 0, 0.5)),
                                   block_inertia(rod_mass, 0.01, 0.01, 1.0));
  const double slider_mass = density * 1e-3;
  const BodyIndex slider = add_body(m, "slider", slider_mass, at_point(V(0, 0, 0.5)),
                                    block_inertia(slider_mass, 0.1, 0.1, 0.1));
  add_joint(m, "shaft_pin", JointType::revolute, kGround, shaft, Frame{});
  last_joint(m).velocity = {2.0 * pi};
  add_joint(m, "guide", JointType::prismatic, shaft, slider, at_point(V(0, 0, 0.5)));
  for (const double side : {1.0, -1.0}) {
    const std::string number = side > 0.0 ? "0" : "1";
    const V pivot(side * 0.05, 0.0, 1.0);
    const V along(side * std::cos(dip), 0.0, -std::sin(dip));
    // rod and ball as one body whose frame stands in the pivot
    const Frame X = make_frame(pivot, V(along.cross(V::UnitY())), along);
    const double ball = 5.0;
    const double mass = rod_mass + ball;
    const double com = (rod_mass * 0.5 + ball * 1.0) / mass;
    Eigen::Matrix3d J = block_inertia(rod_mass, 1.0, 0.01, 0.01);
    const double offsets = rod_mass * (com - 0.5) * (com - 0.5) + ball * (1.0 - com) * (1.0 - com);
    J(1, 1) += offsets;
    J(2, 2) += offsets;
    const BodyIndex rod = add_body(m, "rod" + number, mass, X, J, V(com, 0, 0));
    add_joint(m, "rod_pin" + number, JointType::revolute, shaft, rod,
              make_frame(pivot, V::UnitY()));
    add_spring(m, "coupler" + number, slider, rod, V(side * 0.05, 0.0, 0.5), pivot + 0.5 * along,
               4e3, 0.5, 2e2);
  }
  return m;
}

Mechanism make_multilink() {
  const V UAF(.060, .547, .082), UAB(-.157, .508, .062), UAU(.056, .864, .151),
      LATC(.036, .338, -.133), LATU(.029, .842, -.093), TLC(.723, .599, -.072), TLU(0, .864, -.156),
      TRC(-.257, .320, -.116), TRU(-.144, .862, -.056), SPC(.181, .641, .110),
      SPL(.181, .669, -.164), SHC(.171, .628, .315), SHL(.181, .669, -.162), wheel(0, .95, 0);
  Mechanism m;
  m.name = "multilink suspension";
  const auto body = [&](const std::string& name, double mass, const V& com, const V& J) {
    return add_body(m, name, mass, at_point(com), J.asDiagonal());
  };
  const BodyIndex upright = body("upright", 3.201, V(0, .91, 0), V(.025, .00653, .0284));
  const BodyIndex upper = body("upper_arm", 4.744, V(-.014, .64, .098), V(.0237, .0294, .00612));
  const BodyIndex lateral = body("lateral", 1.910, V(.033, .59, -.113), V(.0543, .0541, .000279));
  const BodyIndex trailing = body("trailing", 15.204, V(.279, .693, -.132), V(.0762, .527, .567));
  const BodyIndex spindle = body("spindle", 1.103, wheel, V(.0833, .166, .0833));
  add_joint(m, "UA", JointType::revolute, kGround, upper, make_frame(0.5 * (UAF + UAB), UAF - UAB));
  add_joint(m, "UAU", JointType::spherical, upper, upright, at_point(UAU));
  // universal joints: z fixed in the chassis, x in the link
  add_joint(m, "LATC", JointType::universal, kGround, lateral,
            make_frame(LATC, V(-.02199, -.105472, .994179), V(-.97895, .204099, 0)));
  add_joint(m, "LATU", JointType::spherical, lateral, upright, at_point(LATU));
  add_joint(m, "TLC", JointType::universal, kGround, trailing,
            make_frame(TLC, V(-.272, .962, 0), V(0, 0, 1)));
  add_joint(m, "TLU", JointType::spherical, trailing, upright, at_point(TLU));
  add_massless_rod(m, "tierod", kGround, upright, TRC, TRU);
  add_joint(m, "hub", JointType::revolute, upright, spindle, make_frame(wheel, V::UnitY()));
  add_spring(m, "spring", kGround, trailing, SPC, SPL, 120000.0, 0.339, 0.0);
  add_spring(m, "shock", kGround, trailing, SHC, SHL, 0.0, 0.0, 12000.0);
  AppliedLoad load;
  load.name = "load";
  load.at = marker_at(m, spindle, wheel);
  load.direction = V::UnitZ();
  load.input = add_input(m, "size", Curve::constant(4000.0));
  m.loads.push_back(load);
  return m;
}

}  // namespace semirec::test
