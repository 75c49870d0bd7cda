#pragma once

#include <vector>

#include "recursive/row_block.hpp"
#include "recursive/tree_model.hpp"

namespace semirec {

struct Model;

/// Multiplications of one Newton iteration by the structure of the compiled model, kinematics and
/// force laws left out: they are the same for all formulations but for a factor near one.
struct OperationCount {
  double mass = 0.0;      ///< M, or articulated inertias; constant (0) in natural coordinates
  double closures = 0.0;  ///< penalty product, or projection onto independent coordinates
  double factor = 0.0;
  double solve = 0.0;  ///< one solution; a step takes one an iteration and one a projection

  double iteration() const { return mass + closures + factor + solve; }
};
/// The count of the model's formulation.
OperationCount count_operations(const Model& model);

// parts of it
/// M_ij = H_j . (M_i H_i) for the pairs on a path.
double count_mass(const TreeModel& tree);
/// Phi_z^T alpha Phi_z of the row blocks from `first` on.
double count_penalty(const std::vector<RowBlock>& blocks, int first);
/// Adds factor and solution of a tangent in the tree's pattern.
void count_factor(const TreeModel& tree, OperationCount& count);

}  // namespace semirec
