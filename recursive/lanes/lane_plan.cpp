#include "recursive/lanes/lane_plan.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>

#include "recursive/lanes/lane_rows.hpp"
#include "recursive/tree_model.hpp"
#include "topology/indices.hpp"

namespace semirec {

namespace {

class Planner {
 public:
  Planner(const TreeModel& model, bool one_by_one) : model_(model), children_(model.bodies.size()) {
    plan_.one_by_one = one_by_one;
    const auto count = model.bodies.size();
    for (std::size_t t = 1; t < count; ++t)
      children_[at(model.bodies[t].parent)].push_back(static_cast<TreeIndex>(t));
    // joints are alike when their motions are; whole subtrees when their joints are
    alone_.resize(count);
    joint_kind_.resize(count);
    subtree_kind_.resize(count);
    std::map<std::vector<int>, int> kinds;
    const auto number_of = [&](const std::vector<int>& key) {
      return kinds.emplace(key, static_cast<int>(kinds.size())).first->second;
    };
    for (std::size_t t = count; t-- > 1;) {
      std::vector<int> key{-1};
      const TreeBody& body = model.bodies[t];
      for (int k = body.motion_begin; k < body.motion_end; ++k) {
        const JointMotion& motion = model.motions[at(k)];
        key.push_back(3 * static_cast<int>(motion.kind) + motion.axis);
      }
      joint_kind_[t] = number_of(key);
      std::map<int, int> alike;
      for (const TreeIndex child : children_[t])
        if (2 * ++alike[subtree_kind_[at(child)]] > kLanes) alone_[t] = 1;
      std::vector<int> subtree{joint_kind_[t]};
      for (const TreeIndex child : children_[t]) subtree.push_back(subtree_kind_[at(child)]);
      std::sort(subtree.begin() + 1, subtree.end());
      subtree_kind_[t] = number_of(subtree);
    }
    plan_.group_of_body.assign(count, -1);
    plan_.lane_of_body.assign(count, 0);
  }

  LanePlan make() {
    if (plan_.one_by_one)
      for (std::size_t t = 1; t < model_.bodies.size(); ++t) add_group({static_cast<TreeIndex>(t)});
    else
      place_by_kind();
    for (LaneGroup& group : plan_.groups) find_inboard_columns(group);
    plan_.all_groups.resize(plan_.groups.size());
    std::iota(plan_.all_groups.begin(), plan_.all_groups.end(), 0);
    return std::move(plan_);
  }

 private:
  void place_by_kind() {
    place_children({0});
    for (std::size_t g = 0; g < plan_.groups.size(); ++g) {
      const LaneGroup& group = plan_.groups[g];
      place_children(
          {group.body.begin(), group.body.begin() + static_cast<std::ptrdiff_t>(group.count)});
    }
  }

  /// Groups of the children of bodies that lie side by side.
  void place_children(const std::vector<TreeIndex>& parents) {
    const auto by_kind = [&](TreeIndex a, TreeIndex b) {
      return std::pair(joint_kind_[at(a)], subtree_kind_[at(a)]) <
             std::pair(joint_kind_[at(b)], subtree_kind_[at(b)]);
    };
    std::vector<std::vector<TreeIndex>> left;
    for (const TreeIndex parent : parents) {
      left.push_back(children_[at(parent)]);
      std::stable_sort(left.back().begin(), left.back().end(), by_kind);
    }
    // one parent: its like children side by side; several: one child of each
    while (true) {
      std::vector<TreeIndex> lanes;
      for (auto& list : left) {
        while (!list.empty() && static_cast<int>(lanes.size()) < kLanes &&
               (lanes.empty() || join(list.front(), lanes.front()))) {
          lanes.push_back(list.front());
          list.erase(list.begin());
          if (parents.size() > 1) break;
        }
      }
      if (lanes.empty()) return;
      add_group(lanes);
    }
  }

