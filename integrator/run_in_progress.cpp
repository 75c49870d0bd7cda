#include "integrator/run_in_progress.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>
#include <sstream>

#include "integrator/contact_cutter.hpp"
#include "integrator/event_watcher.hpp"
#include "integrator/formulation/evaluate.hpp"
#include "integrator/method/methods.hpp"
#include "integrator/same_time.hpp"
#include "integrator/statics/initial_conditions.hpp"
#include "integrator/statics/live_states.hpp"
#include "integrator/step.hpp"
#include "topology/indices.hpp"
#include "topology/largest_magnitude.hpp"

namespace semirec {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Where inputs jump and events happen, for steps of `h`.
std::vector<Breakpoint> find_breakpoints(const Model& model, const std::vector<Event>& events,
                                         double h) {
  std::vector<double> times;
  for (const Event& event : events)
    if (event.is_timed()) times.push_back(event.time);
  for (const Input& input : model.mechanism.inputs)
    for (const double t : input.curve.breakpoints()) times.push_back(t);
  std::sort(times.begin(), times.end());
  std::vector<Breakpoint> apart;
  for (const double t : times) {
    if (!apart.empty() && t - apart.back().last <= closeness(t, h))
      apart.back().last = t;
    else
      apart.push_back({t, t});
  }
  return apart;
}

/// Of a step: after shorter ones accelerations are found anew.
constexpr double kRest = 1e-2;
/// Of a step: within shorter ones crossings are not located.
constexpr double kLocated = 1e-6;

std::string failure_text(const Model& model, const Workspace& ws, const StepReport& report,
                         double t, double h) {
  std::ostringstream text;
  text.precision(6);
  text << "step from t = " << t << " s with h = " << h << " s: " << name_of(report.status);
  if (report.worst_row >= 0) {
    text << "; worst closure '" << name_of_row(model, report.worst_row) << "' open by "
         << report.Phi << " m or rad";
  }
  if (const auto number = find_non_finite(model, ws))
    text << (number->is_rate ? "; the rate of '" : "; '") << name_of(model, *number)
         << "' is not finite";
  return text.str();
}

/// `start_parts`, `parts`: of the kinetic energy. What one body hands to another is turned over
/// too.
double turned_over(const Energy& start, const Energy& now, const std::vector<double>& start_parts,
                   const std::vector<double>& parts) {
  double sum = std::abs(now.potential - start.potential) + std::abs(now.elastic - start.elastic) +
               std::abs(now.input - start.input);
  for (std::size_t k = 0; k < parts.size(); ++k) sum += std::abs(parts[k] - start_parts[k]);
  return sum;
}

double find_energy_of_rest(const Model& model) {
  constexpr double kNoSpeed = 1e-12;     // m/s: what rates are, where nothing moves
  constexpr double kNoDistance = 1e-12;  // m: and what places are off by
  double mass = 0.0;
  for (const Body& body : model.mechanism.bodies) mass += body.mass;
  return mass * (0.5 * kNoSpeed * kNoSpeed + model.tree.gravity.norm() * kNoDistance);
}

}  // namespace

/// What it has come to.
class RunInProgress::Runner {
 public:
  Runner(const Model& model, const RunSettings& settings, State& state, Workspace& ws)
      : model_(model),
        settings_(settings),
        state_(state),
        ws_(ws),
        watcher_(model, settings.events),
        timed_(find_timed(settings.events)),
        damps_(settings.audit && settings.step.scheme.make(settings.step.h).damps),
        has_own_rates_(settings.step.scheme.family->kind == StepKind::index_3 &&
                       model.formulation->takes_rates_of_scheme()),
        lags_(settings.step.scheme.family->kind == StepKind::linearly_implicit),
        // accelerations that are found anew at the end of a step know what has been switched there
        switched_(settings.audit && !finds_anew(settings.step) ? find_switched_states(model)
                                                               : std::vector<int>{}),
        switched_from_(switched_.size()) {
    watcher_.remember(model, state);
    while (next_timed_ < timed_.size() && has_come(timed_[next_timed_]->time, state.t))
      ++next_timed_;
    if (settings.control.tolerance > 0.0)
      controller_.emplace(settings.control, state, settings.step.h);
    if (settings.cut_contacts && settings.step.iterations == 0) {
      contacts_.emplace(model, settings.step.h);
      contacts_->remember(state);
    }
  }

