#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "apps/cli/clamp_count.hpp"
#include "apps/cli/commands.hpp"
#include "apps/cli/handling.hpp"
#include "apps/cli/output.hpp"
#include "apps/cli/posed_rows.hpp"
#include "apps/cli/report_output.hpp"
#include "apps/cli/result_files.hpp"
#include "apps/cli/run_limits.hpp"
#include "apps/cli/run_report.hpp"
#include "apps/cli/run_summary.hpp"
#include "apps/cli/terminal.hpp"
#include "apps/report/gltf_run.hpp"
#include "apps/report/motion_recorder.hpp"
#include "integrator/statics/initial_conditions.hpp"
#include "vehicles/session/end_notes.hpp"
#include "vehicles/session/input_watch.hpp"
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

bool is_peak_channel(const std::string& name) {
  for (const char* end : {".az", ".roll", ".pitch", ".Fz", ".force"}) {
    const std::string suffix(end);
    if (name.size() > suffix.size() &&
        name.compare(name.size() - suffix.size(), suffix.size(), suffix) == 0)
      return true;
  }
  return false;
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
  if (parse_tangent(options.tangent) == TangentChoice::automatic || model.tree.n == 0) return;
  const bool of_its_own = model.formulation->selects_coordinates() && model.closures.m > 0;
  if (of_its_own || model.tree.pattern.size() == 0)
    throw ModelError(
        fmt::format("--tangent {} is given with --formulation {}, which {}, expected it with the "
                    "others only",
                    options.tangent, name,
                    of_its_own ? "factors the matrix of its independent coordinates, always dense"
                               : "forms no matrix"));
}

/// What the options ask for.
struct AskedRun {
  DriveDescription loaded;
  Drive drive;
  std::vector<std::string> notes;  ///< as they were printed, or as the files' readers print them
};

AskedRun make_asked_run(const RunOptions& options) {
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
  static_cast<void>(Recorder(drive.model, drive.recorder));  // refuses what cannot be recorded
  drive.settings.step.reselect = !options.no_reselection;
  drive.settings.control.printed = asks_for_printed_estimate(options.limits.control);
  drive.settings.step.factorizations = options.factorizations;
  drive.settings.step.classic_euler_parameters =
      is_classic(options.euler_parameters, *drive.model.formulation);
  std::vector<std::string> notes = loaded.vehicle.notes;
  notes.insert(notes.end(), loaded.scenario.road_notes.begin(), loaded.scenario.road_notes.end());
  const std::string scheme_note = describe_scheme(drive.model, drive.settings.step);
  if (!scheme_note.empty()) {
    complain("note: {}\n", scheme_note);
    notes.push_back(scheme_note);
  }
  return {std::move(loaded), std::move(drive), std::move(notes)};
}

/// Sees a run while it goes: the table of its rows, and what the summary and the page say of its
/// channels.
class RunWatch {
 public:
  /// `start`: the state of the drive at its begin. Opens the table's files: everything else is
  /// known to be right by then. Throws ModelError. All but `options` outlive this.
  RunWatch(const RunOptions& options, const std::vector<ResultFormat>& formats, AskedRun& run,
           const State& start, bool with_motion)
      : drive_(run.drive),
        scratch_(run.drive.model),
        recorder_(run.drive.model, run.drive.recorder),
        rows_(start.t, run.drive.settings.record, run.drive.settings.step.h),
        clamps_(recorder_.channels()),
        inputs_(run.drive.model),
        handling_(run.loaded.vehicle, run.loaded.scenario, recorder_.channels()) {
    if (!options.out.empty()) open_table(options, formats, run.loaded.scenario, start);
    for (std::size_t k = 0; k < recorder_.channels().size(); ++k) {
      const std::string& name = recorder_.channels()[k].name;
      if (is_peak_channel(name)) watched_.emplace_back(k, &peaks_[name]);
    }
    const bool controlled = drive_.settings.control.tolerance > 0.0;
    if (folder_ && !controlled) note_uneven_rows();
    // with steps of lengths of their own rows and frames lie between their ends
    if (with_motion)
      motion_.emplace(drive_, recorder_.channels(), start.t, drive_.settings.until,
                      controlled ? 0.0 : drive_.settings.step.h);
    drive_.settings.record = controlled ? find_instants() : 0.0;
    between_ = drive_.settings.record > 0.0;
  }

  /// What run() is to call.
  RunObserver observer() { return between_ ? observer_of_instants() : observer_of_steps(); }

