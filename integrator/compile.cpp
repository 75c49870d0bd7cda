#include "integrator/compile.hpp"

#include <algorithm>

#include "penalty/factors/tangent_solver.hpp"
#include "recursive/forces/standard_forces.hpp"
#include "recursive/kinematics.hpp"
#include "recursive/lanes/lane_plan.hpp"
#include "recursive/lanes/lane_rows.hpp"
#include "recursive/origin.hpp"
#include "topology/indices.hpp"

namespace semirec {

namespace {

/// Keeps those of the columns whose lanes couple by themselves: what an anti-roll bar ties to its
/// neighbour is shared.
void drop_coupled(int n, const std::vector<std::vector<int>>& cliques,
                  std::vector<std::vector<int>>& lanes) {
  std::vector<int> lane_of(at(n), -1);
  std::vector<int> set_of(at(n), -1);
  for (std::size_t s = 0; s < lanes.size(); ++s)
    for (std::size_t l = 0; l < lanes[s].size(); ++l) {
      lane_of[at(lanes[s][l])] = static_cast<int>(l);
      set_of[at(lanes[s][l])] = static_cast<int>(s);
    }
  std::vector<char> coupled(lanes.size(), 0);
  for (const std::vector<int>& clique : cliques)
    for (const int i : clique)
      for (const int j : clique)
        if (set_of[at(i)] >= 0 && set_of[at(j)] >= 0 && lane_of[at(i)] != lane_of[at(j)])
          coupled[at(set_of[at(i)])] = 1;
  std::vector<std::vector<int>> kept;
  for (std::size_t s = 0; s < lanes.size(); ++s)
    if (coupled[s] == 0) kept.push_back(lanes[s]);
  lanes = std::move(kept);
}

/// Rows in lanes, when they make up at least half of the coordinates and what they share stays
/// small.
std::optional<SymmetricPattern> find_lane_pattern(int n,
                                                  const std::vector<std::vector<int>>& cliques,
                                                  const LanePlan& plan) {
  constexpr std::size_t kMostShared = 64;
  std::vector<std::vector<int>> lanes;
  for (const LaneGroup& group : plan.groups) {
    if (group.count == 1) continue;
    for (int k = 0; k < group.column_count; ++k) {
      const auto& column = plan.columns[at(group.column_begin + k)];
      lanes.emplace_back(column.begin(), column.begin() + group.count);
    }
  }
  drop_coupled(n, cliques, lanes);
  std::size_t covered = 0;
  for (const std::vector<int>& set : lanes) covered += set.size();
  if (2 * covered < at(n) || at(n) - covered > kMostShared) return std::nullopt;
  std::optional<LaneRows> rows = make_lane_rows(n, cliques, lanes);
  if (!rows) return std::nullopt;
  return SymmetricPattern::make_lanes(n, std::move(*rows));
}

SymmetricPattern choose_pattern(int n, const std::vector<std::vector<int>>& cliques,
                                TangentChoice choice, const LanePlan& plan) {
  if (choice == TangentChoice::dense || n == 0) return SymmetricPattern::make_dense(n);
  if (choice == TangentChoice::tree) return SymmetricPattern::make_tree(n, cliques);
  if (choice != TangentChoice::sparse)
    if (auto lanes = find_lane_pattern(n, cliques, plan)) return *lanes;
  if (choice == TangentChoice::lanes) return SymmetricPattern::make_tree(n, cliques);
  SymmetricPattern sparse =
      SymmetricPattern::make_sparse(n, cliques, find_fill_reducing_order(n, cliques));
  if (choice == TangentChoice::sparse) return sparse;
  SymmetricPattern tree = SymmetricPattern::make_tree(n, cliques);
  // measured at n = 26 and 256: CHOLMOD needs about three times as long for the same products
  // (docs/decisions/0007), so it has to save two thirds of them
  if (tree.factor_cost() <= 3.0 * sparse.factor_cost()) return tree;
  return sparse;
}

}  // namespace

Model compile(const Mechanism& mechanism, std::vector<std::unique_ptr<ForceElement>> extra,
              const CompileSettings& settings) {
  check(mechanism);
  Model model;
  model.mechanism = mechanism;
  model.tree = make_tree_model(mechanism);
  model.closures = make_closure_model(mechanism, model.tree);
  for (auto& element : make_force_elements(mechanism)) extra.push_back(std::move(element));
  for (auto& element : extra) {
    element->bind(mechanism, model.tree);
    element->place_states(model.tree.states);
    model.tree.states += element->state_count();
    model.forces.push_back(std::move(element));
  }
  if (settings.formulation == Formulation::recursive) {
    // no matrix is ever formed
    model.formulation = settings.formulation;
    model.tree.set_pattern({});
    return model;
  }
  model.tree.set_pattern(
      choose_pattern(model.n(), model.tree.cliques(), settings.tangent, *model.tree.lanes));
  set_slots(model.closures, model.tree.pattern);
  if (settings.formulation != Formulation::global) {
    model.formulation = settings.formulation;
    return model;
  }
  auto relative = std::make_shared<Model>(model);
  model.formulation = Formulation::global;
  GlobalModel global = make_global_model(mechanism, model.tree);
  set_pattern(global, model.tree,
              choose_pattern(global.n, find_cliques(global, model.tree),
                             settings.tangent == TangentChoice::automatic ? TangentChoice::sparse
                                                                          : settings.tangent,
                             LanePlan{}));
  model.global = std::make_shared<const GlobalModel>(std::move(global));
  model.relative = std::move(relative);
  return model;
}

State make_initial_state(const Model& compiled, double t) {
  const Model& model = relative_model(compiled);
  State state;
  state.t = t;
  state.z = Eigen::VectorXd::Zero(model.n());
  state.zd = state.zdd = state.z;
  state.lambda = state.multipliers = Eigen::VectorXd::Zero(model.m());
  state.masses = Eigen::VectorXd::Ones(model.m());
  state.x = state.xd = Eigen::VectorXd::Zero(model.tree.states);
  state.A0.assign(at(model.tree.triads), Quaternion::Identity());
  state.origin = model.tree.initial_origin;
  state.switches = model.closures.switches;

  for (std::size_t j = 0; j < model.mechanism.joints.size(); ++j) {
    const Joint& joint = model.mechanism.joints[j];
    const TreeIndex t_index = model.tree.tree.branch_of_joint[j];
    if (t_index < 0) continue;
    const TreeBody& body = model.tree.bodies[at(t_index)];
    for (int k = body.motion_begin; k < body.motion_end; ++k) {
      const JointMotion& motion = model.tree.motions[at(k)];
      const auto first = at(motion.z - body.z);
      const bool triad = motion.kind == JointMotion::Kind::triad;
      for (std::size_t i = 0; i < (triad ? 3U : 1U); ++i) {
        const auto z = motion.z + static_cast<Eigen::Index>(i);
        if (!joint.velocity.empty()) state.zd[z] = joint.velocity[first + i];
        if (!joint.position.empty() && !triad) state.z[z] = joint.position[first + i];
      }
      if (triad && !joint.position.empty()) {
        const Eigen::Map<const Eigen::Vector3d> theta(joint.position.data() + first);
        state.A0[at(motion.triad)] = Quaternion(rotation_exp(motion.sign * theta));
      }
      // the file counts b against a; passed from b to a, the triad counts the other way
      if (triad && motion.sign < 0.0)
        state.zd.segment<3>(motion.z) =
            -(state.A0[at(motion.triad)].toRotationMatrix() * state.zd.segment<3>(motion.z)).eval();
    }
  }
  // slides of a free joint on the ground count from the origin, which starts on the reference body
  for (const bool place_origin : {true, false}) {
    for (std::size_t t_index = 1; t_index < model.tree.bodies.size(); ++t_index) {
      const TreeBody& body = model.tree.bodies[t_index];
      const bool reference = static_cast<TreeIndex>(t_index) == model.tree.reference_body;
      if (!body.floats || (place_origin && !reference)) continue;
      const Eigen::Vector3d place =
          body.X_PJ.p + body.X_PJ.A * Eigen::Vector3d(state.z.segment<3>(body.z));
      if (place_origin) {
        state.origin = round_origin(place);
      } else {
        state.z.segment<3>(body.z) = body.X_PJ.A.transpose() * (place - state.origin);
      }
    }
    if (!place_origin) break;
  }
  return state;
}

}  // namespace semirec
