#include "vehicles/files/xml/shape_xml.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "vehicles/files/mesh/mesh_file.hpp"
#include "vehicles/files/xml/mechanism_xml.hpp"

namespace semirec {

namespace {

using Eigen::Vector3d;

constexpr double kFarthestCorner = 1000.0;  // m

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
    case SolidKind::mesh:
      return {{"point", "file"}, {"point", "file", "scale", "rotation"}};
  }
  return {};
}

void check_attributes(const Element& element, SolidKind kind) {
  const SolidAttributes attributes = attributes_of(kind);
  const std::string& word = element.text("type");
  for (const std::string& name : attributes.needed)
    if (!element.has(name)) element.fail(name, "is missing, expected it on a " + word);
  for (const char* name : {"point", "size", "rotation", "from", "to", "radius", "file", "scale"}) {
    const bool allowed = std::find(attributes.allowed.begin(), attributes.allowed.end(), name) !=
                         attributes.allowed.end();
    if (!allowed && element.has(name))
      element.fail(name, "stands on a " + word + ", expected a type that has it");
  }
}

/// In metres; reflected in the plane y = 0 where the element is.
std::shared_ptr<const TriangleMesh> mesh_of(const Element& element) {
  const Attribute& file = *element.find("file");
  const std::string path =
      (std::filesystem::path(file.source.file).parent_path() / file.value).string();
  if (!element.has("scale") && !mesh_is_in_metres(path))
    element.fail("scale", "is missing, expected metres per unit of '" + file.value +
                              "', as STL and OBJ say no unit");
  TriangleMesh mesh;
  try {
    mesh = read_mesh_file(path);
  } catch (const ModelError& error) {
    element.fail("file", std::string("names no mesh that can be used: ") + error.what());
  }
  const double scale = element.number("scale", 1.0);
  for (Vector3d& corner : mesh.corners) {
    corner *= scale;
    if (corner.norm() > kFarthestCorner)
      element.fail("scale", "puts a corner " + std::to_string(std::lround(corner.norm())) +
                                " m away, expected metres per unit of the file");
    if (element.mirrored) corner.y() = -corner.y();
  }
  if (element.mirrored)
    for (std::size_t k = 0; k < mesh.indices.size(); k += 3)
      std::swap(mesh.indices[k + 1], mesh.indices[k + 2]);
  return std::make_shared<const TriangleMesh>(std::move(mesh));
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
  } else if (shape.kind == SolidKind::mesh) {
    if (element.has("rotation")) frame.A = read_rotation(element);
    shape.mesh = mesh_of(element);
  } else {
    shape.radius = element.number("radius");
  }
  shape.at = attachments.marker(element, "body", frame);
  return shape;
}

}  // namespace

void read_shapes(const Elements& elements, const Attachments& attachments, Vehicle& vehicle) {
  for (const Element& element : elements)
    if (element.kind == "shape") vehicle.shapes.push_back(read_shape(element, attachments));
}

}  // namespace semirec
