#pragma once

#include <vector>

#include <Eigen/Core>

#include "recursive/row_block.hpp"
#include "recursive/spatial.hpp"

namespace semirec {

/// The one desk between the rooms: what a formulation hands to the penalty and the integrator at
/// one evaluation. Views into the formulation's workspace; n coordinates, m rows. The recursive
/// formulation has no tangent: its solver takes H and Mbar.
struct DynamicTerms {
  Eigen::VectorXd& residual;  ///< n  M zdd - Q
  std::vector<double>&
      tangent;                 ///< [slot] M + C + K, weighted by the scheme, in the model's pattern
  Eigen::VectorXd& Phi;        ///< m
  Eigen::VectorXd& Phid;       ///< m  Phi_z zd + Phi_t
  Eigen::VectorXd& Phidd;      ///< m  Phi_z zdd + Phid_z zd + Phid_t
  std::vector<double>& Phi_z;  ///< blocks, row-major
  const std::vector<RowBlock>& blocks;
  int prepaid = 0;                ///< leading blocks whose penalty is in the tangent already
  const std::vector<Vector6>& H;  ///< [coordinate] columns at O
  const std::vector<RigidInertia>& Mbar;  ///< [body] own inertia at O (recursive formulation)
};

}  // namespace semirec
