#include <algorithm>

#include "natural_coords/closure.hpp"
#include "natural_coords/closure_lanes.hpp"
#include "recursive/lanes/lane_access.hpp"
#include "recursive/lanes/lane_workspace.hpp"
#include "topology/indices.hpp"

namespace semirec {

namespace {

bool is_released(const ClosureGroup& group, const ClosureWorkspace& cws) {
  return group.switch_index >= 0 && !cws.switches[at(group.switch_index)].attached;
}

Pack3 axis_of(const PackMatrix3& A, int axis) { return axis == 2 ? A.z : (axis == 0 ? A.x : A.y); }

/// Value, rate and second rate of the lanes' inputs. Copied number by number, as Pack3.
struct Inputs {
  Pack f, fd, fdd;

  Inputs() = default;
  Inputs(const Pack& value, const Pack& rate, const Pack& second)
      : f(value), fd(rate), fdd(second) {}
  Inputs(const Inputs& other) : f(other.f), fd(other.fd), fdd(other.fdd) {}
  Inputs& operator=(const Inputs& other) {
    f = other.f;
    fd = other.fd;
    fdd = other.fdd;
    return *this;
  }
  ~Inputs() = default;
};

Inputs inputs_of(const ClosureModel& model, const ClosureGroup& group, const TreeWorkspace& ws,
                 InputIndex Closure::*input) {
  Inputs inputs{Pack{}, Pack{}, Pack{}};
  for (int l = 0; l < group.count; ++l) {
    const InputIndex k = model.closures[at(group.closure[at(l)])].*input;
    if (k == kNoInput) continue;
    inputs.f[l] = ws.inputs[at(k)].f;
    inputs.fd[l] = ws.inputs[at(k)].fd;
    inputs.fdd[l] = ws.inputs[at(k)].fdd;
  }
  return inputs;
}

/// Places of the two sides at the current positions, and what drives them.
struct Sides {
  PackMatrix3 A_a, A_b;  ///< of the bodies
  const LaneSide* frame_a;
  const LaneSide* frame_b;
  Pack3 r_a, r_b, d;
  Pack3 slide;  ///< world direction of a driven end
  Inputs slides, lengths;

  Pack3 axis_a(int axis) const { return A_a * axis_of(frame_a->A, axis); }
  Pack3 axis_b(int axis) const { return A_b * axis_of(frame_b->A, axis); }
};

PackMatrix3 rotation_at(const LanePlace& place, const LaneWorkspace& lanes) {
  if (place.kind != LanePlace::Kind::ground) return at_place(place, lanes.A);
  const Pack one = broadcast(1.0);
  return {{one, Pack{}, Pack{}}, {Pack{}, one, Pack{}}, {Pack{}, Pack{}, one}};
}

/// The axes in which the rows of a point are written.
PackMatrix3 axes_of(const ClosureGroup& group, RowKind kind, const LaneWorkspace& lanes) {
  const PackMatrix3 A_c = rotation_at(group.ancestor, lanes);
  return kind == RowKind::in_plane ? A_c * group.plane : A_c;
}

Pack3 origin_at(const LanePlace& place, const TreeWorkspace& ws) {
  if (place.kind != LanePlace::Kind::ground) return at_place(place, ws.lanes->p);
  return {broadcast(ws.p[0].x()), broadcast(ws.p[0].y()), broadcast(ws.p[0].z())};
}

/// `moved`: the frame on side a of a closure that events have put elsewhere.
void find_sides(const ClosureModel& model, const ClosureGroup& group, const TreeWorkspace& ws,
                const ClosureWorkspace& cws, LaneSide& moved, Sides& s) {
  s.frame_a = &group.a;
  s.frame_b = &group.b;
  if (group.switch_index >= 0) {
    const Frame& X = cws.switches[at(group.switch_index)].X_CF;
    const auto spread = [](const Eigen::Vector3d& v) {
      return Pack3{broadcast(v.x()), broadcast(v.y()), broadcast(v.z())};
    };
    moved.A = {spread(X.A.col(0)), spread(X.A.col(1)), spread(X.A.col(2))};
    moved.p = spread(X.p);
    s.frame_a = &moved;
  }
  s.A_a = rotation_at(group.a.body, *ws.lanes);
  s.A_b = rotation_at(group.b.body, *ws.lanes);
  s.r_a = origin_at(group.a.body, ws) + s.A_a * s.frame_a->p;
  s.r_b = origin_at(group.b.body, ws) + s.A_b * s.frame_b->p;
  if (group.has_inputs) {
    s.slides = inputs_of(model, group, ws, &Closure::slide_input);
    s.lengths = inputs_of(model, group, ws, &Closure::length_input);
    s.slide = s.A_a * group.slide_axis;
    s.r_a += s.slides.f * s.slide;
  } else {
    const Pack zero{};
    s.slides = s.lengths = {zero, zero, zero};
    s.slide = {zero, zero, zero};
  }
  s.d = s.r_b - s.r_a;
}

/// Writes rows of an m-vector, one number a lane.
class RowWriter {
 public:
  RowWriter(const ClosureGroup& group, Eigen::VectorXd& out) : group_(group), out_(out.data()) {}
  void put(const Pack& value) {
    for (std::size_t l = 0; l < at(group_.count); ++l) out_[group_.row[l] + row_] = value[l];
    ++row_;
  }
  /// The first two or all three components.
  void put(const Pack3& value, int rows) {
    put(value.x);
    put(value.y);
    if (rows == 3) put(value.z);
  }

