#pragma once

#include <memory>
#include <string>
#include <vector>

#include "integrator/formulation/formulation.hpp"
#include "natural_coords/closure.hpp"
#include "natural_coords/global/global_model.hpp"
#include "recursive/forces/evaluate_forces.hpp"
#include "recursive/tree_model.hpp"
#include "topology/mechanism.hpp"

namespace semirec {

/// A compiled mechanism: everything that stays constant during a simulation. Build it with
/// compile(); share it between threads.
struct Model {
  Mechanism mechanism;  ///< the description it was compiled from
  TreeModel tree;
  ClosureModel closures;
  ForceElements forces;

  Formulation formulation = Formulation::hybrid;
  std::shared_ptr<const GlobalModel> global;  ///< formulation global: natural coordinates
  /// Formulation global: the same mechanism in relative coordinates, with the same force elements.
  /// Assembly, equilibrium and reactions work there; `tree` then serves the natural coordinates.
  std::shared_ptr<const Model> relative;

  int n() const { return global ? global->n : tree.n; }
  int m() const { return global ? global->m : closures.m; }
  const std::vector<RowBlock>& blocks() const { return global ? global->blocks : closures.blocks; }
};

/// The model in relative coordinates: itself but for the global formulation.
inline const Model& relative_model(const Model& model) {
  return model.relative ? *model.relative : model;
}

/// What row j of Phi belongs to, by name.
std::string name_of_row(const Model& model, int row);

}  // namespace semirec
