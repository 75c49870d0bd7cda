#pragma once

#include <string>
#include <vector>

#include "recursive/tree_model.hpp"
#include "recursive/tree_workspace.hpp"

namespace semirec {

/// Name and unit of a reported number.
struct Channel {
  std::string name;
  std::string unit;
};

/// Where the energy of a force element goes: its power on the bodies is
///   - d(stored)/dt - dissipated + input.
/// An element that leans on the surroundings (a tyre on a road with steps) may change what it
/// stores without any motion of the bodies. It sets `open` and gives as `input` its whole power on
/// the bodies plus what it dissipates; the change of its store is then counted as input from
/// outside.
struct ForcePower {
  double stored = 0.0;      ///< J
  double dissipated = 0.0;  ///< W
  double input = 0.0;       ///< W
  bool open = false;
};

/// A force law: the one open set of the engine. Springs, bushings and loads are such elements;
/// tyres in vehicles/ and users' own forces derive from it.
///
/// An element may have first-order states of its own, xd = g(x, motion): tyre deflections, shaft
/// speeds, bristles of friction. They are condensed: add_forces() eliminates them by the
/// rule of the scheme, TreeWorkspace::rule.
///
/// An element adds its wrenches to the bodies, and the symmetric positive semidefinite part of
///   K = -Q_z and C = -Q_zd  ([H03] Eqs. (28), (32)) to the tangent; what it leaves out of K and C
///   costs
/// iterations, not accuracy. add_forces() is called in every Newton iteration: it neither allocates
/// nor throws, keeps no state and is safe to call from several threads on different workspaces.
class ForceElement {
 public:
  ForceElement(std::string name, Source source)
      : name_(std::move(name)), source_(std::move(source)) {}
  virtual ~ForceElement() = default;

  const std::string& name() const { return name_; }
  const Source& source() const { return source_; }

  /// Looks up bodies, connections and coordinates; once, at build time. May throw ModelError.
  virtual void bind(const Mechanism& mechanism, TreeModel& model) = 0;
  /// Needs compute_motions(); subtracts wrenches from ws.F, adds to ws.residual and ws.tangent.
  virtual void add_forces(const TreeModel& model, TreeWorkspace& ws) const = 0;
  /// Energy, and the channels' values at ws, in the order of channels(). `values` may be null.
  virtual ForcePower report(const TreeModel& model, const TreeWorkspace& ws,
                            double* values) const = 0;
  virtual std::vector<Channel> channels() const { return {}; }

  /// Number of first-order states.
  virtual int state_count() const { return 0; }
  /// States at the motion at hand, without forces: inside a step their values x as add_forces()
  /// finds them, always their rates xd. Neither allocates nor throws.
  virtual void update_states(const TreeModel& /*model*/, TreeWorkspace& /*ws*/) const {}
  /// States in which the rates vanish at the motion at hand, where there are such: the start of a
  /// drive. Writes ws.x.
  virtual void settle_states(const TreeModel& /*model*/, TreeWorkspace& /*ws*/) const {}
  /// Index of the first state in TreeWorkspace::x; build time.
  void place_states(int first) { first_state_ = first; }

 protected:
  int first_state() const { return first_state_; }

 private:
  std::string name_;
  Source source_;
  int first_state_ = -1;
};

/// Adds a wrench about O to a body: [force N; moment N m].
inline void add_wrench(TreeWorkspace& ws, TreeIndex body, const Vector6& wrench) {
  ws.F[static_cast<std::size_t>(body)] -= wrench;
}

/// Force `tension` along `line`, pulling b towards a, with its tangent
///   K = s_z^T stiffness s_z, C = s_z^T damping s_z,  s_z = +-line . H  ([H03] Eqs. (29), (31),
///   (34)).
/// Only the joints between a and b have s_z other than zero. Negative slopes are dropped.
/// Cost: path length 6-dots and one rank-one update; no heap use.
void add_line_force(const TreeModel& model, TreeWorkspace& ws, int connection, const Vector6& line,
                    double tension, double stiffness, double damping);

/// Adds the tangent of a six-axis element: J^T G J with J = +-H on the path and G (6 x 6 about O,
/// symmetric positive semidefinite) already weighted by damping and stiffness.
void add_six_axis_tangent(const TreeModel& model, TreeWorkspace& ws, int connection,
                          const Matrix6& G);

/// Line of a measured coordinate: its rate is line . (Z_b - Z_a), a unit force in it is the wrench
/// `line` on b.
Vector6 coordinate_line(const MeasuredCoordinate& measured, const TreeWorkspace& ws);

/// Adds a force in one joint coordinate with its K and C (negative ones dropped). The coordinate
/// comes from TreeModel::use_coordinate().
void add_coordinate_force(const TreeModel& model, TreeWorkspace& ws, int coordinate, double force,
                          double stiffness, double damping);

}  // namespace semirec
