#pragma once

#include <vector>

#include "natural_coords/euler_parameters/cartesian_model.hpp"

namespace semirec {

using Matrix7 = Eigen::Matrix<double, 7, 7>;

/// A matrix over the coordinates of a CartesianModel by blocks of 7 x 7: one for each body, and one
/// for each pair of bodies that a row couples, body pairs[k][0] above (rows) and pairs[k][1] across
/// (columns). Below the diagonal it is the transpose there: only rows of Phi couple, and what they
/// add is symmetric; the bodies' own blocks need not be.
struct CartesianTangent {
  explicit CartesianTangent(const CartesianModel& model);

  std::vector<Matrix7> own;      ///< [body], [0] unused
  std::vector<Matrix7> coupled;  ///< [pair]

  void set_zero();
  /// The full matrix, for tests and reports. Allocates.
  Eigen::MatrixXd to_dense(const CartesianModel& model) const;
};

/// Adds the derivatives of the inertia forces f = (m rdd, 2 L^T (J wd_B + w_B x J w_B)),
///   weights.mass f_qdd + weights.damping f_qd + weights.stiffness f_q;
/// f_qdd is M = (m I_3, 4 L^T J L). Exact for any e, ed, edd. Needs set_cartesian_positions() and
/// set_cartesian_rates(). No heap use.
void add_inertia_tangent(const CartesianModel& model, const CartesianWorkspace& own,
                         const TangentWeights& weights, CartesianTangent& tangent);

/// Adds factor d(H^T F)/dq for wrenches F about O that stay as they are, those (less) in ws.F: the
/// part of a wrench in e changes as e turns and as r moves under it. With K = H^T (dF/dZ) H of the
/// elements it completes the derivative of the forces. No heap use.
void add_wrench_tangent(const CartesianModel& model, const TreeWorkspace& ws,
                        const CartesianWorkspace& own, double factor, CartesianTangent& tangent);

/// Adds factor (Phi_q^T lambda)_q. Exact for any q. Needs compute_cartesian_closures(). No heap
/// use.
void add_closure_tangent(const CartesianModel& model, const TreeWorkspace& ws,
                         const CartesianWorkspace& own, const Eigen::VectorXd& lambda,
                         double factor, CartesianTangent& tangent);

}  // namespace semirec
