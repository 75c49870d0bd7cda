#include "integrator/method/methods.hpp"

#include <algorithm>

#include "integrator/formulation/formulation_model.hpp"
#include "integrator/method/multiplier_step.hpp"
#include "topology/indices.hpp"

namespace semirec {

const StepMethod& method_of(const Model& model, const StepSettings& settings) {
  if (settings.closing == Closing::multipliers) return multiplier_step();
  return *model.formulation;
}

std::string method_fault(const Model& model, const StepSettings& settings) {
  const char* fault = model.formulation->multipliers_fault();
  if (settings.closing == Closing::penalty || fault == nullptr) return {};
  return std::string("the closing 'multipliers' is given with the formulation ") +
         model.formulation->name() + ", which " + fault +
         ": expected it with hybrid or global only";
}

void prepare_method(const Model& model, const StepSettings& settings, Workspace& ws) {
  if (settings.closing == Closing::multipliers && model.formulation->multipliers_fault() == nullptr)
    static_cast<void>(multiplier_part(model, ws));
}

std::vector<std::string> find_dependent_owners(const Model& model, const Workspace& ws) {
  std::vector<std::string> names;
  const auto* part = dynamic_cast<const MultiplierPart*>(ws.method.get());
  if (part == nullptr) return names;
  for (int row = 0; row < model.m(); ++row) {
    if (!part->is_dependent(row)) continue;
    std::string name = name_of_row(model, row);
    if (std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(std::move(name));
  }
  return names;
}

}  // namespace semirec
