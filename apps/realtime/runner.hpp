#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "apps/realtime/histogram.hpp"
#include "apps/realtime/link.hpp"
#include "apps/realtime/schedule.hpp"
#include "vehicles/session/session.hpp"

namespace semirec::realtime {

struct RunnerSettings {
  ScheduleSettings schedule;
  std::int64_t duration = 0;           ///< wall time, ns
  std::int64_t spin = 0;               ///< asks the clock this long before each release, ns
  bool rehearse = false;               ///< before each release, within `spin`: Session::rehearse()
  bool thread_time = true;             ///< also measure the step in the thread's CPU time
  bool baseline = false;               ///< every other block runs work() instead of the step
  std::int64_t block = 1'000'000'000;  ///< ns
  double rounds = 0.0;             ///< of work() a nanosecond (measure_work()), for the baseline
  double correction_bound = 1e-6;  ///< on the rms of a step's last correction, m or rad
  double closure_bound = 1e-6;     ///< on a step's closure error, m
};

/// Durations of the periods of one kind, ns.
struct Timings {
  Histogram lateness;  ///< wake-up after the release
  Histogram step;      ///< step() alone, or work(), in wall time
  Histogram cpu;       ///< the same in the thread's CPU time, one call of that clock included
  Histogram work;      ///< from the wake-up: inputs, step, outputs
  Histogram response;  ///< from the release until the outputs are published
};

enum class RunnerStop {
  finished,
  interrupted,
  step_failed,  ///< the state is the one before
  too_slow,     ///< the three of ScheduleStop
  too_many_overruns,
  too_far_behind,
  client_silent
};

/// Largest size of a number with the model time of its step.
struct Worst {
  double value = 0.0;
  double time = 0.0;  ///< s
  int row = -1;       ///< of Phi
};

struct RunnerReport {
  RunnerStop stop = RunnerStop::finished;
  StepStatus failure = StepStatus::converged;  ///< of the last step that failed
  std::uint64_t failed_steps = 0;
  std::int64_t wall = 0;                      ///< ns
  std::uint64_t steps = 0;                    ///< that succeeded
  double model_begin = 0.0, model_end = 0.0;  ///< s
  ClientReport client;
  std::uint64_t over_bound = 0;  ///< steps above correction_bound or closure_bound
  Worst correction, closure;
  long minor_faults = 0, major_faults = 0;                ///< page faults in the loop
  long voluntary_switches = 0, involuntary_switches = 0;  ///< of the thread, in the loop
};

/// Runs a session at a fixed rate on the calling thread: wait, take inputs, step, publish outputs.
///
/// All memory is taken by the constructor. run() uses no heap, lock or output; it calls the system
/// to read clocks and to sleep.
class Runner {
 public:
  /// `link` may be null: then the inputs follow their curves or what they were set to.
  Runner(Session& session, const RunnerSettings& settings, Link* link);
  /// Until the duration is over, `stop` is set, or it cannot go on.
  const RunnerReport& run(const std::atomic<int>& stop);

  const RunnerReport& report() const noexcept { return report_; }
  const Schedule& schedule() const noexcept { return schedule_; }
  const Schedule& baseline_schedule() const noexcept { return baseline_schedule_; }
  const Timings& timings() const noexcept { return timings_; }
  const Timings& baseline_timings() const noexcept { return baseline_; }

 private:
  bool run_period(std::int64_t woke, std::int64_t& ended) noexcept;
  void run_baseline(std::int64_t woke, std::int64_t& ended) noexcept;
  void note_step() noexcept;

  Session& session_;
  RunnerSettings settings_;
  Link* link_;
  Schedule schedule_, baseline_schedule_;
  Timings timings_, baseline_;
  RunnerReport report_;
  std::vector<double> outputs_;
  std::int64_t rounds_ = 0;  ///< of work(), in the current baseline block
  double sink_ = 0.0;
};

}  // namespace semirec::realtime
