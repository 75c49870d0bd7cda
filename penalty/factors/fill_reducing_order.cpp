#include "penalty/factors/minimum_degree.hpp"
#include "penalty/factors/tangent_solver.hpp"
#include "topology/indices.hpp"

namespace semirec {

std::vector<int> find_fill_reducing_order(int n, const std::vector<std::vector<int>>& cliques) {
  std::vector<int> natural(at(n));
  for (int k = 0; k < n; ++k) natural[at(k)] = k;
  const SymmetricPattern pattern = SymmetricPattern::make_sparse(n, cliques, natural);
  return find_minimum_degree_order(pattern.column_begin(), pattern.row_index());
}

}  // namespace semirec
