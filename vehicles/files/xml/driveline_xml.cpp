#include "vehicles/files/xml/driveline_xml.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>

#include "topology/nearest.hpp"
#include "vehicles/driveline/driveline_model.hpp"
#include "vehicles/files/xml/mechanism_xml.hpp"

namespace semirec {

namespace {

using CurvePoints = std::vector<std::pair<double, double>>;

const Element& need_child(const Element& element, const std::string& kind) {
  const Element* child = element.child(kind);
  if (child == nullptr) element.fail("has no <" + kind + ">, expected one");
  return *child;
}

/// Index of the wheel called `name`, which must spin.
int find_wheel(const Element& element, const std::string& attribute, const std::string& name,
               const std::vector<Wheel>& wheels) {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < wheels.size(); ++k) {
    names.push_back(wheels[k].name);
    if (wheels[k].name != name) continue;
    if (wheels[k].rim == kGround)
      element.fail(attribute, "refers to '" + name +
                                  "', which does not spin, expected a wheel with rim=\"...\"");
    return static_cast<int>(k);
  }
  element.fail(attribute, "refers to '" + name + "', which is no wheel, expected a wheel" +
                              nearest_hint(name, names));
}

Curve read_torque_curve(const Element& curve) {
  CurvePoints points;
  for (const Element& point : curve.children) {
    const double speed = point.number("speed");
    if (!points.empty() && speed <= points.back().first)
      point.fail("speed", "does not ascend, expected more than at the point before");
    points.emplace_back(speed, point.number("torque"));
  }
  if (points.empty()) curve.fail("<" + curve.kind + "> has no point, expected at least one");
  return points.size() == 1 ? Curve::constant(points[0].second) : Curve::table(points);
}

Motor read_motor(const Element& element, const Attachments& attachments) {
  Motor motor;
  motor.type = element.choice_as<MotorType>("type");
  motor.inertia = element.number("inertia");
  motor.throttle = attachments.input(element, "throttle");
  motor.full = read_torque_curve(need_child(element, "full"));
  const bool electric = motor.type == MotorType::electric;
  if (const Element* closed = element.child("closed")) {
    if (electric) closed->fail("<closed> stands in an electric motor, expected <full> alone");
    motor.closed = read_torque_curve(*closed);
  }
  for (const char* attribute : {"idle_speed", "power"})
    if (element.has(attribute) && electric == (attribute[0] == 'i'))
      element.fail(attribute, electric
                                  ? "stands in an electric motor, expected it in one of combustion"
                                  : "stands in a motor of combustion, expected it in an "
                                    "electric one");
  motor.idle_speed = element.number("idle_speed", motor.idle_speed);
  motor.max_speed = element.number("max_speed", motor.max_speed);
  motor.power = element.number("power", motor.power);
  if (motor.max_speed > 0.0 && motor.idle_speed >= motor.max_speed)
    element.fail("idle_speed", "is not below 'max_speed', expected less");
  return motor;
}

void read_converter(const Element& element, Coupling& coupling) {
  CurvePoints ratios;
  CurvePoints factors;
  for (const Element& point : element.children) {
    const double at = point.number("speed_ratio");
    if (!ratios.empty() && at <= ratios.back().first)
      point.fail("speed_ratio", "does not ascend, expected more than at the point before");
    ratios.emplace_back(at, point.number("torque_ratio"));
    factors.emplace_back(at, point.number("capacity_factor"));
  }
  if (ratios.size() < 2)
    element.fail("has " + std::to_string(ratios.size()) +
                 " points of its converter, expected at least two");
  coupling.torque_ratio = Curve::table(ratios);
  coupling.capacity_factor = Curve::table(factors);
}

Coupling read_coupling(const Element& element, const Attachments& attachments) {
  Coupling coupling;
  coupling.type = element.choice_as<CouplingType>("type");
  if (coupling.type == CouplingType::converter) {
    read_converter(element, coupling);
  } else if (!element.children.empty()) {
    element.children[0].fail("<point> stands in a coupling that is no converter, expected none");
  }
  if (coupling.type == CouplingType::clutch)
    coupling.capacity = element.number("capacity");
  else if (element.has("capacity"))
    element.fail("capacity", "stands on a coupling that is no clutch, expected it on a clutch");
  if (element.has("input")) {
    if (coupling.type != CouplingType::clutch)
      element.fail("input", "stands on a coupling that is no clutch, expected it on a clutch");
    coupling.pedal = attachments.input(element, "input");
  }
  return coupling;
}

/// A shift must not call for the one back.
void check_shifts(const Element& element, const Gearbox& gearbox) {
  for (std::size_t k = 0; k + 1 < gearbox.gears.size(); ++k) {
    const Gear& low = gearbox.gears[k];
    const Gear& high = gearbox.gears[k + 1];
    if (high.ratio >= low.ratio)
      element.fail("gear " + std::to_string(k + 2) +
                   " has a ratio that is not below that of the gear before, expected less");
    if (low.up * high.ratio / low.ratio <= high.down)
      element.fail("after the shift up from gear " + std::to_string(k + 1) +
                   " the input turns at " + std::to_string(low.up * high.ratio / low.ratio) +
                   " rad/s, at which gear " + std::to_string(k + 2) +
                   " shifts down again, expected a 'down' below that");
  }
}

Gearbox read_gearbox(const Element& element, const Attachments& attachments) {
  Gearbox gearbox;
  gearbox.automatic = element.choice("type") == 1;
  gearbox.selector = attachments.optional_input(element, "input");
  if (element.has("reverse") && gearbox.selector == kNoInput)
    element.fail("reverse",
                 "stands in a gearbox without 'input', which nobody puts into reverse, "
                 "expected an 'input'");
  if (element.has("reverse")) gearbox.reverse = std::abs(element.number("reverse"));
  gearbox.efficiency = element.number("efficiency");
  gearbox.shift_time = element.number("shift_time");
  if (element.has("shift_latency") && !gearbox.automatic)
    element.fail("shift_latency", "stands in a manual gearbox, expected it in an automatic one");
  gearbox.shift_latency = element.number("shift_latency");
  for (const Element& child : element.children) {
    Gear gear;
    gear.ratio = child.number("ratio");
    for (const char* attribute : {"up", "down"})
      if (child.has(attribute) && !gearbox.automatic)
        child.fail(attribute, "stands in a manual gearbox, expected it in an automatic one");
    gear.up = child.number("up", gear.up);
    gear.down = child.number("down");
    gearbox.gears.push_back(gear);
  }
  if (gearbox.gears.empty()) element.fail("has no <gear>, expected at least one");
  if (!gearbox.automatic && gearbox.gears.size() > 1 && gearbox.selector == kNoInput)
    element.fail("input", "is missing on a manual gearbox of several gears, expected one");
  if (gearbox.automatic) check_shifts(element, gearbox);
  return gearbox;
}

Differential read_differential(const Element& element) {
  Differential differential;
  differential.type = element.choice_as<DifferentialType>("differential");
  for (const char* attribute : {"preload", "bias"})
    if (element.has(attribute) && differential.type != DifferentialType::limited_slip)
      element.fail(attribute,
                   "stands on a differential that is not of limited slip, expected "
                   "differential=\"limited_slip\"");
  if (differential.type == DifferentialType::limited_slip && !element.has("preload") &&
      !element.has("bias"))
    element.fail("differential", "is of limited slip without 'preload' and 'bias', expected one");
  differential.preload = element.number("preload");
  differential.bias = element.number("bias");
  return differential;
}

DrivenAxle read_axle(const Element& element, const Attachments& attachments, const Vehicle& vehicle,
                     BodyIndex body) {
  DrivenAxle axle;
  axle.name = element.text("name");
  axle.source = element.source;
  std::istringstream names(element.text("wheels"));
  for (std::string name; names >> name;) {
    if (axle.wheels.size() == 2)
      element.fail("wheels", "names more than two wheels, expected one or two");
    axle.wheels.push_back(find_wheel(element, "wheels", name, vehicle.wheels));
  }
  axle.ratio = element.number("ratio");
  axle.differential = read_differential(element);
  if (axle.wheels.size() == 1 && axle.differential.type != DifferentialType::open)
    element.fail("differential", "stands on an axle of one wheel, expected two wheels");
  axle.shaft_stiffness = element.number("shaft_stiffness");
  axle.shaft_damping = element.number("shaft_damping");
  axle.body = element.has("body") ? attachments.body(element, "body") : body;
  return axle;
}

Driveline read_driveline(const Element& element, const Attachments& attachments,
                         const Vehicle& vehicle) {
  Driveline driveline;
  driveline.name = element.name;
  driveline.source = element.source;
  const BodyIndex body = element.has("body") ? attachments.body(element, "body") : vehicle.chassis;
  driveline.motor = read_motor(need_child(element, "motor"), attachments);
  if (const Element* coupling = element.child("coupling"))
    driveline.coupling = read_coupling(*coupling, attachments);
  if (const Element* gearbox = element.child("gearbox"))
    driveline.gearbox = read_gearbox(*gearbox, attachments);
  else
    driveline.gearbox.gears = {Gear{}};

  const Element* share = nullptr;
  std::vector<int> driven;
  for (const Element& child : element.children) {
    if (child.kind != "axle") continue;
    if (driveline.axles.size() == 2) child.fail("is a third <axle>, expected one or two");
    driveline.axles.push_back(read_axle(child, attachments, vehicle, body));
    if (child.has("share")) {
      if (driveline.axles.size() != 1)
        child.fail("share", "stands on the second axle, expected it on the first one");
      share = &child;
    }
    for (const int wheel : driveline.axles.back().wheels) {
      if (std::find(driven.begin(), driven.end(), wheel) != driven.end())
        child.fail("wheels", "drives a wheel twice, expected each wheel once");
      driven.push_back(wheel);
    }
  }
  if (driveline.axles.empty()) element.fail("has no <axle>, expected one or two");
  const Element* centre = element.child("centre");
  if (driveline.axles.size() == 1 && (centre != nullptr || share != nullptr))
    (centre != nullptr ? *centre : *share)
        .fail("shares the torque of one axle, expected two axles");
  if (centre != nullptr) {
    driveline.centre = read_differential(*centre);
    if (centre->has("share")) {
      if (share != nullptr)
        centre->fail("share", "stands beside that of an axle, expected only one of the two");
      share = centre;
    }
  }
  if (share != nullptr && driveline.centre.type == DifferentialType::locked)
    share->fail("share",
                "stands beside a locked centre, which shares as its wheels turn, expected "
                "none");
  if (share != nullptr) driveline.share = share->number("share");
  check_driveline(driveline);
  return driveline;
}

Brake read_brake(const Element& element, const Attachments& attachments, const Vehicle& vehicle) {
  Brake brake;
  brake.name = element.name;
  brake.source = element.source;
  brake.wheel = find_wheel(element, "wheel", element.text("wheel"), vehicle.wheels);
  brake.torque = element.number("torque");
  brake.balance = element.number("balance");
  brake.input = attachments.input(element, "input");
  brake.lock_speed = element.number("lock_speed");
  return brake;
}

HubTorque read_hub_torque(const Element& element, const Attachments& attachments,
                          const Vehicle& vehicle) {
  return {element.name, find_wheel(element, "wheel", element.text("wheel"), vehicle.wheels),
          attachments.input(element, "input"), element.source};
}

/// A marker with the axes of the world, whatever way the body is turned.
Marker read_place(const Element& element, const std::string& attribute,
                  const Attachments& attachments) {
  return attachments.marker(element, "body", element.point(attribute));
}

Aero read_aero(const Element& element, const Attachments& attachments) {
  Aero aero;
  aero.name = element.name;
  aero.source = element.source;
  aero.point = read_place(element, "point", attachments);
  if (aero.point.body == kGround)
    element.fail("body", "is the ground, expected the body that the air acts on");
  aero.area = element.number("area");
  aero.density = element.number("density");
  aero.drag = element.number("drag");
  aero.side = element.number("side");
  const std::array<std::string, 2> ends{"front", "rear"};
  for (std::size_t k = 0; k < 2; ++k) {
    aero.lift[k] = element.number("lift_" + ends[k]);
    const std::string point = ends[k] + "_point";
    aero.lift_point[k] = element.has(point) ? read_place(element, point, attachments) : aero.point;
  }
  if (!element.has("drag") && !element.has("side") && !element.has("lift_front") &&
      !element.has("lift_rear"))
    element.fail("has no force, expected 'drag', 'side', 'lift_front' or 'lift_rear'");
  aero.wind = {attachments.optional_input(element, "wind_x"),
               attachments.optional_input(element, "wind_y")};
  return aero;
}

Sensor read_sensor(const Element& element, const Attachments& attachments) {
  Frame frame;
  frame.p = element.point("point");
  if (element.has("rotation")) frame.A = read_rotation(element);
  return {element.name, attachments.marker(element, "body", frame), element.source};
}

/// What the element does not name: the inputs named after what they do.
Controls read_controls(const Elements& elements, const Attachments& attachments,
                       const Mechanism& mechanism) {
  Controls controls;
  const std::array<std::pair<const char*, std::string*>, 4> parts{{{"steering", &controls.steering},
                                                                   {"throttle", &controls.throttle},
                                                                   {"brake", &controls.brake},
                                                                   {"gear", &controls.gear}}};
  const Element* written = nullptr;
  for (const Element& element : elements) {
    if (element.kind != "controls") continue;
    if (written != nullptr)
      element.fail("stands there twice, expected one driver's place a vehicle");
    written = &element;
  }
  for (const auto& [part, name] : parts) {
    const InputIndex input =
        written == nullptr ? kNoInput : attachments.optional_input(*written, part);
    if (input != kNoInput) {
      *name = mechanism.inputs[static_cast<std::size_t>(input)].name;
      continue;
    }
    for (const Input& named : mechanism.inputs)
      if (named.name == part) *name = part;
  }
  if (written != nullptr) controls.steering_ratio = written->number("steering_ratio");
  return controls;
}

}  // namespace

void read_drive_parts(const Elements& elements, const Attachments& attachments, Vehicle& vehicle) {
  for (const Element& element : elements) {
    if (element.kind == "driveline")
      vehicle.drivelines.push_back(read_driveline(element, attachments, vehicle));
    if (element.kind == "brake")
      vehicle.brakes.push_back(read_brake(element, attachments, vehicle));
    if (element.kind == "hub_torque")
      vehicle.hub_torques.push_back(read_hub_torque(element, attachments, vehicle));
    if (element.kind == "aero") vehicle.aeros.push_back(read_aero(element, attachments));
    if (element.kind == "sensor") vehicle.sensors.push_back(read_sensor(element, attachments));
  }
  vehicle.controls = read_controls(elements, attachments, vehicle.mechanism);
}

}  // namespace semirec
