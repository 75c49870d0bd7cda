#pragma once

#include <cstddef>
#include <vector>

#include "recursive/kinematics.hpp"

namespace semirec {

/// Some of a Recorder's channels, and what must be evaluated for them: Recorder::choose(). It is
/// made for one model and serves all models of the same description.
struct OutputChoice {
  std::vector<std::size_t> channels;  ///< in the order asked for
  std::vector<std::size_t> parts;     ///< of the recorder, those that hold a channel; ascending
  bool whole = false;   ///< evaluate_state(): efforts, reactions, other than relative coordinates
  bool forces = false;  ///< force elements report: they read inputs and their own states
  bool inputs = false;  ///< the inputs are evaluated
  SweepPart bodies;     ///< that are swept
};

}  // namespace semirec
