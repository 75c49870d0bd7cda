#include "integrator/formulation/formulation.hpp"

namespace semirec {

const char* name_of(Formulation formulation) {
  switch (formulation) {
    case Formulation::hybrid:
      return "hybrid";
    case Formulation::global:
      return "global";
    case Formulation::topological:
      return "topological";
    case Formulation::recursive:
      return "recursive";
  }
  return "";
}

std::optional<Formulation> find_formulation(const std::string& name) {
  for (const Formulation formulation : kFormulations)
    if (name == name_of(formulation)) return formulation;
  return {};
}

}  // namespace semirec
