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
  std::string name;
};

/// Whole rotation of a triad: its coordinates, from `z` on, count from a reference that moves.
Quaternion turn_of(const State& state, int triad, int z) {
  return Quaternion(rotation_exp(state.z.segment<3>(z))) *
         state.A0[static_cast<std::size_t>(triad)];
}

/// Coordinates beyond their bounds, the largest first.
std::vector<Moved> find_moved(const Model& model, const State& design, const State& now,
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
      found.push_back({share, way, slides, model.mechanism.joints[joint].name});
    }
  }
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

std::vector<std::string> find_start_faults(const Model& model, const State& design,
                                           const State& now, const std::vector<int>& spins,
                                           Workspace& ws) {
  std::vector<std::string> faults;
  const std::vector<Moved> moved = find_moved(model, design, now, spins);
  if (!moved.empty()) {
    std::ostringstream text;
    text << "the equilibrium at the start is far from the design position: joint '"
         << moved.front().name << "' has " << (moved.front().slides ? "slid by " : "turned by ")
         << moved.front().way << (moved.front().slides ? " m" : " rad");
    if (moved.size() > 1) text << ", " << moved.size() - 1 << " more coordinates like it";
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

}  // namespace semirec
