#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <Eigen/Eigenvalues>

#include "integrator/statics/linearization.hpp"
#include "penalty/factors/least_squares.hpp"
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
///
/// Complex shapes come in conjugate pairs [v v'] = sqrt(2) [Re v, Im v] U with a unitary U, so that
/// the decomposition of a real matrix does, which is compiled already.
Eigen::MatrixXcd invert(const Eigen::MatrixXcd& shapes) {
  const Index n = shapes.rows();
  const auto is_real = [&](Index k) { return shapes.col(k).imag().isZero(0.0); };
  MatrixXd real = shapes.real();
  for (Index k = 0; k < n; ++k) {
    if (is_real(k)) continue;
    real.col(k) *= std::numbers::sqrt2;
    real.col(k + 1) = std::numbers::sqrt2 * shapes.col(k).imag();
    ++k;
  }
  OrthogonalDecomposition decomposition(n, n);
  decompose(real, static_cast<double>(n) * std::numeric_limits<double>::epsilon(), decomposition);
  const MatrixXd rows = pseudo_inverse(decomposition);
  Eigen::MatrixXcd left = rows.cast<std::complex<double>>();
  for (Index k = 0; k < n; ++k) {
    if (is_real(k)) continue;
    left.row(k).real() = rows.row(k) / std::numbers::sqrt2;
    left.row(k).imag() = -rows.row(k + 1) / std::numbers::sqrt2;
    left.row(k + 1) = left.row(k).conjugate();
    ++k;
  }
  return left;
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
