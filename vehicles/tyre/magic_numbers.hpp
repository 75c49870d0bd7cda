#pragma once

#include "vehicles/tyre/magic_parameters.hpp"

namespace semirec {

/// What a law works out of its parameters once, so that no division is left for its evaluations.
/// Numbers of N and nothing else.
template <typename N>
struct MagicConstantsOf {
  N per_nominal;          ///< 1 / (LFZO Fz0), 1/N
  N per_Fz0;              ///< 1/N
  N per_V0;               ///< s/m
  N per_low_speed;        ///< s/m
  N per_load_min;         ///< 1/N
  N per_R0;               ///< 1/m
  N R0_per_nominal;       ///< m/N
  N QFZ1;                 ///< of the file, or from the vertical stiffness
  N bend;                 ///< r from which on a falling parabola of the load goes on straight
  N QV2_per_V0;           ///< s/m
  N pressure;             ///< factor of loads by the inflation pressure
  N rolling_by_pressure;  ///< factor of the rolling resistance by it
  N Fz0_per_stiffness;    ///< m
  N QSY2_per_Fz0;         ///< 1/N
  N SSZ2_per_Fz0;         ///< 1/N
  N per_sine_of_QDRP1;    ///< 1 / sin(pi/2 QDRP1)
};

/// Which terms a law has, beyond its version and flags: chosen by its numbers once. Tyres that are
/// worked out side by side have the same.
struct MagicTerms {
  bool weight_shifts_x = false, weight_shifts_y = false;  ///< RHX, RHY
  bool spin_shifts = false;                               ///< PHYP
  bool spin_torque = false;                               ///< QCRP1, QDRP1
  bool overturns_by_load = false;                         ///< QSX4
  bool overturns_by_camber = false;                       ///< QSX10
  bool camber_moves_summit = false;                       ///< PKY5
  bool camber_turns_weight = false;                       ///< RBY4
  bool rolls_by_load = true;                              ///< QSY7 = 1
  bool carcass_x = false, carcass_y = false;              ///< relaxation by the carcass' stiffness
  bool fitted_x = false, fitted_y = false;                ///< PTX, PTY

  bool operator==(const MagicTerms&) const = default;
};

/// Parameters of a law, ready for its evaluation. N: double, or a pack for tyres of different
/// numbers side by side.
template <typename N>
struct MagicNumbersOf : MagicParametersOf<N> {
  MagicConstantsOf<N> k;
  MagicTerms terms;
};
using MagicNumbers = MagicNumbersOf<double>;

MagicNumbers make_magic_numbers(const MagicParameters& parameters);

/// Whether two laws are worked out by the same terms, whatever their numbers.
bool have_like_terms(const MagicNumbers& a, const MagicNumbers& b);

}  // namespace semirec
