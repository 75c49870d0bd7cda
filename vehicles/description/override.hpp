#pragma once

#include <string>

#include "topology/mechanism.hpp"

namespace semirec {

/// One `element.attribute = value` that replaces what the vehicle file says. `element` may hold
/// `*`.
struct Override {
  std::string element;
  std::string attribute;
  std::string value;
  Source source;  ///< file and line of a scenario's <set>; empty for the command line
};

}  // namespace semirec
