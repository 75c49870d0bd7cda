#include "vehicles/files/xml/mechanism_xml.hpp"

#include <cmath>

#include <Eigen/Geometry>

#include "vehicles/files/xml/functions.hpp"

namespace semirec {

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

Matrix3d read_inertia(const Element& element) {
  Matrix3d J = element.vector("inertia").asDiagonal();
  if (!element.has("products")) return J;
  // Ixy Ixz Iyz; those with one y change sign in a mirror
  Vector3d products = element.vector("products");
  if (element.mirrored) products = {-products.x(), products.y(), -products.z()};
  J(0, 1) = J(1, 0) = products.x();
  J(0, 2) = J(2, 0) = products.y();
  J(1, 2) = J(2, 1) = products.z();
  return J;
}

Body read_body(const Element& element) {
  Body body;
  body.name = element.name;
  body.source = element.source;
  body.mass = element.number("mass");
  if (element.kind == "slender_rod") {
    const Vector3d from = element.point("from");
    const Vector3d along = element.point("to") - from;
    if (along.isZero()) element.fail("to", "is the point 'from', expected the rod's other end");
    body.X_WB.p = from + 0.5 * along;
    body.inertia =
        body.mass / 12.0 * (along.squaredNorm() * Matrix3d::Identity() - along * along.transpose());
    return body;
  }
  body.X_WB.p = element.point("com");
  body.inertia = read_inertia(element);
  if (element.has("rotation")) body.X_WB.A = read_rotation(element);
  return body;
}

void refuse(const Element& element, const std::string& attribute, JointType type) {
  if (element.has(attribute))
    element.fail(attribute, std::string("stands on a ") + name_of(type) +
                                " joint, expected a joint type that has it");
}

/// Which attributes place a joint.
struct JointDrawing {
  bool axis = true;           ///< takes `axis`
  std::string second{};       ///< attribute of a second direction across the axis; empty: none
  bool second_needed = true;  ///< otherwise the second direction may be left out
};

JointDrawing drawing_of(JointType type) {
  switch (type) {
    case JointType::fixed:
    case JointType::spherical:
    case JointType::translational:
      return {.axis = false};
    case JointType::revolute:
    case JointType::prismatic:
    case JointType::cylindrical:
    case JointType::free:
      return {};
    case JointType::universal:
      return {.second = "axis_b"};
    case JointType::planar:
      return {.second = "axis_x", .second_needed = false};
  }
  return {};
}

/// Initial coordinates or rates.
std::vector<double> read_initial(const Element& element, const std::string& attribute,
                                 JointType type) {
  std::vector<double> values =
      element.numbers(attribute, static_cast<std::size_t>(degrees_of_freedom(type)));
  if (!element.mirrored) return values;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (is_reversed_in_mirror(type, static_cast<int>(i))) values[i] = -values[i];
  return values;
}

/// The common frame of both sides in the design position.
Frame read_joint_frame(const Element& element, JointType type) {
  const JointDrawing drawing = drawing_of(type);
  const Vector3d point = element.vector("point");
  if (!drawing.axis) refuse(element, "axis", type);
  for (const char* second : {"axis_b", "axis_x"})
    if (drawing.second != second) refuse(element, second, type);
  const Vector3d axis = drawing.axis ? element.unit("axis") : Vector3d::UnitZ();
  Vector3d hint = Vector3d::Zero();
  if (!drawing.second.empty() && (drawing.second_needed || element.has(drawing.second))) {
    hint = element.unit_across(drawing.second, axis);
  }
  return design_frame(element, point, axis, hint, reflection_of(type));
}

void place_free_joint(const Element& element, const Attachments& attachments,
                      const Mechanism& mechanism, Joint& joint) {
  for (const char* attribute : {"point", "axis", "axis_b", "axis_x"})
    refuse(element, attribute, joint.type);
  if (attachments.body(element, "a") != kGround)
    element.fail("a", "is a body on a free joint, expected a=\"ground\"");
  const BodyIndex index = attachments.body(element, "b");
  if (index == kGround) element.fail("b", "is the ground on a free joint, expected a body");
  const Frame& X_WB = mechanism.bodies[static_cast<std::size_t>(index)].X_WB;
  joint.a = attachments.marker(element, "a", Frame{});
  joint.b = attachments.marker(element, "b", X_WB);
  if (!joint.position.empty()) return;
  const Eigen::AngleAxisd turn(X_WB.A);
  const Vector3d triad = turn.angle() * turn.axis();
  joint.position = {X_WB.p.x(), X_WB.p.y(), X_WB.p.z(), triad.x(), triad.y(), triad.z()};
}

Joint read_joint(const Element& element, const Attachments& attachments,
                 const Mechanism& mechanism) {
  Joint joint;
  joint.name = element.name;
  joint.source = element.source;
  joint.type = element.choice_as<JointType>("type");
  joint.placement = element.choice_as<Placement>("placement");
  if (element.has("position")) joint.position = read_initial(element, "position", joint.type);
  if (element.has("velocity")) joint.velocity = read_initial(element, "velocity", joint.type);
  joint.held = element.flag("hold");
  if (element.has("attached")) joint.attached = element.flag("attached");
  if (joint.type == JointType::free) {
    place_free_joint(element, attachments, mechanism, joint);
    return joint;
  }
  const Frame frame = read_joint_frame(element, joint.type);
  joint.a = attachments.marker(element, "a", frame);
  joint.b = attachments.marker(element, "b", frame);
  return joint;
}

Constraint read_rod(const Element& element, const Attachments& attachments) {
  Constraint rod;
  rod.type = ConstraintType::rod;
  const Vector3d from = element.point("point_a");
  const Vector3d to = element.point("point_b");
  rod.a = attachments.marker(element, "a", from);
  rod.b = attachments.marker(element, "b", to);
  rod.length = element.number("length", (to - from).norm());
  rod.length_input = attachments.optional_input(element, "length_input");
  rod.slide_input = attachments.optional_input(element, "slide_input");
  if (element.has("slide_axis") != element.has("slide_input"))
    element.fail(element.has("slide_axis") ? "slide_input" : "slide_axis",
                 "is missing, expected slide_axis and slide_input together");
  if (element.has("slide_axis"))
    rod.slide_axis = attachments.on_body(rod.a, element.polar("slide_axis"));
  return rod;
}

Constraint read_guide(const Element& element, const Attachments& attachments) {
  Constraint guide;
  const bool on_line = element.kind == "point_on_line";
  guide.type = on_line ? ConstraintType::point_on_line : ConstraintType::point_in_plane;
  const Frame frame = design_frame(element, element.vector("point"), element.unit("axis"),
                                   Vector3d::Zero(), Reflection::sliding);
  const Vector3d point_b = element.has("point_b") ? element.point("point_b") : frame.p;
  guide.a = attachments.marker(element, "a", frame);
  guide.b = attachments.marker(element, "b", point_b);
  if (on_line) return guide;
  guide.length = element.number("offset", (point_b - frame.p).dot(frame.A.col(2)));
  guide.length_input = attachments.optional_input(element, "offset_input");
  return guide;
}

PrescribedMotion read_motion(const Element& element, const Attachments& attachments) {
  PrescribedMotion motion;
  motion.name = element.name;
  motion.source = element.source;
  motion.joint = attachments.joint(element, "joint");
  motion.coordinate = attachments.coordinate(element, motion.joint);
  motion.input = attachments.input(element, "input");
  return motion;
}

}  // namespace

