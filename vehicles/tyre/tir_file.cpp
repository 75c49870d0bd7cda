#include "vehicles/tyre/tir_file.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>

#include "topology/ascii.hpp"
#include "vehicles/tyre/tir_units.hpp"

namespace semirec {

namespace {

constexpr std::size_t kMaxBytes = std::size_t{4} << 20;
constexpr std::size_t kMaxLine = 4096;
constexpr std::size_t kMaxKeys = 20000;
constexpr std::size_t kMaxNotes = 100;

/// Sections of the format; a key of the same name in a vendor's section does not hide one of these.
constexpr std::array<std::string_view, 30> kSections{"MDI_HEADER",
                                                     "UNITS",
                                                     "MODEL",
                                                     "DIMENSION",
                                                     "SHAPE",
                                                     "OPERATING_CONDITIONS",
                                                     "TIRE_CONDITIONS",
                                                     "INERTIA",
                                                     "VERTICAL",
                                                     "STRUCTURAL",
                                                     "CONTACT_PATCH",
                                                     "INFLATION_PRESSURE_RANGE",
                                                     "VERTICAL_FORCE_RANGE",
                                                     "LONG_SLIP_RANGE",
                                                     "SLIP_ANGLE_RANGE",
                                                     "INCLINATION_ANGLE_RANGE",
                                                     "SCALING_COEFFICIENTS",
                                                     "LONGITUDINAL_COEFFICIENTS",
                                                     "OVERTURNING_COEFFICIENTS",
                                                     "LATERAL_COEFFICIENTS",
                                                     "ROLLING_COEFFICIENTS",
                                                     "ALIGNING_COEFFICIENTS",
                                                     "TURNSLIP_COEFFICIENTS",
                                                     "TURN_SLIP_COEFFICIENTS",
                                                     "DEFLECTION_LOAD_CURVE",
                                                     "BOTTOMING_CURVE",
                                                     "LOADED_RADIUS",
                                                     "PARAMETER",
                                                     "INFLATION_PRESSURE",
                                                     "TYRE_CONDITIONS"};

bool belongs(const std::string& section) {
  return std::find(kSections.begin(), kSections.end(), section) != kSections.end();
}

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\f' || c == '\v'; }

std::string trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return std::string(text);
}

std::string upper(std::string text) {
  for (char& c : text) c = ascii::to_upper(c);
  return text;
}

/// A quote that is not closed lasts to the end of the line.
std::string without_comment(std::string_view line) {
  char quote = '\0';
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote != '\0') {
      if (c == quote) quote = '\0';
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (c == '$' || c == '!') {
      return trimmed(line.substr(0, i));
    }
  }
  return trimmed(line);
}

bool is_name(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return ascii::is_letter_or_digit(c) || c == '_' || c == '-' || c == '.';
  });
}

/// Cuts the text into lines at CR, LF and CR LF.
class TirLines {
 public:
  explicit TirLines(std::string_view text) : rest_(text) {}
  bool next(std::string_view& line) {
    if (rest_.empty()) return false;
    const std::size_t end = std::min(rest_.find_first_of("\r\n"), rest_.size());
    line = rest_.substr(0, end);
    std::size_t skip = end < rest_.size() ? 1 : 0;
    if (skip == 1 && rest_[end] == '\r' && end + 1 < rest_.size() && rest_[end + 1] == '\n')
      skip = 2;
    rest_.remove_prefix(end + skip);
    ++number_;
    return true;
  }
  int number() const { return number_; }

 private:
  std::string_view rest_;
  int number_ = 0;
};

void note(TirFile& tir, const std::string& text) {
  if (tir.notes.size() < kMaxNotes)
    tir.notes.push_back(text);
  else if (tir.notes.size() == kMaxNotes)
    tir.notes.emplace_back("further notes are left out");
}

struct TirReading {
  TirFile& tir;
  std::string section;
  bool in_table = false;
  int line = 0;

  [[noreturn]] void fail(const std::string& element, const std::string& message) const {
    throw ModelError({tir.file, line}, shown(element), message);
  }
};

