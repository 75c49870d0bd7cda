#include <cmath>
#include <csignal>
#include <optional>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "apps/cli/commands.hpp"
#include "apps/cli/output.hpp"
#include "apps/cli/realtime_options.hpp"
#include "apps/cli/realtime_page.hpp"
#include "apps/cli/realtime_report.hpp"
#include "apps/cli/report_output.hpp"
#include "apps/cli/run_limits.hpp"
#include "apps/cli/terminal.hpp"
#include "apps/realtime/busy.hpp"
#include "apps/realtime/exchange_link.hpp"
#include "vehicles/session/input_unit.hpp"

namespace semirec::cli {

namespace {

std::atomic<int> stop_signal{0};
static_assert(std::atomic<int>::is_always_lock_free);
void on_signal(int signal) { stop_signal.store(signal, std::memory_order_relaxed); }

/// Frames of a run that a page may choose from; each takes some kilobytes.
constexpr std::size_t kMostFrames = 4000;

struct RealtimeOptions {
  Files files;
  SchemeLimits scheme;
  ControlLimits control;
  double rate = 1000.0, duration = 10.0, spin = 0.0, most_overruns = 10.0;
  int iterations = 0, factorizations = 0, catch_up = 100;
  std::optional<int> core;
  int priority = 80, load = 0;
  long input_timeout = 100;
  std::string policy = "skip", on_timeout = "hold", exchange, out, report;
  std::vector<std::string> inputs;
  double correction_bound = 1e-6, closure_bound = 1e-6;
  bool strict = false, baseline = false, rehearse = false, no_thread_time = false,
       overwrite = false, json = false;
};

/// Those that end within a time; the product is a whole number up to round-off.
std::int64_t whole_periods(double rate, double duration) {
  return static_cast<std::int64_t>(std::floor(rate * duration * (1.0 + 1e-12)));
}

RealtimeSetup check(const RealtimeOptions& options) {
  expect_within("--rate", options.rate, 1.0, 100e3, "1 to 100000 Hz");
  expect_within("--duration", options.duration, 1.0 / options.rate, 1e6,
                "at least one period and at most 1e6 s");
  expect_within("--rate times --duration", options.rate * options.duration, 1.0, 1e9,
                "at most 1e9 periods");
  expect_within("--iterations", options.iterations, 0, 100, "1 to 100, or 0");
  expect_within("--factorizations", options.factorizations, 0,
                options.iterations == 0 ? 2 : options.iterations,
                "0 (all) to the number of iterations");
  expect_within("--priority", options.priority, 0, 99, "1 to 99, or 0 for ordinary scheduling");
  expect_within("--spin", options.spin, 0.0, 1e6 / options.rate, "0 to the period, in us");
  expect_within("--max-overruns", options.most_overruns, 0.0, 100.0, "0 to 100 percent");
  expect_within("--catch-up", options.catch_up, 1, 1e6, "1 to 1e6 periods");
  expect_within("--input-timeout", static_cast<double>(options.input_timeout), 1, 1e9,
                "1 to 1e9 periods");
  expect_within("--correction-bound", options.correction_bound, 0.0, 1e300, "0 or more");
  expect_within("--closure-bound", options.closure_bound, 0.0, 1e300, "0 or more, in m");
  expect_within("--load", options.load, 0, 64, "0 to 64 threads");
  expect_core(options.core);
  if (options.load > 0 && !options.core)
    throw ModelError("--load needs --core, expected the core that the threads are to leave free");

  RealtimeSetup setup;
  setup.exchange = options.exchange;
  setup.rate = options.rate;
  setup.duration = options.duration;
  setup.iterations = options.iterations;
  setup.factorizations = options.factorizations;
  setup.core = options.core.value_or(-1);
  setup.priority = options.priority;
  setup.load = options.load;
  realtime::RunnerSettings& runner = setup.runner;
  runner.schedule.period = std::llround(1e9 / options.rate);
  runner.schedule.most_in_a_row = options.catch_up;
  runner.schedule.most_overruns = options.most_overruns / 100.0;
  if (options.policy == "catch-up")
    runner.schedule.policy = realtime::Policy::catch_up;
  else if (options.policy != "skip")
    throw ModelError("--policy is '" + options.policy + "', expected skip or catch-up");
  // whole periods of the rate that was asked for: theirs is rounded to ns
  runner.duration = whole_periods(options.rate, options.duration) * runner.schedule.period;
  runner.spin = std::llround(1e3 * options.spin);
  runner.rehearse = options.rehearse;
  if (options.rehearse && runner.spin == 0)
    throw ModelError("--rehearse needs --spin, expected the us before a period that it may take");
  setup.input_timeout = static_cast<std::uint32_t>(options.input_timeout);
  if (options.on_timeout == "curve")
    setup.on_timeout = realtime::OnTimeout::curve;
  else if (options.on_timeout == "stop")
    setup.on_timeout = realtime::OnTimeout::stop;
  else if (options.on_timeout != "hold")
    throw ModelError("--on-timeout is '" + options.on_timeout + "', expected hold, curve or stop");
  runner.thread_time = !options.no_thread_time;
  runner.baseline = options.baseline;
  runner.correction_bound = options.correction_bound;
  runner.closure_bound = options.closure_bound;
  return setup;
}

/// --input NAME=VALUE: another curve of a vehicle's input, so that the start knows of it.
void set_inputs(const std::vector<std::string>& texts, DriveDescription& loaded) {
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    double value = 0.0;
    if (equals == std::string::npos || !parse_number(text.substr(equals + 1), value) ||
        !std::isfinite(value))
      throw ModelError("--input '" + text + "' is not understood, expected NAME=NUMBER");
    std::string names;
    bool found = false;
    for (const Input& known : loaded.vehicle.mechanism.inputs) {
      names += (names.empty() ? "" : ", ") + known.name;
      found = found || known.name == name;
    }
    if (!found)
      throw ModelError("--input '" + text + "': the vehicle has no input '" + name +
                       "', expected " + (names.empty() ? "none: it has no inputs" : names));
    for (const std::string* earlier = texts.data(); earlier != &text; ++earlier)
      if (earlier->substr(0, earlier->find('=')) == name)
        note_once("--input " + name + " is given more than once, the last one counts");
    loaded.scenario.inputs.push_back({name, Curve::constant(value), {"--input " + text, 0}});
  }
}

realtime::ExchangeLayout layout_of(const Session& session, const RealtimeSetup& setup) {
  realtime::ExchangeLayout layout;
  for (std::size_t k = 0; k < session.inputs().size(); ++k)
    layout.inputs.push_back(
        {session.inputs()[k].name, find_input_unit(session, static_cast<int>(k))});
  layout.outputs = session.outputs();
  layout.period = setup.runner.schedule.period;
  layout.input_timeout = setup.input_timeout;
  layout.vehicle = session.drive().model.mechanism.name;
  layout.scenario = setup.scenario;
  return layout;
}

int code_of(realtime::RunnerStop stop) {
  if (stop == realtime::RunnerStop::finished) return kDone;
  return stop == realtime::RunnerStop::interrupted ? kInterrupted : kSolverFailed;
}

int realtime_command(const RealtimeOptions& options) {
  RealtimeSetup setup = check(options);
  refuse_control(options.control,
                 "realtime steps at a fixed rate, expected it with run, sweep or compare");
  DriveDescription loaded = load(options.files);
  apply(options.scheme, loaded.scenario);
  set_inputs(options.inputs, loaded);
  setup.scenario = loaded.scenario.name;
  SessionSettings session_settings;
  session_settings.step = static_cast<double>(setup.runner.schedule.period) / 1e9;
  session_settings.iterations = setup.iterations;
  session_settings.factorizations = setup.factorizations;
  Session session(loaded.vehicle, loaded.scenario, session_settings);
  setup.iterations = session.settings().iterations;
  // those of the files have been printed
  const std::size_t printed = loaded.vehicle.notes.size() + loaded.scenario.road_notes.size();
  for (std::size_t k = printed; k < session.notes().size(); ++k)
    fmt::print(stderr, "note: {}\n", session.notes()[k]);
  const realtime::Machine machine = realtime::find_machine(setup.core);
  if (setup.runner.baseline) setup.runner.rounds = realtime::measure_work();

  // from here on something is left behind if the program does not clean up
  catch_interrupts(on_signal);
  std::optional<OutputFile> file;
  if (!options.out.empty()) file.emplace(options.out, options.overwrite);
  std::optional<realtime::Exchange> exchange;
  if (!setup.exchange.empty()) exchange.emplace(setup.exchange, layout_of(session, setup));
  std::optional<realtime::ExchangeLink> link;
  if (exchange) link.emplace(*exchange, session, setup.input_timeout, setup.on_timeout);
  realtime::Link* client = link ? &*link : nullptr;
  const std::unique_ptr<ReportFile> page = open_report(options.report, options.overwrite);
  std::optional<realtime::KeptFrames> frames;
  if (page)
    frames.emplace(session, static_cast<std::uint64_t>(std::ceil(options.rate * options.duration)),
                   kMostFrames, client);
  realtime::Runner runner(session, setup.runner, frames ? &*frames : client);

  std::vector<realtime::Attempt> attempts;
  {
    const realtime::Load load(setup.load, setup.core);
    const realtime::RealtimeThread thread({setup.core, setup.priority});
    attempts = thread.attempts();
    if (load.started() < setup.load)
      attempts.push_back({fmt::format("a load of {} threads", setup.load), false,
                          fmt::format("the system started {}", load.started())});
    for (const realtime::Attempt& attempt : attempts) {
      if (attempt.done) continue;
      if (options.strict)
        throw ModelError("--strict: not set: " + attempt.what + ": " + attempt.reason);
      complain("not set: {}: {}\n", attempt.what, attempt.reason);
    }
    if (exchange) {
      exchange->mark_ready();
      complain("exchange {}: {} inputs, {} outputs\n", exchange->name(), session.inputs().size(),
               session.outputs().size());
    }
    runner.run(stop_signal);
  }

  int code = code_of(runner.report().stop);
  auto json = realtime_json(runner, session, setup, machine, attempts);
  if (link) json["inputs"]["beyond"] = link->notes();
  const bool written = !file || (file->write(json_text(json)) && file->finish());
  if (!written && code == kDone) code = kCannotWrite;
  std::string trouble;
  if (page) {
    report::Report content =
        make_realtime_page(options.files, loaded, json, runner, *frames, session);
    trouble = page->write(content);
    if (!trouble.empty() && code == kDone) code = kCannotWrite;
  }
  if (options.json) {
    say("{}", json_text(json));
  } else {
    print_realtime(json);
    if (file && written) say("  written     {}\n", options.out);
    if (page && trouble.empty()) say("  page        {}\n", page->path());
  }
  if (!trouble.empty()) complain("{}\n", trouble);
  if (json.contains("message")) complain("run stopped: {}\n", json["message"].get<std::string>());
  if (!written) complain("{}\n", file->trouble());
  return code;
}

}  // namespace

