#include "recursive/cars/car_plan.hpp"

#include "topology/indices.hpp"

namespace semirec {

TreeModel make_one_by_one(const TreeModel& tree) {
  TreeModel model = tree;
  auto plan = std::make_shared<LanePlan>(make_lane_plan(tree, /*one_by_one=*/true));
  model.lanes = plan;
  model.set_pattern(SymmetricPattern::make_tree(tree.n, tree.cliques()));
  return model;
}

namespace {

bool moves_alike(const TreeModel& a, const TreeModel& b) {
  if (a.motions.size() != b.motions.size()) return false;
  for (std::size_t k = 0; k < a.motions.size(); ++k) {
    const JointMotion& of_a = a.motions[k];
    const JointMotion& of_b = b.motions[k];
    if (of_a.kind != of_b.kind || of_a.axis != of_b.axis || of_a.sign != of_b.sign ||
        of_a.z != of_b.z || of_a.triad != of_b.triad)
      return false;
  }
  return true;
}

bool stands_alike(const TreeModel& a, const TreeModel& b) {
  if (a.bodies.size() != b.bodies.size()) return false;
  for (std::size_t t = 0; t < a.bodies.size(); ++t) {
    const TreeBody& of_a = a.bodies[t];
    const TreeBody& of_b = b.bodies[t];
    if (of_a.parent != of_b.parent || of_a.z != of_b.z || of_a.floats != of_b.floats ||
        of_a.motion_begin != of_b.motion_begin || of_a.motion_end != of_b.motion_end)
      return false;
  }
  return true;
}

bool connects_alike(const TreeModel& a, const TreeModel& b) {
  if (a.connections.size() != b.connections.size()) return false;
  for (std::size_t k = 0; k < a.connections.size(); ++k) {
    const Connection& of_a = a.connections[k];
    const Connection& of_b = b.connections[k];
    if (of_a.path.a != of_b.path.a || of_a.path.b != of_b.path.b || of_a.columns != of_b.columns ||
        of_a.heavier != of_b.heavier)
      return false;
  }
  return a.used_coordinates == b.used_coordinates && a.computing == b.computing;
}

}  // namespace

const char* difference_of(const TreeModel& a, const TreeModel& b) {
  if (!stands_alike(a, b)) return "other bodies, or carries them otherwise";
  if (!moves_alike(a, b)) return "other joints";
  if (!connects_alike(a, b)) return "forces between other bodies or in other joints";
  if (a.states != b.states) return "another number of states of force elements";
  if (a.inputs != b.inputs) return "another number of inputs";
  if (a.gravity != b.gravity) return "another gravity";
  return nullptr;
}

}  // namespace semirec
