#include "topology/curve.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <utility>

#include "topology/smooth_slope.hpp"

namespace semirec {

namespace {

double antiderivative(const Curve::Piece& piece, double x) {
  const double s = x - piece.origin;
  double sum = 0.0;
  for (int k = 5; k >= 0; --k) sum = (sum + piece.c[static_cast<std::size_t>(k)] / (k + 1)) * s;
  return sum;
}

}  // namespace

const Curve::Piece& Curve::piece_at(double x, bool from_left) const {
  // few pieces are the rule: counted without a branch; long tables (roads) by bisection
  constexpr std::size_t kFew = 16;
  std::size_t begun = 0;
  if (starts_.size() > kFew)
    begun =
        static_cast<std::size_t>((from_left ? std::lower_bound(starts_.begin(), starts_.end(), x)
                                            : std::upper_bound(starts_.begin(), starts_.end(), x)) -
                                 starts_.begin());
  else if (from_left)
    for (const double start : starts_) begun += x > start ? 1 : 0;
  else
    for (const double start : starts_) begun += x >= start ? 1 : 0;
  return pieces_[begun];
}

Curve Curve::constant(double value) {
  Curve curve;
  curve.add_piece(0.0, 0.0, {value});
  return curve;
}

Curve Curve::linear(double slope, double zero) {
  Curve curve;
  curve.add_piece(zero, zero, {0.0, slope});
  return curve;
}

Curve Curve::table(const std::vector<std::pair<double, double>>& points, bool extrapolate) {
  if (points.empty()) throw std::invalid_argument("a table needs at least one point");
  Curve curve;
  const auto [x_first, f_first] = points.front();
  if (!extrapolate || points.size() == 1) curve.add_piece(-1e300, x_first, {f_first});
  for (std::size_t k = 0; k + 1 < points.size(); ++k) {
    const auto [x0, f0] = points[k];
    const auto [x1, f1] = points[k + 1];
    if (x1 < x0) throw std::invalid_argument("the x of a table must not descend");
    if (x1 == x0) continue;
    curve.add_piece(x0, x0, {f0, (f1 - f0) / (x1 - x0)});
  }
  const auto [x_last, f_last] = points.back();
  if (!extrapolate) curve.add_piece(x_last, x_last, {f_last});
  return curve;
}

Curve Curve::smooth_table(const std::vector<std::pair<double, double>>& points, bool extrapolate) {
  if (points.size() < 3) return table(points, extrapolate);
  const std::size_t n = points.size();
  std::vector<double> slope(n);
  const auto width = [&](std::size_t k) { return points[k + 1].first - points[k].first; };
  const auto rise = [&](std::size_t k) {
    if (!(width(k) > 0.0)) throw std::invalid_argument("the x of a smooth table must ascend");
    return (points[k + 1].second - points[k].second) / width(k);
  };
  slope.front() = rise(0);
  slope.back() = rise(n - 2);
  for (std::size_t k = 1; k + 1 < n; ++k)
    slope[k] = smooth_slope(width(k - 1), rise(k - 1), width(k), rise(k));
  Curve curve;
  const auto add_end = [&](double from, const std::pair<double, double>& point, double end_slope) {
    curve.add_piece(from, point.first, {point.second, extrapolate ? end_slope : 0.0});
  };
  add_end(-1e300, points.front(), slope.front());
  for (std::size_t k = 0; k + 1 < n; ++k) {
    const double h = width(k);
    const double d = rise(k);
    curve.add_piece(points[k].first, points[k].first,
                    {points[k].second, slope[k], (3.0 * d - 2.0 * slope[k] - slope[k + 1]) / h,
                     (slope[k] + slope[k + 1] - 2.0 * d) / (h * h)});
  }
  add_end(points.back().first, points.back(), slope.back());
  return curve;
}

void Curve::add_piece(double from, double origin, const std::array<double, 6>& c) {
  Piece piece{from, origin, c, 0.0, 5};
  while (piece.degree > 0 && c[static_cast<std::size_t>(piece.degree)] == 0.0) --piece.degree;
  if (!pieces_.empty()) {
    const Piece& last = pieces_.back();
    // the first piece may be without a beginning: any other comes after it
    const bool first_of_all = pieces_.size() == 1 && last.from < -1e299;
    if (from < last.from && !first_of_all)
      throw std::invalid_argument("the pieces of a curve must ascend");
    // the second piece starts the count where the first has no finite beginning
    const double start = last.from < -1e299 ? from : last.from;
    piece.area = last.area + antiderivative(last, from) - antiderivative(last, start);
    starts_.push_back(from);
  }
  pieces_.push_back(piece);
  look_for_line();
}

void Curve::add_sine(const Sine& sine) {
  sines_.push_back(sine);
  look_for_line();
}

void Curve::set_function(std::shared_ptr<const CurveFunction> function) {
  function_ = std::move(function);
  look_for_line();
}

void Curve::look_for_line() {
  is_line_ =
      pieces_.size() == 1 && pieces_.front().degree == 1 && sines_.empty() && function_ == nullptr;
}

CurveValue Curve::add_up_at(double x, bool from_left) const {
  CurveValue v;
  if (!pieces_.empty()) {
    const Piece& piece = piece_at(x, from_left);
    const double s = x - piece.origin;
    auto k = static_cast<std::size_t>(piece.degree);
    double f = piece.c[k];
    double fd = 0.0;
    double fdd = 0.0;
    while (k-- > 0) {
      fdd = fdd * s + 2.0 * fd;
      fd = fd * s + f;
      f = f * s + piece.c[k];
    }
    v = {f, fd, fdd};
  }
  for (const Sine& sine : sines_) {
    if (from_left ? x <= sine.from || x > sine.to : x < sine.from || x >= sine.to) continue;
    const double angle = sine.omega * x + sine.phase;
    const double s = sine.amplitude * std::sin(angle);
    const double c = sine.amplitude * sine.omega * std::cos(angle);
    const double since = x - sine.from;
    // compared as breakpoints() words it: x - from may round to the other side
    const double risen = sine.from + sine.rise;
    if (sine.rise > 0.0 && (from_left ? x <= risen : x < risen)) {
      const double rate = std::numbers::pi / sine.rise;
      const double w = 0.5 * (1.0 - std::cos(rate * since));
      const double wd = 0.5 * rate * std::sin(rate * since);
      const double wdd = 0.5 * rate * rate * std::cos(rate * since);
      v.f += s * w;
      v.fd += c * w + s * wd;
      v.fdd += -sine.omega * sine.omega * s * w + 2.0 * c * wd + s * wdd;
    } else {
      v.f += s;
      v.fd += c;
      v.fdd += -sine.omega * sine.omega * s;
    }
  }
  if (function_ != nullptr) {
    const CurveValue other = function_->evaluate(x);
    v.f += other.f;
    v.fd += other.fd;
    v.fdd += other.fdd;
  }
  return v;
}

double Curve::integral(double x) const {
  if (pieces_.empty()) return 0.0;
  const Piece& piece = piece_at(x, /*from_left=*/false);
  double start = piece.from;
  if (start < -1e299) start = pieces_.size() > 1 ? pieces_[1].from : piece.origin;
  return piece.area + antiderivative(piece, x) - antiderivative(piece, start);
}

bool Curve::is_constant() const {
  return sines_.empty() && function_ == nullptr && pieces_.size() <= 1 &&
         (pieces_.empty() || pieces_.front().degree == 0);
}

std::vector<double> Curve::breakpoints() const {
  std::vector<double> points;
  for (std::size_t k = 1; k < pieces_.size(); ++k) points.push_back(pieces_[k].from);
  for (const Sine& sine : sines_) {
    if (sine.from > -1e299) {
      points.push_back(sine.from);
      // the end of the soft start, where the curvature of its window jumps
      if (sine.rise > 0.0 && sine.from + sine.rise < sine.to)
        points.push_back(sine.from + sine.rise);
    }
    if (sine.to < 1e299) points.push_back(sine.to);
  }
  return points;
}

}  // namespace semirec
