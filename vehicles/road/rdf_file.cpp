#include "vehicles/road/rdf_file.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <set>
#include <stdexcept>
#include <unordered_map>

#include "topology/mechanism.hpp"
#include "vehicles/road/layered_surface.hpp"
#include "vehicles/road/mesh_surface.hpp"
#include "vehicles/road/obstacles.hpp"
#include "vehicles/road/polyline_surface.hpp"
#include "vehicles/road/road_text.hpp"

namespace semirec {

namespace {

constexpr std::size_t kLargestFile = std::size_t{512} << 20;
constexpr std::size_t kLongestRow = 4096;
constexpr std::size_t kMostKeys = 10'000;
constexpr std::size_t kMostPoints = 1'000'000;
constexpr std::size_t kMostNodes = 5'000'000;
constexpr std::size_t kMostFacets = 10'000'000;
/// Beyond this a number is no length of a road, m.
constexpr double kFarthest = 1e7;

struct RdfValue {
  std::string text;
  int line = 0;
  bool used = false;
};

/// The sections of a file: keys in lower case as `section.key`, tables line by line.
struct Sections {
  std::string path;
  std::map<std::string, RdfValue> keys;
  struct Row {
    int line;
    std::vector<double> numbers;
  };
  std::map<std::string, std::vector<Row>> tables;  ///< by `section`, or `section(block)`
  std::set<std::string> read;                      ///< tables that somebody asked for
  std::map<std::string, int> lines;                ///< of the sections' own lines

  [[noreturn]] void fail(int line, const std::string& element, const std::string& message) const {
    throw ModelError({path, line}, element, message);
  }
};

std::string_view without_rdf_comment(std::string_view line) {
  bool quoted = false;
  for (std::size_t k = 0; k < line.size(); ++k) {
    if (line[k] == '\'') quoted = !quoted;
    if (!quoted && (line[k] == '$' || line[k] == '!')) return trimmed(line.substr(0, k));
  }
  return trimmed(line);
}

std::string unquoted(std::string_view text) {
  if (text.size() >= 2 && text.front() == '\'' && text.back() == '\'')
    text = trimmed(text.substr(1, text.size() - 2));
  return std::string(text);
}

std::vector<double> read_row(const Sections& sections, int line, const std::string& where,
                             std::string_view text) {
  std::vector<double> numbers;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(" \t,"), text.size());
    const std::optional<double> value = number_of(text.substr(0, end));
    if (!value)
      sections.fail(line, where, "holds '" + shown(text.substr(0, end)) + "', expected a number");
    numbers.push_back(*value);
    if (numbers.size() > 16) sections.fail(line, where, "has more than 16 columns");
    text.remove_prefix(end);
    text.remove_prefix(std::min(text.find_first_not_of(" \t,"), text.size()));
  }
  return numbers;
}

Sections split(const std::string& text, const std::string& path) {
  Sections sections;
  sections.path = path;
  Lines lines(text);
  std::string_view line;
  std::string section;
  std::string table;
  while (lines.next(line)) {
    const int at = lines.number();
    if (line.size() > kLongestRow)
      sections.fail(at, "rdf", "is no road data file, a line is too long");
    const std::string_view words = without_rdf_comment(line);
    if (words.empty()) continue;
    if (words.front() == '[') {
      if (words.back() != ']' || words.size() < 3)
        sections.fail(at, shown(words), "is no section, expected [NAME]");
      section = table = lower_case(trimmed(words.substr(1, words.size() - 2)));
      if (!sections.lines.emplace(section, at).second)
        sections.fail(at, shown(section), "stands a second time, expected one section");
    } else if (section.empty()) {
      sections.fail(at, shown(words), "stands before all sections, expected [NAME]");
    } else if (words.front() == '(') {
      table = section + lower_case(words);
    } else if (words.front() == '{') {
      continue;  // headings of columns
    } else if (const std::size_t equals = words.find('='); equals != std::string_view::npos) {
      const std::string key = section + "." + lower_case(trimmed(words.substr(0, equals)));
      if (sections.keys.size() >= kMostKeys) sections.fail(at, "rdf", "has more than 10000 keys");
      if (!sections.keys
               .emplace(key, RdfValue{unquoted(trimmed(words.substr(equals + 1))), at, false})
               .second)
        sections.fail(at, shown(trimmed(words.substr(0, equals))),
                      "stands a second time in its section, expected one value");
    } else {
      auto& rows = sections.tables[table];
      if (rows.size() >= kMostFacets) sections.fail(at, shown(table), "has too many rows");
      rows.push_back({at, read_row(sections, at, shown(table), words)});
    }
  }
  return sections;
}

