#include "vehicles/tyre/patch_of_law.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "recursive/packs/pack_functions.hpp"
#include "vehicles/tyre/laws_in_lanes.hpp"

namespace semirec {

namespace {

constexpr double kDampingRatio = 0.3;  ///< of the nominal load on the tyre at rest
constexpr double kLeastLoad = 0.01;    ///< of the nominal load: below, the road loses its hold
constexpr double kLoadGravity = 9.81;  ///< turns the nominal load into a mass, m/s^2
constexpr int kMostPercent = 100;      ///< slips at which the peaks are looked for, both ways

/// Slip at which a brush of the same stiffness and peak force slides all over.
double sliding_slip(double stiffness, double peak) {
  return std::clamp(3.0 * peak / std::max(stiffness, 1.0), 0.02, 2.0);
}

/// Largest forces along and across.
struct Peaks {
  double x = 0.0, y = 0.0;
};

/// Both ways: a tyre and its mirror image have the same.
Peaks find_peaks(const TyreLaw& law, const TyreSlip& straight) {
  // slips one way and the other, and forces of them, in one call
  static_assert(kMostInARow == 4);
  const std::shared_ptr<const TyreLaw> self(std::shared_ptr<const TyreLaw>(), &law);
  const std::unique_ptr<const TyreRow> row = make_tyre_row({self, self, self, self});
  TyreSlipOf<Pack> slip;
  slip.load = broadcast(straight.load);
  slip.speed = broadcast(straight.speed);
  Peaks peaks;
  for (int k = 0; k <= kMostPercent; ++k) {
    const double part = 0.01 * k;
    slip.kappa = Pack{-part, part, 0.0, 0.0};
    slip.tan_alpha = Pack{0.0, 0.0, -part, part};
    PackMask clamped{};
    const TyreForcesOf<Pack> F = row->forces(slip, nullptr, clamped);
    peaks.x = std::max({peaks.x, std::abs(F.Fx[0]), std::abs(F.Fx[1])});
    peaks.y = std::max({peaks.y, std::abs(F.Fy[2]), std::abs(F.Fy[3])});
  }
  return peaks;
}

}  // namespace

PatchOfLaw find_patch_of_law(const TyreLaw& law) {
  const double load = law.nominal_load();
  TyreSlip slip;
  slip.load = load;
  slip.speed = 20.0;
  const TyreForces straight = law.forces(slip);
  const Peaks peaks = find_peaks(law, slip);
  const auto damping_time = [&](double stiffness, double relaxation) {
    return 2.0 * kDampingRatio *
           std::sqrt(load / kLoadGravity * relaxation / std::max(stiffness, 1.0));
  };
  PatchOfLaw patch;
  patch.c_x = 1.0 / sliding_slip(straight.Fx_kappa, peaks.x);
  patch.c_y = 1.0 / sliding_slip(-straight.Fy_tan_alpha, peaks.y);
  patch.d_x = damping_time(straight.Fx_kappa, law.relaxation_x(load, 0.0));
  patch.d_y = damping_time(-straight.Fy_tan_alpha, law.relaxation_y(load, 0.0));
  patch.per_least_load = 1.0 / (kLeastLoad * std::max(load, 1.0));
  return patch;
}

const PatchOfLaw& TyreLaw::patch() const {
  std::call_once(patch_is_known_, [&] { patch_ = find_patch_of_law(*this); });
  return patch_;
}

}  // namespace semirec
