#include "vehicles/manoeuvre/grip.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "topology/indices.hpp"
#include "vehicles/description/units.hpp"
#include "vehicles/tyre/calspan.hpp"

namespace semirec {

namespace {

constexpr int kAngles = 30;         // of slip, on each side
constexpr double kMostAngle = 1.2;  // rad
constexpr double kAtMost = 0.99;    // of the largest force: the angle from which the tyre slides
constexpr double kNoLoad = 1.0;     // N
constexpr int kNeighbours = 5;      // rows

/// The most side force of a tyre, and the slip angle at which it is reached.
struct SideForcePeak {
  double force = 0.0, alpha = kMostAngle;
};

template <class SideForce>
SideForcePeak find_most_side_force(const SideForce& side_force, double sign) {
  std::array<double, kAngles> force{};
  SideForcePeak peak;
  for (int k = 0; k < kAngles; ++k) {
    // closer together where tyres are stiff
    const double w = (k + 1.0) / kAngles;
    force[at(k)] = std::abs(side_force(sign * kMostAngle * w * w));
    peak.force = std::max(peak.force, force[at(k)]);
  }
  for (int k = 0; k < kAngles; ++k)
    if (force[at(k)] >= kAtMost * peak.force) {
      const double w = (k + 1.0) / kAngles;
      peak.alpha = kMostAngle * w * w;
      break;
    }
  return peak;
}

/// Channels of one wheel in a history.
struct WheelColumns {
  const Wheel* wheel;
  std::size_t vx, x, y, Fx, Fy, Fz, alpha, gamma, kappa = 0, Wy = 0, Wz = 0;
  bool rolls;

  WheelColumns(const Wheel& w, const History& history)
      : wheel(&w),
        vx(history.find("car.vx")),
        x(history.find(w.name + ".x")),
        y(history.find(w.name + ".y")),
        Fx(history.find(w.name + ".Fx")),
        Fy(history.find(w.name + ".Fy")),
        Fz(history.find(w.name + ".Fz")),
        alpha(history.find(w.name + ".alpha")),
        gamma(history.find(w.name + ".gamma")),
        rolls(w.rim != kGround && w.law != nullptr && history.has(w.name + ".Wy")) {
    if (!rolls) return;
    kappa = history.find(w.name + ".kappa");
    Wy = history.find(w.name + ".Wy");
    Wz = history.find(w.name + ".Wz");
  }
};

struct SideForceUse {
  double used = 0.0, most = 0.0;  // N
};

SideForceUse find_side_force_use(const WheelColumns& c, const Scenario& scenario,
                                 const std::vector<double>& row) {
  const double alpha = row[c.alpha];
  const double sign = alpha < 0.0 ? -1.0 : 1.0;
  SideForcePeak peak;
  double force = 0.0;
  if (c.rolls) {
    if (row[c.Wz] < kNoLoad) return {};
    TyreSlip slip;
    slip.load = row[c.Wz];
    slip.kappa = row[c.kappa];
    slip.gamma = row[c.gamma];
    slip.speed = row[c.vx];
    slip.friction = c.wheel->friction_scale;
    if (scenario.surface) slip.friction *= scenario.surface->evaluate(row[c.x], row[c.y]).friction;
    peak = find_most_side_force(
        [&](double angle) {
          slip.tan_alpha = std::tan(angle);
          return c.wheel->law->forces(slip).Fy;
        },
        sign);
    force = row[c.Wy];
  } else {
    if (!scenario.lateral || !c.wheel->lateral || row[c.Fz] < kNoLoad) return {};
    const double load = row[c.Fz];
    const double gamma = row[c.gamma];
    peak = find_most_side_force(
        [&](double angle) { return calspan_lateral(*c.wheel->lateral, load, angle, gamma).force; },
        sign);
    // a tyre that carries has no longitudinal force
    force = std::hypot(row[c.Fx], row[c.Fy]);
  }
  const double used = std::abs(alpha) >= peak.alpha ? peak.force : std::abs(force);
  return {std::min(used, peak.force), peak.force};
}

}  // namespace

std::string axle_in_words(const AxleGrip& axle) {
  return axle.axle.rfind("axle", 0) == 0 ? axle.axle : axle.axle + " axle";
}

std::vector<AxleGrip> find_grip(const Vehicle& vehicle, const Scenario& scenario,
                                const History& history, std::size_t first, std::size_t last) {
  std::vector<AxleGrip> grip;
  const Unit unit = find_units(vehicle).front();
  for (const UnitAxle& axle : unit.axles) {
    std::vector<WheelColumns> columns;
    for (const auto& side : {axle.left, axle.right})
      for (const int k : side) columns.emplace_back(vehicle.wheels[at(k)], history);
    AxleGrip of;
    of.axle = axle.name;
    double sum = 0.0;
    for (std::size_t r = first; r < std::min(last, history.rows.size()); ++r) {
      SideForceUse all;
      for (const WheelColumns& c : columns) {
        const SideForceUse use = find_side_force_use(c, scenario, history.rows[r]);
        all.used += use.used;
        all.most += use.most;
      }
      of.share.push_back(all.most > 0.0 ? all.used / all.most : 0.0);
      sum += all.most;
    }
    if (!(sum > 0.0)) of.share.clear();
    grip.push_back(std::move(of));
  }
  return grip;
}

double largest_share(const AxleGrip& axle) {
  double most = 0.0;
  for (std::size_t k = 0; k + kNeighbours <= axle.share.size(); ++k) {
    const auto begin = axle.share.begin() + static_cast<std::ptrdiff_t>(k);
    most = std::max(most, std::accumulate(begin, begin + kNeighbours, 0.0) / kNeighbours);
  }
  return most;
}

bool tips(const Vehicle& vehicle, const History& history, std::size_t first, std::size_t last) {
  const Unit unit = find_units(vehicle).front();
  std::array<std::vector<std::size_t>, 2> sides;
  for (const UnitAxle& axle : unit.axles) {
    for (const int k : axle.left)
      sides[0].push_back(history.find(vehicle.wheels[at(k)].name + ".Fz"));
    for (const int k : axle.right)
      sides[1].push_back(history.find(vehicle.wheels[at(k)].name + ".Fz"));
  }
  for (std::size_t r = first; r < std::min(last, history.rows.size()); ++r)
    for (const auto& side : sides)
      if (!side.empty() && std::all_of(side.begin(), side.end(),
                                       [&](std::size_t k) { return history.rows[r][k] < kNoLoad; }))
        return true;
  return false;
}

}  // namespace semirec
