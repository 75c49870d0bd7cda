#pragma once

#include <string>

#include "vehicles/analysis/metrics/frequency_response.hpp"
#include "vehicles/description/vehicle.hpp"
#include "vehicles/manoeuvre/manoeuvre.hpp"

namespace semirec {

/// Gains over the steering wheel at frequency zero: a steady turn, solved, less straight on. Their
/// error is how far they change from that turn to one of half its lateral acceleration. Unknown
/// (NaN) where the car has no such turn.
struct SteadyGains {
  SteadyGain yaw_rate, lateral_acceleration, sideslip, roll;
  std::string note;  ///< of differentials that stick straight on; empty where none does
};

/// `level`: lateral acceleration of the turn, m/s^2, above zero.
SteadyGains find_steady_gains(const Vehicle& vehicle, const Manoeuvre& manoeuvre, double speed,
                              double level);

}  // namespace semirec
