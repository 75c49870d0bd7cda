#include "vehicles/road/crg_file.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <sstream>
#include <utility>

#include "topology/mechanism.hpp"
#include "vehicles/road/road_text.hpp"

namespace semirec {

namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 30;
constexpr std::size_t kMostHeights = 250'000'000;
constexpr std::size_t kLongestLine = 4096;
constexpr std::size_t kMostChannels = 10'000;
constexpr int kDeepestFiles = 8;
/// Records of text and of a padded binary file, bytes.
constexpr std::size_t kRecord = 80;
/// Beyond these a number is no height, no place, no angle of a road.
constexpr double kHighestZ = 1e5;
constexpr double kFlatland = 8.0;  ///< m, below which floats know heights to half a micrometre
constexpr double kFarthestPlace = 1e8;
constexpr double kSameValue = 1e-6;  // of it: what is written twice
constexpr double kSameStart = 1e-3;  // rad, m/m: a start and the channel that begins there
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

enum class Format { none, text_single, text_double, binary_single, binary_double };

enum class Column { other, section, u, x, y, phi, bank, slope };

struct CrgChannel {
  Column column = Column::other;
  double position = 0.0;  ///< of a section: v in m, or its number
};

/// What a file says before its data.
struct Header {
  std::map<std::string, double> road;  ///< keys of $ROAD_CRG
  std::set<std::string> keys;          ///< `block.key` of all that have been read
  /// Of them, what the definition of u says: text, line.
  std::map<std::string, std::pair<std::string, int>> defined;
  std::vector<CrgChannel> channels;
  Format format = Format::none;
  bool by_position = false, by_number = false;
  bool has_options = false, has_modifiers = false;
  CrgOptions options;
  CrgModifiers modifiers;
  std::string reference;
  int reference_line = 0, definition_line = 0;
  std::vector<std::string> notes;
};

struct Reader {
  std::string path;

