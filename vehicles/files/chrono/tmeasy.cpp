#include <algorithm>
#include <array>
#include <cmath>

#include "vehicles/files/chrono/parts.hpp"

namespace semirec::chrono {

namespace {

// what Chrono takes where a file says nothing
constexpr double kTmeasyFriction = 0.8;       // of the road on which the curves hold
constexpr double kGuessedRolling = 0.015;     // rolling resistance of a guessed tyre
constexpr double kGivenRolling = 0.01;        // of one with "Parameters"
constexpr double kGuessedDampingRatio = 0.5;  // of the tyre's mass on its stiffness
constexpr double kMostLoad = 3.5;             // largest load over the nominal one
constexpr double kCarcassStiffness = 0.9;     // along and across over the vertical one

/// Masses in kg of load indices 40 to 119 (ISO 4000-1); each 80 further on is the tenfold.
constexpr std::array<int, 80> kLoadIndex{
    140, 145, 150, 155, 160,  165,  170,  175,  180,  185,  190,  195,  200,  206,  212,  218,
    224, 230, 236, 243, 250,  257,  265,  272,  280,  290,  300,  307,  315,  325,  335,  345,
    355, 365, 375, 387, 400,  412,  425,  437,  450,  462,  475,  487,  500,  515,  530,  545,
    560, 580, 600, 615, 630,  650,  670,  690,  710,  730,  750,  775,  800,  825,  850,  875,
    900, 925, 950, 975, 1000, 1030, 1060, 1090, 1120, 1150, 1180, 1215, 1250, 1285, 1320, 1360};

/// What a tyre of a load index may carry, N, with Chrono's gravity.
double largest_load(int index) {
  double scale = 1.0;
  while (index > 119) {
    index -= 80;
    scale *= 10.0;
  }
  while (index < 40) {
    index += 80;
    scale *= 0.1;
  }
  return 9.81 * scale * kLoadIndex[static_cast<std::size_t>(index - 40)];
}

/// Values at the nominal load and at twice that.
void set_pair(XmlNode& node, const Json& group, const std::string& key, const std::string& name) {
  const Json value = group.at(key);
  const std::vector<Json> pair = value.items();
  if (pair.size() != 2)
    value.fail("has " + std::to_string(pair.size()) +
               " entries, expected two: at the nominal load and at twice that");
  node.set(name, pair[0].number()).set(name + "_2", pair[1].number());
}

/// Force and slips along or across, the same in all versions of the format.
void read_tmeasy_curve(const Json& part, const std::string& a, XmlNode& law) {
  set_pair(law, part, "Initial Slopes dF" + a + "/ds" + a + " [N]", "dF" + a + "0");
  set_pair(law, part, "Maximum F" + a + " Load [N]", "F" + a + "M");
  set_pair(law, part, "Sliding F" + a + " Load [N]", "F" + a + "S");
  set_pair(law, part, "Slip s" + a + " at Maximum F" + a, "s" + a + "M");
  set_pair(law, part, "Slip s" + a + " where sliding begins", "s" + a + "S");
}

/// Load over nominal load from which forces do not grow.
void set_loads(const Json& group, XmlNode& law, double& nominal) {
  nominal = group.at("Nominal Vertical Force [N]").positive();
  const auto most = group.find("Maximum Vertical Force [N]");
  law.set("nominal_load", nominal);
  law.set("maximum_load", most ? most->positive() : kMostLoad * nominal);
}

/// Carcass stiffnesses of a tyre whose file has none.
double carcass(const Tyre& tyre) { return kCarcassStiffness * tyre.stiffness; }

/// Load over deflection as d1 x + d2 x^2 by least squares, as Chrono fits it; the tyre here is
/// linear: it has the deflection of that curve under the nominal load.
double fitted_stiffness(Car& car, const Json& curve, double nominal) {
  const auto points = curve.curve();
  // normal equations in x over the largest one
  double most = 0.0;
  for (const auto& [x, f] : points) most = std::max(most, std::abs(x));
  double xx = 0.0, xxx = 0.0, xxxx = 0.0, xf = 0.0, xxf = 0.0;
  for (const auto& [x, f] : points) {
    const double s = x / most;
    xx += s * s;
    xxx += s * s * s;
    xxxx += s * s * s * s;
    xf += s * f;
    xxf += s * s * f;
  }
  const double size = xx * xxxx - xxx * xxx;
  const double d[] = {(xf * xxxx - xxf * xxx) / (size * most),
                      (xxf * xx - xf * xxx) / (size * most * most)};
  const double root = d[0] * d[0] + 4.0 * d[1] * nominal;
  const double deflection = 2.0 * nominal / (d[0] + std::sqrt(std::max(root, 0.0)));
  if (!(root >= 0.0) || !(deflection > 0.0) || !std::isfinite(deflection))
    curve.fail("does not reach the nominal load, expected forces that rise to it");
  car.important.push_back(
      curve.note("the tyre is a linear spring that has the curve's deflection under the nominal "
                 "load, " +
                 in_words(nominal / deflection) + " N/m"));
  return nominal / deflection;
}

/// Groups "Vertical", "Longitudinal", "Lateral", "Aligning". Returns the nominal load, N.
double read_tmeasy_parameters(Car& car, const Json& p, Tyre& tyre, XmlNode& law) {
  const Json vertical = p.at("Vertical");
  double nominal = 0.0;
  set_loads(vertical, law, nominal);
  if (const auto stiffness = vertical.find("Vertical Tire Stiffness [N/m]"))
    tyre.stiffness = stiffness->positive();
  else
    tyre.stiffness = fitted_stiffness(car, vertical.at("Tire Spring Curve Data"), nominal);
  tyre.damping = vertical.at("Vertical Tire Damping [Ns/m]").not_negative();
  law.set("stiffness", tyre.stiffness).set("damping", tyre.damping);
  const Json along = p.at("Longitudinal");
  const Json across = p.at("Lateral");
  const auto x = along.find("Longitudinal Tire Stiffness [N/m]");
  const auto y = across.find("Lateral Tire Stiffness [N/m]");
  law.set("stiffness_x", x ? x->positive() : carcass(tyre));
  law.set("stiffness_y", y ? y->positive() : carcass(tyre));
  for (const auto& [group, key] : {std::pair(along, "Longitudinal Tire Damping [Ns/m]"),
                                   std::pair(across, "Lateral Tire Damping [Ns/m]")})
    if (const auto damping = group.find(key))
      car.notes.push_back(damping->note(std::string("not covered: ") + key));
  read_tmeasy_curve(along, "x", law);
  read_tmeasy_curve(across, "y", law);
  return nominal;
}

/// Groups "Tire Load", "Tire Stiffness", "Tire Damping", "Longitudinal", "Lateral", "Aligning" of
/// the first versions. Returns the nominal load, N.
double read_old_tmeasy_parameters(Car& car, const Json& p, Tyre& tyre, XmlNode& law) {
  double nominal = 0.0;
  set_loads(p.at("Tire Load"), law, nominal);
  const Json group = p.at("Tire Stiffness");
  const Json stiffness = group.at("Vertical [N/m]");
  const std::vector<Json> pair = stiffness.items();
  if (pair.size() != 2) stiffness.fail("has not two entries, expected them at Fz and 2 Fz");
  tyre.stiffness = pair[0].positive();
  if (pair[1].number() != tyre.stiffness)
    car.important.push_back(
        stiffness.note("the tyre is a linear spring of the stiffness at the nominal load"));
  law.set("stiffness", tyre.stiffness);
  law.set("stiffness_x", group.at("Longitudinal [N/m]").positive());
  law.set("stiffness_y", group.at("Lateral [N/m]").positive());
  const Json damping = p.at("Tire Damping");
  tyre.damping = damping.at("Vertical [Ns/m]").not_negative();
  law.set("damping", tyre.damping);
  for (const char* key : {"Longitudinal [Ns/m]", "Lateral [Ns/m]"})
    if (const auto one = damping.find(key))
      car.notes.push_back(one->note("not covered: Tire Damping/" + std::string(key)));
  if (const auto weights = p.find("Dynamic Radius Weighting Coefficients"))
    car.notes.push_back(weights->note("not covered: Dynamic Radius Weighting Coefficients"));
  read_tmeasy_curve(p.at("Longitudinal"), "x", law);
  read_tmeasy_curve(p.at("Lateral"), "y", law);
  return nominal;
}

/// A number at the nominal load and at twice that.
struct TwoLoads {
  const char* name;
  bool force;  ///< over the load, else a slip or a share
  double passenger, passenger_2, truck, truck_2;
};

/// Curves over the load that Chrono (ChTMeasyTire) takes for tyres of which little is known.
const std::array<TwoLoads, 13> kTypical{{{"dFx0", true, 18.3741, 19.4669, 17.7764, 14.5301},
                                         {"FxM", true, 1.1292, 1.0896, 0.89965, 0.77751},
                                         {"FxS", true, 0.80149, 0.76917, 0.46183, 0.42349},
                                         {"sxM", false, 0.13913, 0.13913, 0.10811, 0.12389},
                                         {"sxS", false, 0.66667, 0.66667, 0.66667, 0.66667},
                                         {"dFy0", true, 15.9826, 12.8509, 7.4013, 6.8505},
                                         {"FyM", true, 1.0009, 0.91367, 0.75876, 0.72628},
                                         {"FyS", true, 0.8336, 0.77336, 0.68276, 0.65319},
                                         {"syM", false, 0.14852, 0.18504, 0.33167, 0.33216},
                                         {"syS", false, 0.96524, 1.0714, 1.0296, 1.0296},
                                         {"nL0", false, 0.178, 0.19, 0.178, 0.19},
                                         {"sy0", false, 0.16337, 0.20355, 0.36484, 0.36538},
                                         {"syE", false, 0.96524, 1.0714, 1.0296, 1.0296}}};

/// Chrono's guess from what the tyre may carry: its stiffness presses in 16 % of the section height
/// at that load, and it has half the critical damping. Returns the nominal load, N.
double guess_tmeasy(const Json& file, double load, double height, Tyre& tyre, XmlNode& law) {
  const auto ratio = [&](const char* key) {
    const auto value = file.find(key);
    return value ? value->positive() : 1.0;
  };
  double pressure = 1.0;
  if (file.has("Inflation Pressure Design [Pa]") && file.has("Inflation Pressure Use [Pa]"))
    pressure = ratio("Inflation Pressure Use [Pa]") / ratio("Inflation Pressure Design [Pa]");
  tyre.stiffness = load / (0.16 * height);
  tyre.damping = 2.0 * kGuessedDampingRatio * std::sqrt(tyre.stiffness * tyre.rolling.mass);
  const Json type = file.at("Vehicle Type");
  if (type.text() != "Passenger" && type.text() != "Truck")
    type.fail("is '" + printable(type.text()) + "', expected Passenger or Truck");
  const bool truck = type.text() == "Truck";
  const double nominal = 0.5 * load * std::pow(pressure, 0.8);
  law.set("nominal_load", nominal).set("maximum_load", kMostLoad * nominal);
  law.set("stiffness", tyre.stiffness).set("damping", tyre.damping);
  law.set("stiffness_x", carcass(tyre)).set("stiffness_y", carcass(tyre));
  for (const TwoLoads& one : kTypical) {
    const double scale = one.force ? nominal : 1.0;
    const double scale_2 = one.force ? 2.0 * nominal : 1.0;
    law.set(one.name, scale * (truck ? one.truck : one.passenger));
    law.set(std::string(one.name) + "_2", scale_2 * (truck ? one.truck_2 : one.passenger_2));
  }
  return nominal;
}

/// "Rolling Resistance Coefficient", or the pair of the first versions. A number under the name of
/// the pair is nothing to Chrono.
void set_rolling_resistance(Car& car, const Json& file, bool guessed, XmlNode& law) {
  const double otherwise = guessed ? kGuessedRolling : kGivenRolling;
  if (const auto one = file.find("Rolling Resistance Coefficient")) {
    law.set("rolling_resistance", one->not_negative());
    return;
  }
  if (const auto pair = file.find("Rolling Resistance Coefficients")) {
    if (pair->is_array()) {
      const std::vector<Json> both = pair->items(2);
      if (both.size() != 2) pair->fail("has not two entries, expected them at Fz and 2 Fz");
      law.set("rolling_resistance", both[0].not_negative());
      if (both[1].not_negative() != both[0].number())
        car.notes.push_back(pair->note("the first of the two rolling resistances holds"));
      return;
    }
    car.important.push_back(
        pair->note("not used: Rolling Resistance Coefficients, which Chrono does not read; its "
                   "rolling resistance of " +
                   in_words(otherwise) + " holds"));
  }
  law.set("rolling_resistance", otherwise);
}

}  // namespace

Tyre read_tmeasy_tyre(Car& car, const Json& file) {
  Tyre tyre;
  const Json design = file.at("Design");
  tyre.rolling = read_rolling(design, "Mass [kg]", "Inertia [kg.m2]");
  const Json radius = design.at("Unloaded Radius [m]");
  tyre.radius = radius.positive();
  const double rim = design.at("Rim Radius [m]").positive();
  if (rim >= tyre.radius) radius.fail("is not above the rim's radius, expected a tyre around it");
  (void)design.at("Width [m]").positive();
  XmlNode law = element("tmeasy");
  law.set("radius", tyre.radius);
  double nominal = 0.0;
  const auto parameters = file.find("Parameters");
  set_rolling_resistance(car, file, !parameters.has_value(), law);
  const double height = tyre.radius - rim;
  if (parameters) {
    if (parameters->has("Vertical"))
      nominal = read_tmeasy_parameters(car, *parameters, tyre, law);
    else
      nominal = read_old_tmeasy_parameters(car, *parameters, tyre, law);
    const Json aligning = parameters->at("Aligning");
    set_pair(law, aligning, "Normalized Trail at Zero Slip sy", "nL0");
    set_pair(law, aligning, "Slip sy where Trail Changes Sign", "sy0");
    set_pair(law, aligning, "Slip sy where Trail Tends to Zero", "syE");
  } else if (const auto index = file.find("Load Index")) {
    nominal = guess_tmeasy(file, largest_load(index->index(279)), height, tyre, law);
  } else {
    const double load = file.at("Maximum Bearing Capacity [N]").positive();
    nominal = guess_tmeasy(file, load, height, tyre, law);
  }
  // a tyre that is described otherwise keeps these keys for other readers
  for (const char* key : {"Load Index", "Maximum Bearing Capacity [N]", "Vehicle Type"})
    (void)file.find(key);
  // Chrono's thrust by camber is dFy0/3 (L/2) (omega sin gamma)/(radius omega), L = 2 sqrt(radius
  // deflection)
  const double deflection = nominal / tyre.stiffness;
  const double rolling = tyre.radius - deflection / 3.0;
  law.set("camber_slip", std::sqrt(tyre.radius * deflection) / (3.0 * rolling));
  car.important.push_back(
      file.note("the side force by camber is that at the nominal load; not covered: its torque "
                "about x, and the torque of a tyre that turns on the spot"));
  car.notes.push_back(file.note(
      "between maximum and sliding forces fall by one cubic parabola, by two quadratic ones in "
      "newer versions of Chrono"));
  const auto given = file.find("Coefficient of Friction");
  const double friction = given ? given->positive() : kTmeasyFriction;
  car.important.push_back(
      (given ? *given : file)
          .note("the tyre's curves hold on a road of Chrono's friction " + in_words(friction) +
                "; here the road's mu multiplies them: for Chrono's 0.9 write mu=" +
                in_words(0.9 / friction)));
  if (const auto relaxation = file.find("Use Tire Relaxation"); relaxation && !relaxation->flag())
    car.important.push_back(
        relaxation->note("not covered: forces follow their slips after the relaxation lengths "
                         "here, at once in Chrono"));
  tyre.law = element("tyre").set("name", "tyre").add(std::move(law));
  return tyre;
}

}  // namespace semirec::chrono
