#include <cmath>
#include <map>
#include <optional>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "apps/cli/clamp_count.hpp"
#include "apps/cli/commands.hpp"
#include "apps/cli/results.hpp"
#include "apps/cli/run_limits.hpp"
#include "apps/cli/terminal.hpp"
#include "integrator/initial_conditions.hpp"

namespace semirec::cli {

namespace {

using Json = nlohmann::ordered_json;

struct RunOptions {
  Files files;
  RunLimits limits;
  int factorizations = 0;
  std::string formulation = "hybrid";
  std::string tangent = "automatic";
  bool no_reselection = false;
  std::string out;
  bool overwrite = false;
  bool json = false;
};

/// Largest magnitude of a channel with its time.
struct Peak {
  double value = 0.0;
  double time = 0.0;
};

bool is_peak_channel(const std::string& name) {
  for (const char* end : {".az", ".roll", ".pitch", ".Fz", ".force"}) {
    const std::string suffix(end);
    if (name.size() > suffix.size() &&
        name.compare(name.size() - suffix.size(), suffix.size(), suffix) == 0)
      return true;
  }
  return false;
}

Json summary_of(const Drive& drive, const Scenario& scenario, const RunReport& report,
                const ClosureRank& rank, const std::map<std::string, Peak>& peaks,
                const std::string& status) {
  const Model& model = drive.model;
  Json summary;
  summary["model"] = model.mechanism.name;
  summary["scenario"] = scenario.name;
  summary["formulation"] = semirec::name_of(model.formulation);
  summary["step"] = drive.settings.step.h;
  summary["topology"] = {{"bodies", model.mechanism.bodies.size()},
                         {"coordinates", model.n()},
                         {"closures", model.m()},
                         {"dof", model.n() - rank.rank},
                         {"redundant", rank.rows - rank.rank}};
  summary["steps"] = report.steps;
  summary["substeps"] = report.substeps;
  summary["iterations"] = {{"mean", report.iterations_mean}, {"max", report.iterations_max}};
  summary["unsettled"] = {{"steps", report.unsettled},
                          {"bound", drive.settings.step.settled_bound},
                          {"worst_correction", report.correction},
                          {"time", report.correction_at}};
  summary["closure"] = {
      {"position", report.Phi}, {"velocity", report.Phid}, {"acceleration", report.Phidd}};
  summary["energy"] = {{"kinetic", report.end.kinetic},
                       {"potential", report.end.potential},
                       {"elastic", report.end.elastic},
                       {"dissipated", report.end.dissipated},
                       {"input", report.end.input},
                       {"error", report.energy_error},
                       {"turned_over", report.energy_turned_over},
                       {"balance_broken", is_balance_broken(report)}};
  if (!report.events.empty()) {
    Json events = Json::array();
    for (const RunReport::Happened& happened : report.events)
      events.push_back({{"event", happened.event}, {"time", happened.t}});
    summary["events"] = events;
  }
  if (model.formulation == Formulation::topological) summary["reselections"] = report.reselections;
  Json peak_json = Json::object();
  for (const auto& [name, peak] : peaks)
    peak_json[name] = {{"value", peak.value}, {"time", peak.time}};
  summary["peaks"] = peak_json;
  const double simulated = static_cast<double>(report.steps) * drive.settings.step.h;
  summary["time"] = {
      {"wall", report.wall},
      {"cpu", report.step_cpu},
      {"realtime_factor", report.step_time > 0.0 ? simulated / report.step_time : 0.0},
      {"step_us",
       {{"p50", step_quantile(report, 0.5)},
        {"p99", step_quantile(report, 0.99)},
        {"p999", step_quantile(report, 0.999)},
        {"max", step_quantile(report, 1.0)}}}};
  summary["status"] = status;
  if (!report.message.empty()) summary["message"] = report.message;
  return summary;
}

void print_summary(const Json& s, double final_time) {
  fmt::print("{} in {}: {} to t = {:.4g} s, {} steps of {:g} s\n", s["model"].get<std::string>(),
             s["scenario"].get<std::string>(), s["status"].get<std::string>(), final_time,
             s["steps"].get<long>(), s["step"].get<double>());
  const Json& topology = s["topology"];
  fmt::print(
      "  model       {} bodies, {} coordinates, {} closure rows, {} degrees of freedom, {} "
      "redundant\n",
      topology["bodies"].get<int>(), topology["coordinates"].get<int>(),
      topology["closures"].get<int>(), topology["dof"].get<int>(),
      topology["redundant"].get<int>());
  fmt::print("  iterations  {:.2f} a step, at most {}\n", s["iterations"]["mean"].get<double>(),
             s["iterations"]["max"].get<int>());
  const Json& unsettled = s["unsettled"];
  if (unsettled["steps"].get<long>() > 0)
    fmt::print(
        "  unsettled   {} steps ended with a correction or a closure above {:g} m or rad; largest "
        "correction {:.1e} at t = {:.4g} s\n",
        unsettled["steps"].get<long>(), unsettled["bound"].get<double>(),
        unsettled["worst_correction"].get<double>(), unsettled["time"].get<double>());
  fmt::print("  closures    {:.1e} m, {:.1e} m/s, {:.1e} m/s^2 at most\n",
             s["closure"]["position"].get<double>(), s["closure"]["velocity"].get<double>(),
             s["closure"]["acceleration"].get<double>());
  const Json& energy = s["energy"];
  fmt::print(
      "  energy      kinetic {:.6g}, potential {:.6g}, elastic {:.6g}, dissipated {:.6g}, input "
      "{:.6g} J; "
      "balance within {:.3g} J\n",
      energy["kinetic"].get<double>(), energy["potential"].get<double>(),
      energy["elastic"].get<double>(), energy["dissipated"].get<double>(),
      energy["input"].get<double>(), energy["error"].get<double>());
  if (s.contains("reselections"))
    fmt::print("  independent coordinates chosen anew {} times\n", s["reselections"].get<long>());
  if (s.contains("events"))
    for (const Json& event : s["events"])
      fmt::print("  event       '{}' at t = {:.6g} s\n", event["event"].get<std::string>(),
                 event["time"].get<double>());
  print_clamps(s);
  if (s["peaks"].contains("chassis.az")) {
    const double az = s["peaks"]["chassis.az"]["value"].get<double>();
    fmt::print("  peak        vertical acceleration {:.2f} m/s^2 ({:.2f} g) at t = {:.3f} s\n", az,
               az / 9.81, s["peaks"]["chassis.az"]["time"].get<double>());
  }
  const Json& time = s["time"];
  fmt::print(
      "  time        step p50 {:.1f} us, p99.9 {:.1f} us, max {:.1f} us: {:.0f} times real time; "
      "{:.2f} s in all\n",
      time["step_us"]["p50"].get<double>(), time["step_us"]["p999"].get<double>(),
      time["step_us"]["max"].get<double>(), time["realtime_factor"].get<double>(),
      time["wall"].get<double>());
}

/// The last line of a run whose energies do not add up.
void print_broken_balance(const RunReport& report) {
  if (!is_balance_broken(report)) return;
  fmt::print(
      "  broken      the energy balance is off by {:.3g} J, more than {:g} % of the {:.3g} J "
      "turned "
      "over: the step is too long for this motion, or its solution is wrong\n",
      report.energy_error, 100.0 * kBalanceShare, report.energy_turned_over);
}

int run_command(const RunOptions& options) {
  Loaded loaded = load(options.files);
  apply(options.limits, loaded.scenario);
  if (options.factorizations < 0 ||
      options.factorizations > std::max(loaded.scenario.iterations, 0))
    throw ModelError(
        fmt::format("--factorizations is {}, expected 0 to the number given as "
                    "--iterations",
                    options.factorizations));
  CompileSettings compile_settings;
  compile_settings.formulation = parse_formulation(options.formulation);
  compile_settings.tangent = parse_tangent(options.tangent);
  Drive drive = make_drive(loaded.vehicle, loaded.scenario, compile_settings);
  drive.settings.step.reselect = !options.no_reselection;
  drive.settings.step.factorizations = options.factorizations;
  const Recorder recorder(drive.model, drive.recorder);
  Workspace ws(drive.model);
  Workspace scratch(drive.model);
  StartReport start_report;
  State state = start_drive(drive, ws, start_report);
  for (const std::string& note : start_report.notes) fmt::print(stderr, "note: {}\n", note);
  const ClosureRank rank = find_closure_rank(drive.model, state, scratch);

  // only now that everything is known to be right, anything is written
  std::optional<ResultFolder> folder;
  bool written = true;
  if (!options.out.empty()) {
    folder.emplace(options.out, options.overwrite);
    std::vector<Channel> channels = recorder.channels();
    for (const char* part : {"kinetic", "potential", "elastic", "dissipated", "input", "error"})
      channels.push_back({std::string("energy.") + part, "J"});
    written = folder->write_header(channels);
  }

  std::vector<std::size_t> watched;
  for (std::size_t k = 0; k < recorder.channels().size(); ++k)
    if (is_peak_channel(recorder.channels()[k].name)) watched.push_back(k);
  std::map<std::string, Peak> peaks;
  ClampCount clamps(recorder.channels());
  std::vector<double> values;
  double next_row = state.t;
  const double interval = drive.settings.record;
  const double slack = 1e-6 * drive.settings.step.h;
  drive.settings.record = 0.0;

  RunObserver observer;
  std::optional<Energy> start;
  observer.record = [&](const State& at, const Energy& energy) {
    if (!start) start = energy;
    recorder.record(drive.model, at, scratch, values);
    clamps.add(values);
    for (const std::size_t k : watched) {
      Peak& peak = peaks[recorder.channels()[k].name];
      if (std::abs(values[k]) > std::abs(peak.value)) peak = {values[k], at.t};
    }
    if (!folder || at.t < next_row - slack) return true;
    while (interval > 0.0 && next_row <= at.t + slack) next_row += interval;
    for (const double part : {energy.kinetic, energy.potential, energy.elastic, energy.dissipated,
                              energy.input, energy.error(*start)})
      values.push_back(part);
    written = written && folder->write_row(values);
    return written;
  };
  RunReport report;
  {
    ProgressLine progress;
    const double until = drive.settings.until;
    observer.keep_going = [&](double t) {
      if (progress.due()) progress.show(t / until, fmt::format("t = {:.2f} of {:.2f} s", t, until));
      return !interrupted();
    };
    catch_interrupts();
    report = run(drive.model, drive.settings, state, ws, observer);
  }

  std::string status = "finished";
  int code = kDone;
  if (report.status == RunStatus::failed) {
    status = "failed: " + std::string(name_of(report.failure));
    code = kSolverFailed;
  } else if (!written) {
    status = "stopped: results cannot be written";
    code = kCannotWrite;
  } else if (report.status == RunStatus::stopped) {
    status = "interrupted";
    code = kInterrupted;
  }
  if (folder && !folder->close_table() && code == kDone) {
    status = "stopped: results cannot be written";
    code = kCannotWrite;
  }
  Json summary = summary_of(drive, loaded.scenario, report, rank, peaks, status);
  clamps.put_into(summary);
  if (folder && !folder->write_summary(summary) && code == kDone) code = kCannotWrite;
  if (options.json) {
    fmt::print("{}\n", summary.dump(2));
  } else {
    print_summary(summary, state.t);
    if (folder) fmt::print("  written     {0}/results.csv, {0}/summary.json\n", options.out);
    print_broken_balance(report);
  }
  if (code == kSolverFailed)
    fmt::print(stderr, "run stopped at t = {:g} s: {}\n", state.t, report.message);
  if (code == kCannotWrite)
    fmt::print(stderr,
               "output folder '{}': cannot be written at t = {:g} s, expected room on the disk\n",
               options.out, state.t);
  return code;
}

}  // namespace

void register_run(Command& app, int& exit_code) {
  auto options = std::make_shared<RunOptions>();
  Command* command = app.add_subcommand("run", "drive a vehicle through a scenario");
  add_files(*command, options->files, /*scenario_required=*/true);
  add_limits(*command, options->limits);
  command
      ->add_option("--formulation", options->formulation,
                   "hybrid, global, topological or recursive")
      ->capture_default_str();
  command->add_flag("--no-reselection", options->no_reselection,
                    "topological: keep the first independent coordinates, as the paper does");
  command
      ->add_option("--tangent", options->tangent,
                   "factor of the tangent: automatic, tree, lanes (like branches together), sparse "
                   "(CHOLMOD) or dense")
      ->capture_default_str();
  command->add_option(
      "--factorizations", options->factorizations,
      "constant work: the first so many iterations factor the tangent anew; 0: all of them");
  command->add_option("--out", options->out,
                      "folder for results.csv and summary.json; nothing is written without it");
  command->add_flag("--overwrite", options->overwrite, "replace results that are already there");
  command->add_flag("--json", options->json, "print the summary as JSON");
  command->callback([options, &exit_code] { exit_code = run_command(*options); });
}

}  // namespace semirec::cli
