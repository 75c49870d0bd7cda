#include "apps/cli/compare_paper.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "apps/cli/commands.hpp"
#include "apps/cli/compare_output.hpp"
#include "apps/cli/paper_tables.hpp"
#include "vehicles/files/csv.hpp"

namespace semirec::cli {

namespace {

using Json = nlohmann::ordered_json;

/// A row of a table: the paper's cell, ours, or both.
struct Row {
  std::string method;
  bool largest = false;
  double step = 0.0;  ///< ours, s
  const PaperCell* paper = nullptr;
  const Cell* ours = nullptr;
  const LargestStep* found = nullptr;
};

struct Made {
  const PaperTable* table = nullptr;
  std::string failure;
  Comparison comparison;
  std::vector<Cell> halved;  ///< runs that fail with fixed steps, where they may be halved
  std::vector<Row> rows;
  std::vector<std::string> notes;
};

std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.rfind("model name", 0) == 0 && line.find(": ") != std::string::npos)
      return line.substr(line.find(": ") + 2);
  return "an unknown processor";
}

constexpr double kLastDigit = 0.01;  // of the paper's errors
constexpr double kDegree = 180.0 / 3.14159265358979;

const Row* find_row(const Made& made, const std::string& name, double step, bool largest) {
  for (const Row& row : made.rows)
    if (row.method == name && row.largest == largest && (largest || row.step == step)) return &row;
  return nullptr;
}

std::optional<double> time_of(const Row* row) {
  if (row == nullptr || row->ours == nullptr || !row->ours->finished()) return std::nullopt;
  return row->ours->cpu;
}

std::optional<double> paper_time(const Row* row) {
  if (row == nullptr || row->paper == nullptr) return std::nullopt;
  return row->paper->time;
}

/// Multiplications of all iterations.
std::optional<double> work_of(const Row* row) {
  if (!time_of(row) || !(row->ours->work() > 0.0)) return std::nullopt;
  return row->ours->work();
}

std::string ratio(std::optional<double> time, std::optional<double> hybrid) {
  return time && hybrid && *hybrid > 0.0 ? fmt::format("{:.2f}", *time / *hybrid) : "";
}

void list(std::string& text, const std::string& item) { text += (text.empty() ? "" : ", ") + item; }

std::string seconds(const Row& row) { return fmt::format("{:g} s", row.step); }

std::string range(double least, double most, const char* format) {
  const std::string from = fmt::format(fmt::runtime(format), least);
  const std::string to = fmt::format(fmt::runtime(format), most);
  return from == to ? from : from + " to " + to;
}

/// Smallest and largest of what is put in.
struct Span {
  double least = std::numeric_limits<double>::infinity();
  double most = -std::numeric_limits<double>::infinity();
  void add(double value) {
    least = std::min(least, value);
    most = std::max(most, value);
  }
  bool empty() const { return least > most; }
};

void note_coordinates(const Made& made, std::vector<std::string>& notes) {
  int global = 0;
  int relative = 0;
  for (const Row& row : made.rows) {
    if (row.ours == nullptr || row.ours->coordinates == 0) continue;
    (row.method.rfind("global", 0) == 0 ? global : relative) = row.ours->coordinates;
  }
  std::string text =
      fmt::format("coordinates: global {} (paper {}), relative {} (paper {})", global,
                  made.table->global_coordinates, relative, made.table->relative_coordinates);
  if (global > 0 && global < made.table->global_coordinates)
    text += "; here bodies share points and axes of their joints, and what cannot move has none";
  notes.push_back(text);
}

void note_errors(const Made& made, std::vector<std::string>& notes) {
  for (const char* name : {"hybrid", "global", "topological_plain"}) {
    std::string same;
    std::string other;
    Span times;
    for (const Row& row : made.rows) {
      if (row.method != name || row.paper == nullptr || !row.paper->error || row.ours == nullptr ||
          !row.ours->finished() || row.ours->verdict == Verdict::wrong)
        continue;
      const double gap = std::abs(row.ours->error - *row.paper->error);
      if (made.table->known && gap <= 0.5 * kLastDigit) {
        list(same, seconds(row));
      } else {
        list(other, seconds(row));
        times.add(row.ours->error / *row.paper->error);
      }
    }
    if (!same.empty())
      notes.push_back(fmt::format("{}: the paper's error, to its last digit, at {}", name, same));
    if (!other.empty())
      notes.push_back(fmt::format("{}: {} times the paper's error at {}", name,
                                  range(times.least, times.most, "{:.2g}"), other));
  }
}

