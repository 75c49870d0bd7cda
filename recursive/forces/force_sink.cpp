#include "recursive/forces/force_sink.hpp"

#include <algorithm>

#include "recursive/lanes/lane_workspace.hpp"
#include "topology/indices.hpp"

namespace semirec {

namespace {

/// Whether the tangent takes K and C of force elements at all. Where it does not, it may have no
/// memory for them (recursive formulation), however large they are or if they are no numbers.
bool has_force_tangent(const TangentWeights& weights) {
  return weights.stiffness != 0.0 || weights.damping != 0.0;
}

/// G = lower triangle entry by entry, to what the body weighs in the tangent.
template <typename Entry>
void add_to_inertia(const TreeModel& model, TreeWorkspace& ws, TreeIndex body, const Entry& G) {
  PackInertia& M = ws.lanes->M[at(model.lanes->group_of_body[at(body)])];
  const int lane = model.lanes->lane_of_body[at(body)];
  const auto add = [&](PackSymmetric3& part, int first) {
    part.xx[lane] += G(first, first);
    part.yy[lane] += G(first + 1, first + 1);
    part.zz[lane] += G(first + 2, first + 2);
    part.xy[lane] += G(first + 1, first);
    part.xz[lane] += G(first + 2, first);
    part.yz[lane] += G(first + 2, first + 1);
  };
  add(M.ll, 0);
  const auto add_column = [&](Pack3& column, int j) {
    column.x[lane] += G(j, 0);
    column.y[lane] += G(j, 1);
    column.z[lane] += G(j, 2);
  };
  add_column(M.la.x, 3);
  add_column(M.la.y, 4);
  add_column(M.la.z, 5);
  add(M.aa, 3);
}

}  // namespace

void ForceSink::add_wrenches(std::span<const TreeIndex> bodies, const PackSix& wrenches) const {
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    const auto l = static_cast<int>(k);
    double* F = ws_->F[at(bodies[k])].data();
    F[0] -= wrenches.l.x[l];
    F[1] -= wrenches.l.y[l];
    F[2] -= wrenches.l.z[l];
    F[3] -= wrenches.a.x[l];
    F[4] -= wrenches.a.y[l];
    F[5] -= wrenches.a.z[l];
  }
}

void ForceSink::add_line_force(int connection, const Vector6& line, double tension,
                               double stiffness, double damping) const {
  const TreeModel& model = *model_;
  TreeWorkspace& ws = *ws_;
  const Connection& c = model.connections[at(connection)];
  if (ws.weights.lead != 0.0)
    tension += ws.weights.lead * std::max(stiffness, 0.0) *
               line.dot(ws.relative_velocity(c.path.a, c.path.b));
  add_wrench(c.path.b, -tension * line);
  if (c.path.a != 0) add_wrench(c.path.a, tension * line);

  const std::size_t size = c.path.coordinates.size();
  if (!has_force_tangent(ws.weights) || size == 0) return;
  const double weight =
      ws.weights.stiffness * std::max(stiffness, 0.0) + ws.weights.damping * std::max(damping, 0.0);
  if (weight == 0.0) return;
  if (c.heavier != 0) {
    const Vector6 weighted = weight * line;
    add_to_inertia(model, ws, c.heavier, [&](int i, int j) { return weighted[i] * line[j]; });
    return;
  }
  double* s_z = ws.scratch[0].data();
  for (std::size_t i = 0; i < size; ++i) s_z[i] = c.path.sign[i] * line.dot(ws.H[at(c.columns[i])]);
  const int* slot = c.slots.data();
  for (std::size_t i = 0; i < size; ++i) {
    const double row = weight * s_z[i];
    for (std::size_t j = 0; j <= i; ++j) ws.tangent[at(*slot++)] += row * s_z[j];
  }
}

