#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "integrator/model.hpp"
#include "integrator/state.hpp"

namespace semirec {

/// How the tangent is stored and factored; `automatic` takes the storage with the fewest
/// operations.
/// `lanes` falls back to `tree` where no branches lie side by side.
enum class TangentChoice { automatic, tree, lanes, sparse, dense };

struct CompileSettings {
  TangentChoice tangent = TangentChoice::automatic;
  Formulation formulation = Formulation::hybrid;
};

/// Compiles a description: checks it, chooses tree and cuts, binds the force elements (`extra` are
/// the caller's own: tyres, user forces), lays out the tangent. Throws ModelError.
Model compile(const Mechanism& mechanism, std::vector<std::unique_ptr<ForceElement>> extra = {},
              const CompileSettings& settings = {});

/// The state as written in the description at time t: initial relative coordinates and rates, not
/// yet assembled; no accelerations.
State make_initial_state(const Model& model, double t = 0.0);

}  // namespace semirec