 private:
  const ClosureGroup& group_;
  double* out_;
  int row_ = 0;
};

PackSix column_of(const LaneColumn& column, int count, const TreeWorkspace& ws) {
  if (column.column >= 0)
    return each(ws.lanes->H[at(column.column)], [](const Pack& pack) { return pack; });
  return collect<PackSix>(column.coordinate, count, ws.H);
}

/// Fills the group's entries of Phi_z row by row; entries of the lanes lie side by side.
class JacobianWriter {
 public:
  JacobianWriter(const ClosureGroup& group, const TreeWorkspace& ws, ClosureWorkspace& cws)
      : group_(group), ws_(ws), out_(cws.Phi_z.data() + group.jacobian) {}

  /// One row: sign * line . H over the columns.
  void put_line(const PackSix& line) {
    for (const LaneColumn& column : group_.columns) {
      store(out_, column.sign * dot(line, column_of(column, group_.count, ws_)));
      out_ += group_.count;
    }
  }
  /// Two or three rows: velocity of the point of each side for a unit rate of each joint between,
  /// in `axes` that the ancestor carries.
  void put_points(const Sides& s, const PackMatrix3& axes, int rows) {
    const std::size_t size = group_.columns.size() * at(group_.count);
    for (const LaneColumn& column : group_.columns) {
      const PackSix H = column_of(column, group_.count, ws_);
      const Pack3& r = column.sign > 0.0 ? s.r_b : s.r_a;
      const Pack3 v = broadcast(column.sign) * transposed_times(axes, H.l + cross(H.a, r));
      store(out_, v.x);
      store(out_ + size, v.y);
      if (rows == 3) store(out_ + 2 * size, v.z);
      out_ += group_.count;
    }
    out_ += at(rows - 1) * size;
  }