void begin_section(TirReading& r, const std::string& text) {
  const std::size_t end = text.find(']');
  if (end == std::string::npos) r.fail(text, "the bracket is not closed, expected [SECTION]");
  r.section = upper(trimmed(std::string_view(text).substr(1, end - 1)));
  if (!is_name(r.section)) r.fail(text, "is no name of a section, expected letters and digits");
  r.in_table = false;
}

void begin_table(TirReading& r, const std::string& text) {
  const std::size_t end = text.find('}');
  if (end == std::string::npos) r.fail(text, "the brace is not closed, expected {columns}");
  TirTable table;
  table.section = r.section;
  table.columns = trimmed(std::string_view(text).substr(1, end - 1));
  table.line = r.line;
  r.tir.tables.push_back(table);
  r.in_table = true;
}

void add_key(TirReading& r, const std::string& name, std::string_view rest) {
  TirKey key;
  key.section = r.section;
  key.name = upper(name);
  key.line = r.line;
  key.text = trimmed(rest);
  if (!key.text.empty() && (key.text.front() == '\'' || key.text.front() == '"')) {
    const std::size_t end = key.text.find(key.text.front(), 1);
    if (end == std::string::npos) r.fail(name, "the quote is not closed");
    key.text = trimmed(std::string_view(key.text).substr(1, end - 1));
  }
  key.is_number = parse_tir_number(key.text, key.value);
  if (r.tir.keys.size() >= kMaxKeys) r.fail(name, "the file has too many keys, expected 20000");
  r.tir.keys.push_back(key);
}

void take_line(TirReading& r, const std::string& text) {
  if (text.empty()) return;
  if (text.front() == '[') return begin_section(r, text);
  if (text.front() == '{') return begin_table(r, text);
  if (text.front() == '(') {
    r.in_table = false;
    return;
  }
  if (text.front() == '\'' || text.front() == '"') {
    if (r.in_table) r.tir.tables.back().rows.push_back({text, r.line});
    return;
  }
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos && r.in_table) {
    r.tir.tables.back().rows.push_back({text, r.line});
    return;
  }
  const std::string name = trimmed(std::string_view(text).substr(0, equals));
  if (!is_name(name)) {
    if (!belongs(r.section) && !r.section.empty()) return;  // a vendor's own form
    r.fail(name, "is no name of a key, expected KEY = value");
  }
  if (r.section.empty()) r.fail(name, "stands before the first [SECTION]");
  r.in_table = false;
  add_key(
      r, name,
      equals == std::string::npos ? std::string_view() : std::string_view(text).substr(equals + 1));
}

void check_characters(TirReading& r, std::string_view line) {
  if (line.size() > kMaxLine) r.fail("line", "is longer than 4096 characters");
  for (const char c : line)
    if (ascii::is_control(c) && !is_blank(c) && c != '\x1a')
      r.fail("line", "holds a control character, expected text");
}

void read_units(TirFile& tir) {
  bool found = false;
  for (const TirKey& key : tir.keys) {
    if (key.section != "UNITS") continue;
    found = true;
    if (key.text.empty()) continue;
    if (!set_unit(key.name, key.text, tir.units))
      throw ModelError({tir.file, key.line}, shown(key.name),
                       "is '" + shown(key.text) + "', which is no known unit, expected one of " +
                           known_units(key.name));
  }
  if (!found) note(tir, "[UNITS] is missing: numbers are taken as SI");
  for (const char* unit : {"LENGTH", "FORCE", "ANGLE"})
    if (found && std::none_of(tir.keys.begin(), tir.keys.end(), [&](const TirKey& key) {
          return key.section == "UNITS" && key.name == unit && !key.text.empty();
        }))
      note(tir, std::string("[UNITS] lacks ") + unit + ": taken as SI");
  for (TirKey& key : tir.keys)
    if (key.is_number) key.value *= factor_of(key.name, tir.units);
}

