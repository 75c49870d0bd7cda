#pragma once

#include "integrator/model.hpp"
#include "vehicles/equations/equation_force.hpp"

namespace semirec {

/// Calls `visit` with the index (of State::x) and the name of every state of an equation, in the
/// order of the file.
template <typename Visit>
void for_each_equation_state(const Model& model, const Visit& visit) {
  for (const auto& force : model.forces) {
    if (dynamic_cast<const EquationForce*>(force.get()) == nullptr) continue;
    for (int k = 0; k < force->states().count; ++k)
      visit(force->states().first + k, force->state_name(k));
  }
}

}  // namespace semirec
