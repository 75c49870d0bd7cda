#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "apps/cli/clamp_count.hpp"
#include "apps/cli/commands.hpp"
#include "apps/cli/output.hpp"
#include "apps/cli/posed_rows.hpp"
#include "apps/cli/report_output.hpp"
#include "apps/cli/result_files.hpp"
#include "apps/cli/run_limits.hpp"
#include "apps/cli/run_report.hpp"
#include "apps/cli/terminal.hpp"
#include "apps/report/gltf_run.hpp"
#include "apps/report/motion_recorder.hpp"
#include "integrator/statics/initial_conditions.hpp"
#include "vehicles/session/run_notes.hpp"

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
  std::string euler_parameters;
  std::string out;
  std::string format = "csv";
  std::string report, gltf;
  bool overwrite = false;
  bool json = false;
};

/// Largest magnitude of a channel with its time.
struct Peak {
  double value = 0.0;
  double time = 0.0;
};

/// To the rounding of what files say in decimals.
bool is_multiple(double interval, double step) {
  const double steps = interval / step;
  return std::abs(steps - std::round(steps)) <= 1e-6;
}

bool is_peak_channel(const std::string& name) {
  for (const char* end : {".az", ".roll", ".pitch", ".Fz", ".force"}) {
    const std::string suffix(end);
    if (name.size() > suffix.size() &&
        name.compare(name.size() - suffix.size(), suffix.size(), suffix) == 0)
      return true;
  }
  return false;
}

/// What the scenario does with the steering wheel or the pedals, and what the car makes of it.
class Handling {
 public:
  Handling(const Vehicle& vehicle, const Scenario& scenario, const std::vector<Channel>& channels) {
    for (const Input& input : scenario.inputs) {
      if (input.name.empty() || input.curve.is_constant()) continue;
      steers_ = steers_ || input.name == vehicle.controls.steering;
      drives_ = drives_ || input.name == vehicle.controls.throttle ||
                input.name == vehicle.controls.brake;
    }
    for (std::size_t k = 0; k < kNames.size(); ++k)
      for (std::size_t c = 0; c < channels.size(); ++c)
        if (channels[c].name == std::string("chassis.") + kNames[k]) at_[k] = c;
    if (at_[kYaw] == 0) steers_ = drives_ = false;
  }

  void see(const std::vector<double>& row, double t) {
    if (!steers_ && !drives_) return;
    const double c = std::cos(row[at_[kYaw]]);
    const double s = std::sin(row[at_[kYaw]]);
    yaw_rate_.see(row[at_[kWz]], t);
    lateral_.see(c * row[at_[kAy]] - s * row[at_[kAx]], t);
    longitudinal_.see(c * row[at_[kAx]] + s * row[at_[kAy]], t);
    speed_.see(c * row[at_[kVx]] + s * row[at_[kVy]], t);
  }

  void put_into(Json& summary) const {
    Json about = Json::object();
    const auto put = [&](const char* name, const Course& course, const char* unit) {
      about[name] = {{"first", course.first},
                     {"last", course.last},
                     {"peak", course.peak},
                     {"peak_time", course.time},
                     {"unit", unit}};
    };
    if (steers_) {
      put("yaw_rate", yaw_rate_, "rad/s");
      put("lateral_acceleration", lateral_, "m/s^2");
    }
    if (drives_) {
      put("speed", speed_, "m/s");
      put("longitudinal_acceleration", longitudinal_, "m/s^2");
    }
    if (!about.empty()) summary["handling"] = about;
  }

 private:
  /// First and last value, and the largest magnitude with its sign and time.
  struct Course {
    double first = 0.0, last = 0.0, peak = 0.0, time = 0.0;
    bool seen = false;
    void see(double value, double t) {
      if (!seen) first = value;
      seen = true;
      last = value;
      if (std::abs(value) <= std::abs(peak)) return;
      peak = value;
      time = t;
    }
  };
  enum { kYaw, kWz, kAx, kAy, kVx, kVy };
  static constexpr std::array<const char*, 6> kNames{"yaw", "wz", "ax", "ay", "vx", "vy"};
  std::array<std::size_t, 6> at_{};
  bool steers_ = false, drives_ = false;
  Course yaw_rate_, lateral_, longitudinal_, speed_;
};

