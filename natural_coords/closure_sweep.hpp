#pragma once

#include <algorithm>

#include "natural_coords/closure.hpp"
#include "natural_coords/closure_lanes.hpp"
#include "recursive/cars/lane_input.hpp"
#include "recursive/lanes/kinematic_sweeps.hpp"
#include "topology/indices.hpp"

namespace semirec {

/// compute_closure_positions() and compute_closure_motions(), of one car or of several side by side
/// (lane_access.hpp). `TreeNumbers`, `ClosureNumbers`: TreeWorkspace and ClosureWorkspace, or what
/// stands for them with packs for numbers.
template <typename Number, typename TreeNumbers, typename ClosureNumbers>
class ClosureSweep {
 public:
  using P = PackFor<Number>;
  using P3 = Pack3Of<P>;
  using P33 = PackMatrix3Of<P>;
  using P6 = PackSixOf<P>;
  using Group = ClosureGroupOf<P>;

  ClosureSweep(const ClosureModel& model, const std::vector<Group>& groups, const TreeNumbers& ws,
               ClosureNumbers& cws)
      : model_(model), groups_(groups), ws_(ws), lanes_(*ws.lanes), cws_(cws) {}

  /// Phi, and Phi_z.
  void find_positions(bool with_jacobian) {
    find_drivers();
    Side moved;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const Group& group = groups_[g];
      if (is_released(group)) {
        clear_rows(group, cws_.Phi.data());
        const RowBlock& block = model_.blocks[at(group.closure[0])];
        if (with_jacobian)
          std::fill_n(cws_.Phi_z.data() + group.jacobian, at(block.rows) * block.columns.size(),
                      Number{});
        continue;
      }
      Sides s;
      find_sides(group, moved, s);
      cws_.places[g] = {s.r_a, s.r_b};
      RowWriter Phi(group, cws_.Phi.data());
      JacobianWriter Phi_z(group, *this);
      for (const ClosureRow& equation : model_.closures[at(group.closure[0])].equations) {
        switch (equation.kind) {
          case RowKind::point:
          case RowKind::in_plane: {
            const int rows = row_count(equation.kind);
            const P33 axes = axes_of(group, equation.kind);
            Phi.put(transposed_times(axes, s.d), rows);
            if (with_jacobian) Phi_z.put_points(s, axes, rows);
            break;
          }
          case RowKind::along: {
            const P3 w = s.axis_a(equation.axis_a);
            Phi.put(dot(s.d, w) - group.length - s.lengths.f);
            if (with_jacobian) Phi_z.put_line(make_line(s.r_b, w));
            break;
          }
          case RowKind::dot: {
            const P3 u = s.axis_a(equation.axis_a);
            const P3 v = s.axis_b(equation.axis_b);
            Phi.put(dot(u, v));
            if (with_jacobian) Phi_z.put_line({zero_packs<P3>(), cross(v, u)});
            break;
          }
          case RowKind::rod: {
            const P L = group.length + s.lengths.f;
            const P inverse = 1.0 / group.length;
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

  /// Phid, and Phidd.
  template <bool kWithAccelerations>
  void find_motions() {
    for (const int c : model_.motions) {
      const Closure& closure = model_.closures[at(c)];
      const auto k = at(closure.coordinate);
      const auto row = model_.blocks[at(c)].row;
      const auto& input = ws_.inputs[at(closure.motion_input)];
      cws_.Phid[row] = ws_.zd[k] - input.fd;
      if constexpr (kWithAccelerations) cws_.Phidd[row] = ws_.zdd[k] - input.fdd;
    }
    Side moved;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const Group& group = groups_[g];
      if (is_released(group)) {
        clear_rows(group, cws_.Phid.data());
        if constexpr (kWithAccelerations) clear_rows(group, cws_.Phidd.data());
        continue;
      }
      Sides s;
      if (group.has_axes || group.has_inputs)
        find_sides(group, moved, s);
      else
        recall_sides(g, s);
      const auto motion_a = motion_at<kWithAccelerations>(group.a.body, group.ancestor);
      const auto motion_b = motion_at<kWithAccelerations>(group.b.body, group.ancestor);
      Carried p_a = carry_point<kWithAccelerations>(motion_a, s.r_a);
      const Carried p_b = carry_point<kWithAccelerations>(motion_b, s.r_b);
      if (group.has_inputs) {
        p_a.rate += s.slides.fd * s.slide;
        if constexpr (kWithAccelerations)
          p_a.second += (2.0 * s.slides.fd) * cross(motion_a.Z.a, s.slide) + s.slides.fdd * s.slide;
      }
      const P3 dd = p_b.rate - p_a.rate;
      [[maybe_unused]] P3 ddd;
      if constexpr (kWithAccelerations) ddd = p_b.second - p_a.second;
      RowWriter Phid(group, cws_.Phid.data());
      RowWriter Phidd(group, cws_.Phidd.data());
      for (const ClosureRow& equation : model_.closures[at(group.closure[0])].equations) {
        switch (equation.kind) {
          case RowKind::point:
          case RowKind::in_plane: {
            const int rows = row_count(equation.kind);
            const P33 axes = axes_of(group, equation.kind);
            Phid.put(transposed_times(axes, dd), rows);
            if constexpr (kWithAccelerations) Phidd.put(transposed_times(axes, ddd), rows);
            break;
          }
          case RowKind::along: {
            const P3 u = s.axis_a(equation.axis_a);
            const Carried w = carry_vector<kWithAccelerations>(motion_a, u);
            Phid.put(dot(dd, u) + dot(s.d, w.rate) - s.lengths.fd);
            if constexpr (kWithAccelerations)
              Phidd.put(dot(ddd, u) + 2.0 * dot(dd, w.rate) + dot(s.d, w.second) - s.lengths.fdd);
            break;
          }
          case RowKind::dot: {
            const P3 u_a = s.axis_a(equation.axis_a);
            const P3 v_b = s.axis_b(equation.axis_b);
            const Carried u = carry_vector<kWithAccelerations>(motion_a, u_a);
            const Carried v = carry_vector<kWithAccelerations>(motion_b, v_b);
            Phid.put(dot(u.rate, v_b) + dot(u_a, v.rate));
            if constexpr (kWithAccelerations)
              Phidd.put(dot(u.second, v_b) + 2.0 * dot(u.rate, v.rate) + dot(u_a, v.second));
            break;
          }
          case RowKind::rod: {
            const P inverse = 1.0 / group.length;
            const P L = group.length + s.lengths.f;
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

 private:
  using Side = LaneSideOf<P>;
  using Input = LaneInputOf<P>;
  static constexpr bool kOneCar = std::is_same_v<Number, double>;

  static P6 make_line(const P3& r, const P3& u) { return {u, cross(r, u)}; }

  bool is_released(const Group& group) const {
    return group.switch_index >= 0 && !cws_.switches[at(group.switch_index)].attached;
  }

  void clear_rows(const Group& group, Number* rows) const {
    const RowBlock& block = model_.blocks[at(group.closure[0])];
    std::fill_n(rows + block.row, block.rows, Number{});
  }

  Input inputs_of(const Group& group, InputIndex Closure::*input) const {
    Input inputs{P{}, P{}, P{}};
    for (int l = 0; l < group.count; ++l) {
      const InputIndex k = model_.closures[at(group.closure[at(l)])].*input;
      if (k == kNoInput) continue;
      const auto& given = ws_.inputs[at(k)];
      if constexpr (kOneCar) {
        inputs.f[l] = given.f;
        inputs.fd[l] = given.fd;
        inputs.fdd[l] = given.fdd;
      } else {
        inputs = given;
      }
    }
    return inputs;
  }

  /// Places of the two sides at the current positions, and what drives them.
  struct Sides {
    P33 A_a, A_b;  ///< of the bodies
    const Side* frame_a;
    const Side* frame_b;
    P3 r_a, r_b, d;
    P3 slide;  ///< world direction of a driven end
    Input slides, lengths;

    P3 axis_a(int axis) const { return A_a * axis_of(frame_a->A, axis); }
    P3 axis_b(int axis) const { return A_b * axis_of(frame_b->A, axis); }
  };

  P33 rotation_at(const LanePlace& place) const {
    if (place.kind != LanePlace::Kind::ground) return at_place<Number>(place, lanes_.A);
    const P one = spread<P>(1.0);
    return {{one, P{}, P{}}, {P{}, one, P{}}, {P{}, P{}, one}};
  }

  /// The axes in which the rows of a point are written.
  P33 axes_of(const Group& group, RowKind kind) const {
    const P33 A_c = rotation_at(group.ancestor);
    return kind == RowKind::in_plane ? A_c * group.plane : A_c;
  }

  P3 origin_at(const LanePlace& place) const {
    if (place.kind != LanePlace::Kind::ground) return at_place<Number>(place, lanes_.p);
    if constexpr (kOneCar)
      return {spread<P>(ws_.p[0].x()), spread<P>(ws_.p[0].y()), spread<P>(ws_.p[0].z())};
    else
      return ws_.ground;
  }

  /// Of that the places, as find_positions() has left them.
  void recall_sides(std::size_t g, Sides& s) const {
    const P zero{};
    s.r_a = cws_.places[g].a;
    s.r_b = cws_.places[g].b;
    s.slides = s.lengths = Input{zero, zero, zero};
    s.d = s.r_b - s.r_a;
  }

  /// `moved`: the frame on side a of a closure that events have put elsewhere.
  void find_sides(const Group& group, Side& moved, Sides& s) const {
    s.frame_a = &group.a;
    s.frame_b = &group.b;
    if (group.switch_index >= 0) {
      const Frame& X = cws_.switches[at(group.switch_index)].X_CF;
      const auto everywhere = [](const Eigen::Vector3d& v) {
        return P3{spread<P>(v.x()), spread<P>(v.y()), spread<P>(v.z())};
      };
      moved.A = {everywhere(X.A.col(0)), everywhere(X.A.col(1)), everywhere(X.A.col(2))};
      moved.p = everywhere(X.p);
      s.frame_a = &moved;
    }
    s.A_a = rotation_at(group.a.body);
    s.A_b = rotation_at(group.b.body);
    s.r_a = origin_at(group.a.body) + s.A_a * s.frame_a->p;
    s.r_b = origin_at(group.b.body) + s.A_b * s.frame_b->p;
    if (group.has_inputs) {
      s.slides = inputs_of(group, &Closure::slide_input);
      s.lengths = inputs_of(group, &Closure::length_input);
      s.slide = s.A_a * group.slide_axis;
      s.r_a += s.slides.f * s.slide;
    } else {
      const P zero{};
      s.slides = s.lengths = Input{zero, zero, zero};
      s.slide = {zero, zero, zero};
    }
    s.d = s.r_b - s.r_a;
  }

  /// Writes rows of an m-vector, one number a lane.
  class RowWriter {
   public:
    RowWriter(const Group& group, Number* out) : group_(group), out_(out) {}
    void put(const P& value) {
      if constexpr (kOneCar)
        for (std::size_t l = 0; l < at(group_.count); ++l) out_[group_.row[l] + row_] = value[l];
      else
        out_[group_.row[0] + row_] = value;
      ++row_;
    }
    /// The first two or all three components.
    void put(const P3& value, int rows) {
      put(value.x);
      put(value.y);
      if (rows == 3) put(value.z);
    }

   private:
    const Group& group_;
    Number* out_;
    int row_ = 0;
  };

  P6 column_of(const LaneColumn& column, int count) const {
    if constexpr (kOneCar)
      if (column.column < 0) return collect<P6>(column.coordinate, count, ws_.H);
    return each(lanes_.H[at(column.column)], [](const P& pack) { return pack; });
  }

  /// Fills the group's entries of Phi_z row by row; entries of the lanes lie side by side.
  class JacobianWriter {
   public:
    JacobianWriter(const Group& group, const ClosureSweep& sweep)
        : group_(group), sweep_(sweep), out_(sweep.cws_.Phi_z.data() + group.jacobian) {}

    /// One row: sign * line . H over the columns.
    void put_line(const P6& line) {
      for (const LaneColumn& column : group_.columns) {
        store(out_, column.sign * dot(line, sweep_.column_of(column, group_.count)));
        out_ += group_.count;
      }
    }
    /// Two or three rows: velocity of the point of each side for a unit rate of each joint between,
    /// in `axes` that the ancestor carries.
    void put_points(const Sides& s, const P33& axes, int rows) {
      const std::size_t size = group_.columns.size() * at(group_.count);
      for (const LaneColumn& column : group_.columns) {
        const P6 H = sweep_.column_of(column, group_.count);
        const P3& r = column.sign > 0.0 ? s.r_b : s.r_a;
        const P3 v = spread<P>(column.sign) * transposed_times(axes, H.l + cross(H.a, r));
        store(out_, v.x);
        store(out_ + size, v.y);
        if (rows == 3) store(out_ + 2 * size, v.z);
        out_ += group_.count;
      }
      out_ += at(rows - 1) * size;
    }

   private:
    void store(Number* to, const P& value) const {
      if constexpr (!kOneCar) {
        *to = value;
        return;
      } else {
        if (group_.count == kLanes) {
          store_loose(to, value);
          return;
        }
        for (std::size_t l = 0; l < at(group_.count); ++l) to[l] = value[l];
      }
    }
    const Group& group_;
    const ClosureSweep& sweep_;
    Number* out_;
  };

  void find_drivers() {
    const Number one = 1.0 - Number{};
    for (const int c : model_.motions) {
      const Closure& closure = model_.closures[at(c)];
      const auto k = at(closure.coordinate);
      // the large parts first: their difference is exact, and Phi keeps the digits of z
      cws_.Phi[model_.blocks[at(c)].row] =
          ws_.z[k] + (ws_.z_offset[k] - ws_.inputs[at(closure.motion_input)].f);
      cws_.Phi_z[at(model_.blocks[at(c)].jacobian)] = one;
    }
  }

  /// Motion of a body as if the ancestor were the ground: Z_i - Z_c, and its rate seen from there,
  /// Zd_i - Zd_c - cross_motion(Z_c, Z_i - Z_c).
  struct RelativeMotion {
    P6 Z, Zd;
  };

  template <bool kWithAccelerations>
  RelativeMotion motion_at(const LanePlace& place, const LanePlace& ancestor) const {
    const P6 Z_c = at_place<Number>(ancestor, lanes_.Z);
    RelativeMotion motion;
    motion.Z = at_place<Number>(place, lanes_.Z) - Z_c;
    if constexpr (kWithAccelerations)
      motion.Zd = at_place<Number>(place, lanes_.Zd) - at_place<Number>(ancestor, lanes_.Zd) -
                  cross_motion(Z_c, motion.Z);
    return motion;
  }

  /// A natural coordinate, a point or a unit vector, relative to the ancestor: rate and second
  /// rate.
  struct Carried {
    P3 rate, second;
  };

  /// rd = [I -tilde(r)] Z, rdd = [I -tilde(r)] Zd + w x rd.
  template <bool kWithAccelerations>
  static Carried carry_point(const RelativeMotion& motion, const P3& r) {
    Carried c;
    c.rate = motion.Z.l + cross(motion.Z.a, r);
    if constexpr (kWithAccelerations)
      c.second = motion.Zd.l + cross(motion.Zd.a, r) + cross(motion.Z.a, c.rate);
    return c;
  }

  /// ud = w x u, udd = wd x u + w x ud.
  template <bool kWithAccelerations>
  static Carried carry_vector(const RelativeMotion& motion, const P3& u) {
    Carried c;
    c.rate = cross(motion.Z.a, u);
    if constexpr (kWithAccelerations) c.second = cross(motion.Zd.a, u) + cross(motion.Z.a, c.rate);
    return c;
  }

  const ClosureModel& model_;
  const std::vector<Group>& groups_;
  const TreeNumbers& ws_;
  const LaneWorkspaceOf<P>& lanes_;
  ClosureNumbers& cws_;
};

}  // namespace semirec
