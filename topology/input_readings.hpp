#pragma once

#include <vector>

#include "topology/mechanism.hpp"

namespace semirec {

/// An element takes an input, in this unit: `m`, `rad`, `N`, `N m`, or `1` for a factor.
struct InputReading {
  InputIndex input = kNoInput;
  const char* unit = "";
};

/// All of a mechanism: joints that are moved, rods and guides, loads, springs and dampers, forces
/// on coordinates, in this order. Build time.
std::vector<InputReading> find_input_readings(const Mechanism& mechanism);

}  // namespace semirec
