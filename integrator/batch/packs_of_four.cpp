#include "integrator/batch/packs_of.hpp"

namespace semirec {

std::unique_ptr<PacksOfCars> make_packs_of_four(const std::vector<const Model*>& models) {
  return std::make_unique<PacksOf<Pack>>(models);
}

}  // namespace semirec
