#pragma once

#include <vector>

#include "integrator/formulation/step_method.hpp"
#include "integrator/model.hpp"
#include "penalty/saddle.hpp"

namespace semirec {

/// Scratch of the steps with multipliers as unknowns.
class MultiplierPart final : public MethodWorkspace {
 public:
  explicit MultiplierPart(const Model& model);

  bool is_released(int row) const { return released[static_cast<std::size_t>(row)] != 0; }
  bool is_dependent(int row) const {
    return !is_released(row) && dependent[static_cast<std::size_t>(row)] != 0;
  }

  Saddle saddle;
  RowRank rank;
  std::vector<int> switch_of_row;  ///< [row] in State::switches; -1: none
  std::vector<char> released;      ///< [row] by an event
  std::vector<char> dependent;     ///< [row] zero, or dependent on others
  bool ranked = false;             ///< the two above hold
  double pivot = 0.0;              ///< smallest one of the pivots when they were chosen
  Eigen::VectorXd pivots;          ///< as State::pivots: the matrix they were chosen for
  bool of_state = false;           ///< pivots and rows are those of the state of the last step
  Eigen::VectorXd compliance;      ///< m  E of Saddle
  Eigen::VectorXd below;           ///< m  lower part of right sides and solutions
  std::vector<double> exact;       ///< values of FormulationModel::exact_entries()
};

/// The part in a workspace; made, with heap use, where the workspace has none.
MultiplierPart& multiplier_part(const Model& model, Workspace& ws);

/// The index-3 equations with the multipliers as unknowns ([SIX] (4), (6), (7); [HHT] (11)):
///   M zdd + Phi_z^T lambda - Q = 0,   Phi = 0
/// solved for the increment d and mu = scale lambda by Newton with the matrix [A Phi_z^T; Phi_z 0],
/// A the scheme's tangent. Then zd and zdd are moved onto the closures' rates in the metric of A
/// (settings.projections passes, as [H03] (35), (36)), by the same factor:
///   A dzd + Phi_z^T nu = 0,   Phi_z (zd + dzd) + Phi_t = 0
/// and likewise zdd, whose nu completes the multipliers for output to second order. With no
/// projections rates and multipliers are those of the equations above.
/// Rows that depend on others are held as the penalty holds them: Phi = mu/(scale alpha); rows that
/// are released keep multipliers of zero. Works on the evaluations of any formulation that has a
/// tangent.
const StepMethod& multiplier_step();

}  // namespace semirec
