#pragma once

#include <vector>

#include "topology/mechanism.hpp"

namespace semirec {

/// Vertices of the mechanism's graph: 0 is the ground, body i is vertex i + 1; edges are the
/// joints.
inline int vertex_of(BodyIndex body) { return body + 1; }

/// Throws ModelError naming the first body that no chain of joints connects with the ground.
/// A vehicle stands on the ground through a free joint.
void check_connected(const Mechanism& mechanism);

/// Joint through which each body is reached from the ground, by body; chosen so that the joints
/// left over (the cuts) take away as many coordinates and bring as few closure rows as possible:
///   1. fewest degrees of freedom in the tree: fixed, then revolute and prismatic, ... spherical
///   joints are cut
///   2. among equals the shallowest tree
///   3. among equals the joint that is written first
/// Joint::placement overrides. Throws ModelError when the overrides leave a body unreachable or
/// close a loop of joints that must all stay.
std::vector<JointIndex> choose_tree_joints(const Mechanism& mechanism);

}  // namespace semirec
