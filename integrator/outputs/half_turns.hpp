#pragma once

#include <string>
#include <vector>

#include "integrator/model.hpp"
#include "integrator/workspace.hpp"

namespace semirec {

/// A force element whose law has jumped: its bodies went on beyond half a turn.
struct HalfTurn {
  std::string element;
  double t = 0.0;  ///< of the first time, s
  long times = 0;
};

/// How far the bodies of a force element have been turned against each other at most.
struct FarthestTurn {
  std::string element;
  double angle = 0.0;  ///< rad, within half a turn
  double t = 0.0;      ///< s
};

/// Watches the rotations that force elements know within half a turn only
/// (ForceElement::part_turn()) from step to step.
class HalfTurnWatcher {
 public:
  /// At the motion in the workspace, with which the run begins.
  HalfTurnWatcher(const Model& model, const Workspace& ws);
  /// Adds those that jumped since it looked last to `seen`.
  void look(const Model& model, const Workspace& ws, double t, std::vector<HalfTurn>& seen);
  /// [watched element] the farthest since the run's begin, as far as look() has seen. Allocates.
  std::vector<FarthestTurn> farthest(const Model& model) const;

 private:
  struct Watched {
    std::size_t element;  ///< in Model::forces
    Eigen::Vector3d turn;
    double farthest = 0.0;  ///< rad
    double farthest_at = 0.0;
  };
  std::vector<Watched> watched_;
};

}  // namespace semirec
