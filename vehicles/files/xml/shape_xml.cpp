#include "vehicles/files/xml/shape_xml.hpp"

#include <algorithm>

#include "vehicles/files/xml/mechanism_xml.hpp"

namespace semirec {

namespace {

using Eigen::Vector3d;

/// Attributes that place a kind of solid, and those of them that must be written.
struct SolidAttributes {
  std::vector<std::string> needed, allowed;
};

SolidAttributes attributes_of(SolidKind kind) {
  switch (kind) {
    case SolidKind::box:
      return {{"point", "size"}, {"point", "size", "rotation"}};
    case SolidKind::cylinder:
      return {{"from", "to", "radius"}, {"from", "to", "radius"}};
    case SolidKind::sphere:
      return {{"point", "radius"}, {"point", "radius"}};
  }
  return {};
}

void check_attributes(const Element& element, SolidKind kind) {
  const SolidAttributes attributes = attributes_of(kind);
  const std::string& word = element.text("type");
  for (const std::string& name : attributes.needed)
    if (!element.has(name)) element.fail(name, "is missing, expected it on a " + word);
  for (const char* name : {"point", "size", "rotation", "from", "to", "radius"}) {
    const bool allowed = std::find(attributes.allowed.begin(), attributes.allowed.end(), name) !=
                         attributes.allowed.end();
    if (!allowed && element.has(name))
      element.fail(name, "stands on a " + word + ", expected a type that has it");
  }
}

SolidShape read_shape(const Element& element, const Attachments& attachments) {
  SolidShape shape;
  shape.name = element.name;
  shape.source = element.source;
  shape.kind = element.choice_as<SolidKind>("type");
  check_attributes(element, shape.kind);
  Frame frame;
  if (shape.kind == SolidKind::cylinder) {
    const Vector3d from = element.point("from");
    const Vector3d along = element.point("to") - from;
    if (along.isZero())
      element.fail("to", "is the point 'from', expected the cylinder's other end");
    frame = make_frame(from + 0.5 * along, along);
    shape.length = along.norm();
  } else {
    frame.p = element.point("point");
  }
  if (shape.kind == SolidKind::box) {
    shape.size = element.vector("size");
    if (!(shape.size.minCoeff() > 0.0))
      element.fail("size", "has a length that is not above zero, expected three above zero");
    if (element.has("rotation")) frame.A = read_rotation(element);
  } else {
    shape.radius = element.number("radius");
  }
  shape.at = attachments.marker(element, "body", frame);
  return shape;
}

}  // namespace

void read_shapes(const std::vector<Element>& elements, const Attachments& attachments,
                 Vehicle& vehicle) {
  for (const Element& element : elements)
    if (element.kind == "shape") vehicle.shapes.push_back(read_shape(element, attachments));
}

}  // namespace semirec