  /// What is to be seen and recorded of a step of a length of its own.
  enum class Part {
    whole,
    way,  ///< what lies before its end, where a jump is still to come
    end   ///< its end, after the jump
  };
  /// Called after each such step; false: stop.
  std::function<bool(Part)> after_step;
  bool stopped = false;  ///< it said so

  /// Advances by h, in halves where a step fails. False when it cannot be done.
  bool advance(double h, bool to_breakpoint, int depth) {
    const StepReport step_report = take_step(h, to_breakpoint);
    if (step_report.status == StepStatus::converged) {
      note_step(step_report);
      return true;
    }
    if (settings_.step.iterations > 0 || depth >= settings_.max_halvings) {
      report.status = RunStatus::failed;
      report.failure = step_report.status;
      report.message = failure_text(model_, ws_, step_report, state_.t, h);
      return false;
    }
    ++report.substeps;
    if (depth == 0) ++report.halved;
    return advance(0.5 * h, false, depth + 1) && advance(0.5 * h, to_breakpoint, depth + 1);
  }

  /// Tries a step of the controller's length towards `stop` and moves `stop` to its end. False when
  /// none can be done; `done` tells whether this one was good.
  bool try_controlled(double& stop, bool& at_breakpoint, bool& done) {
    const double way = stop - state_.t;
    double h = way;
    if (controller_->length() < (1.0 - 1e-9) * way) {
      // two equal steps instead of one and a short rest
      h = controller_->length() < 0.5 * way ? controller_->length() : 0.5 * way;
      at_breakpoint = false;
      stop = state_.t + h;
    }
    before_ = state_;
    const StepReport step_report = take_step(h, at_breakpoint);
    done = step_report.status == StepStatus::converged;
    increment_ = ws_.increment;
    if (done) {
      if (cut_at_contact(h, stop, at_breakpoint) && h == 0.0) return true;
      const Scheme scheme = settings_.step.scheme.make(h, before_);
      done = controller_->judge(scheme, before_, state_);
      if (done) {
        note_step(step_report);
        return true;
      }
      state_ = before_;
      if (contacts_) contacts_->remember(state_);
    } else {
      controller_->refuse();
      ws_.kept_scale = 0.0;
    }
    if (!controller_->is_exhausted()) return true;
    report.status = RunStatus::failed;
    report.failure = step_report.status;
    report.message = failure_text(model_, ws_, step_report, state_.t, h);
    if (step_report.status == StepStatus::converged) {
      std::ostringstream text;
      text << "; but the error test fails at steps above " << settings_.control.smallest
           << " s, most of all for " << name_of_component(model_, controller_->worst());
      report.message += text.str();
    }
    return false;
  }

  /// One step towards `stop`, of length h in the end: the controller's, or all of the way, or up to
  /// a contact. False when none can be done; `done` tells whether this one was good.
  bool try_step(double& stop, bool& at_breakpoint, double& h, bool& done) {
    parts_taken_ = 0;
    if (contacts_ && h < kShortestStep * settings_.step.h) {
      before_ = state_;
      increment_ = h * state_.zd;
      contacts_->carry(state_, h);
      return find_anew();
    }
    if (controller_) {
      if (!try_controlled(stop, at_breakpoint, done)) return false;
      h = stop - before_.t;
      return true;
    }
    if (watcher_.watches() || contacts_) before_ = state_;
    if (!advance(h, at_breakpoint, 0)) return false;
    cut_at_contact(h, stop, at_breakpoint);
    return true;
  }

  bool has_come(double due, double t) const { return semirec::has_come(due, t, settings_.step.h); }

