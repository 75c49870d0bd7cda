#include "vehicles/files/xml/table.hpp"

namespace semirec {

// Rows of what is drawn and does nothing else: what read_shapes() reads.

std::vector<ElementRow> shape_rows() {
  return {element(
      "shape", "A solid on a body, for pictures alone: without mass, and touching nothing.",
      {own_name(), reference("body", "body", "The body, or ground.").needed(),
       choice("type", {"box", "cylinder", "sphere", "mesh"}, "What it is.").needed(),
       point("point", "Middle of a box or sphere, or origin of a mesh, in the design position."),
       entry("size", Kind::vector, "Lengths of a box along its axes, above zero.", "m"),
       entry("rotation", Kind::vector,
             "Roll, pitch and yaw of a box or mesh: yaw first, then pitch, then roll.", "rad")
           .otherwise("0 0 0"),
       point("from", "One end of a cylinder."), point("to", "Its other end."),
       number("radius", "m", "Radius of a cylinder or sphere.").above(0.0),
       entry("file", Kind::file,
             "Triangles of a mesh, relative to this file: .stl, .obj, .glb or .gltf, "
             "z up (glTF, whose y axis points up, is turned)."),
       number("scale", "m",
              "Metres per unit of the mesh's file: needed for STL and OBJ, which say no "
              "unit; glTF is in metres.")
           .above(0.0)
           .otherwise_as("1 for glTF")})};
}

}  // namespace semirec
