#include "apps/report/results_file.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "topology/mechanism.hpp"
#include "topology/tell_apart.hpp"

namespace semirec::report {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& file, std::size_t line, const std::string& message) {
  throw ModelError(fmt::format("{}:{}: {}", file, line, message));
}

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// The cells of a record of RFC 4180 that begins at `at`, which moves behind its end; `whole`:
/// whether the end is there.
std::vector<std::string> take_record(std::string_view text, std::size_t& at, bool& whole) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  whole = false;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (quoted) {
      if (c != '"') {
        cells.back() += c;
      } else if (at + 1 < text.size() && text[at + 1] == '"') {
        cells.back() += c;
        ++at;
      } else {
        quoted = false;
      }
    } else if (c == '"') {
      quoted = true;
    } else if (c == ',') {
      cells.emplace_back();
    } else if (c == '\n') {
      ++at;
      whole = true;
      break;
    } else if (c != '\r') {
      cells.back() += c;
    }
  }
  return cells;
}

/// Appends the numbers of a line to the columns; the first cell is the time.
void add_row(const std::string& file, std::size_t number, std::string_view line, Results& results) {
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  const std::size_t expected = results.channels.size() + 1;
  const auto cells = static_cast<std::size_t>(std::count(line.begin(), line.end(), ',')) + 1;
  if (cells != expected)
    refuse(file, number, fmt::format("has {} cells, expected {}", cells, expected));
  const char* at = line.data();
  const char* const end = at + line.size();
  for (std::size_t cell = 0; cell < expected; ++cell) {
    double value = 0.0;
    const auto [next, error] = std::from_chars(at, end, value);
    if (error != std::errc() || (next != end && *next != ','))
      refuse(file, number, fmt::format("cell {} is no number, expected one", cell + 1));
    if (cell == 0 && !results.times.empty() && !(value >= results.times.back()))
      refuse(file, number, "the time goes back, expected rows in its order");
    (cell == 0 ? results.times : results.columns[cell - 1]).push_back(value);
    at = next + 1;
  }
}

void read_summary(const fs::path& file, Results& results) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return;
  const nlohmann::json summary = nlohmann::json::parse(text_of(file), nullptr, false);
  if (!summary.is_object()) return;
  const auto word = [&](const char* name) {
    const auto found = summary.find(name);
    return found != summary.end() && found->is_string() ? found->get<std::string>() : std::string();
  };
  results.model = word("model");
  results.scenario = word("scenario");
  results.formulation = word("formulation");
  results.status = word("status");
}

}  // namespace

Results read_results(const std::string& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error))
    throw ModelError(
        fmt::format("'{}' is no folder, expected one that `run --out` has written", folder));
  const fs::path path = fs::path(folder) / "results.csv";
  const std::string file = path.string();
  if (!fs::is_regular_file(path, error))
    throw ModelError(fmt::format(
        "'{}' holds no results.csv, expected a folder that `run --out` has written as CSV",
        folder));
  const std::string text = text_of(path);
  Results results;
  results.folder = folder;
  std::size_t at = 0;
  bool whole = false;
  const std::vector<std::string> names = take_record(text, at, whole);
  if (names.front() != "time")
    refuse(file, 1, "the first column is not 'time', expected the results of a run");
  const std::vector<std::string> units = take_record(text, at, whole);
  if (!whole) refuse(file, 2, "ends before its first row, expected names, units and rows");
  if (units.size() != names.size())
    refuse(file, 2, fmt::format("has {} units for {} names", units.size(), names.size()));
  if (units.front() != "s") refuse(file, 2, "the time has no unit s, expected it");
  std::set<std::string> taken;
  // a name that comes twice, as the formats other than CSV have it
  for (std::size_t k = 1; k < names.size(); ++k)
    results.channels.push_back({tell_apart(names[k], taken), units[k]});
  results.columns.resize(results.channels.size());
  std::size_t number = 3;
  for (; at < text.size(); ++number) {
    const std::size_t end = text.find('\n', at);
    if (end == std::string::npos) break;
    add_row(file, number, std::string_view(text).substr(at, end - at), results);
    at = end + 1;
  }
  if (results.times.empty()) refuse(file, number, "there is no whole row, expected one or more");
  if (at < text.size())
    results.cut = fmt::format("{} is cut short in line {}: shown is what is there, up to {:.6g} s",
                              file, number, results.times.back());
  read_summary(fs::path(folder) / "summary.json", results);
  return results;
}

}  // namespace semirec::report
