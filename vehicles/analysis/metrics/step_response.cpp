#include "vehicles/analysis/metrics/step_response.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace semirec {

namespace {

constexpr double kResponded = 0.9;   // of the steady state [ISO7401]
constexpr double kPeakShare = 1e-3;  // a peak is above steady and falls by this share of it

/// Half of the time between the crossings of 90 % of steady - ripple and steady + ripple. What is
/// never reached is taken to be at the end.
double response_time_error_of(Samples y, double dt, const StepWindow& window,
                              const StepResponse& response) {
  const auto crossing = [&](double steady) {
    const double t = find_crossing(y, dt, response.zero + kResponded * steady, window.before);
    return std::isnan(t) ? window.end : t;
  };
  return 0.5 * std::abs(crossing(response.steady + response.steady_ripple) -
                        crossing(response.steady - response.steady_ripple));
}

/// Whether what is to be steady goes on one way: the mean of its last third lies beyond that of the
/// first by a share of it that no gain can be read with.
bool still_changes(const Samples& settled, double steady) {
  constexpr double kShare = 0.1;
  const std::size_t third = settled.size() / 3;
  if (third == 0) return false;
  const double way = mean_of(settled.last(third)) - mean_of(settled.first(third));
  return std::abs(way) > kShare * std::abs(steady);
}

}  // namespace

StepResponse find_step_response(Samples y, double dt, const StepWindow& window) {
  StepResponse response;
  const double zero = mean_of(part_of(y, dt, 0.0, window.before));
  const Samples settled = part_of(y, dt, window.settled, window.end);
  response.zero = zero;
  response.steady = mean_of(settled) - zero;
  const auto [low, high] = std::minmax_element(settled.begin(), settled.end());
  response.steady_ripple = 0.5 * (*high - *low);
  response.still_changes = still_changes(settled, response.steady);
  response.peak = response.steady;
  response.response_time = response.response_time_error = response.peak_time = kNone;
  if (!(std::abs(response.steady) > 0.0)) return response;
  const auto overshoot_error_of = [&](double top) {
    return std::abs(top) / (response.steady * response.steady) * response.steady_ripple;
  };
  response.overshoot_error = overshoot_error_of(response.steady);

  const double sign = response.steady > 0.0 ? 1.0 : -1.0;
  const double responded = find_crossing(y, dt, zero + kResponded * response.steady, window.before);
  response.response_time = responded - window.reference;
  if (std::isnan(responded)) return response;
  response.response_time_error = response_time_error_of(y, dt, window, response);
  const double fall = kPeakShare * std::abs(response.steady);
  // dents on the way to the steady value are no peaks
  const double reached = find_crossing(y, dt, zero + response.steady, responded);
  if (std::isnan(reached)) return response;
  const Instant peak = find_first_peak(y, dt, sign, fall, reached, window.end);
  const double above = sign * (peak.value - zero) - std::abs(response.steady);
  if (!(above > fall)) return response;
  response.peak = peak.value - zero;
  response.peak_time = peak.t - window.reference;
  response.overshoot = above / std::abs(response.steady);
  response.overshoot_error = overshoot_error_of(response.peak);
  return response;
}

}  // namespace semirec