void print_handling(const Json& summary) {
  if (!summary.contains("handling")) return;
  for (const auto& [name, course] : summary["handling"].items()) {
    std::string words = name;
    std::replace(words.begin(), words.end(), '_', ' ');
    say("  {:<25} {:.4g} {}, at most {:.4g} at t = {:.3f} s\n", words, course["last"].get<double>(),
        course["unit"].get<std::string>(), course["peak"].get<double>(),
        course["peak_time"].get<double>());
  }
}

Json summary_of(const Drive& drive, const Scenario& scenario, const RunReport& report,
                const ClosureRank& rank, const std::map<std::string, Peak>& peaks,
                const std::string& status) {
  const Model& model = drive.model;
  Json summary;
  summary["model"] = model.mechanism.name;
  summary["scenario"] = scenario.name;
  summary["formulation"] = model.formulation->name();
  summary["step"] = drive.settings.step.h;
  const SchemeChoice& scheme = drive.settings.step.scheme;
  summary["scheme"] = {{"name", scheme.family->name}};
  for (std::size_t k = 0; k < scheme.family->parameters.size(); ++k)
    summary["scheme"][scheme.family->parameters[k].name] = scheme.parameters[k];
  summary["closing"] = name_of(drive.settings.step.closing);
  summary["projection"] = drive.settings.step.projections > 0;
  summary["topology"] = {{"bodies", model.mechanism.bodies.size()},
                         {"coordinates", model.n()},
                         {"closures", model.m()},
                         {"dof", model.n() - rank.rank},
                         {"redundant", rank.rows - rank.rank}};
  summary["steps"] = report.steps;
  summary["substeps"] = report.substeps;
  summary["iterations"] = {{"mean", report.iterations_mean}, {"max", report.iterations_max}};
  if (drive.settings.control.tolerance > 0.0) {
    const ControlReport& control = report.control;
    summary["step_control"] = {
        {"tolerance", drive.settings.control.tolerance},
        {"steps", control.steps},
        {"error_test_failures", control.error_rejections},
        {"convergence_failures", control.newton_rejections},
        {"iterations", report.iterations_total},
        {"factorizations", report.factorizations},
        {"factorized_for",
         {{"start_or_event", control.renewed_none},
          {"step_length", control.renewed_length},
          {"slow_convergence", control.renewed_slow}}},
        {"last_step", control.last},
        {"smallest_step", control.smallest},
        {"largest_step", control.largest},
        {"mean_step", control.steps > 0 ? (report.end_time - report.start_time) /
                                              static_cast<double>(control.steps)
                                        : 0.0}};
  }
  if (drive.settings.cut_contacts)
    summary["contacts"] = {{"cuts", report.contacts.cuts},
                           {"changes", report.contacts.changes},
                           {"passed", report.contacts.passed},
                           {"trial_steps", report.contacts.trials}};
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
                       {"taken_by_scheme", report.end.scheme},
                       {"error", report.energy_error},
                       {"turned_over", report.energy_turned_over},
                       {"balance_broken", is_balance_broken(report)}};
  if (!report.events.empty()) {
    Json events = Json::array();
    for (const RunReport::Happened& happened : report.events)
      events.push_back({{"event", happened.event}, {"time", happened.t}});
    summary["events"] = events;
  }
  if (!report.half_turns.empty()) {
    Json turned = Json::array();
    for (const HalfTurn& jump : report.half_turns)
      turned.push_back({{"element", jump.element}, {"time", jump.t}, {"times", jump.times}});
    summary["half_turns"] = turned;
  }
  if (model.formulation->selects_coordinates()) {
    summary["reselections"] = report.reselections;
    summary["rates_lost"] = report.rates_lost;
  }
  if (drive.settings.step.closing != Closing::penalty)
    summary["multipliers"] = {{"factorizations", report.factorizations},
                              {"pivotings", report.pivotings},
                              {"dependent_rows_of", report.dependent_owners}};
  Json peak_json = Json::object();
  for (const auto& [name, peak] : peaks)
    peak_json[name] = {{"value", peak.value}, {"time", peak.time}};
  summary["peaks"] = peak_json;
  summary["time"] = {{"wall", report.wall},
                     {"cpu", report.step_cpu},
                     {"realtime_factor", times_real_time(report)},
                     {"step_us",
                      {{"p50", step_quantile(report, 0.5)},
                       {"p99", step_quantile(report, 0.99)},
                       {"p999", step_quantile(report, 0.999)},
                       {"max", step_quantile(report, 1.0)}}}};
  summary["status"] = status;
  if (!report.message.empty()) summary["message"] = report.message;
  return summary;
}

