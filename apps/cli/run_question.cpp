#include "apps/cli/run_question.hpp"

#include <cmath>
#include <memory>
#include <mutex>

#include <fmt/format.h>

#include "apps/cli/run_limits.hpp"
#include "integrator/batch/batch.hpp"
#include "integrator/batch/run_side_by_side.hpp"
#include "integrator/formulation/evaluate.hpp"
#include "topology/matches_pattern.hpp"
#include "topology/nearest.hpp"
#include "vehicles/files/xml/overrides.hpp"
#include "vehicles/files/xml/reader.hpp"
#include "vehicles/session/drive.hpp"
#include "vehicles/session/end_notes.hpp"
#include "vehicles/session/input_watch.hpp"
#include "vehicles/session/run_notes.hpp"
#include "vehicles/study/journal.hpp"

namespace semirec::cli {

namespace {

/// What a channel did in a run.
struct Course {
  double last = 0.0;
  double max = -1e300, min = 1e300;
  double peak = 0.0, peak_time = 0.0;  ///< largest magnitude, with its sign

  void see(double value, double t) {
    last = value;
    max = std::fmax(max, value);
    min = std::fmin(min, value);
    if (std::abs(value) <= std::abs(peak)) return;
    peak = value;
    peak_time = t;
  }
};

/// A car on its way, and what is looked at.
class WatchedRun {
 public:
  /// `patterns`: of the channels; none: all. `like`: of start_drive().
  WatchedRun(Drive made, const std::vector<std::string>& patterns,
             const StartReport* like = nullptr)
      : drive_(std::move(made)),
        recorder_(drive_.model, drive_.recorder),
        watched_(find_watched(recorder_.channels(), patterns)),
        choice_(recorder_.choose(drive_.model, watched_)),
        ws_(drive_.model),
        scratch_(drive_.model),
        state_(start_drive(drive_, ws_, start_, like)),
        courses_(watched_.size()),
        row_(recorder_.channels().size()),
        values_(watched_.size()),
        inputs_(drive_.model) {
    observer_.record = [this](const State& at, const Energy& /*none*/) {
      look(at);
      return true;
    };
  }
  WatchedRun(const WatchedRun&) = delete;
  WatchedRun& operator=(const WatchedRun&) = delete;

  const Drive& drive() const { return drive_; }
  /// Calls `progress` after every step.
  void show(const Progress& progress) {
    observer_.keep_going = [this, &progress](double t) {
      stopped_ = progress && !progress(t / drive_.settings.until, "run");
      return !stopped_;
    };
  }
  bool stopped() const { return stopped_; }
  RunOfCar car() { return {&drive_.model, &state_, &ws_, &observer_}; }
  RunReport take() { return run(drive_.model, drive_.settings, state_, ws_, observer_); }

  /// What came out; throws AnalysisError where the run failed.
  Answer answer(const RunReport& report, const std::string& scenario) {
    if (report.status == RunStatus::failed)
      throw AnalysisError(fmt::format("run stopped at t = {:g} s: {}", state_.t, report.message));
    // the end, wherever the looks fell
    look(state_);
    Answer answer;
    answer.notes = start_.notes;
    for (std::string& note : find_run_notes(report, drive_.settings.step))
      answer.notes.push_back(std::move(note));
    for (std::string& note : find_end_notes(drive_, nullptr, report, state_, scratch_))
      answer.notes.push_back(std::move(note));
    for (std::string& note : inputs_.notes()) answer.notes.push_back(std::move(note));
    const std::string length = drive_.settings.control.tolerance > 0.0
                                   ? std::string("lengths of their own")
                                   : fmt::format("{:g} s", drive_.settings.step.h);
    answer.title = fmt::format("{} in {}: {} steps of {}", drive_.model.mechanism.name, scenario,
                               report.steps, length);
    for (std::size_t k = 0; k < watched_.size(); ++k) {
      const Channel& channel = recorder_.channels()[watched_[k]];
      const Course& course = courses_[k];
      const auto add = [&](const char* what, double value, const std::string& unit) {
        answer.quantities.push_back({channel.name + what, value, unit, std::nan(""), {}});
      };
      add(".last", course.last, channel.unit);
      add(".max", course.max, channel.unit);
      add(".min", course.min, channel.unit);
      add(".peak", course.peak, channel.unit);
      add(".peak_time", course.peak_time, "s");
    }
    return answer;
  }