/// Asks for keys, and knows at the end which nobody asked for.
class Keys {
 public:
  explicit Keys(Sections& sections) : sections_(sections) {}

  const RdfValue* find(const std::string& key) {
    const auto found = sections_.keys.find(key);
    if (found == sections_.keys.end()) return nullptr;
    found->second.used = true;
    return &found->second;
  }
  double number(const std::string& key, double scale) {
    const RdfValue* value = find(key);
    if (value == nullptr) sections_.fail(line_of(key), words(key), "is missing, expected a number");
    return number(key, *value, scale);
  }
  double number(const std::string& key, double scale, double fallback) {
    const RdfValue* value = find(key);
    return value == nullptr ? fallback : number(key, *value, scale);
  }
  double positive(const std::string& key, double scale) {
    const double value = number(key, scale);
    if (!(value > 0.0))
      sections_.fail(find(key)->line, words(key), "is not above zero, expected a positive number");
    return value;
  }
  int line_of(const std::string& key) const {
    const auto found = sections_.lines.find(key.substr(0, key.find('.')));
    return found == sections_.lines.end() ? 0 : found->second;
  }
  std::vector<std::string> unused() const {
    std::vector<std::string> notes;
    for (const auto& [key, value] : sections_.keys) {
      const std::string section = key.substr(0, key.find('.'));
      // who reads the road, and how: nothing of its shape
      const bool plain = section == "mdi_header" || section == "header" || section == "units" ||
                         key == "model.method" || key == "model.function_name" ||
                         key == "model.version" || key == "model.user_sub_id";
      if (!value.used && !plain)
        notes.push_back("[" + shown(section) + "] " + words(key) + " is not used");
    }
    for (const auto& [table, rows] : sections_.tables)
      if (sections_.read.count(table) == 0 && !rows.empty())
        notes.push_back("[" + shown(table) + "] holds rows of numbers, which are not used");
    return notes;
  }

 private:
  static std::string words(const std::string& key) { return shown(key.substr(key.find('.') + 1)); }
  double number(const std::string& key, const RdfValue& value, double scale) const {
    const std::optional<double> read = number_of(value.text);
    if (!read)
      sections_.fail(value.line, words(key),
                     "is '" + shown(value.text) + "', which is no number, expected one");
    if (!(std::abs(*read * scale) <= kFarthest))
      sections_.fail(value.line, words(key), "is out of range, expected at most 1e7 m");
    return *read * scale;
  }

  Sections& sections_;
};

struct Units {
  double length = 1.0, angle = 1.0;
};

Units read_units(Sections& sections) {
  static const std::map<std::string, double> lengths{
      {"mm", 1e-3},         {"millimeter", 1e-3}, {"millimetre", 1e-3}, {"cm", 1e-2},
      {"centimeter", 1e-2}, {"m", 1.0},           {"meter", 1.0},       {"metre", 1.0},
      {"km", 1e3},          {"kilometer", 1e3},   {"in", 0.0254},       {"inch", 0.0254},
      {"ft", 0.3048},       {"foot", 0.3048}};
  static const std::map<std::string, double> angles{{"deg", std::numbers::pi / 180.0},
                                                    {"degree", std::numbers::pi / 180.0},
                                                    {"degrees", std::numbers::pi / 180.0},
                                                    {"rad", 1.0},
                                                    {"radian", 1.0},
                                                    {"radians", 1.0}};
  Keys keys(sections);
  const auto unit = [&](const std::string& key, const std::map<std::string, double>& known) {
    const RdfValue* value = keys.find(key);
    if (value == nullptr)
      sections.fail(
          keys.line_of(key), "UNITS",
          "has no " + key.substr(6) + ", expected one such as '" + known.begin()->first + "'");
    const auto found = known.find(lower_case(value->text));
    if (found == known.end())
      sections.fail(value->line, key.substr(6),
                    "is '" + shown(value->text) +
                        "', which is no known unit, expected one such as '" + known.begin()->first +
                        "'");
    return found->second;
  };
  Units units;
  units.length = unit("units.length", lengths);
  if (keys.find("units.angle") != nullptr)
    units.angle = unit("units.angle", angles);
  else
    units.angle = std::numbers::pi / 180.0;
  return units;
}

