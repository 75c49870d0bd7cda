#include "vehicles/manoeuvre/car.hpp"

#include <algorithm>

#include "vehicles/analysis/steady_state.hpp"
#include "vehicles/description/input_readers.hpp"
#include "vehicles/description/units.hpp"
#include "vehicles/manoeuvre/open_loop.hpp"

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
  for (const Body& body : vehicle.mechanism.bodies) car.mass += body.mass;
  const Unit unit = find_units(vehicle).front();
  car.own_mass = find_unit_mass(vehicle.mechanism, unit);
  if (unit.wheels.size() < 4 || unit.axles.size() < 2)
    lack(vehicle, "has " + std::to_string(unit.wheels.size()) +
                      " wheels, expected four or more on two axles");
  for (const UnitAxle& axle : unit.axles) {
    if (!axle.paired())
      lack(vehicle, "has an axle at x = " + std::to_string(axle.x) +
                        " m with wheels on one side alone, expected a left and a right one");
    car.width = std::max(car.width, axle.outer_left - axle.outer_right + kTyreWidth);
  }
  const Body& chassis = vehicle.mechanism.bodies[static_cast<std::size_t>(vehicle.chassis)];
  const double centre = (chassis.X_WB.A * chassis.com + chassis.X_WB.p).x();
  const AxleGroups groups = group_axles(unit);
  car.axles = unit.axles.size();
  car.front = groups.front - centre;
  car.rear = centre - groups.rear;
  car.wheelbase = groups.wheelbase();
  car.first = unit.axles.front().x - centre;
  car.last = centre - unit.axles.back().x;
  car.track_front = unit.axles.front().track();
  car.track_rear = unit.axles.back().track();
  car.length = car.first + car.last + kOverhangs;
  return car;
}

namespace {

/// What turns the steering wheel in a slow turn to the left, of 50 m, on level ground in still air,
/// rad; 0 where there is no steady turn.
double find_slow_steering(Vehicle vehicle, double speed) {
  constexpr double kRadius = 50.0;  // m
  vehicle.aeros.clear();
  vehicle.mechanism.gravity = {0.0, 0.0, -vehicle.mechanism.gravity.norm()};
  try {
    SteadyCar car(vehicle, {});
    const SteadyTurn straight = car.turn(speed, 0.0);
    const SteadyTurn turn = car.turn(speed, speed * speed / kRadius, &straight);
    return turn.steering_wheel - straight.steering_wheel;
  } catch (const AnalysisError&) {
    return 0.0;
  } catch (const ModelError&) {
    return 0.0;
  }
}

}  // namespace

void need_steering(const Vehicle& vehicle, const Manoeuvre& manoeuvre) {
  if (vehicle.controls.steering.empty())
    lack(vehicle, "has nothing to steer with, which '" + manoeuvre.name +
                      "' needs, expected <controls steering=\"...\"/> or an input 'steering'");
  if (!is_read(vehicle, vehicle.controls.steering))
    lack(vehicle, "has a steering input '" + vehicle.controls.steering +
                      "' that is read by no element, and '" + manoeuvre.name +
                      "' needs one that steers, expected a <motion>, rod or force that takes it");
  // where the first is above the car's critical speed the second tells
  constexpr double kSlow = 5.0, kSlowest = 1.0;  // m/s
  double steering = find_slow_steering(vehicle, kSlow);
  if (steering <= 0.0) steering = find_slow_steering(vehicle, kSlowest);
  check_turned_with(1.0, steering);
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
  const std::string& throttle = vehicle.controls.throttle;
  return throttle.empty() || !is_read(vehicle, throttle) ? SpeedKeeper::Means::force
                                                         : SpeedKeeper::Means::pedals;
}

SpeedKeeper make_speed_keeper(const Vehicle& vehicle) {
  return SpeedKeeper(means_of_speed(vehicle), measure_car(vehicle).mass);
}

}  // namespace semirec
