#pragma once

#include <concepts>

namespace semirec {

/// Bodies that move alike are swept together, one in each lane of a vector register.
inline constexpr int kLanes = 4;

/// Four numbers, one a lane. Its size and alignment (32 bytes) do not depend on the instruction
/// set.
using Pack = double __attribute__((vector_size(32)));
/// Eight numbers (64 bytes): one register where there is AVX-512.
using WidePack = double __attribute__((vector_size(64)));

template <typename P>
concept OnePack = std::same_as<P, Pack> || std::same_as<P, WidePack>;

/// Two packs that are worked on together (pack_pair.hpp).
template <OnePack P>
struct PackPair;
template <typename P>
inline constexpr bool kIsPackPair = false;
template <OnePack P>
inline constexpr bool kIsPackPair<PackPair<P>> = true;

template <typename P>
concept AnyPack = OnePack<P> || kIsPackPair<P>;

namespace packs {
template <typename P>
struct One {
  using Pack = P;
};
template <OnePack P>
struct One<PackPair<P>> {
  using Pack = P;
};
}  // namespace packs
/// P, or what a pair is of.
template <AnyPack P>
using OnePackOf = typename packs::One<P>::Pack;

template <AnyPack P>
inline constexpr int kLanesOf = static_cast<int>(sizeof(P) / sizeof(double));

/// The same number in every lane.
template <AnyPack P>
constexpr P spread(double value) {
  return value - P{};
}

/// One three-vector a lane. Copied number by number: as blocks of bytes the larger types would
/// leave the registers.
template <AnyPack P>
struct Pack3Of {
  using Number = P;
  P x, y, z;

  Pack3Of() = default;
  Pack3Of(const P& a, const P& b, const P& c) : x(a), y(b), z(c) {}
  Pack3Of(const Pack3Of& v) : x(v.x), y(v.y), z(v.z) {}
  Pack3Of& operator=(const Pack3Of& v) {
    x = v.x;
    y = v.y;
    z = v.z;
    return *this;
  }
  ~Pack3Of() = default;
};

/// One 3 x 3 matrix a lane, by columns.
template <AnyPack P>
struct PackMatrix3Of {
  using Number = P;
  Pack3Of<P> x, y, z;
};

/// One motion or force vector a lane: [linear; angular] or [force; moment], at O.
template <AnyPack P>
struct PackSixOf {
  using Number = P;
  Pack3Of<P> l, a;
};

/// One symmetric 3 x 3 matrix a lane.
template <AnyPack P>
struct PackSymmetric3Of {
  using Number = P;
  P xx, yy, zz, xy, xz, yz;
};

/// One symmetric 6 x 6 matrix a lane, [ ll, la ; la^T, aa ]: what a body weighs in the tangent.
template <AnyPack P>
struct PackInertiaOf {
  using Number = P;
  PackSymmetric3Of<P> ll;
  PackMatrix3Of<P> la;
  PackSymmetric3Of<P> aa;
};

using Pack3 = Pack3Of<Pack>;
using PackMatrix3 = PackMatrix3Of<Pack>;
using PackSix = PackSixOf<Pack>;
using PackSymmetric3 = PackSymmetric3Of<Pack>;
using PackInertia = PackInertiaOf<Pack>;

}  // namespace semirec