  [[noreturn]] void fail(int line, std::string_view element, const std::string& message) const {
    throw ModelError({path, line}, shown(element), message);
  }
};

std::string_view without_crg_comment(std::string_view line) {
  return trimmed(line.substr(0, std::min(line.find('!'), line.size())));
}

double need_number(const Reader& reader, int line, std::string_view key, std::string_view text) {
  const std::optional<double> value = number_of(text);
  if (!value) reader.fail(line, key, "is '" + shown(text) + "', which is no number, expected one");
  if (std::abs(*value) > kFarthestPlace)
    reader.fail(line, key, "is " + shown(text) + ", expected at most 1e8");
  return *value;
}

double need_positive(const Reader& reader, int line, std::string_view key, double value) {
  if (!(value > 0.0)) reader.fail(line, key, "is not above zero, expected a positive number");
  return value;
}

int need_choice(const Reader& reader, int line, std::string_view key, double value, int last) {
  if (value != std::floor(value) || value < 0.0 || value > last)
    reader.fail(line, key, "is not one of 0 to " + std::to_string(last));
  return static_cast<int>(value);
}

/// Keys whose effect is on messages, or on a search that is not made.
bool is_idle_option(const std::string& key) {
  return key.rfind("warn_", 0) == 0 || key.rfind("log_", 0) == 0 || key.rfind("check_", 0) == 0 ||
         key.rfind("refline_search_", 0) == 0;
}

void take_option(const Reader& reader, int line, const std::string& key, double value,
                 Header& header) {
  CrgOptions& o = header.options;
  const auto border = [&] {
    const auto mode = static_cast<CrgBorder>(need_choice(reader, line, key, value, 4));
    if (mode == CrgBorder::none)
      header.notes.push_back(key + " = 0: there is a road outside of the grid, as with 2");
    return mode;
  };
  const auto length = [&] {
    if (value < 0.0) reader.fail(line, key, "is negative, expected a length");
    return value;
  };
  if (key == "border_mode_u")
    o.border_u = border();
  else if (key == "border_mode_v")
    o.border_v = border();
  else if (key == "border_offset_u")
    o.offset_u = value;
  else if (key == "border_offset_v")
    o.offset_v = value;
  else if (key == "border_smooth_ubeg")
    o.smooth_begin = length();
  else if (key == "border_smooth_uend")
    o.smooth_end = length();
  else if (key == "refline_continuation")
    o.closed = need_choice(reader, line, key, value, 1) == 1;
  else if (!is_idle_option(key))
    header.notes.push_back("option " + shown(key) + " is not used");
}

void take_modifier(const Reader& reader, int line, const std::string& key, double value,
                   Header& header) {
  CrgModifiers& m = header.modifiers;
  const std::map<std::string, double*> plain{{"scale_z_grid", &m.scale_z},
                                             {"scale_slope", &m.scale_slope},
                                             {"scale_banking", &m.scale_bank},
                                             {"scale_curvature", &m.scale_curvature},
                                             {"grid_nan_offset", &m.nan_offset},
                                             {"refpoint_u_offset", &m.point_u_offset},
                                             {"refpoint_v_offset", &m.point_v_offset}};
  const std::map<std::string, std::optional<double>*> optional{
      {"refline_offset_phi", &m.line_phi},  {"refline_offset_x", &m.line_x},
      {"refline_offset_y", &m.line_y},      {"refline_offset_z", &m.line_z},
      {"refline_rotcenter_x", &m.centre_x}, {"refline_rotcenter_y", &m.centre_y},
      {"refpoint_u", &m.point_u},           {"refpoint_u_fraction", &m.point_u_fraction},
      {"refpoint_v", &m.point_v},           {"refpoint_v_fraction", &m.point_v_fraction},
      {"refpoint_x", &m.point_x},           {"refpoint_y", &m.point_y},
      {"refpoint_z", &m.point_z},           {"refpoint_phi", &m.point_phi}};
  if (const auto p = plain.find(key); p != plain.end())
    *p->second = value;
  else if (const auto q = optional.find(key); q != optional.end())
    *q->second = value;
  else if (key == "scale_length")
    m.scale_length = need_positive(reader, line, key, value);
  else if (key == "scale_width")
    m.scale_width = need_positive(reader, line, key, value);
  else if (key == "grid_nan_mode")
    m.nan_mode = need_choice(reader, line, key, value, 2);
  else
    header.notes.push_back("modifier " + shown(key) + " is not used");
}

void take_road(const Reader& reader, int line, const std::string& key, double value,
               Header& header) {
  static const std::vector<std::string> known{
      "reference_line_start_u",   "reference_line_start_x", "reference_line_start_y",
      "reference_line_start_z",   "reference_line_start_s", "reference_line_start_b",
      "reference_line_start_phi", "reference_line_end_u",   "reference_line_end_x",
      "reference_line_end_y",     "reference_line_end_z",   "reference_line_end_s",
      "reference_line_end_b",     "reference_line_end_phi", "reference_line_increment",
      "long_section_v_right",     "long_section_v_left",    "long_section_v_increment"};
  if (key == "reference_line_increment" || key == "long_section_v_increment")
    need_positive(reader, line, key, value);
  if (std::find(known.begin(), known.end(), key) != known.end())
    header.road[key] = value;
  else if (key.rfind("reference_line_offset_", 0) != 0 || value != 0.0)
    header.notes.push_back(shown(key) + " is not used");
}

/// `D:long section at v = -1.5,m`
void take_channel(const Reader& reader, int line, std::string_view text, Header& header) {
  const std::size_t comma = text.find(',');
  const std::string name = lower_case(trimmed(text.substr(0, comma)));
  const std::string unit =
      comma == std::string_view::npos ? "" : lower_case(trimmed(text.substr(comma + 1)));
  const auto need_unit = [&](const std::string& expected) {
    if (unit != expected)
      reader.fail(line, name,
                  "is given in '" + shown(unit) + "', expected it in '" + expected + "'");
  };
  if (header.channels.size() >= kMostChannels)
    reader.fail(line, "D:", "is one channel too many, expected at most 10000");
  CrgChannel channel;
  const std::string section = "long section";
  const std::string line_of = "reference line ";
  if (name.rfind(section, 0) == 0) {
    need_unit("m");
    channel.column = Column::section;
    const std::size_t equals = name.find('=');
    const bool by_position = name.find(" at v") != std::string::npos;
    if (by_position && equals == std::string::npos)
      reader.fail(line, name, "has no position, expected long section at v = ...");
    const std::string where = by_position ? name.substr(equals + 1) : name.substr(section.size());
    channel.position = need_number(reader, line, name, where);
    (by_position ? header.by_position : header.by_number) = true;
  } else if (name.rfind(line_of, 0) == 0) {
    const std::string word(trimmed(std::string_view(name).substr(line_of.size())));
    static const std::map<std::string, std::pair<Column, std::string>> columns{
        {"u", {Column::u, "m"}},
        {"x", {Column::x, "m"}},
        {"y", {Column::y, "m"}},
        {"phi", {Column::phi, "rad"}},
        {"banking", {Column::bank, "m/m"}},
        {"slope", {Column::slope, "m/m"}}};
    const auto found = columns.find(word);
    if (found == columns.end())
      header.notes.push_back("channel " + shown(name) + " is not used");
    else {
      need_unit(found->second.second);
      channel.column = found->second.first;
      for (const CrgChannel& other : header.channels)
        if (other.column == channel.column)
          reader.fail(line, name, "stands a second time, expected one channel");
    }
  } else {
    header.notes.push_back("channel " + shown(name) + " is not used");
  }
  header.channels.push_back(channel);
}

void take_definition(const Reader& reader, int line, std::string_view text, Header& header) {
  const std::string start = lower_case(text.substr(0, 2));
  if (start == "#:") {
    const std::string format = lower_case(trimmed(text.substr(2)));
    static const std::map<std::string, Format> formats{{"lrfi", Format::text_single},
                                                       {"ldfi", Format::text_double},
                                                       {"krbi", Format::binary_single},
                                                       {"kdbi", Format::binary_double}};
    const auto found = formats.find(format);
    if (found == formats.end())
      reader.fail(line, "#:", "is '" + shown(format) + "', expected LRFI, LDFI, KRBI or KDBI");
    header.format = found->second;
  } else if (start == "d:") {
    take_channel(reader, line, trimmed(text.substr(2)), header);
  } else if (start == "u:") {
    // U:reference line u,UNIT,start,increment; the numbers may stand in $ROAD_CRG, too
    std::vector<std::string> fields;
    std::stringstream split(lower_case(trimmed(text.substr(2))));
    for (std::string field; std::getline(split, field, ',');) fields.emplace_back(trimmed(field));
    if (fields.size() > 1 && !fields[1].empty() && fields[1] != "m")
      reader.fail(line, "U:", "is given in '" + shown(fields[1]) + "', expected it in 'm'");
    for (const auto& [place, key] :
         {std::pair<std::size_t, const char*>{2, "reference_line_start_u"},
          {3, "reference_line_increment"}})
      if (fields.size() > place && !fields[place].empty())
        header.defined[key] = {fields[place], line};
  } else {
    reader.fail(line, text, "is no line of $KD_DEFINITION, expected #:, U: or D:");
  }
}

/// Start and increment that stand in the definition of u alone.
void take_missing(const Reader& reader, Header& header) {
  const bool placed = header.road.count("reference_line_increment") != 0 &&
                      header.road.count("reference_line_end_u") != 0;
  for (const auto& [key, text] : header.defined) {
    const double value = need_number(reader, text.second, "U:", text.first);
    if (const auto found = header.road.find(key); found != header.road.end()) {
      const bool is_no_increment = key == "reference_line_increment" && value <= 0.0;
      if (!is_no_increment &&
          std::abs(value - found->second) > kSameValue * std::abs(found->second))
        header.notes.push_back("what U: says of " + key + " is not used beside that of $ROAD_CRG");
      continue;
    }
    if (placed && key == "reference_line_start_u") continue;
    if (key == "reference_line_increment" && value <= 0.0)
      header.notes.emplace_back("U: has no increment above zero");
    else
      header.road[key] = value;
  }
}

/// Reads up to and with the line that opens the data; false if there is none.
bool read_header(const Reader& reader, Lines& lines, Header& header) {
  std::string block;
  std::string_view line;
  while (lines.next(line)) {
    const int at = lines.number();
    if (line.size() > kLongestLine)
      reader.fail(at, "crg", "is no OpenCRG file, a line is too long");
    if (line.rfind("$$$$", 0) == 0) return true;
    if (!line.empty() && line.front() == '$') {
      const std::string_view words = without_crg_comment(line.substr(1));
      block = lower_case(words.substr(0, words.find_first_of(" \t")));
      if (block == "road_crg_opts") header.has_options = true;
      if (block == "road_crg_mods") header.has_modifiers = true;
      if (block == "road_crg_file") header.reference_line = at;
      if (block == "kd_definition") header.definition_line = at;
      static const std::vector<std::string> known{
          "", "ct", "road_crg", "road_crg_opts", "road_crg_mods", "road_crg_file", "kd_definition"};
      if (std::find(known.begin(), known.end(), block) == known.end())
        header.notes.push_back("block $" + shown(block) + " is not used");
      continue;
    }
    if (block == "ct" || trimmed(line).empty() || line.front() == '*') continue;
    if (block == "road_crg_file") {
      header.reference += trimmed(line);
      if (header.reference.size() > kLongestLine)
        reader.fail(at, "ROAD_CRG_FILE", "has a name of more than 4096 characters");
      continue;
    }
    const std::string_view text = without_crg_comment(line);
    if (text.empty()) continue;
    if (block == "kd_definition") {
      take_definition(reader, at, text, header);
    } else if (block == "road_crg" || block == "road_crg_opts" || block == "road_crg_mods") {
      const std::size_t equals = text.find('=');
      if (equals == std::string_view::npos)
        reader.fail(at, text, "stands in $" + block + " without '=', expected KEY = value");
      const std::string key = lower_case(trimmed(text.substr(0, equals)));
      const double value = need_number(reader, at, key, trimmed(text.substr(equals + 1)));
      if (!header.keys.insert(block + "." + key).second)
        header.notes.push_back(shown(key) + " stands twice: the last one counts");
      if (block == "road_crg") take_road(reader, at, key, value, header);
      if (block == "road_crg_opts") take_option(reader, at, key, value, header);
      if (block == "road_crg_mods") take_modifier(reader, at, key, value, header);
    } else if (block.empty()) {
      reader.fail(at, text, "stands outside of all blocks, expected $... before it");
    }
  }
  return false;
}

double road_value(const Header& header, const char* key, double fallback) {
  const auto found = header.road.find(key);
  return found == header.road.end() ? fallback : found->second;
}

std::optional<double> road_value(const Header& header, const char* key) {
  const auto found = header.road.find(key);
  return found == header.road.end() ? std::optional<double>{} : found->second;
}

/// Puts the columns of the grid in order: `order[k]` is the channel of the k-th from the right.
std::vector<std::size_t> order_sections(const Reader& reader, const Header& header, CrgFile& file) {
  const int line = header.definition_line;
  if (header.by_position && header.by_number)
    reader.fail(line, "KD_DEFINITION",
                "has long sections by number and by position, expected one of both");
  std::vector<std::size_t> order;
  for (std::size_t k = 0; k < header.channels.size(); ++k)
    if (header.channels[k].column == Column::section) order.push_back(k);
  if (order.size() < 2)
    reader.fail(line, "KD_DEFINITION",
                "has " + std::to_string(order.size()) + " long sections, expected at least two");
  const auto position = [&](std::size_t k) { return header.channels[k].position; };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return position(a) < position(b); });
  if (header.by_position) {
    for (const std::size_t k : order) file.v.push_back(position(k));
  } else {
    const double spaces = static_cast<double>(order.size() - 1);
    const std::optional<double> right = road_value(header, "long_section_v_right");
    const std::optional<double> left = road_value(header, "long_section_v_left");
    std::optional<double> pitch = road_value(header, "long_section_v_increment");
    if (!pitch && right && left) pitch = (*left - *right) / spaces;
    if (!pitch || !(*pitch > 0.0))
      reader.fail(line, "long_section_v_increment",
                  "is missing, expected it, or long_section_v_right below long_section_v_left");
    const double first = right ? *right : left ? *left - spaces * *pitch : -0.5 * spaces * *pitch;
    for (std::size_t k = 0; k < order.size(); ++k) {
      if (position(order[k]) != static_cast<double>(k + 1))
        reader.fail(line, "KD_DEFINITION",
                    "has no long section " + std::to_string(k + 1) + ", expected 1 to " +
                        std::to_string(order.size()));
      file.v.push_back(first + *pitch * static_cast<double>(k));
    }
    if (left && std::abs(*left - file.v.back()) > 1e-3 * *pitch + 1e-6)
      file.notes.push_back("long_section_v_left does not fit the number of long sections");
  }
  for (std::size_t k = 1; k < file.v.size(); ++k)
    if (!(file.v[k] - file.v[k - 1] >= 1e-6))
      reader.fail(line, "KD_DEFINITION", "has two long sections at one place, expected them apart");
  return order;
}

