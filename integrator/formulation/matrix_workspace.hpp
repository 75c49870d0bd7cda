#pragma once

#include <vector>

#include "integrator/formulation/formulation_model.hpp"
#include "penalty/factors/tangent_solver.hpp"
#include "penalty/loop_group.hpp"

namespace semirec {

/// The workspace part of a formulation in relative coordinates.
class RelativeWorkspace : public FormulationWorkspace {
 public:
  /// Of a model some of whose closures depend on others, those whose rank each step finds; else
  /// empty.
  std::vector<LoopGroup> loops;
};

/// That of a formulation that forms its tangent.
class MatrixWorkspace : public RelativeWorkspace {
 public:
  explicit MatrixWorkspace(const SymmetricPattern& pattern) : solver(pattern) {}
  void solve(Eigen::VectorXd& x) const override { solver.solve(x); }

  TangentSolver solver;
};

}  // namespace semirec
