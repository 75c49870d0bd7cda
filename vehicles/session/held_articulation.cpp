#include "vehicles/session/held_articulation.hpp"

#include <cmath>

#include "topology/indices.hpp"
#include "vehicles/session/standing_car.hpp"

namespace semirec {

namespace {

/// An axis through a point, from O.
struct Axis {
  Eigen::Vector3d along, point;
};

/// Whether `unit` is `leader` or hangs on it, directly or through others.
bool hangs_on(const std::vector<Unit>& units, std::size_t unit, std::size_t leader) {
  for (int u = static_cast<int>(unit); u >= 0; u = units[at(u)].leader)
    if (at(u) == leader) return true;
  return false;
}

Eigen::Vector3d find_hitch(const Model& model, JointIndex hitch, const Workspace& ws) {
  const Attachment end = model.tree.attach(model.mechanism.joints[at(hitch)].b);
  return ws.tree.p[at(end.body)] + ws.tree.A_WC[at(end.body)] * end.X_CF.p;
}

/// Bodies that float by themselves turn with the unit.
void turn_floating(const Model& model, const std::vector<Unit>& units, std::size_t unit,
                   const Axis& axis, const Workspace& ws, Eigen::VectorXd& turning) {
  for (std::size_t u = unit; u < units.size(); ++u) {
    if (!hangs_on(units, u, unit)) continue;
    for (const int index : units[u].bodies) {
      const std::size_t t = at(model.tree.tree.tree_index(index));
      const TreeBody& body = model.tree.bodies[t];
      if (!body.floats) continue;
      const Eigen::Matrix3d to_joint = body.X_PJ.A.transpose();
      turning.segment<3>(body.z) = to_joint * axis.along.cross(ws.tree.p[t] - axis.point);
      turning.segment<3>(body.z + 3) = to_joint * axis.along;
    }
  }
}

/// The tree's body on the outer side of a joint; -1 where the joint is cut.
int find_outer(const Model& model, JointIndex joint) {
  for (std::size_t t = 1; t < model.tree.bodies.size(); ++t)
    if (model.tree.tree.branches[t].joint == joint) return static_cast<int>(t);
  return -1;
}

/// Whether the file gives the position of the joint that has the coordinate.
bool is_written(const Model& model, int z) {
  for (std::size_t t = 1; t < model.tree.bodies.size(); ++t) {
    const TreeBody& body = model.tree.bodies[t];
    if (z < body.z || z >= body.z + body.degrees_of_freedom) continue;
    return !model.mechanism.joints[at(model.tree.tree.branches[t].joint)].position.empty();
  }
  return false;
}

}  // namespace

std::vector<Articulation> find_articulations(const Drive& drive, const Model& model,
                                             const Combination& combination,
                                             const Eigen::Vector3d& normal, const Workspace& ws) {
  std::vector<Articulation> found;
  std::vector<char> written(drive.units.size(), 0);
  for (std::size_t u = 1; u < drive.units.size(); ++u) {
    const Unit& unit = drive.units[u];
    written[u] = unit.leader > 0 ? written[at(unit.leader)] : char{0};
    if (unit.hitch < 0 || combination.has[at(unit.frame)] == 0) continue;
    Articulation articulation;
    articulation.turning = Eigen::VectorXd::Zero(model.n());
    Axis axis{normal, find_hitch(model, unit.hitch, ws)};
    const int outer = find_outer(model, unit.hitch);
    if (outer >= 0) {
      const TreeBody& body = model.tree.bodies[at(outer)];
      const auto upright = [&](int z) { return ws.tree.H[at(z)].tail<3>().dot(normal); };
      articulation.held = body.z;
      for (int z = body.z; z < body.z + body.degrees_of_freedom; ++z)
        if (std::abs(upright(z)) > std::abs(upright(articulation.held))) articulation.held = z;
      axis.along = ws.tree.H[at(articulation.held)].tail<3>();
      articulation.turning[articulation.held] = 1.0;
    } else {
      const std::vector<int> place = place_coordinates(model, unit.frame);
      if (place.empty()) continue;
      const int first = model.tree.bodies[at(model.tree.tree.tree_index(unit.frame))].z;
      for (const int z : place)
        if (z >= first + 3) articulation.held = z;
    }
    articulation.written = written[u] != 0 || is_written(model, articulation.held);
    written[u] = articulation.written ? 1 : 0;
    turn_floating(model, drive.units, u, axis, ws, articulation.turning);
    found.push_back(articulation);
  }
  return found;
}

}  // namespace semirec
