#include "penalty/factors/minimum_degree.hpp"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>

namespace semirec {

std::vector<int> find_minimum_degree_order(const std::vector<int>& column_begin,
                                           const std::vector<int>& row_index) {
  const auto n = static_cast<int>(column_begin.size()) - 1;
  const std::vector<double> values(row_index.size(), 1.0);
  const Eigen::Map<const Eigen::SparseMatrix<double>> pattern(
      n, n, static_cast<int>(row_index.size()), column_begin.data(), row_index.data(),
      values.data());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  Eigen::AMDOrdering<int>()(Eigen::SparseMatrix<double>(pattern), order);
  return {order.indices().begin(), order.indices().end()};
}

}  // namespace semirec
