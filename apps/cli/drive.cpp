#include <algorithm>
#include <atomic>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <optional>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "apps/cli/commands.hpp"
#include "apps/cli/output.hpp"
#include "apps/cli/realtime_options.hpp"
#include "apps/cli/realtime_report.hpp"
#include "apps/cli/results_table.hpp"
#include "apps/cli/seat_page.hpp"
#include "apps/cli/terminal.hpp"
#include "apps/seat/seat_scenario.hpp"
#include "apps/seat/seat_server.hpp"
#include "vehicles/files/xml/reader.hpp"
#include "vehicles/session/session.hpp"

namespace semirec::cli {

namespace {

using SeatJson = nlohmann::ordered_json;

constexpr double kMostRecorded = 600.0;  // s
constexpr double kMostRows = 1.2e6;      // of a recording, 40 bytes each

struct DriveOptions {
  Files files;
  double rate = 1000.0;
  int iterations = 2, port = 0, priority = 80;
  std::optional<int> core;
  std::optional<double> duration;
  std::string out;
  bool headless = false, overwrite = false, json = false;
};

std::atomic<int> seat_signal{0};
void on_seat_signal(int signal) { seat_signal.store(signal, std::memory_order_relaxed); }

void check(const DriveOptions& options) {
  expect_within("--rate", options.rate, 1.0, 1e5, "1 to 100000 Hz");
  expect_within("--iterations", options.iterations, 1, 100, "1 to 100");
  expect_within("--port", options.port, 0, 65535, "0 (any that is free) to 65535");
  expect_within("--priority", options.priority, 0, 99, "1 to 99, or 0 for ordinary scheduling");
  if (options.duration)
    expect_within("--duration", *options.duration, 1.0 / options.rate, 1e6,
                  "at least one period and at most 1e6 s");
  expect_core(options.core);
}

std::array<std::string, seat::kControls> control_names(const Vehicle& vehicle) {
  const Controls& controls = vehicle.controls;
  return {controls.steering, controls.throttle, controls.brake, controls.gear};
}

DriveDescription read_seat(const Files& files) {
  DriveDescription read;
  if (!files.scenario.empty()) {
    read = load(files);
  } else {
    read.vehicle = read_vehicle(files.vehicle, read_overrides(files.overrides));
    for (const std::string& note : read.vehicle.notes) complain("note: {}\n", note);
    read.scenario = seat::open_area();
  }
  const auto names = control_names(read.vehicle);
  if (names[seat::kSteering].empty() && names[seat::kThrottle].empty())
    throw ModelError(
        "vehicle '" + read.vehicle.mechanism.name +
        "' names neither a steering nor a throttle input (<controls>), expected one to "
        "drive it by");
  return read;
}

/// The controls of a scenario at each step, as the seat would set them: no clock, no page.
int drive_headless(const DriveOptions& options, const DriveDescription& read, Session& session) {
  std::array<int, seat::kControls> input{};
  const auto names = control_names(read.vehicle);
  for (std::size_t k = 0; k < input.size(); ++k)
    input[k] = names[k].empty() ? -1 : session.find_input(names[k]);
  std::optional<OutputFolder> folder;
  std::optional<OutputFile> table;
  if (!options.out.empty()) {
    folder.emplace(options.out, options.overwrite,
                   [](const std::string& name) { return name == "results.csv"; });
    table.emplace(folder->path() / "results.csv", options.overwrite);
  }
  std::vector<double> values(session.outputs().size());
  bool written = true;
  const auto write = [&] {
    session.read_outputs(values.data());
    written = written && (!table || table->write(row_of(values)));
  };
  if (table) written = table->write(header_of(session.outputs()));
  write();
  const double h = session.settings().h;
  const double until = options.duration.value_or(read.scenario.until);
  const auto steps = std::llround((until - session.time()) / h);
  StepStatus status = StepStatus::converged;
  for (long long k = 0; k < steps && written && status == StepStatus::converged; ++k) {
    if (seat_signal.load(std::memory_order_relaxed) != 0) break;
    seat::follow_curves(session, input);
    status = session.step();
    if (status == StepStatus::converged) write();
  }
  if (table) written = table->finish() && written;
  say("{}: driven to t = {:.4g} s without a page\n", session.drive().model.mechanism.name,
      session.time());
  if (table) say("  written     {}/results.csv\n", options.out);
  if (!written) {
    complain("{}\n", table->trouble());
    return kCannotWrite;
  }
  if (status != StepStatus::converged) {
    complain("drive stopped at t = {:g} s: {}\n", session.time(), semirec::name_of(status));
    return kSolverFailed;
  }
  return seat_signal.load(std::memory_order_relaxed) != 0 ? kInterrupted : kDone;
}

/// What a driver may say, and what becomes of it.
class Driver {
 public:
  Driver(seat::SeatLink& link, const DriveOptions& options, const Vehicle& vehicle, double step)
      : link_(link), options_(options), names_(control_names(vehicle)), step_(step) {}

