#include "apps/cli/answer_output.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>

#include <fmt/core.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/cli/chart.hpp"
#include "apps/cli/output.hpp"
#include "apps/cli/terminal.hpp"
#include "vehicles/files/csv.hpp"

namespace semirec::cli {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

const char* const kAnswerFile = "answer.json";

Json json_of(const Answer& answer) {
  Json out;
  out["title"] = answer.title;
  Json& quantities = out["quantities"] = Json::object();
  for (const Quantity& quantity : answer.quantities) {
    // a value that is no number, a response that was never reached, is null
    Json& entry = quantities[quantity.name];
    entry["value"] = std::isfinite(quantity.value) ? Json(quantity.value) : Json();
    entry["unit"] = quantity.unit;
    if (std::isfinite(quantity.uncertainty)) entry["uncertainty"] = quantity.uncertainty;
    if (!quantity.about.empty()) entry["about"] = quantity.about;
  }
  out["notes"] = answer.notes;
  return out;
}

std::string table_text(const Table& table) {
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  const bool labelled = !table.labels.empty();
  for (const bool units : {false, true}) {
    if (labelled) fmt::format_to(out, "{}", units ? "," : "name,");
    for (std::size_t k = 0; k < table.columns.size(); ++k)
      fmt::format_to(out, "{}{}", k == 0 ? "" : ",",
                     csv_cell(units ? table.columns[k].unit : table.columns[k].name));
    text.push_back('\n');
  }
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const std::vector<double>& row = table.rows[r];
    if (labelled) fmt::format_to(out, "{},", csv_cell(table.labels[r]));
    for (std::size_t k = 0; k < row.size(); ++k) {
      if (k > 0) text.push_back(',');
      // where there is no number the cell is empty, as in the tables of sweeps
      if (std::isfinite(row[k])) fmt::format_to(out, "{:.12g}", row[k]);
    }
    text.push_back('\n');
  }
  return fmt::to_string(text);
}

bool is_over_time(const Table& table) {
  return table.labels.empty() && !table.columns.empty() && table.columns.front().name == "time";
}

/// Empty, or what could not be written. Names of its files go to `written`.
std::string write_table(const OutputFolder& folder, const std::string& title, const Table& table,
                        const std::vector<ResultFormat>& formats,
                        std::vector<std::string>& written) {
  const bool over_time = is_over_time(table);
  std::vector<ResultFormat> others;
  for (const ResultFormat format : formats)
    if (over_time && format != ResultFormat::csv) others.push_back(format);
  for (const ResultFormat format : others) written.push_back(file_name(format, table.name));
  if (!others.empty()) {
    results::TableHead head;
    head.title = title;
    head.columns = columns_of(table.columns);
    head.expected_rows = static_cast<double>(table.rows.size());
    ResultFiles files(folder, others, std::move(head), table.name);
    const std::vector<double> no_poses;
    bool good = files.begin();
    for (const std::vector<double>& row : table.rows) good = good && files.add({row, no_poses});
    good = files.finish() && good;
    if (!good) return files.trouble();
  }
  // last: a table in other formats takes the place of an earlier one
  if (over_time && others.size() == formats.size()) return {};
  written.push_back(file_name(ResultFormat::csv, table.name));
  std::string trouble = folder.write(written.back(), table_text(table));
  others.push_back(ResultFormat::csv);
  if (trouble.empty()) remove_other_formats(folder, others, table.name);
  return trouble;
}

void print_table(const Table& table) {
  std::size_t width = 4;
  for (const std::string& label : table.labels) width = std::max(width, label.size());
  const bool labelled = !table.labels.empty();
  const auto size_of = [](const Channel& column) {
    return std::max<std::size_t>(12, std::max(column.name.size(), column.unit.size()) + 1);
  };
  for (const bool units : {false, true}) {
    say("  {:<{}}", labelled && !units ? "name" : "", labelled ? width : 0);
    for (const Channel& column : table.columns)
      say(" {:>{}}", units ? column.unit : column.name, size_of(column));
    say("\n");
  }
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    say("  {:<{}}", labelled ? table.labels[r] : "", labelled ? width : 0);
    for (std::size_t k = 0; k < table.rows[r].size(); ++k)
      say(" {}", number_or_none(table.rows[r][k], size_of(table.columns[k]), 6));
    say("\n");
  }
}

}  // namespace

std::string number_or_none(double value, std::size_t width, int digits) {
  if (!std::isfinite(value)) return fmt::format("{:>{}}", "none", width);
  return fmt::format("{:>{}.{}g}", value, width, digits);
}

void print_answer(const Answer& answer) {
  say("{}\n", answer.title);
  std::size_t width = 20;
  for (const Quantity& quantity : answer.quantities) width = std::max(width, quantity.name.size());
  for (const Quantity& quantity : answer.quantities) {
    if (quantity.detail) continue;
    std::string line = fmt::format("  {:<{}} {} {}", quantity.name, width,
                                   number_or_none(quantity.value, 14, 7), quantity.unit);
    // 0: given, not computed
    if (std::isfinite(quantity.uncertainty) && quantity.uncertainty != 0.0)
      line += fmt::format(" +- {:.1e}", quantity.uncertainty);
    if (!quantity.about.empty()) line = fmt::format("{:<{}}  {}", line, width + 36, quantity.about);
    say("{}\n", line);
  }
  for (const Table& table : answer.tables)
    if (table.shown) print_table(table);
  for (const std::string& note : answer.notes) say("  note: {}\n", note);
}

void print_json(const Answer& answer) { say("{}", json_text(json_of(answer))); }

bool is_answer_file(const std::string& name) {
  if (name == kAnswerFile) return true;
  // `run` may have written its results beside
  const std::string ending = fs::path(name).extension().string();
  return !is_result_table(name) &&
         (ending == ".csv" || ending == ".svg" || ending == ".gltf" || ends_as_table(name));
}

void remove_earlier_answer(const OutputFolder& folder, const std::vector<std::string>& kept) {
  std::ifstream file(folder.path() / kAnswerFile);
  const Json earlier = Json::parse(file, nullptr, /*allow_exceptions=*/false);
  if (!earlier.is_object() || !earlier.contains("files") || !earlier["files"].is_array()) return;
  for (const Json& entry : earlier["files"]) {
    const std::string name = entry.is_string() ? entry.get<std::string>() : "";
    // a file of this folder, whatever somebody wrote into the answer
    if (!is_answer_file(name) || fs::path(name).filename() != name) continue;
    if (std::find(kept.begin(), kept.end(), name) != kept.end()) continue;
    std::error_code error;
    fs::remove(folder.path() / name, error);
  }
}

std::string write_answer(const OutputFolder& folder, const Answer& answer,
                         const std::vector<ResultFormat>& formats) {
  std::vector<std::string> written;
  for (const Table& table : answer.tables) {
    std::string trouble = write_table(folder, answer.title, table, formats, written);
    if (!trouble.empty()) return trouble;
  }
  for (const auto& [name, content] : answer.files) {
    std::string trouble = folder.write(name, content);
    if (!trouble.empty()) return trouble;
    written.push_back(name);
  }
  if (!answer.charts.empty()) {
    const std::string problem = draw_charts(answer.charts, answer.title, folder, "picture");
    if (!problem.empty()) complain("note: {}\n", problem);
    written.emplace_back("picture.svg");
  }
  if (folder.overwrite()) remove_earlier_answer(folder, written);
  Json out = json_of(answer);
  out["files"] = written;
  return folder.write(kAnswerFile, json_text(out));
}

}  // namespace semirec::cli
