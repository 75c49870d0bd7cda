#include "integrator/compile.hpp"

#include "recursive/forces/standard_forces.hpp"

namespace semirec {

Model compile(const Mechanism& mechanism, std::vector<std::unique_ptr<ForceElement>> extra,
              const CompileSettings& settings) {
  check(mechanism);
  Model model;
  model.mechanism = mechanism;
  model.tree = make_tree_model(mechanism);
  model.closures = make_closure_model(mechanism, model.tree);
  for (auto& element : make_force_elements(mechanism)) extra.push_back(std::move(element));
  std::vector<const ForceElement*> all;
  for (auto& element : extra) {
    element->bind(mechanism, model.tree);
    all.push_back(element.get());
  }
  for (auto& element : extra) {
    element->find_channels(all, model.tree);
    element->place_states(model.tree.states);
    model.tree.states += element->state_count();
    if (element->computes_inputs())
      model.tree.computing.push_back(static_cast<int>(model.forces.size()));
    model.forces.push_back(std::move(element));
  }
  model.formulation = make_formulation(settings.formulation, model, settings.tangent);
  return model;
}

}  // namespace semirec