  bool join(TreeIndex a, TreeIndex b) const {
    return joint_kind_[at(a)] == joint_kind_[at(b)] && alone_[at(a)] == 0 && alone_[at(b)] == 0;
  }

  void add_group(const std::vector<TreeIndex>& lanes) {
    LaneGroup group;
    group.count = static_cast<int>(lanes.size());
    const auto index = static_cast<int>(plan_.groups.size());
    for (int l = 0; l < kLanes; ++l) {
      const TreeIndex t = lanes[at(std::min(l, group.count - 1) == l ? l : 0)];
      group.body[at(l)] = t;
      if (l < group.count) {
        plan_.group_of_body[at(t)] = index;
        plan_.lane_of_body[at(t)] = l;
      }
      fill_lane(group, l, model_.bodies[at(t)]);
    }
    std::array<TreeIndex, kLanes> parents{};
    for (int l = 0; l < kLanes; ++l) parents[at(l)] = model_.bodies[at(group.body[at(l)])].parent;
    group.parent = find_place(plan_, parents, group.count);
    add_motions(group);
    plan_.groups.push_back(group);
  }

  static void fill_lane(LaneGroup& group, int l, const TreeBody& body) {
    const auto put = [&](Pack& pack, double value) { pack[l] = value; };
    const auto put_three = [&](Pack3& pack, const Eigen::Vector3d& v) {
      put(pack.x, v.x());
      put(pack.y, v.y());
      put(pack.z, v.z());
    };
    put_three(group.X_A.x, body.X_PJ.A.col(0));
    put_three(group.X_A.y, body.X_PJ.A.col(1));
    put_three(group.X_A.z, body.X_PJ.A.col(2));
    put_three(group.X_p, body.X_PJ.p);
    put(group.rests, body.floats ? 0.0 : 1.0);
    const double here = l < group.count ? 1.0 : 0.0;
    put(group.mass, here * body.mass);
    put_three(group.com, body.com);
    const Eigen::Matrix3d J = here * body.inertia;
    put(group.inertia.xx, J(0, 0));
    put(group.inertia.yy, J(1, 1));
    put(group.inertia.zz, J(2, 2));
    put(group.inertia.xy, J(0, 1));
    put(group.inertia.xz, J(0, 2));
    put(group.inertia.yz, J(1, 2));
  }

  void add_motions(LaneGroup& group) {
    const TreeBody& first = model_.bodies[at(group.body[0])];
    group.column_begin = static_cast<int>(plan_.columns.size());
    group.column_count = first.degrees_of_freedom;
    group.motion_begin = static_cast<int>(plan_.motions.size());
    for (int k = first.motion_begin; k < first.motion_end; ++k) {
      const JointMotion& motion = model_.motions[at(k)];
      LaneMotion lane_motion;
      lane_motion.kind = motion.kind;
      lane_motion.axis = motion.axis;
      lane_motion.column = group.column_begin + motion.z - first.z;
      std::array<int, kLanes> triads{};
      for (int l = 0; l < kLanes; ++l) {
        const TreeBody& body = model_.bodies[at(group.body[at(l)])];
        const JointMotion& own = model_.motions[at(body.motion_begin + k - first.motion_begin)];
        lane_motion.sign[l] = own.sign;
        triads[at(l)] = own.triad;
      }
      if (motion.kind == JointMotion::Kind::triad) {
        lane_motion.triads = static_cast<int>(plan_.triads.size());
        plan_.triads.push_back(triads);
      }
      plan_.motions.push_back(lane_motion);
    }
    group.motion_end = static_cast<int>(plan_.motions.size());
    for (int k = 0; k < group.column_count; ++k) {
      std::array<int, kLanes> column{};
      for (int l = 0; l < kLanes; ++l) column[at(l)] = model_.bodies[at(group.body[at(l)])].z + k;
      plan_.columns.push_back(column);
      plan_.unit_slide.push_back(group.count > 1 ? -1 : find_unit_slide(first, k));
    }
  }

