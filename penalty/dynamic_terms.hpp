#pragma once

#include <vector>

#include <Eigen/Core>

#include "recursive/row_block.hpp"

namespace semirec {

/// What a formulation hands to the penalty and the integrator at one evaluation, and all that the
/// penalty knows of it. Views into the workspace; n coordinates, m rows. A formulation that forms
/// no matrix leaves the tangent empty, and the slots of the blocks with it.
struct DynamicTerms {
  Eigen::VectorXd& residual;  ///< n  M zdd - Q
  std::vector<double>&
      tangent;                 ///< [slot] M + C + K, weighted by the scheme, in the model's pattern
  Eigen::VectorXd& Phi;        ///< m
  Eigen::VectorXd& Phid;       ///< m  Phi_z zd + Phi_t
  Eigen::VectorXd& Phidd;      ///< m  Phi_z zdd + Phid_z zd + Phid_t
  std::vector<double>& Phi_z;  ///< blocks, row-major
  const std::vector<RowBlock>& blocks;
  int prepaid = 0;  ///< leading blocks whose penalty is in the tangent already
};

}  // namespace semirec
