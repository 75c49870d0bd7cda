#include "vehicles/tyre/footing.hpp"

namespace semirec {

std::vector<const StandingTyre*> find_standing_tyres(const ForceElements& elements) {
  std::vector<const StandingTyre*> tyres;
  for (const auto& element : elements) {
    const auto* holder = dynamic_cast<const TyreHolder*>(element.get());
    if (holder == nullptr) continue;
    const std::vector<const StandingTyre*> held = holder->standing_tyres();
    tyres.insert(tyres.end(), held.begin(), held.end());
  }
  return tyres;
}

}  // namespace semirec
