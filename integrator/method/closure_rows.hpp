#pragma once

#include <string>
#include <vector>

#include "integrator/formulation/step_method.hpp"
#include "integrator/model.hpp"
#include "integrator/state.hpp"
#include "penalty/saddle.hpp"

namespace semirec {

/// Which rows of Phi do not hold by themselves: those that an event has released, and those that
/// depend on others at the positions where they were looked at last.
class ClosureRows {
 public:
  /// E of a released row: its multiplier becomes zero.
  static constexpr double kReleased = 1.0;

  explicit ClosureRows(const Model& model);

  /// Takes over the switches of a state; where one has moved, the rows must be looked at anew.
  void take_switches(const State& state);
  /// Finds the rows that depend on others at the Phi_z of the workspace. No heap use.
  void look(const Model& model, const Workspace& ws);
  /// What was seen does not hold any longer.
  void forget() { looked_ = false; }
  bool looked() const { return looked_; }
  /// What was seen when a matrix was made: `corner` (m) had compliance() in it.
  void recall(const Eigen::VectorXd& corner);

  bool is_released(int row) const { return released_[static_cast<std::size_t>(row)] != 0; }
  bool is_dependent(int row) const {
    return !is_released(row) && dependent_[static_cast<std::size_t>(row)] != 0;
  }
  /// Rows that depend on others.
  int count() const;
  /// Names of what they belong to, each once. Allocates.
  std::vector<std::string> find_owners(const Model& model) const;
  /// E of Saddle for rows of effective masses m_j: 1 in released rows, 1/(kappa m_j) in dependent
  /// ones, as the penalty would hold them, else zero.
  void set_compliance(double kappa, const Eigen::VectorXd& masses,
                      Eigen::VectorXd& compliance) const;

 private:
  std::vector<int> switch_of_row_;  ///< [row] in State::switches; -1: none
  std::vector<char> released_, dependent_;
  bool looked_ = false;
  RowRank rank_;
};

/// What the formulation tells of its tangent; `exact`: with the entries beyond it. Allocates.
SaddleShape shape_of(const Model& model, bool exact);

/// What methods with multipliers as unknowns keep in a workspace: rows, and the matrices for which
/// pivots were chosen.
class ClosurePart : public MethodWorkspace {
 public:
  explicit ClosurePart(const Model& model)
      : rows(model), compliance(Eigen::VectorXd::Zero(model.m())) {}

  ClosureRows rows;
  Eigen::VectorXd compliance;  ///< m
  Eigen::VectorXd pivots;      ///< as State::pivots
  double pivot = 0.0;          ///< smallest one of the method's matrix when they were chosen
  bool of_state = false;       ///< pivots and rows are those of the state of the last step

  /// Whether a state knows pivots: zeros stand for none.
  bool are_known_to(const State& state) const {
    return state.pivots.size() == pivot_values() && !state.pivots.isZero(0.0);
  }
  /// Whether pivots and rows are those of the state.
  bool has_pivots_of(const State& state) const {
    return of_state && pivots.size() == state.pivots.size() && pivots == state.pivots;
  }
};

/// Sets part.compliance from the rows at hand and the state's effective masses.
void set_compliance(const StepInProgress& step, ClosurePart& part);
/// Looks at the rows at the Phi_z of the workspace, and sets the compliance. No heap use.
void look_at_rows(const StepInProgress& step, ClosurePart& part);

/// Whether pivots tell that rows may have become dependent since they were looked at: the smallest
/// is below `small`, and a thousand times less than when the pivots were chosen.
inline bool looks_singular(double smallest_pivot, const ClosurePart& part, double small) {
  constexpr double kFall = 1e-3;
  return smallest_pivot < small && smallest_pivot < kFall * part.pivot;
}
/// Sets report.status of a matrix that has no pivots. Returns false.
bool fail_singular(const StepInProgress& step);

/// Factors a method's matrix by factor(), which is false where there are no pivots. The rows are
/// looked at first where that has not been done, and anew where the pivots that factor() leaves,
/// smallest_pivot(), look singular; forget_pivots() then voids what was factored with other rows.
/// False with report.status.
template <typename Factor, typename SmallestPivot, typename ForgetPivots>
[[nodiscard]] bool factor_with_rows(const StepInProgress& step, ClosurePart& part, double small,
                                    const Factor& factor, const SmallestPivot& smallest_pivot,
                                    const ForgetPivots& forget_pivots) {
  const auto look = [&] {
    look_at_rows(step, part);
    forget_pivots();
  };
  const bool looks = !part.rows.looked();
  if (looks) look();
  bool factored = factor();
  if (!looks && (!factored || looks_singular(smallest_pivot(), part, small))) {
    look();
    factored = factor();
  }
  step.report.dependent = part.rows.count();
  return factored || fail_singular(step);
}

}  // namespace semirec
