#include "vehicles/files/xml/vehicle_xml.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include <Eigen/Geometry>

#include "topology/doubtful_dampers.hpp"
#include "topology/spanning_tree.hpp"
#include "vehicles/description/doubtful_sizes.hpp"
#include "vehicles/description/units.hpp"
#include "vehicles/driveline/driveline_model.hpp"
#include "vehicles/files/xml/driveline_xml.hpp"
#include "vehicles/files/xml/equations_xml.hpp"
#include "vehicles/files/xml/faults.hpp"
#include "vehicles/files/xml/mechanism_xml.hpp"
#include "vehicles/files/xml/reader.hpp"
#include "vehicles/files/xml/shape_xml.hpp"

namespace semirec {

namespace {

using Eigen::Vector3d;

CalspanCoefficients read_calspan(const Element& element) {
  CalspanCoefficients c;
  c.A0 = element.number("A0");
  c.A1 = element.number("A1");
  c.A2 = element.number("A2");
  c.A3 = element.number("A3");
  c.A4 = element.number("A4");
  c.B1 = element.number("B1");
  c.B3 = element.number("B3");
  c.B4 = element.number("B4");
  c.SN = element.number("SN");
  c.AF1 = element.number("AF1");
  c.AF2 = element.number("AF2");
  return c;
}

/// The wheel's frame: y along the axle, z as far up as the axle lets it.
Frame axle_frame(const Element& element) {
  const Vector3d axle = element.axial("axis");
  if (axle.cross(Vector3d::UnitZ()).norm() < 0.1)
    element.fail("axis", "is upright, expected an axle near the horizontal such as 0 1 0");
  Frame frame;
  frame.A.col(1) = axle;
  frame.A.col(0) = axle.cross(Vector3d::UnitZ()).normalized();
  frame.A.col(2) = frame.A.col(0).cross(axle);
  frame.p = element.point("centre");
  return frame;
}

/// An axle may be so far off the axis about which its rim turns, rad: what three digits leave of
/// an axis written by hand, and room.
constexpr double kMostOffAxis = 0.01;

/// The joint about which a rim turns: one that turns against the carrier, or else the only one that
/// turns it at all; null if no such joint tells.
const Joint* find_rim_joint(const Wheel& wheel, const Mechanism& mechanism) {
  const Joint* only = nullptr;
  int count = 0;
  for (const Joint& joint : mechanism.joints) {
    if (joint.type != JointType::revolute && joint.type != JointType::cylindrical) continue;
    if (joint.a.body != wheel.rim && joint.b.body != wheel.rim) continue;
    const BodyIndex other = joint.a.body == wheel.rim ? joint.b.body : joint.a.body;
    if (other == wheel.centre.body) return &joint;
    only = &joint;
    ++count;
  }
  return count == 1 ? only : nullptr;
}

/// Whether fixed joints make two bodies one.
bool is_one_with(const Mechanism& mechanism, BodyIndex a, BodyIndex b) {
  std::vector<BodyIndex> reached{a};
  for (std::size_t k = 0; k < reached.size(); ++k)
    for (const Joint& joint : mechanism.joints) {
      if (joint.type != JointType::fixed) continue;
      for (const auto& [from, to] :
           {std::pair(joint.a.body, joint.b.body), std::pair(joint.b.body, joint.a.body)})
        if (from == reached[k] && std::find(reached.begin(), reached.end(), to) == reached.end())
          reached.push_back(to);
    }
  return std::find(reached.begin(), reached.end(), b) != reached.end();
}

/// The centre of a wheel may be so far off the axis about which it turns without a note, m.
constexpr double kMostEccentric = 1e-3;

/// Whether something else than the joint between rim and carrier leads a body.
bool is_led(const Mechanism& mechanism, BodyIndex body, const Joint& but) {
  const auto leads = [&](const auto& element) {
    return element.a.body == body || element.b.body == body;
  };
  return std::any_of(mechanism.joints.begin(), mechanism.joints.end(),
                     [&](const Joint& joint) { return &joint != &but && leads(joint); }) ||
         std::any_of(mechanism.constraints.begin(), mechanism.constraints.end(), leads);
}

/// A tyre rolls about its axle and its rim about a joint's axis: the two are one line's direction,
/// and the centre, which turns with the rim, lies on it. The rim is the body that nothing else
/// leads.
void check_axle(const Element& element, const Wheel& wheel, const Mechanism& mechanism,
                std::vector<std::string>& notes) {
  const Joint* joint = find_rim_joint(wheel, mechanism);
  if (joint == nullptr) return;
  const bool joined = joint->a.body == wheel.centre.body || joint->b.body == wheel.centre.body;
  if (joined && is_led(mechanism, wheel.rim, *joint) &&
      !is_led(mechanism, wheel.centre.body, *joint))
    element.fail("rim",
                 "is '" + mechanism.bodies[static_cast<std::size_t>(wheel.rim)].name +
                     "', which the suspension leads, while nothing leads the body: 'body' and "
                     "'rim' look exchanged, expected the carrier as body and what spins as rim");
  const BodyIndex other = joint->a.body == wheel.rim ? joint->b.body : joint->a.body;
  if (!joined && !is_one_with(mechanism, other, wheel.centre.body))
    element.fail(
        "rim",
        "turns by joint '" + joint->name + "' about '" +
            (other == kGround ? "ground" : mechanism.bodies[static_cast<std::size_t>(other)].name) +
            "', expected a joint to the body that carries the wheel, '" +
            mechanism.bodies[static_cast<std::size_t>(wheel.centre.body)].name + "'");
  const auto in_world = [&](const Marker& marker, int axis) -> Vector3d {
    Vector3d direction = marker.X_BF.A.col(axis);
    if (marker.body == kGround) return direction;
    return mechanism.bodies[static_cast<std::size_t>(marker.body)].X_WB.A * direction;
  };
  const Vector3d axle = in_world(wheel.centre, 1);
  const Vector3d axis = in_world(joint->a, 2);
  const double angle = std::atan2(axle.cross(axis).norm(), std::abs(axle.dot(axis)));
  std::ostringstream text;
  if (angle > kMostOffAxis) {
    text << "lies " << angle << " rad off the axis of joint '" << joint->name
         << "', about which the rim turns, expected at most " << kMostOffAxis
         << " rad between them";
    element.fail("axis", text.str());
  }
  const auto place = [&](const Marker& marker) -> Vector3d {
    return marker.body == kGround
               ? marker.X_BF.p
               : (mechanism.bodies[static_cast<std::size_t>(marker.body)].X_WB * marker.X_BF).p;
  };
  const double aside = (place(wheel.centre) - place(joint->a)).cross(axis.normalized()).norm();
  if (aside <= kMostEccentric) return;
  text << element.source.file << ":" << element.source.line << ": element '" << element.name
       << "': attribute 'centre' lies " << aside << " m off the axis of joint '" << joint->name
       << "', about which it turns with the rim: the wheel runs out of round";
  notes.push_back(text.str());
}

/// An axle may point so far from across the vehicle without a note, rad: toe and camber as drawn.
constexpr double kMostAcross = 0.3;

/// An axle points to the left: forwards is the way on which a wheel turns about it in the positive
/// sense. Far from across the vehicle the wheel rolls askew, which is said.
void check_axle_side(const Element& element, const Wheel& wheel, const Mechanism& mechanism,
                     std::vector<std::string>& notes) {
  const Frame& carrier = mechanism.bodies[static_cast<std::size_t>(wheel.centre.body)].X_WB;
  const Vector3d axle = carrier.A * wheel.centre.X_BF.A.col(1);
  if (axle.y() < 0.0) element.fail("axis", "points to the right, expected the left, as 0 1 0 does");
  const double angle = std::atan2(std::hypot(axle.x(), axle.z()), axle.y());
  if (angle <= kMostAcross) return;
  std::ostringstream text;
  text << element.source.file << ":" << element.source.line << ": element '" << element.name
       << "': attribute 'axis' lies " << angle << " rad off the y axis: the wheel rolls askew "
       << "(an axle across the vehicle is 0 1 0)";
  notes.push_back(text.str());
}

/// Radius and vertical law of a tyre that is called by its name come with it.
void take_over_law(const Element& element, Wheel& wheel) {
  for (const char* own : {"radius", "stiffness", "damping", "unilateral"})
    if (element.has(own))
      element.fail(own, "stands beside a tyre with a law of its own, expected only one of the two");
  if (wheel.rim == kGround)
    element.fail("rim", "is missing, expected the body that spins with the tyre");
  wheel.radius = wheel.law->unloaded_radius();
  const TyreLoad slope = wheel.law->load(0.01 * wheel.radius, 0.0, 0.0);
  wheel.stiffness = slope.stiffness;
  wheel.damping = slope.damping;
}

Wheel read_wheel(const Element& element, const Attachments& attachments, TyreShelf& tyres,
                 const Mechanism& mechanism, std::vector<std::string>& notes) {
  Wheel wheel;
  wheel.name = element.name;
  wheel.source = element.source;
  wheel.centre = attachments.marker(element, "body", axle_frame(element));
  if (wheel.centre.body == kGround)
    element.fail("body", "is the ground, expected the body that carries the wheel");
  wheel.centre.name = element.name;
  if (element.has("rim") && element.text("rim") != "none") {
    wheel.rim = attachments.body(element, "rim");
    if (wheel.rim == kGround || wheel.rim == wheel.centre.body)
      element.fail("rim", "is the ground or the carrier, expected the body that spins");
    check_axle(element, wheel, mechanism, notes);
  }
  check_axle_side(element, wheel, mechanism, notes);
  const Element* calspan = element.child("calspan");
  const std::string tyre = element.has("tyre") ? element.text("tyre") : "none";
  if (tyre != "none" && tyre != "calspan") {
    if (calspan != nullptr)
      element.fail("tyre", "is '" + tyre + "' beside <calspan>, expected tyre=\"calspan\" there");
    const Frame& carrier = mechanism.bodies[static_cast<std::size_t>(wheel.centre.body)].X_WB;
    const bool left = (carrier * wheel.centre.X_BF).p.y() >= 0.0;
    wheel.law = tyres.find(element, left ? Side::left : Side::right, notes);
    wheel.size = tyres.size_of(element);
    take_over_law(element, wheel);
    wheel.friction_scale = element.number("friction_scale");
    if (wheel.friction_scale != 1.0 && !wheel.law->feels_friction())
      element.fail("friction_scale",
                   "scales the friction of a tyre, and a linear one has none, expected none");
    wheel.turning_friction = element.number("turning_friction");
    return wheel;
  }
  if (element.has("friction_scale"))
    element.fail("friction_scale", "has no law to scale, expected a 'tyre' with one beside it");
  if (element.has("turning_friction"))
    element.fail("turning_friction",
                 "is for tyres that roll, expected a 'tyre' with a law beside it");
  wheel.radius = element.number("radius");
  wheel.stiffness = element.number("stiffness");
  wheel.damping = element.number("damping");
  wheel.unilateral = element.flag("unilateral");
  const bool lateral = tyre == "calspan";
  if (lateral && calspan == nullptr)
    element.fail("tyre", "is 'calspan' without coefficients, expected a <calspan> inside");
  if (lateral) wheel.lateral = read_calspan(*calspan);
  if (!lateral && calspan != nullptr && !element.has("tyre"))
    element.fail("tyre", "is missing beside <calspan>, expected tyre=\"calspan\" or \"none\"");
  return wheel;
}

BodyIndex find_chassis(const Elements& elements) {
  const Element* chassis = nullptr;
  BodyIndex found = kGround;
  BodyIndex next = 0;
  for (const Element& element : elements) {
    if (element.kind != "body" && element.kind != "slender_rod") continue;
    const BodyIndex index = next++;
    if (!element.has("chassis") || !element.flag("chassis")) continue;
    if (chassis != nullptr)
      element.fail("chassis",
                   "is 'yes' on a second body beside '" + chassis->name + "', expected one");
    chassis = &element;
    found = index;
  }
  return found;
}

/// Bodies that say whether they are a unit of their own.
void read_unit_marks(const Elements& elements, Vehicle& vehicle) {
  BodyIndex next = 0;
  for (const Element& element : elements) {
    if (element.kind != "body" && element.kind != "slender_rod") continue;
    const BodyIndex index = next++;
    if (!element.has("unit")) continue;
    if (index == vehicle.chassis)
      element.fail("unit", "stands on the chassis, which is the first unit, expected another body");
    if (vehicle.chassis == kGround)
      element.fail("unit", "stands in a file without chassis, expected chassis=\"yes\" on a body");
    vehicle.unit_marks.push_back({index, element.flag("unit")});
  }
  if (vehicle.unit_marks.empty()) return;
  const std::vector<Unit> units = find_units(vehicle);
  for (const UnitMark& mark : vehicle.unit_marks) {
    const bool found = std::any_of(units.begin(), units.end(),
                                   [&](const Unit& unit) { return unit.frame == mark.body; });
    if (!mark.own || found) continue;
    const Body& body = vehicle.mechanism.bodies[static_cast<std::size_t>(mark.body)];
    throw ModelError(body.source, body.name,
                     "'unit' is 'yes' on a body that carries no wheels, expected the frame of a "
                     "trailer with wheels of its own");
  }
}

/// Names that elements call and that nobody has, all of them at once.
void check_references(const Elements& elements, const Attachments& attachments) {
  Faults faults;
  for (const Element& element : elements)
    for (const AttributeRow& row : element.row->attributes) {
      if (row.kind != Kind::reference || !element.has(row.name)) continue;
      if (element.text(row.name) == "none") continue;
      faults.gather([&] {
        if (row.refers_to == "body") static_cast<void>(attachments.body(element, row.name));
        if (row.refers_to == "joint") static_cast<void>(attachments.joint(element, row.name));
        if (row.refers_to == "input") static_cast<void>(attachments.input(element, row.name));
      });
    }
  faults.tell();
}

/// Factors on laws that elements of these kinds write, or may write.
void find_scales(const Elements& elements, Vehicle& vehicle) {
  const auto add = [&](const Element& element, const char* attribute, const Vector3d& place) {
    vehicle.scales.push_back({element.name,
                              attribute,
                              element.number(attribute, 1.0),
                              {place.x(), std::abs(place.y()), place.z()}});
  };
  const auto add_laws = [&](const Element& element, const auto& laws, const Vector3d& place) {
    for (const auto& force : laws) {
      if (force.name != element.name) continue;
      if (!force.spring.is_zero()) add(element, "spring_scale", place);
      if (!force.damper.is_zero()) add(element, "damper_scale", place);
    }
  };
  const Mechanism& mechanism = vehicle.mechanism;
  for (const Element& element : elements) {
    const auto middle = [&] {
      return Vector3d(0.5 * (element.point("point_a") + element.point("point_b")));
    };
    if (element.kind == "spring") add_laws(element, mechanism.springs, middle());
    if (element.kind == "rotational_spring")
      add_laws(element, mechanism.rotational_springs, element.point("point"));
    if (element.kind == "joint_force")
      add_laws(element, mechanism.coordinate_forces, Vector3d::Zero());
    if (element.kind != "wheel") continue;
    for (const Wheel& wheel : vehicle.wheels)
      if (wheel.name == element.name && feels_friction(wheel))
        add(element, "friction_scale", element.point("centre"));
  }
}

}  // namespace

const std::vector<std::string>& vehicle_roots() {
  static const std::vector<std::string> roots{"vehicle", "mechanism"};
  return roots;
}

Vehicle make_vehicle(const Document& document, const std::vector<Override>& overrides,
                     TyreShelf& tyres) {
  Vehicle vehicle;
  vehicle.overrides = overrides;
  Mechanism& mechanism = vehicle.mechanism;
  mechanism.name = document.root.name;
  vehicle.notes = document.notes;
  if (document.root.has("gravity")) mechanism.gravity = document.root.vector("gravity");
  const Attachments attachments(mechanism, document.elements);
  check_references(document.elements, attachments);
  read_bodies(document.elements, mechanism);
  read_structure(document.elements, attachments, mechanism);
  vehicle.equations = read_equations(document.elements, mechanism);
  read_forces(document.elements, attachments, mechanism);
  vehicle.chassis = find_chassis(document.elements);
  for (const Element& element : document.elements)
    if (element.kind == "wheel")
      vehicle.wheels.push_back(read_wheel(element, attachments, tyres, mechanism, vehicle.notes));
  read_unit_marks(document.elements, vehicle);
  read_drive_parts(document.elements, attachments, vehicle);
  read_shapes(document.elements, attachments, vehicle);
  find_scales(document.elements, vehicle);
  if (mechanism.bodies.empty()) document.root.fail("has no body, expected at least one");
  check(mechanism);
  for (std::string& line : find_doubtful_bodies(mechanism))
    vehicle.notes.push_back(std::move(line));
  for (std::string& line : find_doubtful_dampers(mechanism))
    vehicle.notes.push_back(std::move(line));
  for (std::string& line : find_doubtful_sizes(vehicle)) vehicle.notes.push_back(std::move(line));
  for (std::string& line : find_reversed_axes(document.elements))
    vehicle.notes.push_back(std::move(line));
  for (const Driveline& driveline : vehicle.drivelines)
    if (std::string line = describe_gaining_converter(driveline); !line.empty())
      vehicle.notes.push_back(std::move(line));
  // built for its complaints about topology only
  (void)make_spanning_tree(mechanism);
  return vehicle;
}

namespace {

Vehicle make_vehicle(const Document& document, const std::vector<Override>& overrides) {
  TyreShelf tyres(document.elements);
  return make_vehicle(document, overrides, tyres);
}

}  // namespace

Vehicle read_vehicle(const std::string& path, const std::vector<Override>& overrides) {
  return make_vehicle(load_document(path, vehicle_roots(), overrides), overrides);
}

Vehicle read_vehicle_text(const std::string& text, const std::string& path,
                          const std::vector<Override>& overrides) {
  return make_vehicle(load_document(path, vehicle_roots(), overrides, &text), overrides);
}

}  // namespace semirec
