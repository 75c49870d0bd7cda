#include "integrator/formulation/evaluate.hpp"

#include <cmath>

#include "integrator/formulation/formulation_model.hpp"
#include "topology/indices.hpp"

namespace semirec {

void begin_evaluation(const Model& model, const State& state, double t, Workspace& ws,
                      bool from_left) {
  ws.tree.time = t;
  ws.tree.set_origin(model.tree, state.origin);
  ws.tree.x = state.x;
  ws.tree.rule.hold(state.x, state.xd);
  for (std::size_t k = 0; k < state.A0.size(); ++k) ws.tree.A0[k] = state.A0[k].toRotationMatrix();
  evaluate_inputs(model, state, t, ws, from_left);
  model.formulation->begin(model, state, ws);
}

void evaluate_inputs(const Mechanism& mechanism, const std::vector<LiveInput>& live, double t,
                     std::vector<CurveValue>& values, bool from_left) {
  for (std::size_t k = 0; k < mechanism.inputs.size(); ++k) {
    CurveValue& value = values[k];
    if (k < live.size() && live[k].given) {
      value = live[k].value;
      continue;
    }
    const Input& input = mechanism.inputs[k];
    if (input.computed) continue;  // compute_inputs() does
    value = input.curve.evaluate(t, from_left);
    if (input.of == kNoInput) continue;
    const CurveValue& driving = values[static_cast<std::size_t>(input.of)];
    value.f += input.factor * driving.f;
    value.fd += input.factor * driving.fd;
    value.fdd += input.factor * driving.fdd;
  }
}

void evaluate_inputs(const Model& model, const State& state, double t, Workspace& ws,
                     bool from_left) {
  evaluate_inputs(model.mechanism, state.live, t, ws.tree.inputs, from_left);
}

void evaluate_dynamics(const Model& model, const double* z, const double* zd, const double* zdd,
                       const TangentWeights& weights, Workspace& ws) {
  ws.tree.weights = weights;
  ws.tree.residual.setZero();
  model.formulation->evaluate_dynamics(model, z, zd, zdd, ws);
}

void evaluate_kinematics(const Model& model, const double* z, const double* zd, const double* zdd,
                         Workspace& ws) {
  model.formulation->evaluate_kinematics(model, z, zd, zdd, ws);
  compute_inputs(model.forces, model.tree, ws.tree);
}

void evaluate_positions(const Model& model, const double* z, Workspace& ws) {
  model.formulation->evaluate_positions(model, z, ws);
}

void evaluate_velocities(const Model& model, const double* zd, Workspace& ws) {
  model.formulation->evaluate_velocities(model, zd, ws);
}

void evaluate_accelerations(const Model& model, const double* zd, const double* zdd,
                            Workspace& ws) {
  model.formulation->evaluate_accelerations(model, zd, zdd, ws);
}

void evaluate_element_states(const Model& model, const double* z, const double* zd,
                             const double* zdd, Workspace& ws) {
  if (model.tree.states == 0) return;
  if (model.tree.samples_accelerations)
    evaluate_kinematics(model, z, zd, zdd, ws);
  else
    model.formulation->evaluate_bodies(model, z, zd, ws);
  update_element_states(model, ws);
}

void update_element_states(const Model& model, Workspace& ws) {
  update_states(model.forces, model.tree, ws.tree);
}

void evaluate_state(const Model& model, const State& state, Workspace& ws) {
  begin_evaluation(model, state, state.t, ws);
  evaluate_kinematics(model, state.z.data(), state.zd.data(), state.zdd.data(), ws);
}

void set_penalties(const StepSettings& settings, const Scheme& scheme, const State& state,
                   Workspace& ws) {
  ws.alpha = (settings.kappa * scheme.penalty / (scheme.h * scheme.h)) * state.masses;
}

void prepare_penalty(const Model& model, double scale, Workspace& ws) {
  model.formulation->prepare_penalty(model, scale, ws);
}

std::optional<ComputedNumber> find_non_finite(const Model& model, const Workspace& ws) {
  for (std::size_t k = 0; k < model.mechanism.inputs.size(); ++k) {
    const Input& input = model.mechanism.inputs[k];
    const CurveValue& value = ws.tree.inputs[k];
    const auto index = static_cast<InputIndex>(k);
    if (input.computed && !std::isfinite(value.f)) return ComputedNumber{index, {}, 0, {}, value.f};
    if (input.curve.function() == nullptr) continue;
    for (const double number : {value.f, value.fd, value.fdd})
      if (!std::isfinite(number))
        return ComputedNumber{index, {}, 0, std::isfinite(value.f), number};
  }
  for (const int k : model.tree.computing) {
    const ForceElement& element = *model.forces[at(k)];
    for (int state = 0; state < element.states().count; ++state) {
      const double rate = ws.tree.xd[element.states().first + state];
      if (!std::isfinite(rate)) return ComputedNumber{kNoInput, &element, state, true, rate};
    }
  }
  return {};
}

std::string name_of(const Model& model, const ComputedNumber& number) {
  return number.input != kNoInput ? model.mechanism.inputs[at(number.input)].name
                                  : number.element->state_name(number.state);
}

Source source_of(const Model& model, const ComputedNumber& number) {
  if (number.input != kNoInput) return model.mechanism.inputs[at(number.input)].source;
  // a state of an equation stands among the inputs by its name
  for (const Input& input : model.mechanism.inputs)
    if (input.computed && input.name == number.element->state_name(number.state))
      return input.source;
  return number.element->source();
}

}  // namespace semirec
