#pragma once

#include <vector>

#include "integrator/method/closure_rows.hpp"

namespace semirec {

/// Scratch of the steps with multipliers as unknowns.
class MultiplierPart final : public ClosurePart {
 public:
  explicit MultiplierPart(const Model& model);
  Eigen::Index pivot_values() const override { return saddle.values().size(); }

  Saddle saddle;
  bool renewed = false;       ///< pivots are other ones than those of the state
  Eigen::VectorXd below;      ///< m  lower part of right sides and solutions
  std::vector<double> exact;  ///< values of FormulationModel::exact_entries()
  bool is_exact = false;      ///< whether they are in the matrix
};

/// The part in a workspace; made, with heap use, where the workspace has none.
MultiplierPart& multiplier_part(const Model& model, Workspace& ws);

/// The index-3 equations with the multipliers as unknowns ([SIX] (4), (6), (7); [HHT] (11)):
///   M zdd + Phi_z^T lambda - Q = 0,   Phi = 0
/// solved for the increment d and mu = scale lambda by Newton with the matrix [A Phi_z^T; Phi_z 0],
/// A the scheme's tangent. Then zd and zdd are moved onto the closures' rates in the metric of A
/// (settings.projections passes, as [H03] (35), (36)), by the same factor, or where A has exact
/// entries by one without them. Constant work does without exact entries:
///   A dzd + Phi_z^T nu = 0,   Phi_z (zd + dzd) + Phi_t = 0
/// and likewise zdd, whose nu completes the multipliers for output to second order. With no
/// projections rates and multipliers are those of the equations above.
/// The first iteration has no exact entries either: from a guess that is far off they lead to other
/// solutions than the one near by.
/// Rows that depend on others are held as the penalty holds them: Phi = mu/(scale alpha); rows that
/// are released keep multipliers of zero. Works on the evaluations of any formulation that has a
/// tangent.
const StepMethod& multiplier_step();

}  // namespace semirec
