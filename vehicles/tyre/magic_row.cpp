#include "vehicles/tyre/magic_row.hpp"

#include <utility>

#include "vehicles/tyre/magic_law.hpp"

namespace semirec {

MagicRow::MagicRow(std::shared_ptr<const MagicNumbers> numbers, const std::vector<bool>& mirrored)
    : p_(std::move(numbers)) {
  for (int l = 0; l < kMostInARow; ++l) {
    const auto k = static_cast<std::size_t>(l);
    side_[l] = mirrored[k < mirrored.size() ? k : 0] ? -1.0 : 1.0;
  }
}

TyreRollingOf<Pack> MagicRow::roll(const TyreContactOf<Pack>& contact) const {
  return magic_roll(*p_, contact);
}

TyreForcesOf<Pack> MagicRow::forces(const TyreSlipOf<Pack>& slip,
                                    const TyreRollingOf<Pack>* rolling, PackMask& clamped) const {
  return magic_tyre_forces(*p_, side_, slip, rolling, clamped);
}

TyreForces MagicRow::forces_of_one(const TyreSlip& slip) const {
  TyreForces one;
  if (slip.load <= 0.0) return one;
  const TyreSlipOf<Pack> in_all{.load = broadcast(slip.load),
                                .kappa = broadcast(slip.kappa),
                                .tan_alpha = broadcast(slip.tan_alpha),
                                .gamma = broadcast(slip.gamma),
                                .turn_slip = broadcast(slip.turn_slip),
                                .speed = broadcast(slip.speed),
                                .friction = broadcast(slip.friction)};
  PackMask clamped{};
  const TyreForcesOf<Pack> F = forces(in_all, nullptr, clamped);
  static_cast<TyreForcesOf<double>&>(one) = {.Fx = F.Fx[0],
                                             .Fy = F.Fy[0],
                                             .Mx = F.Mx[0],
                                             .My = F.My[0],
                                             .Mz = F.Mz[0],
                                             .Fx_kappa = F.Fx_kappa[0],
                                             .Fx_tan_alpha = F.Fx_tan_alpha[0],
                                             .Fy_kappa = F.Fy_kappa[0],
                                             .Fy_tan_alpha = F.Fy_tan_alpha[0]};
  one.clamped = static_cast<unsigned>(clamped[0]);
  return one;
}

}  // namespace semirec