  /// To the time `target`, stopping at the breakpoints and events on the way.
  bool advance_to(double target, const std::vector<Breakpoint>& breakpoints, std::size_t& next) {
    while (next < breakpoints.size() && has_come(breakpoints[next].last, state_.t)) ++next;
    while (!has_come(target, state_.t)) {
      // a breakpoint that is the target but for rounding takes its place: inputs have jumped there
      bool at_breakpoint = next < breakpoints.size() && has_come(breakpoints[next].first, target);
      double stop = at_breakpoint ? breakpoints[next].first : target;
      const Energy before = energy;
      for (std::size_t k = 0; k < switched_.size(); ++k) switched_from_[k] = state_.x[switched_[k]];
      const double from = state_.t;
      double h = stop - from;
      bool done = true;
      if (!try_step(stop, at_breakpoint, h, done)) return note_part(before, from);
      if (!done) continue;
      state_.t = stop;
      if (h == 0.0) {
        if (!start_anew(/*timed=*/false)) return false;
        continue;
      }
      const bool rest = !controller_ && h < kRest * settings_.step.h;
      const bool settled = rest && settle_rest(at_breakpoint ? from : state_.t);
      due_ = watcher_.find_crossings(model_, state_);
      if (!due_.empty() && h > kLocated * settings_.step.h) {
        if (!stop_at_crossing(h)) return note_part(before, from);
        if (settled) static_cast<void>(settle_rest(from));
      }
      const bool crossed = !due_.empty();
      if (!crossed) watcher_.keep();
      const bool touched = settled || (contacts_ && (rest || contacts_->is_waiting()));
      const bool broken = at_breakpoint && has_come(stop, state_.t);
      const bool jumps = broken || touched || crossed;
      if (settings_.audit) {
        if (!settle_accelerations()) return false;
        // the powers before a jump belong to this step, those after to the next; so do those with
        // which the accelerations, that a switch leaves as they are, begin the next step
        energy = find_energy(model_, keep_before_switch() ? unswitched_ : state_, ws_,
                             /*from_left=*/broken);
        half_turns_->look(model_, ws_, state_.t, report.half_turns);
        note_closures();
        find_kinetic_parts(model_, ws_, kinetic_);
        note_scheme();
        accumulate_energy(before, h, energy);
        if (!note_energy()) return false;
      }
      if (controller_) energy_before_ = before;
      if (!look(jumps ? Part::way : Part::whole)) return true;
      if (!jumps) continue;
      if (broken) state_.t = breakpoints[next++].last;
      if (!start_anew(broken || crossed)) return false;
      if (!has_come(target, state_.t)) ++report.substeps;
      if (!look(Part::end)) return true;
    }
    return true;
  }

  /// False: the run is to stop.
  bool look(Part part) {
    if (controller_ && after_step && !after_step(part)) stopped = true;
    return !stopped;
  }

  /// A step without iterations hands out the mean accelerations over itself: audit, records and the
  /// end of a run have those that balance the forces.
  bool settle_accelerations() { return find_settled() || fail_without_accelerations("a step"); }
  /// False where there are none.
  bool find_settled() {
    return !finds_anew(settings_.step) || find_accelerations(model_, state_, ws_);
  }
  static bool finds_anew(const StepSettings& settings) {
    return settings.scheme.family->kind == StepKind::linearly_implicit && settings.projections != 0;
  }

  /// Velocities, accelerations and multipliers at the state's time. False where there are none.
  bool find_anew() {
    return restart(model_, state_, ws_) ||
           fail_without_accelerations("an input's jump, a contact or a short step");
  }

  /// Accelerations of what a breakpoint or a contact has left of a step may be the round-off of its
  /// positions: they and the multipliers are found anew, with the inputs of the time `t`, which is
  /// the begin of the rest where they jump at its end. False where there are none: those of the
  /// step stay.
  bool settle_rest(double t) {
    rest_ = state_;
    rest_.t = t;
    if (!restart(model_, rest_, ws_)) return false;
    state_.zdd = rest_.zdd;
    state_.multipliers = rest_.multipliers;
    return true;
  }

  /// After a jump of an input or a rest of a step, at events and at contacts: velocities,
  /// accelerations and multipliers anew. What is due_ by its condition happens, then what is due by
  /// its time, then what these changes carry across its level; each event once. `timed`: events may
  /// be due at this time.
  bool start_anew(bool timed) {
    if (contacts_ && contacts_->is_waiting()) contacts_->cross(state_);
    bool events = !due_.empty();
    for (const Event* event : due_)
      if (!happen(*event)) return false;
    for (; timed && next_timed_ < timed_.size(); ++next_timed_) {
      if (!has_come(timed_[next_timed_]->time, state_.t)) break;
      if (!happen(*timed_[next_timed_])) return false;
      events = true;
    }
    if (!events && !find_anew()) return false;
    for (due_ = watcher_.find_crossings(model_, state_); !due_.empty();
         due_ = watcher_.find_crossings(model_, state_))
      for (const Event* event : due_)
        if (!happen(*event)) return false;
    watcher_.keep();
    if (contacts_) contacts_->remember(state_);
    if (controller_) controller_->start_anew();
    if (settings_.audit) {
      find_energy_after_jump();
    }
    return true;
  }

