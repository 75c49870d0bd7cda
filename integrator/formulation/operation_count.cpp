#include "integrator/formulation/operation_count.hpp"

#include <Eigen/LU>

#include "integrator/compile.hpp"
#include "integrator/formulation/evaluate.hpp"
#include "integrator/formulation/topological.hpp"
#include "topology/indices.hpp"

namespace semirec {

namespace {

constexpr double kInertiaTimesColumn = 36.0;  // a symmetric 6 x 6 matrix times H_k
constexpr double kDot = 6.0;

/// M_ij = H_j . (M_i H_i) for the pairs on a path.
double count_mass(const TreeModel& tree) {
  return kInertiaTimesColumn * tree.n + kDot * static_cast<double>(tree.mass_column.size());
}

/// Phi_z^T alpha Phi_z of the rows from `first` on.
double count_penalty(const std::vector<RowBlock>& blocks, int first) {
  double count = 0.0;
  for (std::size_t b = at(first); b < blocks.size(); ++b) {
    const auto size = static_cast<double>(blocks[b].columns.size());
    count += blocks[b].rows * (size + 0.5 * size * (size + 1.0));
  }
  return count;
}

OperationCount count_matrix(const Model& model) {
  OperationCount count;
  count.mass = model.global ? 0.0 : count_mass(model.tree);
  count.closures = count_penalty(model.blocks(), model.global ? model.global->linear_rows : 0);
  count.factor = model.tree.pattern.factor_cost();
  // two triangles: what a factorization divides by its pivots, twice, and the pivots
  count.solve = 2.0 * model.tree.pattern.factor_entries() + model.n();
  return count;
}

OperationCount count_topological(const Model& model) {
  const TopologicalWorkspace loops(model.tree, model.closures);
  // redundant rows are eliminated and then left out: the rank at the design position tells
  Workspace ws(model);
  evaluate_state(model, make_initial_state(model), ws);
  const Eigen::MatrixXd Phi_z = dense_jacobian(model.closures, ws.closures, model.n());
  OperationCount count;
  count.mass = count_mass(model.tree);
  double independent = model.n();
  for (const LoopGroup& group : loops.groups) {
    Eigen::FullPivLU<Eigen::MatrixXd> lu(Phi_z(group.rows, group.columns).eval());
    lu.setThreshold(1e-9);
    const auto rows = static_cast<double>(group.rows.size());
    const auto rank = static_cast<double>(lu.rank());
    const double free = static_cast<double>(group.columns.size()) - rank;
    // elimination of all rows with all columns, S, then columns and rows of T
    count.closures += rank * rank * (rows - 2.0 / 3.0 * rank) + rank * rows * free;
    count.closures += 2.0 * rank * free * model.n();
    independent -= rank;
  }
  count.factor = independent * independent * independent / 6.0;
  count.solve = independent * independent;
  return count;
}

OperationCount count_recursive(const Model& model) {
  OperationCount count;
  // U = I H, D = H . U, I -= U U^T / D
  count.mass = (36.0 + kDot + 27.0) * model.n();
  const double rows = model.m();
  double way = 0.0;
  for (const RowBlock& block : model.closures.blocks) {
    double length = 0.0;
    for (TreeIndex t = static_cast<TreeIndex>(model.tree.bodies.size()) - 1; t > 0; --t) {
      // on the way of the block's last coordinate to the base: a bound for all its branches
      const TreeBody& body = model.tree.bodies[at(t)];
      if (block.columns.empty() || body.z > block.columns.back()) continue;
      length = 0.0;
      for (TreeIndex i = t; i > 0; i = model.tree.bodies[at(i)].parent)
        length += model.tree.bodies[at(i)].degrees_of_freedom;
      break;
    }
    length += static_cast<double>(block.columns.size());
    way += block.rows * length;
  }
  count.closures = 2.0 * kDot * way + 0.5 * rows * way;
  count.factor = rows * rows * rows / 6.0;
  count.solve = 4.0 * kDot * model.n() + 2.0 * way + rows * rows;
  return count;
}

}  // namespace

OperationCount count_operations(const Model& model) {
  switch (model.formulation) {
    case Formulation::topological:
      return count_topological(model);
    case Formulation::recursive:
      return count_recursive(model);
    case Formulation::hybrid:
    case Formulation::global:
      break;
  }
  return count_matrix(model);
}

}  // namespace semirec
