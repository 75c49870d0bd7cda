#include "vehicles/analysis/metrics/single_sine.hpp"

#include <cmath>

namespace semirec {

SingleSineResponse find_single_sine_response(Samples steering_wheel, Samples y, double dt,
                                             double start, double period, double sign) {
  const double end = start + 2.0 * period;
  const Samples first_half = part_of(steering_wheel, dt, start, start + 0.5 * period);
  const double side = mean_of(first_half) > 0.0 ? 1.0 : -1.0;
  const Instant first = find_peak(steering_wheel, dt, side, start, start + 0.5 * period);
  const Instant second = find_peak(steering_wheel, dt, -side, start + 0.5 * period, start + period);
  SingleSineResponse response;
  const double zero = value_at(y, dt, start);
  const Instant one = find_peak(y, dt, sign * side, start, start + period);
  const Instant two = find_peak(y, dt, -sign * side, one.t, end);
  response.zero = zero;
  response.first_time = one.t;
  response.second_time = two.t;
  response.first_peak = one.value - zero;
  response.second_peak = two.value - zero;
  response.first_lag = one.t - first.t;
  response.second_lag = two.t - second.t;
  response.first_gain = response.first_peak / first.value;
  response.second_gain = response.second_peak / second.value;

  // the correlation of signals of opposite sign is that of their opposites
  std::vector<double> same(y.begin(), y.end());
  for (double& value : same) value *= sign;
  response.lag = find_lag(part_of(steering_wheel, dt, start, end), part_of(same, dt, start, end),
                          dt, 0.5 * period);
  return response;
}

}  // namespace semirec
