#pragma once

#include <vector>

#include "integrator/statics/steady_newton.hpp"

namespace semirec {

/// States of elements that a search may solve for, where they are live.
struct StateChoice {
  std::vector<char> allowed;  ///< [state] 1: it may
  bool felt_only = true;      ///< of what computes inputs, only those that the car feels
};

/// One search of solve_steady(): Newton, with the states that the choice leaves. `report` and what
/// a failure leaves: as there. `solves_for_computing`, where it is asked: whether one of the states
/// is of what computes inputs.
bool search_steady(const Model& model, SteadyProblem& problem, const StateChoice& choice,
                   State& state, Workspace& ws, EquilibriumReport& report,
                   bool* solves_for_computing = nullptr);

}  // namespace semirec
