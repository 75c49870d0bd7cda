#include "topology/principal_axes.hpp"

#include <Eigen/Eigenvalues>

namespace semirec {

PrincipalAxes find_principal_axes(const Eigen::Matrix3d& J) {
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(J);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

}  // namespace semirec
