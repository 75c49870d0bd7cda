#pragma once

#include <memory>
#include <string>
#include <vector>

#include "integrator/formulation/formulation.hpp"
#include "natural_coords/closure.hpp"
#include "recursive/forces/evaluate_forces.hpp"
#include "recursive/tree_model.hpp"
#include "topology/mechanism.hpp"

namespace semirec {

/// A compiled mechanism: everything that stays constant during a simulation. Build it with
/// compile(); share it between threads.
struct Model {
  // compiled once, in model.cpp, not in every source that copies or destroys one
  Model();
  Model(const Model&);
  Model(Model&&) noexcept;
  Model& operator=(const Model&);
  Model& operator=(Model&&) noexcept;
  ~Model();

  Mechanism mechanism;  ///< the description it was compiled from
  TreeModel tree;
  ClosureModel closures;  ///< of the cut joints, in relative coordinates
  ForceElements forces;
  std::shared_ptr<const FormulationModel> formulation;

  // of the formulation
  int n() const;                                ///< coordinates
  int m() const;                                ///< rows of Phi
  const std::vector<RowBlock>& blocks() const;  ///< of Phi_z
};

/// What row j of Phi belongs to, by name.
std::string name_of_row(const Model& model, int row);

}  // namespace semirec
