#pragma once

#include <cstddef>
#include <cstring>
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

/// What up to four bodies of one car have, lane by lane, or what one body of several cars has; zero
/// for the ground.
template <typename Number, typename Packs>
inline Packs at_place(const LanePlace& place, const std::vector<Packs>& of_groups) {
  using Kind = LanePlace::Kind;
  using P = typename Packs::Number;
  if (place.kind == Kind::ground) return zero_packs<Packs>();
  const auto group = [&](int g) -> const Packs& { return of_groups[static_cast<std::size_t>(g)]; };
  const auto lanewise = [&] {
    return each(group(place.group), [](const P& pack) { return pack; });
  };
  if constexpr (!std::is_same_v<Number, double>) {
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
template <typename Number, typename Packs>
inline void add_at_place(const LanePlace& place, const Packs& from, std::vector<Packs>& of_groups) {
  using Kind = LanePlace::Kind;
  using P = typename Packs::Number;
  if (place.kind == Kind::ground) return;
  const P* packs = reinterpret_cast<const P*>(&from);
  if constexpr (std::is_same_v<Number, double>) {
    if (place.kind == Kind::shared) {
      double* to =
          reinterpret_cast<double*>(&of_groups[static_cast<std::size_t>(place.group)]) + place.lane;
      for (std::size_t k = 0; k < kPacksOf<Packs>; ++k) to[4 * k] += sum_of(packs[k]);
      return;
    }
    if (place.kind == Kind::scattered) {
      for (std::size_t l = 0; l < static_cast<std::size_t>(place.count); ++l) {
        if (place.groups[l] < 0) continue;
        Packs& own = of_groups[static_cast<std::size_t>(place.groups[l])];
        double* to = reinterpret_cast<double*>(&own) + place.lanes[l];
        for (std::size_t k = 0; k < kPacksOf<Packs>; ++k) to[4 * k] += packs[k][l];
      }
      return;
    }
  }
  of_groups[static_cast<std::size_t>(place.group)] += from;
}

/// Two packs as four pairs in memory, one a lane.
inline void store_pairs(const Pack& a, const Pack& b, double* const* to, std::size_t k) {
  using Pair = double __attribute__((vector_size(16)));
  const Pack even = __builtin_shufflevector(a, b, 0, 4, 2, 6);
  const Pack odd = __builtin_shufflevector(a, b, 1, 5, 3, 7);
  const auto put = [&](std::size_t l, const Pair& pair) {
    std::memcpy(to[l] + k, &pair, sizeof(Pair));
  };
  put(0, __builtin_shufflevector(even, even, 0, 1));
  put(1, __builtin_shufflevector(odd, odd, 0, 1));
  put(2, __builtin_shufflevector(even, even, 2, 3));
  put(3, __builtin_shufflevector(odd, odd, 2, 3));
}
/// Four packs as four numbers in a row in memory, four rows, one a lane: packs transposed.
inline void store_fours(const Pack* packs, double* const* to, std::size_t k) {
  const Pack even0 = __builtin_shufflevector(packs[0], packs[1], 0, 4, 2, 6);
  const Pack odd0 = __builtin_shufflevector(packs[0], packs[1], 1, 5, 3, 7);
  const Pack even1 = __builtin_shufflevector(packs[2], packs[3], 0, 4, 2, 6);
  const Pack odd1 = __builtin_shufflevector(packs[2], packs[3], 1, 5, 3, 7);
  store_loose(to[0] + k, __builtin_shufflevector(even0, even1, 0, 1, 4, 5));
  store_loose(to[1] + k, __builtin_shufflevector(odd0, odd1, 0, 1, 4, 5));
  store_loose(to[2] + k, __builtin_shufflevector(even0, even1, 2, 3, 6, 7));
  store_loose(to[3] + k, __builtin_shufflevector(odd0, odd1, 2, 3, 6, 7));
}

/// Copies the used lanes to the rows of numbers of their owners.
template <typename Packs, typename Rows>
inline void publish(const Packs& from, const std::array<int, kLanes>& owner, int count,
                    Rows& rows) {
  const Pack* packs = reinterpret_cast<const Pack*>(&from);
  const auto row = [&](std::size_t l) { return rows[static_cast<std::size_t>(owner[l])].data(); };
  if (count == kLanes) {
    double* const to[] = {row(0), row(1), row(2), row(3)};
    std::size_t k = 0;
    for (; k + 4 <= kPacksOf<Packs>; k += 4) store_fours(packs + k, to, k);
    if (k + 2 <= kPacksOf<Packs>) {
      store_pairs(packs[k], packs[k + 1], to, k);
      k += 2;
    }
    if (k < kPacksOf<Packs>)
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
  // number by number: force elements have just written them, and wider loads would wait for that
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
