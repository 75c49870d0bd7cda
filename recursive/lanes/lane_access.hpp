#pragma once

#include <cstddef>
#include <type_traits>
#include <vector>

#include "recursive/lanes/lane_plan.hpp"
#include "recursive/packs/pack_math.hpp"

namespace semirec {

// How the sweeps reach from group to group, and from lanes to the rows of single bodies. `Packs`
// is any struct of packs (Pack3, PackSix, ...).
//
// The sweeps are written once for two types of number. A double is a number of one car: its like
// branches, swept side by side, have theirs in different places. A pack is a number of several cars
// side by side: it is there in one place, and nothing is copied out of the lanes.

/// The register in which numbers of this type are swept.
template <typename Number>
struct SweptIn {
  using type = Number;
};
template <>
struct SweptIn<double> {
  using type = Pack;
};
template <typename Number>
using PackFor = typename SweptIn<Number>::type;

/// What would be a copy for the rest of the engine; cars side by side have none.
struct NotPublished {};

template <typename Packs>
inline constexpr std::size_t kPacksOf = sizeof(Packs) / sizeof(typename Packs::Number);

/// One number of each lane's own place.
inline Pack gather(const double* values, const std::array<int, kLanes>& index) {
  return Pack{values[index[0]], values[index[1]], values[index[2]], values[index[3]]};
}
template <AnyPack P>
inline const P& gather(const P* values, const std::array<int, kLanes>& index) {
  return values[index[0]];
}

/// Adds each used lane to its own place.
inline void add_by_lane(double* values, const std::array<int, kLanes>& index, int count,
                        const Pack& add) {
  for (int l = 0; l < count; ++l) values[index[static_cast<std::size_t>(l)]] += add[l];
}
template <AnyPack P>
inline void add_by_lane(P* values, const std::array<int, kLanes>& index, int /*count*/,
                        const P& add) {
  values[index[0]] += add;
}

/// Packs in their order from one function call each.
template <typename Packs, typename Function>
inline Packs make_packs(Function f) {
  using P = typename Packs::Number;
  using Three = Pack3Of<P>;
  if constexpr (std::is_same_v<Packs, Three>)
    return Packs{f(), f(), f()};
  else if constexpr (std::is_same_v<Packs, PackSixOf<P>>)
    return Packs{make_packs<Three>(f), make_packs<Three>(f)};
  else
    return Packs{make_packs<Three>(f), make_packs<Three>(f), make_packs<Three>(f)};
}
template <typename Packs>
inline Packs zero_packs() {
  return make_packs<Packs>([] { return typename Packs::Number{}; });
}

/// A function of each pack.
template <AnyPack P, typename Function>
inline Pack3Of<P> each(const Pack3Of<P>& v, Function f) {
  return {f(v.x), f(v.y), f(v.z)};
}
template <AnyPack P, typename Function>
inline PackSixOf<P> each(const PackSixOf<P>& v, Function f) {
  return {each(v.l, f), each(v.a, f)};
}
template <AnyPack P, typename Function>
inline PackMatrix3Of<P> each(const PackMatrix3Of<P>& A, Function f) {
  return {each(A.x, f), each(A.y, f), each(A.z, f)};
}

/// What up to four bodies have, lane by lane; zero for the ground.
template <typename Packs>
inline Packs at_place(const LanePlace& place, const std::vector<Packs>& of_groups) {
  using Kind = LanePlace::Kind;
  if (place.kind == Kind::ground) return zero_packs<Packs>();
  const auto group = [&](int g) -> const Packs& { return of_groups[static_cast<std::size_t>(g)]; };
  using P = typename Packs::Number;
  const auto lanewise = [&] {
    return each(group(place.group), [](const P& pack) { return pack; });
  };
  if constexpr (!std::is_same_v<P, Pack>) {
    return lanewise();
  } else {
    if (place.kind == Kind::lanewise) return lanewise();
    if (place.kind == Kind::shared)
      return each(group(place.group),
                  [&](const Pack& pack) { return broadcast(lanes_of(pack)[place.lane]); });
    // one after another through four groups at once; the ground is among them at most as zeros
    static constexpr double kZero[4 * kPacksOf<Packs>]{};
    const auto of_lane = [&](std::size_t l) {
      return place.groups[l] < 0
                 ? kZero
                 : reinterpret_cast<const double*>(&group(place.groups[l])) + place.lanes[l];
    };
    const double* const from[] = {of_lane(0), of_lane(1), of_lane(2), of_lane(3)};
    std::size_t k = 0;
    return make_packs<Packs>([&] {
      const Pack pack{from[0][k], from[1][k], from[2][k], from[3][k]};
      k += 4;
      return pack;
    });
  }
}

/// Adds each lane to the body at its place; what goes to the ground is dropped.
template <typename Packs>
inline void add_at_place(const LanePlace& place, const Packs& from, std::vector<Packs>& of_groups) {
  using Kind = LanePlace::Kind;
  using P = typename Packs::Number;
  const P* packs = reinterpret_cast<const P*>(&from);
  const auto add_lanewise = [&] {
    P* to = reinterpret_cast<P*>(&of_groups[static_cast<std::size_t>(place.group)]);
    for (std::size_t k = 0; k < kPacksOf<Packs>; ++k) to[k] += packs[k];
  };
  if constexpr (!std::is_same_v<P, Pack>) {
    if (place.kind != Kind::ground) add_lanewise();
  } else {
    switch (place.kind) {
      case Kind::ground:
        return;
      case Kind::lanewise:
        add_lanewise();
        return;
      case Kind::shared: {
        double* to = reinterpret_cast<double*>(&of_groups[static_cast<std::size_t>(place.group)]) +
                     place.lane;
        for (std::size_t k = 0; k < kPacksOf<Packs>; ++k) to[4 * k] += sum_of(packs[k]);
        return;
      }
      case Kind::scattered:
        for (std::size_t l = 0; l < static_cast<std::size_t>(place.count); ++l) {
          if (place.groups[l] < 0) continue;
          Packs& own = of_groups[static_cast<std::size_t>(place.groups[l])];
          double* to = reinterpret_cast<double*>(&own) + place.lanes[l];
          for (std::size_t k = 0; k < kPacksOf<Packs>; ++k) to[4 * k] += packs[k][l];
        }
    }
  }
}

/// Copies the used lanes to the rows of numbers of their owners.
template <typename Packs, typename Rows>
inline void publish(const Packs& from, const std::array<int, kLanes>& owner, int count,
                    Rows& rows) {
  const Pack* packs = reinterpret_cast<const Pack*>(&from);
  const auto row = [&](std::size_t l) { return rows[static_cast<std::size_t>(owner[l])].data(); };
  if (count == kLanes) {
    double* const to[] = {row(0), row(1), row(2), row(3)};
    for (std::size_t k = 0; k < kPacksOf<Packs>; ++k)
      for (std::size_t l = 0; l < 4; ++l) to[l][k] = packs[k][l];
    return;
  }
  for (std::size_t l = 0; l < static_cast<std::size_t>(count); ++l) {
    double* to = row(l);
    for (std::size_t k = 0; k < kPacksOf<Packs>; ++k) to[k] = packs[k][l];
  }
}

template <typename Packs>
inline void publish(const Packs& /*from*/, const std::array<int, kLanes>& /*owner*/, int /*count*/,
                    NotPublished& /*rows*/) {}

/// The reverse: unused lanes are zero.
template <typename Packs, typename Rows>
inline Packs collect(const std::array<int, kLanes>& owner, int count, const Rows& rows) {
  const auto row = [&](std::size_t l) { return rows[static_cast<std::size_t>(owner[l])].data(); };
  const double* const from[] = {row(0), row(1), row(2), row(3)};
  std::size_t k = 0;
  if (count == kLanes)
    return make_packs<Packs>([&] {
      const Pack pack{from[0][k], from[1][k], from[2][k], from[3][k]};
      ++k;
      return pack;
    });
  return make_packs<Packs>([&] {
    const Pack pack{from[0][k], count > 1 ? from[1][k] : 0.0, count > 2 ? from[2][k] : 0.0, 0.0};
    ++k;
    return pack;
  });
}
template <typename Packs>
inline Packs collect(const std::array<int, kLanes>& owner, int /*count*/,
                     const std::vector<Packs>& rows) {
  return each(rows[static_cast<std::size_t>(owner[0])],
              [](const typename Packs::Number& pack) { return pack; });
}

}  // namespace semirec
