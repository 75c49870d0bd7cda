#pragma once

#include <array>
#include <span>
#include <string>

#include "integrator/scheme/scheme.hpp"

namespace semirec {

/// Values of a family's parameters, in the family's order.
using SchemeParameters = std::array<double, 4>;

/// A number that a family of schemes is given.
struct SchemeParameter {
  const char* name;
  const char* meaning;  ///< for --help
};

/// Schemes that go by one name. Each family is a constant in a file of its own and has one line in
/// schemes.cpp.
struct SchemeFamily {
  const char* name;
  const char* meaning;  ///< for --help
  std::span<const SchemeParameter> parameters;
  /// Gives parameters that are not a number their usual values. Returns an empty text, or in one
  /// line what keeps the parameters from being used. May allocate.
  std::string (*complete)(SchemeParameters& parameters);
  /// The scheme for complete parameters and a step h, s, after a step of length `previous`, s,
  /// whose history is at hand; 0: the first step after a start, without history. No heap use.
  Scheme (*make)(const SchemeParameters& parameters, double h, double previous);
  const char* order = "2";  ///< for tables
};

}  // namespace semirec
