#include "natural_coords/global/natural_layout.hpp"

#include <algorithm>
#include <cmath>

#include "natural_coords/closure.hpp"
#include "topology/indices.hpp"

namespace semirec {

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double kSamePlace = 1e-12;  // places and directions that coincide, m or rad
constexpr double kShortest = 1e-6;    // m, of a base vector
constexpr double kIndependent = 0.2;  // sine of the least angle between base vectors

/// Whether the origins of the joint's two frames stay together.
bool keeps_point(JointType type) {
  const std::vector<ClosureRow> rows = joint_equations(type);
  return std::any_of(rows.begin(), rows.end(),
                     [](const ClosureRow& row) { return row.kind == RowKind::point; });
}

/// Axes of the joint's frames that stay equal on both sides: z where two of a's axes stay across
/// it, all where three pairs of axes stay at right angles.
std::vector<int> kept_axes(JointType type) {
  const std::vector<ClosureRow> rows = joint_equations(type);
  const auto across = [&](int axis) {
    return std::count_if(rows.begin(), rows.end(), [&](const ClosureRow& row) {
      return row.kind == RowKind::dot && (axis < 0 || row.axis_b == axis);
    });
  };
  if (across(-1) == 3) return {2, 0, 1};
  if (across(2) == 2) return {2};
  return {};
}

/// A joint as one of its bodies sees it.
struct Link {
  JointType type = JointType::fixed;
  Frame own, other;  ///< its frames in the compiled frames of the two bodies
  TreeIndex body = 0;
};

/// Whether the joint lets its sides slide along a direction of the other body that both keep.
bool slides_along(const Link& link, const Vector3d& direction) {
  const std::vector<JointStep> steps = steps_of(link.type);
  return std::any_of(steps.begin(), steps.end(), [&](const JointStep& step) {
    return step.kind == MotionKind::slide &&
           std::abs(link.other.A.col(step.axis).dot(direction)) > kSamePlace;
  });
}

struct Candidate {
  bool point = true;
  int entity = -1;  ///< -1: new
  Vector3d local{0, 0, 0};
  int uses = 1;
};

class Designer {
 public:
  Designer(const Mechanism& mechanism, const TreeModel& tree) : tree_(tree) {
    layout_.bodies.resize(tree.bodies.size());
    links_.resize(tree.bodies.size());
    known_.resize(tree.bodies.size());
    for (const Joint& joint : mechanism.joints) {
      if (joint.attached || joint.type == JointType::free) continue;
      const Attachment a = tree.attach(joint.a);
      const Attachment b = tree.attach(joint.b);
      links_[at(a.body)].push_back({joint.type, a.X_CF, b.X_CF, b.body});
      links_[at(b.body)].push_back({joint.type, b.X_CF, a.X_CF, a.body});
    }
    for (std::size_t t = 1; t < tree.bodies.size(); ++t) {
      const TreeBranch& branch = tree.tree.branches[t];
      const Joint& joint = mechanism.joints[at(branch.joint)];
      const Marker& inboard = branch.reversed ? joint.b : joint.a;
      const Marker& outboard = branch.reversed ? joint.a : joint.b;
      inboard_.push_back(
          {joint.type, tree.attach(outboard).X_CF, tree.attach(inboard).X_CF, branch.parent});
    }
  }

  NaturalLayout design() {
    BodyLayout& ground = layout_.bodies[0];
    ground.immovable = true;
    ground.A = Matrix3d::Identity();
    for (std::size_t t = 1; t < layout_.bodies.size(); ++t) {
      const auto body = static_cast<TreeIndex>(t);
      find_constants(body);
      if (layout_.bodies[t].A) {
        lay_out_sliding(body);
      } else if (layout_.bodies[t].axis) {
        lay_out_planar(body);
      } else {
        lay_out_spatial(body);
      }
    }
    return std::move(layout_);
  }

 private:
  struct Known {
    int entity = -1;
    bool point = true;
    Vector3d local;
  };

  int add_entity(bool point, const Vector3d& constant, const Eigen::MatrixXd& S, TreeIndex body,
                 const Vector3d& local) {
    NaturalEntity entity;
    entity.point = point;
    entity.constant = constant;
    entity.S = S;
    entity.column = layout_.n;
    entity.body = body;
    entity.local = local;
    layout_.n += static_cast<int>(S.cols());
    layout_.entities.push_back(entity);
    return static_cast<int>(layout_.entities.size()) - 1;
  }

  /// World direction of a body's own one, where it never changes.
  std::optional<Vector3d> constant_direction(TreeIndex body, const Vector3d& direction) const {
    const BodyLayout& layout = layout_.bodies[at(body)];
    if (layout.A) return *layout.A * direction;
    if (!layout.axis) return {};
    const double along = direction.dot(*layout.axis_C);
    if ((direction - along * *layout.axis_C).norm() > kSamePlace) return {};
    return along * *layout.axis;
  }