  std::string hear(const std::string& message) {
    const SeatJson said = SeatJson::parse(message, nullptr, /*allow_exceptions=*/false);
    if (!said.is_object() || !said.contains("type") || !said["type"].is_string()) return {};
    const std::string type = said["type"];
    if (type == "inputs") {
      take_inputs(said);
    } else if (type == "pause" && said.contains("on") && said["on"].is_boolean()) {
      link_.pause(said["on"].get<bool>());
    } else if (type == "speed" && said.contains("factor") && said["factor"].is_number()) {
      link_.slow_down(said["factor"].get<double>());
    } else if (type == "reset") {
      link_.reset();
      return notice("back at the start");
    } else if (type == "save") {
      return save();
    }
    return {};
  }
  const std::vector<std::string>& saved() const { return saved_; }

 private:
  static std::string notice(const std::string& text) {
    return SeatJson{{"type", "notice"}, {"text", text}}.dump();
  }

  void take_inputs(const SeatJson& said) {
    static constexpr std::array<const char*, seat::kControls> keys{"steering", "throttle", "brake",
                                                                   "gear"};
    // what a page sends is not believed
    static constexpr std::array<double, seat::kControls> least{-100.0, 0.0, 0.0, -10.0};
    static constexpr std::array<double, seat::kControls> most{100.0, 1.0, 1.0, 20.0};
    for (std::size_t k = 0; k < keys.size(); ++k) {
      if (!said.contains(keys[k]) || !said[keys[k]].is_number()) continue;
      const double value = said[keys[k]].get<double>();
      if (std::isfinite(value)) held_[k] = std::clamp(value, least[k], most[k]);
    }
    link_.drive(held_);
  }

  /// Of the drives saved now those of before are kept, unless --overwrite says otherwise.
  std::string next_name() {
    std::string name;
    do name = fmt::format("drive_{}", ++number_);
    while (!options_.overwrite &&
           std::filesystem::exists(std::filesystem::path(options_.out) / (name + ".xml")));
    return name;
  }

  std::string save() {
    if (options_.out.empty()) return notice("not saved: semirec drive was started without --out");
    // only this thread asks for a reset: none comes while the recording is read
    if (link_.is_resetting()) return notice("not saved: on the way back to the start");
    try {
      const std::string name = next_name();
      const std::string text =
          seat::write_driven_scenario(options_.files.scenario, name, step_, names_, link_.record());
      const OutputFolder folder(options_.out, options_.overwrite,
                                [&](const std::string& file) { return file == name + ".xml"; });
      const std::string trouble = folder.write(name + ".xml", text);
      if (!trouble.empty()) return notice("not saved: " + trouble);
      saved_.push_back(name + ".xml");
      return notice(fmt::format(
          "saved {:.1f} s as {}/{}{}", link_.record().time(link_.record().rows() - 1), options_.out,
          saved_.back(), link_.record().full() ? "; the recording was full" : ""));
    } catch (const std::exception& error) {
      return notice(std::string("not saved: ") + error.what());
    }
  }

