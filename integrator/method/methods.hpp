#pragma once

#include <string>
#include <vector>

#include "integrator/formulation/step_method.hpp"
#include "integrator/model.hpp"
#include "integrator/workspace.hpp"

namespace semirec {

/// The method of the steps that the settings ask for: the formulation's own, the multipliers as
/// unknowns, or that of a scheme which is not of index 3; one that refuses where they do not fit.
/// No heap use.
const StepMethod& method_of(const Model& model, const StepSettings& settings);

/// In one line why the model's steps cannot be taken in the way that the settings ask for; empty
/// where they can. Allocates.
std::string method_fault(const Model& model, const StepSettings& settings);

/// The same for what only the equations at a state can tell: schemes that need a regular mass
/// matrix. Allocates.
std::string mass_fault(const Model& model, const StepSettings& settings, const State& state,
                       Workspace& ws);

/// Takes the memory that the method needs in the workspace and in the state (State::pivots), where
/// it has not been taken. step() does it by itself in the first step.
void prepare_method(const Model& model, const StepSettings& settings, State& state, Workspace& ws);

/// Names of what the rows belong to that depended on others when the steps last looked: redundant
/// closures. Multipliers as unknowns hold these rows by the penalty. Each name once; allocates.
std::vector<std::string> find_dependent_owners(const Model& model, const Workspace& ws);

}  // namespace semirec
