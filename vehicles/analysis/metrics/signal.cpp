#include "vehicles/analysis/metrics/signal.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <Eigen/Core>

#include "penalty/factors/overdetermined.hpp"

namespace semirec {

namespace {

std::size_t index_at(double t, double dt, std::size_t size, bool up) {
  const double place = t / dt;
  // a time on a sample must not slip by rounding
  const double rounded = up ? std::ceil(place - 1e-9) : std::floor(place + 1e-9);
  return static_cast<std::size_t>(std::clamp(rounded, 0.0, static_cast<double>(size - 1)));
}

/// Top of the parabola through three samples around k.
Instant refine(Samples y, double dt, std::size_t k) {
  Instant peak{static_cast<double>(k) * dt, y[k]};
  if (k == 0 || k + 1 >= y.size()) return peak;
  const double a = y[k - 1];
  const double b = y[k];
  const double c = y[k + 1];
  const double curvature = a - 2.0 * b + c;
  // a corner of the record is no top
  if (curvature == 0.0 || (b - a) * (c - b) > 0.0) return peak;
  const double shift = 0.5 * (a - c) / curvature;
  peak.t += shift * dt;
  peak.value = b - 0.25 * (a - c) * shift;
  return peak;
}

}  // namespace

double mean_of(Samples y) {
  double sum = 0.0;
  for (const double value : y) sum += value;
  return sum / static_cast<double>(y.size());
}

double rms_of(Samples y) {
  double sum = 0.0;
  for (const double value : y) sum += value * value;
  return std::sqrt(sum / static_cast<double>(y.size()));
}

double peak_of(Samples y) {
  double peak = 0.0;
  for (const double value : y) peak = std::max(peak, std::abs(value));
  return peak;
}

double deviation_of(Samples y) {
  const double mean = mean_of(y);
  double sum = 0.0;
  for (const double value : y) sum += (value - mean) * (value - mean);
  return std::sqrt(sum / static_cast<double>(y.size()));
}

Samples part_of(Samples y, double dt, double from, double to) {
  const std::size_t first = index_at(from, dt, y.size(), true);
  const std::size_t last = std::max(first, index_at(to, dt, y.size(), false));
  return y.subspan(first, last - first + 1);
}

double value_at(Samples y, double dt, double t) {
  if (std::isnan(t)) return kNone;
  const double place = std::clamp(t / dt, 0.0, static_cast<double>(y.size() - 1));
  const auto k = std::min(static_cast<std::size_t>(place), y.size() - 1);
  if (k + 1 == y.size()) return y[k];
  const double share = place - static_cast<double>(k);
  return y[k] + share * (y[k + 1] - y[k]);
}

double find_crossing(Samples y, double dt, double level, double from) {
  if (std::isnan(from)) return kNone;
  for (std::size_t k = index_at(from, dt, y.size(), false); k + 1 < y.size(); ++k) {
    const double a = y[k] - level;
    const double b = y[k + 1] - level;
    if (a == b || a * b > 0.0) continue;
    const double t = (static_cast<double>(k) + a / (a - b)) * dt;
    if (t >= from - 1e-9 * dt) return t;
  }
  return kNone;
}

Instant find_peak(Samples y, double dt, double sign, double from, double to) {
  const std::size_t first = index_at(from, dt, y.size(), true);
  const std::size_t last = std::max(first, index_at(to, dt, y.size(), false));
  std::size_t best = first;
  for (std::size_t k = first; k <= last; ++k)
    if (sign * y[k] > sign * y[best]) best = k;
  return refine(y, dt, best);
}

Instant find_first_peak(Samples y, double dt, double sign, double fall, double from, double to) {
  const std::size_t first = index_at(from, dt, y.size(), true);
  const std::size_t last = std::max(first, index_at(to, dt, y.size(), false));
  std::size_t best = first;
  for (std::size_t k = first; k <= last; ++k) {
    if (sign * y[k] > sign * y[best]) best = k;
    if (sign * (y[best] - y[k]) > fall && best > first) return refine(y, dt, best);
  }
  return {kNone, kNone};
}

Line fit_line(Samples x, Samples y) {
  Line line;
  line.count = std::min(x.size(), y.size());
  const auto n = static_cast<double>(line.count);
  double mean_x = 0.0;
  double mean_y = 0.0;
  for (std::size_t k = 0; k < line.count; ++k) {
    mean_x += x[k] / n;
    mean_y += y[k] / n;
  }
  double xx = 0.0;
  double xy = 0.0;
  for (std::size_t k = 0; k < line.count; ++k) {
    xx += (x[k] - mean_x) * (x[k] - mean_x);
    xy += (x[k] - mean_x) * (y[k] - mean_y);
  }
  if (line.count < 2 || xx == 0.0) return {kNone, kNone, kNone, line.count};
  line.slope = xy / xx;
  line.offset = mean_y - line.slope * mean_x;
  double rest = 0.0;
  for (std::size_t k = 0; k < line.count; ++k) {
    const double error = y[k] - line.offset - line.slope * x[k];
    rest += error * error;
  }
  line.slope_error = line.count > 2 ? std::sqrt(rest / ((n - 2.0) * xx)) : kNone;
  return line;
}

SineFit fit_sine(Samples y, double dt, double frequency) {
  Eigen::Matrix3d normal = Eigen::Matrix3d::Zero();
  Eigen::Vector3d right = Eigen::Vector3d::Zero();
  const double omega = 2.0 * std::numbers::pi * frequency;
  const auto row = [&](std::size_t k) {
    const double angle = omega * static_cast<double>(k) * dt;
    return Eigen::Vector3d(std::cos(angle), std::sin(angle), 1.0);
  };
  for (std::size_t k = 0; k < y.size(); ++k) {
    const Eigen::Vector3d a = row(k);
    normal += a * a.transpose();
    right += a * y[k];
  }
  const Eigen::Vector3d solution =
      solve_overdetermined(normal, 3.0 * std::numeric_limits<double>::epsilon(), right);
  double rest = 0.0;
  for (std::size_t k = 0; k < y.size(); ++k) {
    const double error = y[k] - row(k).dot(solution);
    rest += error * error;
  }
  // c cos + s sin = Re((c - i s) exp(i w t))
  return {solution[0], -solution[1], solution[2], std::sqrt(rest / static_cast<double>(y.size()))};
}

double find_lag(Samples earlier, Samples later, double dt, double range) {
  const auto n = static_cast<long>(std::min(earlier.size(), later.size()));
  const long reach = std::min(static_cast<long>(std::lround(range / dt)), n - 1);
  std::vector<double> correlation(static_cast<std::size_t>(2 * reach + 1));
  for (long lag = -reach; lag <= reach; ++lag) {
    double sum = 0.0;
    for (long k = std::max(0L, -lag); k < std::min(n, n - lag); ++k)
      sum += earlier[static_cast<std::size_t>(k)] * later[static_cast<std::size_t>(k + lag)];
    correlation[static_cast<std::size_t>(lag + reach)] = sum;
  }
  const Instant best =
      find_peak(correlation, dt, 1.0, 0.0, static_cast<double>(correlation.size()) * dt);
  return best.t - static_cast<double>(reach) * dt;
}

}  // namespace semirec
