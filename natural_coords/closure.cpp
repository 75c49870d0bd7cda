#include "natural_coords/closure.hpp"

#include <algorithm>

#include "natural_coords/point_vector.hpp"

namespace semirec {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

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
  for (const ClosureRow& equation : equations) rows += equation.kind == RowKind::point ? 3 : 1;
  return rows;
}

CurveValue input_of(const TreeWorkspace& ws, InputIndex input) {
  return input == kNoInput ? CurveValue{} : ws.inputs[at(input)];
}

/// Places of the two sides at the current positions.
struct Sides {
  Eigen::Vector3d r_a, r_b;
  Eigen::Matrix3d A_a, A_b;
  Eigen::Vector3d slide;  ///< world direction of a driven end
};

Sides sides_of(const Closure& closure, const TreeWorkspace& ws, const ClosureWorkspace& cws) {
  const Frame& X_CF =
      closure.switch_index < 0 ? closure.a.X_CF : cws.switches[at(closure.switch_index)].X_CF;
  Sides sides;
  sides.r_a = ws.position_of({closure.a.body, X_CF});
  sides.r_b = ws.position_of(closure.b);
  sides.A_a = ws.A_WC[at(closure.a.body)] * X_CF.A;
  sides.A_b = ws.A_WC[at(closure.b.body)] * closure.b.X_CF.A;
  sides.slide.setZero();
  if (closure.slide_input != kNoInput) {
    sides.slide = ws.A_WC[at(closure.a.body)] * closure.slide_axis;
    sides.r_a += sides.slide * ws.inputs[at(closure.slide_input)].f;
  }
  return sides;
}

bool is_released(const Closure& closure, const ClosureWorkspace& cws) {
  return closure.switch_index >= 0 && !cws.switches[at(closure.switch_index)].attached;
}

/// One row of Phi_z: sign * line . H over the closure's columns.
double* put_row(const Closure& closure, const RowBlock& block, const TreeWorkspace& ws,
                const Vector6& line, double* out) {
  const std::size_t size = block.columns.size();
  for (std::size_t k = 0; k < size; ++k)
    out[k] = closure.sign[k] * line.dot(ws.H[at(block.columns[k])]);
  return out + size;
}

}  // namespace

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
  }
  return {};
}

ClosureWorkspace::ClosureWorkspace(const ClosureModel& model)
    : switches(model.switches),
      Phi(Eigen::VectorXd::Zero(model.m)),
      Phid(Eigen::VectorXd::Zero(model.m)),
      Phidd(Eigen::VectorXd::Zero(model.m)),
      Phi_z(at(model.jacobian_size), 0.0) {}

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
  for (const Driver& driver : mechanism.drivers) {
    Closure closure;
    closure.name = driver.name;
    closure.source = driver.source;
    closure.equations = {{RowKind::coordinate, 0, 0}};
    closure.coordinate =
        tree.coordinate(mechanism, driver.joint, driver.coordinate, driver.source, driver.name);
    closure.driver_input = driver.input;
    closure.sign = {1.0};
    std::vector<int> columns{closure.coordinate};
    add(std::move(closure), std::move(columns));
  }
  return model;
}

void set_slots(ClosureModel& model, const SymmetricPattern& pattern) {
  for (RowBlock& block : model.blocks) block.slots = pattern.block_slots(block.columns);
}

