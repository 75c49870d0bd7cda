#pragma once

#include <string>
#include <vector>

#include "topology/mechanism.hpp"

namespace semirec {

/// One line for each spring, rotational spring or joint force whose damper pushes along with the
/// motion at some rate up to 10 m/s or rad/s, or at a corner of its law: it gives energy instead of
/// taking it. A law may do so on purpose. Another for one that jumps at rest.
std::vector<std::string> find_doubtful_dampers(const Mechanism& mechanism);

}  // namespace semirec
