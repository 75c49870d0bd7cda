#include "integrator/formulation/tangent_shape.hpp"

#include "integrator/formulation/formulation_model.hpp"
#include "penalty/loop_group.hpp"

namespace semirec {

SaddleShape find_saddle_shape(const Model& model) {
  const auto* tells = dynamic_cast<const TangentShape*>(model.formulation.get());
  if (tells != nullptr) return tells->saddle_shape(model);
  SaddleShape shape;
  // relative coordinates: those of a loop are eliminated together, then its multipliers
  if (&model.formulation->relative(model) == &model)
    for (const LoopGroup& group : make_loop_groups(model.blocks()))
      shape.groups.push_back(group.columns);
  return shape;
}

}  // namespace semirec