void register_realtime(Command& app, int& exit_code) {
  auto options = std::make_shared<RealtimeOptions>();
  Command* command = app.add_subcommand(
      "realtime",
      "step a vehicle at a fixed rate against the clock, inputs and outputs through shared "
      "memory,\n"
      "and measure each period. The step is 1/rate; past the end of the scenario it goes on, "
      "inputs\n"
      "by their curves. Needs no privilege, and says what it could not set without:\n"
      "  semirec realtime vehicles/models/car26.xml vehicles/scenarios/shaker.xml --core 1 \\\n"
      "    --duration 60 --baseline --out realtime.json");
  add_files(*command, options->files, /*scenario_required=*/true);
  add_scheme_limits(*command, options->scheme);
  add_refused_control_limits(*command, options->control);
  command->add_option("--rate", options->rate, "periods a second, Hz")->capture_default_str();
  command->add_option("--duration", options->duration, "wall time, s")->capture_default_str();
  command
      ->add_option(
          "--iterations", options->iterations,
          "Newton iterations of every step; 0: 2, or 1 with a scheme that does not iterate")
      ->capture_default_str();
  command
      ->add_option("--factorizations", options->factorizations,
                   "the first so many iterations factor the tangent anew; 0: all. One does up to 2 "
                   "ms and saves an eighth of a step")
      ->capture_default_str();
  command->add_option("--core", options->core, "bind to this core, from 0");
  command
      ->add_option("--priority", options->priority,
                   "SCHED_FIFO priority, 1 to 99; 0: ordinary scheduling")
      ->capture_default_str();
  command->add_flag("--strict", options->strict,
                    "stop with exit code 3 when memory, core or priority cannot be set");
  command
      ->add_option("--spin", options->spin,
                   "wake up this many us early and ask the clock until the period is due")
      ->capture_default_str();
  command->add_flag("--rehearse", options->rehearse,
                    "within --spin, take the coming step on a copy and forget it: the step then "
                    "finds warm caches");
  command
      ->add_option("--policy", options->policy,
                   "after an overrun: skip (missed periods are left out, model time falls behind) "
                   "or catch-up (the next steps run at once)")
      ->capture_default_str();
  command
      ->add_option("--catch-up", options->catch_up,
                   "catch-up: stop after this many late periods in a row")
      ->capture_default_str();
  command
      ->add_option("--max-overruns", options->most_overruns,
                   "stop when more than this many percent of the periods of a second overrun, or "
                   "of a shorter run")
      ->capture_default_str();
  command->add_option("--exchange", options->exchange,
                      "name of the shared-memory object for inputs and outputs "
                      "(docs/how_to/realtime.md); none without it");
  command
      ->add_option("--input-timeout", options->input_timeout,
                   "periods after a client's last heartbeat after which it counts as silent")
      ->capture_default_str();
  command
      ->add_option("--on-timeout", options->on_timeout,
                   "inputs of a silent client: hold the last values, follow the scenario's curve, "
                   "or stop the run")
      ->capture_default_str();
  command
      ->add_option(
          "--input", options->inputs,
          "NAME=VALUE: hold an input of the vehicle at a value, in the place of its curve; "
          "may be repeated")
      ->take_all();
  command
      ->add_option("--correction-bound", options->correction_bound,
                   "count steps whose last correction (rms, m or rad) is above")
      ->capture_default_str();
  command
      ->add_option("--closure-bound", options->closure_bound,
                   "count steps whose closure error (m) is above")
      ->capture_default_str();
  command->add_flag("--baseline", options->baseline,
                    "run an empty loop as long as the median step in every other second: what of "
                    "the figures is the machine's; model time stands still meanwhile");
  command
      ->add_option("--load", options->load,
                   "busy threads on the other cores, 32 MiB each; needs --core")
      ->capture_default_str();
  command->add_flag("--no-thread-time", options->no_thread_time,
                    "do not ask for the thread's CPU time in the loop (a system call)");
  command->add_option("--out", options->out,
                      "file for the report as JSON, realtime.json by custom; nothing is written "
                      "without it");
  add_report(*command, options->report);
  command->add_flag("--overwrite", options->overwrite, "replace files that are already there");
  command->add_flag("--json", options->json, "print the report as JSON");
  command->callback([options, &exit_code] { exit_code = realtime_command(*options); });
}

}  // namespace semirec::cli
