#pragma once

namespace semirec {

/// Bodies that move alike are swept together, one in each lane of a vector register.
inline constexpr int kLanes = 4;

/// Four numbers, one a lane. Its size and alignment (32 bytes) do not depend on the instruction
/// set.
using Pack = double __attribute__((vector_size(32)));

/// One three-vector a lane. Copied number by number: as blocks of bytes the larger types would
/// leave the registers.
struct Pack3 {
  Pack x, y, z;

  Pack3() = default;
  Pack3(const Pack& a, const Pack& b, const Pack& c) : x(a), y(b), z(c) {}
  Pack3(const Pack3& v) : x(v.x), y(v.y), z(v.z) {}
  Pack3& operator=(const Pack3& v) {
    x = v.x;
    y = v.y;
    z = v.z;
    return *this;
  }
  ~Pack3() = default;
};

/// One 3 x 3 matrix a lane, by columns.
struct PackMatrix3 {
  Pack3 x, y, z;
};

/// One motion or force vector a lane: [linear; angular] or [force; moment], at O.
struct PackSix {
  Pack3 l, a;
};

/// One symmetric 3 x 3 matrix a lane.
struct PackSymmetric3 {
  Pack xx, yy, zz, xy, xz, yz;
};

/// One symmetric 6 x 6 matrix a lane, [ ll, la ; la^T, aa ]: what a body weighs in the tangent.
struct PackInertia {
  PackSymmetric3 ll;
  PackMatrix3 la;
  PackSymmetric3 aa;
};

}  // namespace semirec
