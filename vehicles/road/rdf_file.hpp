#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "vehicles/road/road_surface.hpp"

namespace semirec {

/// A road out of a road data file.
struct RdfRoad {
  std::shared_ptr<const RoadSurface> surface;
  std::vector<std::string> notes;  ///< what the file asks for and does not get, one line each
};

/// Makes a road of the text of a road data file; `path` serves messages.
///
/// Takes     METHOD 2D: ROAD_TYPE flat, plank, pothole (pot_hole), ramp, roof, sine, polyline
///           (poly_line), lengths in the units of [UNITS]; METHOD 3D: a mesh of triangles in
///           [NODES] and [ELEMENTS].
/// Throws    ModelError, one line with file and line, on other types and on anything that is no
/// such
///           file.
/// Limits    10^6 points of a polyline, 5 10^6 nodes, 10^7 elements.
RdfRoad parse_rdf(const std::string& text, const std::string& path);

/// Reads a file of at most 512 MB.
RdfRoad read_rdf(const std::string& path);

}  // namespace semirec
