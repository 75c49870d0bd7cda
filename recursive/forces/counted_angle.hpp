#pragma once

#include <optional>
#include <vector>

#include "recursive/forces/force_input.hpp"

namespace semirec {

/// Rotation of b against a as the joints between them count it, where all of these slide or turn
/// about one axis:  angle = zero + sum_i sign[i] z[coordinates[i]], over whole turns.
struct CountedAngle {
  double zero = 0.0;  ///< rad, from x of a's frame to x of b's, at zero coordinates
  std::vector<int> coordinates;
  std::vector<double> sign;  ///< +1 or -1

  /// Whether another car's is the same but for `zero`.
  bool counts_as(const CountedAngle& other) const {
    return coordinates == other.coordinates && sign == other.sign;
  }
};

/// How the joints count the rotation about z of a's frame; none where a joint between turns
/// otherwise. Work at build time: its coordinates are among TreeModel::used_coordinates then.
std::optional<CountedAngle> find_counted_angle(TreeModel& model, const Attachment& a,
                                               const Attachment& b);

/// An angle that is known within half a turn, with the whole turns that the joints have counted.
double add_whole_turns(const CountedAngle& counted, const ForceInput& in, double angle);

}  // namespace semirec
