#pragma once

#include "natural_coords/global/global_model.hpp"

namespace semirec {

struct Model;

/// The natural coordinates of a model that was compiled with formulation global. Throws
/// std::bad_cast for any other. For tests of the coordinates themselves.
const GlobalModel& global_model_of(const Model& model);

}  // namespace semirec
