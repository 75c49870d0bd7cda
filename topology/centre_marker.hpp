#pragma once

#include "topology/mechanism.hpp"

namespace semirec {

/// At a body's centre of mass, with the axes that lie along the world's in the design position,
/// whatever axes its inertia is written in. Of a chassis: forward, to the left, up.
inline Marker centre_marker(const Mechanism& mechanism, BodyIndex index) {
  const Body& body = mechanism.bodies[static_cast<std::size_t>(index)];
  Marker marker;
  marker.body = index;
  marker.X_BF.p = body.com;
  marker.X_BF.A = body.X_WB.A.transpose();
  return marker;
}

}  // namespace semirec
