#pragma once

#include <cstddef>
#include <tuple>

#include "integrator/state.hpp"

namespace semirec {

/// Converts to anything: counts the members of an aggregate.
struct AnyMember {
  template <typename T>
  operator T() const;
};

/// Number of members of an aggregate.
template <typename T, typename... Member>
consteval std::size_t count_members() {
  if constexpr (requires { T{Member{}..., AnyMember{}}; })
    return count_members<T, Member..., AnyMember>();
  else
    return sizeof...(Member);
}

/// References to what a state holds alike in every formulation.
template <typename AnyState>
auto common_members(AnyState& s) {
  return std::tie(s.t, s.origin, s.switches, s.live, s.x, s.xd);
}

/// References to what a state holds in the coordinates of one formulation. On the way to another
/// formulation the history is left behind: a scheme starts anew from the rates.
template <typename AnyState>
auto own_members(AnyState& s) {
  return std::tie(s.z, s.zd, s.zdd, s.jerk, s.trend, s.jerk_step, s.lambda, s.multipliers, s.masses,
                  s.angles, s.A0, s.independent, s.history, s.history_step, s.pivots);
}

/// Calls visitor(member) for every member of a state, always in the same order. A member of State
/// that stands in neither list above does not compile.
template <typename AnyState, typename Visitor>
void visit(AnyState& state, Visitor&& visitor) {
  const auto members = std::tuple_cat(common_members(state), own_members(state));
  static_assert(std::tuple_size_v<decltype(members)> == count_members<State>(),
                "a member of State is in neither of the lists above");
  std::apply([&](auto&... member) { (visitor(member), ...); }, members);
}

}  // namespace semirec
