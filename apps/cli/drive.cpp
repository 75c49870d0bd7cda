#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <optional>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "apps/cli/commands.hpp"
#include "apps/cli/output.hpp"
#include "apps/cli/posed_rows.hpp"
#include "apps/cli/realtime_options.hpp"
#include "apps/cli/realtime_report.hpp"
#include "apps/cli/result_files.hpp"
#include "apps/cli/seat_driver.hpp"
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
  int iterations = 0, port = 0, priority = 80;
  std::optional<int> core;
  std::optional<double> duration;
  std::string out, format = "csv";
  bool headless = false, overwrite = false, json = false;
};

std::atomic<int> seat_signal{0};
void on_seat_signal(int signal) { seat_signal.store(signal, std::memory_order_relaxed); }

void check(const DriveOptions& options) {
  expect_within("--rate", options.rate, 1.0, 1e5, "1 to 100000 Hz");
  expect_within("--iterations", options.iterations, 0, 100, "1 to 100, or 0");
  expect_within("--port", options.port, 0, 65535, "0 (any that is free) to 65535");
  expect_within("--priority", options.priority, 0, 99, "1 to 99, or 0 for ordinary scheduling");
  if (options.duration)
    expect_within("--duration", *options.duration, 1.0 / options.rate, 1e6,
                  "at least one period and at most 1e6 s");
  expect_core(options.core);
}

struct SeatDescription {
  DriveDescription drive;              ///< with what is changed before the start
  std::vector<ScenarioEvent> changes;  ///< of the scenario, taken out of it
};