/// Sorts the numbers of one row into the file.
class Rows {
 public:
  Rows(const Reader& reader, const Header& header, CrgFile& file, std::vector<std::size_t> order)
      : reader_(reader), header_(header), file_(file), order_(std::move(order)) {}

  /// `values`: one a channel. `line`: of the file, 0 in binary data.
  void take(const std::vector<double>& values, int line) {
    if ((file_.rows + 1) * order_.size() > kMostHeights)
      reader_.fail(line, "crg", "has more than 250 million heights");
    for (std::size_t k = 0; k < values.size(); ++k) {
      std::vector<double>* list = list_of(header_.channels[k].column);
      if (list == nullptr) continue;
      double value = values[k];
      const Column column = header_.channels[k].column;
      // before the first row there is no way with a heading or slope
      if (file_.rows == 0 && (column == Column::phi || column == Column::slope) &&
          std::isnan(value))
        value = 0.0;
      if (!(std::abs(value) <= kFarthestPlace))
        reader_.fail(line, "row " + std::to_string(file_.rows + 1),
                     "has no number for the reference line, expected one up to 1e8");
      list->push_back(value);
    }
    for (const std::size_t k : order_) {
      const double z = values[k];
      if (std::abs(z) > kHighestZ)
        reader_.fail(line, "row " + std::to_string(file_.rows + 1),
                     "has a height beyond 1e5 m, expected one of a road");
      if (!based_ && !std::isnan(z)) {
        based_ = true;
        if (std::abs(z) > kFlatland) file_.z_base = std::round(z);
      }
      file_.z.push_back(static_cast<float>(z - file_.z_base));
    }
    ++file_.rows;
  }
  const std::vector<double>& u() const { return u_; }

