#pragma once

#include <memory>
#include <vector>

#include "integrator/formulation/formulation_model.hpp"
#include "integrator/model.hpp"
#include "integrator/state.hpp"
#include "natural_coords/closure.hpp"
#include "penalty/dynamic_terms.hpp"
#include "recursive/tree_workspace.hpp"

namespace semirec {

/// Scratch of a simulation, one per thread; meaningless between steps. All memory is taken here.
struct Workspace {
  explicit Workspace(const Model& model);

  TreeWorkspace tree;
  ClosureWorkspace closures;
  std::unique_ptr<FormulationWorkspace> formulation;  ///< its own; solves with its factor
  /// Of a method other than the formulation's own: made by the first step, or prepare_method().
  std::unique_ptr<MethodWorkspace> method;
  /// The tree's places at z and Phi, Phi_z there are at hand: evaluate_dynamics() need not find
  /// them.
  bool placed = false;
  /// The end of the step with its references moved on, where the method has done so: z, A0 and
  /// origin of the state that the step leaves.
  const State* moved_on = nullptr;
  int prepaid = 0;  ///< leading blocks of closures whose penalty is in the tangent already

  // the step's own vectors
  Eigen::VectorXd increment;      ///< n  d = z - z_n
  Eigen::VectorXd z, zd, zdd;     ///< n  at the current iterate
  Eigen::VectorXd correction;     ///< n
  Eigen::VectorXd lambda, alpha;  ///< m
  Eigen::VectorXd weighted;       ///< m
  Eigen::VectorXd multipliers;    ///< m
  Eigen::VectorXd history;        ///< State::history at the end of the step, in front
  std::vector<double> P;          ///< Phi_z inside an older factor
  double kept_scale = 0.0;        ///< Scheme::scale of a factor that the next step may use; 0: none
  State balanced;  ///< of a row whose forces have jumped at the end of a step (Recorder)
};

/// What the formulation hands to the penalty.
DynamicTerms terms_of(const Model& model, Workspace& ws);

}  // namespace semirec