  /// Height of the body's frame along a direction, where it never changes.
  std::optional<double> constant_height(TreeIndex body, const Vector3d& u) const {
    const BodyLayout& layout = layout_.bodies[at(body)];
    if (layout.immovable || (layout.slide && std::abs(layout.slide->dot(u)) < kSamePlace))
      return u.dot(layout.place - *layout.A * layout.x_0);
    if (layout.axis && layout.height && (*layout.axis - u).norm() < kSamePlace)
      return layout.height;
    if (layout.axis && layout.height && (*layout.axis + u).norm() < kSamePlace)
      return -*layout.height;
    return {};
  }

  /// Entity that a body has at a place or in a direction; made where it needs no coordinate.
  int find_known(TreeIndex body, bool point, const Vector3d& local) {
    for (const Known& known : known_[at(body)])
      if (known.point == point && (known.local - local).norm() < kSamePlace) return known.entity;
    const BodyLayout& layout = layout_.bodies[at(body)];
    int entity = -1;
    if (point && layout.immovable)
      entity = add_entity(true, layout.place + *layout.A * (local - layout.x_0),
                          Eigen::MatrixXd(3, 0), body, local);
    if (!point)
      if (const auto direction = constant_direction(body, local))
        entity = add_entity(false, *direction, Eigen::MatrixXd(3, 0), body, local);
    if (entity >= 0) known_[at(body)].push_back({entity, point, local});
    return entity;
  }

  void know(TreeIndex body, int entity, const Vector3d& local) {
    known_[at(body)].push_back({entity, layout_.entities[at(entity)].point, local});
  }

  void find_constants(TreeIndex body) {
    const Link& link = inboard_[at(body) - 1];
    const BodyLayout& parent = layout_.bodies[at(link.body)];
    BodyLayout& layout = layout_.bodies[at(body)];
    const std::vector<int> kept = kept_axes(link.type);
    const bool keeps_turn = kept.size() == 3;
    const int moves = degrees_of_freedom(link.type);
    if (keeps_turn && parent.A) {
      layout.A = *parent.A * link.other.A * link.own.A.transpose();
      layout.x_0 = link.own.p;
      layout.immovable = parent.immovable && moves == 0;
      if (parent.immovable) {
        layout.place = parent.place + *parent.A * (link.other.p - parent.x_0);
        if (moves == 1) layout.slide = *parent.A * link.other.A.col(2);
      }
      return;
    }
    Vector3d axis_P;
    if (keeps_turn && parent.axis) {
      axis_P = *parent.axis_C;
    } else if (kept.size() == 1) {
      axis_P = link.other.A.col(2);
    } else {
      return;
    }
    layout.axis = constant_direction(link.body, axis_P);
    if (!layout.axis) return;
    layout.axis_C = link.own.A * link.other.A.transpose() * axis_P;
    const auto height = constant_height(link.body, *layout.axis);
    if (!slides_along(link, axis_P) && height)
      layout.height = *height + axis_P.dot(link.other.p) - layout.axis_C->dot(link.own.p);
  }

  void lay_out_sliding(TreeIndex body) {
    BodyLayout& layout = layout_.bodies[at(body)];
    Eigen::MatrixXd S = Matrix3d::Identity();
    Vector3d constant = Vector3d::Zero();
    if (layout.immovable) S.resize(3, 0);
    if (layout.slide) S = *layout.slide;
    if (layout.immovable || layout.slide) constant = layout.place;
    layout.origin = add_entity(true, constant, S, body, layout.x_0);
    know(body, layout.origin, layout.x_0);
    for (int k = 0; k < 3; ++k) {
      layout.base[at(k)].plus = find_known(body, false, Vector3d::Unit(k));
      layout.X.col(k) = Vector3d::Unit(k);
    }
  }

  /// Points that neighbours have, points that they may take over, most used first.
  std::vector<Candidate> find_candidates(TreeIndex body, bool with_axes) {
    std::vector<Candidate> shared, fresh;
    const auto propose = [&](const Link& link, bool point, const Vector3d& own,
                             const Vector3d& other) {
      const bool ready = link.body == 0 || layout_.bodies[at(link.body)].origin >= 0;
      const int entity = ready ? find_known(link.body, point, other) : -1;
      std::vector<Candidate>& list = entity >= 0 ? shared : fresh;
      for (Candidate& candidate : list) {
        if (candidate.point != point || (candidate.local - own).norm() > kSamePlace) continue;
        ++candidate.uses;
        return;
      }
      list.push_back({point, entity, own, 1});
    };
    for (const Link& link : links_[at(body)]) {
      if (keeps_point(link.type)) propose(link, true, link.own.p, link.other.p);
      if (!with_axes) continue;
      for (const int axis : kept_axes(link.type))
        propose(link, false, link.own.A.col(axis), link.other.A.col(axis));
    }
    std::stable_sort(fresh.begin(), fresh.end(),
                     [](const Candidate& x, const Candidate& y) { return x.uses > y.uses; });
    // axes of several joints before points, which only two share
    std::stable_partition(fresh.begin(), fresh.end(),
                          [](const Candidate& c) { return !c.point && c.uses > 1; });
    shared.insert(shared.end(), fresh.begin(), fresh.end());
    return shared;
  }