 private:
  std::vector<double>* list_of(Column column) {
    switch (column) {
      case Column::u:
        return &u_;
      case Column::x:
        return &file_.x;
      case Column::y:
        return &file_.y;
      case Column::phi:
        return &file_.phi;
      case Column::bank:
        return &file_.bank;
      case Column::slope:
        return &file_.slope;
      default:
        return nullptr;
    }
  }

  const Reader& reader_;
  const Header& header_;
  CrgFile& file_;
  std::vector<std::size_t> order_;
  std::vector<double> u_;
  bool based_ = false;
};

void read_text_rows(const Reader& reader, const Header& header, Lines& lines, Rows& rows) {
  const std::size_t width = header.format == Format::text_single ? 10 : 20;
  const std::size_t a_line = kRecord / width;
  const std::size_t channels = header.channels.size();
  std::vector<double> values;
  std::string_view line;
  int first_line = 0;
  while (lines.next(line)) {
    if (trimmed(line).empty()) continue;
    if (values.empty()) first_line = lines.number();
    const std::size_t fields = std::min(a_line, channels - values.size());
    for (std::size_t k = 0; k < fields; ++k) {
      const std::string_view field =
          k * width < line.size() ? trimmed(line.substr(k * width, width)) : std::string_view{};
      const std::optional<double> value = number_of(field);
      const bool missing = !field.empty() && (field.find('*') != std::string_view::npos ||
                                              lower_case(field) == "nan");
      if (!value && !missing)
        reader.fail(lines.number(), "column " + std::to_string(values.size() + 1),
                    "is '" + shown(field) + "', expected a number in characters " +
                        std::to_string(k * width + 1) + " to " + std::to_string((k + 1) * width));
      values.push_back(value ? *value : kNan);
    }
    if (!trimmed(line.substr(std::min(fields * width, line.size()))).empty())
      reader.fail(lines.number(), "crg",
                  "has more than " + std::to_string(fields) + " columns in a line of data");
    if (values.size() < channels) continue;
    rows.take(values, first_line);
    values.clear();
  }
  if (!values.empty())
    reader.fail(lines.number(), "crg",
                "ends within a row, expected " + std::to_string(channels) + " columns in each");
}

