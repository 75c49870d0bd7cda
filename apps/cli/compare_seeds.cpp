#include "apps/cli/compare_seeds.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "apps/cli/commands.hpp"
#include "apps/cli/compare_output.hpp"
#include "apps/cli/compare_paper.hpp"
#include "apps/cli/seed_tables.hpp"

namespace semirec::cli {

namespace {

using SeedJson = nlohmann::ordered_json;

/// What --only takes.
constexpr std::array<std::string_view, 5> kParts{"000", "001", "002", "003", "work"};

struct WorkExample {
  const char* model;
  const char* scenario;
  Measure measure;
  std::vector<double> steps;
  std::vector<std::string> overrides;
};

const std::vector<WorkExample>& work_examples() {
  using Kind = Measure::Kind;
  static const std::vector<WorkExample> all{
      {"slider_crank.xml", "let_go.xml", {Kind::reference, ""}, {0.001, 0.003, 0.01}, {}},
      {"iltis.xml", "bump_10.xml", {Kind::reference, ""}, {0.001, 0.003, 0.01}, {}},
      {"sedan.xml", "step_steer.xml", {Kind::reference, ""}, {0.002, 0.005, 0.01}, {}},
      {"sedan.xml",
       "step_steer.xml",
       {Kind::reference, ""},
       {0.002, 0.005, 0.01},
       {"form.value=bushing"}},
      {"v8.xml", "let_go.xml", {Kind::reference, ""}, {0.001, 0.003, 0.01}, {}}};
  return all;
}

/// The schemes on the hybrid formulation, named as the plot's script names them.
std::vector<Method> scheme_methods() {
  std::vector<Method> methods;
  for (const SeedMethod& seed : seed_methods()) {
    const auto scheme = find_seed_scheme(seed);
    if (!scheme) continue;
    Method method{seed.scheme, {}, true, {}, scheme};
    if (seed.scheme == "hht")
      method.name += seed.parameters.front().second < -0.1 ? "_strong" : "_weak";
    methods.push_back(method);
  }
  return methods;
}

Comparison measure_work(const SeedBench& bench, const WorkExample& example) {
  const DriveDescription loaded = bench.read(example.model, example.scenario, example.overrides);
  Bench runs(loaded.vehicle, loaded.scenario, example.measure);
  runs.interrupted = bench.interrupted;
  runs.make_reference(0.1 * example.steps.front());
  runs.set_limit(std::nullopt);
  Comparison out = describe(runs, bench.repeat);
  for (const double step : example.steps)
    for (const Method& method : scheme_methods()) {
      if (bench.interrupted()) break;
      bench.show(fmt::format("{}: {} at {:g} s", example.model, method.name, step));
      out.cells.push_back(runs.run_cell(method, step, bench.repeat));
    }
  return out;
}

std::string words_of(const SeedTable& table) {
  std::string out = fmt::format("{}  {}\n", table.source, table.title);
  if (!table.failure.empty()) return out + fmt::format("  not made: {}\n", table.failure);
  out += fmt::format("  {}\n", table.setup);
  std::vector<std::string> names{"what", "the paper says"};
  std::vector<bool> left{true, true};
  for (const std::string& column : table.columns) {
    names.push_back(column);
    left.push_back(false);
  }
  TextTable text(names, left);
  for (const SeedRow& row : table.rows) {
    std::vector<std::string> cells{row.what, row.paper};
    // a missing method's words run over the columns that it lacks
    for (std::size_t k = 0; k < table.columns.size() && !row.values.empty(); ++k)
      cells.push_back(k < row.values.size() && std::isfinite(row.values[k]) ? brief(row.values[k])
                                                                            : "-");
    text.add_words(cells, row.remark);
  }
  return out + text.text();
}

SeedJson json_of(const SeedTable& table) {
  SeedJson out;
  out["source"] = table.source;
  out["title"] = table.title;
  if (!table.failure.empty()) {
    out["failure"] = table.failure;
    return out;
  }
  out["setup"] = table.setup;
  out["rows"] = SeedJson::array();
  for (const SeedRow& row : table.rows) {
    SeedJson line;
    line["what"] = row.what;
    line["paper"] = row.paper;
    line["ours"] = SeedJson::object();
    for (std::size_t k = 0; k < row.values.size(); ++k)
      line["ours"][table.columns[k]] =
          std::isfinite(row.values[k]) ? SeedJson(row.values[k]) : SeedJson(nullptr);
    if (!row.remark.empty()) line["remark"] = row.remark;
    out["rows"].push_back(line);
  }
  return out;
}

std::string words_of(const Comparison& work) {
  std::string out = fmt::format("work-precision  {} in {}, {:g} s; hybrid, penalty\n  error: {}\n",
                                work.model, work.scenario, work.until, work.measure);
  if (!work.reference_failure.empty())
    out += fmt::format("  no reference: {}\n", work.reference_failure);
  TextTable text({"step s", "scheme", "error", "CPU s", "it./step"},
                 {false, true, false, false, false});
  for (const Cell& cell : work.cells) {
    if (cell.finished())
      text.add({fmt::format("{:g}", cell.step), cell.method, brief(cell.error), brief(cell.cpu),
                fmt::format("{:.2f}", cell.per_step(cell.iterations))});
    else
      text.add_words({fmt::format("{:g}", cell.step), cell.method}, cell.reason);
  }
  return out + text.text();
}

}  // namespace

DriveDescription SeedBench::read(const std::string& model, const std::string& scenario,
                                 const std::vector<std::string>& overrides) const {
  const std::filesystem::path root(folder);
  Files files;
  files.vehicle = (root / "models" / model).string();
  files.scenario = (root / "scenarios" / scenario).string();
  files.overrides = overrides;
  return load(files);
}

int coordinate_of(const Model& model, const std::string& joint) {
  for (std::size_t j = 0; j < model.mechanism.joints.size(); ++j) {
    const TreeIndex t = model.tree.tree.branch_of_joint[j];
    if (model.mechanism.joints[j].name == joint && t >= 0)
      return model.tree.bodies[static_cast<std::size_t>(t)].z;
  }
  throw ModelError("the mechanism has no tree joint '" + joint + "', expected one to measure");
}

void add_table(const SeedBench& bench, const std::string& source, const std::string& what,
               const std::function<SeedTable()>& make, std::vector<SeedTable>& tables) {
  if (bench.interrupted()) return;
  bench.show(source + ": " + what);
  try {
    tables.push_back(make());
  } catch (const ModelError& error) {
    SeedTable table;
    table.source = source;
    table.title = what;
    table.failure = error.what();
    tables.push_back(table);
  }
}

SeedComparison compare_with_seeds(const std::string& folder, int repeat,
                                  const std::vector<std::string>& only,
                                  const std::function<bool()>& interrupted) {
  for (const std::string& name : only)
    if (std::find(kParts.begin(), kParts.end(), name) == kParts.end())
      throw ModelError(fmt::format(
          "--only is '{}', expected 000, 001, 002, 003 or work, separated by commas", name));
  const auto wanted = [&](const char* name) {
    return only.empty() || std::find(only.begin(), only.end(), name) != only.end();
  };
  SeedComparison out;
  out.text = fmt::format(
      "Seeds 000 to 003, the papers on integrators, measured here\n"
      "  CPU times are the smallest of at least {} run{} without audit and records\n\n",
      repeat, repeat == 1 ? "" : "s");
  out.csv = csv_head("", "");
  out.json["tables"] = SeedJson::array();
  out.json["work_precision"] = SeedJson::array();
  CompareProgress progress;
  const SeedBench bench{folder, repeat, interrupted,
                        [&](const std::string& what) { progress.show(what); }};
  using Make = std::vector<SeedTable> (*)(const SeedBench&);
  for (const auto& [name, make] : {std::pair<const char*, Make>("000", make_hht_tables),
                                   {"001", make_six_tables},
                                   {"002", make_euler_parameter_tables},
                                   {"003", make_suspension_tables}}) {
    if (!wanted(name)) continue;
    for (const SeedTable& table : make(bench)) {
      out.text += words_of(table) + "\n";
      out.json["tables"].push_back(json_of(table));
    }
  }
  for (const WorkExample& example : work_examples()) {
    if (interrupted() || !wanted("work")) break;
    try {
      const Comparison work = measure_work(bench, example);
      for (const std::string& change : example.overrides) out.text += "with " + change + ": ";
      out.text += words_of(work) + "\n";
      for (const Cell& cell : work.cells) out.csv += csv_row(work, cell, "step", "");
      out.json["work_precision"].push_back(to_json(work));
    } catch (const ModelError& error) {
      out.text +=
          fmt::format("work-precision  {}\n  not made: {}\n\n", example.model, error.what());
      out.json["work_precision"].push_back({{"model", example.model}, {"failure", error.what()}});
    }
  }
  return out;
}

}  // namespace semirec::cli
