#include "integrator/simulation.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <limits>
#include <sstream>

#include "integrator/event_watcher.hpp"
#include "integrator/method/methods.hpp"
#include "integrator/statics/initial_conditions.hpp"
#include "integrator/step.hpp"
#include "topology/largest_magnitude.hpp"

namespace semirec {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::vector<double> find_breakpoints(const Model& model, const std::vector<Event>& events) {
  std::vector<double> times;
  for (const Event& event : events)
    if (event.is_timed()) times.push_back(event.time);
  for (const Input& input : model.mechanism.inputs)
    for (const double t : input.curve.breakpoints()) times.push_back(t);
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

std::string failure_text(const Model& model, const StepReport& report, double t, double h) {
  std::ostringstream text;
  text.precision(6);
  text << "step from t = " << t << " s with h = " << h << " s: " << name_of(report.status);
  if (report.worst_row >= 0) {
    text << "; worst closure '" << name_of_row(model, report.worst_row) << "' open by "
         << report.Phi << " m or rad";
  }
  return text.str();
}

double turned_over(const Energy& start, const Energy& now) {
  return std::abs(now.kinetic - start.kinetic) + std::abs(now.potential - start.potential) +
         std::abs(now.elastic - start.elastic) + std::abs(now.input - start.input);
}

/// A run in progress.
class Runner {
 public:
  Runner(const Model& model, const RunSettings& settings, State& state, Workspace& ws)
      : model_(model),
        settings_(settings),
        state_(state),
        ws_(ws),
        watcher_(model, settings.events) {
    watcher_.remember(model, state);
  }

  /// Advances by h, in halves where a step fails. False when it cannot be done.
  bool advance(double h, bool to_breakpoint, int depth) {
    StepSettings step_settings = settings_.step;
    step_settings.h = h;
    step_settings.ends_on_breakpoint = to_breakpoint;
    const Clock::time_point start = Clock::now();
    const StepReport step_report = step(model_, step_settings, state_, ws_);
    const double elapsed = seconds_since(start);
    report.step_time += elapsed;
    report.step_us.push_back(static_cast<float>(1e6 * elapsed));
    iterations_ += step_report.iterations;
    ++calls_;
    report.factorizations += step_report.factorizations;
    report.reselections += step_report.reselections;
    report.pivotings += step_report.pivotings;
    report.iterations_max = std::max(report.iterations_max, step_report.iterations);
    if (step_report.status == StepStatus::converged) {
      report.Phi = std::max(report.Phi, step_report.Phi);
      if (!step_report.settled) ++report.unsettled;
      if (step_report.correction > report.correction) {
        report.correction = step_report.correction;
        report.correction_at = state_.t;
      }
      return true;
    }
    if (settings_.step.iterations > 0 || depth >= settings_.max_halvings) {
      report.status = RunStatus::failed;
      report.failure = step_report.status;
      report.message = failure_text(model_, step_report, state_.t, h);
      return false;
    }
    ++report.substeps;
    if (depth == 0) ++report.halved;
    return advance(0.5 * h, false, depth + 1) && advance(0.5 * h, to_breakpoint, depth + 1);
  }

  /// To the time `target`, stopping at the breakpoints and events on the way.
  bool advance_to(double target, const std::vector<double>& breakpoints, std::size_t& next) {
    const double close = 1e-9 * settings_.step.h;
    while (next < breakpoints.size() && breakpoints[next] <= state_.t + close) ++next;
    while (state_.t < target - close) {
      const bool at_breakpoint = next < breakpoints.size() && breakpoints[next] <= target + close;
      const double stop = at_breakpoint ? std::min(breakpoints[next], target) : target;
      const Energy before = energy;
      if (watcher_.watches()) before_ = state_;
      double h = stop - state_.t;
      if (!advance(h, at_breakpoint, 0)) return false;
      state_.t = stop;
      const Event* crossed = watcher_.find_crossing(model_, state_);
      if (crossed != nullptr && !stop_at_crossing(*crossed, h)) return false;
      const bool broken = at_breakpoint && state_.t >= stop - close;
      if (settings_.audit) {
        // at a breakpoint the powers before the jump belong to this step, those after to the next
        energy = find_energy(model_, state_, ws_, /*from_left=*/broken);
        accumulate_energy(before, h, energy);
        note_closures();
        if (!note_energy()) return false;
      }
      if (broken || crossed != nullptr) {
        if (!start_anew(crossed)) return false;
        if (broken) ++next;
        if (state_.t < target - close) ++report.substeps;
      }
    }
    return true;
  }

  /// After a jump of an input or at events: velocities, accelerations and multipliers anew.
  bool start_anew(const Event* crossed) {
    const auto happen = [&](const Event& event) {
      const std::string why = apply_event(model_, settings_.step, event, state_, ws_);
      if (!why.empty()) {
        report.status = RunStatus::failed;
        report.failure = StepStatus::event_impossible;
        report.message = why;
        return false;
      }
      report.events.push_back({event.name, state_.t});
      return true;
    };
    bool events = crossed != nullptr;
    if (crossed != nullptr && !happen(*crossed)) return false;
    for (const Event& event : settings_.events) {
      if (!event.is_timed() || std::abs(event.time - state_.t) > 1e-9 * settings_.step.h) continue;
      if (!happen(event)) return false;
      events = true;
    }
    if (!events && !restart(model_, state_, ws_)) {
      report.status = RunStatus::failed;
      report.failure = StepStatus::tangent_not_positive_definite;
      report.message = "restart after an input's jump: the mass matrix is not positive definite";
      return false;
    }
    watcher_.remember(model_, state_);
    if (settings_.audit) {
      const Energy before_jump = energy;
      energy = find_energy(model_, state_, ws_);
      carry_over_jump(before_jump, energy);
    }
    return true;
  }

