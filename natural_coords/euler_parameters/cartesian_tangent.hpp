#pragma once

#include <vector>

#include "natural_coords/euler_parameters/cartesian_model.hpp"
#include "recursive/forces/force_derivatives.hpp"

namespace semirec {

using Matrix7 = Eigen::Matrix<double, 7, 7>;

/// A matrix over the coordinates of a CartesianModel by blocks of 7 x 7: one for each body, and two
/// for each pair of bodies that a row or a force couples.
struct CartesianTangent {
  explicit CartesianTangent(const CartesianModel& model);

  std::vector<Matrix7> own;    ///< [body], [0] unused
  std::vector<Matrix7> above;  ///< [pair] rows of body pairs[k][0], columns of body pairs[k][1]
  std::vector<Matrix7> below;  ///< [pair] the reverse

  void set_zero();
  /// The full matrix, for tests and reports. Allocates.
  Eigen::MatrixXd to_dense(const CartesianModel& model) const;
};

/// How the rates of a body's Euler parameters change with the unknown of a step, over what a scheme
/// gives coordinates in general: d(ed) = c_v ed d(e), d(edd) = c_a edd d(e). One where the scheme's
/// own formulas hold; [EP] Eq. (34) has others.
struct ParameterRates {
  Eigen::Matrix4d ed = Eigen::Matrix4d::Identity();
  Eigen::Matrix4d edd = Eigen::Matrix4d::Identity();
};

/// Adds the derivatives of the inertia forces f = (m rdd, 2 L^T (J wd_B + w_B x J w_B)) by the
/// unknown of a step,
///   weights.mass f_qdd edd + weights.damping f_qd ed + weights.stiffness f_q
/// with the rates' own derivatives ed, edd [body]; f_qdd is M = (m I_3, 4 L^T J L). Exact for any
/// e, ed, edd. Needs set_cartesian_positions() and set_cartesian_rates(). No heap use, as all
/// below.
void add_inertia_tangent(const CartesianModel& model, const CartesianWorkspace& own,
                         const TangentWeights& weights, const std::vector<ParameterRates>& rates,
                         CartesianTangent& tangent);

/// Adds weight M.
void add_mass_tangent(const CartesianModel& model, double weight, const CartesianWorkspace& own,
                      CartesianTangent& tangent);

/// Adds factor d(H^T F)/dq for wrenches F about O [body], less, that stay as they are: the part of
/// a wrench in e changes as e turns and as r moves under it.
void add_wrench_tangent(const CartesianModel& model, const std::vector<Vector6>& F,
                        const CartesianWorkspace& own, double factor, CartesianTangent& tangent);

/// Adds the derivative of the force elements' H^T F by the unknown of a step beyond what their
/// symmetric tangents have, for the elements that tell it (ForceDerivatives):
///   weights.stiffness (d(H^T F)/dq + H^T K H) + H^T C dZ
/// with dZ = weights.damping H ed + weights.stiffness d(H qd)/dq. Exact where |e| = 1. Needs H and
/// set_cartesian_rates().
void add_force_tangent(const CartesianModel& model, const TreeModel& tree,
                       const ForceDerivatives& forces, const CartesianWorkspace& own,
                       const TangentWeights& weights, const std::vector<ParameterRates>& rates,
                       CartesianTangent& tangent);

/// Adds factor (Phi_q^T lambda)_q. Exact for any q. Needs compute_cartesian_closures().
void add_closure_tangent(const CartesianModel& model, const TreeWorkspace& ws,
                         const CartesianWorkspace& own, const Eigen::VectorXd& lambda,
                         double factor, CartesianTangent& tangent);

/// The entries that the functions above can make other than zero.
struct TangentEntries {
  struct Entry {
    int row = 0, column = 0;
  };
  enum class Part { own, above, below };
  struct Source {
    Part part = Part::own;
    int block = 0, index = 0;  ///< of the block, and in it by columns
  };
  std::vector<Entry> entries;
  std::vector<Source> sources;  ///< [entry]
};
/// Allocates.
TangentEntries find_tangent_entries(const CartesianModel& model, const TreeModel& tree);
/// values [entry] <- those of the tangent.
void gather(const TangentEntries& entries, const CartesianTangent& tangent,
            std::vector<double>& values);

}  // namespace semirec
