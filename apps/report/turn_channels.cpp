#include "apps/report/turn_channels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string_view>

namespace semirec::report {

namespace {

constexpr double kWholeTurn = 2.0 * std::numbers::pi;
constexpr double kNoDirection = 1e-9;  // rad, of a rotation vector

bool is_angle(const Channel& channel) {
  constexpr std::array<std::string_view, 4> kEndings{".roll", ".yaw", ".sideslip", ".articulation"};
  return channel.unit == "rad" &&
         std::any_of(kEndings.begin(), kEndings.end(),
                     [&](std::string_view ending) { return channel.name.ends_with(ending); });
}

/// `pin.z` of `pin.z[1]` in rad; empty: none of a row of coordinates.
std::string_view coordinates_of(const Channel& channel) {
  const std::size_t bracket = channel.name.rfind(".z[");
  if (channel.unit != "rad" || bracket == std::string::npos) return {};
  return std::string_view(channel.name).substr(0, bracket + 2);
}

double size_of(const std::array<double, 3>& v) { return std::hypot(v[0], v[1], v[2]); }

}  // namespace

std::vector<TurnChannels> find_turn_channels(const std::vector<Channel>& channels) {
  std::vector<TurnChannels> turns;
  for (std::size_t k = 0; k < channels.size(); ++k) {
    if (is_angle(channels[k])) turns.push_back({{k}, 1});
    const std::string_view joint = coordinates_of(channels[k]);
    if (joint.empty()) continue;
    std::size_t end = k;
    while (end < channels.size() && coordinates_of(channels[end]) == joint) ++end;
    // three that turn are a rotation vector
    if (end - k == 3) turns.push_back({{k, k + 1, k + 2}, 3});
    k = end - 1;
  }
  return turns;
}

std::array<double, 3> nearest_turn(std::array<double, 3> turn, const std::array<double, 3>& like,
                                   std::size_t count) {
  if (count == 1) {
    const double turns = std::round((like[0] - turn[0]) / kWholeTurn);
    if (std::isfinite(turns)) turn[0] += turns * kWholeTurn;
    return turn;
  }
  // the same attitude: whole turns more about the same axis, about any where there is none
  const double size = size_of(turn);
  const double of_like = size_of(like);
  if (!std::isfinite(size) || !std::isfinite(of_like)) return turn;
  if (size < kNoDirection && of_like < kNoDirection) return turn;
  const std::array<double, 3>& axis = size < kNoDirection ? like : turn;
  const double length = size < kNoDirection ? of_like : size;
  const double along = (like[0] * axis[0] + like[1] * axis[1] + like[2] * axis[2]) / length;
  const double more = kWholeTurn * std::round((along - size) / kWholeTurn);
  for (std::size_t k = 0; k < 3; ++k) turn[k] += more * axis[k] / length;
  return turn;
}

void take_out_jumps(std::vector<double>& angle) {
  double last = std::numeric_limits<double>::quiet_NaN();
  for (double& value : angle) {
    if (!std::isfinite(value)) continue;
    value = nearest_turn({value}, {last}, 1)[0];
    last = value;
  }
}

}  // namespace semirec::report
