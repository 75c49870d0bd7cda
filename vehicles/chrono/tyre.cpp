#include <algorithm>
#include <array>
#include <cmath>

#include "vehicles/chrono/parts.hpp"

namespace semirec::chrono {

namespace {

using Eigen::Vector3d;

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

Rolling read_rolling(const Json& part, const char* mass, const char* inertia) {
  Rolling rolling;
  rolling.mass = part.at(mass).not_negative();
  const Json moments = part.at(inertia);
  rolling.inertia = moments.vector();
  if (!(rolling.inertia.minCoeff() >= 0.0))
    moments.fail("is negative, expected moments of inertia");
  return rolling;
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

void read_tmeasy_parameters(const Json& p, Tyre& tyre, XmlNode& law) {
  const Json load = p.at("Tire Load");
  const double nominal = load.at("Nominal Vertical Force [N]").positive();
  law.set("nominal_load", nominal);
  if (const auto most = load.find("Maximum Vertical Force [N]"))
    law.set("maximum_load", most->positive());
  const Json stiffness = p.at("Tire Stiffness").at("Vertical [N/m]");
  const std::vector<Json> pair = stiffness.items();
  if (pair.size() != 2) stiffness.fail("has not two entries, expected them at Fz and 2 Fz");
  tyre.stiffness = pair[0].positive();
  set_pair(law, p.at("Tire Stiffness"), "Vertical [N/m]", "stiffness");
  law.set("stiffness_x", p.at("Tire Stiffness").at("Longitudinal [N/m]").positive());
  law.set("stiffness_y", p.at("Tire Stiffness").at("Lateral [N/m]").positive());
  tyre.damping = p.at("Tire Damping").at("Vertical [Ns/m]").not_negative();
  law.set("damping", tyre.damping);
  law.set("damping_x", p.at("Tire Damping").at("Longitudinal [Ns/m]").not_negative());
  law.set("damping_y", p.at("Tire Damping").at("Lateral [Ns/m]").not_negative());
  set_pair(law, p, "Dynamic Radius Weighting Coefficients", "radius_weight");
  for (const auto& [group, axis] : {std::pair("Longitudinal", "x"), std::pair("Lateral", "y")}) {
    const Json part = p.at(group);
    const std::string a(axis);
    set_pair(law, part, "Initial Slopes dF" + a + "/ds" + a + " [N]", "dF" + a + "0");
    set_pair(law, part, "Maximum F" + a + " Load [N]", "F" + a + "M");
    set_pair(law, part, "Sliding F" + a + " Load [N]", "F" + a + "S");
    set_pair(law, part, "Slip s" + a + " at Maximum F" + a, "s" + a + "M");
    set_pair(law, part, "Slip s" + a + " where sliding begins", "s" + a + "S");
  }
  const Json aligning = p.at("Aligning");
  set_pair(law, aligning, "Normalized Trail at Zero Slip sy", "nL0");
  set_pair(law, aligning, "Slip sy where Trail Changes Sign", "sy0");
  set_pair(law, aligning, "Slip sy where Trail Tends to Zero", "syE");
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
/// at that load, 5 % of the critical damping.
void guess_tmeasy(const Json& file, double load, double height, Tyre& tyre, XmlNode& law) {
  const auto ratio = [&](const char* key) {
    const auto value = file.find(key);
    return value ? value->positive() : 1.0;
  };
  double pressure = 1.0;
  if (file.has("Inflation Pressure Design [Pa]") && file.has("Inflation Pressure Use [Pa]"))
    pressure = ratio("Inflation Pressure Use [Pa]") / ratio("Inflation Pressure Design [Pa]");
  tyre.stiffness = load / (0.16 * height);
  tyre.damping = 2.0 * 0.05 * std::sqrt(tyre.stiffness * tyre.rolling.mass);
  const Json type = file.at("Vehicle Type");
  if (type.text() != "Passenger" && type.text() != "Truck")
    type.fail("is '" + printable(type.text()) + "', expected Passenger or Truck");
  const bool truck = type.text() == "Truck";
  const double nominal = 0.5 * load * std::pow(pressure, 0.8);
  law.set("nominal_load", nominal).set("maximum_load", 3.5 * nominal);
  law.set("stiffness", tyre.stiffness).set("damping", tyre.damping);
  for (const TwoLoads& one : kTypical) {
    const double scale = one.force ? nominal : 1.0;
    const double scale_2 = one.force ? 2.0 * nominal : 1.0;
    law.set(one.name, scale * (truck ? one.truck : one.passenger));
    law.set(std::string(one.name) + "_2", scale_2 * (truck ? one.truck_2 : one.passenger_2));
  }
}

/// Of the radius, so much does the load that is taken as nominal press in a Fiala tyre.
constexpr double kFialaPress = 0.05;

Tyre read_tmeasy(const Json& file) {
  Tyre tyre;
  const Json design = file.at("Design");
  tyre.rolling = read_rolling(design, "Mass [kg]", "Inertia [kg.m2]");
  const Json radius = design.at("Unloaded Radius [m]");
  tyre.radius = radius.positive();
  const double rim = design.at("Rim Radius [m]").positive();
  if (rim >= tyre.radius) radius.fail("is not above the rim's radius, expected a tyre around it");
  XmlNode law = element("tmeasy");
  law.set("radius", tyre.radius).set("width", design.at("Width [m]").positive());
  law.set("rim_radius", rim).set("friction", file.at("Coefficient of Friction").positive());
  if (const auto one = file.find("Rolling Resistance Coefficient"))
    law.set("rolling_resistance", one->not_negative());
  else if (file.has("Rolling Resistance Coefficients"))
    set_pair(law, file, "Rolling Resistance Coefficients", "rolling_resistance");
  const double height = tyre.radius - rim;
  if (const auto parameters = file.find("Parameters"))
    read_tmeasy_parameters(*parameters, tyre, law);
  else if (const auto index = file.find("Load Index"))
    guess_tmeasy(file, largest_load(index->index(279)), height, tyre, law);
  else
    guess_tmeasy(file, file.at("Maximum Bearing Capacity [N]").positive(), height, tyre, law);
  tyre.law = element("tyre").set("name", "tyre").add(std::move(law));
  return tyre;
}

/// Chrono's Fiala tyre is ours where only the side slips: its force and moment are those of a brush
/// whose half length is the "Width".
Tyre read_fiala(Car& car, const Json& file) {
  Tyre tyre;
  tyre.rolling = read_rolling(file, "Mass", "Inertia");
  const Json p = file.at("Fiala Parameters");
  tyre.radius = p.at("Unloaded Radius").positive();
  tyre.stiffness = p.at("Vertical Stiffness").positive();
  tyre.damping = p.at("Vertical Damping").not_negative();
  XmlNode law = element("fiala");
  law.set("radius", tyre.radius).set("stiffness", tyre.stiffness).set("damping", tyre.damping);
  // Chrono's wheel rolls on the radius that the load leaves
  law.set("deflection_share", 1.0).set("nominal_load", kFialaPress * tyre.radius * tyre.stiffness);
  law.set("slip_stiffness", p.at("CSLIP").positive());
  law.set("cornering_stiffness", p.at("CALPHA").positive());
  const Json most = p.at("UMAX");
  law.set("friction", most.positive());
  law.set("contact_half_length", p.at("Width").positive());
  // a torque over a load: a length
  law.set("rolling_resistance", p.at("Rolling Resistance").not_negative() / tyre.radius);
  law.set("relaxation_x", p.at("X Relaxation Length").positive());
  law.set("relaxation_y", p.at("Y Relaxation Length").positive());
  tyre.law = element("tyre").set("name", "tyre").add(std::move(law));

  car.notes.push_back(p.note("FialaTire has no nominal load; " +
                             in_words(kFialaPress * tyre.radius * tyre.stiffness) +
                             " N is taken, under which it is pressed in by 5 % of its radius"));
  if (p.at("UMIN").number() != most.number())
    car.notes.push_back(
        p.at("UMIN").note("not covered: UMIN; friction does not fall with the slip, UMAX holds"));
  car.notes.push_back(
      p.note("FialaTire: slip along the wheel, alone and with side slip, as in a brush of the same "
             "stiffness and friction; Chrono's two forces do not share their friction"));
  return tyre;
}

Tyre read_rigid(Car& car, const Json& file) {
  Tyre tyre;
  tyre.rolling = read_rolling(file, "Mass", "Inertia");
  tyre.radius = file.at("Radius").positive();
  const Json contact = file.at("Contact Material").at("Coefficients");
  tyre.stiffness = contact.at("Normal Stiffness").positive();
  tyre.damping = contact.at("Normal Damping").not_negative();
  car.notes.push_back(
      file.note("not covered: the contact of RigidTire; in its place stand wheels that carry a "
                "vertical load only, linear with its normal stiffness and damping: no force along "
                "or across the road, no brakes, no driveline"));
  return tyre;
}

Tyre read_pac02(Car& car, const Json& file, const JsonFolder& folder,
                const std::string& xml_folder) {
  const Json reference = file.at("TIR Specification File");
  const std::string path = folder.find(reference);
  if (path.empty())
    reference.fail("names '" + printable(reference.text()) +
                   "', which is not in the data folder, expected a .tir file that is");
  Tyre tyre = read_property_file(car, folder, path, xml_folder, /*brings_mass=*/false);
  tyre.rolling = read_rolling(file, "Mass", "Inertia");
  if (const auto friction = file.find("Coefficient of Friction"))
    car.notes.push_back(
        friction->note("not covered: Coefficient of Friction; the .tir file's own scaling holds"));
  return tyre;
}

}  // namespace

Tyre read_tyre(Car& car, const Json& file, const JsonFolder& folder,
               const std::string& xml_folder) {
  const Json name = file.at("Template");
  if (name.text() == "TMeasyTire") return read_tmeasy(file);
  if (name.text() == "FialaTire") return read_fiala(car, file);
  if (name.text() == "RigidTire") return read_rigid(car, file);
  if (name.text() == "Pac02Tire") return read_pac02(car, file, folder, xml_folder);
  name.fail("is '" + printable(name.text()) +
            "', which is not covered, expected TMeasyTire, FialaTire, RigidTire or Pac02Tire");
}

Rolling read_wheel(const Json& file) {
  const Json name = file.at("Template");
  if (name.text() != "Wheel")
    name.fail("is '" + printable(name.text()) + "', which is not covered, expected Wheel");
  return read_rolling(file, "Mass", "Inertia");
}

double read_brake(Car& car, const Json& file) {
  const Json name = file.at("Template");
  if (name.text() != "BrakeSimple" && name.text() != "BrakeShafts")
    name.fail("is '" + printable(name.text()) +
              "', which is not covered, expected BrakeSimple or BrakeShafts");
  if (const auto inertia = file.find("Shaft Inertia"))
    car.notes.push_back(inertia->note("not covered: Shaft Inertia"));
  return file.at("Maximum Torque").not_negative();
}

}  // namespace semirec::chrono
