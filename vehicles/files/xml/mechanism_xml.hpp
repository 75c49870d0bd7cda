#pragma once

#include <vector>

#include "topology/mechanism.hpp"
#include "vehicles/files/xml/attachments.hpp"
#include "vehicles/files/xml/elements.hpp"

namespace semirec {

/// Roll, pitch and yaw of the attribute `rotation` as Rz(yaw) Ry(pitch) Rx(roll), mirrored where
/// the element is. Throws ModelError.
Eigen::Matrix3d read_rotation(const Element& element);

/// Bodies of a description, in the order of writing. Body frames sit at the centre of mass with the
/// axes of the world, or turned by `rotation`. Throws ModelError.
void read_bodies(const Elements& elements, Mechanism& mechanism);

/// Inputs, joints, constraints, prescribed motions and markers; needs the bodies. Throws
/// ModelError.
void read_structure(const Elements& elements, const Attachments& attachments, Mechanism& mechanism);

/// Springs, stops, bushings, loads and joint forces; needs the structure. Throws ModelError.
void read_forces(const Elements& elements, const Attachments& attachments, Mechanism& mechanism);
/// Springs, stops and actuators whose axis points from b to a, a line each.
std::vector<std::string> find_reversed_axes(const Elements& elements);

}  // namespace semirec
