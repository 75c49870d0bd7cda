#include "vehicles/session/start_faults.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <utility>

#include "integrator/formulation/evaluate.hpp"
#include "penalty/factors/least_squares.hpp"
#include "recursive/kinematics.hpp"

namespace semirec {

namespace {

struct Moved {
  double share = 0.0;  ///< way over its bound
  double way = 0.0;
  bool slides = false;
  std::string what;
};

/// Whole rotation of a triad: its coordinates, from `z` on, count from a reference that moves.
Quaternion turn_of(const State& state, int triad, int z) {
  return Quaternion(rotation_exp(state.z.segment<3>(z))) *
         state.A0[static_cast<std::size_t>(triad)];
}

/// Coordinates beyond their bounds.
std::vector<Moved> find_moved_joints(const Model& model, const State& design, const State& now,
                                     const std::vector<int>& spins) {
  std::vector<Moved> found;
  for (std::size_t t = 0; t < model.tree.bodies.size(); ++t) {
    const TreeBody& body = model.tree.bodies[t];
    if (body.floats) continue;
    const auto joint = static_cast<std::size_t>(model.tree.tree.branches[t].joint);
    int k = 0;  // coordinate of the joint
    for (int m = body.motion_begin; m < body.motion_end; ++m) {
      const JointMotion& motion = model.tree.motions[static_cast<std::size_t>(m)];
      const bool slides = motion.kind == JointMotion::Kind::slide;
      const bool is_triad = motion.kind == JointMotion::Kind::triad;
      const int z = body.z + k;
      k += is_triad ? 3 : 1;
      if (std::find(spins.begin(), spins.end(), z) != spins.end()) continue;
      const double way =
          is_triad ? turn_of(design, motion.triad, z).angularDistance(turn_of(now, motion.triad, z))
                   : std::abs(now.z[z] - design.z[z]);
      const double share = way / (slides ? kMostSlide : kMostTurn);
      if (!(share > 1.0)) continue;
      found.push_back({share, way, slides, "joint '" + model.mechanism.joints[joint].name + "'"});
    }
  }
  return found;
}

/// Rotations of all bodies against one of them.
std::vector<Quaternion> turns_against(const Model& model, TreeIndex base, const State& state,
                                      Workspace& ws) {
  evaluate_state(model, state, ws);
  std::vector<Quaternion> turns;
  for (const Eigen::Matrix3d& A : ws.tree.A_WC)
    turns.emplace_back(ws.tree.A_WC[static_cast<std::size_t>(base)].transpose() * A);
  return turns;
}

/// Bodies on free joints of their own that have turned against the chassis, appended.
void add_turned_bodies(const Model& model, BodyIndex chassis, const State& design, const State& now,
                       Workspace& ws, std::vector<Moved>& found) {
  if (chassis == kGround) return;
  const TreeIndex base = model.tree.tree.tree_index(chassis);
  const std::vector<Quaternion> before = turns_against(model, base, design, ws);
  const std::vector<Quaternion> after = turns_against(model, base, now, ws);
  for (std::size_t b = 0; b < model.mechanism.bodies.size(); ++b) {
    const auto t = static_cast<std::size_t>(model.tree.tree.tree_index(static_cast<BodyIndex>(b)));
    if (!model.tree.bodies[t].floats) continue;
    const double way = before[t].angularDistance(after[t]);
    if (!(way > kMostTurn)) continue;
    found.push_back({way / kMostTurn, way, false, "body '" + model.mechanism.bodies[b].name + "'"});
  }
}

/// What has moved beyond its bounds, the furthest first.
std::vector<Moved> find_moved(const Model& model, BodyIndex chassis, const State& design,
                              const State& now, const std::vector<int>& spins, Workspace& ws) {
  std::vector<Moved> found = find_moved_joints(model, design, now, spins);
  add_turned_bodies(model, chassis, design, now, ws, found);
  std::sort(found.begin(), found.end(),
            [](const Moved& a, const Moved& b) { return a.share > b.share; });
  return found;
}

Eigen::MatrixXd jacobian_at(const Model& model, const State& state, Workspace& ws) {
  evaluate_state(model, state, ws);
  return dense_jacobian(model.blocks(), ws.closures.Phi_z, model.m(), model.n());
}

bool has_another_branch(const Model& model, const State& design, const State& now, Workspace& ws) {
  if (model.m() == 0) return false;
  const Eigen::MatrixXd before = jacobian_at(model, design, ws);
  const Eigen::MatrixXd after = jacobian_at(model, now, ws);
  // columns and rows that make a minor far from singular
  const double threshold = std::numeric_limits<double>::epsilon() *
                           static_cast<double>(std::min(before.rows(), before.cols()));
  OrthogonalDecomposition by_columns;
  decompose(before, threshold, by_columns);
  const Eigen::Index rank = by_columns.rank();
  const auto& columns = by_columns.colsPermutation().indices();
  OrthogonalDecomposition by_rows;
  decompose(before.transpose(), threshold, by_rows);
  const auto& rows = by_rows.colsPermutation().indices();
  const auto minor_of = [&](const Eigen::MatrixXd& J) {
    Eigen::MatrixXd minor(rank, rank);
    for (Eigen::Index i = 0; i < rank; ++i)
      for (Eigen::Index j = 0; j < rank; ++j) minor(i, j) = J(rows[i], columns[j]);
    return minor;
  };
  return sign_of_determinant(minor_of(before)) * sign_of_determinant(minor_of(after)) < 0;
}

}  // namespace

std::vector<std::string> find_start_faults(const Model& model, BodyIndex chassis,
                                           const State& design, const State& now,
                                           const std::vector<int>& spins, Workspace& ws) {
  std::vector<std::string> faults;
  const std::vector<Moved> moved = find_moved(model, chassis, design, now, spins, ws);
  if (!moved.empty()) {
    std::ostringstream text;
    text << "the equilibrium at the start is far from the design position: " << moved.front().what
         << " has " << (moved.front().slides ? "slid by " : "turned by ") << moved.front().way
         << (moved.front().slides ? " m" : " rad");
    if (moved.size() > 1) text << ", " << moved.size() - 1 << " more like it";
    text << ", expected at most " << kMostTurn << " rad and " << kMostSlide
         << " m; the suspension may have folded over";
    faults.push_back(text.str());
  }
  if (has_another_branch(model, design, now, ws))
    faults.emplace_back(
        "the equilibrium at the start stands in another branch than the design position: between "
        "the two a loop goes through a dead point; the suspension may have folded over");
  return faults;
}

std::string describe_wheel_travel(const Model& model, const std::vector<Wheel>& wheels,
                                  const std::vector<Unit>& units, const State& design,
                                  const State& now, Workspace& ws) {
  const auto heights = [&](const State& state) {
    evaluate_state(model, state, ws);
    std::vector<double> z(wheels.size(), 0.0);
    for (const Unit& unit : units) {
      if (unit.frame == kGround) continue;
      const auto frame = static_cast<std::size_t>(model.tree.tree.tree_index(unit.frame));
      for (const int w : unit.wheels) {
        const Marker& centre = wheels[static_cast<std::size_t>(w)].centre;
        const Eigen::Vector3d way =
            ws.tree.position_of(model.tree.attach(centre)) - ws.tree.p[frame];
        z[static_cast<std::size_t>(w)] = ws.tree.A_WC[frame].col(2).dot(way);
      }
    }
    return z;
  };
  const std::vector<double> drawn = heights(design);
  const std::vector<double> stands = heights(now);
  std::size_t worst = 0;
  double most = 0.0;
  int count = 0;
  for (std::size_t w = 0; w < wheels.size(); ++w) {
    const double share = std::abs(stands[w] - drawn[w]) / wheels[w].radius;
    if (!(share > kMostTravel)) continue;
    ++count;
    if (share <= most) continue;
    most = share;
    worst = w;
  }
  if (count == 0) return {};
  const double travel = stands[worst] - drawn[worst];
  std::ostringstream text;
  text << "the equilibrium at the start is far from the design position: wheel '"
       << wheels[worst].name << "' stands " << std::abs(travel) << " m "
       << (travel > 0.0 ? "higher" : "lower") << " in its unit than drawn";
  if (count > 1) text << ", " << count - 1 << " more like it";
  text << ", expected at most half of its radius; springs and preloads may not be those of this "
          "mass, or the road is rough there";
  return text.str();
}

}  // namespace semirec
