#pragma once

#include <concepts>

#include "recursive/packs/pack.hpp"

namespace semirec {

/// number(lane) of each lane. Put together in registers: a pack whose lanes are written one by one
/// has to wait in memory until the last is there.
template <OnePack P, typename Number>
P from_lanes(const Number& number) {
  if constexpr (std::same_as<P, Pack>)
    return P{number(0), number(1), number(2), number(3)};
  else
    return P{number(0), number(1), number(2), number(3),
             number(4), number(5), number(6), number(7)};
}

}  // namespace semirec