Matrix3d read_rotation(const Element& element) {
  Vector3d angles = element.vector("rotation");
  if (element.mirrored) angles = {-angles.x(), angles.y(), -angles.z()};
  return (Eigen::AngleAxisd(angles.z(), Vector3d::UnitZ()) *
          Eigen::AngleAxisd(angles.y(), Vector3d::UnitY()) *
          Eigen::AngleAxisd(angles.x(), Vector3d::UnitX()))
      .toRotationMatrix();
}

void read_bodies(const Elements& elements, Mechanism& mechanism) {
  for (const Element& element : elements)
    if (element.kind == "body" || element.kind == "slender_rod")
      mechanism.bodies.push_back(read_body(element));
}

void read_structure(const Elements& elements, const Attachments& attachments,
                    Mechanism& mechanism) {
  for (const Element& element : elements) {
    if (element.kind == "input") {
      Input input = read_input(element);
      input.of = attachments.optional_input(element, "of");
      if (element.has("factor") && !element.has("of"))
        element.fail("factor", "stands without 'of', expected both");
      input.factor = element.number("factor");
      mechanism.inputs.push_back(input);
    }
    if (element.kind == "joint")
      mechanism.joints.push_back(read_joint(element, attachments, mechanism));
  }
  // prescribed motions may call joints that are written below them
  for (const Element& element : elements) {
    const std::string& kind = element.kind;
    if (kind == "motion") mechanism.motions.push_back(read_motion(element, attachments));
    if (kind == "marker") {
      Marker marker = attachments.marker(element, "body", element.point("point"));
      marker.name = element.name;
      mechanism.markers.push_back(marker);
    }
    if (kind != "rod" && kind != "point_on_line" && kind != "point_in_plane") continue;
    Constraint constraint =
        kind == "rod" ? read_rod(element, attachments) : read_guide(element, attachments);
    constraint.name = element.name;
    constraint.source = element.source;
    if (element.has("attached")) constraint.attached = element.flag("attached");
    mechanism.constraints.push_back(constraint);
  }
}

}  // namespace semirec
