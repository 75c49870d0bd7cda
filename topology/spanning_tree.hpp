#pragma once

#include <string>
#include <vector>

#include "topology/mechanism.hpp"

namespace semirec {

/// One body of the tree with the joint that carries it.
struct TreeBranch {
  BodyIndex body = kGround;  ///< in Mechanism::bodies
  JointIndex joint = -1;     ///< in Mechanism::joints; -1 for the ground
  bool reversed = false;     ///< the joint's side b is the inboard one
  TreeIndex parent = 0;      ///< inboard body in the tree
  int z = 0;                 ///< first of the joint's coordinates
  int degrees_of_freedom = 0;
  int depth = 0;  ///< 0 for the ground
};

/// A joint that is left out of the tree and becomes a closure.
struct CutJoint {
  JointIndex joint = 0;
  std::string why;
};

/// Kinematic tree over all bodies: branches[0] is the ground, parents come before children, each
/// subtree is contiguous; coordinates are numbered in the same order.
struct SpanningTree {
  std::vector<TreeBranch> branches;
  std::vector<CutJoint> cuts;
  std::vector<TreeIndex> tree_of_body;     ///< by BodyIndex
  std::vector<TreeIndex> branch_of_joint;  ///< by JointIndex, -1 for a cut joint
  int coordinates = 0;                     ///< n

  TreeIndex tree_index(BodyIndex body) const {
    return body == kGround ? 0 : tree_of_body[static_cast<std::size_t>(body)];
  }
};

/// Builds the tree by the rules of choose_tree_joints(). Throws ModelError.
SpanningTree make_spanning_tree(const Mechanism& mechanism);

}  // namespace semirec