void compute_closure_positions(const ClosureModel& model, const TreeWorkspace& ws,
                               ClosureWorkspace& cws, bool with_jacobian) {
  for (std::size_t c = 0; c < model.closures.size(); ++c) {
    const Closure& closure = model.closures[c];
    const RowBlock& block = model.blocks[c];
    double* Phi = cws.Phi.data() + block.row;
    double* Phi_z = cws.Phi_z.data() + block.jacobian;
    if (closure.coordinate >= 0) {
      const auto k = at(closure.coordinate);
      // the large parts first: their difference is exact, and Phi keeps the digits of z
      *Phi = ws.z[k] + (ws.z_offset[k] - ws.inputs[at(closure.driver_input)].f);
      *Phi_z = 1.0;
      continue;
    }
    if (is_released(closure, cws)) {
      std::fill_n(Phi, block.rows, 0.0);
      if (with_jacobian) std::fill_n(Phi_z, at(block.rows) * block.columns.size(), 0.0);
      continue;
    }
    const Sides s = sides_of(closure, ws, cws);
    const Eigen::Vector3d d = s.r_b - s.r_a;
    for (const ClosureRow& equation : closure.equations) {
      switch (equation.kind) {
        case RowKind::point: {
          const Eigen::Matrix3d& A_c = ws.A_WC[at(closure.ancestor)];
          Eigen::Map<Eigen::Vector3d>{Phi} = A_c.transpose() * d;
          Phi += 3;
          if (!with_jacobian) break;
          // velocity of the point of each side for a unit rate of each joint between
          const std::size_t size = block.columns.size();
          for (std::size_t k = 0; k < size; ++k) {
            const Eigen::Vector3d& r = closure.sign[k] > 0.0 ? s.r_b : s.r_a;
            const Eigen::Vector3d column =
                closure.sign[k] * (A_c.transpose() * velocity_at(ws.H[at(block.columns[k])], r));
            Phi_z[k] = column.x();
            Phi_z[size + k] = column.y();
            Phi_z[2 * size + k] = column.z();
          }
          Phi_z += 3 * size;
          break;
        }
        case RowKind::along: {
          const Eigen::Vector3d w = s.A_a.col(equation.axis_a);
          *Phi++ = d.dot(w) - closure.length - input_of(ws, closure.length_input).f;
          if (with_jacobian) Phi_z = put_row(closure, block, ws, make_line(s.r_b, w), Phi_z);
          break;
        }
        case RowKind::dot: {
          const Eigen::Vector3d u = s.A_a.col(equation.axis_a);
          const Eigen::Vector3d v = s.A_b.col(equation.axis_b);
          *Phi++ = u.dot(v);
          if (with_jacobian)
            Phi_z =
                put_row(closure, block, ws, make_six(Eigen::Vector3d::Zero(), v.cross(u)), Phi_z);
          break;
        }
        case RowKind::rod: {
          const double L = closure.length + input_of(ws, closure.length_input).f;
          *Phi++ = (d.squaredNorm() - L * L) / (2.0 * closure.length);
          if (with_jacobian)
            Phi_z = put_row(closure, block, ws, make_line(s.r_b, d / closure.length), Phi_z);
          break;
        }
        case RowKind::coordinate:
          break;
      }
    }
  }
}

void compute_closure_motions(const ClosureModel& model, const TreeWorkspace& ws,
                             ClosureWorkspace& cws) {
  for (std::size_t c = 0; c < model.closures.size(); ++c) {
    const Closure& closure = model.closures[c];
    const RowBlock& block = model.blocks[c];
    double* Phid = cws.Phid.data() + block.row;
    double* Phidd = cws.Phidd.data() + block.row;
    if (closure.coordinate >= 0) {
      const CurveValue& input = ws.inputs[at(closure.driver_input)];
      *Phid = ws.zd[at(closure.coordinate)] - input.fd;
      *Phidd = ws.zdd[at(closure.coordinate)] - input.fdd;
      continue;
    }
    if (is_released(closure, cws)) {
      std::fill_n(Phid, block.rows, 0.0);
      std::fill_n(Phidd, block.rows, 0.0);
      continue;
    }
    const Sides s = sides_of(closure, ws, cws);
    const RelativeMotion motion_a = relative_motion(ws, closure.ancestor, closure.a.body);
    const RelativeMotion motion_b = relative_motion(ws, closure.ancestor, closure.b.body);
    NaturalPoint p_a = carry_point(motion_a, s.r_a);
    const NaturalPoint p_b = carry_point(motion_b, s.r_b);
    if (closure.slide_input != kNoInput) {
      const CurveValue& slide = ws.inputs[at(closure.slide_input)];
      p_a.rd += s.slide * slide.fd;
      p_a.rdd += 2.0 * motion_a.Z.tail<3>().cross(s.slide) * slide.fd + s.slide * slide.fdd;
    }
    const Eigen::Vector3d d = p_b.r - p_a.r;
    const Eigen::Vector3d dd = p_b.rd - p_a.rd;
    const Eigen::Vector3d ddd = p_b.rdd - p_a.rdd;
    for (const ClosureRow& equation : closure.equations) {
      switch (equation.kind) {
        case RowKind::point: {
          const Eigen::Matrix3d& A_c = ws.A_WC[at(closure.ancestor)];
          Eigen::Map<Eigen::Vector3d>{Phid} = A_c.transpose() * dd;
          Eigen::Map<Eigen::Vector3d>{Phidd} = A_c.transpose() * ddd;
          Phid += 3;
          Phidd += 3;
          break;
        }
        case RowKind::along: {
          const NaturalVector w = carry_vector(motion_a, s.A_a.col(equation.axis_a));
          const CurveValue offset = input_of(ws, closure.length_input);
          *Phid++ = dd.dot(w.u) + d.dot(w.ud) - offset.fd;
          *Phidd++ = ddd.dot(w.u) + 2.0 * dd.dot(w.ud) + d.dot(w.udd) - offset.fdd;
          break;
        }
        case RowKind::dot: {
          const NaturalVector u = carry_vector(motion_a, s.A_a.col(equation.axis_a));
          const NaturalVector v = carry_vector(motion_b, s.A_b.col(equation.axis_b));
          *Phid++ = u.ud.dot(v.u) + u.u.dot(v.ud);
          *Phidd++ = u.udd.dot(v.u) + 2.0 * u.ud.dot(v.ud) + u.u.dot(v.udd);
          break;
        }
        case RowKind::rod: {
          CurveValue L = input_of(ws, closure.length_input);
          L.f += closure.length;
          *Phid++ = (d.dot(dd) - L.f * L.fd) / closure.length;
          *Phidd++ = (d.dot(ddd) + dd.dot(dd) - L.fd * L.fd - L.f * L.fdd) / closure.length;
          break;
        }
        case RowKind::coordinate:
          break;
      }
    }
  }
}

