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

/// What a step solves.
///   index_3      the equations at the step's end and the closures' positions, by the scheme's
///                coefficients
///   linearly_implicit
///                one linear equation for the velocities, nothing iterated (integrator/method/)
///   the others   the closures' velocities too, with unknowns of their own (integrator/method/)
/// Where it is not index_3, the Scheme serves the states of force elements, the weights of the
/// tangent and the room for the history.
enum class StepKind { index_3, nstiff_si2, hht_si2, hht_add, linearly_implicit };

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
  StepKind kind = StepKind::index_3;
  const char* order = "2";  ///< for tables
};

}  // namespace semirec
