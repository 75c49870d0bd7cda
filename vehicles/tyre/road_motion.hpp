#pragma once

#include <array>
#include <string>

#include "recursive/packs/number_functions.hpp"
#include "recursive/packs/pack_functions.hpp"
#include "topology/indices.hpp"

namespace semirec {

/// Inputs that change the road under one wheel; kNoInput: they do not. Of a plane that is given
/// from outside all but `friction` are there, which a tyre without friction has not.
struct RoadMotion {
  InputIndex lift = kNoInput;  ///< m
  // lift is the height at this place of the ground plane; without slopes it is that everywhere
  InputIndex x = kNoInput, y = kNoInput;              ///< m
  InputIndex slope_x = kNoInput, slope_y = kNoInput;  ///< along world x and y, 1
  InputIndex friction = kNoInput;                     ///< times the road's, 1

  bool moves() const { return lift != kNoInput; }
  bool tilts() const { return slope_x != kNoInput; }
  bool operator==(const RoadMotion&) const = default;
};

/// What inputs of a plane under a wheel are called among themselves, and their units.
struct RoadInput {
  const char* member;
  const char* unit;
};
inline constexpr std::array<RoadInput, 6> kRoadInputs{{{"height", "m"},
                                                       {"x", "m"},
                                                       {"y", "m"},
                                                       {"slope_x", "1"},
                                                       {"slope_y", "1"},
                                                       {"friction", "1"}}};

/// The name of one of them; `member`: of kRoadInputs.
inline std::string road_input_name(const std::string& member, const std::string& wheel) {
  return "road_" + member + '_' + wheel;
}

/// What lies on the scenario's road: z(X, Y) = z + z_x X + z_y Y, m, of the place X, Y in the
/// world, m; and its rates while it is moved, m/s and 1/s.
template <typename Number>
struct AddedRoadOf {
  Number z{}, z_x{}, z_y{};
  Number rate{}, rate_x{}, rate_y{};

  Number height_at(const Number& X, const Number& Y) const { return z + z_x * X + z_y * Y; }
  Number rate_at(const Number& X, const Number& Y) const { return rate + rate_x * X + rate_y * Y; }
};

/// No road passes under a wheel so fast, m/s: a place that does has been put elsewhere, and the
/// plane there stands still.
inline constexpr double kJump = 150.0;

/// input(index) has f and fd, as CurveValue; asked for inputs that there are.
template <typename Number, typename Value>
AddedRoadOf<Number> added_road(const RoadMotion& motion, const Value& input) {
  AddedRoadOf<Number> road;
  if (!motion.moves()) return road;
  const auto& lift = input(motion.lift);
  road.z = lift.f;
  road.rate = lift.fd;
  if (!motion.tilts()) return road;
  const auto& x = input(motion.x);
  const auto& y = input(motion.y);
  const auto& slope_x = input(motion.slope_x);
  const auto& slope_y = input(motion.slope_y);
  road.z_x = slope_x.f;
  road.z_y = slope_y.f;
  road.rate_x = slope_x.fd;
  road.rate_y = slope_y.fd;
  road.z = road.z - slope_x.f * x.f - slope_y.f * y.f;
  road.rate = road.rate - slope_x.fd * x.f - slope_x.f * x.fd - slope_y.fd * y.f - slope_y.f * y.fd;
  // rates that are differences tell of a new plane what the old one was not
  const auto jumps = x.fd * x.fd + y.fd * y.fd > Number{} + kJump * kJump;
  for (Number* rate : {&road.rate, &road.rate_x, &road.rate_y})
    *rate = select(jumps, Number{}, *rate);
  return road;
}

}  // namespace semirec