  /// The world axis along which the k-th coordinate of a body's joint slides at all times: it
  /// stands on the ground, and no motion before turns.
  int find_unit_slide(const TreeBody& body, int k) const {
    if (body.parent != 0) return -1;
    for (int m = body.motion_begin; m < body.motion_end; ++m) {
      const JointMotion& motion = model_.motions[at(m)];
      if (motion.kind != JointMotion::Kind::slide) return -1;
      if (motion.z != body.z + k) continue;
      const Eigen::Vector3d along = motion.sign * body.X_PJ.A.col(motion.axis);
      for (int axis = 0; axis < 3; ++axis)
        if (along == Eigen::Vector3d::Unit(axis)) return axis;
    }
    return -1;
  }

  void find_inboard_columns(LaneGroup& group) const {
    if (group.count == 1 && !plan_.one_by_one) return;
    const LaneGroup* g = &group;
    while (g->parent.kind == LanePlace::Kind::lanewise) {
      g = &plan_.groups[at(g->parent.group)];
      for (int k = g->column_count; k-- > 0;) group.lanewise_columns.push_back(g->column_begin + k);
    }
    if (g->parent.kind == LanePlace::Kind::scattered) {
      group.scattered = true;
      return;
    }
    if (g->parent.kind == LanePlace::Kind::ground) return;
    for (TreeIndex t = model_.bodies[at(g->body[0])].parent; t > 0; t = model_.bodies[at(t)].parent)
      for (int k = 0; k < model_.bodies[at(t)].degrees_of_freedom; ++k)
        group.shared_columns.push_back(
            {model_.bodies[at(t)].z + k, find_unit_slide(model_.bodies[at(t)], k)});
  }

