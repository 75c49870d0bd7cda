#include "vehicles/analysis/metrics/free_decay.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace semirec {

namespace {

constexpr double kSmallestHalfWave = 0.01;  // half-wave that counts, of the way
constexpr double kFallBehind = 1e-4;        // behind an extreme, of the way

}  // namespace

FreeDecay find_free_decay(Samples y, double dt, double release) {
  const double end = dt * static_cast<double>(y.size() - 1);
  FreeDecay decay;
  decay.before = value_at(y, dt, release);
  const Samples last = part_of(y, dt, end - 0.1 * (end - release), end);
  decay.residual = mean_of(last);
  decay.half_time = decay.swing_time = decay.damping = decay.period = kNone;
  const double way = decay.residual - decay.before;
  if (way == 0.0) return decay;
  const auto [least, most] = std::ranges::minmax(last);
  decay.unrest = (most - least) / std::abs(way);
  decay.half_time = find_crossing(y, dt, decay.before + 0.5 * way, release) - release;

  const double side = way > 0.0 ? 1.0 : -1.0;
  const double fall = kFallBehind * std::abs(way);
  const Instant beyond = find_first_peak(y, dt, side, fall, release, end);
  const double first = side * (beyond.value - decay.residual) / std::abs(way);
  if (!std::isfinite(beyond.t) || first <= 0.0) return decay;
  decay.overshoot = first;
  decay.swing_time = beyond.t - release;
  const Instant back = find_first_peak(y, dt, -side, fall, beyond.t, end);
  const double second = -side * (back.value - decay.residual) / std::abs(way);
  if (!std::isfinite(back.t) || first < kSmallestHalfWave || second < kSmallestHalfWave)
    return decay;
  const double decrement = std::log(first / second);
  decay.damping = decrement / std::hypot(decrement, std::numbers::pi);
  decay.period = 2.0 * (back.t - beyond.t);
  return decay;
}

}  // namespace semirec
