#include "recursive/tree_model.hpp"

#include "recursive/lanes/lane_plan.hpp"
#include "topology/indices.hpp"

namespace semirec {

TreeModel::TreeModel() = default;
TreeModel::TreeModel(const TreeModel&) = default;
TreeModel::TreeModel(TreeModel&&) noexcept = default;
TreeModel& TreeModel::operator=(const TreeModel&) = default;
TreeModel& TreeModel::operator=(TreeModel&&) noexcept = default;
TreeModel::~TreeModel() = default;

std::vector<JointMotion> motions_of(JointType type) {
  std::vector<JointMotion> chain;
  int z = 0;
  for (const JointStep& step : steps_of(type)) {
    chain.push_back({step.kind, step.axis, 1.0, z, -1});
    z += step.kind == MotionKind::triad ? 3 : 1;
  }
  return chain;
}

TreeModel make_tree_model(const Mechanism& mechanism) {
  TreeModel model;
  model.tree = make_spanning_tree(mechanism);
  model.gravity = mechanism.gravity;
  model.n = model.columns = model.tree.coordinates;
  model.inputs = static_cast<int>(mechanism.inputs.size());
  model.bodies.resize(model.tree.branches.size());

  for (std::size_t t = 1; t < model.bodies.size(); ++t) {
    const TreeBranch& branch = model.tree.branches[t];
    const Body& body = mechanism.bodies[at(branch.body)];
    const Joint& joint = mechanism.joints[at(branch.joint)];
    TreeBody& compiled = model.bodies[t];
    compiled.parent = branch.parent;
    compiled.z = branch.z;
    compiled.degrees_of_freedom = branch.degrees_of_freedom;
    const Marker& inboard = branch.reversed ? joint.b : joint.a;
    const Marker& outboard = branch.reversed ? joint.a : joint.b;
    compiled.X_PJ = model.bodies[at(branch.parent)].X_CB * inboard.X_BF;
    compiled.X_CB = inverse(outboard.X_BF);
    compiled.floats = joint.type == JointType::free && branch.parent == 0;
    if (compiled.floats) model.floating.push_back(static_cast<TreeIndex>(t));

    compiled.motion_begin = static_cast<int>(model.motions.size());
    std::vector<JointMotion> chain = motions_of(joint.type);
    // passed from b to a, the chain runs backwards; a triad and a free joint's slides count their
    // own way
    if (branch.reversed && joint.type != JointType::free) {
      chain = {chain.rbegin(), chain.rend()};
      for (JointMotion& motion : chain) motion.sign = -1.0;
    }
    for (JointMotion motion : chain) {
      motion.z += branch.z;
      if (motion.kind == JointMotion::Kind::triad) motion.triad = model.triads++;
      model.motions.push_back(motion);
      if (motion.kind == JointMotion::Kind::triad) model.triad_turns.push_back(motion);
    }
    compiled.motion_end = static_cast<int>(model.motions.size());

    compiled.mass = body.mass;
    compiled.com = compiled.X_CB.p + compiled.X_CB.A * body.com;
    compiled.inertia = compiled.X_CB.A * body.inertia * compiled.X_CB.A.transpose();
  }

  // the origin follows the heaviest floating subtree; without one it stays at the design
  // position of the centre of mass
  std::vector<double> subtree_mass(model.bodies.size(), 0.0);
  double total = 0.0;
  for (std::size_t t = model.bodies.size(); t-- > 1;) {
    const Body& body = mechanism.bodies[at(model.tree.branches[t].body)];
    subtree_mass[t] += body.mass;
    total += body.mass;
    model.initial_origin += body.mass * (body.X_WB.p + body.X_WB.A * body.com);
    const TreeIndex p = model.bodies[t].parent;
    if (p > 0) subtree_mass[at(p)] += subtree_mass[t];
    if (model.bodies[t].floats &&
        (model.reference_body == 0 || subtree_mass[t] >= subtree_mass[at(model.reference_body)]))
      model.reference_body = static_cast<TreeIndex>(t);
  }
  if (total > 0.0) model.initial_origin /= total;
  model.lanes = std::make_shared<const LanePlan>(make_lane_plan(model));
  return model;
}

Attachment TreeModel::attach(const Marker& marker) const {
  const TreeIndex t = tree.tree_index(marker.body);
  return {t, bodies[at(t)].X_CB * marker.X_BF};
}

int TreeModel::connect(BodyIndex a, BodyIndex b) {
  const TreeIndex ta = tree.tree_index(a);
  const TreeIndex tb = tree.tree_index(b);
  for (std::size_t k = 0; k < connections.size(); ++k)
    if (connections[k].path.a == ta && connections[k].path.b == tb) return static_cast<int>(k);
  connections.push_back({find_loop_path(tree, ta, tb), {}, {}, 0});
  connections.back().columns = connections.back().path.coordinates;
  return static_cast<int>(connections.size()) - 1;
}

int TreeModel::coordinate(const Mechanism& mechanism, JointIndex joint, int k, const Source& source,
                          const std::string& element) const {
  const TreeIndex t = tree.branch_of_joint[at(joint)];
  if (t < 0)
    throw ModelError(source, element,
                     "acts on a coordinate of joint '" + mechanism.joints[at(joint)].name +
                         "', which is cut and has none; give that joint placement=\"tree\"");
  return bodies[at(t)].z + k;
}

int TreeModel::use_coordinate(const Mechanism& mechanism, JointIndex joint, int k,
                              const Source& source, const std::string& element) {
  used_coordinates.push_back(coordinate(mechanism, joint, k, source, element));
  return used_coordinates.back();
}

std::vector<std::vector<int>> TreeModel::cliques() const {
  std::vector<std::vector<int>> sets;
  // the way to a tip holds the ways to all bodies on it
  std::vector<char> is_tip(bodies.size(), 1);
  for (std::size_t t = 1; t < bodies.size(); ++t) is_tip[at(bodies[t].parent)] = 0;
  for (std::size_t t = 1; t < bodies.size(); ++t)
    if (is_tip[t] != 0)
      sets.push_back(find_loop_path(tree, 0, static_cast<TreeIndex>(t)).coordinates);
  for (const Connection& connection : connections) sets.push_back(connection.path.coordinates);
  return sets;
}

void TreeModel::set_pattern(SymmetricPattern new_pattern) {
  pattern = std::move(new_pattern);
  LanePlan plan = *lanes;
  add_slots(plan, pattern);
  lanes = std::make_shared<const LanePlan>(std::move(plan));
  mass_row_begin.clear();
  mass_column.clear();
  mass_slot.clear();
  if (pattern.size() == 0) return;
  for (std::size_t t = 1; t < bodies.size(); ++t) {
    const std::vector<int> path = find_loop_path(tree, 0, static_cast<TreeIndex>(t)).coordinates;
    for (int k = 0; k < bodies[t].degrees_of_freedom; ++k) {
      const int i = bodies[t].z + k;
      mass_row_begin.push_back(static_cast<int>(mass_column.size()));
      for (const int j : path) {
        if (j > i) break;
        mass_column.push_back(j);
        mass_slot.push_back(pattern.slot(i, j));
      }
    }
  }
  mass_row_begin.push_back(static_cast<int>(mass_column.size()));
  for (Connection& connection : connections) {
    connection.slots = pattern.block_slots(connection.path.coordinates);
    if (connection.path.a == 0 || connection.path.b == 0)
      connection.heavier = connection.path.a + connection.path.b;
  }
}

}  // namespace semirec
