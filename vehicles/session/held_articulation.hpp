#pragma once

#include <vector>

#include "vehicles/session/drive.hpp"
#include "vehicles/session/standing_pose.hpp"

namespace semirec {

/// The articulation of a unit that hangs on the one in front of it, as what may be held.
struct Articulation {
  int held = 0;  ///< coordinate in which it turns
  /// The file gives the position of the joint that has the coordinate, or of one in front of it:
  /// what a written articulation pushes aside is not at rest behind it.
  bool written = false;
  Eigen::VectorXd turning;  ///< n  rates at which the unit and all behind it turn by 1 rad/s
};

/// The articulations of a combination, each about the axis of its hitch that is nearest to the
/// normal of the road. Wheels that roll without a force on them leave an articulation open: it is
/// as it was written. Needs the poses of the workspace.
std::vector<Articulation> find_articulations(const Drive& drive, const Model& model,
                                             const Combination& combination,
                                             const Eigen::Vector3d& normal, const Workspace& ws);

}  // namespace semirec
