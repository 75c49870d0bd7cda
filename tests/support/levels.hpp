#pragma once

#include <Eigen/Core>

#include "tests/support/motion.hpp"

namespace semirec::test {

/// What is known at some instants of a run, by level. Bodies: place of the centre of mass and
/// rotation matrix, m, with their rates. Multipliers and reactions: N, N m.
struct Levels {
  Eigen::VectorXd position, rate, acceleration, multipliers, reactions;
};

/// Appends what the bodies and the closures of a run do now.
void append_motion(Simulation& run, Levels& levels);
/// What two runs of second order, one with half the step of the other, tell of the exact motion:
/// the error's term h^2 is out.
Levels extrapolate(const Levels& coarse, const Levels& half);
/// Appends what the joints transmit now.
void append_reactions(Simulation& run, Levels& levels);

}  // namespace semirec::test
