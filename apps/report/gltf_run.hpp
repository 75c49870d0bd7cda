#pragma once

#include <string>

#include "apps/report/report.hpp"

namespace semirec::report {

/// The first motion of a report as a binary glTF 2.0 file (.glb), y up: a node a body, moved by an
/// animation, with what is drawn on it; coils, tubes and rods between two bodies as cylinders that
/// follow; the road. Arms and knuckles are bars along the edges of their hulls. Joints, bushings
/// and centres of mass are left out. Needs a motion with a frame.
std::string make_glb(const Report& report);

}  // namespace semirec::report