void build_index(TirFile& tir) {
  for (std::size_t i = 0; i < tir.keys.size(); ++i) {
    const TirKey& key = tir.keys[i];
    if (key.section == "UNITS" || key.section == "MDI_HEADER" || key.text.empty()) continue;
    const auto [place, is_new] = tir.index.emplace(key.name, i);
    if (is_new) continue;
    const TirKey& before = tir.keys[place->second];
    const bool keep = belongs(before.section) && !belongs(key.section);
    note(tir, shown(key.name) + " stands twice (lines " + std::to_string(before.line) + " and " +
                  std::to_string(key.line) + "): line " +
                  std::to_string(keep ? before.line : key.line) + " counts");
    if (!keep) place->second = i;
  }
}

}  // namespace

const TirKey* TirFile::find(const std::string& name) const {
  const auto found = index.find(name);
  return found == index.end() ? nullptr : &keys[found->second];
}

const TirTable* TirFile::find_table(const std::string& section) const {
  for (std::size_t i = tables.size(); i-- > 0;)
    if (tables[i].section == section) return &tables[i];
  return nullptr;
}

TirFile parse_tir(const std::string& text, const std::string& file) {
  TirFile tir;
  tir.file = file;
  if (text.size() > kMaxBytes)
    throw ModelError({file, 0}, "file", "is larger than 4 MB, expected a tyre property file");
  TirReading reading{tir, "", false, 0};
  std::string_view rest = text;
  if (rest.substr(0, 3) == "\xEF\xBB\xBF") rest.remove_prefix(3);
  TirLines lines(rest);
  std::string_view line;
  while (lines.next(line)) {
    reading.line = lines.number();
    check_characters(reading, line);
    take_line(reading, without_comment(line));
  }
  if (tir.keys.empty())
    throw ModelError({file, 0}, "file", "holds no key, expected [SECTION] and KEY = value");
  read_units(tir);
  build_index(tir);
  return tir;
}

std::string read_tir_text(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error))
    throw ModelError({path, 0}, "file", "cannot be read, expected a tyre property file");
  const auto size = std::filesystem::file_size(path, error);
  if (error || size > kMaxBytes)
    throw ModelError({path, 0}, "file", "is larger than 4 MB, expected a tyre property file");
  std::ifstream in(path, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  if (!in.is_open() || in.bad())
    throw ModelError({path, 0}, "file", "cannot be read, expected a tyre property file");
  return text;
}

std::vector<double> numbers_of(const TirFile& tir, const TirRow& row, std::size_t count) {
  std::vector<double> numbers;
  std::size_t at = 0;
  const std::string& text = row.text;
  while (at < text.size() && numbers.size() <= count) {
    while (at < text.size() && (is_blank(text[at]) || text[at] == ',')) ++at;
    std::size_t end = at;
    while (end < text.size() && !is_blank(text[end]) && text[end] != ',') ++end;
    if (end == at) break;
    double value = 0.0;
    if (!parse_tir_number(text.substr(at, end - at), value))
      throw ModelError({tir.file, row.line}, "row",
                       "is '" + shown(text) + "', expected " + std::to_string(count) + " numbers");
    numbers.push_back(value);
    at = end;
  }
  if (numbers.size() != count)
    throw ModelError({tir.file, row.line}, "row",
                     "is '" + shown(text) + "', expected " + std::to_string(count) + " numbers");
  return numbers;
}

bool parse_tir_number(const std::string& text, double& value) {
  if (text.empty() || text.size() > 64) return false;
  std::string digits = text;
  if (digits.front() == '+') digits.erase(0, 1);
  for (char& c : digits) {
    if (c == 'd' || c == 'D') c = 'e';
    const bool number =
        ascii::is_digit(c) || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E';
    if (!number) return false;
  }
  double parsed = 0.0;
  const char* end = digits.data() + digits.size();
  const auto result = std::from_chars(digits.data(), end, parsed);
  if (result.ec != std::errc() || result.ptr != end || !std::isfinite(parsed)) return false;
  value = parsed;
  return true;
}

std::string shown(const std::string& text) {
  std::string words = text.size() > 40 ? text.substr(0, 37) + "..." : text;
  for (char& c : words)
    if (c < ' ' || c > '~') c = '?';
  return words;
}

}  // namespace semirec