 private:
  void store(double* to, const Pack& value) const {
    if (group_.count == kLanes) {
      store_loose(to, value);
      return;
    }
    for (std::size_t l = 0; l < at(group_.count); ++l) to[l] = value[l];
  }
  const ClosureGroup& group_;
  const TreeWorkspace& ws_;
  double* out_;
};

PackSix make_line(const Pack3& r, const Pack3& u) { return {u, cross(r, u)}; }

void evaluate_drivers(const ClosureModel& model, const TreeWorkspace& ws, ClosureWorkspace& cws) {
  for (const int c : model.motions) {
    const Closure& closure = model.closures[at(c)];
    const auto k = at(closure.coordinate);
    // the large parts first: their difference is exact, and Phi keeps the digits of z
    cws.Phi[model.blocks[at(c)].row] =
        ws.z[k] + (ws.z_offset[k] - ws.inputs[at(closure.motion_input)].f);
    cws.Phi_z[at(model.blocks[at(c)].jacobian)] = 1.0;
  }
}

void clear_rows(const ClosureModel& model, const ClosureGroup& group, Eigen::VectorXd& rows) {
  const RowBlock& block = model.blocks[at(group.closure[0])];
  rows.segment(block.row, block.rows).setZero();
}

}  // namespace

void compute_closure_positions(const ClosureModel& model, const TreeWorkspace& ws,
                               ClosureWorkspace& cws, bool with_jacobian) {
  evaluate_drivers(model, ws, cws);
  LaneSide moved;
  for (const ClosureGroup& group : *model.groups) {
    if (is_released(group, cws)) {
      clear_rows(model, group, cws.Phi);
      const RowBlock& block = model.blocks[at(group.closure[0])];
      if (with_jacobian)
        std::fill_n(cws.Phi_z.data() + group.jacobian, at(block.rows) * block.columns.size(), 0.0);
      continue;
    }
    Sides s;
    find_sides(model, group, ws, cws, moved, s);
    RowWriter Phi(group, cws.Phi);
    JacobianWriter Phi_z(group, ws, cws);
    for (const ClosureRow& equation : model.closures[at(group.closure[0])].equations) {
      switch (equation.kind) {
        case RowKind::point:
        case RowKind::in_plane: {
          const int rows = row_count(equation.kind);
          const PackMatrix3 axes = axes_of(group, equation.kind, *ws.lanes);
          Phi.put(transposed_times(axes, s.d), rows);
          if (with_jacobian) Phi_z.put_points(s, axes, rows);
          break;
        }
        case RowKind::along: {
          const Pack3 w = s.axis_a(equation.axis_a);
          Phi.put(dot(s.d, w) - group.length - s.lengths.f);
          if (with_jacobian) Phi_z.put_line(make_line(s.r_b, w));
          break;
        }
        case RowKind::dot: {
          const Pack3 u = s.axis_a(equation.axis_a);
          const Pack3 v = s.axis_b(equation.axis_b);
          Phi.put(dot(u, v));
          if (with_jacobian) Phi_z.put_line({zero_packs<Pack3>(), cross(v, u)});
          break;
        }
        case RowKind::rod: {
          const Pack L = group.length + s.lengths.f;
          const Pack inverse = 1.0 / group.length;
          Phi.put((0.5 * inverse) * (dot(s.d, s.d) - L * L));
          if (with_jacobian) Phi_z.put_line(make_line(s.r_b, inverse * s.d));
          break;
        }
        case RowKind::coordinate:
          break;
      }
    }
  }
}

namespace {

/// Motion of a body as if the ancestor were the ground: Z_i - Z_c, and its rate seen from there,
/// Zd_i - Zd_c - cross_motion(Z_c, Z_i - Z_c).
struct RelativeMotion {
  PackSix Z, Zd;
};

template <bool kWithAccelerations>
RelativeMotion motion_at(const LanePlace& place, const LanePlace& ancestor,
                         const LaneWorkspace& lanes) {
  const PackSix Z_c = at_place(ancestor, lanes.Z);
  RelativeMotion motion;
  motion.Z = at_place(place, lanes.Z) - Z_c;
  if constexpr (kWithAccelerations)
    motion.Zd =
        at_place(place, lanes.Zd) - at_place(ancestor, lanes.Zd) - cross_motion(Z_c, motion.Z);
  return motion;
}

/// A natural coordinate, a point or a unit vector, relative to the ancestor: rate and second rate.
struct Carried {
  Pack3 rate, second;
};

/// rd = [I -tilde(r)] Z, rdd = [I -tilde(r)] Zd + w x rd.
template <bool kWithAccelerations>
Carried carry_point(const RelativeMotion& motion, const Pack3& r) {
  Carried c;
  c.rate = motion.Z.l + cross(motion.Z.a, r);
  if constexpr (kWithAccelerations)
    c.second = motion.Zd.l + cross(motion.Zd.a, r) + cross(motion.Z.a, c.rate);
  return c;
}

/// ud = w x u, udd = wd x u + w x ud.
template <bool kWithAccelerations>
Carried carry_vector(const RelativeMotion& motion, const Pack3& u) {
  Carried c;
  c.rate = cross(motion.Z.a, u);
  if constexpr (kWithAccelerations) c.second = cross(motion.Zd.a, u) + cross(motion.Z.a, c.rate);
  return c;
}

template <bool kWithAccelerations>
void evaluate_motions(const ClosureModel& model, const TreeWorkspace& ws, ClosureWorkspace& cws) {
  for (const int c : model.motions) {
    const Closure& closure = model.closures[at(c)];
    const auto k = at(closure.coordinate);
    const Eigen::Index row = model.blocks[at(c)].row;
    const CurveValue& input = ws.inputs[at(closure.motion_input)];
    cws.Phid[row] = ws.zd[k] - input.fd;
    if constexpr (kWithAccelerations) cws.Phidd[row] = ws.zdd[k] - input.fdd;
  }
  LaneSide moved;
  for (const ClosureGroup& group : *model.groups) {
    if (is_released(group, cws)) {
      clear_rows(model, group, cws.Phid);
      if constexpr (kWithAccelerations) clear_rows(model, group, cws.Phidd);
      continue;
    }
    Sides s;
    find_sides(model, group, ws, cws, moved, s);
    const auto motion_a = motion_at<kWithAccelerations>(group.a.body, group.ancestor, *ws.lanes);
    const auto motion_b = motion_at<kWithAccelerations>(group.b.body, group.ancestor, *ws.lanes);
    Carried p_a = carry_point<kWithAccelerations>(motion_a, s.r_a);
    const Carried p_b = carry_point<kWithAccelerations>(motion_b, s.r_b);
    if (group.has_inputs) {
      p_a.rate += s.slides.fd * s.slide;
      if constexpr (kWithAccelerations)
        p_a.second += (2.0 * s.slides.fd) * cross(motion_a.Z.a, s.slide) + s.slides.fdd * s.slide;
    }
    const Pack3 dd = p_b.rate - p_a.rate;
    [[maybe_unused]] Pack3 ddd;
    if constexpr (kWithAccelerations) ddd = p_b.second - p_a.second;
    RowWriter Phid(group, cws.Phid);
    RowWriter Phidd(group, cws.Phidd);
    for (const ClosureRow& equation : model.closures[at(group.closure[0])].equations) {
      switch (equation.kind) {
        case RowKind::point:
        case RowKind::in_plane: {
          const int rows = row_count(equation.kind);
          const PackMatrix3 axes = axes_of(group, equation.kind, *ws.lanes);
          Phid.put(transposed_times(axes, dd), rows);
          if constexpr (kWithAccelerations) Phidd.put(transposed_times(axes, ddd), rows);
          break;
        }
        case RowKind::along: {
          const Pack3 u = s.axis_a(equation.axis_a);
          const Carried w = carry_vector<kWithAccelerations>(motion_a, u);
          Phid.put(dot(dd, u) + dot(s.d, w.rate) - s.lengths.fd);
          if constexpr (kWithAccelerations)
            Phidd.put(dot(ddd, u) + 2.0 * dot(dd, w.rate) + dot(s.d, w.second) - s.lengths.fdd);
          break;
        }
        case RowKind::dot: {
          const Pack3 u_a = s.axis_a(equation.axis_a);
          const Pack3 v_b = s.axis_b(equation.axis_b);
          const Carried u = carry_vector<kWithAccelerations>(motion_a, u_a);
          const Carried v = carry_vector<kWithAccelerations>(motion_b, v_b);
          Phid.put(dot(u.rate, v_b) + dot(u_a, v.rate));
          if constexpr (kWithAccelerations)
            Phidd.put(dot(u.second, v_b) + 2.0 * dot(u.rate, v.rate) + dot(u_a, v.second));
          break;
        }
        case RowKind::rod: {
          const Pack inverse = 1.0 / group.length;
          const Pack L = group.length + s.lengths.f;
          Phid.put(inverse * (dot(s.d, dd) - L * s.lengths.fd));
          if constexpr (kWithAccelerations)
            Phidd.put(inverse * (dot(s.d, ddd) + dot(dd, dd) - s.lengths.fd * s.lengths.fd -
                                 L * s.lengths.fdd));
          break;
        }
        case RowKind::coordinate:
          break;
      }
    }
  }
}

}  // namespace

void compute_closure_motions(const ClosureModel& model, const TreeWorkspace& ws,
                             ClosureWorkspace& cws) {
  evaluate_motions<true>(model, ws, cws);
}

void compute_closure_velocities(const ClosureModel& model, const TreeWorkspace& ws,
                                ClosureWorkspace& cws) {
  evaluate_motions<false>(model, ws, cws);
}

}  // namespace semirec
