#pragma once

#include <vector>

#include "topology/mechanism.hpp"

namespace semirec {

/// One motion of a joint. All joints are chains of these; the axis is an axis of the joint frame as
/// it stands when the motion's turn comes.
struct JointMotion {
  using Kind = MotionKind;
  Kind kind = Kind::turn;
  int axis = 2;       ///< 0 x, 1 y, 2 z; no meaning for a triad
  double sign = 1.0;  ///< -1 where the joint is passed from b to a
  int z = 0;          ///< first coordinate
  int triad = -1;     ///< index of the rotational triad
};

/// The chain of motions of a joint from its side a to its side b; coordinates count from 0.
std::vector<JointMotion> motions_of(JointType type);

}  // namespace semirec
