#include "vehicles/driver/path.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

namespace semirec {

namespace {

constexpr double kLongest = 1e6;        // m
constexpr double kSharpest = 10.0;      // 1/m
constexpr double kWidestSpacing = 0.2;  // m
constexpr double kWidestTurn = 0.05;    // rad

/// Gauss-Legendre with five points on [0, 1].
constexpr std::array<double, 5> kPlace{0.046910077030668, 0.230765344947158, 0.5, 0.769234655052842,
                                       0.953089922969332};
constexpr std::array<double, 5> kWeight{0.118463442528095, 0.239314335249683, 0.284444444444444,
                                        0.239314335249683, 0.118463442528095};

/// The knot after `from` along a curvature that goes from k0 to k1 over ds.
PathPoint advance(const PathPoint& from, double k0, double k1, double ds) {
  PathPoint to = from;
  to.s += ds;
  to.curvature = k1;
  to.heading += 0.5 * (k0 + k1) * ds;
  for (std::size_t i = 0; i < kPlace.size(); ++i) {
    const double u = kPlace[i] * ds;
    const double heading = from.heading + k0 * u + 0.5 * (k1 - k0) * u * u / ds;
    to.x += kWeight[i] * ds * std::cos(heading);
    to.y += kWeight[i] * ds * std::sin(heading);
  }
  return to;
}

/// Second derivatives of the natural cubic spline through f over u.
std::vector<double> natural_spline(const std::vector<double>& u, const std::vector<double>& f) {
  const std::size_t n = u.size();
  std::vector<double> m(n, 0.0);
  std::vector<double> upper(n, 0.0);
  std::vector<double> right(n, 0.0);
  for (std::size_t i = 1; i + 1 < n; ++i) {
    const double a = u[i] - u[i - 1];
    const double b = u[i + 1] - u[i];
    const double pivot = 2.0 * (a + b) - a * upper[i - 1];
    upper[i] = b / pivot;
    right[i] = (6.0 * ((f[i + 1] - f[i]) / b - (f[i] - f[i - 1]) / a) - a * right[i - 1]) / pivot;
  }
  for (std::size_t i = n - 1; i-- > 1;) m[i] = right[i] - upper[i] * m[i + 1];
  return m;
}

/// Value and two derivatives on the piece from u0 to u1, at the part w of it.
std::array<double, 3> on_spline(double length, double f0, double f1, double m0, double m1,
                                double w) {
  const double v = 1.0 - w;
  return {
      v * f0 + w * f1 + length * length / 6.0 * ((v * v * v - v) * m0 + (w * w * w - w) * m1),
      (f1 - f0) / length + length / 6.0 * (-(3.0 * v * v - 1.0) * m0 + (3.0 * w * w - 1.0) * m1),
      v * m0 + w * m1};
}

}  // namespace

Path Path::from_segments(const std::vector<PathSegment>& segments) {
  Path path;
  PathPoint here;
  for (const PathSegment& segment : segments) {
    const double k0 = segment.curvature;
    const double k1 = segment.end_curvature;
    if (!(segment.length > 0.0) || !std::isfinite(segment.length))
      throw std::invalid_argument("has a segment without length, expected one above 0");
    if (!(std::abs(k0) <= kSharpest && std::abs(k1) <= kSharpest))
      throw std::invalid_argument("turns on a radius below 0.1 m, expected less curvature");
    if (here.s + segment.length > kLongest)
      throw std::invalid_argument("is longer than 1e6 m, expected a shorter one");
    const double sharpest = std::max(std::abs(k0), std::abs(k1));
    const double spacing = std::min(kWidestSpacing, kWidestTurn / std::max(sharpest, 1e-9));
    // a segment begins with a knot of its own: the curvature may jump there
    here.curvature = k0;
    path.knots_.push_back(here);
    const auto pieces = static_cast<std::size_t>(std::ceil(segment.length / spacing));
    const double ds = segment.length / static_cast<double>(pieces);
    for (std::size_t i = 0; i < pieces; ++i) {
      const auto part = [&](std::size_t k) {
        return k0 + (k1 - k0) * static_cast<double>(k) / static_cast<double>(pieces);
      };
      here = advance(here, part(i), part(i + 1), ds);
      path.knots_.push_back(here);
    }
  }
  if (path.knots_.empty()) throw std::invalid_argument("holds no segment, expected one or more");
  return path;
}

Path Path::from_points(const std::vector<std::pair<double, double>>& points) {
  if (points.size() < 2) throw std::invalid_argument("holds fewer than two points, expected more");
  std::vector<double> u{0.0};
  std::vector<double> x;
  std::vector<double> y;
  for (const auto& [px, py] : points) {
    if (!x.empty()) {
      const double chord = std::hypot(px - x.back(), py - y.back());
      if (!(chord > 1e-6))
        throw std::invalid_argument("has two points in one place, expected places apart");
      u.push_back(u.back() + chord);
    }
    x.push_back(px);
    y.push_back(py);
  }
  if (!(u.back() <= kLongest))
    throw std::invalid_argument("is longer than 1e6 m, expected a shorter one");
  const std::vector<double> mx = natural_spline(u, x);
  const std::vector<double> my = natural_spline(u, y);
  Path path;
  double s = 0.0;
  double turned = 0.0;
  for (std::size_t i = 0; i + 1 < u.size(); ++i) {
    const double length = u[i + 1] - u[i];
    const auto place = [&](double w) {
      return std::pair(on_spline(length, x[i], x[i + 1], mx[i], mx[i + 1], w),
                       on_spline(length, y[i], y[i + 1], my[i], my[i + 1], w));
    };
    const auto pieces =
        static_cast<std::size_t>(std::max(20.0, std::ceil(length / kWidestSpacing)));
    for (std::size_t k = i == 0 ? 0 : 1; k <= pieces; ++k) {
      const double w = static_cast<double>(k) / static_cast<double>(pieces);
      if (k > 0)
        for (std::size_t g = 0; g < kPlace.size(); ++g) {
          const auto [gx, gy] =
              place((static_cast<double>(k - 1) + kPlace[g]) / static_cast<double>(pieces));
          s += kWeight[g] * length / static_cast<double>(pieces) * std::hypot(gx[1], gy[1]);
        }
      const auto [px, py] = place(w);
      const double speed = std::hypot(px[1], py[1]);
      if (!(speed > 1e-9))
        throw std::invalid_argument("turns on the spot between two points, expected more points");
      const double heading = std::atan2(py[1], px[1]);
      turned =
          path.knots_.empty() ? heading : turned + std::remainder(heading - turned, 2.0 * M_PI);
      path.knots_.push_back(
          {s, px[0], py[0], turned, (px[1] * py[2] - py[1] * px[2]) / (speed * speed * speed)});
    }
  }
  return path;
}

PathPoint Path::at(double s) const noexcept {
  if (knots_.empty()) return {s, s, 0.0, 0.0, 0.0};
  const PathPoint& first = knots_.front();
  const PathPoint& last = knots_.back();
  if (s <= first.s || s >= last.s) {
    const PathPoint& end = s <= first.s ? first : last;
    const double beyond = s - end.s;
    return {s, end.x + beyond * std::cos(end.heading), end.y + beyond * std::sin(end.heading),
            end.heading, beyond == 0.0 ? end.curvature : 0.0};
  }
  const auto after = std::upper_bound(knots_.begin(), knots_.end(), s,
                                      [](double value, const PathPoint& p) { return value < p.s; });
  const PathPoint& b = *after;
  const PathPoint& a = *(after - 1);
  // cubic Hermite between the knots
  const double length = b.s - a.s;
  const double w = (s - a.s) / length;
  const double h00 = (1.0 + 2.0 * w) * (1.0 - w) * (1.0 - w);
  const double h10 = w * (1.0 - w) * (1.0 - w) * length;
  const double h01 = w * w * (3.0 - 2.0 * w);
  const double h11 = w * w * (w - 1.0) * length;
  return {s, h00 * a.x + h10 * std::cos(a.heading) + h01 * b.x + h11 * std::cos(b.heading),
          h00 * a.y + h10 * std::sin(a.heading) + h01 * b.y + h11 * std::sin(b.heading),
          a.heading + (a.curvature + 0.5 * w * (b.curvature - a.curvature)) * w * length,
          a.curvature + w * (b.curvature - a.curvature)};
}

PathPoint Path::nearest(double x, double y, double s) const noexcept {
  PathPoint here = at(s);
  // along the tangent, turned by the curvature: Newton on the foot of the perpendicular
  for (int i = 0; i < 20; ++i) {
    const double along =
        (x - here.x) * std::cos(here.heading) + (y - here.y) * std::sin(here.heading);
    const double across = offset(here, x, y);
    const double slope = std::max(0.3, 1.0 - here.curvature * across);
    const double way = std::clamp(along / slope, -5.0, 5.0);
    here = at(here.s + way);
    if (std::abs(way) < 1e-10) break;
  }
  return here;
}

double Path::offset(const PathPoint& from, double x, double y) noexcept {
  return (y - from.y) * std::cos(from.heading) - (x - from.x) * std::sin(from.heading);
}

double Path::sharpest(double s, double ahead) const noexcept {
  double sharpest = std::abs(at(s).curvature);
  for (const PathPoint& knot : knots_)
    if (knot.s >= s && knot.s <= s + ahead) sharpest = std::max(sharpest, std::abs(knot.curvature));
  return sharpest;
}

}  // namespace semirec
