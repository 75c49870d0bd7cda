#include "integrator/compile.hpp"

#include <algorithm>

#include "integrator/formulation/evaluate.hpp"
#include "integrator/formulation/formulation_state.hpp"
#include "integrator/initial_state.hpp"
#include "penalty/loop_group.hpp"
#include "recursive/forces/standard_forces.hpp"

namespace semirec {

namespace {

/// Whether closures depend on one another where all joint coordinates are zero.
bool depends_as_drawn(const Model& model) {
  Workspace ws(model);
  State drawn = make_initial_state(model);
  drawn.z.setZero();
  std::fill(drawn.A0.begin(), drawn.A0.end(), Quaternion::Identity());
  begin_evaluation(model, drawn, drawn.t, ws);
  evaluate_kinematics(model, drawn.z.data(), drawn.zd.data(), nullptr, ws);
  return has_dependent_rows(model.blocks(), ws.closures.Phi_z);
}

}  // namespace

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
  if (model.closures.m > 0 && &relative_model(model) == &model)
    model.closures.dependent = depends_as_drawn(model);
  return model;
}

}  // namespace semirec
