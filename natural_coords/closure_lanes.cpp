#include "natural_coords/closure_lanes.hpp"

#include <algorithm>
#include <tuple>

#include "natural_coords/closure.hpp"
#include "topology/indices.hpp"

namespace semirec {

namespace {

/// What closures of one group have in common.
auto likeness(const Closure& closure) {
  std::vector<int> equations;
  for (const ClosureRow& equation : closure.equations) {
    equations.push_back(static_cast<int>(equation.kind));
    equations.push_back(3 * equation.axis_a + equation.axis_b);
  }
  return std::tuple(equations, closure.sign, closure.a.body == 0, closure.b.body == 0,
                    closure.ancestor == 0, closure.ancestor == closure.a.body,
                    closure.ancestor == closure.b.body);
}

class Grouper {
 public:
  Grouper(const TreeModel& tree, const std::vector<Closure>& closures,
          std::vector<RowBlock>& blocks)
      : tree_(tree), closures_(closures), blocks_(blocks) {}

  std::vector<ClosureGroup> make() {
    std::vector<int> order;
    for (std::size_t c = 0; c < closures_.size(); ++c)
      if (closures_[c].coordinate < 0) order.push_back(static_cast<int>(c));
    // side by side as the bodies are
    const LanePlan& plan = *tree_.lanes;
    const bool by_kind = !plan.one_by_one;
    const auto place = [&](int c) {
      const TreeIndex b = std::max(closures_[at(c)].a.body, closures_[at(c)].b.body);
      return std::pair(plan.group_of_body[at(b)], plan.lane_of_body[at(b)]);
    };
    std::stable_sort(order.begin(), order.end(), [&](int c, int d) {
      if (by_kind && likeness(closures_[at(c)]) != likeness(closures_[at(d)]))
        return likeness(closures_[at(c)]) < likeness(closures_[at(d)]);
      return place(c) < place(d);
    });
    std::vector<int> lanes;
    for (const int c : order) {
      const bool alone = closures_[at(c)].switch_index >= 0 || !by_kind;
      const bool joins = !lanes.empty() && static_cast<int>(lanes.size()) < kLanes && !alone &&
                         closures_[at(lanes.back())].switch_index < 0 &&
                         likeness(closures_[at(c)]) == likeness(closures_[at(lanes.front())]) &&
                         place(c).first == place(lanes.front()).first;
      if (!joins && !lanes.empty()) {
        add(lanes);
        lanes.clear();
      }
      lanes.push_back(c);
    }
    if (!lanes.empty()) add(lanes);
    for (std::size_t c = 0; c < closures_.size(); ++c)
      if (closures_[c].coordinate >= 0) blocks_[c].jacobian = next_++;
    return std::move(groups_);
  }

 private:
  void add(const std::vector<int>& lanes) {
    ClosureGroup group;
    group.count = static_cast<int>(lanes.size());
    for (int l = 0; l < kLanes; ++l) group.closure[at(l)] = lanes[at(l < group.count ? l : 0)];
    const auto of_lane = [&](int l) -> const Closure& {
      return closures_[at(group.closure[at(l)])];
    };
    std::array<TreeIndex, kLanes> a{};
    std::array<TreeIndex, kLanes> b{};
    std::array<TreeIndex, kLanes> ancestor{};
    for (int l = 0; l < kLanes; ++l) {
      const Closure& closure = of_lane(l);
      a[at(l)] = closure.a.body;
      b[at(l)] = closure.b.body;
      ancestor[at(l)] = closure.ancestor;
      group.row[at(l)] = blocks_[at(group.closure[at(l)])].row;
      put_frame(group.a, l, closure.a.X_CF);
      put_frame(group.b, l, closure.b.X_CF);
      put_three(group.slide_axis, l, closure.slide_axis);
      put_matrix(group.plane, l, closure.plane);
      group.length[l] = closure.length;
      group.has_inputs =
          group.has_inputs || closure.length_input != kNoInput || closure.slide_input != kNoInput;
    }
    for (const ClosureRow& equation : of_lane(0).equations)
      group.has_axes =
          group.has_axes || equation.kind == RowKind::along || equation.kind == RowKind::dot;
    group.a.body = find_place(*tree_.lanes, a, group.count);
    group.b.body = find_place(*tree_.lanes, b, group.count);
    group.ancestor = find_place(*tree_.lanes, ancestor, group.count);
    group.switch_index = of_lane(0).switch_index;
    add_columns(group);
    lay_out_rows(group);
    groups_.push_back(group);
  }

  void add_columns(ClosureGroup& group) const {
    const Closure& first = closures_[at(group.closure[0])];
    for (std::size_t k = 0; k < first.sign.size(); ++k) {
      LaneColumn column;
      column.sign = first.sign[k];
      for (int l = 0; l < kLanes; ++l)
        column.coordinate[at(l)] = blocks_[at(group.closure[at(l)])].columns[k];
      for (std::size_t c = 0; c < tree_.lanes->columns.size(); ++c) {
        bool same = true;
        for (int l = 0; l < group.count; ++l)
          same = same && tree_.lanes->columns[c][at(l)] == column.coordinate[at(l)];
        if (same) column.column = static_cast<int>(c);
      }
      group.columns.push_back(column);
    }
  }

  void lay_out_rows(ClosureGroup& group) {
    int size = 0;
    for (int l = 0; l < group.count; ++l) {
      const RowBlock& block = blocks_[at(group.closure[at(l)])];
      size += block.rows * static_cast<int>(block.columns.size());
    }
    group.jacobian = next_;
    next_ += size;
    for (int l = 0; l < group.count; ++l) {
      RowBlock& block = blocks_[at(group.closure[at(l)])];
      block.jacobian = group.jacobian + l;
      block.stride = group.count;
      block.lanes = l == 0 ? group.count : 0;
      for (int i = 0; i < kLanes; ++i) block.members[at(i)] = group.closure[at(i)];
    }
  }

  static void put_three(Pack3& to, int l, const Eigen::Vector3d& v) {
    to.x[l] = v.x();
    to.y[l] = v.y();
    to.z[l] = v.z();
  }
  static void put_matrix(PackMatrix3& to, int l, const Eigen::Matrix3d& A) {
    put_three(to.x, l, A.col(0));
    put_three(to.y, l, A.col(1));
    put_three(to.z, l, A.col(2));
  }
  static void put_frame(LaneSide& side, int l, const Frame& X) {
    put_matrix(side.A, l, X.A);
    put_three(side.p, l, X.p);
  }

  const TreeModel& tree_;
  const std::vector<Closure>& closures_;
  std::vector<RowBlock>& blocks_;
  std::vector<ClosureGroup> groups_;
  int next_ = 0;
};

}  // namespace

std::vector<ClosureGroup> make_closure_groups(const TreeModel& tree,
                                              const std::vector<Closure>& closures,
                                              std::vector<RowBlock>& blocks) {
  return Grouper(tree, closures, blocks).make();
}

}  // namespace semirec
