#pragma once

#include <string>
#include <vector>

#include "integrator/model.hpp"

namespace semirec {

/// Beyond a range by less than this is rounding.
inline constexpr double kOnTheEdge = 1e-9;

/// Whether an element computes the input, or one that it follows.
bool is_computed(const Mechanism& mechanism, InputIndex input);

/// `acts`: the value that acts in the place of `value`.
std::string describe_beyond(const std::string& input, double value, double when, double acts);

/// A line for each input whose curve leaves the values that act (InputUser) between 0 and `until`,
/// s: the value farthest out, when that is, and what it acts as, with the element where others read
/// the input by another range. Inputs that follow another are
/// looked at with what they get from it. And one for each input that moves joints or rods whose
/// curve jumps there.
std::vector<std::string> find_input_faults(const Model& model, double until);

}  // namespace semirec
