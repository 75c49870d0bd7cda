#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include "recursive/packs/pack.hpp"
#include "recursive/row_block.hpp"
#include "recursive/symmetric_pattern.hpp"
#include "tests/support/random_mechanism.hpp"
#include "topology/indices.hpp"

namespace semirec::test {

/// A tangent of a chain with some crossing terms and rows over two to five coordinates each.
struct SaddleParts {
  int n = 12;
  int m = 5;
  SymmetricPattern pattern;
  std::vector<RowBlock> blocks;
  std::vector<double> tangent, Phi_z;
  Eigen::VectorXd compliance = Eigen::VectorXd::Zero(5);

  SaddleParts(PatternKind kind, std::uint64_t seed) {
    Random random(seed);
    std::vector<std::vector<int>> cliques;
    for (int k = 0; k + 1 < n; ++k) cliques.push_back({k, k + 1});
    cliques.push_back({1, 4, 9});
    cliques.push_back({0, 11});
    std::vector<int> order(at(n));
    for (int k = 0; k < n; ++k) order[at(k)] = (5 * k) % n;
    if (kind == PatternKind::dense) pattern = SymmetricPattern::make_dense(n);
    if (kind == PatternKind::tree) pattern = SymmetricPattern::make_tree(n, cliques);
    if (kind == PatternKind::sparse) pattern = SymmetricPattern::make_sparse(n, cliques, order);
    tangent.assign(at(pattern.value_count()), 0.0);
    for (const auto& clique : cliques)
      for (const int i : clique)
        for (const int j : clique)
          tangent[at(pattern.slot(i, j))] += i == j ? 1.0 : random.number(-0.1, 0.1);
    // two lone blocks, and two like ones that lie interleaved as four do
    const auto block = [&](int row, int rows, std::vector<int> columns, int jacobian, int stride) {
      RowBlock made;
      made.row = row;
      made.rows = rows;
      made.columns = std::move(columns);
      made.jacobian = jacobian;
      made.stride = stride;
      blocks.push_back(made);
    };
    block(0, 2, {0, 1, 2, 3, 4}, 0, 1);
    block(2, 1, {5, 9}, 10, kLanes);
    block(3, 1, {6, 10}, 11, kLanes);
    block(4, 1, {7, 8, 11}, 20, 1);
    Phi_z.assign(23, 0.0);
    for (double& value : Phi_z) value = random.number(-1.0, 1.0);
  }

  Eigen::MatrixXd rows() const {
    Eigen::MatrixXd P = Eigen::MatrixXd::Zero(m, n);
    fill_rows(P);
    return P;
  }
  Eigen::MatrixXd dense() const {
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n + m, n + m);
    A.topLeftCorner(n, n) = pattern.to_dense(tangent.data());
    A.bottomLeftCorner(m, n) = rows();
    A.topRightCorner(n, m) = rows().transpose();
    A.bottomRightCorner(m, m).diagonal() = -compliance;
    return A;
  }

 private:
  void fill_rows(Eigen::MatrixXd& P) const {
    const double* v = Phi_z.data();
    P.block(0, 0, 2, 5) << v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9];
    P(2, 5) = v[10];
    P(2, 9) = v[14];
    P(3, 6) = v[11];
    P(3, 10) = v[15];
    if (m == 4) return;  // without the last block
    P(4, 7) = v[20];
    P(4, 8) = v[21];
    P(4, 11) = v[22];
  }
};

}  // namespace semirec::test
