#include "vehicles/tyre/simple_tyre.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>

#include "topology/mechanism.hpp"

namespace semirec {

void check_tyre_number(const char* name, double value, double low, double high) {
  if (value >= low && value <= high) return;
  std::ostringstream words;
  words << "tyre '" << name << "' is " << value << ", expected a number from " << low << " to "
        << high;
  throw ModelError(words.str());
}

SimpleTyre::SimpleTyre(const RadialTyre& radial) : radial_(radial) {
  check_tyre_number("radius", radial.radius, 0.01, 5.0);
  check_tyre_number("stiffness", radial.stiffness, 1e2, 1e9);
  check_tyre_number("damping", radial.damping, 0.0, 1e7);
  check_tyre_number("nominal_load", radial.nominal_load, 1.0, 1e6);
  check_tyre_number("deflection_share", radial.deflection_share, 0.0, 1.0);
  check_tyre_number("rolling_resistance", radial.rolling_resistance, 0.0, 1.0);
  check_tyre_number("relaxation_x", radial.relaxation_x, 1e-3, 100.0);
  check_tyre_number("relaxation_y", radial.relaxation_y, 1e-3, 100.0);
}

TyreLoad SimpleTyre::load(double deflection, double deflection_rate, double /*omega*/) const {
  return {radial_.stiffness * deflection + radial_.damping * deflection_rate, radial_.stiffness,
          radial_.damping};
}

double SimpleTyre::effective_radius(double load, double /*omega*/) const {
  const double radius =
      radial_.radius - radial_.deflection_share * std::max(load, 0.0) / radial_.stiffness;
  return std::max(radius, 0.5 * radial_.radius);
}

double SimpleTyre::relaxation_x(double /*load*/, double /*gamma*/) const {
  return radial_.relaxation_x;
}

double SimpleTyre::relaxation_y(double /*load*/, double /*gamma*/) const {
  return radial_.relaxation_y;
}

double SimpleTyre::direction(double speed) {
  return std::sin(0.5 * std::numbers::pi * std::clamp(2.0 * speed, -1.0, 1.0));
}

double SimpleTyre::rolling_torque(const TyreSlip& slip) const {
  const double forward = direction(slip.speed);
  const double turning = std::clamp(2.0 * (forward + std::abs(forward) * slip.kappa), -1.0, 1.0);
  return -radial_.rolling_resistance * std::max(slip.load, 0.0) * radial_.radius *
         std::sin(0.5 * std::numbers::pi * turning);
}

void put_into(Fingerprint& fingerprint, const RadialTyre& whole) {
  const auto& [radius, stiffness, damping, nominal_load, deflection_share, rolling_resistance,
               relaxation_x, relaxation_y] = whole;
  fingerprint(radius, stiffness, damping, nominal_load, deflection_share, rolling_resistance,
              relaxation_x, relaxation_y);
}

}  // namespace semirec
