#pragma once

#include <Eigen/Core>

#include "recursive/tree_workspace.hpp"

namespace semirec {

/// Motion of a body relative to an ancestor c, at O in world axes: as if c were the ground.
struct RelativeMotion {
  Vector6 Z = Vector6::Zero();  ///< Z_i - Z_c
  Vector6 Zd =
      Vector6::Zero();  ///< its rate seen from c: Zd_i - Zd_c - cross_motion(Z_c, Z_i - Z_c)
};

/// Needs compute_motions().
inline RelativeMotion relative_motion(const TreeWorkspace& ws, TreeIndex ancestor, TreeIndex body) {
  const auto c = static_cast<std::size_t>(ancestor);
  const auto i = static_cast<std::size_t>(body);
  if (c == i) return {};
  RelativeMotion motion;
  motion.Z = ws.Z[i] - ws.Z[c];
  motion.Zd = ws.Zd[i] - ws.Zd[c] - cross_motion(ws.Z[c], motion.Z);
  return motion;
}

/// A natural coordinate that is a point: position from O, velocity and acceleration relative to c.
struct NaturalPoint {
  Eigen::Vector3d r, rd, rdd;
};

/// A natural coordinate that is a unit vector, relative to c.
struct NaturalVector {
  Eigen::Vector3d u, ud, udd;
};

/// Point r carried by a body: rd = [I -tilde(r)] Z, rdd = [I -tilde(r)] Zd + w x rd.
inline NaturalPoint carry_point(const RelativeMotion& motion, const Eigen::Vector3d& r) {
  return {r, velocity_at(motion.Z, r), acceleration_at(motion.Z, motion.Zd, r)};
}

/// Unit vector u carried by a body: ud = w x u, udd = wd x u + w x ud.
inline NaturalVector carry_vector(const RelativeMotion& motion, const Eigen::Vector3d& u) {
  const Eigen::Vector3d w = motion.Z.tail<3>();
  const Eigen::Vector3d ud = w.cross(u);
  return {u, ud, motion.Zd.tail<3>().cross(u) + w.cross(ud)};
}

}  // namespace semirec
