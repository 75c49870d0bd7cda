#pragma once

#include <Eigen/Core>

#include "recursive/spatial.hpp"

namespace semirec {

/// Euler parameters e = (e_0, e_v) of a body frame B in the world W, |e| = 1. All functions here
/// are polynomials in e, so that derivatives are exact where |e| is not quite one, too.
using EulerParameters = Eigen::Vector4d;
using Matrix34 = Eigen::Matrix<double, 3, 4>;

/// The symmetric bilinear form A(e, f) with A(e, e) = A_WB, [EP] section 2:
///   A = (e_0 f_0 - e_v . f_v) I + e_v f_v^T + f_v e_v^T + e_0 tilde(f_v) + f_0 tilde(e_v).
/// It is |e|^2 times a rotation on its diagonal. Rates: Ad = 2 A(e, ed), Add = 2 A(e, edd) + 2
/// A(ed, ed).
inline Eigen::Matrix3d rotation_form(const EulerParameters& e, const EulerParameters& f) {
  const Eigen::Vector3d e_v = e.tail<3>();
  const Eigen::Vector3d f_v = f.tail<3>();
  Eigen::Matrix3d A = e_v * f_v.transpose() + f_v * e_v.transpose();
  A.diagonal().array() += e[0] * f[0] - e_v.dot(f_v);
  A += tilde(e[0] * f_v + f[0] * e_v);
  return A;
}

/// G(e) = [-e_v, e_0 I + tilde(e_v)]: angular velocity in world axes w = 2 G ed.
inline Matrix34 world_rates(const EulerParameters& e) {
  Matrix34 G;
  G.col(0) = -e.tail<3>();
  G.rightCols<3>() = tilde(e.tail<3>());
  G.rightCols<3>().diagonal().array() += e[0];
  return G;
}

/// L(e) = [-e_v, e_0 I - tilde(e_v)]: angular velocity in body axes w_B = 2 L ed, and wd_B = 2 L
/// edd. L e = 0 and L L^T = |e|^2 I.
inline Matrix34 body_rates(const EulerParameters& e) {
  Matrix34 L;
  L.col(0) = -e.tail<3>();
  L.rightCols<3>() = -tilde(e.tail<3>());
  L.rightCols<3>().diagonal().array() += e[0];
  return L;
}

/// d(L(e)^T y)/de.
inline Eigen::Matrix4d body_rates_form(const Eigen::Vector3d& y) {
  Eigen::Matrix4d N;
  N(0, 0) = 0.0;
  N.block<1, 3>(0, 1) = -y.transpose();
  N.block<3, 1>(1, 0) = y;
  N.block<3, 3>(1, 1) = -tilde(y);
  return N;
}

/// d(G(e)^T y)/de.
inline Eigen::Matrix4d world_rates_form(const Eigen::Vector3d& y) {
  Eigen::Matrix4d N;
  N(0, 0) = 0.0;
  N.block<1, 3>(0, 1) = -y.transpose();
  N.block<3, 1>(1, 0) = y;
  N.block<3, 3>(1, 1) = tilde(y);
  return N;
}

/// B(e, x) = d(A(e) x)/de, 3 x 4, for a place or direction x in body axes.
inline Matrix34 turned_derivative(const EulerParameters& e, const Eigen::Vector3d& x) {
  const Eigen::Vector3d e_v = e.tail<3>();
  Matrix34 B;
  B.col(0) = 2.0 * (e[0] * x + e_v.cross(x));
  B.rightCols<3>() = 2.0 * (e_v.dot(x) * Eigen::Matrix3d::Identity() + e_v * x.transpose() -
                            x * e_v.transpose() - e[0] * tilde(x));
  return B;
}

/// The symmetric 4 x 4 matrix S with g . (A(e) x) = e^T S e, so that B(e, x)^T g = 2 S e and 2 S is
/// the second derivative.
inline Eigen::Matrix4d turned_form(const Eigen::Vector3d& x, const Eigen::Vector3d& g) {
  Eigen::Matrix4d S;
  const double along = x.dot(g);
  S(0, 0) = along;
  S.block<3, 1>(1, 0) = x.cross(g);
  S.block<1, 3>(0, 1) = S.block<3, 1>(1, 0).transpose();
  S.block<3, 3>(1, 1) = x * g.transpose() + g * x.transpose();
  S.block<3, 3>(1, 1).diagonal().array() -= along;
  return S;
}

/// B(e, x)^T g.
inline EulerParameters turned_gradient(const EulerParameters& e, const Eigen::Vector3d& x,
                                       const Eigen::Vector3d& g) {
  const Eigen::Vector3d e_v = e.tail<3>();
  const Eigen::Vector3d xg = x.cross(g);
  const double along = x.dot(g);
  EulerParameters result;
  result[0] = 2.0 * (e[0] * along + xg.dot(e_v));
  result.tail<3>() = 2.0 * (e[0] * xg - along * e_v + e_v.dot(x) * g + e_v.dot(g) * x);
  return result;
}

/// Euler parameters of a rotation, the larger of the two signs of their largest entry. The rotation
/// may carry round-off.
EulerParameters euler_parameters_of(const Eigen::Matrix3d& A);

}  // namespace semirec
