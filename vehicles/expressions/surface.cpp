#include "vehicles/expressions/surface.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "topology/fingerprint.hpp"
#include "topology/smooth_slope.hpp"

namespace semirec {

namespace {

void require_ascending(const std::vector<double>& values, const char* name) {
  if (values.empty()) throw std::invalid_argument("a table needs at least one point");
  for (std::size_t k = 0; k < values.size(); ++k)
    if (!std::isfinite(values[k]) || (k > 0 && !(values[k] > values[k - 1])))
      throw std::invalid_argument(std::string("the ") + name + " of a table must ascend");
}

/// Slope at point k by its neighbours (smooth_slope()), one-sided at the ends.
template <class Value>
double slope_at(const std::vector<double>& at, std::size_t k, const Value& value) {
  const auto width = [&](std::size_t from) { return at[from + 1] - at[from]; };
  const auto rise = [&](std::size_t from) { return (value(from + 1) - value(from)) / width(from); };
  if (at.size() < 2) return 0.0;
  if (k == 0) return rise(0);
  if (k + 1 == at.size()) return rise(k - 1);
  return smooth_slope(width(k - 1), rise(k - 1), width(k), rise(k));
}

/// Weights of value and slope at the beginning and at the end of an interval, and their first and
/// second derivatives; weights[k] of the value (k = 0, 2) or slope (k = 1, 3).
struct Weights {
  std::size_t from = 0, to = 0;  ///< points at the ends of the interval
  std::array<double, 4> v{1.0, 0.0, 0.0, 0.0};
  std::array<double, 4> d{}, dd{};
};

Weights weights_at(const std::vector<double>& at, double x, bool smooth) {
  Weights w;
  // beyond the ends, and at the last point: its value
  const auto behind =
      static_cast<std::size_t>(std::upper_bound(at.begin(), at.end(), x) - at.begin());
  if (behind == 0 || x >= at.back()) {
    w.from = w.to = behind == 0 ? 0 : at.size() - 1;
    return w;
  }
  if (std::isnan(x)) {
    w.v.fill(x);
    return w;
  }
  w.from = behind - 1;
  w.to = behind;
  const double h = at[w.to] - at[w.from];
  const double t = (x - at[w.from]) / h;
  if (!smooth) {
    w.v = {1.0 - t, 0.0, t, 0.0};
    w.d = {-1.0 / h, 0.0, 1.0 / h, 0.0};
    return w;
  }
  const double s = 1.0 - t;
  w.v = {s * s * (1.0 + 2.0 * t), h * t * s * s, t * t * (1.0 + 2.0 * s), -h * t * t * s};
  w.d = {-6.0 * t * s / h, s * (s - 2.0 * t), 6.0 * t * s / h, t * (t - 2.0 * s)};
  w.dd = {6.0 * (t - s) / h / h, (2.0 * t - 4.0 * s) / h, 6.0 * (s - t) / h / h,
          (4.0 * t - 2.0 * s) / h};
  return w;
}

}  // namespace

Surface::Surface(std::vector<double> x, std::vector<double> y, const std::vector<double>& f,
                 bool smooth)
    : x_(std::move(x)), y_(std::move(y)), smooth_(smooth) {
  require_ascending(x_, "x");
  require_ascending(y_, "y");
  if (f.size() / x_.size() != y_.size() || f.size() % x_.size() != 0)
    throw std::invalid_argument("a table over " + std::to_string(x_.size()) + " x and " +
                                std::to_string(y_.size()) + " y has " + std::to_string(f.size()) +
                                " values");
  if (!std::all_of(f.begin(), f.end(), [](double value) { return std::isfinite(value); }))
    throw std::invalid_argument("a value of a table is not finite");
  points_.resize(f.size());
  for (std::size_t k = 0; k < f.size(); ++k) points_[k].f[0][0] = f[k];
  if (!smooth_) return;
  const auto each = [&](auto&& set) {
    for (std::size_t i = 0; i < x_.size(); ++i)
      for (std::size_t j = 0; j < y_.size(); ++j) set(points_[i * y_.size() + j].f, i, j);
  };
  each([&](auto& p, std::size_t i, std::size_t j) {
    p[0][1] = slope_at(y_, j, [&](std::size_t n) { return point(i, n).f[0][0]; });
    p[1][0] = slope_at(x_, i, [&](std::size_t n) { return point(n, j).f[0][0]; });
  });
  each([&](auto& p, std::size_t i, std::size_t j) {
    p[1][1] = slope_at(x_, i, [&](std::size_t n) { return point(n, j).f[0][1]; });
  });
}

SurfaceValue Surface::evaluate(double x, double y) const {
  const Weights u = weights_at(x_, x, smooth_);
  const Weights w = weights_at(y_, y, smooth_);
  SurfaceValue sum;
  const std::size_t step = smooth_ ? 1 : 2;
  for (std::size_t a = 0; a < 4; a += step) {
    double v = 0.0, d = 0.0, dd = 0.0;
    for (std::size_t b = 0; b < 4; b += step) {
      const double f = point(a < 2 ? u.from : u.to, b < 2 ? w.from : w.to).f[a % 2][b % 2];
      v += w.v[b] * f;
      d += w.d[b] * f;
      dd += w.dd[b] * f;
    }
    sum.f += u.v[a] * v;
    sum.x += u.d[a] * v;
    sum.y += u.v[a] * d;
    sum.xx += u.dd[a] * v;
    sum.xy += u.d[a] * d;
    sum.yy += u.v[a] * dd;
  }
  return sum;
}

void Surface::put_into(Fingerprint& fingerprint) const {
  fingerprint(x_, y_, smooth_);
  for (const Point& point : points_) fingerprint(point.f[0][0]);
}

}  // namespace semirec
