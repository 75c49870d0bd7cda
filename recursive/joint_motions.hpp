#pragma once

#include <vector>

#include "recursive/lanes/lane_plan.hpp"
#include "topology/mechanism.hpp"

namespace semirec {

/// The chain of motions of a joint from its side a to its side b; coordinates count from 0.
std::vector<JointMotion> motions_of(JointType type);

}  // namespace semirec
