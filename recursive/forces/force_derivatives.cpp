#include "recursive/forces/force_derivatives.hpp"

#include <algorithm>

#include "recursive/forces/force_sink.hpp"
#include "topology/indices.hpp"

namespace semirec {

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Matrix36 = Eigen::Matrix<double, 3, 6>;

/// Derivative of the line (u; p x u) for a unit vector that turns with du and a point that moves
/// with dp.
Matrix6 line_derivative(const Vector3d& u, const Vector3d& p, const Matrix36& du,
                        const Matrix36& dp) {
  Matrix6 N;
  N.topRows<3>() = du;
  N.bottomRows<3>() = tilde(p) * du - tilde(u) * dp;
  return N;
}

}  // namespace

Matrix36 point_velocity(const Vector3d& r) {
  Matrix36 P;
  P.leftCols<3>().setIdentity();
  P.rightCols<3>() = -tilde(r);
  return P;
}

LineTurning axis_turning(const Vector6& line, const Vector3d& point, bool axis_on_b) {
  LineTurning turning;
  const Vector3d u = line.head<3>();
  Matrix36 du = Matrix36::Zero();
  if (u.isZero(0.0)) {  // a torque: (0; axis)
    (axis_on_b ? turning.by_b : turning.by_a).bottomRightCorner<3, 3>() = -tilde(line.tail<3>());
    return turning;
  }
  const Matrix36 dp = point_velocity(point);
  const Matrix36 none = Matrix36::Zero();
  du.rightCols<3>() = -tilde(u);
  turning.by_a = line_derivative(u, point, axis_on_b ? none : du, none);
  turning.by_b = line_derivative(u, point, axis_on_b ? du : none, dp);
  return turning;
}

LineTurning distance_turning(const Vector6& line, const Vector3d& r_a, const Vector3d& r_b,
                             double length) {
  LineTurning turning;
  if (!(length > 0.0)) return turning;
  const Vector3d u = line.head<3>();
  const Matrix3d across = (Matrix3d::Identity() - u * u.transpose()) / length;
  const Matrix36 P_b = point_velocity(r_b);
  turning.by_a = line_derivative(u, r_b, -(across * point_velocity(r_a)), Matrix36::Zero());
  turning.by_b = line_derivative(u, r_b, across * P_b, P_b);
  return turning;
}

ForceDerivatives::ForceDerivatives(const TreeModel& model, const ForceElements& elements)
    : couplings(model.connections.size()),
      K(model.bodies.size(), Matrix6::Zero()),
      loaded(model.bodies.size(), 0),
      F(model.bodies.size(), Vector6::Zero()) {
  for (const auto& element : elements)
    if (const auto* derivable = dynamic_cast<const DerivableForce*>(element.get()))
      elements_.push_back({element.get(), derivable});
}

void ForceDerivatives::compute(const TreeModel& model, const TreeWorkspace& ws) {
  model_ = &model;
  ws_ = &ws;
  set_zero();
  for (const auto& [element, derivable] : elements_)
    derivable->add_derivatives(input_of(*element, model, ws), *this);
}

void ForceDerivatives::set_zero() {
  for (Coupling& coupling : couplings)
    if (coupling.any) coupling = Coupling{};
  for (Vector6& wrench : F) wrench.setZero();
  for (std::size_t t = 0; t < K.size(); ++t) {
    if (loaded[t] == 0) continue;
    K[t].setZero();
    loaded[t] = 0;
  }
}

void ForceDerivatives::add_coupling(int connection, const Vector6& wrench,
                                    const Coupling& coupling) {
  const Connection& c = model_->connections[at(connection)];
  F[at(c.path.b)] -= wrench;
  F[at(c.path.a)] += wrench;
  Coupling& sum = couplings[at(connection)];
  sum.any = true;
  sum.K_a += coupling.K_a;
  sum.K_b += coupling.K_b;
  sum.C += coupling.C;
  sum.C_known += coupling.C_known;
}

void ForceDerivatives::add_line_force(const ForceInput& in, int connection, const Vector6& line,
                                      double tension, double stiffness, double damping,
                                      const LineTurning& turning) {
  const Connection& c = model_->connections[at(connection)];
  const Vector6 Z = in.relative_velocity(c.path.a, c.path.b);
  // F_b = T(length, rate) line, d(length) = line . (displacement of b - of a), rate = line . Z
  Coupling coupling;
  Matrix6 by_line = (damping * line) * Z.transpose();
  by_line.diagonal().array() += tension;
  const Matrix6 along = line * line.transpose();
  coupling.K_a.noalias() = by_line * turning.by_a;
  coupling.K_b.noalias() = by_line * turning.by_b;
  if (stiffness < 0.0) {
    coupling.K_a -= stiffness * along;
    coupling.K_b += stiffness * along;
  }
  coupling.C = damping * along;
  coupling.C_known = std::max(damping, 0.0) * along;
  add_coupling(connection, -tension * line, coupling);
}

void ForceDerivatives::add_coordinate_force(const ForceInput& in, int coordinate, double force,
                                            double stiffness, double damping) {
  const MeasuredCoordinate& measured = model_->measured[at(coordinate)];
  const Vector6 line = coordinate_line(measured, *ws_);
  const Eigen::Vector3d point = in.position_of({measured.body_b, measured.b});
  const LineTurning turning = axis_turning(line, point, measured.axis_on_b);
  add_line_force(in, measured.connection, line, -force, stiffness, damping, turning);
}

void ForceDerivatives::add_load(TreeIndex body, const Vector6& wrench,
                                const Matrix6& by_displacement) {
  F[at(body)] -= wrench;
  K[at(body)] -= by_displacement;
  loaded[at(body)] = 1;
}

}  // namespace semirec
