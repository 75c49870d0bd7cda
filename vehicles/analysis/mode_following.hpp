#pragma once

#include <string>
#include <vector>

#include "integrator/statics/linearization.hpp"

namespace semirec {

/// Of which modes of an earlier system a mode has come: two where two of its eigenvalues, or a
/// pair and a real one, have met on the way.
using ModeOrigins = std::vector<std::vector<int>>;

/// Follows all eigenvalues from one system to another along the straight line between their
/// matrices, which have the same states: from step to step those belong together whose left and
/// right vectors overlap, and a step is halved where that is not clear. Modes as find_eigenmodes()
/// lists them; [mode of `to`] modes of `from`.
ModeOrigins follow_modes(const Eigen::MatrixXd& from, const Eigen::MatrixXd& to);

/// Hands the names of `from` on to the modes of another system. Of a pair that has parted the
/// slower mode keeps the name; of two that have met the slower one's name stays and the other ends.
/// Empty where a mode has no name by this.
std::vector<std::string> hand_on_names(const ModeOrigins& origins,
                                       const std::vector<std::string>& from);

}  // namespace semirec
