#pragma once

#include <limits>
#include <vector>

#include "recursive/cars/curve_of_cars.hpp"
#include "recursive/cars/place_of_cars.hpp"
#include "recursive/packs/number_functions.hpp"
#include "vehicles/driveline/driveline_model.hpp"
#include "vehicles/driveline/driveline_numbers.hpp"

namespace semirec {

// compute_motor_torque() and compute_converter_torque() of cars side by side, choices as masks.

template <AnyPack P>
struct MotorTorqueOf {
  P torque{};  ///< N m
  P slope{};   ///< N m s/rad
};

/// Torques of any coupling, with names and units of ConverterTorque.
template <AnyPack P>
struct CouplingTorqueOf {
  P pump{}, turbine{};
  P pump_w{}, pump_w_turbine{}, turbine_w{}, turbine_w_turbine{};
};

/// A curve of each car's driveline.
template <AnyPack P, typename Pick>
CurveOfCars<P> curve_of_cars(const std::vector<const DrivelineModel*>& cars, const Pick& pick) {
  std::vector<const Curve*> curves;
  for (const DrivelineModel* car : cars) curves.push_back(&pick(car->driveline));
  return CurveOfCars<P>(curves);
}

/// Motors of one type. The models outlive it.
template <AnyPack P>
class MotorOfCars {
 public:
  explicit MotorOfCars(const std::vector<const DrivelineModel*>& cars)
      : type_(cars.front()->driveline.motor.type),
        full_(curve_of_cars<P>(
            cars, [](const Driveline& d) -> auto& { return d.motor.full; })),
        closed_(curve_of_cars<P>(
            cars, [](const Driveline& d) -> auto& { return d.motor.closed; })),
        idle_speed_(number(cars, &Motor::idle_speed)),
        max_speed_(number(cars, &Motor::max_speed)),
        power_(number(cars, &Motor::power)),
        inertia_(number(cars, &Motor::inertia)) {}

  const P& inertia() const { return inertia_; }

  MotorTorqueOf<P> torque(const P& throttle, const P& w) const {
    const P finite =
        select(absolute(throttle) <= std::numeric_limits<double>::max(), throttle, P{});
    return type_ == MotorType::electric ? electric(finite, w) : combustion(finite, w);
  }

 private:
  struct Sloped {
    P f, fd;
  };

  static P number(const std::vector<const DrivelineModel*>& cars, double Motor::*member) {
    return number_of_cars<P>(
        cars, [&](const DrivelineModel& car) -> double { return car.driveline.motor.*member; });
  }

  static Sloped ramp(const P& w, const P& from, const P& width) {
    const P x = (w - from) / width;
    return {within(x, 0.0, 1.0), select((x > 0.0) & (x < 1.0), 1.0 / width, P{})};
  }

  /// The torque of the closed throttle.
  Sloped closed_torque(const P& w) const {
    const LaneInputOf<P> closed = closed_.evaluate(w);
    const auto drags = (closed.f < 0.0) & (w < driveline_numbers::kDragBand);
    const P share = larger_of(w * (1.0 / driveline_numbers::kDragBand), -1.0);
    const P slope = select(share > -1.0, closed.f * (1.0 / driveline_numbers::kDragBand), P{});
    return {select(drags, share * closed.f, closed.f),
            select(drags, share * closed.fd + slope, closed.fd)};
  }

  MotorTorqueOf<P> combustion(const P& throttle, const P& w) const {
    Sloped u{within(throttle, 0.0, 1.0), P{}};
    const Sloped governed = ramp(-w, -idle_speed_, driveline_numbers::kIdleBand * idle_speed_);
    const auto idles = (idle_speed_ > 0.0) & (governed.f > u.f);
    u = {select(idles, governed.f, u.f), select(idles, -governed.fd, u.fd)};
    const Sloped cut = ramp(w, max_speed_, driveline_numbers::kLimiterBand * max_speed_);
    const auto cuts = (max_speed_ > 0.0) & (1.0 - cut.f < u.f);
    u = {select(cuts, 1.0 - cut.f, u.f), select(cuts, -cut.fd, u.fd)};
    const LaneInputOf<P> full = full_.evaluate(w);
    const Sloped closed = closed_torque(w);
    return {(1.0 - u.f) * closed.f + u.f * full.f,
            (1.0 - u.f) * closed.fd + u.f * full.fd + u.fd * (full.f - closed.f)};
  }