template <typename Word, typename Number>
double big_endian(std::string_view bytes) {
  Word word = 0;
  for (const char c : bytes) word = static_cast<Word>((word << 8) | static_cast<unsigned char>(c));
  const auto number = static_cast<double>(std::bit_cast<Number>(word));
  return std::isfinite(number) ? number : std::isnan(number) ? kNan : 2.0 * kFarthestPlace;
}

/// Whether bytes behind the last row pad the record: no number among them, and no part of one, or
/// one byte again and again.
bool is_padding(std::string_view bytes, bool single) {
  const std::size_t size = single ? 4 : 8;
  if (bytes.size() < kRecord && bytes.find_first_not_of(bytes.substr(0, 1)) == bytes.npos)
    return true;
  if (bytes.size() % size != 0) return false;
  for (std::size_t k = 0; k < bytes.size(); k += size) {
    const std::string_view word = bytes.substr(k, size);
    if (!std::isnan(single ? big_endian<std::uint32_t, float>(word)
                           : big_endian<std::uint64_t, double>(word)))
      return false;
  }
  return true;
}

void read_binary_rows(const Reader& reader, const Header& header, std::string_view data, Rows& rows,
                      std::vector<std::string>& notes) {
  const bool single = header.format == Format::binary_single;
  const std::size_t size = single ? 4 : 8;
  const std::size_t channels = header.channels.size();
  const std::size_t row_bytes = size * channels;
  std::size_t count = data.size() / row_bytes;
  const auto value = [&](std::size_t row, std::size_t k) {
    const std::string_view bytes = data.substr(row * row_bytes + k * size, size);
    return single ? big_endian<std::uint32_t, float>(bytes)
                  : big_endian<std::uint64_t, double>(bytes);
  };
  const std::optional<double> end = road_value(header, "reference_line_end_u");
  const std::optional<double> pitch = road_value(header, "reference_line_increment");
  if (end && pitch) {
    const double spaces =
        std::round((*end - road_value(header, "reference_line_start_u", 0.0)) / *pitch);
    if (!(spaces >= 1.0 && spaces < 1e9))
      reader.fail(0, "reference_line_end_u", "does not lie a step or more behind the start");
    const auto expected = static_cast<std::size_t>(spaces) + 1;
    if (count < expected)
      reader.fail(0, "crg",
                  "ends after row " + std::to_string(count) + ", expected " +
                      std::to_string(expected) + " rows of " + std::to_string(row_bytes) +
                      " bytes");
    if (const std::string_view rest = data.substr(expected * row_bytes);
        rest.size() >= kRecord + row_bytes ||
        (rest.size() >= row_bytes && !is_padding(rest, single)))
      notes.push_back("reference_line_end_u does not fit the number of rows: " +
                      std::to_string(expected) + " of " + std::to_string(count) + " are used");
    count = expected;
  } else {
    // what is shorter than a record may as well pad it
    const std::string_view rest = data.substr(count * row_bytes);
    if (rest.size() >= kRecord && !is_padding(rest, single))
      reader.fail(0, "crg",
                  "ends within row " + std::to_string(count + 1) + ", expected whole rows of " +
                      std::to_string(row_bytes) + " bytes");
    if (!is_padding(rest, single))
      notes.push_back("the last " + std::to_string(rest.size()) +
                      " of the data's bytes are no whole row of " + std::to_string(row_bytes) +
                      " and are not used: the file may be cut off");
    // what pads the last record is no row
    const auto empty = [&](std::size_t row) {
      for (std::size_t k = 0; k < channels; ++k)
        if (!std::isnan(value(row, k))) return false;
      return true;
    };
    const std::size_t least = count > kRecord / row_bytes ? count - kRecord / row_bytes : 0;
    while (count > least && empty(count - 1)) --count;
  }
  std::vector<double> values(channels);
  for (std::size_t row = 0; row < count; ++row) {
    for (std::size_t k = 0; k < channels; ++k) values[k] = value(row, k);
    rows.take(values, 0);
  }
}

