#pragma once

#include <vector>

#include "recursive/cars/place_of_cars.hpp"
#include "vehicles/tyre/patch_slip.hpp"
#include "vehicles/tyre/rolling_tyre.hpp"

namespace semirec {

inline RollingTerms rolling_terms_of(const RollingTyre& tyre) {
  return {tyre.state_count() == 3, tyre.law()->fades_camber(), tyre.law()->slides_as_one()};
}

/// One tyre a lane; lanes that are left take the first.
template <AnyPack P>
RollingNumbersOf<P> rolling_numbers_of(const std::vector<const RollingTyre*>& tyres) {
  using Own = RollingTyre::Numbers;
  const auto number = [&](double Own::*which) {
    return number_of_cars<P>(tyres, [&](const RollingTyre& own) { return own.numbers().*which; });
  };
  return {.radius = number(&Own::radius),
          .turning_friction = number(&Own::turning_friction),
          .c_x = number(&Own::c_x),
          .c_y = number(&Own::c_y),
          .d_x = number(&Own::d_x),
          .d_y = number(&Own::d_y),
          .per_least_load = number(&Own::per_least_load)};
}

}  // namespace semirec