  const TreeModel& model_;
  std::vector<std::vector<TreeIndex>> children_;
  std::vector<int> joint_kind_, subtree_kind_;
  /// Bodies whose own children fill a register: beside another one of their kind they would spread
  /// those over the lanes instead, and a coupling of the two would tie the lanes together.
  std::vector<char> alone_;
  LanePlan plan_;
};

}  // namespace

LanePlace find_place(const LanePlan& plan, const std::array<TreeIndex, kLanes>& bodies, int count) {
  LanePlace place;
  place.count = count;
  bool shared = true;
  bool lanewise = true;
  for (int l = 0; l < kLanes; ++l) {
    place.groups[at(l)] = plan.group_of_body[at(bodies[at(l)])];
    place.lanes[at(l)] = plan.lane_of_body[at(bodies[at(l)])];
    if (l >= count) continue;
    shared = shared && bodies[at(l)] == bodies[0];
    lanewise = lanewise && place.groups[at(l)] == place.groups[0] && place.lanes[at(l)] == l;
  }
  place.group = place.groups[0];
  place.lane = place.lanes[0];
  using Kind = LanePlace::Kind;
  place.kind = shared && bodies[0] == 0     ? Kind::ground
               : shared && !plan.one_by_one ? Kind::shared
               : lanewise                   ? Kind::lanewise
                                            : Kind::scattered;
  return place;
}

std::vector<int> groups_to_reach(const LanePlan& plan, const std::vector<TreeIndex>& bodies) {
  std::vector<char> reached(plan.groups.size(), 0);
  for (const TreeIndex body : bodies)
    if (body > 0) reached[at(plan.group_of_body[at(body)])] = 1;
  // parents come before children: from the tips down each group asks for those that it reads
  for (std::size_t g = plan.groups.size(); g-- > 0;) {
    if (reached[g] == 0) continue;
    for (const int parent : plan.groups[g].parent.groups)
      if (parent >= 0) reached[at(parent)] = 1;
  }
  std::vector<int> groups;
  for (const int g : plan.all_groups)
    if (reached[at(g)] != 0) groups.push_back(g);
  return groups;
}

LanePlan make_lane_plan(const TreeModel& model, bool one_by_one) {
  return Planner(model, one_by_one).make();
}

namespace {

void add_group_slots(LanePlan& plan, LaneGroup& group, const SymmetricPattern& pattern) {
  group.slot_begin = static_cast<int>(plan.slots.size());
  if (group.count == 1 || group.scattered) return;
  const bool has_rows = pattern.kind() == PatternKind::lanes;
  const auto add = [&](int row, auto&& column_of_lane) {
    std::array<int, kLanes> slots{};
    // an unused lane repeats the first one, which need not share a path with the column's
    for (int l = 0; l < group.count; ++l)
      slots[at(l)] = pattern.slot(plan.columns[at(row)][at(l)], column_of_lane(l));
    // a row of packs has room for unused lanes too
    bool in_a_row = has_rows && pattern.lane_rows().row_of[at(plan.columns[at(row)][0])] >= 0;
    for (int l = 0; l < group.count; ++l) in_a_row = in_a_row && slots[at(l)] == slots[0] + l;
    if (in_a_row) slots[1] = -1;
    plan.slots.push_back(slots);
  };
  for (int k = group.column_begin; k < group.column_begin + group.column_count; ++k) {
    for (int j = group.column_begin; j <= k; ++j)
      add(k, [&](int l) { return plan.columns[at(j)][at(l)]; });
    for (const int j : group.lanewise_columns)
      add(k, [&](int l) { return plan.columns[at(j)][at(l)]; });
    for (const auto& column : group.shared_columns) add(k, [&](int) { return column.coordinate; });
  }
}

void add_group_blocks(LanePlan& plan, LaneGroup& group, const SymmetricPattern& pattern) {
  const auto slot = [&](int k, int j) {
    return pattern.slot(plan.columns[at(k)][0], plan.columns[at(j)][0]);
  };
  group.block_begin = static_cast<int>(plan.blocks.size());
  const int end = group.column_begin + group.column_count;
  for (int first = group.column_begin; first < end; first += LaneBlock::kMost) {
    LaneBlock block{first, std::min(LaneBlock::kMost, end - first),
                    static_cast<int>(plan.runs.size())};
    const auto add = [&](int j) {
      LaneRun run{.column = j, .count = 1, .slide = plan.unit_slide[at(j)]};
      for (int m = 0; m < block.count; ++m) run.slot[at(m)] = slot(first + m, j);
      if (at(block.run_begin) < plan.runs.size()) {
        LaneRun& last = plan.runs.back();
        bool goes_on = last.column + last.count == j &&
                       (last.slide < 0 ? run.slide < 0 : last.slide + last.count == run.slide);
        for (int m = 0; m < block.count; ++m)
          goes_on = goes_on && last.slot[at(m)] + last.count == run.slot[at(m)];
        if (goes_on) {
          ++last.count;
          return;
        }
      }
      plan.runs.push_back(run);
    };
    for (auto j = group.lanewise_columns.rbegin(); j != group.lanewise_columns.rend(); ++j) add(*j);
    for (int j = group.column_begin; j < first; ++j) add(j);
    block.run_end = static_cast<int>(plan.runs.size());
    std::size_t entry = 0;
    for (int m = 0; m < block.count; ++m)
      for (int n = 0; n <= m; ++n) block.own[entry++] = slot(first + m, first + n);
    plan.blocks.push_back(block);
  }
  group.block_end = static_cast<int>(plan.blocks.size());
}

}  // namespace

void add_slots(LanePlan& plan, const SymmetricPattern& pattern) {
  plan.slots.clear();
  plan.blocks.clear();
  plan.runs.clear();
  if (pattern.size() == 0) return;
  for (LaneGroup& group : plan.groups)
    if (plan.one_by_one)
      add_group_blocks(plan, group, pattern);
    else
      add_group_slots(plan, group, pattern);
}

}  // namespace semirec