/// Distance of the rows where it is not written.
void find_increment(const Reader& reader, const Header& header, const std::vector<double>& u,
                    CrgFile& file) {
  const double spaces = static_cast<double>(file.rows - 1);
  const std::optional<double> pitch = road_value(header, "reference_line_increment");
  const std::optional<double> end = road_value(header, "reference_line_end_u");
  if (!u.empty()) {
    file.u_begin = u.front();
    file.u_increment = (u.back() - u.front()) / spaces;
    for (std::size_t i = 1; i < u.size(); ++i)
      if (!(std::abs(u[i] - u[i - 1] - file.u_increment) <= 0.03 * file.u_increment))
        reader.fail(0, "reference line u",
                    "is not spaced evenly at row " + std::to_string(i + 1) + ", expected it so");
  } else if (pitch) {
    file.u_increment = *pitch;
  } else if (end) {
    file.u_increment = (*end - file.u_begin) / spaces;
  } else {
    file.notes.emplace_back("reference_line_increment is missing and taken as 0.01");
  }
  if (!(file.u_increment >= 1e-6))
    reader.fail(0, "reference_line_increment", "is below 1e-6 m, expected a step along the road");
  if (end && std::abs(*end - file.u_begin - spaces * file.u_increment) > 0.5 * file.u_increment)
    file.notes.emplace_back("reference_line_end_u does not fit the number of rows");
}

