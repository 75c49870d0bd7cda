#include "vehicles/files/xml/attachments.hpp"

#include <algorithm>

#include "topology/joint_type.hpp"
#include "topology/nearest.hpp"
#include "vehicles/files/xml/equations_xml.hpp"
#include "vehicles/files/xml/formula_text.hpp"

namespace semirec {

namespace {

/// Whether an axis (0 x, 1 y, 2 z) is reflected as an arrow, not as a turn.
bool is_arrow(Reflection reflection, int axis) {
  switch (reflection) {
    case Reflection::turning:
      return false;
    case Reflection::sliding:
      return axis != 1;
    case Reflection::planar:
      return axis != 2;
  }
  return false;
}

}  // namespace

Reflection reflection_of(JointType type) {
  switch (type) {
    case JointType::fixed:
    case JointType::revolute:
    case JointType::universal:
    case JointType::spherical:
      return Reflection::turning;
    case JointType::prismatic:
    case JointType::cylindrical:
    case JointType::translational:
    case JointType::free:
      return Reflection::sliding;
    case JointType::planar:
      return Reflection::planar;
  }
  return Reflection::turning;
}

bool is_reversed_in_mirror(JointType type, int coordinate) {
  const Reflection reflection = reflection_of(type);
  int first = 0;
  for (const JointStep& step : steps_of(type)) {
    const int last = first + (step.kind == MotionKind::triad ? 3 : 1);
    if (coordinate < last) {
      const int axis = step.kind == MotionKind::triad ? coordinate - first : step.axis;
      return is_arrow(reflection, axis) != (step.kind == MotionKind::slide);
    }
    first = last;
  }
  return false;
}

Frame design_frame(const Element& element, const Eigen::Vector3d& point,
                   const Eigen::Vector3d& axis, const Eigen::Vector3d& hint,
                   Reflection reflection) {
  Frame frame = make_frame(point, axis, hint);
  if (!element.mirrored) return frame;
  // arrows change y, turns change x and z; an odd number of turns keeps the frame right-handed
  const Eigen::Vector3d arrow(1.0, -1.0, 1.0);
  frame.p = arrow.cwiseProduct(frame.p);
  frame.A = arrow.asDiagonal() * frame.A;
  for (int k = 0; k < 3; ++k)
    if (!is_arrow(reflection, k)) frame.A.col(k) = -frame.A.col(k);
  return frame;
}

Attachments::Attachments(const Mechanism& mechanism, const Elements& elements)
    : mechanism_(mechanism), elements_(elements) {
  for (const Element& element : elements) {
    if (element.kind == "body" || element.kind == "slender_rod")
      bodies_.emplace(element.name, static_cast<int>(bodies_.size()));
    if (element.kind == "joint") joints_.emplace(element.name, static_cast<int>(joints_.size()));
    if (element.kind == "input") inputs_.emplace(element.name, static_cast<int>(inputs_.size()));
  }
  // what equations compute stands behind the inputs of the file
  for (const WrittenEquation& equation : find_equations(elements))
    inputs_.emplace(equation.name, static_cast<int>(inputs_.size()));
}

int Attachments::find(const Element& element, const std::string& attribute, const std::string& kind,
                      const std::map<std::string, int>& known) const {
  const std::string& name = element.text(attribute);
  const auto found = known.find(name);
  if (found != known.end()) return found->second;
  const Element* other = nullptr;
  for (const Element& candidate : elements_)
    if (candidate.name == name) other = &candidate;
  std::vector<std::string> names;
  for (const auto& [candidate, index] : known) names.push_back(candidate);
  if (kind == "body") names.emplace_back("ground");
  const std::string what =
      other == nullptr ? "which does not exist" : "which is a <" + other->kind + ">";
  element.fail(attribute, "refers to '" + name + "', " + what +
                              (kind == "input" ? ", expected an " : ", expected a ") + kind +
                              nearest_hint(name, names));
}

BodyIndex Attachments::body(const Element& element, const std::string& attribute) const {
  if (element.text(attribute) == "ground") return kGround;
  return find(element, attribute, "body", bodies_);
}

JointIndex Attachments::joint(const Element& element, const std::string& attribute) const {
  return find(element, attribute, "joint", joints_);
}

InputIndex Attachments::input(const Element& element, const std::string& attribute) const {
  if (is_formula(element.text(attribute))) return inputs_.at(name_of_formula(element, attribute));
  return find(element, attribute, "input", inputs_);
}

InputIndex Attachments::optional_input(const Element& element, const std::string& attribute) const {
  return element.has(attribute) ? input(element, attribute) : kNoInput;
}

int Attachments::coordinate(const Element& element, JointIndex joint) const {
  const Joint& of = mechanism_.joints[static_cast<std::size_t>(joint)];
  const std::string& word = element.text("coordinate");
  const std::vector<std::string> names = coordinate_names(of.type);
  const auto named = std::find(names.begin(), names.end(), word);
  if (named != names.end()) return static_cast<int>(named - names.begin());
  const int count = degrees_of_freedom(of.type);
  if (word.size() == 1 && word[0] >= '0' && word[0] < '0' + count) return word[0] - '0';
  std::string expected =
      count == 0 ? "a joint that moves" : "an index below " + std::to_string(count);
  for (const std::string& name : names) expected += " or " + name;
  element.fail("coordinate", "is '" + word + "' on the " + name_of(of.type) + " joint '" + of.name +
                                 "', expected " + expected);
}

Marker Attachments::marker(const Element& element, const std::string& attribute,
                           const Frame& X_WF) const {
  Marker marker;
  marker.body = body(element, attribute);
  marker.X_BF = X_WF;
  if (marker.body != kGround)
    marker.X_BF = inverse(mechanism_.bodies[static_cast<std::size_t>(marker.body)].X_WB) * X_WF;
  marker.source = element.source;
  return marker;
}

Marker Attachments::marker(const Element& element, const std::string& attribute,
                           const Eigen::Vector3d& point) const {
  Frame frame;
  frame.p = point;
  return marker(element, attribute, frame);
}

Eigen::Vector3d Attachments::on_body(const Marker& marker, const Eigen::Vector3d& direction) const {
  if (marker.body == kGround) return direction;
  return mechanism_.bodies[static_cast<std::size_t>(marker.body)].X_WB.A.transpose() * direction;
}

}  // namespace semirec
