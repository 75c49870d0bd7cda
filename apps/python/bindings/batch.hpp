#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "apps/python/bindings/car.hpp"
#include "vehicles/fleet/sessions_side_by_side.hpp"

namespace semirec::python {

/// Cars of like inputs and outputs side by side: one row of each matrix a car. What a car does
/// hangs on its own row alone, however many threads there are.
class Batch {
 public:
  /// Copies the cars as they are now. `threads` 0: one a processor. `side_by_side`: in the lanes of
  /// vector registers (SessionsSideBySide), as long as no Python function may act in a step. Throws
  /// ModelError where there is none, where inputs or outputs of one have other names, or where one
  /// cannot be stepped beside the first of its register.
  Batch(const std::vector<const Car*>& cars, int threads, bool side_by_side);

  int size() const { return static_cast<int>(cars_.size()); }
  int input_count() const { return input_count_; }
  int output_count() const { return output_count_; }
  Car& car(int k) { return *cars_[static_cast<std::size_t>(k)]; }
  double* inputs() { return inputs_.data(); }    ///< size x input_count, rows after one another
  double* outputs() { return outputs_.data(); }  ///< size x output_count
  /// [car] of its last step; a car that has failed stands still until it is reset, its outputs NaN.
  const std::vector<StepStatus>& status() const { return status_; }

  /// Asked by the calling thread some times a second, between steps: false ends them. Throws
  /// nothing.
  using GoesOn = std::function<bool()>;

  /// So many steps of each car that has not failed, then its outputs. False: ended before, with the
  /// outputs of the states that were reached.
  bool step(int steps, const GoesOn& goes_on) noexcept;
  /// For each row of the controls: inputs, `every` steps, outputs. `controls` holds rows x inputs,
  /// of each car one after the other where `own` (else all are given the same); `outputs` receives
  /// size x rows x outputs. False: ended before, with the rows up to there.
  bool rollout(const double* controls, int rows, bool own, int every, double* outputs,
               const GoesOn& goes_on) noexcept;
  /// Back to the state in which the car was handed over.
  void reset(int car);
  /// Whether a thread of Python steps it; read and set under the lock of Python alone.
  bool& at_work() { return at_work_; }

 private:
  /// Whether cars are now stepped side by side.
  bool goes_side_by_side() const noexcept;
  /// Cars that one call steps: those of a register, or one by itself.
  struct Group {
    int index;
    std::span<const std::size_t> cars;
  };
  /// Steps of a group's cars that have not failed.
  void advance(const Group& group, int steps) noexcept;
  /// Outputs of a group's cars, after a step or as they stand.
  void read_outputs(const Group& group, bool after_step) noexcept;
  /// Outputs of all cars where the steps were ended; what raises leaves NaN.
  void read_outputs_quietly() noexcept;
  /// Steps of all cars that are taken before somebody is asked again.
  int steps_until_asked() const noexcept;
  /// Calls the function for each group, in threads.
  template <typename Task>
  void in_threads(const Task& task) noexcept;

  std::vector<std::unique_ptr<Car>> cars_;
  std::vector<std::size_t> places_;  ///< 0, 1, ...: of cars by themselves
  std::optional<SessionsSideBySide> beside_;
  std::vector<std::vector<std::byte>> start_;
  std::vector<StepStatus> status_;
  int input_count_ = 0, output_count_ = 0, threads_ = 1;
  bool at_work_ = false;
  std::vector<double> inputs_, outputs_;
};

}  // namespace semirec::python
