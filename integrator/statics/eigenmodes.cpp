#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>

#include "integrator/statics/linearization.hpp"
#include "topology/largest_magnitude.hpp"

namespace semirec {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Powers of two that make rows and columns of D^-1 A D alike in size (Parlett and Reinsch).
VectorXd balance(MatrixXd& A) {
  VectorXd D = VectorXd::Ones(A.rows());
  for (bool more = true; more;) {
    more = false;
    for (Index k = 0; k < A.rows(); ++k) {
      double column = A.col(k).cwiseAbs().sum() - std::abs(A(k, k));
      double row = A.row(k).cwiseAbs().sum() - std::abs(A(k, k));
      if (!(column > 0.0) || !(row > 0.0)) continue;
      const double before = column + row;
      double f = 1.0;
      for (; column < 0.5 * row; column *= 4.0) f *= 2.0;
      for (; column > 2.0 * row; column *= 0.25) f *= 0.5;
      if ((column + row) / f >= 0.95 * before) continue;
      D[k] *= f;
      A.col(k) *= f;
      A.row(k) /= f;
      more = true;
    }
  }
  return D;
}

/// Rows that pick each shape out. Shapes may be dependent (what moves freely at zero speed has one
/// for two states): the smallest rows then, which are those of all other shapes too.
Eigen::MatrixXcd invert(const Eigen::MatrixXcd& shapes) {
  const Eigen::FullPivLU<Eigen::MatrixXcd> lu(shapes);
  if (lu.isInvertible()) return lu.inverse();
  return shapes.completeOrthogonalDecomposition().pseudoInverse();
}

}  // namespace

double Eigenmode::damping_ratio() const {
  const double size = std::abs(value);
  return size > 0.0 ? -value.real() / size : 0.0;
}

std::vector<Eigenmode> find_eigenmodes(const MatrixXd& A) {
  std::vector<Eigenmode> modes;
  if (A.rows() == 0) return modes;
  MatrixXd balanced = A;
  const VectorXd D = balance(balanced);
  const Eigen::EigenSolver<MatrixXd> solver(balanced);
  const Eigen::MatrixXcd shapes = D.asDiagonal() * solver.eigenvectors();
  const Eigen::MatrixXcd left = invert(shapes);
  const double small = 1e-13 * largest_magnitude(balanced);
  for (Index k = 0; k < A.rows(); ++k) {
    const std::complex<double> value = solver.eigenvalues()[k];
    if (value.imag() < -small) continue;
    Eigenmode mode;
    mode.value = std::abs(value.imag()) <= small ? std::complex<double>(value.real(), 0.0) : value;
    mode.shape = shapes.col(k);
    Index largest = 0;
    mode.shape.cwiseAbs().maxCoeff(&largest);
    const std::complex<double> unit = mode.shape[largest];
    mode.shape /= unit;
    mode.left = left.row(k).transpose() * unit;
    modes.push_back(mode);
  }
  std::stable_sort(modes.begin(), modes.end(), [](const Eigenmode& a, const Eigenmode& b) {
    return std::abs(a.value) < std::abs(b.value);
  });
  return modes;
}

}  // namespace semirec
