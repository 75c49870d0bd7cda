#pragma once

#include <algorithm>
#include <vector>

#include "recursive/cars/place_of_cars.hpp"
#include "recursive/packs/pack_functions.hpp"
#include "topology/indices.hpp"

namespace semirec {

/// Subtracts a wrench about O from the forces of a body, as ForceSink::add_wrench().
template <AnyPack P>
void add_wrench(CarsWorkspace<P>& ws, int group, const PackSixOf<P>& wrench) {
  PackSixOf<P>& F = ws.lanes->F[at(group)];
  F = F - wrench;
}

/// The two bodies of a force along a line, and where it acts in the tangent.
template <AnyPack P>
class LineForceOfCars {
 public:
  LineForceOfCars() = default;
  LineForceOfCars(const TreeModel& tree, int connection) {
    const Connection& c = tree.connections[at(connection)];
    const LanePlan& plan = *tree.lanes;
    const auto group_of = [&](TreeIndex body) { return plan.group_of_body[at(body)]; };
    a_ = group_of(c.path.a);
    b_ = group_of(c.path.b);
    heavier_ = c.heavier != 0 ? group_of(c.heavier) : -1;
    slots_ = c.slots;
    for (std::size_t i = 0; i < c.columns.size(); ++i) {
      const auto own = std::find_if(plan.columns.begin(), plan.columns.end(),
                                    [&](const auto& lanes) { return lanes[0] == c.columns[i]; });
      columns_.push_back(static_cast<int>(own - plan.columns.begin()));
      signs_.push_back(c.path.sign[i]);
    }
  }

  /// ForceSink::add_line_force().
  void add(CarsWorkspace<P>& ws, const PackSixOf<P>& line, P tension, const P& stiffness,
           const P& damping) const {
    LaneWorkspaceOf<P>& lanes = *ws.lanes;
    const P k = larger_of(stiffness, 0.0);
    if (ws.weights.lead != 0.0) {
      tension += ws.weights.lead * k * dot(line, relative_velocity(ws));
    }
    const PackSixOf<P> wrench = tension * line;
    if (b_ >= 0) lanes.F[at(b_)] += wrench;
    if (a_ >= 0) lanes.F[at(a_)] = lanes.F[at(a_)] - wrench;
    add_tangent(ws, line, k, damping);
  }

  /// Of that the tangent alone; stiffness is not negative.
  void add_tangent(CarsWorkspace<P>& ws, const PackSixOf<P>& line, const P& stiffness,
                   const P& damping) const {
    if (ws.weights.stiffness == 0.0 && ws.weights.damping == 0.0) return;
    LaneWorkspaceOf<P>& lanes = *ws.lanes;
    const P weight =
        ws.weights.stiffness * stiffness + ws.weights.damping * larger_of(damping, 0.0);
    if (heavier_ >= 0) {
      add_to_inertia(lanes.M[at(heavier_)], weight, line);
      return;
    }
    P s_z[kMostColumns];
    const std::size_t size = columns_.size();
    for (std::size_t i = 0; i < size; ++i) s_z[i] = signs_[i] * dot(line, lanes.H[at(columns_[i])]);
    const int* slot = slots_.data();
    for (std::size_t i = 0; i < size; ++i) {
      const P row = weight * s_z[i];
      for (std::size_t j = 0; j <= i; ++j) ws.tangent[at(*slot++)] += row * s_z[j];
    }
  }

  /// ForceSink::add_six_axis_tangent(), the wrench is the caller's.
  void add_six_axis_tangent(CarsWorkspace<P>& ws, const PackInertiaOf<P>& G) const {
    if (ws.weights.stiffness == 0.0 && ws.weights.damping == 0.0) return;
    LaneWorkspaceOf<P>& lanes = *ws.lanes;
    if (heavier_ >= 0) {
      lanes.M[at(heavier_)] += G;
      return;
    }
    const int* slot = slots_.data();
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const PackSixOf<P> row = G * lanes.H[at(columns_[i])];
      for (std::size_t j = 0; j <= i; ++j)
        ws.tangent[at(*slot++)] += signs_[i] * signs_[j] * dot(row, lanes.H[at(columns_[j])]);
    }
  }

  /// Velocity of b against a, as ForceInput::relative_velocity().
  PackSixOf<P> relative_velocity(const CarsWorkspace<P>& ws) const {
    PackSixOf<P> Z = zero_packs<PackSixOf<P>>();
    if (b_ >= 0) Z += ws.lanes->Z[at(b_)];
    if (a_ >= 0) Z = Z - ws.lanes->Z[at(a_)];
    return Z;
  }
  /// Adds a wrench to b and takes it from a.
  void add_wrench_pair(CarsWorkspace<P>& ws, const PackSixOf<P>& wrench) const {
    if (b_ >= 0) add_wrench(ws, b_, wrench);
    if (a_ >= 0) ws.lanes->F[at(a_)] += wrench;
  }

  /// Whether a path of this length fits.
  static bool fits(const TreeModel& tree, int connection) {
    return tree.connections[at(connection)].columns.size() <= kMostColumns;
  }

 private:
  static constexpr std::size_t kMostColumns = 64;

  static void add_to_inertia(PackInertiaOf<P>& M, const P& weight, const PackSixOf<P>& line) {
    const Pack3Of<P> l = weight * line.l;
    const Pack3Of<P> a = weight * line.a;
    const auto add_square = [](PackSymmetric3Of<P>& to, const Pack3Of<P>& u, const Pack3Of<P>& v) {
      to.xx += u.x * v.x;
      to.yy += u.y * v.y;
      to.zz += u.z * v.z;
      to.xy += u.y * v.x;
      to.xz += u.z * v.x;
      to.yz += u.z * v.y;
    };
    add_square(M.ll, l, line.l);
    M.la.x += a.x * line.l;
    M.la.y += a.y * line.l;
    M.la.z += a.z * line.l;
    add_square(M.aa, a, line.a);
  }

  int a_ = -1, b_ = -1, heavier_ = -1;
  std::vector<int> columns_;  ///< of LanePlan::columns
  std::vector<double> signs_;
  std::vector<int> slots_;
};

}  // namespace semirec
