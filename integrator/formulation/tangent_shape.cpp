#include "integrator/formulation/tangent_shape.hpp"

#include "integrator/formulation/formulation_model.hpp"

namespace semirec {

SaddleShape find_saddle_shape(const Model& model) {
  const auto* tells = dynamic_cast<const TangentShape*>(model.formulation.get());
  return tells != nullptr ? tells->saddle_shape(model) : SaddleShape{};
}

}  // namespace semirec
