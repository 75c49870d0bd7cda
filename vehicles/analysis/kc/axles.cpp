#include "vehicles/analysis/kc/axles.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "topology/indices.hpp"
#include "topology/quoted_names.hpp"
#include "vehicles/description/units.hpp"
#include "vehicles/driveline/motor.hpp"

namespace semirec {

namespace {

[[noreturn]] void report_one_sided(const Wheel& wheel) {
  throw ModelError(wheel.source, wheel.name,
                   "stands alone, expected one wheel on the left (y > 0) and one on the right, "
                   "within 0.2 m of the same x");
}

/// Which axle a wheel belongs to, or -1.
int axle_of(const std::vector<Axle>& axles, int wheel) {
  for (std::size_t a = 0; a < axles.size(); ++a)
    if (axles[a].left == wheel || axles[a].right == wheel) return static_cast<int>(a);
  return -1;
}

/// What an input is for one of a pedal that is pressed, the factors of the inputs between them
/// together; 0 where the pedal does not move it, nothing where an equation computes it. Those from
/// the first input on where no pedal is named.
std::optional<double> find_part_of_pedal(const Vehicle& vehicle, const std::string& pedal,
                                         InputIndex input) {
  const std::vector<Input>& inputs = vehicle.mechanism.inputs;
  double part = 1.0;
  for (InputIndex k = input; k != kNoInput; k = inputs[at(k)].of) {
    if (inputs[at(k)].name == pedal) return part;
    if (inputs[at(k)].computed) return std::nullopt;
    part *= inputs[at(k)].factor;
  }
  return pedal.empty() ? part : 0.0;
}

/// What a brake's input acts as at full pedal, beyond what it is without: 0 to 1. Whole where no
/// pedal is named, and where an equation computes it.
double find_part_at_full_pedal(const Vehicle& vehicle, InputIndex input) {
  const std::string& pedal = vehicle.controls.brake;
  if (pedal.empty()) return 1.0;
  return std::clamp(find_part_of_pedal(vehicle, pedal, input).value_or(1.0), 0.0, 1.0);
}

/// The most that a driveline's motor gives at full throttle, at its propeller shaft in the first
/// gear, N m.
double find_largest_torque(const Driveline& driveline) {
  constexpr int kPlaces = 200;
  constexpr double kFast = 1000.0;  // rad/s
  const Motor& motor = driveline.motor;
  const double fastest = motor.max_speed > 0.0 ? motor.max_speed : kFast;
  double most = 0.0;
  for (int k = 0; k <= kPlaces; ++k)
    most = std::max(most, compute_motor_torque(motor, 1.0, fastest * k / kPlaces).torque);
  const std::vector<Gear>& gears = driveline.gearbox.gears;
  return gears.empty() ? most : most * std::abs(gears.front().ratio);
}

/// Which hub torques count, and as how much at full throttle, N m; a line on those whose size is
/// not known.
std::vector<double> find_hub_torques(const Vehicle& vehicle, std::string& note) {
  std::vector<double> torques;
  std::string unknown;
  bool all = true;
  for (const HubTorque& torque : vehicle.hub_torques) {
    const std::optional<double> part =
        find_part_of_pedal(vehicle, vehicle.controls.throttle, torque.input);
    const bool known = part && *part != 0.0 && !vehicle.controls.throttle.empty();
    torques.push_back(known ? std::abs(*part) : 0.0);
    all = all && !known;
    if (!known) add_quoted(unknown, torque.name);
  }
  if (unknown.empty()) return torques;
  const bool alike = all && vehicle.drivelines.empty();
  if (alike) std::fill(torques.begin(), torques.end(), 1.0);
  note = "what the throttle makes of " + unknown +
         " is not known: " + (alike ? "they count alike" : "they are left out") +
         " in anti-squat and anti-lift";
  return torques;
}

}  // namespace

Eigen::Vector3d find_centre_of_mass(const Mechanism& mechanism) {
  double mass = 0.0;
  Eigen::Vector3d moment = Eigen::Vector3d::Zero();
  for (const Body& body : mechanism.bodies) {
    mass += body.mass;
    moment += body.mass * (body.X_WB.p + body.X_WB.A * body.com);
  }
  return mass > 0.0 ? Eigen::Vector3d(moment / mass) : moment;
}

std::vector<Axle> find_axles(const Vehicle& vehicle) {
  if (vehicle.wheels.empty())
    throw ModelError("vehicle '" + vehicle.mechanism.name +
                     "': has no wheels, expected pairs of them: their suspension is what is asked "
                     "for");
  std::vector<Axle> axles;
  const Unit unit = find_units(vehicle).front();
  for (const UnitAxle& axle : unit.axles) {
    if (!axle.paired())
      report_one_sided(
          vehicle.wheels[at(axle.left.empty() ? axle.right.front() : axle.left.front())]);
    axles.push_back({axle.name, axle.left.front(), axle.right.front(), axle.x});
  }
  return axles;
}

double ForceShare::driving() const {
  double sum = 0.0;
  for (const DrivenWheel& wheel : driven) sum += wheel.share;
  return sum;
}

std::vector<ForceShare> find_force_shares(const Vehicle& vehicle, const std::vector<Axle>& axles,
                                          const std::vector<double>& radius, std::string& note) {
  std::vector<ForceShare> shares(axles.size());
  for (const Brake& brake : vehicle.brakes) {
    const int a = axle_of(axles, brake.wheel);
    if (a < 0) continue;
    shares[at(a)].braking += brake.torque * brake.balance *
                             find_part_at_full_pedal(vehicle, brake.input) /
                             radius[at(brake.wheel)];
  }
  const auto drive = [&](int wheel, double torque, BodyIndex leans_on) {
    const int a = axle_of(axles, wheel);
    if (a < 0) return;
    shares[at(a)].driven.push_back({wheel, leans_on, torque / radius[at(wheel)]});
  };
  for (const Driveline& driveline : vehicle.drivelines) {
    // of an only driveline the axles' shares alone count
    const double largest = vehicle.drivelines.size() == 1 && vehicle.hub_torques.empty()
                               ? 1.0
                               : find_largest_torque(driveline);
    for (std::size_t k = 0; k < driveline.axles.size(); ++k) {
      const DrivenAxle& driven = driveline.axles[k];
      const double share = driveline.axles.size() == 1 ? 1.0
                           : k == 0                    ? driveline.share
                                                       : 1.0 - driveline.share;
      const double torque = largest * share * std::abs(driven.ratio);
      for (const int wheel : driven.wheels)
        drive(wheel, torque / static_cast<double>(driven.wheels.size()), driven.body);
    }
  }
  const std::vector<double> at_hubs = find_hub_torques(vehicle, note);
  for (std::size_t k = 0; k < at_hubs.size(); ++k) {
    const int wheel = vehicle.hub_torques[k].wheel;
    drive(wheel, at_hubs[k], vehicle.wheels[at(wheel)].centre.body);
  }
  double braking = 0.0;
  double driving = 0.0;
  for (const ForceShare& share : shares) {
    braking += share.braking;
    driving += share.driving();
  }
  for (ForceShare& share : shares) {
    if (braking > 0.0) share.braking /= braking;
    if (driving > 0.0)
      for (DrivenWheel& driven : share.driven) driven.share /= driving;
  }
  return shares;
}

}  // namespace semirec
