#include "natural_coords/closure.hpp"

#include <cmath>
#include <optional>

#include "natural_coords/closure_lanes.hpp"
#include "topology/indices.hpp"

namespace semirec {

namespace {

std::vector<ClosureRow> equations_of(ConstraintType type) {
  switch (type) {
    case ConstraintType::rod:
      return {{RowKind::rod, 0, 0}};
    case ConstraintType::point_on_line:
      return {{RowKind::along, 0, 0}, {RowKind::along, 1, 0}};
    case ConstraintType::point_in_plane:
      return {{RowKind::along, 2, 0}};
  }
  return {};
}

int row_count(const std::vector<ClosureRow>& equations) {
  int rows = 0;
  for (const ClosureRow& equation : equations) rows += row_count(equation.kind);
  return rows;
}

/// Places of the two sides at the current positions, for reports.
struct Sides {
  Eigen::Vector3d r_a, r_b;
  Eigen::Matrix3d A_a, A_b;
};

Sides sides_of(const Closure& closure, const TreeWorkspace& ws, const ClosureWorkspace& cws) {
  const Frame& X_CF =
      closure.switch_index < 0 ? closure.a.X_CF : cws.switches[at(closure.switch_index)].X_CF;
  Sides sides;
  sides.r_a = ws.position_of({closure.a.body, X_CF});
  sides.r_b = ws.position_of(closure.b);
  sides.A_a = ws.A_WC[at(closure.a.body)] * X_CF.A;
  sides.A_b = ws.A_WC[at(closure.b.body)] * closure.b.X_CF.A;
  if (closure.slide_input != kNoInput)
    sides.r_a +=
        ws.A_WC[at(closure.a.body)] * closure.slide_axis * ws.inputs[at(closure.slide_input)].f;
  return sides;
}

bool is_released(const Closure& closure, const ClosureWorkspace& cws) {
  return closure.switch_index >= 0 && !cws.switches[at(closure.switch_index)].attached;
}

}  // namespace

int row_count(RowKind kind) {
  return kind == RowKind::point ? 3 : (kind == RowKind::in_plane ? 2 : 1);
}

std::vector<ClosureRow> joint_equations(JointType type) {
  const ClosureRow points{RowKind::point, 0, 0};
  const ClosureRow x_across_z{RowKind::dot, 0, 2};
  const ClosureRow y_across_z{RowKind::dot, 1, 2};
  const ClosureRow x_across_y{RowKind::dot, 0, 1};
  const ClosureRow along_x{RowKind::along, 0, 0};
  const ClosureRow along_y{RowKind::along, 1, 0};
  const ClosureRow along_z{RowKind::along, 2, 0};
  switch (type) {
    case JointType::fixed:
      return {points, x_across_z, y_across_z, x_across_y};
    case JointType::revolute:
      return {points, x_across_z, y_across_z};
    case JointType::prismatic:
      return {along_x, along_y, x_across_z, y_across_z, x_across_y};
    case JointType::cylindrical:
      return {along_x, along_y, x_across_z, y_across_z};
    case JointType::universal:
      return {points, {RowKind::dot, 2, 0}};
    case JointType::spherical:
      return {points};
    case JointType::planar:
      return {along_z, x_across_z, y_across_z};
    case JointType::free:
      return {};
    case JointType::translational:
      return {x_across_z, y_across_z, x_across_y};
  }
  return {};
}

namespace {

constexpr double kSame = 1e-9;  // m, rad

/// What a side of a loop keeps, seen from the ancestor, however its joints move: the direction of
/// the cut joint's axis and how far along it the joint lies.
struct PlanarSide {
  Eigen::Vector3d axis;
  double offset = 0.0;
};

/// Nothing when some joint on the way turns about another direction or slides along the axis.
std::optional<PlanarSide> find_planar_side(const TreeModel& tree, const Attachment& side,
                                           TreeIndex ancestor) {
  Eigen::Vector3d axis = side.X_CF.A.col(2);
  Eigen::Vector3d point = side.X_CF.p;
  for (TreeIndex t = side.body; t != ancestor; t = tree.bodies[at(t)].parent) {
    const TreeBody& body = tree.bodies[at(t)];
    for (int k = body.motion_begin; k < body.motion_end; ++k) {
      const JointMotion& motion = tree.motions[at(k)];
      const Eigen::Vector3d own = Eigen::Vector3d::Unit(motion.axis);
      if (motion.kind == JointMotion::Kind::triad) return std::nullopt;
      if (motion.kind == JointMotion::Kind::turn && axis.cross(own).norm() > kSame)
        return std::nullopt;
      if (motion.kind == JointMotion::Kind::slide && std::abs(axis.dot(own)) > kSame)
        return std::nullopt;
    }
    // turns about the axis leave what lies along it
    point = body.X_PJ.p + body.X_PJ.A * point;
    axis = body.X_PJ.A * axis;
  }
  return PlanarSide{axis, axis.dot(point)};
}

/// A cut hinge that closes a loop which moves in a plane across its axis: the loop itself then
/// keeps the axes parallel and the sides together along them, and two rows are left of five.
void keep_rows_in_the_plane(const TreeModel& tree, Closure& closure) {
  const auto a = find_planar_side(tree, closure.a, closure.ancestor);
  const auto b = find_planar_side(tree, closure.b, closure.ancestor);
  if (!a || !b || (a->axis - b->axis).norm() > kSame || std::abs(a->offset - b->offset) > kSame)
    return;
  closure.equations = {{RowKind::in_plane, 0, 0}};
  closure.plane = make_frame(Eigen::Vector3d::Zero(), a->axis).A;
}

}  // namespace

ClosureWorkspace::ClosureWorkspace(const ClosureModel& model)
    : switches(model.switches),
      Phi(Eigen::VectorXd::Zero(model.m)),
      Phid(Eigen::VectorXd::Zero(model.m)),
      Phidd(Eigen::VectorXd::Zero(model.m)),
      Phi_z(at(model.jacobian_size), 0.0),
      places(model.groups ? model.groups->size() : 0) {}

ClosureModel make_closure_model(const Mechanism& mechanism, TreeModel& tree) {
  ClosureModel model;
  const auto add = [&](Closure closure, std::vector<int> columns) {
    RowBlock block;
    block.row = model.m;
    block.rows = row_count(closure.equations);
    block.jacobian = model.jacobian_size;
    block.columns = std::move(columns);
    model.m += block.rows;
    model.jacobian_size += block.rows * static_cast<int>(block.columns.size());
    model.blocks.push_back(std::move(block));
    model.closures.push_back(std::move(closure));
  };
  const auto columns_between = [&](const Marker& a, const Marker& b) {
    return tree.connections[at(tree.connect(a.body, b.body))].path.coordinates;
  };
  const auto between = [&](const std::string& name, const Source& source, const Marker& a,
                           const Marker& b, std::vector<ClosureRow> equations) {
    Closure closure;
    closure.name = name;
    closure.source = source;
    closure.equations = std::move(equations);
    closure.a = tree.attach(a);
    closure.b = tree.attach(b);
    const LoopPath path = tree.connections[at(tree.connect(a.body, b.body))].path;
    closure.ancestor = path.ancestor;
    closure.sign = path.sign;
    return closure;
  };

  const auto add_switch = [&](Closure& closure, const std::optional<bool>& attached) {
    if (!attached) return;
    closure.switch_index = static_cast<int>(model.switches.size());
    model.switches.push_back({*attached, closure.a.X_CF});
  };

  for (const CutJoint& cut : tree.tree.cuts) {
    const Joint& joint = mechanism.joints[at(cut.joint)];
    Closure closure =
        between(joint.name, joint.source, joint.a, joint.b, joint_equations(joint.type));
    add_switch(closure, joint.attached);
    if (joint.type == JointType::revolute && !joint.attached) keep_rows_in_the_plane(tree, closure);
    add(std::move(closure), columns_between(joint.a, joint.b));
  }
  for (const Constraint& constraint : mechanism.constraints) {
    Closure closure = between(constraint.name, constraint.source, constraint.a, constraint.b,
                              equations_of(constraint.type));
    closure.length = constraint.length;
    closure.length_input = constraint.length_input;
    closure.slide_axis = tree.bodies[at(closure.a.body)].X_CB.A * constraint.slide_axis;
    closure.slide_input = constraint.slide_input;
    add_switch(closure, constraint.attached);
    add(std::move(closure), columns_between(constraint.a, constraint.b));
  }
  for (const PrescribedMotion& motion : mechanism.motions) {
    Closure closure;
    closure.name = motion.name;
    closure.source = motion.source;
    closure.equations = {{RowKind::coordinate, 0, 0}};
    closure.coordinate =
        tree.coordinate(mechanism, motion.joint, motion.coordinate, motion.source, motion.name);
    closure.motion_input = motion.input;
    closure.sign = {1.0};
    std::vector<int> columns{closure.coordinate};
    model.motions.push_back(static_cast<int>(model.closures.size()));
    add(std::move(closure), std::move(columns));
  }
  model.groups = std::make_shared<const std::vector<ClosureGroup>>(
      make_closure_groups(tree, model.closures, model.blocks));
  return model;
}

void set_slots(ClosureModel& model, const SymmetricPattern& pattern) {
  for (RowBlock& block : model.blocks) block.slots = pattern.block_slots(block.columns);
  for (RowBlock& leader : model.blocks) {
    leader.lane_slots.clear();
    if (leader.lanes != kLanes) continue;
    bool in_a_row = true;
    for (std::size_t e = 0; e < leader.slots.size(); ++e)
      for (int l = 1; l < kLanes; ++l)
        in_a_row =
            in_a_row && model.blocks[at(leader.members[at(l)])].slots[e] == leader.slots[e] + l;
    if (in_a_row) leader.lane_slots = leader.slots;
  }
}

Vector6 closure_wrench(const Closure& closure, const TreeWorkspace& ws, const ClosureWorkspace& cws,
                       const double* lambda) {
  Vector6 wrench = Vector6::Zero();
  if (closure.coordinate >= 0 || is_released(closure, cws)) return wrench;
  const Sides s = sides_of(closure, ws, cws);
  const Eigen::Vector3d d = s.r_b - s.r_a;
  for (const ClosureRow& equation : closure.equations) {
    switch (equation.kind) {
      case RowKind::point: {
        const Eigen::Map<const Eigen::Vector3d> l(lambda);
        const Eigen::Vector3d force = ws.A_WC[at(closure.ancestor)] * l;
        wrench -= make_line(s.r_b, force);
        lambda += 3;
        break;
      }
      case RowKind::in_plane: {
        const Eigen::Matrix3d axes = ws.A_WC[at(closure.ancestor)] * closure.plane;
        wrench -= make_line(s.r_b, axes.col(0) * lambda[0] + axes.col(1) * lambda[1]);
        lambda += 2;
        break;
      }
      case RowKind::along:
        wrench -= *lambda++ * make_line(s.r_b, s.A_a.col(equation.axis_a));
        break;
      case RowKind::dot: {
        const Eigen::Vector3d u = s.A_a.col(equation.axis_a);
        const Eigen::Vector3d v = s.A_b.col(equation.axis_b);
        wrench -= *lambda++ * make_six(Eigen::Vector3d::Zero(), v.cross(u));
        break;
      }
      case RowKind::rod:
        wrench -= *lambda++ * make_line(s.r_b, d / closure.length);
        break;
      case RowKind::coordinate:
        break;
    }
  }
  return wrench;
}

Eigen::MatrixXd dense_jacobian(const std::vector<RowBlock>& blocks,
                               const std::vector<double>& values, int m, int n) {
  Eigen::MatrixXd Phi_z(m, n);
  fill_jacobian(blocks, values, Phi_z);
  return Phi_z;
}

Eigen::MatrixXd dense_jacobian(const ClosureModel& model, const ClosureWorkspace& cws, int n) {
  return dense_jacobian(model.blocks, cws.Phi_z, model.m, n);
}

void fill_jacobian(const std::vector<RowBlock>& blocks, const std::vector<double>& values,
                   Eigen::MatrixXd& Phi_z) {
  Phi_z.setZero();
  for (const RowBlock& block : blocks) {
    const auto size = static_cast<int>(block.columns.size());
    for (int r = 0; r < block.rows; ++r) {
      const auto entry = [&](int k) {
        return values[at(block.jacobian + block.stride * (r * size + k))];
      };
      double largest = 0.0;
      for (int k = 0; k < size; ++k)
        if (!(std::abs(entry(k)) <= largest)) largest = std::abs(entry(k));
      if (largest <= kZeroRow) continue;
      for (int k = 0; k < size; ++k) Phi_z(block.row + r, block.columns[at(k)]) = entry(k);
    }
  }
}

}  // namespace semirec
