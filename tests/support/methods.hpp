#pragma once

#include <string>
#include <vector>

#include "integrator/model.hpp"
#include "integrator/scheme/schemes.hpp"
#include "tests/support/motion.hpp"

namespace semirec::test {

/// How large the error of a scheme may be beside a reference: that of the trapezoidal rule, that of
/// the second-order backward difference formula, or nothing but its order.
enum class Accuracy { trapezoidal, bdf2, first_order };

/// A way to compute a motion.
struct Method {
  std::string name;  ///< part of a test's name: letters, digits, underscores
  SchemeChoice scheme;
  Formulation formulation = Formulation::hybrid;
  Accuracy accuracy = Accuracy::trapezoidal;
};

/// The methods that the mechanisms of the seeds are driven with. What is added here is judged by
/// all of their references.
const std::vector<Method>& methods();

/// A mechanism file of vehicles/models, compiled and consistent at t = 0. `overrides` are
/// "element.attribute=value". Throws ModelError.
Simulation start_model(const std::string& model, const std::vector<std::string>& overrides,
                       const SchemeChoice& scheme, Formulation formulation, double h);

/// The same, driven until t with steps h, s. Throws std::runtime_error when a step does not
/// converge.
Simulation run_model(const std::string& model, const std::vector<std::string>& overrides,
                     const SchemeChoice& scheme, Formulation formulation, double h, double t);

}  // namespace semirec::test
