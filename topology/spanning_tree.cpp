#include "topology/spanning_tree.hpp"

#include "topology/graph.hpp"

namespace semirec {

namespace {

std::string reason_for_cut(const Joint& joint) {
  if (joint.attached) return "events may attach and release it";
  if (joint.placement == Placement::cut) return "the file asks for it";
  const int f = degrees_of_freedom(joint.type);
  std::string text = "of its loop it has the most degrees_of_freedom (" + std::to_string(f) +
                     ") or, among equals, lies deepest or is written last: cutting it saves " +
                     std::to_string(f) + (f == 1 ? " coordinate" : " coordinates") + " and costs " +
                     std::to_string(6 - f) + " rows";
  return text;
}

}  // namespace

SpanningTree make_spanning_tree(const Mechanism& mechanism) {
  const std::vector<JointIndex> joint_of_body = choose_tree_joints(mechanism);
  const std::size_t body_count = mechanism.bodies.size();

  // children by body, in the order of writing; the ground is the last entry
  std::vector<std::vector<BodyIndex>> children(body_count + 1);
  std::vector<BodyIndex> inboard(body_count);
  for (std::size_t i = 0; i < body_count; ++i) {
    const Joint& joint = mechanism.joints[static_cast<std::size_t>(joint_of_body[i])];
    const auto body = static_cast<BodyIndex>(i);
    inboard[i] = joint.b.body == body ? joint.a.body : joint.b.body;
    children[inboard[i] == kGround ? body_count : static_cast<std::size_t>(inboard[i])].push_back(
        body);
  }

  SpanningTree tree;
  tree.tree_of_body.assign(body_count, -1);
  tree.branch_of_joint.assign(mechanism.joints.size(), -1);
  tree.branches.emplace_back();

  // depth first, so that each subtree is contiguous
  std::vector<BodyIndex> stack(children[body_count].rbegin(), children[body_count].rend());
  while (!stack.empty()) {
    const BodyIndex body = stack.back();
    stack.pop_back();
    const auto i = static_cast<std::size_t>(body);
    const Joint& joint = mechanism.joints[static_cast<std::size_t>(joint_of_body[i])];
    TreeBranch branch;
    branch.body = body;
    branch.joint = joint_of_body[i];
    branch.reversed = joint.a.body == body;
    branch.parent = tree.tree_index(inboard[i]);
    branch.depth = tree.branches[static_cast<std::size_t>(branch.parent)].depth + 1;
    branch.z = tree.coordinates;
    branch.degrees_of_freedom = degrees_of_freedom(joint.type);
    tree.coordinates += branch.degrees_of_freedom;
    tree.tree_of_body[i] = static_cast<TreeIndex>(tree.branches.size());
    tree.branch_of_joint[static_cast<std::size_t>(branch.joint)] = tree.tree_of_body[i];
    tree.branches.push_back(branch);
    stack.insert(stack.end(), children[i].rbegin(), children[i].rend());
  }

  for (std::size_t j = 0; j < mechanism.joints.size(); ++j) {
    const Joint& joint = mechanism.joints[j];
    if (tree.branch_of_joint[j] < 0 && joint.type != JointType::free)
      tree.cuts.push_back({static_cast<JointIndex>(j), reason_for_cut(joint)});
  }
  return tree;
}

}  // namespace semirec
