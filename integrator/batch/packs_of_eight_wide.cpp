#include "integrator/batch/packs_of.hpp"

namespace semirec {

#if defined(__AVX512F__)
const bool packs_of_eight_need_avx512 = true;
#else
const bool packs_of_eight_need_avx512 = false;
#endif

std::unique_ptr<PacksOfCars> make_packs_of_eight(const std::vector<const Model*>& models) {
  return std::make_unique<PacksOf<WidePack>>(models);
}

}  // namespace semirec