  seat::SeatLink& link_;
  const DriveOptions& options_;
  std::array<std::string, seat::kControls> names_;
  double step_;
  std::array<double, seat::kControls> held_{};
  std::vector<std::string> saved_;
  int number_ = 0;  ///< of the last name
};

int drive_command(const DriveOptions& options) {
  check(options);
  const DriveDescription read = read_seat(options.files);
  SessionSettings settings;
  settings.step = 1.0 / options.rate;
  settings.iterations = options.iterations;
  if (options.headless) settings.step = read.scenario.step;
  Session session(read, settings);
  const std::size_t printed = read.vehicle.notes.size() + read.scenario.road_notes.size();
  for (std::size_t k = printed; k < session.notes().size(); ++k)
    complain("note: {}\n", session.notes()[k]);
  struct sigaction action {};
  action.sa_handler = on_seat_signal;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  if (options.headless) return drive_headless(options, read, session);

  RealtimeSetup setup;
  setup.scenario = read.scenario.name;
  setup.rate = options.rate;
  setup.duration = options.duration.value_or(1e6);
  setup.iterations = options.iterations;
  setup.core = options.core.value_or(-1);
  setup.priority = options.priority;
  setup.runner.schedule.period = std::llround(1e9 / options.rate);
  // someone at the wheel rather has a late car than none
  setup.runner.schedule.most_overruns = 1.0;
  setup.runner.duration = std::llround(1e9 * setup.duration);
  seat::SeatLink link(session, read.vehicle, setup.runner.schedule.period,
                      static_cast<std::size_t>(std::min(kMostRecorded * options.rate, kMostRows)));
  Driver driver(link, options, read.vehicle, session.settings().h);
  SeatPage page(session, read, options.files.vehicle);
  const realtime::Machine machine = realtime::find_machine(setup.core);
  std::vector<realtime::Attempt> attempts;
  realtime::Runner runner(session, setup.runner, &link);
  {
    const seat::SeatServer server({options.port},
                                  {[&] { return page.html(); }, [&] { return page.hello(); },
                                   [&](const std::string& message) { return driver.hear(message); },
                                   [&](std::vector<float>& numbers) {
                                     if (!link.take_frame()) return false;
                                     page.put_frame(link.frame(), numbers);
                                     return true;
                                   }});
    say("drive at     {}\n", server.url());
    say("             arrow keys or WASD steer, Ctrl-C ends\n");
    std::fflush(stdout);
    const realtime::RealtimeThread thread({setup.core, setup.priority});
    attempts = thread.attempts();
    for (const realtime::Attempt& attempt : attempts)
      if (!attempt.done) complain("not set: {}: {}\n", attempt.what, attempt.reason);
    runner.run(seat_signal);
  }
  const SeatJson json = realtime_json(runner, session, setup, machine, attempts);
  if (options.json)
    say("{}", json_text(json));
  else
    print_realtime(json);
  for (const std::string& name : driver.saved()) say("  saved       {}/{}\n", options.out, name);
  const realtime::RunnerStop stop = runner.report().stop;
  // Ctrl-C is how a drive ends
  if (stop == realtime::RunnerStop::finished || stop == realtime::RunnerStop::interrupted)
    return kDone;
  complain("drive stopped at t = {:g} s: {}\n", session.time(),
           realtime_message(runner, session, setup));
  return kSolverFailed;
}

}  // namespace

void register_drive(Command& app, int& exit_code) {
  auto options = std::make_shared<DriveOptions>();
  Command* command = app.add_subcommand(
      "drive",
      "sit in the car: steps it against the clock and serves a page on this machine that shows it "
      "and\nsteers it, for one driver and any who look on. Without SCENARIO: a level road, "
      "standing.\n"
      "  semirec drive vehicles/models/sedan.xml --out drives\n"
      "  semirec drive vehicles/models/sedan.xml drives/drive_1.xml --headless --out again");
  add_files(*command, options->files, /*scenario_required=*/false);
  Argument* rate =
      command->add_option("--rate", options->rate, "steps a second, Hz")->capture_default_str();
  command->add_option("--iterations", options->iterations, "Newton iterations of every step")
      ->capture_default_str();
  Argument* port =
      command->add_option("--port", options->port, "of the page, on 127.0.0.1; 0: any that is free")
          ->capture_default_str();
  Argument* core =
      command->add_option("--core", options->core, "bind the loop to this core, from 0");
  command
      ->add_option("--priority", options->priority,
                   "SCHED_FIFO priority of the loop, 1 to 99; 0: ordinary scheduling")
      ->capture_default_str();
  command->add_option("--duration", options->duration, "wall time, s (default: until Ctrl-C)");
  Argument* headless = command->add_flag(
      "--headless", options->headless,
      "no page and no clock: the scenario's controls, step by step as the seat sets "
      "them; a drive that was saved comes out to the bit");
  command->add_option("--out", options->out,
                      "folder for drives that are saved; --headless: for results.csv");
  command->add_flag("--overwrite", options->overwrite, "replace what is already there");
  Argument* json =
      command->add_flag("--json", options->json, "print the report at the end as JSON");
  // a drive without a clock has its step from the scenario
  for (Argument* of_the_clock : {rate, port, core, json}) headless->excludes(of_the_clock);
  command->callback([options, &exit_code] { exit_code = drive_command(*options); });
}

}  // namespace semirec::cli
