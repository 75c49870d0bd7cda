#include <algorithm>

#include <fmt/core.h>

#include "apps/cli/commands.hpp"
#include "apps/cli/info_page.hpp"
#include "apps/cli/report_output.hpp"
#include "apps/cli/terminal.hpp"
#include "apps/report/suspects.hpp"
#include "integrator/formulation/evaluate.hpp"
#include "integrator/statics/initial_conditions.hpp"
#include "topology/indices.hpp"
#include "vehicles/equations/equation_notes.hpp"
#include "vehicles/files/xml/document.hpp"
#include "vehicles/session/input_unit.hpp"

namespace semirec::cli {

namespace {

const char* name_of(PatternKind kind) {
  switch (kind) {
    case PatternKind::tree:
      return "tree-ordered LDL^T";
    case PatternKind::lanes:
      return "tree-ordered LDL^T, four branches at a time";
    case PatternKind::sparse:
      return "CHOLMOD simplicial LDL^T";
    case PatternKind::dense:
      return "dense LL^T";
  }
  return "";
}

void print_tree(const Model& model) {
  for (std::size_t t = 1; t < model.tree.bodies.size(); ++t) {
    const TreeBranch& branch = model.tree.tree.branches[t];
    const Joint& joint = model.mechanism.joints[at(branch.joint)];
    std::string coordinates;
    if (branch.degrees_of_freedom == 1) coordinates = fmt::format("z[{}]", branch.z);
    if (branch.degrees_of_freedom > 1)
      coordinates = fmt::format("z[{}..{}]", branch.z, branch.z + branch.degrees_of_freedom - 1);
    say("  {:{}}{}   {} '{}' {}\n", "", 2 * (branch.depth - 1),
        model.mechanism.bodies[at(branch.body)].name, semirec::name_of(joint.type), joint.name,
        coordinates);
  }
}

/// Names in columns that fit 80 characters.
void print_names(const char* title, const std::vector<std::string>& names) {
  say("\n{} ({})\n", title, names.size());
  std::size_t width = 0;
  for (const std::string& name : names) width = std::max(width, name.size() + 2);
  const std::size_t in_a_row = std::max<std::size_t>(1, 78 / std::max<std::size_t>(1, width));
  for (std::size_t k = 0; k < names.size(); ++k) {
    const bool last = (k + 1) % in_a_row == 0 || k + 1 == names.size();
    say("  {:<{}}{}", names[k], last ? 0 : width - 2, last ? "\n" : "");
  }
}

/// What may be set, given and read: parameters, inputs and channels by name.
void print_names_of(const Files& files, const Vehicle& vehicle, const Drive& drive) {
  std::vector<std::string> parameters;
  for (const Element& parameter :
       load_document(files.vehicle, {"vehicle", "mechanism"}, vehicle.overrides).parameters)
    parameters.push_back(parameter.name + " = " + parameter.text("value"));
  print_names("parameters, --set NAME.value=...", parameters);
  std::vector<std::string> inputs;
  for (std::size_t k = 0; k < drive.model.mechanism.inputs.size(); ++k) {
    const std::string unit = find_input_unit(drive, static_cast<int>(k));
    inputs.push_back(drive.model.mechanism.inputs[k].name + (unit.empty() ? "" : " " + unit));
  }
  print_names("inputs", inputs);
  std::vector<std::string> channels;
  const Recorder recorder(drive.model, drive.recorder);
  for (const Channel& channel : recorder.channels())
    channels.push_back(channel.name + " " + channel.unit);
  channels.push_back("energy.* (results.md)");
  print_names("channels of results.csv", channels);
}

/// Equations of the file, each with its value at the start.
void print_equations(const Drive& drive, const State& state, Workspace& ws) {
  if (drive.equations.empty()) return;
  say("\nequations (value at the start)\n");
  evaluate_state(drive.model, state, ws);
  for (const Equation& equation : drive.equations)
    say("  {:<24} {:>12.6g} {:<8} ={}\n", equation.name, ws.tree.inputs[at(equation.input)].f,
        equation.unit, equation.formula.text);
}

struct InfoOptions {
  Files files;
  std::string report;
  bool overwrite = false;
};

int info_command(const InfoOptions& options) {
  const Files& files = options.files;
  const std::unique_ptr<ReportFile> page = open_report(options.report, options.overwrite);
  const DriveDescription loaded = load(files);
  const Drive drive = make_drive(loaded);
  const Model& model = drive.model;
  Workspace ws(model);
  const State state = start_drive(drive, ws);
  const ClosureRank rank = find_closure_rank(model, state, ws);

  double mass = 0.0;
  for (const Body& body : model.mechanism.bodies) mass += body.mass;
  say("{}: {} bodies, {:.6g} kg\n\ntree (body, joint, coordinates)\n  ground\n",
      model.mechanism.name, model.mechanism.bodies.size(), mass);
  print_tree(model);
  if (!model.tree.tree.cuts.empty()) say("\ncut joints\n");
  for (const CutJoint& cut : model.tree.tree.cuts) {
    const Joint& joint = model.mechanism.joints[at(cut.joint)];
    say("  {} '{}': {}\n", semirec::name_of(joint.type), joint.name, cut.why);
  }
  if (model.m() > 0) say("\nclosures (rows, coordinates between the two sides)\n");
  for (std::size_t c = 0; c < model.closures.closures.size(); ++c) {
    const RowBlock& block = model.closures.blocks[c];
    std::string columns;
    for (const int k : block.columns) columns += fmt::format("{}{}", columns.empty() ? "" : " ", k);
    say("  {:<24} {} row{}  z[{}]\n", model.closures.closures[c].name, block.rows,
        block.rows == 1 ? " " : "s", columns);
  }
  say("\ncoordinates n           {}\nclosure rows m          {}\nrank of the rows        {}\n"
      "redundant rows          {}\ndegrees of freedom      {}\nforce elements          {}\n"
      "tangent                 {}, {} entries\n",
      model.n(), model.m(), rank.rank, rank.rows - rank.rank, model.n() - rank.rank,
      model.forces.size(), name_of(model.tree.pattern.kind()), model.tree.pattern.value_count());
  print_equations(drive, state, ws);
  print_names_of(files, loaded.vehicle, drive);
  if (!page) return kDone;
  report::Report content = make_info_page("info", files, loaded, drive, state, rank.rank, ws);
  const std::string trouble = page->write(content);
  if (!trouble.empty()) {
    complain("{}\n", trouble);
    return kCannotWrite;
  }
  say("\npage {}\n", page->path());
  return kDone;
}

/// A drive to be checked at its start, which needs no matrix where no loops are closed and no
/// equilibrium is asked for: a chain is then checked in a time that grows with its length, where
/// its mass matrix alone has the square of that.
Drive make_drive_to_check(const DriveDescription& loaded) {
  if (loaded.scenario.start == StartMode::design) {
    CompileSettings settings;
    settings.formulation = Formulation::recursive;
    Drive drive = make_drive(loaded, settings);
    if (drive.model.m() == 0) return drive;
  }
  return make_drive(loaded);
}

/// Says on stderr which points look wrong, and which command shows them.
void name_suspects(const Files& files, const Vehicle& vehicle) {
  const std::vector<report::Suspect> suspects = report::find_suspects(vehicle);
  for (const report::Suspect& suspect : suspects) complain("looks wrong: {}\n", suspect.text);
  if (suspects.empty()) return;
  std::vector<std::string> words{"semirec", "info", files.vehicle};
  if (!files.scenario.empty()) words.push_back(files.scenario);
  for (const std::string& override : files.overrides) {
    words.emplace_back("--set");
    words.push_back(override);
  }
  words.insert(words.end(), {"--report", "check.html"});
  complain("to see where: {}\n", shell_text(words));
}

int check_command(const Files& files) {
  const DriveDescription loaded = load(files);
  const Drive drive = make_drive_to_check(loaded);
  const Recorder recorder(drive.model, drive.recorder);
  Workspace ws(drive.model);
  StartReport start;
  const State state = start_drive(drive, ws, start);
  for (const std::string& note : start.notes) fmt::print(stderr, "note: {}\n", note);
  for (const std::string& line : find_doubtful_equations(drive.equations))
    fmt::print(stderr, "note: {}\n", line);
  const ClosureRank rank = find_closure_rank(drive.model, state, ws);
  say("{}{}{}: good. {} bodies, {} coordinates, {} closure rows, {} degrees of freedom, {} "
      "redundant "
      "rows that agree\n",
      files.vehicle, files.scenario.empty() ? "" : " with ", files.scenario,
      drive.model.mechanism.bodies.size(), drive.model.n(), drive.model.m(),
      drive.model.n() - rank.rank, rank.rows - rank.rank);
  name_suspects(files, loaded.vehicle);
  return kDone;
}

}  // namespace

void register_info(Command& app, int& exit_code) {
  auto options = std::make_shared<InfoOptions>();
  Command* command = app.add_subcommand(
      "info", "print the kinematic tree, the cut joints and why, coordinates, closures, rank");
  add_files(*command, options->files, false);
  add_report(*command, options->report);
  command->add_flag("--overwrite", options->overwrite, "replace a page that is already there");
  command->callback([options, &exit_code] { exit_code = info_command(*options); });
}

void register_check(Command& app, int& exit_code) {
  auto files = std::make_shared<Files>();
  Command* command = app.add_subcommand("check",
                                        "validate files: syntax, names, numbers, topology, "
                                        "assembly; exit code 3 on a bad one. Points\n"
                                        "that look wrong (a rod without length, a hardpoint that "
                                        "does not mirror the other side) are\n"
                                        "named, with the command that shows them");
  add_files(*command, *files, false);
  command->callback([files, &exit_code] { exit_code = check_command(*files); });
}

}  // namespace semirec::cli
