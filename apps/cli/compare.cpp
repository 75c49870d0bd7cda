#include <algorithm>
#include <cmath>
#include <memory>
#include <unistd.h>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "apps/cli/commands.hpp"
#include "apps/cli/compare_cell.hpp"
#include "apps/cli/compare_output.hpp"
#include "apps/cli/compare_page.hpp"
#include "apps/cli/compare_paper.hpp"
#include "apps/cli/compare_runs.hpp"
#include "apps/cli/compare_seeds.hpp"
#include "apps/cli/report_output.hpp"
#include "apps/cli/run_limits.hpp"
#include "apps/cli/terminal.hpp"
#include "vehicles/session/drive.hpp"

namespace semirec::cli {

namespace {

constexpr std::size_t kMostTolerances = 50;
constexpr int kMostRepeats = 1000;

struct CompareOptions {
  Files files;
  std::vector<std::string> formulations;
  std::vector<std::string> steps;
  SchemeLimits scheme;
  std::vector<std::string> tolerances;
  ControlLimits control;
  std::string measure = "reference";
  std::optional<double> good, until;
  bool largest_step = false;
  int repeat = 3;
  std::string csv, json, plot, out, report;
  bool overwrite = false;
  bool paper = false;
  bool seeds = false;
  std::vector<std::string> only;
  std::string models = "vehicles";
};

/// Splits at commas; empty pieces stay.
std::vector<std::string> pieces(const std::vector<std::string>& lists) {
  std::vector<std::string> out;
  for (const std::string& list : lists) {
    std::size_t from = 0;
    for (std::size_t comma = list.find(','); comma != std::string::npos;
         from = comma + 1, comma = list.find(',', from))
      out.push_back(list.substr(from, comma - from));
    out.push_back(list.substr(from));
  }
  return out;
}

std::vector<double> parse_steps(const std::vector<std::string>& lists, const Scenario& scenario) {
  if (lists.empty()) return check_steps("--steps", usual_steps(scenario), scenario);
  std::vector<double> steps;
  for (const std::string& text : pieces(lists)) {
    double value = std::nan("");
    if (text.empty() || !parse_number(text, value) || !(value > 0.0 && value <= 1.0))
      throw ModelError("--steps holds '" + text +
                       "', expected steps above 0 and of at most 1 s, separated by commas");
    steps.push_back(value);
  }
  return check_steps("--steps", std::move(steps), scenario);
}

/// A row each with steps of a length of their own.
std::vector<VariableStep> parse_tolerances(const CompareOptions& options) {
  std::vector<VariableStep> variable;
  const bool printed = asks_for_printed_estimate(options.control);
  check_estimate(options.control, !options.tolerances.empty());
  if (options.tolerances.empty()) return variable;
  for (const std::string& text : pieces(options.tolerances)) {
    double value = std::nan("");
    if (!parse_number(text, value) || !(value > 0.0 && value <= 0.1))
      throw ModelError("--error-tolerance holds '" + text +
                       "', expected local errors above 0 and of at most 0.1 m or rad, separated "
                       "by commas");
    variable.push_back({value, printed});
  }
  if (variable.size() > kMostTolerances)
    throw ModelError(fmt::format("--error-tolerance holds {} tolerances, expected at most {}",
                                 variable.size(), kMostTolerances));
  return variable;
}

void check(const CompareOptions& options) {
  if (options.repeat < 1 || options.repeat > kMostRepeats)
    throw ModelError(fmt::format("--repeat is {}, expected 1 to {}", options.repeat, kMostRepeats));
  if (options.good && !(*options.good > 0.0 && std::isfinite(*options.good)))
    throw ModelError(fmt::format("--good is {:g}, expected an error above 0", *options.good));
  if (options.until && !(*options.until > 0.0 && *options.until <= 1e6))
    throw ModelError(fmt::format("--until is {:g}, expected a time above 0 s", *options.until));
}

int compare_command(const CompareOptions& options) {
  check(options);
  const std::unique_ptr<ReportFile> page = open_report(options.report, options.overwrite);
  std::vector<Method> methods = choose_methods(pieces(options.formulations));
  const std::vector<VariableStep> variable = parse_tolerances(options);
  const Measure measure = parse_measure(options.measure);
  DriveDescription loaded = load(options.files);
  if (options.until) loaded.scenario.until = *options.until;
  const std::vector<double> steps = parse_steps(options.steps, loaded.scenario);
  // what is compared, and not the reference's
  Scenario asked = loaded.scenario;
  apply(options.scheme, asked);
  if (options.control.cut_contacts) loaded.scenario.cut_contacts = true;
  for (Method& method : methods) {
    method.scheme = asked.scheme;
    method.closing = asked.closing;
    method.projection = asked.projection;
  }
  // what no formulation could drive, whatever scheme its row has
  Scenario plain = loaded.scenario;
  plain.scheme = Scenario().scheme;
  plain.closing = Scenario().closing;
  plain.projection = Scenario().projection;
  plain.error_tolerance = plain.longest_step = 0.0;
  plain.cut_contacts = false;
  static_cast<void>(make_drive(loaded.vehicle, plain));
  Bench bench(loaded.vehicle, loaded.scenario, measure);
  bench.interrupted = interrupted;
  OutputFiles files(options.csv, options.json, options.plot, options.out, options.overwrite);

  const CompareTask task{methods,       steps, variable, options.good, options.largest_step,
                         options.repeat};
  for (const std::string& note : find_notes(bench, task)) complain("note: {}\n", note);
  catch_interrupts();
  Comparison comparison;
  {
    CompareProgress progress;
    comparison = compare(bench, task, [&](const std::string& what) { progress.show(what); });
  }
  const bool has_runs =
      std::any_of(comparison.cells.begin(), comparison.cells.end(),
                  [](const Cell& cell) { return cell.verdict != Verdict::refused; });
  bool written = files.write(to_csv(comparison), to_json(comparison), has_runs);
  if (!files.prints()) print(comparison);
  if (!files.prints() && written)
    for (const std::string& name : files.names()) say("  written    {}\n", name);
  if (page) {
    report::Report content =
        make_compare_page(options.files, bench, methods, steps.front(), comparison);
    const std::string trouble = page->write(content);
    if (!trouble.empty()) complain("{}\n", trouble);
    written = written && trouble.empty();
    if (!files.prints() && trouble.empty()) say("  page       {}\n", page->path());
  }
  if (interrupted()) return kInterrupted;
  return written ? kDone : kCannotWrite;
}

/// What both comparisons with papers do with what was made.
template <typename Output>
int hand_out(OutputFiles& files, const Output& made) {
  const bool written = files.write(made.csv, made.json);
  if (!files.prints()) say("{}", made.text);
  if (!files.prints() && written)
    for (const std::string& name : files.names()) say("  written    {}\n", name);
  if (interrupted()) return kInterrupted;
  return written ? kDone : kCannotWrite;
}

int paper_command(const CompareOptions& options) {
  check(options);
  const SchemeLimits& scheme = options.scheme;
  bool given = scheme.scheme || scheme.closing || scheme.no_projection ||
               !options.tolerances.empty() || options.control.estimate ||
               options.control.cut_contacts;
  for (const auto& [name, value] : scheme.parameters) given = given || value.has_value();
  if (given)
    throw ModelError(
        "a scheme, --error-tolerance or --cut-contacts is given with --paper or --seeds, which "
        "have their own, "
        "expected it with VEHICLE and SCENARIO");
  if (!options.report.empty())
    throw ModelError(
        "--report is given with --paper or --seeds, expected it with VEHICLE and SCENARIO");
  OutputFiles files(options.csv, options.json, options.plot, options.out, options.overwrite);
  catch_interrupts();
  if (options.seeds)
    return hand_out(files, compare_with_seeds(options.models, options.repeat, pieces(options.only),
                                              interrupted));
  return hand_out(files, compare_with_paper(options.models, options.repeat, interrupted));
}

}  // namespace

CompareProgress::CompareProgress() : terminal_(isatty(STDERR_FILENO) == 1) {}

void CompareProgress::show(const std::string& what) {
  if (!terminal_) return;
  complain("\r  {:60}", what);
  shown_ = true;
}

CompareProgress::~CompareProgress() {
  if (shown_) complain("\r{:62}\r", "");
}

void register_compare(Command& app, int& exit_code) {
  auto options = std::make_shared<CompareOptions>();
  Command* command = app.add_subcommand(
      "compare", "run the formulations side by side: error, CPU time, largest good step");
  command->footer(
      "Steps are fixed, but for --error-tolerance; one that does not converge ends its run, and\n"
      "the row says so.\n"
      "The error is what --measure says:\n"
      "  reference          rms distance over the run from a hybrid run with a tenth of the\n"
      "                     smallest step, of the chassis, the scenario's markers or all joints\n"
      "  reference:CHANNEL  the same of one channel, named as in results.csv\n"
      "  energy             change of the total energy where it is largest, J\n"
      "  balance            largest gap in the energy balance, J\n"
      "  lost_gravity       dissipated energy less lost potential energy of the weights, J\n"
      "  closing:MARKER     distance of the marker at the end from its start, mm\n"
      "  end_pose           chassis at the end against the reference, 1 = 2 mm or 0.02 deg\n"
      "Good is an error of up to --good: by default 10 mm (0.01 rad), 1 % of the largest kinetic\n"
      "energy (lost_gravity: off the reference's), 5 mm, 1. Beyond 20 times that it is wrong.\n\n"
      "  semirec compare vehicles/models/iltis.xml vehicles/scenarios/ramp_and_stairs.xml \\\n"
      "      --steps 0.001,0.003,0.01 --largest-step --out iltis_compared\n"
      "  semirec compare vehicles/models/double_four_bar.xml vehicles/scenarios/free_10s.xml \\\n"
      "      --formulations hybrid,global,topological_plain --measure energy\n"
      "  semirec compare --paper --out paper_compared\n"
      "  semirec compare --seeds --out seeds_compared\n"
      "  semirec compare --seeds --only 003");
  Argument* vehicle =
      command->add_option("VEHICLE", options->files.vehicle, "vehicle or mechanism file (XML)");
  Argument* scenario =
      command->add_option("SCENARIO", options->files.scenario, "scenario file (XML)");
  command
      ->add_option("--set", options->files.overrides,
                   "element.attribute=value: replace a value of the vehicle file")
      ->take_all();
  command->add_option(
      "--formulations", options->formulations,
      "hybrid, global, topological, recursive, cartesian (all by default); global_tree: tangent "
      "along the tree, not by CHOLMOD; topological_plain: without new independent "
      "coordinates on the way; cartesian_classic: rates of Euler parameters by the scheme itself");
  command->add_option("--steps", options->steps,
                      "time steps, s, separated by commas (default: the scenario's, 3 and 10 times "
                      "that)");
  add_scheme_limits(*command, options->scheme);
  command->add_option("--error-tolerance", options->tolerances,
                      "local errors that a step may have, m or rad, separated by commas: for each "
                      "of them rows FORMULATION_variable with steps of a length of their own");
  command->add_option("--estimate", options->control.estimate,
                      "of that error: corrected (default), or printed as in the paper of hht");
  command->add_flag(
      "--cut-contacts", options->control.cut_contacts,
      "steps of all runs, the reference's too, end where contacts and stops begin and "
      "end");
  command->add_option("--until", options->until, "end time, s (default: the scenario's)");
  command->add_option("--measure", options->measure, "what is called the error; see below")
      ->capture_default_str();
  command->add_option("--good", options->good, "largest error that is good, in its unit");
  command->add_flag("--largest-step", options->largest_step,
                    "find the largest step with a good error, by bisection, up to 0.5 s");
  command
      ->add_option("--repeat", options->repeat,
                   "CPU time is the smallest of at least so many runs; short runs are "
                   "repeated\nfor 0.1 s, but for 1")
      ->capture_default_str();
  command->add_option("--csv", options->csv, "write the rows as CSV; -: to the screen");
  command->add_option("--json", options->json, "write everything as JSON; -: to the screen");
  command->add_option("--plot", options->plot, "draw error over CPU time (SVG, by gnuplot)");
  command->add_option("--out", options->out,
                      "folder for compare.csv, compare.json, work_precision.svg");
  add_report(*command, options->report);
  command->add_flag("--overwrite", options->overwrite, "replace files that are already there");
  Argument* paper = command->add_flag("--paper", options->paper,
                                      "tables 1 to 4 of the hybrid paper, its numbers beside ours");
  Argument* seeds = command->add_flag("--seeds", options->seeds,
                                      "figures and tables of the papers on integrators (seeds 000 "
                                      "to 003), their statements beside ours");
  Argument* only = command->add_option(
      "--only", options->only,
      "--seeds: these alone, separated by commas: 000, 001, 002, 003, work (work-precision plot)");
  command
      ->add_option("--models", options->models,
                   "--paper, --seeds: folder of models/ and scenarios/")
      ->capture_default_str();
  paper->excludes(vehicle)->excludes(scenario);
  seeds->excludes(vehicle)->excludes(scenario)->excludes(paper);
  only->needs(seeds);
  command->callback([options, &exit_code] {
    if (options->paper || options->seeds) {
      exit_code = paper_command(*options);
      return;
    }
    if (options->files.vehicle.empty()) report_missing("VEHICLE, --paper or --seeds");
    if (options->files.scenario.empty()) report_missing("SCENARIO");
    exit_code = compare_command(*options);
  });
}

}  // namespace semirec::cli
