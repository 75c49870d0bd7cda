#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "apps/python/bindings/trouble.hpp"
#include "vehicles/session/input_array.hpp"
#include "vehicles/session/session.hpp"

namespace semirec::python {

/// A session whose inputs and outputs lie in memory that Python sees as arrays.
///
/// An input that is NaN follows its own curve, as all do at first; a number is the input's value at
/// the end of the coming step and is held from then on.
class Car {
 public:
  /// `outputs`: names, in the order wanted; empty: all. Throws ModelError for one that there is
  /// not. `forces` are the car's own beside those of its files.
  Car(const DriveDescription& read, const SessionSettings& settings,
      const std::vector<std::string>& outputs,
      std::vector<std::unique_ptr<ForceElement>> forces = {});
  /// Another car at the same state with the same inputs; in memory of its own.
  Car(const Car& other);
  Car& operator=(const Car&) = delete;

  /// Moves inputs and outputs to memory of somebody else's, which outlives the car.
  void live_in(double* inputs, double* outputs);

  /// Hands over the inputs that have changed. False: one is infinite or computed by the vehicle,
  /// and `bad_input()` is its index.
  bool send_inputs() noexcept { return sent_.send(inputs_, 1, session_); }
  /// The same and takes steps until one fails. Where send_inputs()
  /// fails nothing is done. Where a Python function raises, the
  /// car stands where it stood before that step, and `trouble()` has it. Outputs are those of
  /// before.
  StepStatus advance(int steps) noexcept;
  /// Before steps that are taken elsewhere, beside those of other cars: their report counts.
  void step_elsewhere() noexcept { undone_ = false; }
  /// Of the last step, also of one that failed or was taken back.
  StepReport report() const noexcept;
  Trouble& trouble() noexcept { return trouble_; }
  int bad_input() const noexcept { return sent_.bad(); }
  /// Fills the outputs from the state. False: a Python function raised, which trouble() has.
  bool read_outputs() noexcept;
  /// The same after a step of advance(), back before which the car goes where one raises.
  bool read_outputs_after_step() noexcept;
  /// The same after something was raised: what is raised here is forgotten, outputs of who raises
  /// are NaN.
  void read_outputs_quietly() noexcept;

  std::vector<std::byte> save();
  /// Inputs and outputs are then those of the restored state; what a Python function raised where
  /// outputs were filled trouble() has.
  RestoreStatus restore(const std::byte* bytes, std::size_t size);

  /// Whether somebody steps, saves or copies it: under the lock of Python alone.
  bool& at_work() { return at_work_; }

  Session& session() { return session_; }
  const Session& session() const { return session_; }
  double* inputs() { return inputs_; }
  double* outputs() { return outputs_; }
  /// [output] its place among Session::outputs().
  const std::vector<std::size_t>& chosen() const { return chosen_; }

 private:
  void read_outputs(Trouble& trouble) noexcept;

  Session session_;
  std::vector<std::size_t> chosen_;
  bool all_ = false;  ///< chosen_ counts through
  OutputChoice choice_;
  std::vector<double> own_inputs_, own_outputs_;
  InputArray sent_;
  double* inputs_ = nullptr;
  double* outputs_ = nullptr;
  Trouble trouble_;
  bool at_work_ = false;
  bool undone_ = false;            ///< the last step was taken back
  std::vector<std::byte> before_;  ///< the way back from a step in which a Python function raised
};

}  // namespace semirec::python
