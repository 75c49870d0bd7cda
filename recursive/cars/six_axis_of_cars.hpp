#pragma once

#include "recursive/packs/pack_functions.hpp"

namespace semirec {

/// J^T diag(G_l, G_a) J with J what a motion about O is at a point (from O): the tangent about O of
/// stiffness or damping G_l against the way of the point and G_a against turning.
///   [ G_l, -G_l arm; arm G_l, G_a - arm G_l arm ],  arm = tilde(point)
template <AnyPack P>
PackInertiaOf<P> six_axis_about_origin(const PackSymmetric3Of<P>& G_l,
                                       const PackSymmetric3Of<P>& G_a, const Pack3Of<P>& point) {
  // columns of arm G_l
  const Pack3Of<P> x = cross(point, Pack3Of<P>{G_l.xx, G_l.xy, G_l.xz});
  const Pack3Of<P> y = cross(point, Pack3Of<P>{G_l.xy, G_l.yy, G_l.yz});
  const Pack3Of<P> z = cross(point, Pack3Of<P>{G_l.xz, G_l.yz, G_l.zz});
  PackInertiaOf<P> G;
  G.ll = G_l;
  G.la = {{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}};
  const Pack3Of<P> a = cross(point, G.la.x);
  const Pack3Of<P> b = cross(point, G.la.y);
  const Pack3Of<P> c = cross(point, G.la.z);
  G.aa = {G_a.xx + a.x, G_a.yy + b.y, G_a.zz + c.z, G_a.xy + a.y, G_a.xz + a.z, G_a.yz + b.z};
  return G;
}

/// Adds weight u u^T.
template <AnyPack P>
void add_square(PackSymmetric3Of<P>& to, const P& weight, const Pack3Of<P>& u) {
  const Pack3Of<P> w = weight * u;
  to.xx += w.x * u.x;
  to.yy += w.y * u.y;
  to.zz += w.z * u.z;
  to.xy += w.x * u.y;
  to.xz += w.x * u.z;
  to.yz += w.y * u.z;
}

/// A diag(weights) A^T.
template <AnyPack P>
PackSymmetric3Of<P> about_axes(const PackMatrix3Of<P>& A, const Pack3Of<P>& weights) {
  const P none{};
  PackSymmetric3Of<P> sum{none, none, none, none, none, none};
  add_square(sum, weights.x, A.x);
  add_square(sum, weights.y, A.y);
  add_square(sum, weights.z, A.z);
  return sum;
}

}  // namespace semirec
