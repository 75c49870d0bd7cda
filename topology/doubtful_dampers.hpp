#pragma once

#include <string>
#include <vector>

#include "topology/mechanism.hpp"

namespace semirec {

/// One line for each spring or rotational spring whose damper pushes along with the motion at some
/// rate up to 1 m/s or rad/s: it gives energy instead of taking it. A law may do so on purpose.
std::vector<std::string> find_doubtful_dampers(const Mechanism& mechanism);

}  // namespace semirec
