#include "tests/support/methods.hpp"

#include "integrator/compile.hpp"
#include "vehicles/files/xml/reader.hpp"

namespace semirec::test {

const std::vector<Method>& methods() {
  static const std::vector<Method> all{
      {"trapezoid_hybrid", choose_scheme("trapezoid", {}), Formulation::hybrid,
       Accuracy::trapezoidal},
      {"newmark_06_hybrid", choose_scheme("newmark", {{"gamma", 0.6}}), Formulation::hybrid,
       Accuracy::first_order},
  };
  return all;
}

Simulation start_model(const std::string& model, const std::vector<std::string>& overrides,
                       const SchemeChoice& scheme, Formulation formulation, double h) {
  std::vector<Override> parsed;
  for (const std::string& text : overrides) parsed.push_back(parse_override(text));
  const Vehicle read =
      read_vehicle(std::string(SEMIREC_SOURCE_DIR) + "/vehicles/models/" + model + ".xml", parsed);
  StepSettings step;
  step.h = h;
  step.scheme = scheme;
  return {compile(read.mechanism, {}, {.formulation = formulation}), step};
}

Simulation run_model(const std::string& model, const std::vector<std::string>& overrides,
                     const SchemeChoice& scheme, Formulation formulation, double h, double t) {
  Simulation simulation = start_model(model, overrides, scheme, formulation, h);
  simulation.run_to(t);
  return simulation;
}

}  // namespace semirec::test
