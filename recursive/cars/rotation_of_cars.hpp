#pragma once

#include "recursive/kinematics.hpp"
#include "recursive/packs/pack_functions.hpp"

namespace semirec {

/// rotation_log() of each lane's matrix: by the quaternion (w, v),
///   theta = 2 atan2(|v|, w) v/|v|
/// where the rotation is by less than 120 degrees, car by car where it is by more.
template <AnyPack P>
Pack3Of<P> rotation_log_of(const PackMatrix3Of<P>& A) {
  constexpr double kSmallest = 1e-100;
  const P trace = A.x.x + A.y.y + A.z.z;
  const PackMaskOf<P> near = trace > 0.0;
  const P root = square_root(select(near, trace + 1.0, spread<P>(1.0)));
  const P half = 0.5 / root;
  const Pack3Of<P> v{half * (A.y.z - A.z.y), half * (A.z.x - A.x.z), half * (A.x.y - A.y.x)};
  const P w = 0.5 * root;
  const P size = square_root(dot(v, v));
  const P factor = select(size > kSmallest, 2.0 * arc_tangent(size / w) / size, spread<P>(2.0) / w);
  Pack3Of<P> theta = factor * v;
  if (!anywhere(~near)) return theta;
  for (int l = 0; l < kLanesOf<P>; ++l) {
    if (near[l] != 0) continue;
    Eigen::Matrix3d own;
    own << A.x.x[l], A.y.x[l], A.z.x[l], A.x.y[l], A.y.y[l], A.z.y[l], A.x.z[l], A.y.z[l], A.z.z[l];
    const Eigen::Vector3d turn = rotation_log(own);
    theta.x[l] = turn.x();
    theta.y[l] = turn.y();
    theta.z[l] = turn.z();
  }
  return theta;
}

}  // namespace semirec
