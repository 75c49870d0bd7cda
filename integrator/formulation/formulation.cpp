#include "integrator/formulation/formulation.hpp"

#include "integrator/formulation/formulation_model.hpp"

namespace semirec {

// each in the file of its name
using MakeFormulation = std::shared_ptr<const FormulationModel>(Model& model, TangentChoice);
MakeFormulation make_hybrid, make_global, make_topological, make_recursive, make_cartesian;

namespace {

struct Entry {
  const char* name;
  MakeFormulation* make;
};

/// The table. Its first lines are the enumerators, in their order.
constexpr Entry kTable[] = {
    {"hybrid", make_hybrid},       {"global", make_global},       {"topological", make_topological},
    {"recursive", make_recursive}, {"cartesian", make_cartesian},
};

const Entry& entry_of(Formulation formulation) {
  return kTable[static_cast<std::size_t>(formulation)];
}

}  // namespace

std::vector<Formulation> all_formulations() {
  std::vector<Formulation> all;
  for (std::size_t k = 0; k < std::size(kTable); ++k) all.push_back(static_cast<Formulation>(k));
  return all;
}

const char* name_of(Formulation formulation) { return entry_of(formulation).name; }

std::optional<Formulation> find_formulation(const std::string& name) {
  for (const Formulation formulation : all_formulations())
    if (name == name_of(formulation)) return formulation;
  return {};
}

std::string formulation_names() {
  const std::vector<Formulation> all = all_formulations();
  std::string text = name_of(all.front());
  for (std::size_t k = 1; k < all.size(); ++k)
    text += std::string(k + 1 < all.size() ? ", " : " or ") + name_of(all[k]);
  return text;
}

std::shared_ptr<const FormulationModel> make_formulation(Formulation formulation, Model& model,
                                                         TangentChoice tangent) {
  return entry_of(formulation).make(model, tangent);
}

}  // namespace semirec