/// Whether all energies of a run are numbers: a motion beyond all bounds leaves some that are not.
bool is_finite(const Json& energy) {
  return std::all_of(energy.begin(), energy.end(), [](const Json& part) {
    return !part.is_number() || std::isfinite(part.get<double>());
  });
}

void print_energy(const Json& energy) {
  if (!is_finite(energy)) {
    say("  energy      no numbers: the motion or its forces grew beyond all bounds, so there is no "
        "balance\n");
    return;
  }
  say("  energy      kinetic {:.6g}, potential {:.6g}, elastic {:.6g}, dissipated {:.6g}, input "
      "{:.6g} J; "
      "balance within {:.3g} J\n",
      energy["kinetic"].get<double>(), energy["potential"].get<double>(),
      energy["elastic"].get<double>(), energy["dissipated"].get<double>(),
      energy["input"].get<double>(), energy["error"].get<double>());
  if (const double taken = energy["taken_by_scheme"].get<double>(); taken != 0.0)
    say("  scheme      its damping has taken {:.3g} J, which the balance counts\n", taken);
}

void print_summary(const Json& s, const Drive& drive, double final_time) {
  const std::string length = s.contains("step_control")
                                 ? std::string(" of lengths of their own")
                                 : fmt::format(" of {:g} s", s["step"].get<double>());
  say("{} in {}: {} to t = {:.4g} s, {} steps{}\n", s["model"].get<std::string>(),
      s["scenario"].get<std::string>(), s["status"].get<std::string>(), final_time,
      s["steps"].get<long>(), length);
  const Json& topology = s["topology"];
  say("  model       {} bodies, {} coordinates, {} closure rows, {} degrees of freedom, {} "
      "redundant\n",
      topology["bodies"].get<int>(), topology["coordinates"].get<int>(),
      topology["closures"].get<int>(), topology["dof"].get<int>(),
      topology["redundant"].get<int>());
  if (drive.settings.step.scheme.family != &kTrapezoid)
    say("  scheme      {}\n", describe(drive.settings.step.scheme));
  if (s.contains("multipliers")) {
    const Json& multipliers = s["multipliers"];
    const long factorizations = multipliers["factorizations"].get<long>();
    if (drive.settings.step.closing == Closing::independent)
      say("  closing     independent coordinates, {} factorizations\n", factorizations);
    else
      say("  closing     multipliers as unknowns, {} factorizations, pivots chosen {} times\n",
          factorizations, multipliers["pivotings"].get<long>());
    std::string names;
    for (const Json& name : multipliers["dependent_rows_of"])
      names += (names.empty() ? "'" : ", '") + name.get<std::string>() + "'";
    if (!names.empty())
      say("  redundant   closure rows of {} depend on others: their multipliers are some of many\n",
          names);
  }
  if (!s["projection"].get<bool>())
    say("  projection  none: {} as the scheme's formulas give them\n",
        drive.settings.step.scheme.family->kind == StepKind::linearly_implicit
            ? "positions"
            : "rates and accelerations");
  say("  iterations  {:.2f} a step, at most {}\n", s["iterations"]["mean"].get<double>(),
      s["iterations"]["max"].get<int>());
  if (s.contains("step_control")) {
    const Json& c = s["step_control"];
    say("  control     {} steps of {:.3g} s on average, {:.3g} to {:.3g} s; {} failed the error "
        "test, {} did not "
        "converge; {} iterations, {} factorizations\n",
        c["steps"].get<long>(), c["mean_step"].get<double>(), c["smallest_step"].get<double>(),
        c["largest_step"].get<double>(), c["error_test_failures"].get<long>(),
        c["convergence_failures"].get<long>(), c["iterations"].get<long>(),
        c["factorizations"].get<long>());
  }
  if (s.contains("contacts")) {
    const Json& c = s["contacts"];
    say("  contacts    {} steps cut at {} begins and ends of contacts, {} more stepped over; {} "
        "steps to find them\n",
        c["cuts"].get<long>(), c["changes"].get<long>(), c["passed"].get<long>(),
        c["trial_steps"].get<long>());
  }
  const Json& unsettled = s["unsettled"];
  const bool iterates = drive.settings.step.scheme.family->kind != StepKind::linearly_implicit;
  if (unsettled["steps"].get<long>() > 0 && !iterates)
    say("  unsettled   {} steps ended with a closure above {:g} m or rad; the largest is {:.1e}\n",
        unsettled["steps"].get<long>(), unsettled["bound"].get<double>(),
        s["closure"]["position"].get<double>());
  else if (unsettled["steps"].get<long>() > 0)
    say("  unsettled   {} steps ended with a correction or a closure above {:g} m or rad; largest "
        "correction {:.1e} at t = {:.4g} s\n",
        unsettled["steps"].get<long>(), unsettled["bound"].get<double>(),
        unsettled["worst_correction"].get<double>(), unsettled["time"].get<double>());
  say("  closures    {:.1e} m, {:.1e} m/s, {:.1e} m/s^2 at most\n",
      s["closure"]["position"].get<double>(), s["closure"]["velocity"].get<double>(),
      s["closure"]["acceleration"].get<double>());
  print_energy(s["energy"]);
  if (s.contains("reselections"))
    say("  independent coordinates chosen anew {} times\n", s["reselections"].get<long>());
  if (s.contains("rates_lost") && s["rates_lost"].get<double>() > kRatesLost)
    say("  round-off   may have changed rates by {:.1g} of themselves: near singular positions the "
        "loops hardly tell the dependent coordinates, the less the shorter the step; expected a "
        "longer step or another formulation\n",
        s["rates_lost"].get<double>());
  if (s.contains("events"))
    for (const Json& event : s["events"])
      say("  event       '{}' at t = {:.6g} s\n", event["event"].get<std::string>(),
          event["time"].get<double>());
  if (s.contains("half_turns"))
    for (const Json& jump : s["half_turns"])
      say("  half turn   {}\n",
          describe_half_turn({jump["element"].get<std::string>(), jump["time"].get<double>(),
                              jump["times"].get<long>()}));
  print_clamps(s);
  print_handling(s);
  if (s["peaks"].contains("chassis.az")) {
    const double az = s["peaks"]["chassis.az"]["value"].get<double>();
    say("  peak        vertical acceleration {:.2f} m/s^2 ({:.2f} g) at t = {:.3f} s\n", az,
        az / 9.81, s["peaks"]["chassis.az"]["time"].get<double>());
  }
  const Json& time = s["time"];
  say("  time        step p50 {:.1f} us, p99.9 {:.1f} us, max {:.1f} us: {:.0f} times real time; "
      "{:.2f} s in all\n",
      time["step_us"]["p50"].get<double>(), time["step_us"]["p999"].get<double>(),
      time["step_us"]["max"].get<double>(), time["realtime_factor"].get<double>(),
      time["wall"].get<double>());
}

