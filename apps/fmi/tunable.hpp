#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/fmi/parameters.hpp"

namespace semirec::fmi {

/// Names of the parameters that may change while the car drives: numbers of which a change of a
/// hundredth moves nothing and is read by steps. In the car's start the changed car, in the same
/// state, has the same lengths, angles and speeds among its outputs, and beside it, with inputs off
/// their values, the same poses of bodies and closures: stiffnesses, dampings, masses and frictions
/// are tunable; places, lengths, delays and what the start alone reads are not. Each is tried by
/// making the car anew; export time. Throws ModelError where the car itself cannot be made.
std::vector<std::string> find_tunable(const Package& package, const std::string& folder,
                                      const std::vector<Parameter>& parameters);

/// Puts the changed numbers under a car that drives: `session` keeps its state and goes on with the
/// car of `values`. False, and nothing is changed, where that car has other coordinates or states.
/// Throws ModelError where it cannot be made.
[[nodiscard]] bool tune(Session& session, const Package& package, const std::string& folder,
                        const std::vector<Parameter>& parameters,
                        const std::vector<std::optional<double>>& values);

}  // namespace semirec::fmi
