#pragma once

#include "integrator/batch/cars.hpp"
#include "recursive/lanes/kinematic_sweeps.hpp"

namespace semirec {

/// Rotation matrices of unit quaternions.
template <AnyPack P>
PackMatrix3Of<P> rotation_of(const QuaternionOf<P>& q) {
  const P xx = q.x * q.x;
  const P yy = q.y * q.y;
  const P zz = q.z * q.z;
  const P xy = q.x * q.y;
  const P xz = q.x * q.z;
  const P yz = q.y * q.z;
  const P wx = q.w * q.x;
  const P wy = q.w * q.y;
  const P wz = q.w * q.z;
  return {{1.0 - 2.0 * (yy + zz), 2.0 * (xy + wz), 2.0 * (xz - wy)},
          {2.0 * (xy - wz), 1.0 - 2.0 * (xx + zz), 2.0 * (yz + wx)},
          {2.0 * (xz + wy), 2.0 * (yz - wx), 1.0 - 2.0 * (xx + yy)}};
}

/// exp(tilde(theta)) as a quaternion, by the half angle; no lane depends on another one.
template <AnyPack P>
QuaternionOf<P> quaternion_exp(const Pack3Of<P>& theta) {
  constexpr double kSeries = 1e-4;
  const P t2 = dot(theta, theta);
  P c = 1.0 - t2 * (1.0 / 8.0 - t2 * (1.0 / 384.0));
  P s = 0.5 - t2 * (1.0 / 48.0 - t2 * (1.0 / 3840.0));
  const unsigned far = bits_of(t2 >= kSeries);
  for (int l = 0; far != 0 && l < kLanesOf<P>; ++l) {
    if ((far >> static_cast<unsigned>(l) & 1U) == 0) continue;
    const double half = 0.5 * std::sqrt(t2[l]);
    c[l] = std::cos(half);
    s[l] = std::sin(half) / (2.0 * half);
  }
  return {c, s * theta.x, s * theta.y, s * theta.z};
}

template <AnyPack P>
QuaternionOf<P> operator*(const QuaternionOf<P>& a, const QuaternionOf<P>& b) {
  return {
      a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
      a.w * b.y + a.y * b.w + a.z * b.x - a.x * b.z, a.w * b.z + a.z * b.w + a.x * b.y - a.y * b.x};
}

/// Whole multiples of 2^-10 m, as round_origin().
template <AnyPack P>
P round_place(const P& x) {
  // adding and taking away 1.5 * 2^42 rounds to a multiple of 2^-10
  constexpr double kRound = 6597069766656.0;
  return (x + kRound) - kRound;
}

/// rebase() of the formulations in relative coordinates, of these cars (one bit each). Of the
/// others nothing moves: their increments of rotation are zero, and what they have gone from their
/// origin is less than a grain.
template <AnyPack P>
void rebase_cars(const Cars<P>& cars, unsigned wanted, CarsState<P>& state) {
  const TreeModel& tree = cars.shape->tree;
  const auto slides_of = [&](const TreeBody& body) {
    return Pack3Of<P>{state.z[at(body.z)], state.z[at(body.z) + 1], state.z[at(body.z) + 2]};
  };
  Pack3Of<P> moved{P{}, P{}, P{}};
  if (tree.reference_body > 0) {
    const auto g = at(cars.plan.group_of_body[at(tree.reference_body)]);
    const Pack3Of<P> way =
        cars.plan.groups[g].X_A * slides_of(tree.bodies[at(tree.reference_body)]);
    moved = {round_place(way.x), round_place(way.y), round_place(way.z)};
    state.origin += moved;
  }
  for (std::size_t t = 1; t < tree.bodies.size(); ++t) {
    const TreeBody& body = tree.bodies[t];
    if (body.floats) {
      const auto g = at(cars.plan.group_of_body[t]);
      const Pack3Of<P> left = slides_of(body) - transposed_times(cars.plan.groups[g].X_A, moved);
      state.z[at(body.z)] = left.x;
      state.z[at(body.z) + 1] = left.y;
      state.z[at(body.z) + 2] = left.z;
    }
    for (int k = body.motion_begin; k < body.motion_end; ++k) {
      const JointMotion& motion = tree.motions[at(k)];
      if (motion.kind != JointMotion::Kind::triad) continue;
      P* theta = &state.z[at(motion.z)];
      QuaternionOf<P>& A0 = state.A0[at(motion.triad)];
      A0 = quaternion_exp(Pack3Of<P>{theta[0], theta[1], theta[2]}) * A0;
      // what is missing to length one is round-off: one Newton step takes it away
      const P square = A0.w * A0.w + A0.x * A0.x + A0.y * A0.y + A0.z * A0.z;
      const P scale = select(lanes_where<P>(wanted), 1.5 - 0.5 * square, spread<P>(1.0));
      A0 = {scale * A0.w, scale * A0.x, scale * A0.y, scale * A0.z};
      theta[0] = theta[1] = theta[2] = P{};
    }
  }
}

}  // namespace semirec