  /// The run is over: the last state has a row, whatever the interval, unless its energies are no
  /// numbers, and the table its end.
  void see_last(const State& state, const Energy& energy) {
    const bool is_state = std::isfinite(energy.error({}));
    if (folder_ && written_ && start_ && is_state && rows_.last() < state.t) {
      recorder_.record(drive_.model, state, scratch_, values_);
      write_row(state, energy);
    }
    if (motion_ && start_ && is_state) {
      recorder_.record(drive_.model, state, scratch_, values_);
      motion_->see_last(state, values_, scratch_);
    }
    finished_ = !table_ || table_->finish();
  }

  /// Whether rows went to the files as long as the run went.
  bool is_written() const { return written_; }
  bool is_finished() const { return finished_; }
  std::vector<std::string> find_input_notes() const { return inputs_.notes(); }
  const std::map<std::string, Peak>& peaks() const { return peaks_; }
  void put_into(Json& summary) const {
    clamps_.put_into(summary);
    handling_.put_into(summary);
  }
  std::optional<report::MotionRecorder>& motion() { return motion_; }

  /// Writes the summary beside the table. Gives the paths of what stands there; `trouble`: one
  /// line, empty where there is none.
  std::string write_summary(const Json& summary, const std::string& out,
                            std::string& trouble) const {
    if (!folder_) return {};
    trouble = table_->trouble();
    std::string paths = table_->paths(out);
    const std::string of_summary = folder_->write(kSummaryName, json_text(summary));
    if (of_summary.empty())
      paths += fmt::format("{}{}/{}", paths.empty() ? "" : ", ", out, kSummaryName);
    if (trouble.empty()) trouble = of_summary;
    return paths;
  }

 private:
  /// s between the instants at which a run with steps of lengths of their own is recorded, for its
  /// rows and those of its page and the frames; 0: at the ends of steps alone.
  double find_instants() const {
    const double of_rows = folder_ ? rows_.interval() : 0.0;
    if (!motion_) return of_rows;
    const double of_page = std::min(report::kFrameInterval, motion_->rows_apart());
    if (!(of_page > 0.0)) return of_rows;
    if (!(of_rows > 0.0)) return of_page;
    // rows of the table are among them; no more than the page has rows, no fewer than it has frames
    double parts = std::max(1.0, std::floor(of_rows / of_page + 1e-9));
    if (of_rows > parts * report::kFrameInterval)
      parts = std::ceil(of_rows / report::kFrameInterval - 1e-9);
    return of_rows / parts;
  }

  void record(const State& at, const Energy& energy) {
    if (!start_) start_ = energy;
    recorder_.record(drive_.model, at, scratch_, values_);
  }

  RunObserver observer_of_steps() {
    RunObserver observer;
    observer.record = [this](const State& at, const Energy& energy) {
      record(at, energy);
      look(at);
      if (motion_) motion_->see(at, values_, scratch_);
      return !folder_ || !rows_.take(at.t) || write_row(at, energy);
    };
    return observer;
  }

  /// Peaks are those of the ends of steps, and so are rows without an interval.
  RunObserver observer_of_instants() {
    const bool at_steps = folder_ && rows_.interval() == 0.0;
    RunObserver observer;
    observer.see = [this, at_steps](const State& at, const Energy& energy) {
      record(at, energy);
      look(at);
      if (at_steps && rows_.take(at.t)) write_row(at, energy);
    };
    observer.record = [this, at_steps](const State& at, const Energy& energy) {
      record(at, energy);
      if (motion_) motion_->see(at, values_, scratch_);
      if (!folder_ || at_steps || !rows_.take(at.t)) return written_;
      return write_row(at, energy);
    };
    return observer;
  }

  void open_table(const RunOptions& options, const std::vector<ResultFormat>& formats,
                  const Scenario& scenario, const State& start) {
    folder_.emplace(options.out, options.overwrite, is_result_file);
    std::vector<Channel> channels = recorder_.channels();
    for (const char* part : {"kinetic", "potential", "elastic", "dissipated", "input", "error"})
      channels.push_back({std::string("energy.") + part, "J"});
    results::TableHead head;
    head.title = drive_.model.mechanism.name + " in " + scenario.name;
    head.columns = columns_of(channels);
    head.expected_rows = (drive_.settings.until - start.t) /
                             std::max(drive_.settings.step.h, drive_.settings.record) +
                         2.0;
    head.bodies = names_of_bodies(drive_.model.mechanism);
    table_.emplace(*folder_, formats, std::move(head));
    posed_.emplace(*table_, scenario);
    written_ = table_->begin();
  }

  void note_uneven_rows() const {
    const std::string note = describe_uneven_rows(rows_.interval(), drive_.settings.step.h);
    if (!note.empty()) complain("note: {}\n", note);
  }

