#include "tests/support/methods.hpp"

#include "integrator/compile.hpp"
#include "vehicles/files/xml/reader.hpp"

namespace semirec::test {

const std::vector<Method>& methods() {
  using enum Accuracy;
  using enum Formulation;
  const SchemeChoice trapezoid;
  const SchemeChoice weak = choose_scheme("hht", {{"alpha", -0.05}});
  const SchemeChoice strong = choose_scheme("hht", {{"alpha", -0.3}});
  static const std::vector<Method> all{
      {"trapezoid_hybrid", trapezoid, hybrid, trapezoidal},
      {"newmark_06_hybrid", choose_scheme("newmark", {{"gamma", 0.6}}), hybrid, first_order},
      {"hht_005_hybrid", weak, hybrid, trapezoidal},
      {"hht_03_hybrid", strong, hybrid, bdf2},
      {"generalized_alpha_08_hybrid", choose_scheme("generalized_alpha", {{"rho", 0.8}}), hybrid,
       trapezoidal},
      {"nstiff_hybrid", choose_scheme("nstiff", {}), hybrid, bdf2},
      {"trapezoid_multipliers", trapezoid, hybrid, trapezoidal, Closing::multipliers},
      {"hht_005_multipliers", weak, hybrid, trapezoidal, Closing::multipliers},
      {"nstiff_si2", choose_scheme("nstiff_si2", {}), hybrid, bdf2, Closing::multipliers},
      {"hht_si2_03", choose_scheme("hht_si2", {{"alpha", -0.3}}), hybrid, bdf2,
       Closing::multipliers},
      {"hht_add_03", choose_scheme("hht_add", {{"alpha", -0.3}}), hybrid, bdf2,
       Closing::multipliers},
      {"trapezoid_cartesian", trapezoid, cartesian, trapezoidal, Closing::multipliers},
      {"hht_005_cartesian", weak, cartesian, trapezoidal, Closing::multipliers},
      {"trapezoid_global", trapezoid, global, bdf2},
      {"modified_hht_005", choose_scheme("modified_hht", {{"alpha", -0.05}}), cartesian,
       trapezoidal, Closing::multipliers},
      {"linearly_implicit_dependent", choose_scheme("linearly_implicit_euler", {}), hybrid,
       first_order, Closing::multipliers},
      {"linearly_implicit_independent", choose_scheme("linearly_implicit_euler", {}), hybrid,
       first_order, Closing::independent},
  };
  return all;
}

Method default_method() { return methods().front(); }

StepSettings step_of(const Method& method, double h) {
  StepSettings step;
  step.h = h;
  step.scheme = method.scheme;
  step.closing = method.closing;
  return step;
}

Simulation start_model(const std::string& model, const std::vector<std::string>& overrides,
                       const Method& method, double h) {
  std::vector<Override> parsed;
  for (const std::string& text : overrides) parsed.push_back(parse_override(text));
  const Vehicle read =
      read_vehicle(std::string(SEMIREC_SOURCE_DIR) + "/vehicles/models/" + model + ".xml", parsed);
  return {compile(read.mechanism, {}, {.formulation = method.formulation}), step_of(method, h)};
}

Simulation run_model(const std::string& model, const std::vector<std::string>& overrides,
                     const Method& method, double h, double t) {
  Simulation simulation = start_model(model, overrides, method, h);
  simulation.run_to(t);
  return simulation;
}

}  // namespace semirec::test