void check_modifiers(const Reader& reader, const CrgModifiers& m) {
  const bool by_line = m.line_phi || m.line_x || m.line_y || m.line_z;
  const bool by_point = m.point_u || m.point_u_fraction || m.point_v || m.point_v_fraction ||
                        m.point_x || m.point_y || m.point_z || m.point_phi;
  if (by_line && by_point)
    reader.fail(0, "ROAD_CRG_MODS",
                "moves the road by refline_offset and by refpoint, expected one of both");
  if ((m.point_u && m.point_u_fraction) || (m.point_v && m.point_v_fraction))
    reader.fail(0, "ROAD_CRG_MODS", "has a refpoint in m and as a fraction, expected one of both");
}

/// Starts that are given beside a channel which begins with another value.
void note_unused_starts(const Header& header, CrgFile& file) {
  const auto look = [&](const char* key, const std::vector<double>& channel, std::size_t first,
                        bool turns = false) {
    const std::optional<double> start = road_value(header, key);
    if (!start || channel.size() <= first) return;
    // a start is that of a place, a value that of a stretch behind it
    const double change =
        channel.size() > first + 1 ? std::abs(channel[first + 1] - channel[first]) : 0.0;
    const double off =
        turns ? std::remainder(*start - channel[first], 2.0 * M_PI) : *start - channel[first];
    if (std::abs(off) > kSameStart + 2.0 * change)
      file.notes.push_back(std::string(key) + " is not used beside its channel");
  };
  look("reference_line_start_phi", file.phi, 1, /*turns=*/true);
  look("reference_line_start_s", file.slope, 1);
  look("reference_line_start_b", file.bank, 0);
}

