#include "topology/loop_path.hpp"

#include <algorithm>

namespace semirec {

LoopPath find_loop_path(const SpanningTree& tree, TreeIndex a, TreeIndex b) {
  LoopPath path{a, b, 0, {}, {}};
  std::vector<std::pair<int, double>> columns;
  const auto climb = [&](TreeIndex& from, double sign) {
    const TreeBranch& branch = tree.branches[static_cast<std::size_t>(from)];
    for (int k = 0; k < branch.degrees_of_freedom; ++k) columns.emplace_back(branch.z + k, sign);
    from = branch.parent;
  };
  // parents have smaller indices: always climb from the larger one
  while (a != b) {
    if (a > b) {
      climb(a, -1.0);
    } else {
      climb(b, +1.0);
    }
  }
  path.ancestor = a;
  std::sort(columns.begin(), columns.end());
  for (const auto& [coordinate, sign] : columns) {
    path.coordinates.push_back(coordinate);
    path.sign.push_back(sign);
  }
  return path;
}

}  // namespace semirec