std::string words_for(const Cell& cell, std::optional<double> hybrid) {
  if (!cell.finished()) return cell.reason + " even so";
  return fmt::format("{} in {} s ({:.2f} times hybrid's), {} of {} steps halved",
                     name_of(cell.verdict), brief(cell.cpu), hybrid ? cell.cpu / *hybrid : 0.0,
                     cell.halved, cell.steps);
}

void note_who_finishes(const Made& made, std::vector<std::string>& notes) {
  for (const char* name : {"hybrid", "global", "topological_plain", "recursive"}) {
    std::string here;
    std::string there;
    std::string wrong;
    std::string words;
    for (const Row& row : made.rows) {
      if (row.method != name || row.paper == nullptr || row.ours == nullptr || row.largest)
        continue;
      const bool paper = row.paper->time.has_value();
      if (row.ours->verdict == Verdict::wrong) {
        list(wrong, seconds(row) + (paper ? "" : " (paper: " + row.paper->words + ")"));
      } else if (row.ours->finished() && !paper) {
        list(here, seconds(row));
        words = row.paper->words;
      }
      if (!row.ours->finished() && paper)
        list(there, fmt::format("{} ({})", seconds(row), row.ours->reason));
    }
    if (!here.empty())
      notes.push_back(fmt::format("{}: finishes here at {} (paper: {})", name, here, words));
    if (!there.empty())
      notes.push_back(fmt::format("{}: finishes in the paper and not here at {}", name, there));
    if (!wrong.empty()) notes.push_back(fmt::format("{}: wrong here at {}", name, wrong));
  }
  for (const Cell& cell : made.halved)
    notes.push_back(
        fmt::format("{} at {:g} s where steps may be halved: {}", cell.method, cell.step,
                    words_for(cell, time_of(find_row(made, "hybrid", cell.step, false)))));
}

/// At the same step, or at the largest good ones. Of the global method the faster variant counts.
bool note_times(const Made& made, bool largest, std::vector<std::string>& notes) {
  bool dearer = false;
  for (const std::string name : {"global", "topological_plain"}) {
    Span paper;
    Span ours;
    Span work;
    std::string variant = name;
    for (const Row& row : made.rows) {
      if (row.method != name || row.largest != largest) continue;
      const Row* hybrid = find_row(made, "hybrid", row.step, largest);
      const Row* other = find_row(made, name + "_tree", row.step, largest);
      const Row* best = time_of(other) && *time_of(other) < time_of(&row) ? other : &row;
      if (!paper_time(&row) || !paper_time(hybrid) || !time_of(best) || !time_of(hybrid)) continue;
      variant = best->method;
      paper.add(*paper_time(&row) / *paper_time(hybrid));
      ours.add(*time_of(best) / *time_of(hybrid));
      if (work_of(best) && work_of(hybrid)) work.add(*work_of(best) / *work_of(hybrid));
    }
    if (ours.empty()) continue;
    notes.push_back(fmt::format(
        "time of {} over hybrid's{}: paper {}, here {}{}", variant,
        largest ? ", at their largest good steps" : "", range(paper.least, paper.most, "{:.2f}"),
        range(ours.least, ours.most, "{:.2f}"),
        work.empty()
            ? ""
            : ", multiplications of all iterations " + range(work.least, work.most, "{:.2f}")));
    dearer = dearer || ours.least > paper.most;
  }
  return dearer;
}

void note_costs(const Made& made, std::vector<std::string>& notes) {
  std::string counts;
  for (const Cell& cell : made.comparison.cells)
    if (cell.step == made.table->steps.front() && cell.operations.iteration() > 0.0)
      list(counts, cell.method + " " + in_thousands(cell.operations.iteration()));
  notes.push_back("multiplications of an iteration: " + counts);
  const bool dearer = note_times(made, false, notes);
  note_times(made, true, notes);
  if (dearer && made.table->number < 4)
    notes.emplace_back(
        "hybrid is cheaper here, against the others, than in the paper. Its programs of this "
        "table are in Matlab, where a recursion over bodies presumably paid for the interpreter "
        "and operations on whole matrices did not");
}

