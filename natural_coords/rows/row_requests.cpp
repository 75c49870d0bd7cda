#include "natural_coords/rows/row_requests.hpp"

#include "natural_coords/rows/measured_coordinates.hpp"
#include "topology/indices.hpp"

namespace semirec {

namespace {

class Collector {
 public:
  Collector(const Mechanism& mechanism, const TreeModel& tree)
      : mechanism_(mechanism), tree_(tree) {}

  RowRequests collect() {
    for (const Joint& joint : mechanism_.joints)
      if (joint.type != JointType::free) add_joint(joint);
    for (const Constraint& constraint : mechanism_.constraints) add_constraint(constraint);
    for (const PrescribedMotion& motion : mechanism_.motions) add_motion(motion);
    return std::move(out_);
  }

 private:
  RowRequest begin(const std::string& owner, const Attachment& a, const Attachment& b,
                   const std::optional<bool>& attached) {
    RowRequest row;
    row.a = a;
    row.b = b;
    row.owner = static_cast<int>(out_.owners.size());
    out_.owners.push_back(owner);
    if (attached) {
      row.switch_index = static_cast<int>(out_.switches.size());
      out_.switches.push_back({*attached, a.X_CF});
      out_.switch_a.push_back(a);
      out_.switch_b.push_back(b);
    }
    return row;
  }

  void add_joint(const Joint& joint) {
    RowRequest row =
        begin(joint.name, tree_.attach(joint.a), tree_.attach(joint.b), joint.attached);
    for (const ClosureRow& equation : joint_equations(joint.type)) {
      if (equation.kind == RowKind::point) row.kind = RowRequest::Kind::point;
      if (equation.kind == RowKind::along) row.kind = RowRequest::Kind::along;
      if (equation.kind == RowKind::dot) row.kind = RowRequest::Kind::dot;
      row.axis_a = equation.axis_a;
      row.axis_b = equation.axis_b;
      out_.rows.push_back(row);
    }
  }

  void add_constraint(const Constraint& constraint) {
    RowRequest row = begin(constraint.name, tree_.attach(constraint.a), tree_.attach(constraint.b),
                           constraint.attached);
    row.slide = tree_.bodies[at(row.a.body)].X_CB.A * constraint.slide_axis;
    row.slide_input = constraint.slide_input;
    if (constraint.type == ConstraintType::rod) {
      row.kind = RowRequest::Kind::rod;
      row.constant = constraint.length;
      row.input = constraint.length_input;
      out_.rows.push_back(row);
      return;
    }
    row.kind = RowRequest::Kind::along;
    const bool line = constraint.type == ConstraintType::point_on_line;
    row.constant = line ? 0.0 : constraint.length;
    row.input = line ? kNoInput : constraint.length_input;
    for (const int axis : line ? std::vector<int>{0, 1} : std::vector<int>{2}) {
      row.axis_a = axis;
      out_.rows.push_back(row);
    }
  }

  void add_motion(const PrescribedMotion& motion) {
    const int k =
        tree_.coordinate(mechanism_, motion.joint, motion.coordinate, motion.source, motion.name);
    const MeasuredCoordinate z = find_measured_coordinate(mechanism_, tree_, k);
    RowRequest row = begin(motion.name, {z.body_a, z.a}, {z.body_b, z.b}, std::nullopt);
    row.kind = z.kind == MotionKind::slide ? RowRequest::Kind::along : RowRequest::Kind::turn;
    row.axis_a = z.axis;
    row.axis_on_b = z.axis_on_b;
    row.input = motion.input;
    out_.rows.push_back(row);
  }

  const Mechanism& mechanism_;
  const TreeModel& tree_;
  RowRequests out_;
};

}  // namespace

RowRequests find_row_requests(const Mechanism& mechanism, const TreeModel& tree) {
  return Collector(mechanism, tree).collect();
}

}  // namespace semirec
