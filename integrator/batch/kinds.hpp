#pragma once

#include <vector>

#include "integrator/model.hpp"

namespace semirec {

/// Cars of each kind, by their place in `models`; kinds and cars in order. Of one kind are cars
/// that differ in numbers alone: their force elements have the same forms side by side, and are
/// alike there (FormsOfCars), and the moving origin follows the same body. All fit into one batch
/// (batch_fault()).
std::vector<std::vector<std::size_t>> sort_by_kind(const std::vector<const Model*>& models);

}  // namespace semirec
