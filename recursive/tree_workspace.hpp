#pragma once

#include <memory>
#include <vector>

#include "recursive/packs/pack.hpp"
#include "recursive/spatial.hpp"
#include "recursive/state_rule.hpp"
#include "recursive/tree_model.hpp"
#include "topology/curve.hpp"

namespace semirec {

template <AnyPack P>
struct LaneWorkspaceOf;
using LaneWorkspace = LaneWorkspaceOf<Pack>;

/// How the tangent weighs its three parts: mass M + damping C + stiffness K.
/// The trapezoidal rule takes 1, h/2, h^2/4 ([H03] Eq. (26)); tests take one at a time.
struct TangentWeights {
  double mass = 1.0;
  double damping = 0.0;
  double stiffness = 0.0;
  /// The residual is M zdd - Q + lead K zd, s: stiffness acts as it will so much later at the
  /// velocities at hand. K as it stands in the tangent; needs a stiffness or damping above 0.
  double lead = 0.0;
};

/// Scratch of the tree sweeps; sized once from the model. Grouped by what they depend on. Positions
/// are counted from the reference point O, directions are in world axes.
struct TreeWorkspace {
  explicit TreeWorkspace(const TreeModel& model);
  ~TreeWorkspace();
  TreeWorkspace(TreeWorkspace&&) noexcept;
  TreeWorkspace& operator=(TreeWorkspace&&) noexcept;
  TreeWorkspace(const TreeWorkspace&) = delete;
  TreeWorkspace& operator=(const TreeWorkspace&) = delete;

  // given for a step
  Eigen::Vector3d origin{0, 0, 0};  ///< O in the world, m
  std::vector<Eigen::Matrix3d> A0;  ///< [triad] reference rotation, outboard in inboard joint frame
  std::vector<CurveValue> inputs;   ///< [input] value, rate, second rate at the time of evaluation
  double time = 0.0;                ///< s
  StateRule rule;                   ///< of the first-order states of force elements
  /// During a linearization or the search for a start: what is sampled, held or delayed follows at
  /// once.
  bool continuous = false;
  bool resting = false;  ///< during a search for static equilibrium: motors and prescribed motions
                         ///< give no force
  std::vector<double> z_offset;  ///< [coordinate] what a slide from the moving origin leaves out, m

  // coordinates: copied by compute_positions(), compute_motions()
  std::vector<double> z;    ///< [coordinate] m, rad
  std::vector<double> zd;   ///< [coordinate] m/s, rad/s
  std::vector<double> zdd;  ///< [coordinate] m/s^2, rad/s^2

  // position: written by compute_positions()
  std::vector<Eigen::Matrix3d> A_WC;  ///< [body] rotation of the compiled frame
  std::vector<Eigen::Vector3d> p;     ///< [body] its origin from O, m
  std::vector<Vector6> H;             ///< [column] unit-velocity column at O
  long placings = 0;                  ///< how often compute_positions() has written them

  // motion: written by compute_motions()
  std::vector<Vector6> Z;   ///< [body] velocity of the body point at O; angular velocity
  std::vector<Vector6> Zd;  ///< [body] dZ/dt = T (H zdd + Hd zd)

  // force: written by compute_body_forces() and force elements
  std::vector<RigidInertia> Mbar;  ///< [body] own inertia; by publish_inertias() alone
  std::vector<Vector6> F;          ///< [body] own Mbar Zd - Qbar, wrenches of force elements less
  Eigen::VectorXd residual;        ///< n  M zdd - Q
  std::vector<double> tangent;     ///< [slot] weighted M, C, K
  Eigen::VectorXd x, xd;           ///< [state] first-order states of force elements and rates
  TangentWeights weights;
  std::unique_ptr<LaneWorkspace> lanes;  ///< of the sweeps alone
  std::vector<Vector6> scratch;          ///< [coordinate] columns of one force element
  std::vector<double> element_scratch;   ///< of elements that compute inputs

  /// Puts O at a place of the world and updates z_offset.
  void set_origin(const TreeModel& model, const Eigen::Vector3d& O);
  template <typename = void>  // decision 0047
  Eigen::Vector3d position_of(const Attachment& at) const {
    return p[static_cast<std::size_t>(at.body)] +
           A_WC[static_cast<std::size_t>(at.body)] * at.X_CF.p;
  }
  /// Motion of body b relative to body a as seen from the world: Z_b - Z_a.
  template <typename = void>  // decision 0047
  Vector6 relative_velocity(TreeIndex a, TreeIndex b) const {
    return Z[static_cast<std::size_t>(b)] - Z[static_cast<std::size_t>(a)];
  }
};

/// While one lives, what is sampled, held or delayed follows at once.
class ContinuousMotion {
 public:
  explicit ContinuousMotion(TreeWorkspace& ws) : ws_(ws) { ws_.continuous = true; }
  ~ContinuousMotion() { ws_.continuous = false; }
  ContinuousMotion(const ContinuousMotion&) = delete;
  ContinuousMotion& operator=(const ContinuousMotion&) = delete;

 private:
  TreeWorkspace& ws_;
};

}  // namespace semirec