std::shared_ptr<const RoadSurface> read_polyline(Sections& sections, double scale) {
  const auto table = sections.tables.find("parameters(xz_data)");
  sections.read.insert("parameters(xz_data)");
  if (table == sections.tables.end())
    sections.fail(sections.lines.at("parameters"), "XZ_DATA",
                  "is missing, expected rows of x, z left, z right");
  std::vector<PolylineSurface::Point> points;
  for (const Sections::Row& row : table->second) {
    if (row.numbers.size() != 3 && row.numbers.size() != 2)
      sections.fail(
          row.line, "XZ_DATA",
          "has " + std::to_string(row.numbers.size()) + " columns, expected x, z left, z right");
    PolylineSurface::Point point{scale * row.numbers[0], scale * row.numbers[1],
                                 scale * row.numbers.back()};
    if (!(std::abs(point.x) <= kFarthest && std::abs(point.left) <= kFarthest &&
          std::abs(point.right) <= kFarthest))
      sections.fail(row.line, "XZ_DATA", "is out of range, expected at most 1e7 m");
    if (!points.empty() && point.x < points.back().x)
      sections.fail(row.line, "XZ_DATA", "descends, expected x no less than in the row before");
    if (points.size() >= kMostPoints)
      sections.fail(row.line, "XZ_DATA", "has more than a million rows");
    points.push_back(point);
  }
  if (points.size() < 2)
    sections.fail(sections.lines.at("parameters"), "XZ_DATA",
                  "has fewer than two rows, expected at least two");
  return std::make_shared<PolylineSurface>(std::move(points));
}

std::shared_ptr<const RoadSurface> read_plank(const Sections& sections, Keys& keys,
                                              const Units& units) {
  const double m = units.length;
  const double length = keys.positive("parameters.length", m);
  const double bevel = keys.number("parameters.bevel_edge_length", m, 0.0);
  const double turn = keys.number("parameters.direction", units.angle, 0.0);
  const RdfValue* rounded = keys.find("parameters.edge_rounded");
  if (bevel < 0.0 || (rounded != nullptr && number_of(rounded->text).value_or(0.0) != 0.0))
    sections.fail(rounded != nullptr ? rounded->line : keys.line_of("parameters."),
                  "BEVEL_EDGE_LENGTH", "asks for rounded edges, expected bevelled ones, 0 or more");
  if (std::abs(turn) > 1.4)
    sections.fail(keys.line_of("parameters."), "DIRECTION",
                  "turns the plank by more than 80 degrees, expected one across the road");
  // lengths are measured along the road
  const double cosine = std::cos(turn);
  const double start = keys.number("parameters.start", m);
  if (2.0 * bevel > length)
    sections.fail(keys.line_of("parameters."), "BEVEL_EDGE_LENGTH",
                  "is longer than half of LENGTH, expected two edges within the plank");
  auto plank = std::make_shared<Plank>(0.0, length * cosine, keys.number("parameters.height", m),
                                       bevel * cosine);
  return std::make_shared<PlacedSurface>(std::move(plank), start, 0.0, 0.0, turn);
}

