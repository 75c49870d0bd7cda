#include "apps/cli/posed_rows.hpp"

#include <Eigen/Geometry>

#include "apps/report/motion_recorder.hpp"

namespace semirec::cli {

namespace {

/// From poses of the axes in which inertias are written to those of the axes that lie along the
/// world's in the design position (find_drawn_axes()), as the channels of the angles are.
void turn_to_drawn_axes(const Mechanism& mechanism, std::vector<double>& poses) {
  for (std::size_t b = 0; b < mechanism.bodies.size(); ++b) {
    double* pose = poses.data() + 7 * b;
    const Eigen::Quaterniond drawn(mechanism.bodies[b].X_WB.A);
    const Eigen::Quaterniond q =
        Eigen::Quaterniond(pose[6], pose[3], pose[4], pose[5]) * drawn.conjugate();
    pose[3] = q.x();
    pose[4] = q.y();
    pose[5] = q.z();
    pose[6] = q.w();
  }
}

}  // namespace

bool PosedRows::add(const Drive& drive, const State& state, const std::vector<double>& values,
                    Workspace& ws) {
  bool good = true;
  poses_.clear();
  if (table_.wants_poses()) {
    report::append_poses(drive.model, state, ws, poses_);
    // the ground's comes first
    poses_.erase(poses_.begin(), poses_.begin() + 7);
    turn_to_drawn_axes(drive.model.mechanism, poses_);
    if (drive.chassis != kGround) {
      const double* pose = poses_.data() + 7 * static_cast<std::size_t>(drive.chassis);
      const Eigen::Quaterniond q(pose[6], pose[3], pose[4], pose[5]);
      for (const results::Mesh& piece :
           road_.see({pose[0], pose[1]}, (q * Eigen::Vector3d::UnitX()).head<2>()))
        good = good && table_.add_road(state.t, piece);
    }
  }
  return good && table_.add({values, poses_});
}

std::vector<std::string> names_of_bodies(const Mechanism& mechanism) {
  std::vector<std::string> names;
  for (const Body& body : mechanism.bodies) names.push_back(body.name);
  return names;
}

}  // namespace semirec::cli