  int take(TreeIndex body, const Candidate& candidate, const Eigen::MatrixXd& S,
           const Vector3d& constant) {
    const int entity = candidate.entity >= 0
                           ? candidate.entity
                           : add_entity(candidate.point, constant, S, body, candidate.local);
    know(body, entity, candidate.local);
    return entity;
  }

  void lay_out_planar(TreeIndex body) {
    BodyLayout& layout = layout_.bodies[at(body)];
    const Vector3d u = *layout.axis;
    const Vector3d u_C = *layout.axis_C;
    const Eigen::MatrixXd plane = make_frame(Vector3d::Zero(), u).A.leftCols<2>();
    const bool level = layout.height.has_value();
    const Eigen::MatrixXd S = level ? plane : Eigen::MatrixXd(Matrix3d::Identity());
    const auto constant = [&](const Vector3d& local) -> Vector3d {
      return level ? Vector3d(u * (*layout.height + u_C.dot(local))) : Vector3d::Zero();
    };
    std::vector<Candidate> candidates = find_candidates(body, /*with_axes=*/false);
    if (candidates.empty()) candidates.push_back({true, -1, tree_.bodies[at(body)].com, 1});
    const Candidate origin = candidates.front();
    layout.x_0 = origin.local;
    layout.origin = take(body, origin, S, constant(origin.local));

    layout.base[1].plus = find_known(body, false, u_C);
    layout.X.col(1) = u_C;
    layout.base[2].across = true;
    const auto in_plane = [&](const Vector3d& v) { return Vector3d(v - u_C.dot(v) * u_C); };
    for (const Candidate& candidate : candidates) {
      if (!level || in_plane(candidate.local - origin.local).norm() < kShortest) continue;
      layout.X.col(0) = candidate.local - origin.local;
      layout.base[0].plus = take(body, candidate, S, constant(candidate.local));
      layout.base[0].minus = layout.origin;
      break;
    }
    if (layout.base[0].plus < 0) {
      const Vector3d v = make_frame(Vector3d::Zero(), u_C).A.col(0);
      layout.X.col(0) = v;
      layout.base[0].plus = add_entity(false, Vector3d::Zero(), plane, body, v);
      know(body, layout.base[0].plus, v);
    }
    layout.X.col(2) = u_C.cross(layout.X.col(0));
  }

  void lay_out_spatial(TreeIndex body) {
    BodyLayout& layout = layout_.bodies[at(body)];
    const Eigen::MatrixXd S = Matrix3d::Identity();
    std::vector<Candidate> candidates = find_candidates(body, /*with_axes=*/true);
    auto origin = std::find_if(candidates.begin(), candidates.end(),
                               [](const Candidate& c) { return c.point; });
    if (origin == candidates.end()) {
      candidates.push_back({true, -1, tree_.bodies[at(body)].com, 1});
      origin = candidates.end() - 1;
    }
    layout.x_0 = origin->local;
    layout.origin = take(body, *origin, S, Vector3d::Zero());
    int count = 0;
    const auto independent = [&](const Vector3d& e) {
      Vector3d rest = e.normalized();
      Matrix3d Q = Matrix3d::Zero();
      for (int k = 0; k < count; ++k) {
        Vector3d q = layout.X.col(k);
        for (int i = 0; i < k; ++i) q -= Q.col(i).dot(q) * Q.col(i);
        Q.col(k) = q.normalized();
        rest -= Q.col(k).dot(rest) * Q.col(k);
      }
      return e.norm() > kShortest && rest.norm() > kIndependent;
    };
    for (const Candidate& candidate : candidates) {
      if (count == 3) break;
      const Vector3d e = candidate.point ? Vector3d(candidate.local - layout.x_0) : candidate.local;
      if (!independent(e)) continue;
      layout.X.col(count) = e;
      layout.base[at(count)].plus = take(body, candidate, S, Vector3d::Zero());
      if (candidate.point) layout.base[at(count)].minus = layout.origin;
      ++count;
    }
    for (int k = 0; count < 3; ++k) {
      // across what is there, or along an axis of the body
      Vector3d e = Vector3d::Unit(k % 3);
      if (count == 2) e = layout.X.col(0).cross(layout.X.col(1)).normalized();
      if (count == 1)
        e = (e - e.dot(layout.X.col(0)) / layout.X.col(0).squaredNorm() * layout.X.col(0))
                .normalized();
      if (!independent(e)) continue;
      layout.X.col(count) = e;
      layout.base[at(count)].plus = take(body, {false, -1, e, 1}, S, Vector3d::Zero());
      ++count;
    }
  }

  const TreeModel& tree_;
  NaturalLayout layout_;
  std::vector<std::vector<Link>> links_;
  std::vector<Link> inboard_;  ///< [tree index - 1], own: outboard frame, other: inboard frame
  std::vector<std::vector<Known>> known_;
};

}  // namespace

NaturalLayout make_natural_layout(const Mechanism& mechanism, const TreeModel& tree) {
  return Designer(mechanism, tree).design();
}

}  // namespace semirec
