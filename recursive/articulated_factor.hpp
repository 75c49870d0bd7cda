#pragma once

#include <vector>

#include "recursive/spatial.hpp"
#include "recursive/tree_model.hpp"

namespace semirec {

/// The mass matrix factored by recursion, without ever being formed: M = L D L^T from articulated
/// inertias, tip to base (Featherstone's articulated-body algorithm, at one common point O, so that
/// no inertia has to be moved between bodies).
///   I_i  = Mbar_i + sum over children (I_c - sum_k U_k U_k^T / D_k)
///   U_k  = I H_k,  D_k = H_k . U_k     each coordinate in turn, last to first
/// Cost: order n for the factor and for each solution.
class ArticulatedFactor {
 public:
  explicit ArticulatedFactor(const TreeModel& model);

  /// Mbar by body, H by coordinate, both about O. False when a D_k is not positive. No heap use.
  [[nodiscard]] bool factor(const std::vector<RigidInertia>& Mbar, const std::vector<Vector6>& H);
  /// x <- L^-1 x: forces in the coordinates, eliminated from the tips to the base.
  void eliminate(double* x) const;
  /// The same for a row that is zero but in coordinates of the given bodies' joints; `path`: these
  /// bodies and all inboard of them, descending.
  void eliminate(double* x, const std::vector<TreeIndex>& path) const;
  /// x <- L^-T D^-1 x: accelerations from the base to the tips.
  void substitute(double* x) const;
  /// 1 / D_k.
  const std::vector<double>& inverse_pivots() const { return inverse_pivot_; }

 private:
  struct Body {
    TreeIndex parent = 0;
    int z = 0;
    int degrees_of_freedom = 0;
  };
  void eliminate_body(std::size_t i, double* x) const;

  std::vector<Body> bodies_;
  std::vector<Vector6> H_, U_;
  std::vector<double> inverse_pivot_;
  std::vector<Matrix6> inertia_;
  mutable std::vector<Vector6> force_;
};

}  // namespace semirec
