#pragma once

#include <vector>

#include "integrator/outputs/recorder.hpp"
#include "integrator/state.hpp"
#include "integrator/statics/acceleration_change.hpp"
#include "integrator/workspace.hpp"
#include "vehicles/session/session.hpp"

namespace semirec {

/// Outputs of a session at its state with other values of inputs than its last step ended with:
/// what follows them at once. Positions, velocities and the states of force elements stay. Forces
/// follow, and with them accelerations and multipliers, by what the equations of motion at the
/// state make of the change of the forces (AccelerationChange). With the state's own values the
/// outputs are those of Session::read_outputs() to the bit, and they are continuous in every input
/// that the forces are continuous in.
///
/// Rates of inputs stay those of the state, and closures are left alone. So an input that
/// prescribes a motion moves nothing here: its own value follows, and what force elements read of
/// it; the coming step takes the motion there.
///
/// It has a workspace of its own: the session is read, and its next step gives the same bits.
/// Memory is taken by the constructor; in the formulations named at Session nothing else takes any.
class OutputsAtOnce {
 public:
  /// For this session, and no longer than it keeps its car (Session::trade_cars()).
  explicit OutputsAtOnce(const Session& session);

  /// Goes to the session's state, with its values of inputs. Before all else, and after each step.
  void follow(Session& session) noexcept;
  /// Value of an input by its index among Session::inputs(), not one that an equation computes.
  void set_input(int input, double value) noexcept;
  /// Back to what the session's state has.
  void release_input(int input) noexcept {
    live_[static_cast<std::size_t>(input)] = state_.live[static_cast<std::size_t>(input)];
  }
  /// Value of an input with all that were set.
  double value(int input) noexcept;
  /// Fills `values` in the order of the choice, one of the session's. False where the mass matrix
  /// is not positive definite or an acceleration not finite; `values` are void then.
  [[nodiscard]] bool read(const OutputChoice& choice, double* values) noexcept;

 private:
  const Model* model_;
  Workspace ws_;
  Recorder recorder_;
  std::vector<char> follows_;    ///< [output] inputs may act on it
  std::vector<double> row_;      ///< [output] scratch
  State state_;                  ///< of the session
  State changed_;                ///< with the inputs that were set
  std::vector<LiveInput> live_;  ///< [input] of changed_
  std::vector<CurveValue> own_;  ///< [input] at the state
  std::vector<CurveValue> now_;  ///< [input] scratch
  AccelerationChange change_;
  bool has_begun_ = false;  ///< change_, at this state
};

}  // namespace semirec
