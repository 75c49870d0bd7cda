#pragma once

#include "integrator/formulation/formulation_model.hpp"
#include "penalty/factors/tangent_solver.hpp"
#include "penalty/loop_group.hpp"

namespace semirec {

/// The workspace part of a formulation that forms its tangent.
class MatrixWorkspace : public FormulationWorkspace {
 public:
  explicit MatrixWorkspace(const SymmetricPattern& pattern) : solver(pattern) {}
  void solve(Eigen::VectorXd& x) const override { solver.solve(x); }

  TangentSolver solver;
  /// Loops of a model some of whose closures depend on others; else empty.
  std::vector<LoopGroup> loops;
};

}  // namespace semirec
