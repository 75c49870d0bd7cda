#pragma once

#include <vector>

#include "topology/curve.hpp"

namespace semirec {

/// Where a force law of one length or angle begins to act: above the edge or below it.
struct ContactEdge {
  double at = 0.0;    ///< m or rad
  bool above = true;  ///< acts above

  /// How far x lies beyond the edge: above 0 where the law acts.
  double pressed(double x) const { return above ? x - at : at - x; }
};

/// Edges of a law between pieces that are zero throughout and pieces that are not. Corners between
/// two pieces that both act are none.
std::vector<ContactEdge> find_contact_edges(const Curve& law);

}  // namespace semirec
