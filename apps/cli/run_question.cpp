#include "apps/cli/run_question.hpp"

#include <cmath>

#include <fmt/format.h>

#include "apps/cli/run_limits.hpp"
#include "topology/nearest.hpp"
#include "vehicles/files/xml/overrides.hpp"
#include "vehicles/files/xml/reader.hpp"
#include "vehicles/session/drive.hpp"

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
    DriveDescription both = read_in(scenario_, more);
    Scenario& scenario = both.scenario;
    apply(limits_, scenario);
    if (!(every_ >= 0.0 && std::isfinite(every_)))
      throw ModelError(fmt::format("--every is {:g}, expected a time in s, or 0", every_));
    Drive drive = make_drive(both);
    drive.settings.control.printed = asks_for_printed_estimate(limits_.control);
    drive.settings.record = every_;
    drive.settings.audit = false;
    const Recorder recorder(drive.model, drive.recorder);
    const std::vector<std::size_t> watched = find_watched(recorder.channels());
    Workspace ws(drive.model);
    Workspace scratch(drive.model);
    StartReport start;
    State state = start_drive(drive, ws, start);

    std::vector<Course> courses(watched.size());
    const OutputChoice choice = recorder.choose(drive.model, watched);
    std::vector<double> row(recorder.channels().size());
    std::vector<double> values(watched.size());
    const auto look = [&](const State& at) {
      recorder.record(drive.model, at, choice, scratch, row.data(), values.data());
      for (std::size_t k = 0; k < watched.size(); ++k) courses[k].see(values[k], at.t);
    };
    const double until = drive.settings.until;
    RunObserver observer;
    observer.record = [&](const State& at, const Energy& /*none*/) {
      look(at);
      return true;
    };
    bool stopped = false;
    observer.keep_going = [&](double t) {
      stopped = progress && !progress(t / until, "run");
      return !stopped;
    };
    const RunReport report = run(drive.model, drive.settings, state, ws, observer);
    if (stopped) throw Interrupted();
    if (report.status == RunStatus::failed)
      throw AnalysisError(fmt::format("run stopped at t = {:g} s: {}", state.t, report.message));
    // the end, wherever the looks fell
    look(state);

    Answer answer;
    answer.notes = start.notes;
    const std::string length = drive.settings.control.tolerance > 0.0
                                   ? std::string("lengths of their own")
                                   : fmt::format("{:g} s", drive.settings.step.h);
    answer.title = fmt::format("{} in {}: {} steps of {}", drive.model.mechanism.name,
                               scenario.name, report.steps, length);
    for (std::size_t k = 0; k < watched.size(); ++k) {
      const Channel& channel = recorder.channels()[watched[k]];
      const Course& course = courses[k];
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
  std::vector<std::size_t> find_watched(const std::vector<Channel>& channels) const {
    std::vector<char> chosen(channels.size(), channels_.empty() ? 1 : 0);
    for (const std::string& pattern : channels_) {
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

  std::string scenario_;
  RunLimits limits_;
  double every_ = 0.0;
  std::vector<std::string> channels_;
};

}  // namespace

std::unique_ptr<Question> make_run_question() { return std::make_unique<RunQuestion>(); }

}  // namespace semirec::cli