/// The last line of a run whose energies do not add up.
void print_broken_balance(const RunReport& report) {
  if (is_balance_broken(report)) say("  broken      {}\n", describe_broken_balance(report));
}

bool is_classic(const std::string& euler_parameters, const FormulationModel& formulation) {
  if (euler_parameters.empty()) return false;
  if (!formulation.has_euler_parameters())
    throw ModelError(
        fmt::format("--euler-parameters is given with --formulation {}, which has none, expected "
                    "it with cartesian only",
                    formulation.name()));
  if (euler_parameters == "classic") return true;
  if (euler_parameters == "modified") return false;
  throw ModelError(
      fmt::format("--euler-parameters is '{}', expected modified or classic", euler_parameters));
}

/// Throws ModelError where --no-reselection or --tangent are given with a formulation on which they
/// have no effect.
void check_formulation_options(const RunOptions& options, const Model& model) {
  const char* name = model.formulation->name();
  if (options.no_reselection && !model.formulation->selects_coordinates())
    throw ModelError(
        fmt::format("--no-reselection is given with --formulation {}, which selects no "
                    "coordinates, expected it with topological only",
                    name));
  if (options.limits.scheme.no_projection && model.formulation->selects_coordinates())
    throw ModelError(
        fmt::format("--no-projection is given with --formulation {}, whose independent rates need "
                    "none, expected it with the others only",
                    name));
  if (parse_tangent(options.tangent) != TangentChoice::automatic && model.tree.n > 0 &&
      model.tree.pattern.size() == 0)
    throw ModelError(
        fmt::format("--tangent {} is given with --formulation {}, which forms no matrix, expected "
                    "it with the others only",
                    options.tangent, name));
}

