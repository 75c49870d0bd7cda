#pragma once

#include "natural_coords/euler_parameters/cartesian_model.hpp"

namespace semirec {

struct Model;

/// The coordinates of a model that was compiled with formulation cartesian. Throws std::bad_cast
/// for any other. For tests of the coordinates themselves.
const CartesianModel& cartesian_model_of(const Model& model);

}  // namespace semirec
