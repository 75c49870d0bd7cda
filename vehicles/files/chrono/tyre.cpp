#include <algorithm>
#include <array>
#include <cmath>

#include "vehicles/files/chrono/parts.hpp"

namespace semirec::chrono {

Rolling read_rolling(const Json& part, const char* mass, const char* inertia) {
  Rolling rolling;
  rolling.mass = part.at(mass).not_negative();
  const Json moments = part.at(inertia);
  rolling.inertia = moments.vector();
  if (!(rolling.inertia.minCoeff() >= 0.0))
    moments.fail("is negative, expected moments of inertia");
  return rolling;
}

namespace {

/// Of the radius, so much does the load that is taken as nominal press in a Fiala tyre.
constexpr double kFialaPress = 0.05;

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

  car.important.push_back(p.note("FialaTire has no nominal load; " +
                                 in_words(kFialaPress * tyre.radius * tyre.stiffness) +
                                 " N is taken, under which it is pressed in by 5 % of its radius"));
  if (p.at("UMIN").number() != most.number())
    car.important.push_back(
        p.at("UMIN").note("not covered: UMIN; friction does not fall with the slip, UMAX holds"));
  car.important.push_back(
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
  car.important.push_back(
      file.note("not covered: the contact of RigidTire; in its place stand wheels that carry a "
                "vertical load only, linear with its normal stiffness and damping: no force along "
                "or across the road, no brakes, no driveline"));
  return tyre;
}

Tyre read_pac02(Car& car, const Json& file, const JsonFolder& folder, const std::string& xml_folder,
                const std::string& property_file) {
  Tyre tyre;
  if (const auto reference = file.find("TIR Specification File")) {
    const std::string path = folder.find(*reference);
    if (path.empty())
      reference->fail("names '" + printable(reference->text()) +
                      "', which is not in the data folder, expected a .tir file that is");
    tyre = read_property_file(car, folder, path, xml_folder, /*brings_mass=*/false);
  } else {
    tyre = read_property_text(car, property_text_of(car, file), property_file);
  }
  tyre.rolling = read_rolling(file, "Mass", "Inertia");
  if (const auto friction = file.find("Coefficient of Friction"))
    car.important.push_back(
        friction->note("not covered: Coefficient of Friction; the tyre's own scaling holds"));
  return tyre;
}

}  // namespace

const std::vector<std::string>& tyre_templates() {
  static const std::vector<std::string> kNames{"TMeasyTire", "FialaTire", "RigidTire", "Pac02Tire"};
  return kNames;
}

const std::vector<std::string>& brake_templates() {
  static const std::vector<std::string> kNames{"BrakeSimple", "BrakeShafts"};
  return kNames;
}

Tyre read_tyre(Car& car, const Json& file, const JsonFolder& folder, const std::string& xml_folder,
               const std::string& property_file) {
  const Json name = file.at("Template");
  if (name.text() == "TMeasyTire") return read_tmeasy_tyre(car, file);
  if (name.text() == "FialaTire") return read_fiala(car, file);
  if (name.text() == "RigidTire") return read_rigid(car, file);
  if (name.text() == "Pac02Tire") return read_pac02(car, file, folder, xml_folder, property_file);
  refuse_template(name, tyre_templates());
}

Rolling read_wheel(const Json& file) {
  const Json name = file.at("Template");
  if (name.text() != "Wheel") refuse_template(name, {"Wheel"});
  return read_rolling(file, "Mass", "Inertia");
}

double read_brake(Car& car, const Json& file) {
  const Json name = file.at("Template");
  if (name.text() != "BrakeSimple" && name.text() != "BrakeShafts")
    refuse_template(name, brake_templates());
  if (const auto inertia = file.find("Shaft Inertia"))
    car.notes.push_back(inertia->note("not covered: Shaft Inertia"));
  const Json torque = file.at("Maximum Torque");
  if (torque.not_negative() == 0.0)
    car.important.push_back(torque.note("is zero: the wheel has no brake"));
  return torque.number();
}

}  // namespace semirec::chrono