  void find_energy_after_jump() {
    const Energy before_jump = energy;
    energy = find_energy(model_, state_, ws_);
    carry_over_jump(before_jump, energy);
  }

  /// Whether a state of SwitchedStates has jumped at the end of the step; unswitched_ is then the
  /// state before.
  bool keep_before_switch() {
    bool any = false;
    for (std::size_t k = 0; k < switched_.size(); ++k)
      any = any || state_.x[switched_[k]] != switched_from_[k];
    if (!any) return false;
    unswitched_ = state_;
    for (std::size_t k = 0; k < switched_.size(); ++k)
      unswitched_.x[switched_[k]] = switched_from_[k];
    return true;
  }

  /// Carries out an event. False when it cannot happen.
  bool happen(const Event& event) {
    const std::string why = apply_event(model_, settings_.step, event, state_, ws_);
    if (!why.empty()) {
      report.status = RunStatus::failed;
      report.failure = StepStatus::event_impossible;
      report.message = why;
      return false;
    }
    report.events.push_back({event.name, state_.t});
    watcher_.note(event);
    return true;
  }

  bool fail_without_accelerations(const std::string& where) {
    report.status = RunStatus::failed;
    report.failure = StepStatus::tangent_not_positive_definite;
    report.message = "accelerations after " + where + ": the mass matrix is not positive definite";
    return false;
  }

  /// After find_energy().
  void start_watching() { half_turns_.emplace(model_, ws_); }

  /// The kinetic energy from which take_energy() counts; after find_energy().
  void start_counting() { find_kinetic_parts(model_, ws_, start_kinetic_); }

  /// A part of a step, for note_scheme().
  struct StepPart {
    State begin;
    Eigen::VectorXd increment;
    /// At its end, as the scheme has them; empty: those of the state there.
    Eigen::VectorXd zd, zdd;
    double h = 0.0;
  };

  /// What the scheme has taken over a step, the sum of its parts.                     (theory 15)
  void note_scheme() {
    for (std::size_t k = 0; k < parts_taken_; ++k) {
      const State& end = k + 1 < parts_taken_ ? parts_[k + 1].begin : state_;
      energy.scheme += lags_ ? find_taken_by_lag(parts_[k], end) : find_taken(parts_[k], end);
    }
  }

  /// Of the energies, which follow from places, rates and states, the change by what these have
  /// gone beyond the trapezoidal rule,
  ///   d - h (zd_n + zd)/2,   zd - zd_n - h (zdd_n + zdd)/2,   x - x_n - h (xd_n + xd)/2
  /// as the mean of that at the begin and at the end. zd and zdd are the scheme's own: what
  /// projections take of them is an error here as with the trapezoidal rule.
  double find_taken(const StepPart& part, const State& end) {
    const State& begin = part.begin;
    const Eigen::VectorXd& zd = part.zd.size() > 0 ? part.zd : end.zd;
    const Eigen::VectorXd& zdd = part.zd.size() > 0 ? part.zdd : end.zdd;
    const double half = 0.5 * part.h;
    beyond_.z = part.increment - half * (begin.zd + zd);
    beyond_.zd = zd - begin.zd - half * (begin.zdd + zdd);
    beyond_.x = end.x - begin.x - half * (begin.xd + end.xd);
    // what jumps has no rate
    for (Eigen::Index i = 0; i < end.x.size(); ++i)
      if (begin.xd[i] == 0.0 && end.xd[i] == 0.0) beyond_.x[i] = 0.0;
    for (const int i : switched_) beyond_.x[i] = 0.0;
    return -0.5 * (find_change_along(begin) + find_change_along(end));
  }

  /// Where positions do not move by a mean of rates: the work of the bodies' inertial loads along
  /// their ways that has not become kinetic energy. What dissipates and what is put in works along
  /// these ways, too, but its powers are summed by the trapezoid: the work of these forces, the
  /// loads less what is conservative, along the difference of the two ways,
  ///   (d - h zd_n)/2 at the begin, (d - h zd)/2 at the end, does not count.
  double find_taken_by_lag(const StepPart& part, const State& end) {
    const double before = find_energy(model_, part.begin, ws_).kinetic;
    find_inertial_loads(model_, ws_, loads_before_);
    const double now = find_energy(model_, end, ws_).kinetic;
    find_inertial_loads(model_, ws_, loads_);
    const double taken = find_inertial_work(loads_before_, loads_, part.h) - (now - before);
    return taken - 0.5 * (find_work_along(part.begin, part.increment - part.h * part.begin.zd,
                                          loads_before_) +
                          find_work_along(end, part.increment - part.h * end.zd, loads_));
  }

