#include "vehicles/tyre/magic_numbers.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace semirec {

MagicNumbers make_magic_numbers(const MagicParameters& parameters) {
  MagicNumbers p{parameters, {}, {}};
  const MagicCoefficients& c = p.c;
  MagicConstantsOf<double>& k = p.k;
  const double nominal = c.LFZO * p.Fz0;
  k.per_nominal = 1.0 / nominal;
  k.per_Fz0 = 1.0 / p.Fz0;
  k.per_V0 = 1.0 / p.V0;
  k.per_low_speed = 1.0 / p.low_speed;
  k.per_load_min = 1.0 / p.load_min;
  k.per_R0 = 1.0 / p.R0;
  k.R0_per_nominal = p.R0 / nominal;
  k.QFZ1 = c.QFZ1;
  if (c.QFZ1 == 0.0) {
    const double ratio = p.vertical_stiffness * p.R0 / p.Fz0;
    k.QFZ1 = std::sqrt(std::max(ratio * ratio - 4.0 * c.QFZ2, 0.0));
  }
  k.bend = c.QFZ2 < 0.0 ? -0.25 * k.QFZ1 / c.QFZ2 : 1e6;
  k.QV2_per_V0 = c.QV2 / p.V0;
  k.pressure = std::max(1.0 + c.PFZ1 * p.pressure_change, 0.05);
  k.rolling_by_pressure =
      p.pressure_change == 0.0 ? 1.0 : std::pow(1.0 + p.pressure_change, c.QSY8);
  k.Fz0_per_stiffness = p.Fz0 / (p.vertical_stiffness * k.pressure * c.LCZ);
  k.QSY2_per_Fz0 = c.QSY2 / p.Fz0;
  k.SSZ2_per_Fz0 = c.SSZ2 / p.Fz0;
  k.per_sine_of_QDRP1 = 1.0 / std::sin(0.5 * std::numbers::pi * c.QDRP1);

  MagicTerms& terms = p.terms;
  terms.weight_shifts_x = c.RHX1 != 0.0;
  terms.weight_shifts_y = c.RHY1 != 0.0 || c.RHY2 != 0.0;
  terms.spin_shifts = p.turn_slip && std::abs(c.PHYP1) > 1e-3 && c.PHYP2 != 0.0;
  terms.spin_torque = p.turn_slip && c.QDRP1 != 0.0 && c.QCRP1 != 0.0;
  terms.overturns_by_load = c.QSX4 != 0.0;
  terms.overturns_by_camber = c.QSX10 != 0.0;
  terms.camber_moves_summit = c.PKY5 != 0.0;
  terms.camber_turns_weight = p.combined && p.weighted && c.RBY4 != 0.0;
  terms.rolls_by_load = c.QSY7 == 1.0;
  const bool mf6 = p.version == MagicVersion::mf6;
  terms.carcass_x = mf6 && p.longitudinal_stiffness > 0.0;
  terms.carcass_y = mf6 && p.lateral_stiffness > 0.0;
  terms.fitted_x = c.PTX1 != 0.0;
  terms.fitted_y = c.PTY1 != 0.0 && c.PTY2 > 0.0;
  return p;
}

bool have_like_terms(const MagicNumbers& a, const MagicNumbers& b) {
  return a.version == b.version && a.longitudinal == b.longitudinal && a.lateral == b.lateral &&
         a.combined == b.combined && a.weighted == b.weighted && a.turn_slip == b.turn_slip &&
         a.load_curve == b.load_curve && a.terms == b.terms;
}

}  // namespace semirec