/// What is known of one table only.
void note_table(const Made& made, std::vector<std::string>& notes) {
  const Row* plain = find_row(made, "topological_plain", made.table->steps.front(), false);
  switch (made.table->number) {
    case 1: {
      int runs = 0;
      std::string lost;
      for (const Cell& cell : made.comparison.cells) {
        if (cell.method.rfind("plain:", 0) != 0) continue;
        ++runs;
        if (!cell.finished() || cell.verdict == Verdict::wrong)
          list(lost, fmt::format("{} at {:g} s ({})", cell.method, cell.step,
                                 cell.finished() ? "wrong" : cell.reason));
      }
      notes.push_back(fmt::format(
          "plain:JOINT is topological_plain with the angle of that joint as the independent "
          "coordinate; which one the paper's program took is not known. Of {} runs {}",
          runs,
          lost.empty() ? "none breaks down or leaves the reference's motion" : "lost: " + lost));
      if (time_of(plain) && lost.empty())
        notes.emplace_back(
            "so the choice of the coordinate does not explain that the paper's stops: no step of "
            "these "
            "ends so close to a singular position that the pivots vanish");
      break;
    }
    case 2:
      notes.emplace_back(
          "mass of the block and start are assumed (vehicles/models/README.md), so the value that "
          "the runs converge to is not the paper's");
      for (const Row& row : made.rows)
        if (row.method == "hybrid" && time_of(&row) &&
            row.ours->deviation > made.comparison.limit &&
            row.ours->energy_error > 0.5 * row.ours->deviation)
          notes.push_back(fmt::format(
              "hybrid at {}: {} J off the reference's value, with a gap of {} J in the energy "
              "balance, which sums the power of the shock absorber at the ends of the steps by "
              "trapezoids",
              seconds(row), brief(row.ours->deviation), brief(row.ours->energy_error)));
      break;
    case 3:
      notes.emplace_back(
          "poses and torques are assumed (vehicles/models/README.md): the paper has durations, "
          "motors at work and the pinned hand only");
      notes.emplace_back(
          "the paper's errors of 0.53, 3.4 and 0.34 mm lost their points in the scan at hand");
      break;
    case 4:
      notes.emplace_back(
          "parts of the road, the start and the leaf stops are assumed "
          "(vehicles/scenarios/ramp_and_stairs.xml); the paper does not say which results are "
          "good");
      for (const LargestStep& found : made.comparison.largest) {
        if (!found.step) continue;
        std::string text = found.open_ended
                               ? fmt::format("{}: no larger step was tried", found.method)
                               : fmt::format("{} is not good at {}", found.method, found.beyond);
        if (found.cell.halved > 0)
          text += fmt::format("; at {:.3g} s: {} of {} steps halved", *found.step,
                              found.cell.halved, found.cell.steps);
        if (found.good_again > 0.0)
          text += fmt::format("; good again at {:.3g} s", found.good_again);
        notes.push_back(text);
      }
      break;
    default:
      break;
  }
}

void note_new_sets(const Made& made, std::vector<std::string>& notes) {
  std::string sets;
  for (const Row& row : made.rows)
    if (row.ours != nullptr && row.ours->reselections > 0)
      list(sets, fmt::format("{} at {:.3g} s", row.ours->reselections, row.step));
  if (!sets.empty()) notes.push_back("topological: new sets of independent coordinates: " + sets);
}

/// What the measured table says about the paper's: facts first, then what explains them.
std::vector<std::string> find_notes(const Made& made) {
  std::vector<std::string> notes;
  note_coordinates(made, notes);
  note_errors(made, notes);
  note_who_finishes(made, notes);
  note_costs(made, notes);
  note_new_sets(made, notes);
  note_table(made, notes);
  return notes;
}

