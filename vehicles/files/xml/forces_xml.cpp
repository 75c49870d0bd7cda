#include <algorithm>
#include <cmath>
#include <sstream>

#include "vehicles/files/xml/functions.hpp"
#include "vehicles/files/xml/mechanism_xml.hpp"

namespace semirec {

namespace {

using Eigen::Vector3d;

template <typename Force>
Force start_force(const Element& element) {
  Force force;
  force.name = element.name;
  force.source = element.source;
  return force;
}

/// Both ends, and the line between them or along an axis of body a; gives the length in the design
/// position.
double attach_spring(const Element& element, const Attachments& attachments, SpringDamper& spring) {
  const Vector3d from = element.point("point_a");
  const Vector3d to = element.point("point_b");
  spring.a = attachments.marker(element, "a", from);
  spring.b = attachments.marker(element, "b", to);
  spring.active = element.flag("active");
  spring.along_axis = element.has("along");
  if (!spring.along_axis) return (to - from).norm();
  const Vector3d along = element.polar("along");
  spring.axis = attachments.on_body(spring.a, along);
  return along.dot(to - from);
}

Curve read_stiffness(const Element& stiffness, double design_length) {
  const double k = stiffness.number("k");
  stiffness.need_one_of("free_length", "preload");
  if (stiffness.has("free_length")) return Curve::linear(k, stiffness.number("free_length"));
  // tension in the design position; without stiffness a constant force
  const double preload = stiffness.number("preload");
  return k == 0.0 ? Curve::constant(preload) : Curve::linear(k, design_length - preload / k);
}

Curve scaled(const Curve& law, double factor) {
  Curve out;
  for (Curve::Piece piece : law.pieces()) {
    for (double& c : piece.c) c *= factor;
    out.add_piece(piece.from, piece.origin, piece.c);
  }
  return out;
}

/// Factors on the laws of an element, so that a law of many numbers is scaled by one.
template <typename Force>
void scale_laws(const Element& element, Force& force) {
  const auto scale = [&](const char* attribute, Curve& law) {
    if (!element.has(attribute)) return;
    if (law.is_zero()) element.fail(attribute, "has nothing to scale, expected a law beside it");
    law = scaled(law, element.number(attribute));
  };
  scale("spring_scale", force.spring);
  scale("damper_scale", force.damper);
}

/// What inputs do in it while the vehicle moves.
void read_actions(const Element& element, const Attachments& attachments, SpringDamper& spring) {
  const auto factor = [&](const char* attribute, const Curve& law) {
    const InputIndex input = attachments.optional_input(element, attribute);
    if (input != kNoInput && law.is_zero())
      element.fail(attribute, "has no law to act on, expected one beside it");
    return input;
  };
  spring.spring_factor = factor("spring_input", spring.spring);
  spring.damper_factor = factor("damper_input", spring.damper);
  spring.applied = attachments.optional_input(element, "input");
}

SpringDamper read_spring(const Element& element, const Attachments& attachments) {
  auto spring = start_force<SpringDamper>(element);
  const double design_length = attach_spring(element, attachments, spring);
  const Element* stiffness = element.child("stiffness");
  const Element* law = element.child("law");
  const Element* damping = element.child("damping");
  const Element* damper = element.child("damper");
  if (stiffness != nullptr && law != nullptr)
    element.fail("has <stiffness> and <law>, expected only one of the two");
  if (damping != nullptr && damper != nullptr)
    element.fail("has <damping> and <damper>, expected only one of the two");
  if (element.children.empty())
    element.fail("has no force, expected <stiffness>, <law>, <damping> or <damper>");
  if (stiffness != nullptr) spring.spring = read_stiffness(*stiffness, design_length);
  if (law != nullptr) spring.spring = read_law(*law);
  if (damping != nullptr) spring.damper = Curve::linear(damping->number("c"));
  if (damper != nullptr) spring.damper = read_law(*damper);
  scale_laws(element, spring);
  read_actions(element, attachments, spring);
  return spring;
}

/// A force of an input's size between two points.
SpringDamper read_actuator(const Element& element, const Attachments& attachments) {
  auto actuator = start_force<SpringDamper>(element);
  attach_spring(element, attachments, actuator);
  actuator.applied = attachments.input(element, "input");
  return actuator;
}

/// Linear beyond a length, nothing before it.
SpringDamper read_stop(const Element& element, const Attachments& attachments) {
  auto stop = start_force<SpringDamper>(element);
  attach_spring(element, attachments, stop);
  element.need_one_of("below", "above");
  const double k = element.number("stiffness");
  const bool below = element.has("below");
  const double limit = element.number(below ? "below" : "above");
  if (!stop.along_axis && !(limit > 0.0))
    element.fail(below ? "below" : "above",
                 std::string("is a length that the distance from end to end ") +
                     (below ? "never falls below" : "is always above") +
                     ", expected one above 0, or 'along' for a way with a sign");
  const std::array<double, 6> contact{0.0, k};
  const std::array<double, 6> nothing{};
  stop.spring.add_piece(kBeforeAll, limit, below ? contact : nothing);
  stop.spring.add_piece(limit, limit, below ? nothing : contact);
  return stop;
}

/// Spring and damper laws of an element that gives them as numbers or as curves.
template <typename Force>
void read_laws(const Element& element, const std::string& zero, Force& force) {
  const Element* law = element.child("law");
  const Element* damper = element.child("damper");
  if (law != nullptr && element.has("stiffness"))
    element.fail("stiffness", "stands beside <law>, expected only one of the two");
  if (damper != nullptr && element.has("damping"))
    element.fail("damping", "stands beside <damper>, expected only one of the two");
  if (element.has(zero) && !element.has("stiffness"))
    element.fail(zero, "stands without 'stiffness', expected both");
  if (element.has("stiffness"))
    force.spring = Curve::linear(element.number("stiffness"), element.number(zero));
  if (element.has("damping")) force.damper = Curve::linear(element.number("damping"));
  if (law != nullptr) force.spring = read_law(*law);
  if (damper != nullptr) force.damper = read_law(*damper);
  scale_laws(element, force);
}

/// The axis of a rotational spring may be so far off that of a hinge between its bodies, rad.
constexpr double kMostOffHinge = 0.1;

/// One or two hinges in a row that lead from one body to another.
struct HingeWay {
  const Joint* first = nullptr;
  const Joint* second = nullptr;  ///< null: the first leads there
};

bool is_lasting_hinge(const Joint& joint) {
  return (joint.type == JointType::revolute || joint.type == JointType::cylindrical) &&
         !joint.attached;
}

/// The ways from a to b over one hinge, or over two by a third body.
std::vector<HingeWay> hinge_ways(const Mechanism& mechanism, BodyIndex a, BodyIndex b) {
  const auto joins = [](const Joint& joint, BodyIndex one, BodyIndex other) {
    return is_lasting_hinge(joint) && ((joint.a.body == one && joint.b.body == other) ||
                                       (joint.a.body == other && joint.b.body == one));
  };
  std::vector<HingeWay> ways;
  for (const Joint& first : mechanism.joints) {
    if (joins(first, a, b)) ways.push_back({&first, nullptr});
    const BodyIndex third = first.a.body == a ? first.b.body : first.a.body;
    if (third == b || !joins(first, a, third)) continue;
    for (const Joint& second : mechanism.joints)
      if (joins(second, third, b)) ways.push_back({&first, &second});
  }
  return ways;
}

/// Refuses a spring about an axis about which hinges do not let its bodies turn: it is to lie in
/// the line or plane of the axes of every way between them.
void check_hinge(const Element& element, const RotationalSpringDamper& spring,
                 const Mechanism& mechanism) {
  const auto axis_of = [&](const Marker& marker) -> Vector3d {
    const Vector3d axis = marker.X_BF.A.col(2);
    return marker.body == kGround
               ? axis
               : mechanism.bodies[static_cast<std::size_t>(marker.body)].X_WB.A * axis;
  };
  const Vector3d own = axis_of(spring.a);
  for (const HingeWay& way : hinge_ways(mechanism, spring.a.body, spring.b.body)) {
    const Vector3d first = axis_of(way.first->a);
    const Vector3d across =
        way.second != nullptr ? first.cross(axis_of(way.second->a)) : Vector3d::Zero();
    const bool in_line = across.norm() < kMostOffHinge;
    const double off = in_line ? std::atan2(own.cross(first).norm(), std::abs(own.dot(first)))
                               : std::asin(std::min(std::abs(own.dot(across.normalized())), 1.0));
    if (off <= kMostOffHinge) continue;
    std::ostringstream text;
    text << "lies " << off << " rad off the "
         << (in_line ? "axis of joint '" + way.first->name + "'"
                     : "axes of joints '" + way.first->name + "' and '" + way.second->name + "'")
         << ", about which alone its bodies turn against one another, expected an axis there";
    element.fail("axis", text.str());
  }
}

RotationalSpringDamper read_rotational_spring(const Element& element,
                                              const Attachments& attachments,
                                              const Mechanism& mechanism) {
  auto spring = start_force<RotationalSpringDamper>(element);
  const Frame frame = design_frame(element, element.vector("point"), element.unit("axis"),
                                   Vector3d::Zero(), Reflection::turning);
  spring.a = attachments.marker(element, "a", frame);
  spring.b = attachments.marker(element, "b", frame);
  read_laws(element, "free_angle", spring);
  if (spring.spring.is_zero() && spring.damper.is_zero())
    element.fail("has no torque, expected 'stiffness', 'damping', <law> or <damper>");
  check_hinge(element, spring, mechanism);
  return spring;
}

Bushing read_bushing(const Element& element, const Attachments& attachments) {
  auto bushing = start_force<Bushing>(element);
  const Vector3d axis = element.unit("axis");
  const Vector3d hint =
      element.has("axis_x") ? element.unit_across("axis_x", axis) : Vector3d::Zero();
  const Frame frame =
      design_frame(element, element.vector("point"), axis, hint, Reflection::sliding);
  bushing.a = attachments.marker(element, "a", frame);
  bushing.b = attachments.marker(element, "b", frame);
  const auto six = [&](const char* attribute) -> Eigen::Matrix<double, 6, 1> {
    const std::vector<double> numbers = element.numbers(attribute, 6);
    return Eigen::Map<const Eigen::Matrix<double, 6, 1>>(numbers.data());
  };
  bushing.stiffness = six("stiffness");
  if (element.has("damping")) bushing.damping = six("damping");
  if (element.has("relaxing_stiffness")) {
    bushing.relaxing_stiffness = six("relaxing_stiffness");
    bushing.relaxation_time = element.number("relaxation_time");
    if (bushing.relaxes() && !element.has("relaxation_time"))
      element.fail("relaxation_time",
                   "is missing, expected the time in which that stiffness relaxes");
  } else if (element.has("relaxation_time")) {
    element.fail("relaxing_stiffness",
                 "is missing, expected the stiffness that relaxes in that time");
  }
  return bushing;
}

AppliedLoad read_load(const Element& element, const Attachments& attachments) {
  auto load = start_force<AppliedLoad>(element);
  load.torque = element.kind == "torque";
  const BodyIndex body = attachments.body(element, "body");
  if (body == kGround) element.fail("body", "is the ground, expected a body that can move");
  if (load.torque && !element.has("point")) {
    load.at.body = body;
    load.at.source = element.source;
  } else {
    load.at = attachments.marker(element, "body", element.point("point"));
  }
  load.body_axes = element.choice("axes") == 1;
  const Vector3d direction = load.torque ? element.axial("direction") : element.polar("direction");
  load.direction = load.body_axes ? attachments.on_body(load.at, direction) : direction;
  load.input = attachments.input(element, "input");
  return load;
}

/// -f(-x) of a law that is made of polynomials.
Curve reflected(const Curve& law) {
  Curve result;
  const std::vector<Curve::Piece>& pieces = law.pieces();
  for (std::size_t k = pieces.size(); k-- > 0;) {
    const Curve::Piece& piece = pieces[k];
    std::array<double, 6> c = piece.c;
    for (std::size_t power = 0; power < c.size(); power += 2) c[power] = -c[power];
    const double from = k + 1 < pieces.size() ? -pieces[k + 1].from : kBeforeAll;
    result.add_piece(from, -piece.origin, c);
  }
  return result;
}

CoordinateForce read_joint_force(const Element& element, const Attachments& attachments) {
  auto force = start_force<CoordinateForce>(element);
  force.joint = attachments.joint(element, "joint");
  force.coordinate = attachments.coordinate(element, force.joint);
  read_laws(element, "free", force);
  force.lower = element.number("lower", force.lower);
  force.upper = element.number("upper", force.upper);
  if (force.lower >= force.upper)
    element.fail("upper", "is not above 'lower', expected a range of some width");
  force.stop_stiffness = element.number("stop_stiffness");
  force.stop_damping = element.number("stop_damping");
  if ((element.has("lower") || element.has("upper")) && !element.has("stop_stiffness"))
    element.fail("stop_stiffness", "is missing, expected the stiffness beyond the limits");
  for (const char* stop : {"stop_stiffness", "stop_damping"})
    if (element.has(stop) && !element.has("lower") && !element.has("upper"))
      element.fail(stop, "stands without a limit, expected 'lower' or 'upper'");
  force.applied = attachments.optional_input(element, "input");
  const bool has_law = force.applied != kNoInput || element.has("lower") || element.has("upper") ||
                       element.has("stiffness") || element.has("damping") ||
                       !element.children.empty();
  if (!has_law)
    element.fail(
        "has no force, expected 'stiffness', 'damping', <law>, <damper>, limits or 'input'");
  if (element.mirrored && attachments.is_reversed(force.joint, force.coordinate)) {
    force.spring = reflected(force.spring);
    force.damper = reflected(force.damper);
    std::swap(force.lower, force.upper);
    force.lower = -force.lower;
    force.upper = -force.upper;
  }
  return force;
}

}  // namespace

void read_forces(const Elements& elements, const Attachments& attachments, Mechanism& mechanism) {
  for (const Element& element : elements) {
    const std::string& kind = element.kind;
    if (kind == "spring") mechanism.springs.push_back(read_spring(element, attachments));
    if (kind == "actuator") mechanism.springs.push_back(read_actuator(element, attachments));
    if (kind == "stop") mechanism.springs.push_back(read_stop(element, attachments));
    if (kind == "rotational_spring")
      mechanism.rotational_springs.push_back(
          read_rotational_spring(element, attachments, mechanism));
    if (kind == "bushing") mechanism.bushings.push_back(read_bushing(element, attachments));
    if (kind == "force" || kind == "torque")
      mechanism.loads.push_back(read_load(element, attachments));
    if (kind == "joint_force")
      mechanism.coordinate_forces.push_back(read_joint_force(element, attachments));
  }
}

std::vector<std::string> find_reversed_axes(const Elements& elements) {
  std::vector<std::string> lines;
  for (const Element& element : elements) {
    if (!element.has("along") || !element.has("point_a") || !element.has("point_b")) continue;
    const double length =
        element.polar("along").dot(element.point("point_b") - element.point("point_a"));
    if (!(length < 0.0)) continue;
    std::ostringstream text;
    text << element.kind << " '" << element.name
         << "': its axis 'along' points from b to a, so that "
         << "its length is " << length
         << " m as drawn and lengths and tensions count the other way, expected the opposite axis";
    lines.push_back(text.str());
  }
  return lines;
}

}  // namespace semirec