void ForceSink::add_six_axis_tangent(int connection, const Matrix6& G) const {
  const TreeModel& model = *model_;
  TreeWorkspace& ws = *ws_;
  if (!has_force_tangent(ws.weights)) return;
  const Connection& c = model.connections[at(connection)];
  if (c.heavier != 0) {
    add_to_inertia(model, ws, c.heavier, [&](int i, int j) { return G(i, j); });
    return;
  }
  const std::size_t size = c.path.coordinates.size();
  const int* slot = c.slots.data();
  for (std::size_t i = 0; i < size; ++i) {
    const Vector6 row = G * ws.H[at(c.columns[i])];
    for (std::size_t j = 0; j <= i; ++j)
      ws.tangent[at(*slot++)] += c.path.sign[i] * c.path.sign[j] * row.dot(ws.H[at(c.columns[j])]);
  }
}

void ForceSink::add_six_axis_tangents(std::span<const int> connections,
                                      const PackInertia& G) const {
  const LanePlan& plan = *model_->lanes;
  const auto heavier = [&](std::size_t k) {
    return model_->connections[at(connections[k])].heavier;
  };
  const auto group = [&](std::size_t k) { return plan.group_of_body[at(heavier(k))]; };
  // bodies that fill a group in the order of the lanes are made heavier all at once
  bool fills = connections.size() == kLanes;
  for (std::size_t k = 0; fills && k < connections.size(); ++k)
    fills = heavier(k) != 0 && group(k) == group(0) &&
            plan.lane_of_body[at(heavier(k))] == static_cast<int>(k);
  if (fills) {
    if (has_force_tangent(ws_->weights)) ws_->lanes->M[at(group(0))] += G;
    return;
  }
  for (std::size_t k = 0; k < connections.size(); ++k) {
    const auto l = static_cast<int>(k);
    Matrix6 own;
    own.col(0) << G.ll.xx[l], G.ll.xy[l], G.ll.xz[l], G.la.x.x[l], G.la.y.x[l], G.la.z.x[l];
    own.col(1) << G.ll.xy[l], G.ll.yy[l], G.ll.yz[l], G.la.x.y[l], G.la.y.y[l], G.la.z.y[l];
    own.col(2) << G.ll.xz[l], G.ll.yz[l], G.ll.zz[l], G.la.x.z[l], G.la.y.z[l], G.la.z.z[l];
    own.col(3) << own(3, 0), own(3, 1), own(3, 2), G.aa.xx[l], G.aa.xy[l], G.aa.xz[l];
    own.col(4) << own(4, 0), own(4, 1), own(4, 2), G.aa.xy[l], G.aa.yy[l], G.aa.yz[l];
    own.col(5) << own(5, 0), own(5, 1), own(5, 2), G.aa.xz[l], G.aa.yz[l], G.aa.zz[l];
    add_six_axis_tangent(connections[k], own);
  }
}

Vector6 coordinate_line(const MeasuredCoordinate& measured, const TreeWorkspace& ws) {
  const Eigen::Vector3d axis =
      measured.axis_on_b
          ? Eigen::Vector3d(ws.A_WC[at(measured.body_b)] * measured.b.A.col(measured.axis))
          : Eigen::Vector3d(ws.A_WC[at(measured.body_a)] * measured.a.A.col(measured.axis));
  if (measured.kind != JointMotion::Kind::slide) return make_six(Eigen::Vector3d::Zero(), axis);
  return make_line(ws.p[at(measured.body_b)] + ws.A_WC[at(measured.body_b)] * measured.b.p, axis);
}

void ForceSink::add_coordinate_force(int coordinate, double force, double stiffness,
                                     double damping) const {
  const TreeModel& model = *model_;
  TreeWorkspace& ws = *ws_;
  if (!model.measured.empty()) {
    const MeasuredCoordinate& measured = model.measured[at(coordinate)];
    add_line_force(measured.connection, coordinate_line(measured, ws), -force, stiffness, damping);
    return;
  }
  ws.residual[coordinate] -=
      force - ws.weights.lead * std::max(stiffness, 0.0) * ws.zd[at(coordinate)];
  if (!has_force_tangent(ws.weights)) return;
  const int slot = model.mass_slot[at(model.mass_row_begin[at(coordinate) + 1] - 1)];
  ws.tangent[at(slot)] +=
      ws.weights.stiffness * std::max(stiffness, 0.0) + ws.weights.damping * std::max(damping, 0.0);
}

}  // namespace semirec
