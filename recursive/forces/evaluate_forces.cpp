#include "recursive/forces/evaluate_forces.hpp"

namespace semirec {

namespace {

void compute_inputs(const ForceElements& elements, const TreeModel& model, bool whole,
                    TreeWorkspace& ws) {
  for (const int k : model.computing) {
    const ForceElement& element = *elements[static_cast<std::size_t>(k)];
    InputSink out(ws, element.states(), whole);
    element.compute_inputs(input_of(element, model, ws), out);
  }
}

}  // namespace

void compute_inputs(const ForceElements& elements, const TreeModel& model, TreeWorkspace& ws) {
  compute_inputs(elements, model, false, ws);
}

void add_forces(const ForceElement& element, const TreeModel& model, TreeWorkspace& ws) {
  ForceSink out(model, ws, element.states());
  element.add_forces(input_of(element, model, ws), out);
}

void add_forces(const ForceElements& elements, const TreeModel& model, TreeWorkspace& ws) {
  compute_inputs(elements, model, ws);
  for (const auto& element : elements) add_forces(*element, model, ws);
}

ForcePower report_force(const ForceElement& element, const TreeModel& model,
                        const TreeWorkspace& ws, double* values) {
  return element.report(input_of(element, model, ws), values);
}

int count_contacts(const ForceElements& elements) {
  int count = 0;
  for (const auto& element : elements) count += element->contact_count();
  return count;
}

void measure_contacts(const ForceElements& elements, const TreeModel& model, TreeWorkspace& ws,
                      double* pressed) {
  compute_inputs(elements, model, true, ws);
  for (const auto& element : elements) {
    element->measure_contacts(input_of(*element, model, ws), pressed);
    pressed += element->contact_count();
  }
}

void update_states(const ForceElements& elements, const TreeModel& model, TreeWorkspace& ws) {
  compute_inputs(elements, model, true, ws);
  for (const auto& element : elements) {
    if (element->states().count == 0) continue;
    StateSink out(ws, element->states());
    element->update_states(input_of(*element, model, ws), out);
  }
}

void settle_states(const ForceElements& elements, const TreeModel& model, TreeWorkspace& ws) {
  compute_inputs(elements, model, true, ws);
  for (const auto& element : elements) {
    if (element->states().count == 0) continue;
    StateSink out(ws, element->states());
    element->settle_states(input_of(*element, model, ws), out);
  }
}

}  // namespace semirec
