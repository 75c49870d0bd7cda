#pragma once

#include <vector>

#include "apps/report/report.hpp"
#include "vehicles/manoeuvre/manoeuvre.hpp"

namespace semirec::cli {

/// Where a standard reads the curves of a drive: of a step of the steering wheel [ISO7401] half of
/// its way, from where the steady state is averaged, and of yaw rate and roll 90 % of that state
/// and the first peak, each on the first plotted channel of its kind. (The lateral acceleration
/// that is answered is across the heading, those of channels are along the world's axes.) Nothing
/// for other methods. Times are those of the drive, s.
std::vector<report::Mark> find_standard_marks(const Manoeuvre& manoeuvre, const Answer& answer,
                                              const report::Motion& motion);

}  // namespace semirec::cli
