#include <algorithm>
#include <cmath>
#include <numbers>

#include "vehicles/chrono/parts.hpp"

// Chrono's ratios are speed out over speed in; a vehicle file has in over out. Speeds of its maps
// are in rpm.

namespace semirec::chrono {

namespace {

using MapPoints = std::vector<std::pair<double, double>>;

constexpr double kRpm = std::numbers::pi / 30.0;  // rad/s
constexpr double kMotorInertia = 0.1;             // kg m^2, where Chrono has none

void note(Car& car, const Json& at, const std::string& text) { car.notes.push_back(at.note(text)); }

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
    name.fail("is '" + printable(name.text()) +
              "', which is not covered, expected EngineSimpleMap, EngineSimple or EngineShafts");
  }
  if (name.text() != "EngineShafts")
    note(car, name,
         "the engine has no inertia in Chrono; " + in_words(kMotorInertia) + " kg m^2 is taken");
  motor.set("inertia", inertia).set("throttle", "throttle");
  motor.add(map("full", full)).add(map("closed", closed));
  return motor;
}

/// Motor speed over output speed.
double ratio_of(const Json& value) {
  const double ratio = value.number();
  if (!(std::abs(ratio) > 1e-6)) value.fail("is zero, expected a ratio");
  return 1.0 / ratio;
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
      gearbox.set("shift_time", latency->not_negative());
  } else if (name.text() == "ManualTransmissionShafts") {
    coupling.set("type", "clutch").set("capacity", file.at("Clutch Torque Limit").positive());
    coupling.set("input", "clutch");
    add_input(car, "clutch");
    gearbox.set("type", "manual");
  } else {
    name.fail("is '" + printable(name.text()) +
              "', which is not covered, expected AutomaticTransmissionSimpleMap, "
              "AutomaticTransmissionShafts or ManualTransmissionShafts");
  }
  for (const char* key : {"Transmission Block Inertia", "Input Shaft Inertia", "Motorshaft Inertia",
                          "Driveshaft Inertia"})
    if (const auto inertia = file.find(key))
      note(car, *inertia, std::string("not covered: ") + key);
  gearbox.set("reverse", std::abs(ratio_of(box.at("Reverse Gear Ratio")))).set("input", "gear");
  // first gear or drive, unless somebody says otherwise
  add_input(car, "gear");
  car.elements.back().set("value", 1.0);
  for (std::size_t g = 0; g < gears; ++g) {
    XmlNode gear = element("gear");
    gear.set("ratio", ratio_of(ratios[g]));
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

}  // namespace

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
    note_all(car, driveline, {"Axle Differential Locking Limit", "Shaft Direction"});
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
    note_all(car, driveline,
             {"Axle Differential Locking Limit", "Central Differential Locking Limit",
              "Shaft Direction"});
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
    name.fail("is '" + printable(name.text()) +
              "', which is not covered, expected ShaftsDriveline2WD, ShaftsDriveline4WD or "
              "SimpleDriveline");
  }
  car.elements.push_back(std::move(node));
}

}  // namespace semirec::chrono