std::int64_t steady_nanoseconds() noexcept {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// What a driver is to set begins at rest where the scenario's curve begins: the recording does,
/// too.
void hold_controls(DriveDescription& read) {
  const auto names = control_names(read.vehicle);
  const auto hold = [&](std::vector<Input>& inputs) {
    for (Input& input : inputs)
      if (!input.computed && !input.name.empty() &&
          std::find(names.begin(), names.end(), input.name) != names.end())
        input.curve = Curve::constant(input.curve.value(0.0));
  };
  hold(read.vehicle.mechanism.inputs);
  hold(read.scenario.inputs);
}

SeatDescription read_seat(const Files& files) {
  SeatDescription seat;
  DriveDescription& read = seat.drive;
  read.scenario = files.scenario.empty() ? seat::open_area() : read_scenario(files.scenario);
  seat.changes = seat::take_changes(read.scenario);
  read.vehicle = read_vehicle(
      files.vehicle,
      seat::overrides_at_start(read.scenario, read_overrides(files.overrides), seat.changes));
  for (const std::vector<std::string>* notes : {&read.vehicle.notes, &read.scenario.road_notes})
    for (const std::string& note : *notes) complain("note: {}\n", note);
  const auto names = control_names(read.vehicle);
  const Controls& controls = read.vehicle.controls;
  const std::array<const std::string*, seat::kControls> named{
      &controls.steering, &controls.throttle, &controls.brake, &controls.gear};
  for (std::size_t k = 0; k < named.size(); ++k)
    if (!named[k]->empty() && names[k].empty())
      complain(
          "note: the control '{}' is computed by an equation of the vehicle: the driver does "
          "not set it\n",
          *named[k]);
  if (names[seat::kSteering].empty() && names[seat::kThrottle].empty())
    throw ModelError(
        "vehicle '" + read.vehicle.mechanism.name +
        "' names neither a steering nor a throttle input (<controls>), expected one to "
        "drive it by");
  return seat;
}

/// The controls of a scenario at each step, as the seat would set them: no clock, no page.
int drive_headless(const DriveOptions& options, const DriveDescription& read,
                   std::vector<seat::ComingCar> coming, Session& session) {
  const std::vector<ResultFormat> formats = parse_formats(options.format);
  std::array<int, seat::kControls> input{};
  const auto names = control_names(read.vehicle);
  std::size_t next = 0;
  for (std::size_t k = 0; k < input.size(); ++k)
    input[k] = names[k].empty() ? -1 : session.find_input(names[k]);
  const double h = session.settings().h;
  const double until = options.duration.value_or(read.scenario.until);
  const auto steps = std::llround((until - session.time()) / h);
  std::optional<OutputFolder> folder;
  std::optional<ResultFiles> table;
  std::optional<PosedRows> posed;
  if (!options.out.empty()) {
    folder.emplace(options.out, options.overwrite, is_result_file);
    results::TableHead head;
    head.title = session.drive().model.mechanism.name + " in " + read.scenario.name;
    head.columns = columns_of(session.outputs());
    head.expected_rows = static_cast<double>(steps) + 1.0;
    head.bodies = names_of_bodies(session.drive().model.mechanism);
    table.emplace(*folder, formats, std::move(head));
    posed.emplace(*table, read.scenario);
  }
  std::vector<double> values(session.outputs().size());
  const Drive* driven = nullptr;
  std::optional<Workspace> ws;  // scratch of its car
  bool written = !table || table->begin();
  const auto write = [&] {
    session.read_outputs(values.data());
    if (&session.drive() != driven) {
      driven = &session.drive();
      ws.emplace(driven->model);
    }
    written = written && (!posed || posed->add(*driven, session.output_state(), values, *ws));
  };
  write();
  StepStatus status = StepStatus::converged;
  int no_number = -1;  // an input
  long unsettled = 0;
  double largest = 0.0;
  double when = 0.0;
  for (long long k = 0; k < steps && written && status == StepStatus::converged; ++k) {
    if (seat_signal.load(std::memory_order_relaxed) != 0) break;
    seat::take_due_cars(session, coming, next);
    no_number = seat::follow_curves(session, input);
    if (no_number >= 0) break;
    status = session.step();
    if (status != StepStatus::converged) break;
    write();
    const StepReport& report = session.report();
    if (report.settled) continue;
    ++unsettled;
    if (report.correction <= largest) continue;
    largest = report.correction;
    when = session.time();
  }
  if (table) written = table->finish() && written;
  say("{}: driven to t = {:.4g} s without a page\n", session.drive().model.mechanism.name,
      session.time());
  if (const std::string paths = table ? table->paths(options.out) : ""; !paths.empty())
    say("  written     {}\n", paths);
  if (unsettled > 0)
    say("  unsettled   {} steps ended with a correction or a closure above {:g} m or rad; largest "
        "correction {:.1e} at t = {:.4g} s\n",
        unsettled, session.settings().settled_bound, largest, when);
  if (!written) {
    complain("{}\n", table->trouble());
    return kCannotWrite;
  }
  if (no_number >= 0) {
    complain("drive stopped at t = {:g} s: input '{}' is no number at the end of the coming step\n",
             session.time(), session.inputs()[static_cast<std::size_t>(no_number)].name);
    return kSolverFailed;
  }
  if (status != StepStatus::converged) {
    const StepReport& report = session.report();
    std::string closure;
    if (report.worst_row >= 0)
      closure = fmt::format("; worst closure '{}' open by {:.3g}",
                            name_of_row(session.drive().model, report.worst_row), report.Phi);
    complain("drive stopped at t = {:g} s, step of {:g} s: {}{}\n", session.time(), h,
             semirec::name_of(status), closure);
    return kSolverFailed;
  }
  return seat_signal.load(std::memory_order_relaxed) != 0 ? kInterrupted : kDone;
}

int drive_command(const DriveOptions& options) {
  check(options);
  SeatDescription seat = read_seat(options.files);
  if (!options.headless) hold_controls(seat.drive);
  const DriveDescription& read = seat.drive;
  SessionSettings settings;
  settings.step = 1.0 / options.rate;
  settings.iterations = options.iterations;
  if (options.headless) settings.step = read.scenario.step;
  Session session(read, settings);
  const std::size_t printed = read.vehicle.notes.size() + read.scenario.road_notes.size();
  for (std::size_t k = printed; k < session.notes().size(); ++k)
    complain("note: {}\n", session.notes()[k]);
  catch_interrupts(on_seat_signal);
  if (options.headless)
    return drive_headless(
        options, read,
        seat::make_coming_cars(options.files.vehicle, read, seat.changes, settings, session),
        session);
  if (!seat.changes.empty() && seat.changes.back().time > 0.0)
    complain(
        "note: the scenario's changes of the vehicle are for --headless: here the driver makes "
        "them\n");

  RealtimeSetup setup;
  setup.scenario = read.scenario.name;
  setup.rate = options.rate;
  setup.duration = options.duration.value_or(1e6);
  setup.iterations = session.settings().iterations;
  setup.core = options.core.value_or(-1);
  setup.priority = options.priority;
  setup.runner.schedule.period = std::llround(1e9 / options.rate);
  // someone at the wheel rather has a late car than none: no window is judged
  setup.runner.schedule.most_overruns = 1.0;
  setup.runner.schedule.window = std::numeric_limits<std::int64_t>::max();
  setup.runner.duration = std::llround(1e9 * setup.duration);
  seat::SeatLink link(session, read.vehicle, setup.runner.schedule.period,
                      static_cast<std::size_t>(std::min(kMostRecorded * options.rate, kMostRows)),
                      steady_nanoseconds);
  SeatDriver driver(
      link, session,
      {options.files.vehicle, options.files.scenario, options.out, options.overwrite, settings},
      read, seat.changes);
  SeatPage page(session, read, options.files.vehicle);
  const realtime::Machine machine = realtime::find_machine(setup.core);
  std::vector<realtime::Attempt> attempts;
  realtime::Runner runner(session, setup.runner, &link);
  {
    const seat::SeatServer server(
        {options.port}, {[&] { return page.html(); }, [&] { return page.hello(driver.sliders()); },
                         [&](const std::string& message) { return driver.hear(message); },
                         [&](std::vector<float>& numbers) {
                           if (!link.take_frame()) return false;
                           driver.look_at(link.frame());
                           page.put_frame(link.frame(), numbers);
                           return true;
                         },
                         [&] { return driver.take_news(); }});
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
  if (const std::uint64_t failed = runner.report().failed_steps; failed > 0 && !options.json)
    say("  failed      {} step{}, the last one: {}\n", failed, failed == 1 ? "" : "s",
        semirec::name_of(runner.report().failure));
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
  command
      ->add_option(
          "--iterations", options->iterations,
          "Newton iterations of every step; 0: 2, or 1 with a scheme that does not iterate")
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
      "no page and no clock: the scenario's controls and changes of the car, step by step as the "
      "seat sets them; a drive that was saved comes out to the bit");
  command->add_option("--out", options->out,
                      "folder for drives that are saved; --headless: for results.csv");
  add_format(*command, options->format, "--headless: of the table in that folder: ", headless);
  command->add_flag("--overwrite", options->overwrite, "replace what is already there");
  Argument* json =
      command->add_flag("--json", options->json, "print the report at the end as JSON");
  // a drive without a clock has its step from the scenario
  for (Argument* of_the_clock : {rate, port, core, json}) headless->excludes(of_the_clock);
  command->callback([options, &exit_code] { exit_code = drive_command(*options); });
}

}  // namespace semirec::cli