void compute_closure_velocities(const ClosureModel& model, const TreeWorkspace& ws,
                                ClosureWorkspace& cws) {
  for (std::size_t c = 0; c < model.closures.size(); ++c) {
    const Closure& closure = model.closures[c];
    double* Phid = cws.Phid.data() + model.blocks[c].row;
    if (closure.coordinate >= 0) {
      *Phid = ws.zd[at(closure.coordinate)] - ws.inputs[at(closure.driver_input)].fd;
      continue;
    }
    if (is_released(closure, cws)) {
      std::fill_n(Phid, model.blocks[c].rows, 0.0);
      continue;
    }
    const Sides s = sides_of(closure, ws, cws);
    const Vector6 Z_a = ws.relative_velocity(closure.ancestor, closure.a.body);
    const Vector6 Z_b = ws.relative_velocity(closure.ancestor, closure.b.body);
    const Eigen::Vector3d d = s.r_b - s.r_a;
    Eigen::Vector3d dd = velocity_at(Z_b, s.r_b) - velocity_at(Z_a, s.r_a);
    dd -= s.slide * input_of(ws, closure.slide_input).fd;
    for (const ClosureRow& equation : closure.equations) {
      switch (equation.kind) {
        case RowKind::point:
          Eigen::Map<Eigen::Vector3d>{Phid} = ws.A_WC[at(closure.ancestor)].transpose() * dd;
          Phid += 3;
          break;
        case RowKind::along: {
          const Eigen::Vector3d w = s.A_a.col(equation.axis_a);
          const Eigen::Vector3d wd = Z_a.tail<3>().cross(w);
          *Phid++ = dd.dot(w) + d.dot(wd) - input_of(ws, closure.length_input).fd;
          break;
        }
        case RowKind::dot: {
          const Eigen::Vector3d u = s.A_a.col(equation.axis_a);
          const Eigen::Vector3d v = s.A_b.col(equation.axis_b);
          *Phid++ = Z_a.tail<3>().cross(u).dot(v) + u.dot(Z_b.tail<3>().cross(v));
          break;
        }
        case RowKind::rod: {
          const CurveValue L = input_of(ws, closure.length_input);
          *Phid++ = (d.dot(dd) - (closure.length + L.f) * L.fd) / closure.length;
          break;
        }
        case RowKind::coordinate:
          break;
      }
    }
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
  Eigen::MatrixXd Phi_z = Eigen::MatrixXd::Zero(m, n);
  for (const RowBlock& block : blocks) {
    const auto size = static_cast<int>(block.columns.size());
    for (int r = 0; r < block.rows; ++r)
      for (int k = 0; k < size; ++k)
        Phi_z(block.row + r, block.columns[at(k)]) = values[at(block.jacobian + r * size + k)];
  }
  return Phi_z;
}

}  // namespace semirec