  bool write_row(const State& at, const Energy& energy) {
    for (const double part : {energy.kinetic, energy.potential, energy.elastic, energy.dissipated,
                              energy.input, energy.error(*start_)})
      values_.push_back(part);
    written_ = written_ && posed_->add(drive_, at, values_, scratch_);
    return written_;
  }

  void look(const State& at) {
    clamps_.add(values_);
    inputs_.see(scratch_, at.t);
    handling_.see(values_, at.t);
    for (const auto& [k, peak] : watched_)
      if (std::abs(values_[k]) > std::abs(peak->value)) *peak = {values_[k], at.t};
  }

  Drive& drive_;
  Workspace scratch_;
  const Recorder recorder_;
  report::RowTimes rows_;
  std::optional<OutputFolder> folder_;
  std::optional<ResultFiles> table_;
  std::optional<PosedRows> posed_;
  bool written_ = true, finished_ = true;
  bool between_ = false;
  std::map<std::string, Peak> peaks_;
  std::vector<std::pair<std::size_t, Peak*>> watched_;
  ClampCount clamps_;
  InputWatch inputs_;
  Handling handling_;
  std::vector<double> values_;
  std::optional<report::MotionRecorder> motion_;
  std::optional<Energy> start_;
};

/// run() with a line about its progress and an ear for Ctrl-C.
RunReport run_watched(const Drive& drive, State& state, Workspace& ws, RunObserver observer) {
  ProgressLine progress;
  const double until = drive.settings.until;
  observer.keep_going = [&](double t) {
    if (progress.due()) progress.show(t / until, fmt::format("t = {:.2f} of {:.2f} s", t, until));
    return !interrupted();
  };
  catch_interrupts();
  return run(drive.model, drive.settings, state, ws, observer);
}

/// How a run ended, in words and as an exit code.
struct Outcome {
  std::string status = "finished";
  int code = kDone;
};

/// `written`: all rows up to the end of run() went to the files.
Outcome outcome_of(const RunReport& report, bool written, const RunWatch& watch) {
  Outcome unwritten{"stopped: results cannot be written", kCannotWrite};
  if (report.status == RunStatus::failed)
    return {"failed: " + std::string(name_of(report.failure)), kSolverFailed};
  if (!written) return unwritten;
  if (report.status == RunStatus::stopped) return {"interrupted", kInterrupted};
  return watch.is_finished() ? Outcome{} : unwritten;
}

int run_command(const RunOptions& options) {
  const std::vector<ResultFormat> formats = parse_formats(options.format);
  const std::unique_ptr<ReportFile> page = open_report(options.report, options.overwrite);
  std::optional<OutputFile> scene;
  if (!options.gltf.empty()) scene.emplace(options.gltf, options.overwrite);
  AskedRun asked = make_asked_run(options);
  Drive& drive = asked.drive;
  Workspace ws(drive.model);
  StartReport start_report;
  State state = start_drive(drive, ws, start_report);
  for (const std::string& note : start_report.notes) complain("note: {}\n", note);
  asked.notes.insert(asked.notes.end(), start_report.notes.begin(), start_report.notes.end());
  Workspace scratch(drive.model);
  const ClosureRank rank = find_closure_rank(drive.model, state, scratch);

  RunWatch watch(options, formats, asked, state, page || scene);
  const RunReport report = run_watched(drive, state, ws, watch.observer());
  const bool written = watch.is_written();
  watch.see_last(state, report.end);

  std::vector<std::string> end_notes =
      find_end_notes(drive, asked.loaded.scenario.surface.get(), report, state, scratch);
  for (std::string& note : watch.find_input_notes()) end_notes.push_back(std::move(note));
  for (const std::string& note : end_notes) complain("note: {}\n", note);
  asked.notes.insert(asked.notes.end(), end_notes.begin(), end_notes.end());

  const Outcome outcome = outcome_of(report, written, watch);
  int code = outcome.code;
  Json summary =
      summary_of(drive, asked.loaded.scenario, report, rank, watch.peaks(), outcome.status);
  watch.put_into(summary);
  std::string trouble;
  const auto note_trouble = [&](const std::string& of_file) {
    if (trouble.empty()) trouble = of_file;
    if (!trouble.empty() && code == kDone) code = kCannotWrite;
  };
  const std::string paths = watch.write_summary(summary, options.out, trouble);
  note_trouble({});
  if (watch.motion()) {
    report::Report content =
        make_run_report({asked.loaded, drive, report, summary, options.files.vehicle,
                         options.files.scenario, asked.notes},
                        *watch.motion());
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