CrgFile read_data(const Reader& reader, const Header& header, Lines& lines) {
  CrgFile file;
  if (header.format == Format::none)
    reader.fail(header.definition_line, "KD_DEFINITION", "has no format, expected a line #:LRFI");
  const auto listed = [&](Column column) {
    return std::any_of(header.channels.begin(), header.channels.end(),
                       [column](const CrgChannel& channel) { return channel.column == column; });
  };
  if (listed(Column::x) != listed(Column::y))
    reader.fail(header.definition_line, "KD_DEFINITION",
                "has one of reference line x and y, expected both or none");
  file.u_begin = road_value(header, "reference_line_start_u", 0.0);
  file.start_x = road_value(header, "reference_line_start_x", 0.0);
  file.start_y = road_value(header, "reference_line_start_y", 0.0);
  file.start_z = road_value(header, "reference_line_start_z", 0.0);
  file.start_phi = road_value(header, "reference_line_start_phi", 0.0);
  file.start_slope = road_value(header, "reference_line_start_s", 0.0);
  file.start_bank = road_value(header, "reference_line_start_b", 0.0);
  file.end_x = road_value(header, "reference_line_end_x");
  file.end_y = road_value(header, "reference_line_end_y");
  file.end_z = road_value(header, "reference_line_end_z");

  Rows rows(reader, header, file, order_sections(reader, header, file));
  if (header.format == Format::text_single || header.format == Format::text_double)
    read_text_rows(reader, header, lines, rows);
  else
    read_binary_rows(reader, header, lines.rest(), rows, file.notes);
  if (file.rows < 2)
    reader.fail(lines.number(), "crg",
                "has " + std::to_string(file.rows) + " rows of data, expected at least two");
  find_increment(reader, header, rows.u(), file);
  if (!file.phi.empty() && !file.x.empty()) {
    file.notes.emplace_back("reference line x, y are not used beside phi");
    file.x.clear();
    file.y.clear();
  }
  note_unused_starts(header, file);
  return file;
}

CrgFile parse(const std::string& bytes, const std::string& path, const CrgOpen& open, int depth) {
  const Reader reader{path};
  Lines lines(bytes);
  Header header;
  const bool has_data = read_header(reader, lines, header);
  take_missing(reader, header);
  CrgFile file;
  if (!header.reference.empty()) {
    const int line = header.reference_line;
    if (has_data) reader.fail(line, "ROAD_CRG_FILE", "stands beside data, expected one of both");
    if (!open) reader.fail(line, "ROAD_CRG_FILE", "refers to another file, expected data");
    if (depth >= kDeepestFiles)
      reader.fail(line, "ROAD_CRG_FILE",
                  "refers on more than 8 files deep or in a circle, expected a file with data");
    if (header.reference.find('$') != std::string::npos)
      reader.fail(line, "ROAD_CRG_FILE",
                  "has a variable of the environment in its name, expected a plain name");
    const CrgBytes next = open(header.reference, path);
    file = parse(next.bytes, next.path, open, depth + 1);
    if (!header.road.empty())
      file.notes.emplace_back("$ROAD_CRG beside $ROAD_CRG_FILE is not used");
  } else if (!has_data) {
    reader.fail(lines.number(), "crg", "has no data, expected a line of $$$$ before them");
  } else {
    file = read_data(reader, header, lines);
  }
  file.notes.insert(file.notes.end(), header.notes.begin(), header.notes.end());
  if (header.has_options || header.reference.empty()) file.options = header.options;
  if (header.has_modifiers || header.reference.empty()) {
    check_modifiers(reader, header.modifiers);
    file.modifiers = header.modifiers;
  }
  file.name = path;
  return file;
}

CrgBytes open_beside(const std::string& name, const std::string& from) {
  const std::string path = (std::filesystem::path(from).parent_path() / name).string();
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error))
    throw ModelError({from, 0}, "ROAD_CRG_FILE",
                     "refers to '" + shown(name) + "', which is no file beside it");
  return {path, read_bytes(path, "crg", kMostBytes)};
}

}  // namespace

CrgFile parse_crg(const std::string& bytes, const std::string& path, const CrgOpen& open) {
  return parse(bytes, path, open, 0);
}

CrgFile read_crg(const std::string& path) {
  return parse_crg(read_bytes(path, "crg", kMostBytes), path, open_beside);
}

}  // namespace semirec