  /// By differences of the places and of the energies that are stored there.
  double find_work_along(const State& state, const Eigen::VectorXd& u, const InertialLoads& loads) {
    moved_ = state;
    const auto stored_at = [&](double way, InertialLoads& there) {
      moved_.z = state.z + way * u;
      const Energy at = find_energy(model_, moved_, ws_);
      find_inertial_loads(model_, ws_, there);
      for (std::size_t i = 1; i < loads.bodies.size(); ++i) {
        there.bodies[i].force = loads.bodies[i].force;
        there.bodies[i].torque = loads.bodies[i].torque;
      }
      return at.potential + at.elastic - at.open_store;
    };
    const double stored_before = stored_at(-1.0, lag_from_);
    const double stored = stored_at(1.0, lag_to_);
    return 0.5 * (find_inertial_work(lag_from_, lag_to_, 0.0) + stored - stored_before);
  }

  /// Of the energies along beyond_, by a difference to both sides.
  double find_change_along(const State& state) {
    moved_ = state;
    const auto energy_at = [&](double way) {
      moved_.z = state.z + way * beyond_.z;
      moved_.zd = state.zd + way * beyond_.zd;
      moved_.x = state.x + way * beyond_.x;
      const Energy at = find_energy(model_, moved_, ws_);
      return at.kinetic + at.potential + at.elastic - at.open_store;
    };
    const double behind = energy_at(-1.0);
    return 0.5 * (energy_at(1.0) - behind);
  }

  /// False when the energy is no finite number.
  bool take_energy() {
    const double error = energy.error(report.start);
    if (!std::isfinite(error)) return false;
    report.energy_error = std::max(report.energy_error, std::abs(error));
    report.energy_turned_over = std::max(
        report.energy_turned_over, turned_over(report.start, energy, start_kinetic_, kinetic_));
    return true;
  }

  /// A step from the time `from`, where the energies were `before`, has failed on its way: the
  /// state is where the last of its halves has ended, and so are the energies. False.
  bool note_part(const Energy& before, double from) {
    const double h = state_.t - from;
    if (!settings_.audit || !(h > 0.0)) return false;
    static_cast<void>(find_settled());
    energy = find_energy(model_, state_, ws_);
    find_kinetic_parts(model_, ws_, kinetic_);
    note_scheme();
    accumulate_energy(before, h, energy);
    static_cast<void>(take_energy());
    return false;
  }

