#pragma once

#include <vector>

#include "topology/spanning_tree.hpp"

namespace semirec {

/// The joints between two bodies: what their relative motion depends on.
struct LoopPath {
  TreeIndex a = 0;
  TreeIndex b = 0;
  TreeIndex ancestor = 0;        ///< last body common to both sides' paths
  std::vector<int> coordinates;  ///< ascending
  std::vector<double> sign;      ///< +1 on b's side, -1 on a's side, by coordinate
};

/// Path between two bodies of the tree over their last common ancestor.
LoopPath find_loop_path(const SpanningTree& tree, TreeIndex a, TreeIndex b);

}  // namespace semirec
