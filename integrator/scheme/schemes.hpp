#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "integrator/scheme/newmark.hpp"

namespace semirec {

/// A scheme without the length of its step: a value of the settings.
struct SchemeChoice {
  const SchemeFamily* family = &kTrapezoid;
  SchemeParameters parameters{};  ///< complete ones

  /// The scheme at a step h, s, in a row of equal steps. No heap use.
  Scheme make(double h) const { return family->make(parameters, h, h); }
  /// The scheme for a step h, s, from this state of n coordinates, with what its history is good
  /// for. No heap use.
  Scheme make(double h, const State& state) const;
  bool operator==(const SchemeChoice&) const = default;
};

/// All families of schemes, the default first.
std::span<const SchemeFamily* const> scheme_families();

/// The scheme that goes by a name, with the parameters that are given by theirs, the others as
/// usual. Throws ModelError where there is none of the name, where it has no such parameter and
/// where a parameter is out of its range; `prefix` stands before the names in the message ("--").
SchemeChoice choose_scheme(const std::string& name,
                           const std::vector<std::pair<std::string, double>>& given,
                           const std::string& prefix = {});

/// A scheme of the same family with other values of the parameters that are given, those of `from`
/// that are not the usual ones kept. Throws as choose_scheme().
SchemeChoice change_scheme(const SchemeChoice& from,
                           const std::vector<std::pair<std::string, double>>& given,
                           const std::string& prefix = {});

/// `newmark (gamma 0.6, beta 0.3025)`; `trapezoid`.
std::string describe(const SchemeChoice& choice);

}  // namespace semirec