  MotorTorqueOf<P> electric(const P& throttle, const P& w) const {
    const P u = within(throttle, -1.0, 1.0);
    const P speed = absolute(w);
    const P sign = select(w < 0.0, as<P>(-1.0), as<P>(1.0));
    const LaneInputOf<P> curve = full_.evaluate(speed);
    Sloped full{curve.f, curve.fd};
    const auto limited = (power_ > 0.0) & (absolute(u * full.f) * speed > power_);
    const P limit = select(u * full.f < 0.0, -power_, power_) / speed;
    full = {select(limited, limit / u, full.f), select(limited, -limit / (u * speed), full.fd)};
    const Sloped cut = ramp(speed, max_speed_, driveline_numbers::kLimiterBand * max_speed_);
    const auto cuts = (max_speed_ > 0.0) & (u * full.f * sign > 0.0);
    full = {select(cuts, (1.0 - cut.f) * full.f, full.f),
            select(cuts, (1.0 - cut.f) * full.fd - cut.fd * full.f, full.fd)};
    return {u * full.f, u * full.fd * sign};
  }

  MotorType type_;
  CurveOfCars<P> full_, closed_;
  P idle_speed_, max_speed_, power_, inertia_;
};

/// Torque converters. The models outlive it.
template <AnyPack P>
class ConverterOfCars {
 public:
  explicit ConverterOfCars(const std::vector<const DrivelineModel*>& cars)
      : torque_ratio_(curve_of_cars<P>(
            cars, [](const Driveline& d) -> auto& { return d.coupling.torque_ratio; })),
        capacity_factor_(curve_of_cars<P>(
            cars, [](const Driveline& d) -> auto& { return d.coupling.capacity_factor; })) {}

  CouplingTorqueOf<P> torque(const P& w, const P& w_turbine) const {
    const P none{};
    const P fast = larger_of(larger_of(w, w_turbine), none);
    const auto turns = fast > 0.0;
    const auto overrun = w_turbine > w;
    const P slow = larger_of(select(overrun, w, w_turbine), none);
    const P ratio = select(turns, slow / fast, none);
    const LaneInputOf<P> K = capacity_factor_.evaluate(ratio);
    const P inverse = 1.0 / (K.f * K.f);
    const P fade = smaller_of((1.0 - ratio) / (1.0 - driveline_numbers::kCoupled), 1.0);
    const P c = fade * inverse;
    const P c_ratio =
        -2.0 * c * K.fd / K.f - select(ratio > driveline_numbers::kCoupled,
                                       inverse / (1.0 - driveline_numbers::kCoupled), none);
    const P torque = fast * fast * c;
    const P over_fast = 2.0 * fast * c - slow * c_ratio;
    const P over_slow = select(slow > 0.0, fast * c_ratio, none);
    const LaneInputOf<P> gain = torque_ratio_.evaluate(ratio);
    const P gain_fast = -gain.fd * slow / (fast * fast);
    const P gain_slow = select(slow > 0.0, gain.fd / fast, none);
    const auto choose = [&](const P& drives, const P& overruns) {
      return select(turns, select(overrun, overruns, drives), none);
    };
    return {choose(torque, -torque),
            choose(gain.f * torque, -torque),
            choose(over_fast, -over_slow),
            choose(over_slow, -over_fast),
            choose(gain.f * over_fast + gain_fast * torque, -over_slow),
            choose(gain.f * over_slow + gain_slow * torque, -over_fast)};
  }

 private:
  CurveOfCars<P> torque_ratio_, capacity_factor_;
};

}  // namespace semirec
