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
  for (const bool units : {false, true}) {
    for (std::size_t k = 0; k < table.columns.size(); ++k)
      fmt::format_to(out, "{}{}", k == 0 ? "" : ",",
                     units ? table.columns[k].unit : table.columns[k].name);
    text.push_back('\n');
  }
  for (const std::vector<double>& row : table.rows) {
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

}  // namespace

void print_answer(const Answer& answer) {
  fmt::print("{}\n", answer.title);
  std::size_t width = 20;
  for (const Quantity& quantity : answer.quantities) width = std::max(width, quantity.name.size());
  for (const Quantity& quantity : answer.quantities) {
    std::string line =
        fmt::format("  {:<{}} {:>14.7g} {}", quantity.name, width, quantity.value, quantity.unit);
    if (std::isfinite(quantity.uncertainty))
      line += fmt::format(" +- {:.1e}", quantity.uncertainty);
    if (!quantity.about.empty()) line = fmt::format("{:<{}}  {}", line, width + 36, quantity.about);
    fmt::print("{}\n", line);
  }
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
