#include "vehicles/manoeuvre/car.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace semirec {

namespace {

constexpr double kTyreWidth = 0.25;  // m
constexpr double kOverhangs = 1.85;  // m, front and rear together

[[noreturn]] void lack(const Vehicle& vehicle, const std::string& text) {
  throw ModelError("vehicle '" + vehicle.mechanism.name + "': " + text);
}

}  // namespace

CarMeasures measure_car(const Vehicle& vehicle) {
  if (vehicle.chassis == kGround)
    lack(vehicle, "has no chassis, expected a body with chassis=\"yes\" on a free joint");
  CarMeasures car;
  const Body& chassis = vehicle.mechanism.bodies[static_cast<std::size_t>(vehicle.chassis)];
  const double centre = (chassis.X_WB.A * chassis.com + chassis.X_WB.p).x();
  for (const Body& body : vehicle.mechanism.bodies) car.mass += body.mass;
  constexpr double kNone = std::numeric_limits<double>::infinity();
  double first = -kNone;
  double last = kNone;
  const auto place_of = [&](const Wheel& wheel) {
    return (vehicle.mechanism.bodies[static_cast<std::size_t>(wheel.centre.body)].X_WB *
            wheel.centre.X_BF)
        .p;
  };
  for (const Wheel& wheel : vehicle.wheels) {
    first = std::max(first, place_of(wheel).x());
    last = std::min(last, place_of(wheel).x());
  }
  if (vehicle.wheels.size() < 4 || first - last < 0.1)
    lack(vehicle, "has " + std::to_string(vehicle.wheels.size()) +
                      " wheels, expected four or more on two axles");
  double left[2] = {-kNone, -kNone};
  double right[2] = {kNone, kNone};
  for (const Wheel& wheel : vehicle.wheels) {
    const auto p = place_of(wheel);
    const int axle = first - p.x() < p.x() - last ? 0 : 1;
    left[axle] = std::max(left[axle], p.y());
    right[axle] = std::min(right[axle], p.y());
  }
  car.front = first - centre;
  car.rear = centre - last;
  car.wheelbase = first - last;
  car.track_front = left[0] - right[0];
  car.track_rear = left[1] - right[1];
  car.width = std::max(car.track_front, car.track_rear) + kTyreWidth;
  car.length = car.wheelbase + kOverhangs;
  return car;
}

void need_steering(const Vehicle& vehicle, const std::string& manoeuvre) {
  if (vehicle.controls.steering.empty())
    lack(vehicle, "has nothing to steer with, which '" + manoeuvre +
                      "' needs, expected <controls steering=\"...\"/> or an input 'steering'");
}

void need_brake(const Vehicle& vehicle, const std::string& manoeuvre) {
  if (vehicle.controls.brake.empty() || vehicle.brakes.empty())
    lack(vehicle, "has no brakes, which '" + manoeuvre +
                      "' needs, expected <brake> elements and <controls brake=\"...\"/> or an "
                      "input 'brake'");
}

void need_throttle(const Vehicle& vehicle, const std::string& manoeuvre) {
  if (vehicle.controls.throttle.empty() || vehicle.drivelines.empty())
    lack(vehicle, "has no driveline, which '" + manoeuvre +
                      "' needs, expected a <driveline> and <controls throttle=\"...\"/> or an "
                      "input 'throttle'");
}

SpeedKeeper::Means means_of_speed(const Vehicle& vehicle) {
  return vehicle.controls.throttle.empty() ? SpeedKeeper::Means::force : SpeedKeeper::Means::pedals;
}

SpeedKeeper make_speed_keeper(const Vehicle& vehicle) {
  return SpeedKeeper(means_of_speed(vehicle), measure_car(vehicle).mass);
}

}  // namespace semirec
