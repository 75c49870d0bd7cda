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

}  // namespace semirec
