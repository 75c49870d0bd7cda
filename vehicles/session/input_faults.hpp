#pragma once

#include <string>
#include <vector>

#include "integrator/model.hpp"

namespace semirec {

/// A line for each input whose curve leaves the values that act (InputUser) between 0 and `until`,
/// s: the value farthest out, when that is, and what it acts as. Inputs that follow another are
/// looked at with what they get from it. And one for each input that moves joints or rods whose
/// curve jumps there.
std::vector<std::string> find_input_faults(const Model& model, double until);

}  // namespace semirec
