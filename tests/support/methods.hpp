#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "integrator/model.hpp"
#include "integrator/scheme/schemes.hpp"
#include "tests/support/motion.hpp"

namespace semirec::test {

/// How large the error of a scheme may be beside a reference: that of the trapezoidal rule, that of
/// the second-order backward difference formula, or nothing but its order. The class follows from
/// the scheme's error in the frequency w of an oscillator, over w^3 h^2: trapezoidal rule 0.083,
/// generalized-alpha (rho 0.8) 0.088, HHT (-0.05) 0.095; HHT (-0.3) 0.125, BDF2 0.33. In natural
/// coordinates a turn itself is integrated, with four times the error of Euler parameters, which
/// turn by half the angle.
enum class Accuracy { trapezoidal, bdf2, first_order };

/// A way to compute a motion.
struct Method {
  std::string name;  ///< part of a test's name: letters, digits, underscores
  SchemeChoice scheme;
  Formulation formulation = Formulation::hybrid;
  Accuracy accuracy = Accuracy::trapezoidal;
  Closing closing = Closing::penalty;
};
inline std::ostream& operator<<(std::ostream& out, const Method& method) {
  return out << method.name;
}

/// The trapezoidal rule on the hybrid formulation, closed by the penalty.
Method default_method();

/// The methods that the mechanisms of the seeds are driven with. What is added here is judged by
/// all of their references.
const std::vector<Method>& methods();

/// A mechanism file of vehicles/models, compiled and consistent at t = 0. `overrides` are
/// "element.attribute=value". Throws ModelError.
Simulation start_model(const std::string& model, const std::vector<std::string>& overrides,
                       const Method& method, double h);

/// The same, driven until t with steps h, s. Throws std::runtime_error when a step does not
/// converge.
Simulation run_model(const std::string& model, const std::vector<std::string>& overrides,
                     const Method& method, double h, double t);

/// The step of a method at h, s.
StepSettings step_of(const Method& method, double h);

}  // namespace semirec::test
