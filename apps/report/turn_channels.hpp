#pragma once

#include <array>
#include <string>
#include <vector>

#include "recursive/forces/force_element.hpp"

namespace semirec::report {

/// Channels that tell one angle or rotation and jump by a whole turn on their way: the angles roll,
/// yaw, sideslip and articulation, which end at -pi and pi, and the rotation vectors of spherical
/// and free joints, whose size ends at pi. Coordinates of joints that turn about one axis count
/// their turns and do not jump.
struct TurnChannels {
  std::array<std::size_t, 3> places{};  ///< in the list of channels
  std::size_t count = 1;                ///< 1: an angle, 3: a rotation vector
};

std::vector<TurnChannels> find_turn_channels(const std::vector<Channel>& channels);

/// The numbers of an angle or a rotation vector (`count` of them, rad) that tell the same attitude
/// and are nearest to `like`. What is not finite stays.
std::array<double, 3> nearest_turn(std::array<double, 3> turn, const std::array<double, 3>& like,
                                   std::size_t count);

/// An angle row by row without its jumps: each nearest to the one before.
void take_out_jumps(std::vector<double>& angle);

}  // namespace semirec::report
