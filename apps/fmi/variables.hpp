#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/fmi/parameters.hpp"

namespace semirec::fmi {

/// The drive's own input: where a car whose speed is held has to be. No variable: an importer may
/// write the start of every input, and that would be its place for good.
inline constexpr std::string_view kHeldPlace = "speed_hold_x";

enum class Causality { independent, parameter, input, output };

/// One variable of an FMU; its value reference is its index in the list. All are numbers of 64
/// bits.
struct Variable {
  std::string name;  ///< structured, unique
  std::string description;
  std::string unit;  ///< empty: not known
  Causality causality = Causality::output;
  bool tunable = false;   ///< a parameter that may change between steps
  std::size_t index = 0;  ///< among the parameters, the session's inputs or its outputs
  double start = 0.0;     ///< of parameters and inputs
  double nominal = 1.0;   ///< the size that it is expected to have, of inputs and outputs
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  /// Value references of what an output follows while the state stays; none: of all inputs.
  std::optional<std::vector<std::uint32_t>> follows;
};

/// Variables of a car, the time first, then parameters, inputs and outputs. The list is a function
/// of the package alone: exporter and FMU make the same one.
std::vector<Variable> make_variables(const Session& session,
                                     const std::vector<Parameter>& parameters);

/// How far apart values of an input are taken for a derivative at a value, in its unit.
double difference_of(const Variable& input, double value);

/// What a channel of results.csv is, in words, by the end of its name.
std::string describe_channel(const Channel& channel);
/// The same of each of a list, also by what else its owner has: the coordinate of a joint from the
/// place of a point, the axes of a car from those of the world, forces of a driver from those of a
/// spring.
std::vector<std::string> describe_channels(const std::vector<Channel>& channels);

}  // namespace semirec::fmi
