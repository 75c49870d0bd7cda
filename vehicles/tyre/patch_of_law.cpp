#include "vehicles/tyre/patch_of_law.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "vehicles/tyre/tyre_row.hpp"

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
  Peaks peaks;
  std::array<TyreSlip, kMostInARow> slips{straight, straight, straight, straight};
  std::array<TyreForces, kMostInARow> found;
  for (int k = 0; k <= kMostPercent; ++k) {
    slips[0].kappa = slips[2].tan_alpha = 0.01 * -k;
    slips[1].kappa = slips[3].tan_alpha = 0.01 * k;
    row->forces(slips, found);
    peaks.x = std::max({peaks.x, std::abs(found[0].Fx), std::abs(found[1].Fx)});
    peaks.y = std::max({peaks.y, std::abs(found[2].Fy), std::abs(found[3].Fy)});
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
