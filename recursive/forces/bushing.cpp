#include <cmath>

#include "recursive/forces/standard_forces.hpp"
#include "recursive/kinematics.hpp"

namespace semirec {

void BushingForce::bind(const Mechanism& /*mechanism*/, TreeModel& model) {
  a_ = model.attach(bushing_.a);
  b_ = model.attach(bushing_.b);
  connection_ = model.connect(bushing_.a.body, bushing_.b.body);
}

BushingForce::Measure BushingForce::measure(const ForceInput& in) const {
  const Eigen::Matrix3d A_a = in.axes_of(a_);
  const Eigen::Matrix3d A_b = in.axes_of(b_);
  const Vector6 Z = in.relative_velocity(a_.body, b_.body);
  Measure m;
  m.axes = A_a;
  m.point = in.position_of(b_);
  m.offset = A_a.transpose() * (m.point - in.position_of(a_));
  m.turn = rotation_log(A_a.transpose() * A_b);
  m.velocity = A_a.transpose() * velocity_at(Z, m.point);
  m.spin = A_a.transpose() * Z.tail<3>();
  return m;
}

void BushingForce::add_forces(const ForceInput& in, ForceSink& out) const {
  const Measure m = measure(in);
  const auto& k = bushing_.stiffness;
  const auto& c = bushing_.damping;
  const double lead = in.weights().lead;
  const Eigen::Vector3d force = -k.head<3>().cwiseProduct(m.offset + lead * m.velocity) -
                                c.head<3>().cwiseProduct(m.velocity);
  const Eigen::Vector3d torque =
      -k.tail<3>().cwiseProduct(m.turn + lead * m.spin) - c.tail<3>().cwiseProduct(m.spin);
  const Eigen::Vector3d force_W = m.axes * force;
  const Vector6 wrench = make_six(force_W, m.axes * torque + m.point.cross(force_W));
  out.add_wrench(b_.body, wrench);
  out.add_wrench(a_.body, -wrench);

  // G = X^T diag(G_l, G_r) X with X the velocity of the point from the field about O
  const Vector6 g = in.weights().stiffness * k + in.weights().damping * c;
  const Eigen::Matrix3d G_l = m.axes * g.head<3>().asDiagonal() * m.axes.transpose();
  const Eigen::Matrix3d G_r = m.axes * g.tail<3>().asDiagonal() * m.axes.transpose();
  const Eigen::Matrix3d arm = tilde(m.point);
  Matrix6 G;
  G.topLeftCorner<3, 3>() = G_l;
  G.topRightCorner<3, 3>() = -G_l * arm;
  G.bottomLeftCorner<3, 3>() = arm * G_l;
  G.bottomRightCorner<3, 3>() = G_r - arm * G_l * arm;
  out.add_six_axis_tangent(connection_, G);
}

namespace {

/// How a rotation vector changes with a small rotation before it, in the same axes:
///   I - tilde/2 + (1/t^2 - (1 + cos t)/(2 t sin t)) tilde^2,  t its length.
Eigen::Matrix3d turn_rate(const Eigen::Vector3d& turn) {
  const double t = turn.norm();
  // the series near zero; its next term is t^4/30240
  const double factor = t < 1e-2 ? 1.0 / 12.0 + t * t / 720.0
                                 : 1.0 / (t * t) - (1.0 + std::cos(t)) / (2.0 * t * std::sin(t));
  const Eigen::Matrix3d T = tilde(turn);
  return Eigen::Matrix3d::Identity() - 0.5 * T + factor * (T * T);
}

}  // namespace

void BushingForce::add_derivatives(const ForceInput& in, ForceDerivatives& out) const {
  using Eigen::Matrix3d;
  const Measure m = measure(in);
  const auto about_axes = [&](const Eigen::Vector3d& d) -> Matrix3d {
    return m.axes * d.asDiagonal() * m.axes.transpose();
  };
  const Matrix3d K_r = about_axes(bushing_.stiffness.tail<3>());
  const Matrix3d C_l = about_axes(bushing_.damping.head<3>());
  const Matrix3d C_r = about_axes(bushing_.damping.tail<3>());
  const Eigen::Vector3d v = m.axes * m.velocity;
  const Eigen::Vector3d w = m.axes * m.spin;
  const Eigen::Vector3d force =
      -(about_axes(bushing_.stiffness.head<3>()) * (m.axes * m.offset)) - C_l * v;
  const Eigen::Vector3d torque = -(K_r * (m.axes * m.turn)) - C_r * w;
  const auto P = point_velocity(m.point);
  const Matrix3d arm = tilde(m.point);

  ForceDerivatives::Coupling c;
  // the damper's velocity changes as its point moves in the field of the relative motion
  c.K_b.topRows<3>() = C_l * tilde(w) * P;
  c.K_b.bottomRows<3>() = arm * c.K_b.topRows<3>() + tilde(force) * P;
  // the law turns with a
  const Matrix3d turned = tilde(force) + C_l * tilde(v);
  c.K_a.topRightCorner<3, 3>() = turned;
  c.K_a.bottomRightCorner<3, 3>() = arm * turned + tilde(torque) + C_r * tilde(w);
  // a rotation vector is not the rotation
  const Matrix3d rest = K_r * (m.axes * turn_rate(m.turn) * m.axes.transpose()) - K_r;
  c.K_b.bottomRightCorner<3, 3>() += rest;
  c.K_a.bottomRightCorner<3, 3>() -= rest;
  c.C.topRows<3>() = C_l * P;
  c.C.bottomRows<3>() = arm * c.C.topRows<3>();
  c.C.bottomRightCorner<3, 3>() += C_r;
  c.C_known = c.C;
  out.add_coupling(connection_, make_six(force, torque + m.point.cross(force)), c);
}

ForcePower BushingForce::report(const ForceInput& in, double* values) const {
  const Measure m = measure(in);
  const auto& k = bushing_.stiffness;
  const auto& c = bushing_.damping;
  if (values != nullptr) {
    for (int i = 0; i < 3; ++i) {
      values[i] = m.offset[i];
      values[3 + i] = -k[i] * m.offset[i] - c[i] * m.velocity[i];
    }
  }
  ForcePower power;
  power.stored =
      0.5 * (k.head<3>().dot(m.offset.cwiseAbs2()) + k.tail<3>().dot(m.turn.cwiseAbs2()));
  power.dissipated = c.head<3>().dot(m.velocity.cwiseAbs2()) + c.tail<3>().dot(m.spin.cwiseAbs2());
  return power;
}

std::vector<Channel> BushingForce::channels() const {
  return {{name() + ".dx", "m"}, {name() + ".dy", "m"}, {name() + ".dz", "m"},
          {name() + ".fx", "N"}, {name() + ".fy", "N"}, {name() + ".fz", "N"}};
}

bool BushingForce::add_reported_bodies(std::vector<TreeIndex>& bodies) const {
  bodies.insert(bodies.end(), {a_.body, b_.body});
  return true;
}

}  // namespace semirec
