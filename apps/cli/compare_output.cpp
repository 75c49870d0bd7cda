#include "apps/cli/compare_output.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <memory>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/cli/terminal.hpp"
#include "vehicles/files/csv.hpp"

namespace semirec::cli {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// Null where there is no number.
Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

std::string field(double value) { return std::isfinite(value) ? fmt::format("{:.9g}", value) : ""; }
std::string field(long value) { return value >= 0 ? fmt::format("{}", value) : ""; }

/// Columns of a table, in characters, not bytes.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

/// Whether a table of csv_row() has rows below its head, of names and of units.
bool has_rows(const std::string& csv) { return std::count(csv.begin(), csv.end(), '\n') > 2; }

/// scripts/plot_compare: here, or above the folder of the program. Empty without it.
std::string find_script() {
  std::error_code error;
  std::vector<fs::path> folders{fs::current_path(error)};
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  for (fs::path folder = program.parent_path(); folder.has_relative_path();
       folder = folder.parent_path())
    folders.push_back(folder);
  for (const fs::path& folder : folders)
    if (access((folder / "scripts/plot_compare").c_str(), X_OK) == 0)
      return (folder / "scripts/plot_compare").string();
  return "";
}

bool on_path(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::string rest = path != nullptr ? path : "";
  while (!rest.empty()) {
    const std::size_t colon = rest.find(':');
    if (access((rest.substr(0, colon) + "/" + program).c_str(), X_OK) == 0) return true;
    rest = colon == std::string::npos ? "" : rest.substr(colon + 1);
  }
  return false;
}

bool call(const std::vector<std::string>& command) {
  const pid_t child = fork();
  if (child < 0) return false;
  if (child == 0) {
    std::vector<char*> arguments;
    for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere >= 0) dup2(nowhere, STDOUT_FILENO);
    execv(arguments[0], arguments.data());
    _exit(127);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

std::string csv_row(const Comparison& comparison, const Cell& cell, const std::string& kind,
                    const std::string& extra) {
  const bool done = cell.finished();
  std::string line =
      fmt::format("{},{},{},{:.9g},{}", csv_cell(comparison.model + " in " + comparison.scenario),
                  kind, csv_cell(cell.method), cell.step, name_of(cell.verdict));
  const auto add = [&](const std::string& text) { line += "," + text; };
  const bool built = cell.verdict != Verdict::refused;
  add(built ? field(static_cast<long>(cell.coordinates)) : "");
  add(built ? field(static_cast<long>(cell.constraints)) : "");
  add(cell.independent > 0 ? field(static_cast<long>(cell.independent)) : "");
  add(done ? field(cell.error) : "");
  add(done ? field(cell.deviation) : "");
  add(comparison.unit);
  add(done ? field(cell.cpu) : "");
  add(done ? field(cell.realtime) : "");
  add(built ? field(cell.steps) : "");
  add(built ? field(cell.iterations) : "");
  add(built ? field(cell.factorizations) : "");
  add(cell.operations.iteration() > 0.0 ? field(cell.operations.iteration()) : "");
  add(built ? field(cell.reselections) : "");
  add(done ? field(cell.Phi) : "");
  add(done ? field(cell.Phid) : "");
  add(done ? field(cell.Phidd) : "");
  add(done ? field(cell.energy_error) : "");
  line += extra;
  add(csv_cell(cell.message));
  return line + "\n";
}

namespace {

std::string with_unit(const std::string& name, const std::string& unit) {
  return unit == "1" || unit.empty() ? name : name + " " + unit;
}

}  // namespace

TextTable::TextTable(std::vector<std::string> names, std::vector<bool> left)
    : left_(std::move(left)) {
  rows_.push_back({std::move(names), ""});
}

void TextTable::add(std::vector<std::string> cells) { rows_.push_back({std::move(cells), ""}); }

void TextTable::add_words(std::vector<std::string> cells, const std::string& words) {
  rows_.push_back({std::move(cells), words});
}

std::string TextTable::text(const std::string& indent) const {
  std::vector<std::size_t> width(rows_[0].cells.size(), 0);
  for (const Row& row : rows_)
    for (std::size_t k = 0; k < row.cells.size(); ++k)
      width[k] = std::max(width[k], width_of(row.cells[k]));
  std::string out;
  for (const Row& row : rows_) {
    std::string line = indent;
    for (std::size_t k = 0; k < row.cells.size(); ++k) {
      const std::string space(width[k] - width_of(row.cells[k]), ' ');
      if (k > 0) line += "  ";
      line += left_[k] ? row.cells[k] + space : space + row.cells[k];
    }
    if (!row.words.empty()) line += "  " + row.words;
    while (line.back() == ' ') line.pop_back();
    out += line + "\n";
  }
  return out;
}

std::string brief(double value) {
  if (!std::isfinite(value)) return "-";
  if (value != 0.0 && (std::abs(value) < 1e-3 || std::abs(value) >= 1e5))
    return fmt::format("{:.1e}", value);
  if (std::abs(value) >= 999.5) return fmt::format("{:.0f}", value);
  return fmt::format("{:.3g}", value);
}

std::string in_thousands(double count) {
  return count > 0.0 ? fmt::format("{:.{}f}k", 1e-3 * count, count < 9950.0 ? 1 : 0) : "-";
}

Comparison describe(const Bench& bench, int repeat) {
  Comparison out;
  out.model = bench.vehicle().mechanism.name;
  out.scenario = bench.scenario().name;
  out.until = bench.scenario().until;
  out.measure = words_for(bench.measure());
  out.unit = bench.unit();
  if (bench.measure().kind == Measure::Kind::reference) {
    const std::vector<std::string>& channels = bench.reference().channels;
    std::string names;
    for (std::size_t k = 0; k < channels.size() && k < 6; ++k)
      names += (k > 0 ? ", " : "") + channels[k];
    if (channels.size() > 6) names += fmt::format(" and {} more", channels.size() - 6);
    out.measure = fmt::format("rms distance over the run from the reference, of {}, {}",
                              names.empty() ? bench.measure().subject : names, out.unit);
  }
  out.criterion = bench.criterion();
  out.wrong = bench.wrong_criterion();
  out.limit = bench.limit();
  out.repeat = repeat;
  out.reference_failure = bench.reference().failure;
  out.reference_step = bench.reference().step;
  out.reference_error = bench.reference().own_error;
  return out;
}

std::string head_of(const Comparison& c) {
  std::string out = fmt::format(
      "{} in {}, {:g} s\n  error      {}\n  good       {}\n  wrong      {}\n  reference  ", c.model,
      c.scenario, c.until, c.measure, c.criterion, c.wrong);
  if (!c.reference_failure.empty())
    return out + fmt::format("none: the hybrid run at {:g} s: {}\n", c.reference_step,
                             c.reference_failure);
  return out + fmt::format("hybrid at {:g} s; with twice the step it moves by {}\n",
                           c.reference_step, with_unit(brief(c.reference_error), c.unit));
}

void print(const Comparison& c) {
  say("{}  steps      fixed: one that does not converge ends the run\n", head_of(c));
  const bool variable = std::any_of(c.cells.begin(), c.cells.end(),
                                    [](const Cell& cell) { return cell.tolerance > 0.0; });
  if (variable)
    say("  tol.       steps of a length of their own, by this local error in m or rad\n");
  say("  CPU time   the smallest of at least {} run{} without audit and records\n", c.repeat,
      c.repeat == 1 ? "" : "s");
  say("  mult./it.  multiplications of an iteration, kinematics and force laws left out\n\n");

  const bool resets = std::any_of(c.cells.begin(), c.cells.end(),
                                  [](const Cell& cell) { return cell.reselections > 0; });
  const std::string error_name = with_unit("error", c.unit);
  std::vector<std::string> names{"step s", "formulation", "coord.",      "constr.", error_name,
                                 "",       "CPU s",       "x real time", "it./step"};
  std::vector<bool> left{false, true, false, false, false, true, false, false, false};
  const auto column = [&](const char* name) {
    names.emplace_back(name);
    left.push_back(false);
  };
  column("fact./step");
  column("mult./it.");
  if (resets) column("new sets");
  for (const char* name : {"position m", "velocity m/s", "accel. m/s^2"}) column(name);
  TextTable table(names, left);
  const auto add = [&](const Cell& cell, const std::string& step) {
    std::vector<std::string> cells{step, cell.method};
    if (cell.verdict == Verdict::refused) {
      table.add_words(cells, cell.reason);
      return;
    }
    cells.push_back(fmt::format("{}", cell.coordinates));
    cells.push_back(fmt::format("{}", cell.constraints));
    if (!cell.finished()) {
      table.add_words(cells, cell.reason);
      return;
    }
    cells.push_back(brief(cell.error));
    cells.push_back(cell.verdict == Verdict::wrong  ? "wrong"
                    : cell.verdict == Verdict::poor ? "poor"
                                                    : "");
    cells.push_back(brief(cell.cpu));
    cells.push_back(brief(cell.realtime));
    cells.push_back(fmt::format("{:.2f}", cell.per_step(cell.iterations)));
    cells.push_back(fmt::format("{:.2f}", cell.per_step(cell.factorizations)));
    cells.push_back(in_thousands(cell.operations.iteration()));
    if (resets) cells.push_back(fmt::format("{}", cell.reselections));
    for (const double closure : {cell.Phi, cell.Phid, cell.Phidd})
      cells.push_back(fmt::format("{:.1e}", closure));
    table.add(cells);
  };
  double step = -1.0;
  for (const Cell& cell : c.cells) {
    // the same step or tolerance is written once
    const double label = cell.tolerance > 0.0 ? -1.0 - cell.tolerance : cell.step;
    const std::string words = cell.tolerance > 0.0 ? fmt::format("tol. {:g}", cell.tolerance)
                                                   : fmt::format("{:g}", cell.step);
    add(cell, label != step ? words : "");
    step = label;
  }
  say("{}", table.text());
  if (c.largest.empty()) return;

  TextTable best(
      {"formulation", "step s", error_name, "CPU s", "x real time", "it./step", "halved", "beyond"},
      {true, false, false, false, false, false, false, true});
  for (const LargestStep& found : c.largest) {
    std::string beyond = found.beyond;
    if (found.good_again > 0.0) beyond += fmt::format("; good again at {:.3g} s", found.good_again);
    if (!found.step)
      best.add({found.method, "none", "", "", "", "", "", beyond});
    else
      best.add({found.method, fmt::format("{}{:.3g}", found.open_ended ? ">= " : "", *found.step),
                brief(found.cell.error), brief(found.cell.cpu), brief(found.cell.realtime),
                fmt::format("{:.2f}", found.cell.per_step(found.cell.iterations)),
                fmt::format("{}", found.cell.halved), beyond});
  }
  say("\nLargest good step: up to the first that is not good, in steps of a tenth, then bisection\n"
      "to 2 %; here up to 1 % of the steps may be halved\n{}",
      best.text());
}

std::string csv_head(const std::string& names, const std::string& units) {
  return "comparison,kind,formulation,step,status,coordinates,constraints,independent,error,"
         "deviation,error_unit,cpu,realtime,steps,iterations,factorizations,multiplications,"
         "reselections,closure_position,closure_velocity,closure_acceleration,energy_error" +
         names + ",message\n,,,s,,,,,,,,s,,,,,,,m,m/s,m/s^2,J" + units + ",\n";
}

std::string to_csv(const Comparison& c) {
  std::string out = csv_head(",error_tolerance", ",m or rad");
  for (const Cell& cell : c.cells)
    out += cell.tolerance > 0.0 ? csv_row(c, cell, "variable", "," + field(cell.tolerance))
                                : csv_row(c, cell, "step", ",");
  for (const LargestStep& found : c.largest)
    if (found.step) out += csv_row(c, found.cell, "largest_good", ",");
  return out;
}

Json to_json(const Cell& cell) {
  Json row;
  row["formulation"] = cell.method;
  row["step"] = cell.step;
  if (cell.tolerance > 0.0) row["error_tolerance"] = cell.tolerance;
  row["status"] = name_of(cell.verdict);
  if (cell.verdict != Verdict::refused) {
    row["coordinates"] = cell.coordinates;
    row["constraints"] = cell.constraints;
    if (cell.independent > 0) row["independent"] = cell.independent;
    row["steps"] = cell.steps;
    if (cell.halved > 0) row["halved"] = cell.halved;
    row["iterations"] = {{"total", cell.iterations}, {"mean", cell.per_step(cell.iterations)}};
    row["factorizations"] = cell.factorizations;
    if (cell.operations.iteration() > 0.0)
      row["multiplications"] = {{"mass", cell.operations.mass},
                                {"closures", cell.operations.closures},
                                {"factor", cell.operations.factor},
                                {"solve", cell.operations.solve},
                                {"iteration", cell.operations.iteration()}};
    row["reselections"] = cell.reselections;
  }
  if (cell.finished()) {
    row["error"] = number(cell.error);
    row["deviation"] = number(cell.deviation);
    if (cell.farthest > 0.0) row["farthest"] = cell.farthest;
    row["cpu"] = cell.cpu;
    row["realtime_factor"] = cell.realtime;
    row["closure"] = {{"position", number(cell.Phi)},
                      {"velocity", number(cell.Phid)},
                      {"acceleration", number(cell.Phidd)}};
    row["energy_error"] = number(cell.energy_error);
  }
  if (!cell.reason.empty()) row["reason"] = cell.reason;
  if (!cell.message.empty()) row["message"] = cell.message;
  return row;
}

Json to_json(const Comparison& c) {
  Json out;
  out["model"] = c.model;
  out["scenario"] = c.scenario;
  out["until"] = c.until;
  out["measure"] = {{"words", c.measure},
                    {"unit", c.unit},
                    {"good", number(c.limit)},
                    {"criterion", c.criterion},
                    {"wrong", c.wrong}};
  out["reference"] = {{"formulation", "hybrid"},
                      {"step", c.reference_step},
                      {"own_error", number(c.reference_error)}};
  if (!c.reference_failure.empty()) out["reference"]["failure"] = c.reference_failure;
  out["repeat"] = c.repeat;
  out["runs"] = Json::array();
  for (const Cell& cell : c.cells) out["runs"].push_back(to_json(cell));
  if (!c.largest.empty()) {
    out["largest_good"] = Json::array();
    for (const LargestStep& found : c.largest) {
      Json row;
      row["formulation"] = found.method;
      row["step"] = found.step ? Json(*found.step) : Json(nullptr);
      row["open_ended"] = found.open_ended;
      if (!found.beyond.empty()) row["beyond"] = found.beyond;
      if (found.good_again > 0.0) row["good_again"] = found.good_again;
      if (found.step) row["run"] = to_json(found.cell);
      out["largest_good"].push_back(row);
    }
  }
  return out;
}

OutputFiles::OutputFiles(std::string csv, std::string json, std::string plot,
                         const std::string& folder, bool overwrite)
    : csv_(std::move(csv)), json_(std::move(json)), plot_(std::move(plot)) {
  const auto refuse = [](const std::string& what, const std::string& message) {
    throw ModelError(what + ": " + message);
  };
  if (csv_ == "-" && json_ == "-")
    refuse("--csv - --json -", "both go to the screen, expected one of them to be a file");
  if (plot_ == "-") refuse("--plot -", "a plot cannot go to the screen, expected a file name");
  std::error_code error;
  if (!folder.empty()) {
    if (fs::exists(folder, error) && !fs::is_directory(folder, error))
      refuse("output folder '" + folder + "'",
             "is a file, expected a folder or a name that is free");
    const fs::path dir(folder);
    if (csv_.empty()) csv_ = (dir / "compare.csv").string();
    if (json_.empty()) json_ = (dir / "compare.json").string();
    if (plot_.empty() && on_path("gnuplot") && !find_script().empty())
      plot_ = (dir / "work_precision.svg").string();
  }
  for (const std::string& name : names()) {
    if (fs::is_directory(name, error))
      refuse("output file '" + name + "'", "is a folder, expected the name of a file");
    if (!overwrite && fs::exists(name, error))
      refuse("output file '" + name + "'", "is already there, expected a free name or --overwrite");
  }
  if (!plot_.empty()) {
    script_ = find_script();
    if (script_.empty())
      refuse("--plot " + plot_,
             "scripts/plot_compare was not found, expected to be called from "
             "the repository");
    if (!on_path("gnuplot"))
      refuse("--plot " + plot_, "gnuplot is not installed, expected it (scripts/setup)");
  }
  if (!folder.empty()) folder_.emplace(folder, overwrite, [](const std::string&) { return false; });
  const auto open = [&](std::optional<OutputFile>& file, const std::string& name) {
    if (!name.empty() && name != "-") file.emplace(name, overwrite);
  };
  open(csv_file_, csv_);
  open(json_file_, json_);
  open(plot_file_, plot_);
}

std::vector<std::string> OutputFiles::names() const {
  std::vector<std::string> out;
  for (const std::string& name : {csv_, json_, plot_})
    if (!name.empty() && name != "-") out.push_back(name);
  return out;
}

bool OutputFiles::write(const std::string& csv, const Json& json, bool has_runs) {
  bool written = true;
  const auto put = [&](std::optional<OutputFile>& file, const std::string& text) {
    if (!file || (file->write(text) && file->finish())) return;
    complain("{}\n", file->trouble());
    written = false;
  };
  put(csv_file_, csv);
  put(json_file_, json_text(json));
  if (written && plot_file_) written = has_runs && has_rows(csv) ? draw(csv) : leave_undrawn();
  if (csv_ == "-") say("{}", csv);
  if (json_ == "-") say("{}", json_text(json));
  return written;
}

bool OutputFiles::draw(const std::string& csv) {
  // a table of its own: --csv may be the screen, or none
  OutputFile table(plot_, true);
  std::string trouble;
  if (!(table.write(csv) && table.close()))
    trouble = table.trouble();
  else if (!call({script_, table.part().string(), plot_file_->part().string()}))
    trouble = fmt::format(
        "output file '{}': cannot be drawn, expected {} and gnuplot to do it; what they said "
        "stands above",
        plot_, script_);
  else if (!plot_file_->finish())
    trouble = plot_file_->trouble();
  if (trouble.empty()) return true;
  complain("{}\n", trouble);
  return false;
}

bool OutputFiles::leave_undrawn() {
  complain("note: {} is not drawn: there are no runs to draw\n", plot_);
  plot_file_.reset();
  plot_.clear();
  return true;
}

}  // namespace semirec::cli
