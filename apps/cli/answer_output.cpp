#include "apps/cli/answer_output.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>

#include <fmt/core.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/cli/chart.hpp"
#include "apps/cli/results.hpp"

namespace semirec::cli {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

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
                     units ? table.columns[k].unit : table.columns[k].name);
    text.push_back('\n');
  }
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const std::vector<double>& row = table.rows[r];
    if (labelled) fmt::format_to(out, "{},", table.labels[r]);
    for (std::size_t k = 0; k < row.size(); ++k)
      fmt::format_to(out, "{}{:.12g}", k == 0 ? "" : ",", row[k]);
    text.push_back('\n');
  }
  return fmt::to_string(text);
}

bool write_file(const fs::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  return static_cast<bool>(file);
}

void print_table(const Table& table) {
  std::size_t width = 4;
  for (const std::string& label : table.labels) width = std::max(width, label.size());
  const bool labelled = !table.labels.empty();
  const auto size_of = [](const Channel& column) {
    return std::max<std::size_t>(12, std::max(column.name.size(), column.unit.size()) + 1);
  };
  for (const bool units : {false, true}) {
    fmt::print("  {:<{}}", labelled && !units ? "name" : "", labelled ? width : 0);
    for (const Channel& column : table.columns)
      fmt::print(" {:>{}}", units ? column.unit : column.name, size_of(column));
    fmt::print("\n");
  }
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    fmt::print("  {:<{}}", labelled ? table.labels[r] : "", labelled ? width : 0);
    for (std::size_t k = 0; k < table.rows[r].size(); ++k)
      fmt::print(" {:>{}.6g}", table.rows[r][k], size_of(table.columns[k]));
    fmt::print("\n");
  }
}

}  // namespace

void print_answer(const Answer& answer) {
  fmt::print("{}\n", answer.title);
  std::size_t width = 20;
  for (const Quantity& quantity : answer.quantities) width = std::max(width, quantity.name.size());
  for (const Quantity& quantity : answer.quantities) {
    if (quantity.detail) continue;
    std::string line =
        fmt::format("  {:<{}} {:>14.7g} {}", quantity.name, width, quantity.value, quantity.unit);
    // 0: given, not computed
    if (std::isfinite(quantity.uncertainty) && quantity.uncertainty != 0.0)
      line += fmt::format(" +- {:.1e}", quantity.uncertainty);
    if (!quantity.about.empty()) line = fmt::format("{:<{}}  {}", line, width + 36, quantity.about);
    fmt::print("{}\n", line);
  }
  for (const Table& table : answer.tables)
    if (table.shown) print_table(table);
  for (const std::string& note : answer.notes) fmt::print("  note: {}\n", note);
}

void print_json(const Answer& answer) { fmt::print("{}\n", json_of(answer).dump(2)); }

AnswerFolder::AnswerFolder(const fs::path& folder, bool overwrite) : folder_(folder) {
  prepare_folder(folder, {"answer.json"}, overwrite);
}

std::string AnswerFolder::write(const Answer& answer) {
  const auto trouble = [&](const std::string& name) {
    return "output folder '" + folder_.string() + "': " + name +
           " cannot be written, expected room on the disk";
  };
  for (const Table& table : answer.tables)
    if (!write_file(folder_ / (table.name + ".csv"), table_text(table)))
      return trouble(table.name + ".csv");
  for (const auto& [name, content] : answer.files)
    if (!write_file(folder_ / name, content)) return trouble(name);
  if (!answer.charts.empty()) {
    const std::string problem = draw_charts(answer.charts, answer.title, folder_ / "picture.svg");
    if (!problem.empty()) fmt::print(stderr, "note: {}\n", problem);
  }
  if (!write_file(folder_ / "answer.json", json_of(answer).dump(2) + "\n"))
    return trouble("answer.json");
  return {};
}

}  // namespace semirec::cli