std::shared_ptr<const RoadSurface> read_plane_road(Sections& sections, Keys& keys,
                                                   const Units& units,
                                                   std::vector<std::string>& notes) {
  const RdfValue* kind = keys.find("model.road_type");
  if (kind == nullptr)
    sections.fail(keys.line_of("model."), "MODEL", "has no ROAD_TYPE, expected one such as 'flat'");
  if (sections.lines.count("parameters") == 0)
    sections.lines["parameters"] = keys.line_of("model.");
  std::string type = lower_case(kind->text);
  std::erase_if(type, [](char c) { return c == '_' || c == '-' || c == ' '; });
  const double m = units.length;
  const auto start = [&] { return keys.number("parameters.start", m); };
  if (type == "flat") return std::make_shared<InclinedPlane>(0.0, 0.0, 0.0);
  if (type == "plank" || type == "cleat") return read_plank(sections, keys, units);
  if (type == "pothole") {
    const double depth = keys.number("parameters.depth", m);
    if (depth > 0.0) notes.emplace_back("DEPTH above zero is taken as a hole");
    return std::make_shared<Plank>(start(), keys.positive("parameters.length", m), -depth, 0.0);
  }
  if (type == "ramp") {
    const double height = keys.number("parameters.height", m);
    const double slope = std::abs(keys.number("parameters.slope", 1.0));
    if (!(slope > 1e-6 && slope <= 20.0))
      sections.fail(keys.find("parameters.slope")->line, "SLOPE",
                    "is out of range, expected rise over run, 1 for 45 degrees");
    const double from = start();
    return std::make_shared<Ramp>(from, from + std::abs(height) / slope,
                                  height < 0.0 ? -slope : slope);
  }
  if (type == "roof")
    return std::make_shared<Roof>(start(), keys.positive("parameters.length", m),
                                  keys.number("parameters.height", m));
  if (type == "sine") {
    const double from = start();
    const double length =
        keys.find("parameters.length") != nullptr ? keys.positive("parameters.length", m) : 1e300;
    return std::make_shared<SineRoad>(keys.number("parameters.amplitude", m),
                                      keys.positive("parameters.wave_length", m), from,
                                      from + length);
  }
  if (type == "polyline") return read_polyline(sections, m);
  sections.fail(kind->line, "ROAD_TYPE",
                "is '" + shown(kind->text) +
                    "', which is not read, expected flat, plank, pothole, ramp, roof, sine or "
                    "poly_line");
}

/// The number of rows that a table announces, checked against what it holds.
const std::vector<Sections::Row>& counted(Sections& sections, Keys& keys,
                                          const std::string& section, const std::string& key,
                                          std::size_t most) {
  if (sections.lines.count(section) == 0)
    sections.fail(0, section, "is missing, expected it in a road of METHOD 3D");
  const auto& rows = sections.tables[section];
  sections.read.insert(section);
  const int line = sections.lines.at(section);
  const RdfValue* count = keys.find(section + "." + key);
  if (count != nullptr) {
    const std::optional<double> number = number_of(count->text);
    if (!number || *number != static_cast<double>(rows.size()))
      sections.fail(
          count->line, section,
          "announces '" + shown(count->text) + "' rows and holds " + std::to_string(rows.size()));
  }
  if (rows.empty() || rows.size() > most)
    sections.fail(
        line, section,
        "has " + std::to_string(rows.size()) + " rows, expected 1 to " + std::to_string(most));
  return rows;
}

