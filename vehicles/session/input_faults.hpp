#pragma once

#include <string>
#include <vector>

#include "integrator/model.hpp"
#include "recursive/forces/input_range.hpp"

namespace semirec {

/// Beyond a range by less than this is rounding.
inline constexpr double kOnTheEdge = 1e-9;

/// Whether an element computes the input, or one that it follows.
bool is_computed(const Mechanism& mechanism, InputIndex input);

/// Elements that read one input within one range.
struct InputReaders {
  InputRange range;
  std::string names;     ///< in quotes
  bool is_only = false;  ///< nobody reads the input within another one
};
std::vector<InputReaders> find_input_readers(const ForceElements& forces);

/// The value that acts in the place of this one. On the way from one whole number to another, at
/// another rate than zero, all do.
double acting_value(const InputRange& range, double value, double rate);

/// Names the readers where others read the input within another range.
std::string describe_beyond(const std::string& input, double value, double when, double acts,
                            const InputReaders& readers);

/// A line for each input with a sine of less than four steps a period before `until`, s: what steps
/// of that length (s) take of it is another curve.
std::vector<std::string> find_fast_inputs(const Mechanism& mechanism, double step, double until);

/// A line for each input whose curve leaves the values that act (InputUser) between 0 and `until`,
/// s: the value farthest out, when that is, and what it acts as, with the element where others read
/// the input by another range. Inputs that follow another are
/// looked at with what they get from it. And one for each input that moves joints or rods whose
/// curve jumps there.
std::vector<std::string> find_input_faults(const Model& model, double until);

}  // namespace semirec