 private:
  static std::vector<std::size_t> find_watched(const std::vector<Channel>& channels,
                                               const std::vector<std::string>& patterns) {
    std::vector<char> chosen(channels.size(), patterns.empty() ? 1 : 0);
    for (const std::string& pattern : patterns) {
      bool any = false;
      std::vector<std::string> names;
      for (std::size_t k = 1; k < channels.size(); ++k) {
        names.push_back(channels[k].name);
        if (!matches_pattern(pattern, channels[k].name)) continue;
        chosen[k] = 1;
        any = true;
      }
      if (!any)
        throw ModelError("--channels " + pattern + ": the vehicle has no channel of this name" +
                         nearest_hint(pattern, names));
    }
    std::vector<std::size_t> watched;
    for (std::size_t k = 1; k < channels.size(); ++k)
      if (chosen[k] != 0) watched.push_back(k);
    return watched;
  }

  void look(const State& at) {
    recorder_.record(drive_.model, at, choice_, scratch_, row_.data(), values_.data());
    if (!inputs_.is_empty()) {
      evaluate_state(drive_.model, at, scratch_);
      inputs_.see(scratch_, at.t);
    }
    for (std::size_t k = 0; k < watched_.size(); ++k) courses_[k].see(values_[k], at.t);
  }

  Drive drive_;
  Recorder recorder_;
  std::vector<std::size_t> watched_;  ///< of its channels
  OutputChoice choice_;
  Workspace ws_, scratch_;
  StartReport start_;
  State state_;
  std::vector<Course> courses_;  ///< [watched]
  std::vector<double> row_, values_;
  InputWatch inputs_;
  RunObserver observer_;
  bool stopped_ = false;
};

/// A run of the vehicle through a scenario as a response: the command `run` without its files.
class RunQuestion final : public Question {
 public:
  const char* name() const override { return "run"; }
  const char* about() const override {
    return "drive a vehicle through a scenario: last value, extremes and peak of its channels";
  }
  void add_options(Command& command) override {
    add_vehicle(command);
    command.add_option("SCENARIO", scenario_, "scenario file (XML)")->required();
    add_limits(command, limits_);
    command.add_option("--every", every_,
                       "look at the channels every so many seconds; 0: at every step");
    command.add_option("--channels", channels_,
                       "channels to look at, * for any text; several after one another (all)");
  }

  Answer answer_for(report::Report* /*page*/, const std::vector<Override>& more,
                    const Progress& progress) const override {
    const Made made = make(more);
    WatchedRun run(made.drive, channels_);
    return take(run, made.scenario, progress);
  }

  /// As many as fill a vector register, where the steps may be taken side by side.
  std::size_t at_once() const override {
    const Made made = make({});
    const bool beside = side_by_side_fault(made.drive.settings).empty() &&
                        batch_fault(made.drive.model, made.drive.model).empty();
    return beside ? static_cast<std::size_t>(cars_side_by_side()) : 1;
  }

  std::vector<Outcome> answers(const std::vector<std::vector<Override>>& cars,
                               const Progress& progress) const override {
    std::call_once(has_started_, [&] { trouble_of([&] { drive_unchanged(progress); }); });
    std::vector<Outcome> outcomes(cars.size());
    std::vector<Begun> all;
    for (std::size_t k = 0; k < cars.size(); ++k) {
      show_progress(progress, 0.0, "start");
      HeardNotes heard;
      outcomes[k].trouble = trouble_of([&] {
        Made made = make(cars[k]);
        auto run = std::make_unique<WatchedRun>(std::move(made.drive), channels_, &like_);
        all.push_back({k, std::move(made.scenario), std::move(run)});
      });
      outcomes[k].notes = std::move(heard.notes);
    }
    while (!all.empty()) take_alike(all, progress, outcomes);
    return outcomes;
  }

 private:
  struct Made {
    Drive drive;
    std::string scenario;
  };
  struct Begun {
    std::size_t car;
    std::string scenario;
    std::unique_ptr<WatchedRun> run;
  };

