#include <memory>

#include "integrator/formulation/relative_coordinates.hpp"
#include "integrator/model.hpp"

namespace semirec {

namespace {

/// Relative coordinates by recursive accumulation, loops by the index-3 augmented Lagrangian in
/// natural coordinates at the cuts: what its two bases do, [H03] section 3.
class Hybrid final : public RelativeCoordinates {
 public:
  const char* name() const override { return "hybrid"; }
  bool steps_side_by_side() const override { return true; }
};

}  // namespace

std::shared_ptr<const FormulationModel> make_hybrid(Model& model, TangentChoice tangent) {
  lay_out_tangent(model, tangent);
  return std::make_shared<Hybrid>();
}

}  // namespace semirec
