#pragma once

#include <limits>
#include <vector>

namespace semirec {

/// Below this speed a car stands, m/s.
constexpr double kStandstill = 0.1;

struct BrakingDistance {
  bool stopped = false;                                        ///< fell below kStandstill
  double time = std::numeric_limits<double>::quiet_NaN();      ///< from `begin` on, s
  double distance = std::numeric_limits<double>::quiet_NaN();  ///< m
  bool has_developed = false;
  double developed_from = std::numeric_limits<double>::quiet_NaN();   ///< at v_b, s
  double developed_until = std::numeric_limits<double>::quiet_NaN();  ///< at v_e, s
  /// Mean fully developed deceleration (v_b^2 - v_e^2) / (2 (s_e - s_b)) between v_b = 0.8 and
  /// v_e = 0.1 of the initial speed, m/s^2.
  double developed = std::numeric_limits<double>::quiet_NaN();
};

/// From samples of way (m) and speed (m/s) over time; `begin`: when the pedal begins to move.
BrakingDistance judge_braking(const std::vector<double>& t, const std::vector<double>& way,
                              const std::vector<double>& speed, double begin, double initial);

}  // namespace semirec