  Made make(const std::vector<Override>& more) const {
    DriveDescription both = read_in(scenario_, more);
    apply(limits_, both.scenario);
    if (!(every_ >= 0.0 && std::isfinite(every_)))
      throw ModelError(fmt::format("--every is {:g}, expected a time in s, or 0", every_));
    Made made{make_drive(both), both.scenario.name};
    made.drive.settings.control.printed = asks_for_printed_estimate(limits_.control);
    made.drive.settings.record = every_;
    made.drive.settings.audit = false;
    return made;
  }

  /// The vehicle without replacements: its start is what those of others begin with, whichever cars
  /// are asked about together, and its energies, which cost a run of their own, tell whether the
  /// steps follow the motion.
  void drive_unchanged(const Progress& progress) const {
    const Made made = make({});
    Workspace ws(made.drive.model);
    State state = start_drive(made.drive, ws, like_);
    RunSettings settings = made.drive.settings;
    settings.audit = true;
    settings.record = 0.0;
    bool stopped = false;
    RunObserver observer;
    observer.keep_going = [&](double t) {
      stopped = progress && !progress(t / settings.until, "the vehicle as it is");
      return !stopped;
    };
    const RunReport report = run(made.drive.model, settings, state, ws, observer);
    if (stopped) throw Interrupted();
    if (report.status != RunStatus::failed && is_balance_broken(report))
      unchanged_note_ = kVehicleAsItIs + describe_broken_balance(report);
  }

  /// What came out, with what is known of the vehicle as it is.
  Answer answer_of(WatchedRun& run, const RunReport& report, const std::string& scenario) const {
    Answer answer = run.answer(report, scenario);
    if (!unchanged_note_.empty()) answer.notes.push_back(unchanged_note_);
    return answer;
  }

  Answer take(WatchedRun& run, const std::string& scenario, const Progress& progress) const {
    run.show(progress);
    const RunReport report = run.take();
    if (run.stopped()) throw Interrupted();
    return answer_of(run, report, scenario);
  }

  /// The first car, and beside it all that fit, to their ends.
  void take_alike(std::vector<Begun>& all, const Progress& progress,
                  std::vector<Outcome>& outcomes) const {
    std::vector<Begun> alike;
    std::vector<Begun> others;
    const Drive& first = all.front().run->drive();
    const bool beside = side_by_side_fault(first.settings).empty();
    for (Begun& begun : all) {
      const bool fits = beside && batch_fault(first.model, begun.run->drive().model).empty();
      (fits ? alike : others).push_back(std::move(begun));
    }
    all = std::move(others);
    if (alike.empty()) {
      // not even the first one fits beside itself
      const Begun alone = std::move(all.front());
      all.erase(all.begin());
      Outcome& outcome = outcomes[alone.car];
      outcome.trouble =
          trouble_of([&] { outcome.answer = take(*alone.run, alone.scenario, progress); });
      return;
    }
    std::vector<RunOfCar> cars;
    for (const Begun& begun : alike) {
      begun.run->show(progress);
      cars.push_back(begun.run->car());
    }
    std::vector<RunReport> reports;
    const std::string trouble =
        trouble_of([&] { reports = run_side_by_side(alike.front().run->drive().settings, cars); });
    for (std::size_t k = 0; k < alike.size(); ++k) {
      WatchedRun& run = *alike[k].run;
      if (run.stopped()) throw Interrupted();
      Outcome& outcome = outcomes[alike[k].car];
      outcome.trouble = trouble;
      if (trouble.empty())
        outcome.trouble =
            trouble_of([&] { outcome.answer = answer_of(run, reports[k], alike[k].scenario); });
    }
  }

  std::string scenario_;
  RunLimits limits_;
  double every_ = 0.0;
  std::vector<std::string> channels_;
  mutable std::once_flag has_started_;
  mutable StartReport like_;            ///< of drive_unchanged()
  mutable std::string unchanged_note_;  ///< of it, too
};

}  // namespace

std::unique_ptr<Question> make_run_question() { return std::make_unique<RunQuestion>(); }

}  // namespace semirec::cli