  /// False when the energy is no finite number: the motion then says nothing either.
  bool note_energy() {
    const double error = energy.error(report.start);
    if (std::isfinite(error)) {
      report.energy_error = std::max(report.energy_error, std::abs(error));
      report.energy_turned_over =
          std::max(report.energy_turned_over, turned_over(report.start, energy));
      return true;
    }
    std::ostringstream text;
    text.precision(6);
    text << "the energy is not finite at t = " << state_.t
         << " s: a force, a velocity or a load is beyond all numbers";
    report.energy_error = std::numeric_limits<double>::quiet_NaN();
    report.status = RunStatus::failed;
    report.failure = StepStatus::non_finite;
    report.message = text.str();
    return false;
  }

  void note_closures() {
    if (model_.m() == 0) return;
    report.Phid = std::max(report.Phid, largest_magnitude(ws_.closures.Phid));
    report.Phidd = std::max(report.Phidd, largest_magnitude(ws_.closures.Phidd));
  }

  void finish() {
    report.iterations_mean =
        calls_ > 0 ? static_cast<double>(iterations_) / static_cast<double>(calls_) : 0.0;
    report.end = energy;
    if (settings_.step.closing == Closing::multipliers)
      report.dependent_owners = find_dependent_owners(model_, ws_);
  }

  RunReport report;
  Energy energy;

 private:
  /// Goes back to the step's start and only as far as the condition's crossing; h becomes that way.
  bool stop_at_crossing(const Event& event, double& h) {
    const double t0 = before_.t;
    double low = 0.0;
    double high = h;
    const State end = state_;
    StepSettings settings = settings_.step;
    for (int k = 0; k < 40 && high - low > 1e-6 * h; ++k) {
      settings.h = 0.5 * (low + high);
      state_ = before_;
      const StepReport part = step(model_, settings, state_, ws_);
      if (part.status != StepStatus::converged) {
        low = high;
        break;
      }
      (watcher_.is_across(event, model_, state_) ? high : low) = settings.h;
    }
    // too close to the step's end for a step of its own, or to its start
    high = std::max(high, 1e-3 * h);
    if (h - high < 1e-3 * h || low >= high) {
      state_ = end;
      return true;
    }
    h = high;
    state_ = before_;
    if (!advance(h, false, 0)) return false;
    state_.t = t0 + h;
    return true;
  }

  const Model& model_;
  const RunSettings& settings_;
  State& state_;
  Workspace& ws_;
  EventWatcher watcher_;
  State before_;
  long iterations_ = 0;
  long calls_ = 0;
};

}  // namespace

bool is_balance_broken(const RunReport& report) {
  const auto largest = [](const Energy& e) {
    return std::abs(e.kinetic) + std::abs(e.potential) + std::abs(e.elastic);
  };
  const double round_off = 1e-9 * (largest(report.start) + largest(report.end));
  return !(report.energy_error <= kBalanceShare * report.energy_turned_over + round_off);
}

double step_quantile(const RunReport& report, double p) {
  if (report.step_us.empty()) return 0.0;
  std::vector<float> sorted = report.step_us;
  const auto rank =
      static_cast<std::ptrdiff_t>(std::min(static_cast<double>(sorted.size()) - 1.0,
                                           std::floor(p * static_cast<double>(sorted.size()))));
  std::nth_element(sorted.begin(), sorted.begin() + rank, sorted.end());
  return static_cast<double>(sorted[static_cast<std::size_t>(rank)]);
}

RunReport run(const Model& model, const RunSettings& settings, State& state, Workspace& ws,
              const RunObserver& observer) {
  const Clock::time_point start = Clock::now();
  const std::clock_t cpu_start = std::clock();
  Runner runner(model, settings, state, ws);
  const double h = settings.step.h;
  const double t0 = state.t;
  const auto steps = static_cast<long>(std::ceil((settings.until - t0) / h - 1e-9));
  runner.report.step_us.reserve(static_cast<std::size_t>(std::max(steps, 0L)));
  runner.energy = find_energy(model, state, ws);
  runner.report.start = runner.energy;

  const std::vector<double> breakpoints = find_breakpoints(model, settings.events);
  std::size_t next = 0;
  double records = 0.0;  // intervals until the next one
  const auto record_due = [&] {
    return settings.record <= 0.0 || state.t >= t0 + records * settings.record - 1e-9 * h;
  };
  const auto record = [&] {
    if (!record_due()) return true;
    if (settings.record > 0.0)
      records = std::floor((state.t - t0 + 1e-9 * h) / settings.record) + 1.0;
    return !observer.record || observer.record(state, runner.energy);
  };
  bool going = record();
  for (long k = 1; k <= steps && going; ++k) {
    const double target = std::min(t0 + static_cast<double>(k) * h, std::max(settings.until, t0));
    if (!runner.advance_to(target, breakpoints, next)) break;
    ++runner.report.steps;
    going = record() && (!observer.keep_going || observer.keep_going(state.t));
  }
  if (!going && runner.report.status == RunStatus::finished)
    runner.report.status = RunStatus::stopped;
  runner.finish();
  runner.report.wall = seconds_since(start);
  runner.report.step_cpu = static_cast<double>(std::clock() - cpu_start) / CLOCKS_PER_SEC;
  return runner.report;
}

}  // namespace semirec