int run_command(const RunOptions& options) {
  const std::vector<ResultFormat> formats = parse_formats(options.format);
  const std::unique_ptr<ReportFile> page = open_report(options.report, options.overwrite);
  std::optional<OutputFile> scene;
  if (!options.gltf.empty()) scene.emplace(options.gltf, options.overwrite);
  DriveDescription loaded = load(options.files);
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
  Drive drive = make_drive(loaded, compile_settings);
  check_formulation_options(options, drive.model);
  drive.settings.step.reselect = !options.no_reselection;
  drive.settings.control.printed = asks_for_printed_estimate(options.limits.control);
  drive.settings.step.factorizations = options.factorizations;
  drive.settings.step.classic_euler_parameters =
      is_classic(options.euler_parameters, *drive.model.formulation);
  const std::string scheme_note =
      drive.model.formulation->note_of(drive.settings.step.scheme.make(drive.settings.step.h));
  std::vector<std::string> notes = loaded.vehicle.notes;
  notes.insert(notes.end(), loaded.scenario.road_notes.begin(), loaded.scenario.road_notes.end());
  if (!scheme_note.empty()) {
    complain("note: {}\n", scheme_note);
    notes.push_back(scheme_note);
  }
  const Recorder recorder(drive.model, drive.recorder);
  Workspace ws(drive.model);
  Workspace scratch(drive.model);
  StartReport start_report;
  State state = start_drive(drive, ws, start_report);
  for (const std::string& note : start_report.notes) complain("note: {}\n", note);
  notes.insert(notes.end(), start_report.notes.begin(), start_report.notes.end());
  const ClosureRank rank = find_closure_rank(drive.model, state, scratch);

  // only now that everything is known to be right, anything is written
  report::RowTimes rows(state.t, drive.settings.record, drive.settings.step.h);
  std::optional<OutputFolder> folder;
  std::optional<ResultFiles> table;
  std::optional<PosedRows> posed;
  bool written = true;
  if (!options.out.empty()) {
    folder.emplace(options.out, options.overwrite, is_result_file);
    std::vector<Channel> channels = recorder.channels();
    for (const char* part : {"kinetic", "potential", "elastic", "dissipated", "input", "error"})
      channels.push_back({std::string("energy.") + part, "J"});
    results::TableHead head;
    head.title = drive.model.mechanism.name + " in " + loaded.scenario.name;
    head.columns = columns_of(channels);
    head.expected_rows =
        (drive.settings.until - state.t) / std::max(drive.settings.step.h, drive.settings.record) +
        2.0;
    head.bodies = names_of_bodies(drive.model.mechanism);
    table.emplace(*folder, formats, std::move(head));
    posed.emplace(*table, loaded.scenario);
    written = table->begin();
  }

  std::map<std::string, Peak> peaks;
  std::vector<std::pair<std::size_t, Peak*>> watched;
  for (std::size_t k = 0; k < recorder.channels().size(); ++k) {
    const std::string& name = recorder.channels()[k].name;
    if (is_peak_channel(name)) watched.emplace_back(k, &peaks[name]);
  }
  ClampCount clamps(recorder.channels());
  Handling handling(loaded.vehicle, loaded.scenario, recorder.channels());
  std::vector<double> values;
  if (folder && drive.settings.control.tolerance == 0.0 && rows.interval() > 0.0 &&
      rows.interval() < (1.0 - 1e-6) * drive.settings.step.h)
    complain("note: a row every {:g} s is asked for, below the step of {:g} s: every step is one\n",
             rows.interval(), drive.settings.step.h);
  else if (folder && drive.settings.control.tolerance == 0.0 && rows.interval() > 0.0 &&
           !is_multiple(rows.interval(), drive.settings.step.h))
    complain(
        "note: a row every {:g} s is asked for, no multiple of the step of {:g} s: rows are the "
        "steps at or behind these times, at uneven distances\n",
        rows.interval(), drive.settings.step.h);
  const bool controlled = drive.settings.control.tolerance > 0.0;
  // with steps of lengths of their own rows lie between their ends
  const bool between = folder && controlled && rows.interval() > 0.0;
  drive.settings.record = between ? rows.interval() : 0.0;

  std::optional<report::MotionRecorder> motion;
  if (page || scene)
    motion.emplace(drive, recorder.channels(), state.t, drive.settings.until,
                   controlled ? 0.0 : drive.settings.step.h);

  RunObserver observer;
  std::optional<Energy> start;
  const auto write_row = [&](const State& at, const Energy& energy) {
    for (const double part : {energy.kinetic, energy.potential, energy.elastic, energy.dissipated,
                              energy.input, energy.error(*start)})
      values.push_back(part);
    written = written && posed->add(drive, at, values, scratch);
    return written;
  };
  const auto look = [&](const State& at) {
    clamps.add(values);
    handling.see(values, at.t);
    for (const auto& [k, peak] : watched)
      if (std::abs(values[k]) > std::abs(peak->value)) *peak = {values[k], at.t};
    if (motion) motion->see(at, values, scratch);
  };
  if (between)
    observer.see = [&](const State& at, const Energy& /*energy*/) {
      recorder.record(drive.model, at, scratch, values);
      look(at);
    };
  observer.record = [&](const State& at, const Energy& energy) {
    if (!start) start = energy;
    recorder.record(drive.model, at, scratch, values);
    if (!between) look(at);
    return !folder || !rows.take(at.t) || write_row(at, energy);
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
  // the last state has a row, whatever the interval
  if (folder && written && start && rows.last() < state.t) {
    recorder.record(drive.model, state, scratch, values);
    write_row(state, report.end);
  }
  if (motion && start) {
    recorder.record(drive.model, state, scratch, values);
    motion->see_last(state, values, scratch);
  }
  if (table && !table->finish() && code == kDone) {
    status = "stopped: results cannot be written";
    code = kCannotWrite;
  }
  Json summary = summary_of(drive, loaded.scenario, report, rank, peaks, status);
  clamps.put_into(summary);
  handling.put_into(summary);
  std::string trouble = table ? table->trouble() : std::string();
  std::string paths;
  if (folder) {
    paths = table->paths(options.out);
    const std::string of_summary = folder->write(kSummaryName, json_text(summary));
    if (of_summary.empty())
      paths += fmt::format("{}{}/{}", paths.empty() ? "" : ", ", options.out, kSummaryName);
    if (trouble.empty()) trouble = of_summary;
    if (!trouble.empty() && code == kDone) code = kCannotWrite;
  }
  if (motion) {
    report::Report content = make_run_report(
        {loaded, drive, report, summary, options.files.vehicle, options.files.scenario, notes},
        *motion);
    const auto note_trouble = [&](const std::string& of_file) {
      if (trouble.empty()) trouble = of_file;
      if (!trouble.empty() && code == kDone) code = kCannotWrite;
    };
    if (page) note_trouble(page->write(content));
    if (scene && !(scene->write(report::make_glb(content)) && scene->finish()))
      note_trouble(scene->trouble());
  }
  if (options.json) {
    say("{}", json_text(summary));
  } else {
    print_summary(summary, drive, state.t);
    if (!paths.empty()) say("  written     {}\n", paths);
    if (page && trouble.empty()) say("  page        {}\n", page->path());
    if (scene && trouble.empty()) say("  glTF        {}\n", options.gltf);
    print_broken_balance(report);
  }
  if (code == kSolverFailed) complain("run stopped at t = {:g} s: {}\n", state.t, report.message);
  if (!trouble.empty()) complain("{}; the run is at t = {:g} s\n", trouble, state.t);
  return code;
}

}  // namespace

void register_run(Command& app, int& exit_code) {
  auto options = std::make_shared<RunOptions>();
  Command* command = app.add_subcommand("run", "drive a vehicle through a scenario");
  add_files(*command, options->files, /*scenario_required=*/true);
  add_limits(*command, options->limits);
  command->add_option("--formulation", options->formulation, formulation_names())
      ->capture_default_str();
  command->add_option(
      "--euler-parameters", options->euler_parameters,
      "cartesian: rates of Euler parameters by a formula that lets the scheme act "
      "on the angular velocity (modified, the default), or by the scheme (classic)");
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
  Argument* out =
      command->add_option("--out", options->out,
                          "folder for results.csv and summary.json; nothing is written without it");
  add_format(*command, options->format, "of the table in that folder: ", out);
  add_report(*command, options->report);
  command
      ->add_option("--gltf", options->gltf,
                   "binary glTF file (.glb) to write: the moving car for other programs")
      ->type_name("FILE");
  command->add_flag("--overwrite", options->overwrite, "replace results that are already there");
  command->add_flag("--json", options->json, "print the summary as JSON");
  command->callback([options, &exit_code] { exit_code = run_command(*options); });
}

}  // namespace semirec::cli
