#include "integrator/batch/kinds.hpp"

#include <algorithm>

#include "recursive/cars/forms_of_cars.hpp"

namespace semirec {

namespace {

bool are_of_one_kind(const Model& a, const Model& b) {
  // the origin follows one body, the heaviest of those that float
  if (a.tree.reference_body != b.tree.reference_body) return false;
  return std::equal(a.forces.begin(), a.forces.end(), b.forces.begin(), b.forces.end(),
                    [](const auto& of_a, const auto& of_b) {
                      const FormsOfCars* forms = of_a->forms_of_cars();
                      return forms == of_b->forms_of_cars() &&
                             (forms == nullptr || forms->are_alike(*of_a, *of_b));
                    });
}

}  // namespace

std::vector<std::vector<std::size_t>> sort_by_kind(const std::vector<const Model*>& models) {
  std::vector<std::vector<std::size_t>> kinds;
  for (std::size_t car = 0; car < models.size(); ++car) {
    const auto own = std::find_if(kinds.begin(), kinds.end(), [&](const auto& kind) {
      return are_of_one_kind(*models[kind.front()], *models[car]);
    });
    if (own != kinds.end())
      own->push_back(car);
    else
      kinds.push_back({car});
  }
  return kinds;
}

}  // namespace semirec
