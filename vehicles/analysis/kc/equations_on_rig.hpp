#pragma once

#include <string>
#include <vector>

#include "vehicles/description/vehicle.hpp"

namespace semirec {

/// What of a vehicle's equations acts on the suspension rig.
struct EquationsOnRig {
  /// Those of which everything that they read is there. Their starts are not given: what settles is
  /// settled at every equilibrium. Logics keep theirs.
  Equations kept;
  /// A line about those that drive an element on the rig and are left out, with what they miss;
  /// empty without any.
  std::string left_out;
};

/// `mechanism`: that of the rig; `channels`: names that its force elements report. What reads a
/// name that the rig has not (a tyre's channel, a wheel's spin) is left out, and what reads that.
EquationsOnRig choose_equations(const Vehicle& vehicle, const Mechanism& mechanism,
                                const std::vector<std::string>& channels);

}  // namespace semirec
