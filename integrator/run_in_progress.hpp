#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "integrator/simulation.hpp"

namespace semirec {

/// Where inputs jump and events happen: times that count as one. A step ends at the first of them,
/// before all jumps; what comes after begins at the last.
struct Breakpoint {
  double first, last;  ///< s
};

/// A run() taken grid step by grid step, so that runs of several cars may take theirs side by side.
/// With an error tolerance, where there is no grid, the first step is the whole run.
class RunInProgress {
 public:
  /// All of them outlive the run. The start is recorded.
  RunInProgress(const Model& model, const RunSettings& settings, State& state, Workspace& ws,
                const RunObserver& observer);
  ~RunInProgress();
  RunInProgress(const RunInProgress&) = delete;
  RunInProgress& operator=(const RunInProgress&) = delete;

  /// Whether there is another step to take: neither failed, nor stopped, nor at the end.
  bool goes_on() const;
  /// Where the coming grid step begins and ends, s.
  double grid_time() const { return grid_time(taken_); }
  double next_time() const { return grid_time(taken_ + 1); }
  /// Takes it as run() does: cut where inputs jump and events happen, in halves where it fails.
  void take_step();

  /// Whether nothing happens within the coming grid step, and the state's time is that of the grid
  /// to the bit: it is one step() from grid_time() to next_time().
  bool is_next_plain() const;
  /// Whether somebody looks at the state where the coming grid step ends.
  bool looks_at_next() const;
  /// Such a step has been taken elsewhere. The state is at its end; where nobody looks at it, its
  /// time is enough.
  void note_plain_step(const StepReport& step);

  RunReport finish();

 private:
  class Runner;
  double grid_time(long steps) const;
  bool is_record_due(double t) const;
  bool see();  ///< here and below: whether the run goes on
  bool record();
  bool record_until(double end);  ///< instants within the last step
  bool keeps_going() const;
  void end_step();
  void take_steps_of_their_own();

  const RunSettings& settings_;
  State& state_;
  const RunObserver& observer_;
  std::unique_ptr<Runner> runner_;
  double t0_;
  long steps_;      ///< of the grid
  long taken_ = 0;  ///< of them
  bool going_ = true;
  double records_ = 0.0;  ///< record intervals from the start until the next record
  std::vector<Breakpoint> breakpoints_;
  std::size_t next_ = 0;  ///< of them
};

}  // namespace semirec
