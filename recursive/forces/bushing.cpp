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
  m.deflection = make_six(A_a.transpose() * (m.point - in.position_of(a_)),
                          rotation_log(A_a.transpose() * A_b));
  m.rate = make_six(A_a.transpose() * velocity_at(Z, m.point), A_a.transpose() * Z.tail<3>());
  return m;
}

/// e = e_hat + gain (ed_hat + (d - e)/T), solved for e: what crept by the rule of the scheme.
Vector6 BushingForce::creep(const ForceInput& in, const Vector6& deflection) const {
  if (in.resting()) return deflection;
  const double part = in.gain() / bushing_.relaxation_time;
  Vector6 e;
  for (int k = 0; k < 6; ++k)
    e[k] = (in.x_hat(k) + in.gain() * in.xd_hat(k) + part * deflection[k]) / (1.0 + part);
  return e;
}

BushingForce::Law BushingForce::evaluate(const ForceInput& in, const Measure& m) const {
  Law law;
  law.stiffness = bushing_.stiffness;
  law.load = -law.stiffness.cwiseProduct(m.deflection) - bushing_.damping.cwiseProduct(m.rate);
  law.crept.setZero();
  if (!bushing_.relaxes()) return law;
  law.crept = creep(in, m.deflection);
  law.load -= bushing_.relaxing_stiffness.cwiseProduct(m.deflection - law.crept);
  const double left = in.resting() ? 0.0 : 1.0 / (1.0 + in.gain() / bushing_.relaxation_time);
  law.stiffness += left * bushing_.relaxing_stiffness;  // 1 - de/dd
  return law;
}

void BushingForce::update_states(const ForceInput& in, StateSink& out) const {
  if (!bushing_.relaxes()) return;
  const Vector6 deflection = measure(in).deflection;
  const Vector6 e = creep(in, deflection);
  for (int k = 0; k < 6; ++k) {
    out.set_x(k, e[k]);
    out.set_xd(k, (deflection[k] - e[k]) / bushing_.relaxation_time);
  }
}

void BushingForce::settle_states(const ForceInput& in, StateSink& out) const {
  if (!bushing_.relaxes()) return;
  const Vector6 deflection = measure(in).deflection;
  for (int k = 0; k < 6; ++k) out.set_x(k, deflection[k]);
}

std::string BushingForce::state_name(int k) const {
  static constexpr const char* kNames[] = {"x", "y", "z", "turn_x", "turn_y", "turn_z"};
  return name() + ".crept_" + kNames[k];
}

void BushingForce::add_forces(const ForceInput& in, ForceSink& out) const {
  const Measure m = measure(in);
  const Law law = evaluate(in, m);
  if (bushing_.relaxes())
    for (int k = 0; k < state_count(); ++k) out.set_x(k, law.crept[k]);
  const Vector6 load = law.load - in.weights().lead * law.stiffness.cwiseProduct(m.rate);
  const Eigen::Vector3d force_W = m.axes * load.head<3>();
  const Vector6 wrench = make_six(force_W, m.axes * load.tail<3>() + m.point.cross(force_W));
  out.add_wrench(b_.body, wrench);
  out.add_wrench(a_.body, -wrench);

  // G = X^T diag(G_l, G_r) X with X the velocity of the point from the field about O
  const Vector6 g =
      in.weights().stiffness * law.stiffness + in.weights().damping * bushing_.damping;
  const Eigen::Matrix3d G_l = m.axes * g.head<3>().asDiagonal() * m.axes.transpose();
  const Eigen::Matrix3d G_r = m.axes * g.tail<3>().asDiagonal() * m.axes.transpose();
  // [G_l, -G_l arm; arm G_l, G_r - arm G_l arm] with arm = tilde(point)
  Eigen::Matrix3d moment;
  Eigen::Matrix3d about_origin;
  for (int k = 0; k < 3; ++k) moment.col(k) = m.point.cross(G_l.col(k));
  for (int k = 0; k < 3; ++k) about_origin.col(k) = m.point.cross(moment.row(k).transpose());
  Matrix6 G;
  G.topLeftCorner<3, 3>() = G_l;
  G.topRightCorner<3, 3>() = moment.transpose();
  G.bottomLeftCorner<3, 3>() = moment;
  G.bottomRightCorner<3, 3>() = G_r + about_origin;
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
  const Law law = evaluate(in, m);
  const auto about_axes = [&](const Eigen::Vector3d& d) -> Matrix3d {
    return m.axes * d.asDiagonal() * m.axes.transpose();
  };
  const Matrix3d K_r = about_axes(law.stiffness.tail<3>());
  const Matrix3d C_l = about_axes(bushing_.damping.head<3>());
  const Matrix3d C_r = about_axes(bushing_.damping.tail<3>());
  const Eigen::Vector3d v = m.axes * m.rate.head<3>();
  const Eigen::Vector3d w = m.axes * m.rate.tail<3>();
  const Eigen::Vector3d force = m.axes * law.load.head<3>();
  const Eigen::Vector3d torque = m.axes * law.load.tail<3>();
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
  const Matrix3d rest =
      K_r * (m.axes * turn_rate(m.deflection.tail<3>()) * m.axes.transpose()) - K_r;
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
  Vector6 load =
      -bushing_.stiffness.cwiseProduct(m.deflection) - bushing_.damping.cwiseProduct(m.rate);
  ForcePower power;
  power.stored = 0.5 * bushing_.stiffness.dot(m.deflection.cwiseAbs2());
  power.dissipated = bushing_.damping.dot(m.rate.cwiseAbs2());
  if (bushing_.relaxes()) {
    Vector6 behind;
    for (int k = 0; k < 6; ++k) behind[k] = m.deflection[k] - in.x(k);
    const auto& k_r = bushing_.relaxing_stiffness;
    load -= k_r.cwiseProduct(behind);
    power.stored += 0.5 * k_r.dot(behind.cwiseAbs2());
    power.dissipated += k_r.dot(behind.cwiseAbs2()) / bushing_.relaxation_time;
  }
  if (values != nullptr) {
    for (int i = 0; i < 3; ++i) {
      values[i] = m.deflection[i];
      values[3 + i] = load[i];
    }
  }
  return power;
}

Eigen::Vector3d BushingForce::part_turn(const ForceInput& in) const {
  return measure(in).deflection.tail<3>();
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
