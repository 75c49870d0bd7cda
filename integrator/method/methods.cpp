#include "integrator/method/methods.hpp"

#include "integrator/formulation/evaluate.hpp"
#include "integrator/formulation/formulation_model.hpp"
#include "integrator/method/linearly_implicit_step.hpp"
#include "integrator/method/multiplier_step.hpp"
#include "integrator/method/stabilised_step.hpp"
#include "integrator/scheme/alpha_methods.hpp"
#include "integrator/scheme/linearly_implicit_euler.hpp"
#include "topology/principal_axes.hpp"

namespace semirec {

namespace {

/// The stabilised method of a scheme; null for others.
const StabilisedStep* stabilised_method(const StepSettings& settings) {
  switch (settings.scheme.family->kind) {
    case StepKind::index_3:
    case StepKind::linearly_implicit:
      return nullptr;
    case StepKind::nstiff_si2:
      return &nstiff_si2_step();
    case StepKind::hht_si2:
      return &hht_si2_step();
    case StepKind::hht_add:
      return &hht_add_step();
  }
  return nullptr;
}

/// Refuses what method_fault() refuses, in the words of a report.
class UnfitStep final : public StepMethod {
 public:
  void begin_step(StepInProgress& /*step*/, bool /*again*/) const override {}
  void prepare(StepInProgress& /*step*/) const override {}
  int max_iterations(const StepSettings& settings) const override {
    return settings.max_iterations;
  }
  bool evaluate_iterate(StepInProgress& step) const override {
    step.report.status = StepStatus::closing_unfit;
    return false;
  }
  bool factor_iterate(StepInProgress& /*step*/) const override { return false; }
  double correct(StepInProgress& /*step*/) const override { return 0.0; }
  bool is_trusted(StepInProgress& /*step*/) const override { return false; }
  bool finish(StepInProgress& /*step*/) const override { return false; }
  bool end_step(StepInProgress& /*step*/, bool /*again*/) const override { return false; }
};

enum class Fit {
  fits,
  needs_multipliers,
  needs_no_penalty,
  not_independent,
  no_multipliers,
  singular_mass,
  one_pass,
  no_euler_parameters
};

Fit find_fit(const Model& model, const StepSettings& settings) {
  const StepKind kind = settings.scheme.family->kind;
  const bool linearly_implicit = kind == StepKind::linearly_implicit;
  if (settings.closing == Closing::independent && !linearly_implicit) return Fit::not_independent;
  if (settings.closing != Closing::penalty && model.formulation->multipliers_fault() != nullptr)
    return Fit::no_multipliers;
  if (linearly_implicit) {
    if (settings.closing == Closing::penalty) return Fit::needs_no_penalty;
    return settings.iterations > 1 ? Fit::one_pass : Fit::fits;
  }
  if (kind != StepKind::index_3 && settings.closing == Closing::penalty)
    return Fit::needs_multipliers;
  if (kind == StepKind::hht_add && model.formulation->mass_fault() != nullptr)
    return Fit::singular_mass;
  if (settings.scheme.family != &kModifiedHht) return Fit::fits;
  if (!model.formulation->has_euler_parameters() || settings.classic_euler_parameters)
    return Fit::no_euler_parameters;
  return settings.closing == Closing::multipliers ? Fit::fits : Fit::needs_multipliers;
}

}  // namespace

const StepMethod& method_of(const Model& model, const StepSettings& settings) {
  static const UnfitStep unfit;
  if (find_fit(model, settings) != Fit::fits) return unfit;
  if (settings.closing == Closing::penalty) return *model.formulation;
  if (settings.closing == Closing::independent) return linearly_implicit_independent();
  if (settings.scheme.family->kind == StepKind::linearly_implicit)
    return linearly_implicit_dependent();
  if (const StabilisedStep* method = stabilised_method(settings)) return *method;
  return multiplier_step();
}

std::string method_fault(const Model& model, const StepSettings& settings) {
  const std::string scheme = std::string("the scheme '") + settings.scheme.family->name + "'";
  const std::string formulation = std::string("the formulation ") + model.formulation->name();
  switch (find_fit(model, settings)) {
    case Fit::fits:
      return {};
    case Fit::needs_multipliers:
      return scheme + " is given with the closing 'penalty': expected it with 'multipliers' only";
    case Fit::needs_no_penalty:
      return scheme +
             " is given with the closing 'penalty': expected it with 'multipliers' or "
             "'independent' only";
    case Fit::not_independent:
      return "the closing 'independent' is given with " + scheme + ": expected it with '" +
             kLinearlyImplicitEuler.name + "' only";
    case Fit::one_pass:
      return scheme + " is given with " + std::to_string(settings.iterations) +
             " iterations a step, but does not iterate: expected 0 or 1";
    case Fit::no_multipliers:
      return std::string("the closing '") + name_of(settings.closing) + "' is given with " +
             formulation + ", which " + model.formulation->multipliers_fault() +
             ": expected it with hybrid, global or cartesian only";
    case Fit::singular_mass:
      return scheme + " is given with " + formulation + ", " + model.formulation->mass_fault() +
             ": expected it with hybrid or global only";
    case Fit::no_euler_parameters:
      return scheme + " is given with " + formulation +
             (settings.classic_euler_parameters
                  ? " and classic Euler parameters: expected the modified ones"
                  : ", which has no Euler parameters: expected it with cartesian only");
  }
  return {};
}

namespace {

/// The printed weighting divides by moments of inertia.
std::string inertia_fault(const Model& model) {
  constexpr double kNone = 1e-12;  // of the largest
  for (std::size_t t = 1; t < model.tree.bodies.size(); ++t) {
    const Eigen::Vector3d J = find_principal_axes(model.tree.bodies[t].inertia).moments;
    if (J[0] > kNone * J[2]) continue;
    const auto body = static_cast<std::size_t>(model.tree.tree.branches[t].body);
    return "the printed weighting of the scheme 'modified_hht' needs moments of inertia about all "
           "axes, and body '" +
           model.mechanism.bodies[body].name + "' has none: expected the weighting turned";
  }
  return {};
}

}  // namespace

std::string mass_fault(const Model& model, const StepSettings& settings, const State& state,
                       Workspace& ws) {
  if (weighs_as_printed(settings.scheme)) return inertia_fault(model);
  if (settings.scheme.family->kind != StepKind::hht_add) return {};
  begin_evaluation(model, state, state.t, ws);
  ws.zdd.setZero();
  evaluate_dynamics(model, state.z.data(), state.zd.data(), ws.zdd.data(), {1.0, 0.0, 0.0}, ws);
  if (model.formulation->factor(model, ws.alpha, 0.0, ws)) return {};
  return std::string("the scheme '") + settings.scheme.family->name +
         "' needs a regular mass matrix, and coordinates of the formulation " +
         model.formulation->name() + " have no inertia: expected another scheme or formulation";
}

void prepare_method(const Model& model, const StepSettings& settings, State& state, Workspace& ws) {
  if (settings.closing == Closing::penalty || find_fit(model, settings) != Fit::fits) return;
  if (settings.closing == Closing::independent)
    static_cast<void>(independent_part(model, ws));
  else if (settings.scheme.family->kind == StepKind::linearly_implicit)
    static_cast<void>(linearly_implicit_part(model, ws));
  else if (const StabilisedStep* method = stabilised_method(settings))
    static_cast<void>(stabilised_part(model, *method, ws));
  else
    static_cast<void>(multiplier_part(model, ws));
  const Eigen::Index size = ws.method->pivot_values();
  if (state.pivots.size() != size) state.pivots.setZero(size);
}

std::vector<std::string> find_dependent_owners(const Model& model, const Workspace& ws) {
  const auto* part = dynamic_cast<const ClosurePart*>(ws.method.get());
  return part == nullptr ? std::vector<std::string>{} : part->rows.find_owners(model);
}

}  // namespace semirec