  /// False when the energy is no finite number: the motion then says nothing either.
  bool note_energy() {
    if (take_energy()) return true;
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

  /// Calls use(state, energy) at an instant within the last step.
  template <typename Use>
  bool at_instant(double t, Use&& use) {
    const double h = state_.t - before_.t;
    const double s = (t - before_.t) / h;
    if (s >= 1.0 - 1e-9 || has_come(state_.t, t)) return use(state_, energy);
    const State between = interpolate(before_, state_, increment_, t);
    Energy now = energy;
    if (settings_.audit) {
      now = find_energy(model_, between, ws_);
      const auto part = [&](double Energy::*sum) {
        now.*sum = energy_before_.*sum + s * (energy.*sum - energy_before_.*sum);
      };
      part(&Energy::dissipated);
      part(&Energy::input);
      part(&Energy::scheme);
    }
    return use(between, now);
  }

  void finish() {
    if (controller_) {
      report.control = controller_->report();
      report.steps = report.control.steps;
    }
    if (contacts_) report.contacts = contacts_->report();
    report.iterations_mean =
        calls_ > 0 ? static_cast<double>(iterations_) / static_cast<double>(calls_) : 0.0;
    report.iterations_total = iterations_;
    report.end_time = state_.t;
    report.end = energy;
    if (settings_.audit && half_turns_) report.farthest_turns = half_turns_->farthest(model_);
    if (settings_.step.closing != Closing::penalty)
      report.dependent_owners = find_dependent_owners(model_, ws_);
  }

  /// What a step took.
  void count(const StepReport& step_report) {
    iterations_ += step_report.iterations;
    ++calls_;
    report.factorizations += step_report.factorizations;
    report.reselections += step_report.reselections;
    report.rates_lost = std::hypot(report.rates_lost, step_report.rates_lost);
    report.pivotings += step_report.pivotings;
    report.iterations_max = std::max(report.iterations_max, step_report.iterations);
  }

  void note_step(const StepReport& step_report) {
    report.Phi = std::max(report.Phi, step_report.Phi);
    if (!step_report.settled) ++report.unsettled;
    if (step_report.at_limit) ++report.at_limit;
    if (step_report.correction <= report.correction) return;
    report.correction = step_report.correction;
    report.correction_at = state_.t;
  }

  RunReport report;
  Energy energy;

 private:
  /// Goes back to the step's start and only as far as the first crossing of the conditions that are
  /// due_; h becomes that way, and due_ those that have crossed there.
  bool stop_at_crossing(double& h) {
    const double t0 = before_.t;
    double low = 0.0;
    double high = h;
    const State end = state_;
    const std::vector<const Event*> crossed = due_;
    StepSettings settings = settings_.step;
    for (int k = 0; k < 40 && high - low > 1e-6 * h; ++k) {
      settings.h = 0.5 * (low + high);
      state_ = before_;
      const StepReport part = step(model_, settings, state_, ws_);
      if (part.status != StepStatus::converged) {
        low = high;
        break;
      }
      const std::vector<const Event*>& across = watcher_.find_across(crossed, model_, state_);
      if (!across.empty()) due_ = across;
      (across.empty() ? low : high) = settings.h;
    }
    ws_.kept_scale = 0.0;  // its factor belongs to another length
    // too close to the step's end for a step of its own, or to its start: on a grid by a thousandth
    // of its step, so that what happens in turn again and again has an end
    const double least = 1e-3 * (controller_ ? h : settings_.step.h);
    high = std::max(high, least);
    if (h - high < least || low >= high) {
      state_ = end;
      due_ = crossed;
      return true;
    }
    h = high;
    state_ = before_;
    parts_taken_ = 0;
    if (contacts_) contacts_->forget();
    if (!advance(h, false, 0)) return false;
    state_.t = t0 + h;
    increment_ = ws_.increment;
    // with those that the last bit of the way has carried across
    for (const Event* event : watcher_.find_across(crossed, model_, state_))
      if (std::find(due_.begin(), due_.end(), event) == due_.end()) due_.push_back(event);
    return true;
  }

  /// Shortens the step of length h from before_ that has been taken to where its first contact
  /// begins or ends; 0: at its begin. True: it did, and `stop` is the new end.
  bool cut_at_contact(double& h, double& stop, bool& at_breakpoint) {
    if (!contacts_) return false;
    StepSettings trial = settings_.step;
    if (controller_ && trial.projections == 1) trial.projections = 2;
    const auto take = [&](double length, State& state) {
      trial.h = length;
      const Clock::time_point start = Clock::now();
      const StepReport step_report = step(model_, trial, state, ws_);
      report.step_time += seconds_since(start);
      report.factorizations += step_report.factorizations;
      ws_.kept_scale = 0.0;  // its factor belongs to another length
      return step_report.status == StepStatus::converged;
    };
    const double whole = h;
    static_cast<void>(contacts_->cut(before_, state_, h, increment_, ws_, take));
    // at the end of the step to the digit it is the end
    if (whole - h <= 1e-9 * settings_.step.h) return false;
    if (damps_) {
      parts_taken_ = 0;
      begin_part(before_);
      end_part(h, increment_);
    }
    stop = before_.t + h;
    at_breakpoint = false;
    return true;
  }

  void begin_part(const State& begin) {
    if (parts_.size() == parts_taken_) parts_.emplace_back();
    parts_[parts_taken_].begin = begin;
  }
  void end_part(double h, const Eigen::VectorXd& increment) {
    StepPart& part = parts_[parts_taken_++];
    part.increment = increment;
    part.h = h;
    part.zd.resize(0);
    if (has_own_rates_)
      settings_.step.scheme.make(h, part.begin)
          .compute_rates(part.begin, increment, part.zd, part.zdd);
  }

  /// One step of length h, timed and counted; the state moves when it converges.
  StepReport take_step(double h, bool to_breakpoint) {
    StepSettings step_settings = settings_.step;
    step_settings.h = h;
    step_settings.error_tolerance = settings_.control.tolerance;
    // with a factor of an earlier step one pass leaves what its Phi_z has aged
    if (controller_ && step_settings.projections == 1) step_settings.projections = 2;
    step_settings.ends_on_breakpoint = to_breakpoint;
    if (damps_) {
      if (parts_taken_ > 0) static_cast<void>(find_settled());
      begin_part(state_);
    }
    const Clock::time_point start = Clock::now();
    const StepReport step_report = step(model_, step_settings, state_, ws_);
    const double elapsed = seconds_since(start);
    if (damps_ && step_report.status == StepStatus::converged) end_part(h, ws_.increment);
    report.step_time += elapsed;
    report.step_us.push_back(static_cast<float>(1e6 * elapsed));
    count(step_report);
    if (controller_) {
      using Renewed = StepReport::Renewed;
      ControlReport& control = controller_->report();
      control.renewed_none += step_report.renewed == Renewed::none_kept ? 1 : 0;
      control.renewed_length += step_report.renewed == Renewed::step_length ? 1 : 0;
      control.renewed_slow += step_report.renewed == Renewed::slow ? 1 : 0;
      control.renewed_rows += step_report.renewed == Renewed::rows ? 1 : 0;
    }
    return step_report;
  }

  const Model& model_;
  const RunSettings& settings_;
  State& state_;
  Workspace& ws_;
  EventWatcher watcher_;
  std::vector<const Event*> timed_;  ///< by their times
  std::size_t next_timed_ = 0;       ///< of them
  std::vector<const Event*> due_;    ///< by their conditions, where the step has ended
  const bool damps_;                 ///< the scheme takes energy by itself, in an audited run
  std::vector<StepPart> parts_;      ///< of the last step
  std::size_t parts_taken_ = 0;      ///< of these
  /// The rates of all coordinates follow from their increments by the scheme's formulas.
  const bool has_own_rates_;
  const bool lags_;  ///< positions move by rates that are not the mean
  InertialLoads loads_, loads_before_, lag_from_, lag_to_;  ///< scratch
  /// What is beyond the trapezoidal rule; scratch.
  struct {
    Eigen::VectorXd z, zd, x;
  } beyond_;
  State moved_;                                  ///< scratch
  std::vector<double> kinetic_, start_kinetic_;  ///< in parts, now and at the start
  std::optional<StepController> controller_;     ///< of a run with an error tolerance
  std::optional<HalfTurnWatcher> half_turns_;
  std::optional<ContactCutter> contacts_;  ///< of a run that cuts its steps at contacts
  Eigen::VectorXd increment_;              ///< of its last step, from before_
  Energy energy_before_;                   ///< at the begin of its last step
  State before_;
  State rest_;                         ///< scratch
  const std::vector<int> switched_;    ///< of SwitchedStates, in an audited run
  std::vector<double> switched_from_;  ///< what they were at the begin of the step
  State unswitched_;                   ///< the end of the step with these
  long iterations_ = 0;
  long calls_ = 0;
};

namespace {

/// Of steps that do not come from the start to the end of the run.
constexpr long kNoGrid = -1;

/// Of the grid, from t0 to the end.
long count_steps(const RunSettings& settings, double t0) {
  constexpr double kMost = 9e15;  // whole numbers beyond are no longer all there
  const double h = settings.step.h;
  if (!(h > 0.0) || std::isinf(h) || !std::isfinite(settings.until)) return kNoGrid;
  const double steps = std::ceil((settings.until - t0 - closeness(settings.until, h)) / h);
  if (!(steps <= kMost)) return kNoGrid;
  return static_cast<long>(std::fmax(steps, 0.0));
}

std::string fault_of_grid(const RunSettings& settings) {
  std::ostringstream text;
  text << "the steps are " << settings.step.h << " s long and the run ends at " << settings.until
       << " s, expected a length above 0 and an end that it comes to";
  return text.str();
}

}  // namespace

RunInProgress::RunInProgress(const Model& model, const RunSettings& settings, State& state,
                             Workspace& ws, const RunObserver& observer)
    : settings_(settings),
      state_(state),
      observer_(observer),
      runner_(std::make_unique<Runner>(model, settings, state, ws)),
      t0_(state.t),
      steps_(count_steps(settings, t0_)),
      breakpoints_(find_breakpoints(model, settings.events, settings.step.h)) {
  runner_->report.step_us.reserve(static_cast<std::size_t>(std::max(steps_, 0L)));
  runner_->energy = find_energy(model, state, ws);
  runner_->start_watching();
  runner_->report.start = runner_->energy;
  runner_->start_counting();
  runner_->report.energy_of_rest = find_energy_of_rest(model);
  runner_->report.start_time = t0_;
  if (steps_ == kNoGrid) {
    runner_->report.status = RunStatus::failed;
    runner_->report.failure = StepStatus::non_finite;
    runner_->report.message = fault_of_grid(settings);
    going_ = false;
    return;
  }
  going_ = see() && record();
}

RunInProgress::~RunInProgress() = default;

bool RunInProgress::goes_on() const {
  return going_ && runner_->report.status != RunStatus::failed && taken_ < steps_;
}

double RunInProgress::grid_time(long steps) const {
  return std::min(t0_ + static_cast<double>(steps) * settings_.step.h,
                  std::max(settings_.until, t0_));
}

bool RunInProgress::is_record_due(double t) const {
  return settings_.record <= 0.0 ||
         t >= t0_ + records_ * settings_.record - closeness(t, settings_.step.h);
}

bool RunInProgress::see() {
  if (!observer_.see) return true;
  if (!settings_.audit && !runner_->settle_accelerations()) return false;
  observer_.see(state_, runner_->energy);
  return true;
}

bool RunInProgress::record() {
  if (!is_record_due(state_.t)) return true;
  if (settings_.record > 0.0)
    records_ =
        std::floor((state_.t - t0_ + closeness(state_.t, settings_.step.h)) / settings_.record) +
        1.0;
  if (!observer_.record) return true;
  // see() has settled them
  if (!settings_.audit && !observer_.see && !runner_->settle_accelerations()) return false;
  return observer_.record(state_, runner_->energy);
}

bool RunInProgress::keeps_going() const {
  return !observer_.keep_going || observer_.keep_going(state_.t);
}

void RunInProgress::take_step() {
  if (settings_.control.tolerance > 0.0) return take_steps_of_their_own();
  if (!runner_->advance_to(next_time(), breakpoints_, next_)) return;
  end_step();
}

void RunInProgress::end_step() {
  ++taken_;
  ++runner_->report.steps;
  going_ = see() && record() && keeps_going();
}

void RunInProgress::take_steps_of_their_own() {
  using Part = Runner::Part;
  runner_->after_step = [this](Part part) {
    if (part != Part::way && !see()) return false;
    const double close = closeness(state_.t, settings_.step.h);
    if (settings_.record > 0.0) {
      if (!record_until(state_.t + (part == Part::way ? -close : close))) return false;
    } else if (part != Part::way && !record()) {
      return false;
    }
    return part == Part::way || keeps_going();
  };
  static_cast<void>(runner_->advance_to(settings_.until, breakpoints_, next_));
  going_ = !runner_->stopped;
  taken_ = steps_;
}

bool RunInProgress::record_until(double end) {
  for (double due = t0_ + records_ * settings_.record; due <= end;
       due = t0_ + records_ * settings_.record) {
    records_ += 1.0;
    const bool more = runner_->at_instant(due, [&](const State& at, const Energy& energy) {
      return !observer_.record || observer_.record(at, energy);
    });
    if (!more) return false;
  }
  return true;
}

bool RunInProgress::is_next_plain() const {
  if (state_.t != grid_time()) return false;
  if (next_time() - grid_time() < kRest * settings_.step.h) return false;
  std::size_t next = next_;
  while (next < breakpoints_.size() && runner_->has_come(breakpoints_[next].last, state_.t)) ++next;
  return next == breakpoints_.size() || !runner_->has_come(breakpoints_[next].first, next_time());
}

bool RunInProgress::looks_at_next() const {
  return observer_.see || is_record_due(next_time()) || taken_ + 1 == steps_;
}

void RunInProgress::note_plain_step(const StepReport& step) {
  runner_->count(step);
  runner_->note_step(step);
  end_step();
}

RunReport RunInProgress::finish() {
  RunReport& report = runner_->report;
  if (!going_ && report.status == RunStatus::finished) report.status = RunStatus::stopped;
  if (!settings_.audit && report.status != RunStatus::failed)
    static_cast<void>(runner_->settle_accelerations());
  runner_->finish();
  return report;
}

}  // namespace semirec
