#include "vehicles/analysis/kc/axles.hpp"

#include <algorithm>
#include <cmath>

#include "topology/indices.hpp"
#include "vehicles/description/units.hpp"

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

/// What a brake's input acts as at full pedal, beyond what it is without: 0 to 1. Whole where no
/// pedal is named, and where an equation computes it.
double find_part_at_full_pedal(const Vehicle& vehicle, InputIndex input) {
  const std::vector<Input>& inputs = vehicle.mechanism.inputs;
  if (vehicle.controls.brake.empty()) return 1.0;
  double part = 1.0;
  for (InputIndex k = input; k != kNoInput; k = inputs[at(k)].of) {
    if (inputs[at(k)].name == vehicle.controls.brake) return std::clamp(part, 0.0, 1.0);
    if (inputs[at(k)].computed) return 1.0;
    part *= inputs[at(k)].factor;
  }
  return 0.0;
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

std::vector<ForceShare> find_force_shares(const Vehicle& vehicle, const std::vector<Axle>& axles,
                                          const std::vector<double>& radius) {
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
    shares[at(a)].driving += torque / radius[at(wheel)];
    if (leans_on == vehicle.wheels[at(wheel)].centre.body) shares[at(a)].on_carrier = true;
  };
  for (const Driveline& driveline : vehicle.drivelines) {
    for (std::size_t k = 0; k < driveline.axles.size(); ++k) {
      const DrivenAxle& driven = driveline.axles[k];
      const double share = driveline.axles.size() == 1 ? 1.0
                           : k == 0                    ? driveline.share
                                                       : 1.0 - driveline.share;
      for (const int wheel : driven.wheels)
        drive(wheel, share * std::abs(driven.ratio) / static_cast<double>(driven.wheels.size()),
              driven.body);
    }
  }
  // torques of equal size; those at hubs lean on the carrier
  if (vehicle.drivelines.empty())
    for (const HubTorque& torque : vehicle.hub_torques)
      drive(torque.wheel, 1.0, vehicle.wheels[at(torque.wheel)].centre.body);
  double braking = 0.0;
  double driving = 0.0;
  for (const ForceShare& share : shares) {
    braking += share.braking;
    driving += share.driving;
  }
  for (ForceShare& share : shares) {
    if (braking > 0.0) share.braking /= braking;
    if (driving > 0.0) share.driving /= driving;
  }
  return shares;
}

}  // namespace semirec
