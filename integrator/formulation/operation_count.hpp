#pragma once

#include "integrator/model.hpp"

namespace semirec {

/// Multiplications of one Newton iteration by the structure of the compiled model, kinematics and
/// force laws left out: they are the same for all formulations but for a factor near one.
struct OperationCount {
  double mass = 0.0;      ///< M, or articulated inertias; constant (0) in natural coordinates
  double closures = 0.0;  ///< penalty product, or projection onto independent coordinates
  double factor = 0.0;
  double solve = 0.0;  ///< one solution; a step takes one an iteration and one a projection

  double iteration() const { return mass + closures + factor + solve; }
};
OperationCount count_operations(const Model& model);

}  // namespace semirec
