#pragma once

#include <cassert>
#include <cstddef>

#include "recursive/tree_model.hpp"
#include "recursive/tree_workspace.hpp"

namespace semirec {

/// Which of TreeWorkspace::x belong to an element.
struct StateRange {
  int first = 0;
  int count = 0;
};

/// What a force element is given: motions, inputs, the element's own first-order states and the
/// rule by which they advance. All of it is const, and the element reaches nothing else.
///
/// Positions count from the reference point O, directions are in world axes, and a velocity is that
/// of the body's field at O with its angular velocity behind it: velocity_at() gives a point's.
class ForceInput {
 public:
  ForceInput(const TreeModel& model, const TreeWorkspace& ws, const StateRange& own = {})
      : model_(&model), ws_(&ws), own_(own) {}

  /// What the element with these states would be given at the same motion.
  ForceInput of(const StateRange& other) const { return {*model_, *ws_, other}; }

  /// What compute_inputs() has left at the same motion in numbers of TreeModel::reserve_scratch().
  const double* scratch(int first) const { return ws_->element_scratch.data() + first; }

  double time() const { return ws_->time; }                           ///< s
  const Eigen::Vector3d& origin() const { return ws_->origin; }       ///< O in the world, m
  const Eigen::Vector3d& gravity() const { return model_->gravity; }  ///< m/s^2
  /// Whether a position of rest is searched for, in which a controller applies no force.
  bool resting() const { return ws_->resting; }
  /// Whether what is sampled, held or delayed follows at once: in a linearization and in the search
  /// for a start.
  bool continuous() const { return ws_->continuous || ws_->resting; }
  /// How the tangent weighs stiffness and damping; both zero: it takes neither.
  const TangentWeights& weights() const { return ws_->weights; }

  // motions of bodies and of the markers attached to them
  const Eigen::Matrix3d& rotation_of(TreeIndex body) const { return ws_->A_WC[index(body)]; }
  /// Of its compiled frame.
  const Eigen::Vector3d& place_of(TreeIndex body) const { return ws_->p[index(body)]; }
  const Vector6& velocity_of(TreeIndex body) const { return ws_->Z[index(body)]; }
  /// Needs accelerations, which reports have and forces have not.
  const Vector6& acceleration_of(TreeIndex body) const { return ws_->Zd[index(body)]; }
  /// Velocity of body b relative to body a as seen from the world: Z_b - Z_a.
  template <typename = void>  // decision 0047
  Vector6 relative_velocity(TreeIndex a, TreeIndex b) const {
    return ws_->relative_velocity(a, b);
  }
  template <typename = void>  // decision 0047
  Eigen::Vector3d position_of(const Attachment& at) const {
    return ws_->position_of(at);
  }
  template <typename = void>  // decision 0047
  Eigen::Matrix3d axes_of(const Attachment& at) const {
    return rotation_of(at.body) * at.X_CF.A;
  }
  template <typename = void>  // decision 0047
  Eigen::Vector3d axis_of(const Attachment& at, int k) const {
    return rotation_of(at.body) * at.X_CF.A.col(k);
  }

  // coordinates of TreeModel::use_coordinate(), m or rad, and their rates
  double coordinate(int k) const { return ws_->z[index(k)] + ws_->z_offset[index(k)]; }
  double coordinate_rate(int k) const { return ws_->zd[index(k)]; }

  /// Value, rate and second rate of an input.
  const CurveValue& input(InputIndex k) const { return ws_->inputs[index(k)]; }
  /// Value of an input, or `fallback` where it is kNoInput.
  double input(InputIndex k, double fallback) const {
    return k == kNoInput ? fallback : input(k).f;
  }

  // the element's own states, k from 0, and the rule of the scheme for them (StateRule):
  //   x = x_hat + gain (xd_hat + xd)
  double x(int k) const { return ws_->x[state(k)]; }                   ///< as written last
  double x_begin(int k) const { return ws_->rule.x_begin[state(k)]; }  ///< at the start of the step
  double x_hat(int k) const { return ws_->rule.x_hat[state(k)]; }
  double xd_hat(int k) const { return ws_->rule.xd_hat[state(k)]; }
  double gain() const { return ws_->rule.gain; }  ///< s; 0 outside of a step: states stay
  double step() const { return ws_->rule.h; }     ///< size of the step, s; 0 outside of one

 private:
  static std::size_t index(int k) { return static_cast<std::size_t>(k); }
  Eigen::Index state(int k) const {
    assert(k >= 0 && k < own_.count);
    return own_.first + k;
  }

  const TreeModel* model_;
  const TreeWorkspace* ws_;
  StateRange own_;
};

}  // namespace semirec
