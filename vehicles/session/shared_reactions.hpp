#pragma once

#include <string>
#include <vector>

#include "topology/mechanism.hpp"

namespace semirec {

/// A line about those of the named joints and constraints whose reactions the equations of rigid
/// bodies leave open: where joints hold more than the motion needs, as two hinges of a door do,
/// loads may be shared among them in many ways. Found as rows of all joints between free bodies
/// that depend on others at the positions that the file writes; what is not attached there counts
/// not. Empty where there is none. Off-line: allocates.
std::string describe_shared_reactions(const Mechanism& mechanism,
                                      const std::vector<std::string>& names);

}  // namespace semirec