/// The paper's numbers on the left, ours on the right.
std::string table_of(const Made& made) {
  const PaperTable& table = *made.table;
  const Comparison& c = made.comparison;
  const bool pose = table.measure.kind == Measure::Kind::end_pose;
  std::vector<std::string> groups;
  std::vector<std::string> names;
  std::vector<bool> left;
  const auto column = [&](const std::string& name, const std::string& group = "",
                          bool to_left = false) {
    groups.push_back(group);
    names.push_back(name);
    left.push_back(to_left);
  };
  if (!pose) column("step s");
  column("method", "", true);
  column(pose ? "step s" : "error " + c.unit, "paper");
  column("CPU s");
  column("ratio");
  column("x real t.");
  column("|", "|", true);
  if (pose) column("step s", "here");
  column("coord.", pose ? "" : "here");
  column("constr.");
  if (pose) {
    column("height mm");
    column("pitch deg");
  } else {
    column("error " + c.unit);
    if (table.farthest > 0.0) column("off m");
  }
  column("", "", true);
  for (const char* name : {"CPU s", "ratio", "work", "x real t.", "it./step", "fact./step"})
    column(name);
  TextTable text(groups, left);
  text.add(names);

  double step = -1.0;
  bool in_largest = false;
  for (const Row& row : made.rows) {
    const Row* hybrid = find_row(made, "hybrid", row.step, row.largest);
    if (row.largest && !in_largest) text.add_words({}, "largest good step:");
    in_largest = row.largest;
    std::vector<std::string> cells;
    if (!pose) cells.push_back(row.step != step ? fmt::format("{:g}", row.step) : "");
    step = row.step;
    const PaperCell* paper = row.paper;
    const bool only_paper = row.ours == nullptr && row.found == nullptr;
    cells.push_back(only_paper ? paper->method : row.method);
    if (paper == nullptr)
      cells.emplace_back();
    else if (pose)
      cells.push_back(paper->step == 0.0 ? "variable" : fmt::format("{:g}", paper->step));
    else
      cells.push_back(paper->error ? fmt::format("{:.2f}", *paper->error) : paper->words);
    const std::optional<double> time = paper_time(&row);
    cells.push_back(time ? fmt::format("{:.2f}", *time) : "");
    cells.push_back(ratio(time, paper_time(hybrid)));
    cells.push_back(time ? fmt::format("{:.2f}", c.until / *time) : "");
    cells.emplace_back("|");
    if (row.ours == nullptr) {
      text.add_words(cells, only_paper ? paper->words
                                       : fmt::format("none from {:g} s on: {}", table.smallest,
                                                     row.found->beyond));
      continue;
    }
    const Cell& ours = *row.ours;
    if (pose) cells.push_back(fmt::format("{:.3g}", row.step));
    if (ours.verdict == Verdict::refused) {
      text.add_words(cells, ours.reason);
      continue;
    }
    cells.push_back(fmt::format("{}", ours.coordinates));
    cells.push_back(fmt::format("{}", ours.constraints));
    if (!ours.finished()) {
      text.add_words(cells, ours.reason);
      continue;
    }
    if (pose) {
      cells.push_back(fmt::format("{:.2f}", 1e3 * ours.height_error));
      cells.push_back(fmt::format("{:.4f}", kDegree * ours.pitch_error));
    } else {
      cells.push_back(fmt::format("{:.3f}", ours.error));
      if (table.farthest > 0.0) cells.push_back(fmt::format("{:.2f}", ours.farthest));
    }
    cells.emplace_back(ours.verdict == Verdict::good ? "" : name_of(ours.verdict));
    cells.push_back(brief(ours.cpu));
    cells.push_back(ratio(ours.cpu, time_of(hybrid)));
    cells.push_back(ratio(work_of(&row), work_of(hybrid)));
    cells.push_back(brief(ours.realtime));
    cells.push_back(fmt::format("{:.2f}", ours.per_step(ours.iterations)));
    cells.push_back(fmt::format("{:.2f}", ours.per_step(ours.factorizations)));
    text.add(cells);
  }
  return text.text();
}

std::string text_of(const Made& made) {
  std::string out = fmt::format("Table {}. {}\n", made.table->number, made.table->title);
  if (!made.failure.empty()) return out + fmt::format("  not made: {}\n", made.failure);
  out += "  " + head_of(made.comparison) + "\n" + table_of(made) + "\n";
  for (const std::string& note : made.notes) out += "  - " + note + "\n";
  return out;
}

Json json_of(const Made& made) {
  Json out;
  out["table"] = made.table->number;
  out["title"] = made.table->title;
  if (!made.failure.empty()) {
    out["failure"] = made.failure;
    return out;
  }
  out["comparison"] = to_json(made.comparison);
  out["paper"] = Json::array();
  for (const PaperCell& cell : made.table->cells) {
    Json row;
    row["method"] = cell.method;
    if (cell.step > 0.0) row["step"] = cell.step;
    row["largest_good"] = cell.largest;
    if (cell.error) row["error"] = *cell.error;
    if (cell.time) row["cpu"] = *cell.time;
    if (!cell.words.empty()) row["words"] = cell.words;
    out["paper"].push_back(row);
  }
  out["notes"] = made.notes;
  return out;
}

std::string csv_of(const Made& made) {
  std::string out;
  for (const Row& row : made.rows) {
    if (row.ours == nullptr) continue;
    std::string extra = ",";
    const auto number = [](std::optional<double> value) {
      return value ? fmt::format("{:g}", *value) : "";
    };
    if (row.paper != nullptr)
      extra += fmt::format("{},{},{},{}", row.paper->step, number(row.paper->error),
                           number(row.paper->time), csv_cell(row.paper->words));
    else
      extra += ",,,";
    out += csv_row(made.comparison, *row.ours, row.largest ? "largest_good" : "step", extra);
  }
  return out;
}

