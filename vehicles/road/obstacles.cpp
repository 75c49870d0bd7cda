#include "vehicles/road/obstacles.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace semirec {

namespace {

constexpr double kTurn = 2.0 * std::numbers::pi;
/// Slope at which the flank of a round bar is cut.
constexpr double kSteepest = 20.0;

bool beside(const Lane& lane, double y) { return y < lane.y_from || y > lane.y_to; }

}  // namespace

RoadPoint InclinedPlane::evaluate(double x, double y) const {
  return {z_ + slope_ * x + bank_ * y, slope_, bank_, 1.0};
}

Plank::Plank(double start, double length, double height, double bevel, const Lane& lane)
    : start_(start),
      length_(length),
      height_(height),
      bevel_(std::min(bevel, 0.5 * length)),
      lane_(lane) {}

RoadPoint Plank::evaluate(double x, double y) const {
  const double s = x - start_;
  if (s < 0.0 || s > length_ || beside(lane_, y)) return {};
  const double edge = std::min(s, length_ - s);
  if (edge >= bevel_) return {height_, 0.0, 0.0, 1.0};
  const double slope = height_ / bevel_;
  return {slope * edge, 2.0 * s < length_ ? slope : -slope, 0.0, 1.0};
}

Ramp::Ramp(double start, double end, double slope, const Lane& lane)
    : start_(start), end_(end), slope_(slope), lane_(lane) {}

RoadPoint Ramp::evaluate(double x, double y) const {
  if (x <= start_ || beside(lane_, y)) return {};
  if (x >= end_) return {slope_ * (end_ - start_), 0.0, 0.0, 1.0};
  return {slope_ * (x - start_), slope_, 0.0, 1.0};
}

SineRoad::SineRoad(double amplitude, double wavelength, double start, double end, const Lane& lane)
    : amplitude_(amplitude), k_(kTurn / wavelength), start_(start), end_(end), lane_(lane) {}

RoadPoint SineRoad::evaluate(double x, double y) const {
  if (x < start_ || x > end_ || beside(lane_, y)) return {};
  const double angle = k_ * (x - start_);
  return {amplitude_ * std::sin(angle), amplitude_ * k_ * std::cos(angle), 0.0, 1.0};
}

HalfRound::HalfRound(double centre, double radius, const Lane& lane)
    : centre_(centre), radius_(radius), lane_(lane) {}

RoadPoint HalfRound::evaluate(double x, double y) const {
  const double s = x - centre_;
  if (std::abs(s) >= radius_ || beside(lane_, y)) return {};
  const double height = std::sqrt((radius_ - s) * (radius_ + s));
  const double slope = -s / std::max(height, std::abs(s) / kSteepest);
  return {height, slope, 0.0, 1.0};
}

CosineBump::CosineBump(double start, double length, double height, const Lane& lane)
    : start_(start), length_(length), height_(height), lane_(lane) {}

RoadPoint CosineBump::evaluate(double x, double y) const {
  const double s = x - start_;
  if (s <= 0.0 || s >= length_ || beside(lane_, y)) return {};
  const double k = kTurn / length_;
  return {0.5 * height_ * (1.0 - std::cos(k * s)), 0.5 * height_ * k * std::sin(k * s), 0.0, 1.0};
}

Roof::Roof(double start, double length, double height, const Lane& lane)
    : start_(start), length_(length), height_(height), lane_(lane) {}

RoadPoint Roof::evaluate(double x, double y) const {
  const double s = x - start_;
  if (s <= 0.0 || s >= length_ || beside(lane_, y)) return {};
  const double slope = 2.0 * height_ / length_;
  return 2.0 * s < length_ ? RoadPoint{slope * s, slope, 0.0, 1.0}
                           : RoadPoint{slope * (length_ - s), -slope, 0.0, 1.0};
}

static void put_into(Fingerprint& fingerprint, const Lane& lane) {
  const auto& [y_from, y_to] = lane;
  fingerprint(y_from, y_to);
}

void InclinedPlane::put_into(Fingerprint& fingerprint) const {
  fingerprint("inclined plane", z_, slope_, bank_);
}

void Plank::put_into(Fingerprint& fingerprint) const {
  fingerprint("plank", start_, length_, height_, bevel_, lane_);
}

void Ramp::put_into(Fingerprint& fingerprint) const {
  fingerprint("ramp", start_, end_, slope_, lane_);
}

void SineRoad::put_into(Fingerprint& fingerprint) const {
  fingerprint("sine road", amplitude_, k_, start_, end_, lane_);
}

void HalfRound::put_into(Fingerprint& fingerprint) const {
  fingerprint("half round", centre_, radius_, lane_);
}

void CosineBump::put_into(Fingerprint& fingerprint) const {
  fingerprint("cosine bump", start_, length_, height_, lane_);
}

void Roof::put_into(Fingerprint& fingerprint) const {
  fingerprint("roof", start_, length_, height_, lane_);
}

}  // namespace semirec
