#pragma once

#include <memory>
#include <vector>

#include "integrator/initial_state.hpp"
#include "integrator/model.hpp"

namespace semirec {

struct CompileSettings {
  TangentChoice tangent = TangentChoice::automatic;
  Formulation formulation = Formulation::hybrid;
};

/// Compiles a description: checks it, chooses tree and cuts, binds the force elements (`extra` are
/// the caller's own: tyres, user forces), lays out the tangent. Throws ModelError.
Model compile(const Mechanism& mechanism, std::vector<std::unique_ptr<ForceElement>> extra = {},
              const CompileSettings& settings = {});

}  // namespace semirec
