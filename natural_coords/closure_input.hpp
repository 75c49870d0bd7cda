#pragma once

#include "natural_coords/closure.hpp"

namespace semirec {

/// Whether an input drives the closure: a coordinate, the length of a rod, or the place of an end
/// that slides.
inline bool is_driven(const Closure& closure) {
  return closure.length_input != kNoInput || closure.slide_input != kNoInput ||
         closure.motion_input != kNoInput;
}

}  // namespace semirec
