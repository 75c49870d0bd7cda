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

Runner::Runner(Session& session, const RunnerSettings& settings, Exchange* exchange)
    : session_(session),
      settings_(with_blocks(settings)),
      exchange_(exchange),
      watch_(settings.input_timeout),
      schedule_(settings_.schedule, 0),
      baseline_schedule_(without_limits(settings_.schedule), 0),
      outputs_(session.outputs().size()),
      from_client_(session.inputs().size(), 0) {
  session_.read_outputs(outputs_.data());
}

bool Runner::take_inputs() noexcept {
  if (exchange_->take_inputs()) ++report_.input_records;
  const ClientWatch::News news = watch_.look(exchange_->client_heartbeat());
  if (news == ClientWatch::News::fell_silent) {
    if (watch_.timeouts() == 1) report_.first_timeout = session_.time();
    if (settings_.on_timeout == OnTimeout::stop) return false;
  }
  if (exchange_->input_record() == 0) return true;
  const bool to_curves = watch_.silent() && settings_.on_timeout == OnTimeout::curve;
  for (std::size_t k = 0; k < from_client_.size(); ++k) {
    const int input = static_cast<int>(k);
    if (exchange_->given(k) && !to_curves) {
      // every period, also without a new record: the rate of a held input is zero
      const InputStatus status = session_.set_input(input, exchange_->value(k));
      if (status == InputStatus::accepted) {
        from_client_[k] = 1;
      } else if (report_.refused.count++ == 0) {
        report_.refused.first_input = input;
        report_.refused.first_time = session_.time();
      }
    } else if (from_client_[k] != 0) {
      session_.release_input(input);
      from_client_[k] = 0;
    }
  }
  return true;
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
  if (exchange_ != nullptr && !take_inputs()) {
    report_.stop = RunnerStop::client_silent;
    return false;
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
    report_.stop = RunnerStop::step_failed;
    report_.failure = status;
  }
  // of a step that failed: the outputs before it, with its status
  if (exchange_ != nullptr)
    exchange_->publish(schedule_.periods() + 1, now(), static_cast<std::uint64_t>(status),
                       outputs_.data());
  ended = now();
  timings_.work.add(ended - woke);
  timings_.response.add(ended - release);
  return status == StepStatus::converged;
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
      Schedule* other = stepping ? &baseline_schedule_ : &schedule_;
      other->resume(active->release());
      stepping = !stepping;
      active = other;
      // as long as half of the steps so far were
      const auto median = static_cast<double>(timings_.step.quantile(0.5));
      rounds_ = static_cast<std::int64_t>(median * settings_.rounds);
      while (block_end <= active->release()) block_end += settings_.block;
    }
    if (active->release() + period > end) break;
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
  report_.timeouts = watch_.timeouts();
  report_.silent_periods = watch_.silent_periods();
  report_.client_silent = watch_.silent();
  if (exchange_ != nullptr) report_.overtaken = exchange_->overtaken();
  return report_;
}

}  // namespace semirec::realtime
