#pragma once

#include <cassert>
#include <cstddef>
#include <span>

#include "recursive/forces/force_input.hpp"
#include "recursive/packs/pack.hpp"

namespace semirec {

/// Where a force element writes its own first-order states, k from 0.
class StateSink {
 public:
  StateSink(TreeWorkspace& ws, const StateRange& own)
      : x_(ws.x.data() + own.first),
        xd_(ws.xd.data() + own.first),
        scratch_(ws.element_scratch.data()),
        count_(own.count) {}

  void set_x(int k, double x) const { x_[index(k)] = x; }
  void set_xd(int k, double xd) const { xd_[index(k)] = xd; }

  /// Numbers that TreeModel::reserve_scratch() has put aside, free to use; what compute_inputs()
  /// has left there lasts through the calls that follow at the same motion.
  double* scratch(int first) const { return scratch_ + first; }

 private:
  std::size_t index(int k) const {
    assert(k >= 0 && k < count_);
    return static_cast<std::size_t>(k);
  }

  double* x_;
  double* xd_;
  double* scratch_;
  [[maybe_unused]] int count_;
};

/// Where a force element that computes inputs writes them, beside its states.
class InputSink : public StateSink {
 public:
  InputSink(TreeWorkspace& ws, const StateRange& own, bool whole)
      : StateSink(ws, own), ws_(&ws), whole_(whole) {}

  /// Whether what measure_contacts() and update_states() read is wanted, too; else what forces and
  /// results read is enough.
  bool whole() const { return whole_; }

  void set_input(InputIndex k, double value) const {
    ws_->inputs[static_cast<std::size_t>(k)] = {value, 0.0, 0.0};
  }

 private:
  TreeWorkspace* ws_;
  bool whole_;
};

/// Where a force element writes what it does: wrenches, their tangents and its states. The tangent
/// takes the symmetric positive semidefinite part of K = -Q_z and C = -Q_zd ([H03] Eqs. (28),
/// (32)); where the evaluation needs none (ForceInput::weights()), what concerns it is dropped.
/// No function here allocates or throws.
class ForceSink : public StateSink {
 public:
  ForceSink(const TreeModel& model, TreeWorkspace& ws, const StateRange& own = {})
      : StateSink(ws, own), model_(&model), ws_(&ws) {}

  /// Adds a wrench about O to a body: [force N; moment N m].
  template <typename = void>  // decision 0047
  void add_wrench(TreeIndex body, const Vector6& wrench) const {
    ws_->F[static_cast<std::size_t>(body)] -= wrench;
  }

  /// Adds wrenches about O to as many bodies, one a lane.
  void add_wrenches(std::span<const TreeIndex> bodies, const PackSix& wrenches) const;

  /// Adds a force `tension` (N) along `line`, pulling b of the connection towards a, with its
  /// tangent
  ///   K = s_z^T stiffness s_z, C = s_z^T damping s_z,  s_z = +-line . H  ([H03] Eqs. (29), (31),
  ///   (34)).
  /// Only the joints between a and b have s_z other than zero. Negative slopes are dropped.
  /// `connection` comes from TreeModel::connect(). Cost: path length 6-dots and one rank-one
  /// update.
  void add_line_force(int connection, const Vector6& line, double tension, double stiffness,
                      double damping) const;

  /// Adds the tangent of a six-axis element: J^T G J with J = +-H on the path and G (6 x 6 about O,
  /// symmetric positive semidefinite) already weighted by damping and stiffness. Where G has
  /// stiffness, the element's own wrench takes weights().lead into account; the two other functions
  /// do it by themselves.
  void add_six_axis_tangent(int connection, const Matrix6& G) const;

  /// The same of as many elements, one a lane.
  void add_six_axis_tangents(std::span<const int> connections, const PackInertia& G) const;

  /// Adds a force (N or N m) in one joint coordinate with its K and C (negative ones dropped). The
  /// coordinate comes from TreeModel::use_coordinate().
  void add_coordinate_force(int coordinate, double force, double stiffness, double damping) const;

 private:
  const TreeModel* model_;
  TreeWorkspace* ws_;
};

/// Line of a measured coordinate: its rate is line . (Z_b - Z_a), a unit force in it is the wrench
/// `line` on b.
Vector6 coordinate_line(const MeasuredCoordinate& measured, const TreeWorkspace& ws);

}  // namespace semirec
