#include <algorithm>
#include <cmath>
#include <numbers>

#include "vehicles/files/chrono/parts.hpp"

// Chrono's ratios are speed out over speed in; a vehicle file has in over out. Speeds of its maps
// are in rpm.

namespace semirec::chrono {

namespace {

using MapPoints = std::vector<std::pair<double, double>>;

constexpr double kRpm = std::numbers::pi / 30.0;  // rad/s
constexpr double kMotorInertia = 0.1;             // kg m^2, where Chrono has none

void note(Car& car, const Json& at, const std::string& text) { car.notes.push_back(at.note(text)); }

/// Of what changes how the car drives.
void note_drive(Car& car, const Json& at, const std::string& text) {
  car.important.push_back(at.note(text));
}

/// Linear between the points, the end values beyond.
double at(const MapPoints& points, double x) {
  if (x <= points.front().first) return points.front().second;
  for (std::size_t i = 1; i < points.size(); ++i) {
    if (x > points[i].first) continue;
    const double s = (x - points[i - 1].first) / (points[i].first - points[i - 1].first);
    return points[i - 1].second + s * (points[i].second - points[i - 1].second);
  }
  return points.back().second;
}

XmlNode map(const std::string& tag, const MapPoints& points) {
  XmlNode node = element(tag);
  for (const auto& [speed, torque] : points) {
    XmlNode point = element("point");
    point.set("speed", speed).set("torque", torque);
    node.add(std::move(point));
  }
  return node;
}

MapPoints in_rad(MapPoints points) {
  for (auto& point : points) point.first *= kRpm;
  return points;
}

XmlNode read_motor(Car& car, const Json& file) {
  const Json name = file.at("Template");
  XmlNode motor = element("motor");
  motor.set("name", "engine");
  MapPoints full, closed;
  double inertia = kMotorInertia;
  if (name.text() == "EngineSimpleMap") {
    full = in_rad(file.at("Map Full Throttle").curve());
    closed = in_rad(file.at("Map Zero Throttle").curve());
    motor.set("max_speed", kRpm * file.at("Maximal Engine Speed RPM").positive());
  } else if (name.text() == "EngineSimple") {
    // constant torque, then constant power
    const double torque = file.at("Maximum Engine Torque").positive();
    const double power = file.at("Maximum Engine Power").positive();
    const double fastest = file.at("Maximum Engine Speed").positive();
    const double corner = power / torque;
    full = {{0.0, torque}, {std::min(corner, fastest), torque}};
    for (int k = 1; k <= 40 && corner < fastest; ++k) {
      const double speed = corner * std::pow(fastest / corner, k / 40.0);
      full.emplace_back(speed, power / speed);
    }
    closed = {{0.0, 0.0}, {fastest, 0.0}};
    motor.set("max_speed", fastest);
  } else if (name.text() == "EngineShafts") {
    // losses act at any throttle
    const MapPoints torque = file.at("Torque Map").curve();
    const MapPoints losses = file.at("Losses Map").curve();
    std::vector<double> speeds;
    for (const auto& point : torque) speeds.push_back(point.first);
    for (const auto& point : losses) speeds.push_back(point.first);
    std::sort(speeds.begin(), speeds.end());
    speeds.erase(std::unique(speeds.begin(), speeds.end()), speeds.end());
    for (const double speed : speeds)
      full.emplace_back(kRpm * speed, at(torque, speed) + at(losses, speed));
    closed = in_rad(losses);
    inertia = file.at("Motorshaft Inertia").positive();
    note(car, file.at("Motor Block Inertia"),
         "not covered: Motor Block Inertia; the engine's block is the chassis");
  } else {
    refuse_template(name, engine_templates());
  }
  if (name.text() != "EngineShafts")
    note_drive(
        car, name,
        "the engine has no inertia in Chrono; " + in_words(kMotorInertia) + " kg m^2 is taken");
  motor.set("inertia", inertia).set("throttle", "throttle");
  motor.add(map("full", full)).add(map("closed", closed));
  return motor;
}

/// Least time between two shifts of AutomaticTransmissionShafts where the file has none, s.
constexpr double kShiftLatency = 0.5;

/// Motor speed over output speed.
double ratio_of(const Json& value) {
  const double ratio = value.number();
  if (!(std::abs(ratio) > 1e-6)) value.fail("is zero, expected a ratio");
  return 1.0 / ratio;
}

/// The same of a forward gear: only the reverse gear has a ratio below zero in Chrono.
double forward_ratio_of(const Json& value) {
  const double ratio = ratio_of(value);
  if (ratio < 0.0)
    value.fail("is below zero, which turns the car backwards, expected a ratio above zero");
  return ratio;
}

/// The reverse gear's ratio without its sign.
double reverse_ratio_of(Car& car, const Json& value) {
  const double ratio = ratio_of(value);
  if (ratio > 0.0)
    note_drive(car, value,
               "is above zero, with which Chrono's reverse gear drives forward; here it reverses");
  return std::abs(ratio);
}

/// What an automatic gearbox needs: each gear longer than the one before, and no shift down at the
/// speed to which a shift up leads.
void check_gears(const std::vector<Json>& ratios, const Json& points, const MapPoints& shifts) {
  for (std::size_t g = 0; g + 1 < ratios.size(); ++g) {
    const double low = forward_ratio_of(ratios[g]);
    const double high = forward_ratio_of(ratios[g + 1]);
    if (high >= low) ratios[g + 1].fail("is not above the ratio of the gear before, expected more");
    if (!(shifts[g].second > 0.0))
      points.fail("has no speed above zero for the shift up from gear " + std::to_string(g + 1) +
                  ", expected one");
    if (shifts[g + 1].first < 0.0)
      points.fail("has a speed below zero for the shift down from gear " + std::to_string(g + 2) +
                  ", expected none");
    if (shifts[g].second * high / low <= shifts[g + 1].first)
      points.fail("shifts from gear " + std::to_string(g + 1) + " to gear " +
                  std::to_string(g + 2) +
                  " and at once down again, expected a speed down below that after the shift up");
  }
}

XmlNode read_converter(const Json& converter) {
  const MapPoints capacity = converter.at("Capacity Factor Map").curve();
  const MapPoints torque = converter.at("Torque Ratio Map").curve();
  std::vector<double> ratios;
  for (const auto& point : capacity) ratios.push_back(point.first);
  for (const auto& point : torque) ratios.push_back(point.first);
  std::sort(ratios.begin(), ratios.end());
  ratios.erase(std::unique(ratios.begin(), ratios.end()), ratios.end());
  XmlNode coupling = element("coupling");
  coupling.set("type", "converter");
  for (const double ratio : ratios) {
    XmlNode point = element("point");
    point.set("speed_ratio", ratio).set("torque_ratio", at(torque, ratio));
    coupling.add(point.set("capacity_factor", at(capacity, ratio)));
  }
  return coupling;
}

/// Coupling and gearbox of a transmission.
std::pair<XmlNode, XmlNode> read_transmission(Car& car, const Json& file) {
  const Json name = file.at("Template");
  const Json box = file.at("Gear Box");
  const std::vector<Json> ratios = box.at("Forward Gear Ratios").items(100);
  if (ratios.empty()) box.at("Forward Gear Ratios").fail("is empty, expected gears");
  XmlNode coupling = element("coupling");
  XmlNode gearbox = element("gearbox");
  MapPoints shifts;  // down, up
  const std::size_t gears = ratios.size();
  if (name.text() == "AutomaticTransmissionSimpleMap") {
    coupling.set("type", "rigid");
    gearbox.set("type", "automatic");
    const Json list = box.at("Shift Points Map RPM");
    for (const Json& row : list.items(100)) {
      const std::vector<Json> pair = row.items();
      if (pair.size() != 2) row.fail("has not two entries, expected down and up");
      shifts.emplace_back(kRpm * pair[0].number(), kRpm * pair[1].number());
    }
    if (shifts.size() != gears)
      list.fail("has " + std::to_string(shifts.size()) + " rows, expected one for each of " +
                std::to_string(gears) + " gears");
  } else if (name.text() == "AutomaticTransmissionShafts") {
    coupling = read_converter(file.at("Torque Converter"));
    gearbox.set("type", "automatic");
    shifts.assign(gears,
                  {kRpm * box.at("Downshift RPM").number(), kRpm * box.at("Upshift RPM").number()});
    if (const auto latency = box.find("Shift Latency"))
      gearbox.set("shift_latency", latency->not_negative());
    else
      gearbox.set("shift_latency", kShiftLatency);
  } else if (name.text() == "ManualTransmissionShafts") {
    coupling.set("type", "clutch").set("capacity", file.at("Clutch Torque Limit").positive());
    coupling.set("input", "clutch");
    add_input(car, "clutch");
    gearbox.set("type", "manual");
  } else {
    refuse_template(name, transmission_templates());
  }
  if (!shifts.empty())
    check_gears(ratios, box.has("Shift Points Map RPM") ? box.at("Shift Points Map RPM") : box,
                shifts);
  for (const char* key : {"Transmission Block Inertia", "Input Shaft Inertia", "Motorshaft Inertia",
                          "Driveshaft Inertia"})
    if (const auto inertia = file.find(key))
      note(car, *inertia, std::string("not covered: ") + key);
  gearbox.set("reverse", reverse_ratio_of(car, box.at("Reverse Gear Ratio"))).set("input", "gear");
  // first gear or drive, unless somebody says otherwise
  add_input(car, "gear");
  car.elements.back().set("value", 1.0);
  for (std::size_t g = 0; g < gears; ++g) {
    XmlNode gear = element("gear");
    gear.set("ratio", forward_ratio_of(ratios[g]));
    if (!shifts.empty() && g + 1 < gears) gear.set("up", shifts[g].second);
    if (!shifts.empty() && g > 0) gear.set("down", shifts[g].first);
    gearbox.add(std::move(gear));
  }
  return {std::move(coupling), std::move(gearbox)};
}

XmlNode driven_axle(const std::string& name, const Axle& axle, double ratio) {
  XmlNode node = element("axle");
  node.set("name", join("drive", name));
  node.set("wheels", join("wheel", axle[0].suffix) + " " + join("wheel", axle[1].suffix));
  return node.set("ratio", ratio);
}

void note_all(Car& car, const Json& part, std::initializer_list<const char*> keys) {
  for (const char* key : keys)
    if (const auto value = part.find(key)) note(car, *value, std::string("not covered: ") + key);
}

/// Differentials that lock beyond a difference of speeds are open here.
void note_limits(Car& car, const Json& driveline, std::initializer_list<const char*> keys) {
  for (const char* key : keys)
    if (const auto value = driveline.find(key))
      note_drive(car, *value, std::string("not covered: ") + key + "; the differential stays open");
}

}  // namespace

const std::vector<std::string>& engine_templates() {
  static const std::vector<std::string> kNames{"EngineSimpleMap", "EngineSimple", "EngineShafts"};
  return kNames;
}

const std::vector<std::string>& transmission_templates() {
  static const std::vector<std::string> kNames{
      "AutomaticTransmissionSimpleMap", "AutomaticTransmissionShafts", "ManualTransmissionShafts"};
  return kNames;
}

const std::vector<std::string>& driveline_templates() {
  static const std::vector<std::string> kNames{"ShaftsDriveline2WD", "ShaftsDriveline4WD",
                                               "SimpleDriveline"};
  return kNames;
}

void add_input(Car& car, const std::string& name) {
  for (const XmlNode& node : car.elements)
    if (node.tag == "input" && node.attributes.front().second == name) return;
  car.elements.push_back(element("input").set("name", name));
}

void add_driveline(Car& car, const Json& driveline, const Json& engine, const Json& transmission,
                   const std::vector<std::pair<std::string, Axle>>& axles) {
  add_input(car, "throttle");
  XmlNode node = element("driveline");
  node.set("name", "driveline").set("body", "chassis");
  node.add(read_motor(car, engine));
  auto [coupling, gearbox] = read_transmission(car, transmission);
  node.add(std::move(coupling)).add(std::move(gearbox));

  const Json name = driveline.at("Template");
  const auto need = [&](std::size_t count) {
    if (axles.size() != count)
      name.fail("is '" + printable(name.text()) + "' with " + std::to_string(axles.size()) +
                " driven axles, expected " + std::to_string(count));
  };
  if (name.text() == "ShaftsDriveline2WD") {
    need(1);
    const double ratio = ratio_of(driveline.at("Gear Ratio").at("Conical Gear"));
    XmlNode axle = driven_axle(axles[0].first, axles[0].second, std::abs(ratio));
    node.add(axle.set("differential", "open"));
    note_all(car, driveline.at("Shaft Inertia"), {"Driveshaft", "Differential Box"});
    note_limits(car, driveline, {"Axle Differential Locking Limit"});
  } else if (name.text() == "ShaftsDriveline4WD") {
    need(2);
    const Json ratios = driveline.at("Gear Ratio");
    const std::array<const char*, 2> keys{"Front Conical Gear", "Rear Conical Gear"};
    for (std::size_t k = 0; k < 2; ++k) {
      XmlNode axle =
          driven_axle(axles[k].first, axles[k].second, std::abs(ratio_of(ratios.at(keys[k]))));
      node.add(axle.set("differential", "open"));
    }
    node.add(element("centre").set("differential", "open").set("share", 0.5));
    note_all(car, driveline.at("Shaft Inertia"),
             {"Driveshaft", "Front Driveshaft", "Rear Driveshaft", "Central Differential Box",
              "Front Differential Box", "Rear Differential Box"});
    note_limits(car, driveline,
                {"Axle Differential Locking Limit", "Central Differential Locking Limit"});
  } else if (name.text() == "SimpleDriveline") {
    need(2);
    const Json fraction = driveline.at("Front Torque Fraction");
    const double front = fraction.not_negative();
    if (front > 1.0) fraction.fail("is above 1, expected a share of the torque");
    const std::array<const char*, 2> sides{"Front", "Rear"};
    for (std::size_t k = 0; k < 2; ++k) {
      const std::string side = sides[k];
      const double share = k == 0 ? front : 1.0 - front;
      const double ratio = std::abs(ratio_of(driveline.at(side + " Conical Gear Ratio")));
      const Json limit = driveline.at(side + " Differential Max Bias");
      const double bias = limit.number();
      if (!(bias >= 1.0)) limit.fail("is below 1, expected a ratio of torques");
      if (share <= 0.0) continue;
      XmlNode axle = driven_axle(axles[k].first, axles[k].second, ratio);
      // Chrono has the torque of the slow side over that of the fast one
      node.add(axle.set("differential", "limited_slip").set("bias", (bias - 1.0) / (bias + 1.0)));
    }
    if (front > 0.0 && front < 1.0)
      node.add(element("centre").set("differential", "open").set("share", front));
  } else {
    refuse_template(name, driveline_templates());
  }
  car.elements.push_back(std::move(node));
}

}  // namespace semirec::chrono
