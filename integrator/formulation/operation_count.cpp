#include "integrator/formulation/operation_count.hpp"

#include "integrator/formulation/formulation_model.hpp"
#include "integrator/model.hpp"
#include "topology/indices.hpp"

namespace semirec {

OperationCount count_operations(const Model& model) {
  return model.formulation->count_operations(model);
}

double count_mass(const TreeModel& tree) {
  constexpr double kInertiaTimesColumn = 36.0;  // a symmetric 6 x 6 matrix times H_k
  constexpr double kDot = 6.0;
  return kInertiaTimesColumn * tree.n + kDot * static_cast<double>(tree.mass_column.size());
}

double count_penalty(const std::vector<RowBlock>& blocks, int first) {
  double count = 0.0;
  for (std::size_t b = at(first); b < blocks.size(); ++b) {
    const auto size = static_cast<double>(blocks[b].columns.size());
    count += blocks[b].rows * (size + 0.5 * size * (size + 1.0));
  }
  return count;
}

void count_factor(const TreeModel& tree, OperationCount& count) {
  count.factor = tree.pattern.factor_cost();
  // two triangles: what a factorization divides by its pivots, twice, and the pivots
  count.solve = 2.0 * tree.pattern.factor_entries() + tree.pattern.size();
}

}  // namespace semirec
