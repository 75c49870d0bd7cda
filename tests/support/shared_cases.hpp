#pragma once

#include <functional>
#include <ostream>
#include <vector>

#include "topology/mechanism.hpp"

namespace semirec::test {

/// A mechanism on which all formulations must agree.
struct SharedCase {
  const char* name;
  std::function<Mechanism()> make;
  double h = 1e-3;     ///< a step that resolves its motion well, s
  double until = 0.2;  ///< time without kinks and singular positions, s
};
inline std::ostream& operator<<(std::ostream& out, const SharedCase& c) { return out << c.name; }

/// Planar and spatial loops, redundant ones too, trees of all joints from either side, drivers of
/// slides and turns, driven rods and guides, every force element.
const std::vector<SharedCase>& shared_cases();

}  // namespace semirec::test
