#include "apps/realtime/runner.hpp"

#include <algorithm>
#include <sys/resource.h>

#include "apps/realtime/busy.hpp"
#include "apps/realtime/clock.hpp"

namespace semirec::realtime {

namespace {

RunnerSettings with_blocks(RunnerSettings settings) {
  // a block holds a window that can be judged
  if (settings.baseline) {
    settings.block =
        std::max(settings.block, 2 * settings.schedule.least_periods * settings.schedule.period);
    settings.schedule.window = std::min(settings.schedule.window, settings.block * 9 / 10);
  }
  return settings;
}

ScheduleSettings without_limits(ScheduleSettings settings) {
  settings.policy = Policy::skip;
  settings.window = INT64_MAX;
  return settings;
}

RunnerStop stop_of(ScheduleStop stop) noexcept {
  switch (stop) {
    case ScheduleStop::too_slow:
      return RunnerStop::too_slow;
    case ScheduleStop::too_many_overruns:
      return RunnerStop::too_many_overruns;
    case ScheduleStop::too_far_behind:
      return RunnerStop::too_far_behind;
    case ScheduleStop::none:
      break;
  }
  return RunnerStop::finished;
}

}  // namespace

Runner::Runner(Session& session, const RunnerSettings& settings, Link* link)
    : session_(session),
      settings_(with_blocks(settings)),
      link_(link),
      schedule_(settings_.schedule, 0),
      baseline_schedule_(without_limits(settings_.schedule), 0),
      outputs_(session.outputs().size()) {
  session_.read_outputs(outputs_.data());
}

void Runner::note_step() noexcept {
  const StepReport& step = session_.report();
  const double time = session_.time();
  if (step.correction > report_.correction.value) report_.correction = {step.correction, time, -1};
  if (step.Phi > report_.closure.value) report_.closure = {step.Phi, time, step.worst_row};
  if (step.correction > settings_.correction_bound || step.Phi > settings_.closure_bound)
    ++report_.over_bound;
}

bool Runner::run_period(std::int64_t woke, std::int64_t& ended) noexcept {
  const std::int64_t release = schedule_.release();
  timings_.lateness.add(woke - release);
  const Link::Act act = link_ != nullptr ? link_->begin_period(session_) : Link::Act::step;
  if (act != Link::Act::step) {
    ended = now();
    if (act == Link::Act::client_silent) report_.stop = RunnerStop::client_silent;
    return act == Link::Act::wait;
  }

  // the CPU clock outside: its system calls are no part of the step's wall time
  const std::int64_t cpu = settings_.thread_time ? thread_time() : 0;
  const std::int64_t begin = now();
  const StepStatus status = session_.step();
  const std::int64_t end = now();
  if (settings_.thread_time) timings_.cpu.add(thread_time() - cpu);
  timings_.step.add(end - begin);

  if (status == StepStatus::converged) {
    ++report_.steps;
    note_step();
    session_.read_outputs(outputs_.data());
  } else {
    report_.failure = status;
    ++report_.failed_steps;
  }
  // of a step that failed: the outputs before it, with its status
  if (link_ != nullptr)
    link_->end_period(session_, schedule_.periods() + 1, status, outputs_.data());
  ended = now();
  timings_.work.add(ended - woke);
  timings_.response.add(ended - release);
  if (status == StepStatus::converged || (link_ != nullptr && link_->survives_failures()))
    return true;
  report_.stop = RunnerStop::step_failed;
  return false;
}

void Runner::run_baseline(std::int64_t woke, std::int64_t& ended) noexcept {
  const std::int64_t release = baseline_schedule_.release();
  baseline_.lateness.add(woke - release);
  const std::int64_t cpu = settings_.thread_time ? thread_time() : 0;
  const std::int64_t begin = now();
  sink_ += work(rounds_);
  const std::int64_t end = now();
  if (settings_.thread_time) baseline_.cpu.add(thread_time() - cpu);
  baseline_.step.add(end - begin);
  ended = now();
  baseline_.work.add(ended - woke);
  baseline_.response.add(ended - release);
}

const RunnerReport& Runner::run(const std::atomic<int>& stop) {
  const std::int64_t period = settings_.schedule.period;
  report_.model_begin = session_.time();
  rusage before{};
  getrusage(RUSAGE_THREAD, &before);
  const std::int64_t start = now() + std::max<std::int64_t>(period, 1'000'000);
  const std::int64_t end = start + settings_.duration;
  std::int64_t block_end = settings_.baseline ? start + settings_.block : INT64_MAX;
  bool stepping = true;
  schedule_.resume(start);
  while (true) {
    Schedule* active = stepping ? &schedule_ : &baseline_schedule_;
    if (active->release() >= block_end) {
      if (stepping) {
        // of a block that has begun late
        report_.stop = stop_of(schedule_.finish());
        if (report_.stop != RunnerStop::finished) break;
      }
      Schedule* other = stepping ? &baseline_schedule_ : &schedule_;
      other->resume(active->release());
      stepping = !stepping;
      active = other;
      // as long as half of the steps so far were
      const auto median = static_cast<double>(timings_.step.quantile(0.5));
      rounds_ = static_cast<std::int64_t>(median * settings_.rounds);
      while (block_end <= active->release()) block_end += settings_.block;
    }
    if (active->release() + period > end) {
      report_.stop = stop_of(schedule_.finish());
      break;
    }
    if (settings_.rehearse && stepping) {
      wait_until(active->release() - settings_.spin, 0, stop);
      session_.rehearse();
    }
    wait_until(active->release(), settings_.spin, stop);
    if (stop.load(std::memory_order_relaxed) != 0) {
      report_.stop = RunnerStop::interrupted;
      break;
    }
    const std::int64_t woke = now();
    std::int64_t ended = woke;
    if (stepping) {
      const bool good = run_period(woke, ended);
      if (link_ != nullptr && link_->period() > 0) schedule_.change_period(link_->period());
      const ScheduleStop verdict = schedule_.end_period(woke, ended);
      if (!good) break;
      if (verdict != ScheduleStop::none) {
        report_.stop = stop_of(verdict);
        break;
      }
    } else {
      run_baseline(woke, ended);
      (void)baseline_schedule_.end_period(woke, ended);
    }
  }
  report_.wall = now() - start;
  rusage after{};
  getrusage(RUSAGE_THREAD, &after);
  report_.minor_faults = after.ru_minflt - before.ru_minflt;
  report_.major_faults = after.ru_majflt - before.ru_majflt;
  report_.voluntary_switches = after.ru_nvcsw - before.ru_nvcsw;
  report_.involuntary_switches = after.ru_nivcsw - before.ru_nivcsw;
  report_.model_end = session_.time();
  if (link_ != nullptr) report_.client = link_->report();
  return report_;
}

}  // namespace semirec::realtime
