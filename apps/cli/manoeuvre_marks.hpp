#pragma once

#include <vector>

#include "apps/report/report.hpp"
#include "vehicles/analysis/answer.hpp"

namespace semirec::cli {

/// Where an answer was read, on the channels of the motion that it was read from: those of the same
/// name, and yaw rate, roll and pitch of the car on the first channel of the chassis that is shown
/// and is this. (Lateral acceleration and sideslip are across the heading, channels along the
/// world's axes: they are marked on the answer's own charts alone.)
std::vector<report::Mark> find_marks(const std::vector<CurveMark>& readings,
                                     const report::Motion& motion);

}  // namespace semirec::cli
