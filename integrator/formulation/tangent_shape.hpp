#pragma once

#include "integrator/model.hpp"
#include "penalty/saddle.hpp"

namespace semirec {

/// A formulation that tells more of its tangent than its pattern, for multipliers as unknowns: what
/// the penalty alone fills in need not be there, and its bodies are an order of elimination.
class TangentShape {
 public:
  virtual ~TangentShape() = default;
  /// `extra` is left to FormulationModel::exact_entries(). Allocates.
  virtual SaddleShape saddle_shape(const Model& model) const = 0;

 protected:
  TangentShape() = default;
  TangentShape(const TangentShape&) = default;
  TangentShape(TangentShape&&) = default;
  TangentShape& operator=(const TangentShape&) = default;
  TangentShape& operator=(TangentShape&&) = default;
};

/// What the model's formulation tells; of relative coordinates, those of each loop as a group.
/// Allocates.
SaddleShape find_saddle_shape(const Model& model);

}  // namespace semirec