std::shared_ptr<const RoadSurface> read_mesh(Sections& sections, Keys& keys, const Units& units,
                                             std::vector<std::string>& notes) {
  if (sections.lines.count("refsys") != 0)
    sections.fail(sections.lines.at("refsys"), "REFSYS",
                  "is not read, expected nodes in the road's own axes, or [OFFSET]");
  const double m = units.length;
  const Eigen::Vector3d offset(keys.number("offset.x", m, 0.0), keys.number("offset.y", m, 0.0),
                               keys.number("offset.z", m, 0.0));
  const double friction = keys.number("parameters.mu", 1.0, 1.0);
  if (friction < 0.0)
    sections.fail(keys.find("parameters.mu")->line, "MU", "is negative, expected 0 or more");
  const double scale_x = keys.number("parameters.x_scale", 1.0, 1.0);
  const double scale_y = keys.number("parameters.y_scale", 1.0, 1.0);
  const double scale_z = keys.number("parameters.z_scale", 1.0, 1.0);
  const auto id_of = [&](const Sections::Row& row, std::size_t k, const char* table) {
    const double id = row.numbers[k];
    if (id != std::floor(id) || std::abs(id) > 1e15)
      sections.fail(row.line, table,
                    "has the node number " + std::to_string(id) + ", expected a whole one");
    return static_cast<std::int64_t>(id);
  };
  std::vector<Eigen::Vector3d> corners;
  std::unordered_map<std::int64_t, std::uint32_t> index;
  for (const Sections::Row& row : counted(sections, keys, "nodes", "number_of_nodes", kMostNodes)) {
    if (row.numbers.size() != 4)
      sections.fail(
          row.line, "NODES",
          "has " + std::to_string(row.numbers.size()) + " columns, expected number, x, y, z");
    const Eigen::Vector3d corner =
        offset + m * Eigen::Vector3d(scale_x * row.numbers[1], scale_y * row.numbers[2],
                                     scale_z * row.numbers[3]);
    if (!(corner.cwiseAbs().maxCoeff() <= kFarthest))
      sections.fail(row.line, "NODES", "lies out of range, expected a place within 1e7 m");
    if (!index.emplace(id_of(row, 0, "NODES"), static_cast<std::uint32_t>(corners.size())).second)
      sections.fail(row.line, "NODES", "has a node number a second time");
    corners.push_back(corner);
  }
  std::vector<MeshSurface::Triangle> triangles;
  for (const Sections::Row& row :
       counted(sections, keys, "elements", "number_of_elements", kMostFacets)) {
    if (row.numbers.size() != 3 && row.numbers.size() != 4)
      sections.fail(row.line, "ELEMENTS",
                    "has " + std::to_string(row.numbers.size()) +
                        " columns, expected three nodes and a friction");
    MeshSurface::Triangle triangle{};
    for (std::size_t k = 0; k < 3; ++k) {
      const auto found = index.find(id_of(row, k, "ELEMENTS"));
      if (found == index.end())
        sections.fail(row.line, "ELEMENTS",
                      "refers to node " + std::to_string(id_of(row, k, "ELEMENTS")) +
                          ", which does not exist");
      triangle.corners[k] = found->second;
    }
    const double own = row.numbers.size() == 4 ? row.numbers[3] : 1.0;
    if (!(own >= 0.0 && own <= 1e3))
      sections.fail(row.line, "ELEMENTS", "has a friction out of range, expected 0 or more");
    triangle.friction = friction * own;
    triangles.push_back(triangle);
  }
  try {
    auto mesh = std::make_shared<MeshSurface>(corners, triangles);
    if (mesh->left_out() > 0)
      notes.push_back(std::to_string(mesh->left_out()) + " upright triangles are left out");
    return mesh;
  } catch (const std::invalid_argument& error) {
    sections.fail(sections.lines.at("elements"), "ELEMENTS", error.what());
  }
}

}  // namespace

RdfRoad parse_rdf(const std::string& text, const std::string& path) {
  Sections sections = split(text, path);
  Keys keys(sections);
  if (sections.lines.count("model") == 0)
    sections.fail(0, "rdf", "has no section [MODEL], expected a road data file");
  const RdfValue* method = keys.find("model.method");
  const std::string kind = method != nullptr ? lower_case(method->text) : "2d";
  const bool mesh = kind == "3d" || kind == "rd-3d";
  if (method != nullptr && !mesh && kind != "2d")
    sections.fail(method->line, "METHOD",
                  "is '" + shown(method->text) + "', which is not read, expected '2D' or '3D'");
  const Units units = read_units(sections);

  RdfRoad road;
  if (mesh) {
    road.surface = read_mesh(sections, keys, units, road.notes);
  } else {
    std::shared_ptr<const RoadSurface> plain = read_plane_road(sections, keys, units, road.notes);
    const double friction = keys.number("parameters.mu", 1.0, 1.0);
    if (friction < 0.0)
      sections.fail(keys.find("parameters.mu")->line, "MU", "is negative, expected 0 or more");
    if (friction != 1.0)
      plain = std::make_shared<LayeredSurface>(
          std::vector<std::shared_ptr<const RoadSurface>>{std::move(plain)},
          std::vector<FrictionPatch>{{friction}});
    const double offset = keys.number("parameters.offset", units.length, 0.0);
    const double turn = keys.number("parameters.rotation_angle_xy_plane", units.angle, 0.0);
    if (offset != 0.0 || turn != 0.0)
      plain = std::make_shared<PlacedSurface>(std::move(plain), 0.0, 0.0, offset, turn);
    road.surface = std::move(plain);
  }
  for (const std::string& note : keys.unused()) road.notes.push_back(note);
  for (std::string& note : road.notes) note.insert(0, path + ": ");
  return road;
}

RdfRoad read_rdf(const std::string& path) {
  return parse_rdf(read_bytes(path, "rdf", kLargestFile), path);
}

}  // namespace semirec
