#include "vehicles/tyre/tir_units.hpp"

#include <array>
#include <map>
#include <numbers>

#include "topology/ascii.hpp"

namespace semirec {

namespace {

struct TirQuantity {
  double TirUnits::*factor;
  std::map<std::string, double> units;
};

const std::map<std::string, TirQuantity>& quantities() {
  constexpr double kPoundForce = 4.4482216152605;
  constexpr double kPound = 0.45359237;
  constexpr double kDegree = std::numbers::pi / 180.0;
  static const std::map<std::string, TirQuantity> table{
      {"LENGTH",
       {&TirUnits::length,
        {{"METER", 1.0},
         {"METRE", 1.0},
         {"M", 1.0},
         {"MM", 1e-3},
         {"MILLIMETER", 1e-3},
         {"MILLIMETRE", 1e-3},
         {"CM", 1e-2},
         {"CENTIMETER", 1e-2},
         {"CENTIMETRE", 1e-2},
         {"KM", 1e3},
         {"KILOMETER", 1e3},
         {"KILOMETRE", 1e3},
         {"INCH", 0.0254},
         {"INCHE", 0.0254},
         {"IN", 0.0254},
         {"FOOT", 0.3048},
         {"FEET", 0.3048},
         {"FT", 0.3048},
         {"MILE", 1609.344}}}},
      {"FORCE",
       {&TirUnits::force,
        {{"NEWTON", 1.0},
         {"N", 1.0},
         {"KN", 1e3},
         {"KNEWTON", 1e3},
         {"KILONEWTON", 1e3},
         {"LBF", kPoundForce},
         {"LB", kPoundForce},
         {"POUND", kPoundForce},
         {"POUND_FORCE", kPoundForce},
         {"KPOUND_FORCE", 1e3 * kPoundForce},
         {"OUNCE_FORCE", kPoundForce / 16.0},
         {"KGF", 9.80665},
         {"KG_FORCE", 9.80665},
         {"KILOGRAM_FORCE", 9.80665},
         {"DYNE", 1e-5}}}},
      {"ANGLE",
       {&TirUnits::angle, {{"RADIAN", 1.0}, {"RAD", 1.0}, {"DEGREE", kDegree}, {"DEG", kDegree}}}},
      {"MASS",
       {&TirUnits::mass,
        {{"KG", 1.0},
         {"KILOGRAM", 1.0},
         {"GRAM", 1e-3},
         {"G", 1e-3},
         {"TONNE", 1e3},
         {"TON", 1e3},
         {"MEGAGRAM", 1e3},
         {"POUND", kPound},
         {"LB", kPound},
         {"LBM", kPound},
         {"POUND_MASS", kPound},
         {"KPOUND_MASS", 1e3 * kPound},
         {"OUNCE_MASS", kPound / 16.0},
         {"SLUG", 14.593902937206}}}},
      {"TIME",
       {&TirUnits::time,
        {{"SECOND", 1.0},
         {"SEC", 1.0},
         {"S", 1.0},
         {"MILLISECOND", 1e-3},
         {"MSEC", 1e-3},
         {"MS", 1e-3},
         {"MILLI", 1e-3},
         {"MINUTE", 60.0},
         {"MIN", 60.0},
         {"HOUR", 3600.0},
         {"H", 3600.0}}}},
      {"PRESSURE",
       {&TirUnits::pressure,
        {{"PASCAL", 1.0},
         {"PA", 1.0},
         {"KPA", 1e3},
         {"KPASCAL", 1e3},
         {"KILOPASCAL", 1e3},
         {"MPA", 1e6},
         {"BAR", 1e5},
         {"PSI", 6894.757293168},
         {"KSI", 6894757.293168}}}}};
  return table;
}

/// Exponents of length, force, time, mass, angle, pressure.
using Dimension = std::array<int, 6>;

const std::map<std::string, Dimension>& dimensions() {
  constexpr Dimension kLength{1, 0, 0, 0, 0, 0};
  constexpr Dimension kForce{0, 1, 0, 0, 0, 0};
  constexpr Dimension kStiffness{-1, 1, 0, 0, 0, 0};
  constexpr Dimension kDamping{-1, 1, 1, 0, 0, 0};
  constexpr Dimension kSpeed{1, 0, -1, 0, 0, 0};
  constexpr Dimension kMass{0, 0, 0, 1, 0, 0};
  constexpr Dimension kInertia{2, 0, 0, 1, 0, 0};
  constexpr Dimension kAngle{0, 0, 0, 0, 1, 0};
  constexpr Dimension kTwist{1, 1, 0, 0, -1, 0};
  constexpr Dimension kPressure{0, 0, 0, 0, 0, 1};
  static const std::map<std::string, Dimension> table{{"UNLOADED_RADIUS", kLength},
                                                      {"WIDTH", kLength},
                                                      {"RIM_RADIUS", kLength},
                                                      {"RIM_WIDTH", kLength},
                                                      {"BOTTOMING_RADIUS", kLength},
                                                      {"BOTTOM_OFFST", kLength},
                                                      {"BOTTOM_STIFF", kStiffness},
                                                      {"VERTICAL_STIFFNESS", kStiffness},
                                                      {"LONGITUDINAL_STIFFNESS", kStiffness},
                                                      {"LATERAL_STIFFNESS", kStiffness},
                                                      {"YAW_STIFFNESS", kTwist},
                                                      {"VERTICAL_DAMPING", kDamping},
                                                      {"FNOMIN", kForce},
                                                      {"FZMIN", kForce},
                                                      {"FZMAX", kForce},
                                                      {"LONGVL", kSpeed},
                                                      {"VXLOW", kSpeed},
                                                      {"MASS", kMass},
                                                      {"IXX", kInertia},
                                                      {"IYY", kInertia},
                                                      {"BELT_MASS", kMass},
                                                      {"BELT_IXX", kInertia},
                                                      {"BELT_IYY", kInertia},
                                                      {"MBELT", kMass},
                                                      {"INFLPRES", kPressure},
                                                      {"NOMPRES", kPressure},
                                                      {"IP", kPressure},
                                                      {"IP_NOM", kPressure},
                                                      {"PRESMIN", kPressure},
                                                      {"PRESMAX", kPressure},
                                                      {"ALPMIN", kAngle},
                                                      {"ALPMAX", kAngle},
                                                      {"CAMMIN", kAngle},
                                                      {"CAMMAX", kAngle}};
  return table;
}

/// The unit's name, in the singular.
double find_unit(const TirQuantity& quantity, std::string unit) {
  for (char& c : unit) c = ascii::to_upper(c);
  for (int form = 0; form < 2; ++form) {
    const auto found = quantity.units.find(unit);
    if (found != quantity.units.end()) return found->second;
    if (unit.size() < 2 || unit.back() != 'S') break;
    unit.pop_back();
  }
  return 0.0;
}

double power(double base, int exponent) {
  double result = 1.0;
  for (int i = 0; i < (exponent < 0 ? -exponent : exponent); ++i) result *= base;
  return exponent < 0 ? 1.0 / result : result;
}

}  // namespace

bool set_unit(const std::string& key, const std::string& unit, TirUnits& units) {
  const auto quantity = quantities().find(key);
  if (quantity == quantities().end()) return true;
  const double factor = find_unit(quantity->second, unit);
  if (factor <= 0.0) return false;
  units.*(quantity->second.factor) = factor;
  return true;
}

std::string known_units(const std::string& key) {
  const auto quantity = quantities().find(key);
  std::string words;
  if (quantity == quantities().end()) return words;
  for (const auto& [unit, factor] : quantity->second.units)
    if (unit != "INCHE") words += (words.empty() ? "" : ", ") + unit;
  return words;
}

double factor_of(const std::string& key, const TirUnits& units) {
  const auto found = dimensions().find(key);
  if (found == dimensions().end()) return 1.0;
  const Dimension& d = found->second;
  return power(units.length, d[0]) * power(units.force, d[1]) * power(units.time, d[2]) *
         power(units.mass, d[3]) * power(units.angle, d[4]) * power(units.pressure, d[5]);
}

}  // namespace semirec
