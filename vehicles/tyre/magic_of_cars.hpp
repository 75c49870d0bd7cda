#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

#include "recursive/packs/pack_pair.hpp"
#include "vehicles/tyre/laws_in_lanes.hpp"
#include "vehicles/tyre/magic_law.hpp"
#include "vehicles/tyre/magic_tyre.hpp"

namespace semirec {

/// Whether laws are worked out by the same terms of the Magic Formula, or neither is one of it.
inline bool are_alike(const TyreLaw& a, const TyreLaw& b) {
  const auto* magic_a = dynamic_cast<const MagicTyre*>(&a);
  const auto* magic_b = dynamic_cast<const MagicTyre*>(&b);
  if (magic_a == nullptr || magic_b == nullptr) return magic_a == magic_b;
  return have_like_terms(magic_a->parameters(), magic_b->parameters());
}

/// The numbers of Magic Formula tyres of one wheel of cars side by side, alike; null where they are
/// of other laws.
template <OnePack P>
struct MagicWheelOfCars {
  using Numbers = MagicNumbersOf<P>;

  const Numbers* numbers = nullptr;
  P side;  ///< -1 where mirrored, else 1

  /// `known`: numbers that other wheels use and that outlive this; those of this one are taken from
  /// there, or added.
  MagicWheelOfCars(const std::vector<std::shared_ptr<const TyreLaw>>& laws,
                   std::vector<std::unique_ptr<const Numbers>>& known) {
    std::vector<const MagicNumbers*> own;
    for (const std::shared_ptr<const TyreLaw>& law : laws)
      if (const auto* tyre = dynamic_cast<const MagicTyre*>(law.get()))
        own.push_back(&tyre->parameters());
    if (own.empty()) return;
    for (std::size_t l = 0; l < kLanesOf<P>; ++l)
      side[l] = own[l < own.size() ? l : 0]->mirrored ? -1.0 : 1.0;
    auto found = std::make_unique<const Numbers>(put_side_by_side(own));
    for (const std::unique_ptr<const Numbers>& other : known)
      if (are_the_same(*other, *found)) {
        numbers = other.get();
        return;
      }
    known.push_back(std::move(found));
    numbers = known.back().get();
  }

 private:
  /// Calls function(of a, of b) for each block of plain numbers.
  template <typename A, typename B, typename Function>
  static void for_each_block(A& a, B& b, const Function& function) {
    function(a.c, b.c);
    function(a.k, b.k);
    function(a.R0, b.R0);
    function(a.Fz0, b.Fz0);
    function(a.vertical_stiffness, b.vertical_stiffness);
    function(a.vertical_damping, b.vertical_damping);
    function(a.longitudinal_stiffness, b.longitudinal_stiffness);
    function(a.lateral_stiffness, b.lateral_stiffness);
    function(a.pressure_change, b.pressure_change);
    function(a.V0, b.V0);
    function(a.low_speed, b.low_speed);
    function(a.kappa_min, b.kappa_min);
    function(a.kappa_max, b.kappa_max);
    function(a.alpha_min, b.alpha_min);
    function(a.alpha_max, b.alpha_max);
    function(a.gamma_min, b.gamma_min);
    function(a.gamma_max, b.gamma_max);
    function(a.load_min, b.load_min);
    function(a.load_max, b.load_max);
  }

  /// Of type double in a block of nothing else.
  template <typename Block>
  static constexpr std::size_t numbers_in(const Block& /*block*/) {
    constexpr std::size_t kWhole = sizeof(Block);
    return kWhole / sizeof(double);
  }

  static Numbers put_side_by_side(const std::vector<const MagicNumbers*>& own) {
    Numbers all;
    const MagicNumbers& first = *own.front();
    all.version = first.version;
    all.load_curve = first.load_curve;
    all.longitudinal = first.longitudinal;
    all.lateral = first.lateral;
    all.combined = first.combined;
    all.weighted = first.weighted;
    all.turn_slip = first.turn_slip;
    all.terms = first.terms;
    for (int l = 0; l < kLanesOf<P>; ++l)
      for_each_block(
          *own[static_cast<std::size_t>(l) < own.size() ? static_cast<std::size_t>(l) : 0], all,
          [&](const auto& from, auto& to) {
            const auto* values = reinterpret_cast<const double*>(&from);
            auto* packs = reinterpret_cast<P*>(&to);
            for (std::size_t k = 0; k < numbers_in(from); ++k) packs[k][l] = values[k];
          });
    return all;
  }

  /// All of them to the bit, but for the mirror.
  static bool are_the_same(const Numbers& a, const Numbers& b) {
    if (a.version != b.version || a.load_curve != b.load_curve || a.turn_slip != b.turn_slip ||
        a.longitudinal != b.longitudinal || a.lateral != b.lateral || a.combined != b.combined ||
        a.weighted != b.weighted || !(a.terms == b.terms))
      return false;
    bool same = true;
    for_each_block(a, b, [&](const auto& left, const auto& right) {
      const auto* values = reinterpret_cast<const double*>(&left);
      const auto* others = reinterpret_cast<const double*>(&right);
      for (std::size_t k = 0; k < numbers_in(left); ++k)
        same = same &&
               std::bit_cast<std::uint64_t>(values[k]) == std::bit_cast<std::uint64_t>(others[k]);
    });
    return same;
  }
};

/// Magic Formula tyres of two wheels of cars side by side; each car has its own numbers, the wheels
/// have the same.
template <OnePack P>
class MagicOfCars final : public LawsInLanes<PackPair<P>> {
 public:
  using Pair = PackPair<P>;
  using Numbers = MagicNumbersOf<P>;

  MagicOfCars(const Numbers& numbers, const Pair& side) : p_(&numbers), side_(side) {}

  TyreRollingOf<Pair> roll(const TyreContactOf<Pair>& contact) const override {
    return magic_roll(*p_, contact);
  }
  TyreForcesOf<Pair> forces(const TyreSlipOf<Pair>& slip, const TyreRollingOf<Pair>* rolling,
                            PackMaskOf<Pair>& clamped) const override {
    return magic_tyre_forces(*p_, side_, slip, rolling, clamped);
  }

 private:
  const Numbers* p_;
  Pair side_;
};

}  // namespace semirec