Made make(const PaperTable& table, const std::string& folder, int repeat,
          const std::function<bool()>& interrupted, CompareProgress& progress) {
  Made made;
  made.table = &table;
  const auto say = [&](const std::string& what) {
    progress.show(fmt::format("table {}: {}", table.number, what));
  };
  try {
    Files files;
    const std::filesystem::path root(folder);
    files.vehicle = (root / "models" / table.model).string();
    files.scenario = (root / "scenarios" / table.scenario).string();
    const DriveDescription loaded = load(files);
    Bench bench(loaded.vehicle, loaded.scenario, table.measure);
    bench.interrupted = interrupted;
    say("reference");
    const double smallest = table.has_largest ? table.smallest : table.steps.front();
    bench.make_reference(0.1 * smallest);
    bench.set_limit(std::nullopt);
    bench.set_farthest(table.farthest);
    made.comparison = describe(bench, repeat);
    std::vector<Method> methods;
    for (const char* name : {"global", "topological_plain", "topological", "hybrid"})
      methods.push_back(find_method(name));
    if (table.number == 4)
      for (const char* name : {"global_tree", "recursive"}) methods.push_back(find_method(name));
    if (table.each_coordinate)
      for (const Method& method : bench.plain_methods()) methods.push_back(method);
    std::vector<Cell>& cells = made.comparison.cells;
    for (const double step : table.steps)
      for (const Method& method : methods) {
        if (interrupted()) break;
        say(fmt::format("{} at {:g} s", method.name, step));
        cells.push_back(bench.run_cell(method, step, repeat));
        if (cells.back().verdict == Verdict::failed)
          made.halved.push_back(bench.run_cell(method, step, repeat, /*halve=*/true));
      }
    if (table.has_largest)
      for (const Method& method : methods) {
        if (interrupted()) break;
        say(fmt::format("largest good step of {}", method.name));
        made.comparison.largest.push_back(bench.find_largest_step(method, smallest, 0.5, repeat));
      }
  } catch (const ModelError& error) {
    made.failure = error.what();
  }
  return made;
}

/// Rows point into the table's and the comparison's cells, which stay where they are.
void make_rows(Made& made) {
  for (const Cell& cell : made.comparison.cells)
    made.rows.push_back({cell.method, false, cell.step,
                         find_cell(*made.table, cell.method, cell.step), &cell, nullptr});
  for (const LargestStep& found : made.comparison.largest)
    made.rows.push_back({found.method, true, found.step.value_or(0.0),
                         find_largest(*made.table, found.method),
                         found.step ? &found.cell : nullptr, &found});
  for (const PaperCell& cell : made.table->cells)
    if (cell.largest && cell.step == 0.0) {
      Row row;
      row.largest = true;
      row.paper = &cell;
      made.rows.push_back(row);
    }
}

}  // namespace

PaperComparison compare_with_paper(const std::string& folder, int repeat,
                                   const std::function<bool()>& interrupted) {
  std::vector<Made> tables;
  {
    CompareProgress progress;
    for (const PaperTable& table : paper_tables()) {
      if (interrupted()) break;
      tables.push_back(make(table, folder, repeat, interrupted, progress));
    }
  }
  PaperComparison out;
  out.text = fmt::format(
      "Tables 1 to 4 of the hybrid paper, measured here on {}\n"
      "  steps      fixed: one that does not converge ends the run; in the search for the largest "
      "good\n"
      "             step up to 1 % of the steps may be halved\n"
      "  CPU time   the smallest of at least {} run{} without audit and records. The paper's:\n"
      "             Athlon XP at 1.4 GHz, tables 1 to 3 in Matlab, table 4 in Fortran\n"
      "  ratio      time over hybrid's at the same step, or at hybrid's own largest good step\n"
      "  work       the same of the multiplications of all iterations, by the structure of the\n"
      "             matrices; kinematics and force laws left out\n"
      "  topological_plain is the paper's topological method; topological chooses new independent\n"
      "  coordinates where those it has degenerate\n\n",
      processor(), repeat, repeat == 1 ? "" : "s");
  out.csv = csv_head(",paper_step,paper_error,paper_cpu,paper_words", ",s,,s,");
  out.json["processor"] = processor();
  out.json["tables"] = Json::array();
  for (Made& made : tables) {
    make_rows(made);
    if (made.failure.empty() && !made.comparison.cells.empty()) made.notes = find_notes(made);
    out.text += text_of(made) + "\n";
    out.csv += csv_of(made);
    out.json["tables"].push_back(json_of(made));
  }
  return out;
}

}  // namespace semirec::cli
