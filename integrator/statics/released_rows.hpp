#pragma once

#include "integrator/formulation/formulation_model.hpp"
#include "integrator/model.hpp"
#include "integrator/state.hpp"
#include "topology/indices.hpp"

namespace semirec {

/// Whether a row of Phi_z belongs to what is released at a state: it constrains nothing then.
inline bool is_released(const Model& model, const State& state, int row) {
  const int index = model.formulation->owner_of(model, row).switch_index;
  return index >= 0 && !state.switches[at(index)].attached;
}

}  // namespace semirec
