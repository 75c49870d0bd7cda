#include "apps/report/report_json.hpp"

#include <cmath>
#include <set>

#include <Eigen/Geometry>
#include <nlohmann/json.hpp>

#include "apps/report/numbers.hpp"

namespace semirec::report {

namespace {

using Json = nlohmann::ordered_json;
using Eigen::Vector3d;

constexpr int kFormat = 1;

int page_body(BodyIndex body) { return body + 1; }

Json json_of(const Vector3d& v) { return {v.x(), v.y(), v.z()}; }

Json json_of(const std::vector<Vector3d>& points) {
  Json list = Json::array();
  for (const Vector3d& point : points) list.push_back(json_of(point));
  return list;
}

Json json_of(const Frame& frame) {
  const Eigen::Quaterniond q(frame.A);
  return {{"p", json_of(frame.p)}, {"q", {q.x(), q.y(), q.z(), q.w()}}};
}

Json json_of(const BodyPoint& end) {
  return {{"body", page_body(end.body)}, {"point", json_of(end.point)}};
}

/// What JSON has no number for is said in words.
Json value_of(double value) {
  if (std::isnan(value)) return "none";
  if (std::isinf(value)) return value > 0.0 ? "infinite" : "-infinite";
  return value;
}

Json value_of(const NumberOrWords& value) {
  if (const double* number = std::get_if<double>(&value)) return value_of(*number);
  return std::get<std::string>(value);
}

const char* word_of(LinkRole role) {
  switch (role) {
    case LinkRole::link:
      return "link";
    case LinkRole::bar:
      return "bar";
    case LinkRole::rack:
      return "rack";
    case LinkRole::shaft:
      return "shaft";
    case LinkRole::solid:
      return "solid";
  }
  return "";
}

const char* word_of(BetweenRole role) {
  switch (role) {
    case BetweenRole::spring:
      return "spring";
    case BetweenRole::damper:
      return "damper";
    case BetweenRole::rod:
      return "rod";
    case BetweenRole::bar:
      return "bar";
  }
  return "";
}

Json form_of(const LinkShape& shape) {
  return {{"type", "cylinder"},    {"body", page_body(shape.body)}, {"a", json_of(shape.a)},
          {"b", json_of(shape.b)}, {"radius", shape.radius},        {"role", word_of(shape.role)}};
}

Json form_of(const BetweenShape& shape) {
  return {{"type", "between"},
          {"role", word_of(shape.role)},
          {"a", json_of(shape.a)},
          {"b", json_of(shape.b)},
          {"radius", shape.radius}};
}

Json form_of(const HullShape& shape) {
  return {{"type", "hull"},
          {"body", page_body(shape.body)},
          {"points", json_of(shape.points)},
          {"role", shape.knuckle ? "knuckle" : "arm"}};
}

Json form_of(const WheelShape& shape) {
  return {{"type", "wheel"},
          {"body", page_body(shape.body)},
          {"centre", json_of(shape.centre)},
          {"axis", json_of(shape.axis)},
          {"radius", shape.radius},
          {"width", shape.width},
          {"rim_radius", shape.rim_radius}};
}

Json form_of(const OutlineShape& shape) {
  return {{"type", "outline"},
          {"body", page_body(shape.body)},
          {"lines", json_of(shape.lines)},
          {"role", "chassis"}};
}

Json form_of(const CentreShape& shape) {
  return {{"type", "com"}, {"body", page_body(shape.body)}, {"point", json_of(shape.point)}};
}

Json form_of(const JointShape& shape) {
  return {{"type", "joint"},
          {"kind", shape.kind},
          {"body", page_body(shape.body)},
          {"point", json_of(shape.point)},
          {"axis", json_of(shape.axis)},
          {"cut", shape.cut}};
}

Json form_of(const BushingShape& shape) {
  return {{"type", "bushing"},
          {"body", page_body(shape.body)},
          {"point", json_of(shape.point)},
          {"axis", json_of(shape.axis)}};
}

Json form_of(const BoxShape& shape) {
  return {{"type", "box"},
          {"body", page_body(shape.body)},
          {"frame", json_of(shape.frame)},
          {"size", json_of(shape.size)},
          {"role", shape.solid ? "solid" : "inertia"}};
}

Json form_of(const SphereShape& shape) {
  return {{"type", "sphere"},
          {"body", page_body(shape.body)},
          {"centre", json_of(shape.centre)},
          {"radius", shape.radius},
          {"role", shape.solid ? "solid" : "inertia"}};
}

Json form_of(const MeshShape& shape) {
  std::vector<double> positions;
  for (const Vector3d& corner : shape.mesh->corners)
    positions.insert(positions.end(), {corner.x(), corner.y(), corner.z()});
  return {{"type", "mesh"},
          {"body", page_body(shape.body)},
          {"frame", json_of(shape.frame)},
          {"positions", pack(positions, 3)},
          {"indices", pack_indices(shape.mesh->indices)}};
}

Json json_of(const Shape& shape) {
  Json json = std::visit([](const auto& own) { return form_of(own); }, shape.form);
  json["of"] = shape.of;
  json["line"] = shape.source.line;
  return json;
}

Json json_of(const ModelSection& model) {
  Json bodies = Json::array();
  // a page of curves alone has no model
  if (!model.bodies.empty())
    bodies.push_back({{"name", "ground"},
                      {"line", 0},
                      {"com", json_of(Vector3d(Vector3d::Zero()))},
                      {"mass", 0}});
  for (const Body& body : model.bodies)
    bodies.push_back({{"name", body.name},
                      {"line", body.source.line},
                      {"com", json_of(body.com)},
                      {"mass", body.mass}});
  Json shapes = Json::array();
  for (const Shape& shape : model.drawing.shapes) shapes.push_back(json_of(shape));
  Json elements = Json::array();
  for (const ListedElement& element : model.elements) {
    Json entry = {{"name", element.name},
                  {"kind", element.kind},
                  {"line", element.source.line},
                  {"file", element.source.file},
                  {"text", element.text}};
    if (element.body >= 0) entry["body"] = element.body;
    if (element.has_point) entry["point"] = json_of(element.point);
    elements.push_back(std::move(entry));
  }
  Json suspects = Json::array();
  for (const Suspect& suspect : model.suspects)
    suspects.push_back(
        {{"text", suspect.text}, {"body", suspect.body}, {"point", json_of(suspect.point)}});
  return {{"name", model.name}, {"file", model.file},   {"bodies", bodies},
          {"shapes", shapes},   {"elements", elements}, {"suspects", suspects}};
}

Json json_of(const RoadMesh& mesh) {
  std::vector<double> positions;
  for (const Vector3d& corner : mesh.corners)
    positions.insert(positions.end(), {corner.x(), corner.y(), corner.z()});
  Json out = {{"positions", pack(positions, 3)}, {"indices", pack_indices(mesh.indices)}};
  if (!mesh.friction.empty()) out["friction"] = pack(mesh.friction);
  return out;
}

Json json_of(const Motion& motion, std::size_t bodies) {
  Json run = {{"name", motion.name}};
  if (!motion.frame_times.empty())
    run["poses"] = {{"times", pack(motion.frame_times)},
                    {"bodies", pack(motion.poses, 7 * bodies)}};
  if (!motion.spins.empty()) run["spins"] = Json::array();
  for (const Spin& spin : motion.spins)
    run["spins"].push_back(
        {{"body", spin.body}, {"axis", json_of(spin.axis)}, {"angles", pack(spin.angles)}});
  Json arrows = Json::array();
  for (const Arrow& arrow : motion.arrows)
    arrows.push_back({{"name", arrow.name},
                      {"kind", arrow.kind},
                      {"at", pack(arrow.at, 3)},
                      {"force", pack(arrow.force, 3)}});
  run["arrows"] = std::move(arrows);
  run["times"] = pack(motion.times);
  Json channels = Json::array();
  for (const PlottedChannel& channel : motion.channels) {
    Json entry = {{"name", channel.name}, {"unit", channel.unit}, {"values", pack(channel.values)}};
    if (!channel.group.empty()) entry["group"] = channel.group;
    if (channel.headline) entry["headline"] = true;
    channels.push_back(std::move(entry));
  }
  run["channels"] = std::move(channels);
  Json marks = Json::array();
  for (const Mark& mark : motion.marks) {
    Json entry = {{"time", value_of(mark.time)}, {"label", mark.label}};
    if (!mark.channel.empty()) entry["channel"] = mark.channel;
    if (std::isfinite(mark.until)) entry["until"] = mark.until;
    if (std::isfinite(mark.level)) entry["level"] = mark.level;
    marks.push_back(std::move(entry));
  }
  run["marks"] = std::move(marks);
  if (!motion.axis.empty()) run["axis"] = {{"label", motion.axis}, {"unit", motion.axis_unit}};
  if (!motion.charts.empty()) run["charts"] = motion.charts;
  if (!motion.thinned.empty()) run["thinned"] = motion.thinned;
  return run;
}

/// Whether a label says nothing but the unit: `N m`, `m/s^2`.
bool is_unit(const std::string& label) {
  static const std::set<std::string> kUnits{"1",   "m",   "s",   "rad",     "N",     "N m",
                                            "Hz",  "m/s", "1/s", "rad/s",   "m/s^2", "rad/m",
                                            "N/m", "J",   "%",   "N m/rad", "kg",    "deg"};
  return kUnits.count(label) > 0;
}

/// `roll, rad` or `speed (m/s)` as label and unit.
Json axis_of(const std::string& label, bool log) {
  std::string name = label;
  std::string unit;
  const std::size_t comma = label.rfind(", ");
  const std::size_t bracket = label.rfind(" (");
  if (is_unit(label)) {
    name.clear();
    unit = label;
  } else if (comma != std::string::npos) {
    name = label.substr(0, comma);
    unit = label.substr(comma + 2);
  } else if (bracket != std::string::npos && label.back() == ')') {
    name = label.substr(0, bracket);
    unit = label.substr(bracket + 2, label.size() - bracket - 3);
  }
  return {{"label", name}, {"unit", unit}, {"log", log}};
}

/// Those that stand on a line of the chart, or on all of them.
Json marks_of(const Chart& chart, const std::vector<CurveMark>& readings) {
  Json marks = Json::array();
  if (chart.x_label != "time, s") return marks;
  for (const CurveMark& reading : readings) {
    bool is_here = reading.channel.empty();
    for (const Series& series : chart.series)
      is_here =
          is_here || reading.channel == (series.channel.empty() ? series.name : series.channel);
    if (!is_here) continue;
    Json entry = {{"x", value_of(reading.from)}, {"label", reading.label}};
    if (std::isfinite(reading.until)) entry["until"] = reading.until;
    if (std::isfinite(reading.level)) entry["level"] = reading.level;
    marks.push_back(std::move(entry));
  }
  return marks;
}

Json json_of(const Chart& chart, const std::vector<CurveMark>& readings) {
  Json series = Json::array();
  for (const Series& line : chart.series) {
    Json entry = {{"name", line.name}, {"x", pack(line.x)}, {"y", pack(line.y)}};
    if (line.points) entry["points"] = true;
    series.push_back(std::move(entry));
  }
  return {{"title", chart.title},
          {"x", axis_of(chart.x_label, chart.log_x)},
          {"y", axis_of(chart.y_label, chart.log_y)},
          {"series", series},
          {"marks", marks_of(chart, readings)}};
}

Json json_of(const SwingingShape& mode) {
  // the ground stays
  std::vector<double> numbers(12, 0.0);
  for (const auto& body : mode.shape)
    for (int k = 0; k < 6; ++k) {
      numbers.push_back(body[k].real());
      numbers.push_back(body[k].imag());
    }
  return {{"name", mode.name},
          {"frequency", value_of(mode.frequency)},
          {"damping", value_of(mode.damping)},
          {"shape", {{"f32", base64(float_bytes(numbers))}}}};
}

Json json_of(const Table& table) {
  Json columns = Json::array();
  const bool labelled = !table.labels.empty();
  if (labelled) columns.push_back({{"name", "name"}, {"unit", ""}});
  for (const Channel& column : table.columns)
    columns.push_back({{"name", column.name}, {"unit", column.unit}});
  Json rows = Json::array();
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    Json row = Json::array();
    if (labelled) row.push_back(table.labels[r]);
    for (const double value : table.rows[r]) row.push_back(value_of(value));
    rows.push_back(std::move(row));
  }
  return {{"title", table.name}, {"columns", columns}, {"rows", rows}};
}

Json json_of(const MixedTable& table) {
  Json columns = Json::array();
  for (const Channel& column : table.columns)
    columns.push_back({{"name", column.name}, {"unit", column.unit}});
  Json rows = Json::array();
  for (const auto& cells : table.rows) {
    Json row = Json::array();
    for (const NumberOrWords& cell : cells) row.push_back(value_of(cell));
    rows.push_back(std::move(row));
  }
  return {{"title", table.title}, {"columns", columns}, {"rows", rows}};
}

Json json_of(const StudyColumn& column) {
  Json out = {{"name", column.name}, {"unit", column.unit}, {"response", column.response}};
  if (column.log) out["log"] = true;
  if (!column.words.empty()) out["words"] = column.words;
  if (column.response) {
    out["values"] = {{"f32", base64(float_bytes(column.values))}};
  } else {
    // all digits, so that a command makes the same car
    out["settings"] = column.settings;
    out["values"] = column.values;
  }
  return out;
}

Json json_of(const StudySection& study) {
  Json columns = Json::array();
  for (const StudyColumn& column : study.columns) columns.push_back(json_of(column));
  Json failures = Json::array();
  for (const auto& [row, why] : study.failures) failures.push_back({{"row", row}, {"why", why}});
  Json cars = Json::array();
  for (const StudyCar& car : study.cars) {
    Json shapes = Json::array();
    for (const auto& [place, shape] : car.shapes)
      shapes.push_back({{"place", place}, {"shape", json_of(shape)}});
    cars.push_back({{"row", car.row},
                    {"poses", {{"f32", base64(float_bytes(car.poses))}}},
                    {"shapes", shapes}});
  }
  return {{"samples", study.samples},   {"columns", columns}, {"failures", failures},
          {"commands", study.commands}, {"cars", cars},       {"drawn", study.drawn}};
}

template <typename Part>
Json list_of(const std::vector<Part>& parts) {
  Json list = Json::array();
  for (const Part& part : parts) list.push_back(json_of(part));
  return list;
}

}  // namespace

Json json_of(const Report& report) {
  Json out = {{"format", kFormat},           {"kind", report.kind},
              {"title", report.title},       {"command", report.command},
              {"version", report.version},   {"fingerprint", report.fingerprint},
              {"warnings", report.warnings}, {"notes", report.notes}};
  if (const std::string words = describe_road(report.road); !words.empty())
    out["notes"].push_back(words);
  if (!report.subtitle.empty()) out["subtitle"] = report.subtitle;
  if (!report.status.empty()) out["status"] = report.status;
  Json answers = Json::array();
  for (const Answered& answer : report.answers) {
    Json entry = {{"name", answer.name}, {"value", value_of(answer.value)}, {"unit", answer.unit}};
    if (std::isfinite(answer.uncertainty)) entry["uncertainty"] = answer.uncertainty;
    if (!answer.note.empty()) entry["note"] = answer.note;
    answers.push_back(std::move(entry));
  }
  out["answers"] = std::move(answers);
  Json facts = Json::array();
  for (const Fact& fact : report.facts)
    facts.push_back({{"name", fact.name}, {"value", value_of(fact.value)}, {"unit", fact.unit}});
  out["facts"] = std::move(facts);
  out["model"] = json_of(report.model);
  out["road"] = {{"meshes", list_of(report.road)}, {"cones", json_of(report.cones)}};
  Json runs = Json::array();
  for (const Motion& motion : report.motions)
    runs.push_back(json_of(motion, report.model.bodies.size() + 1));
  out["runs"] = std::move(runs);
  Json charts = Json::array();
  for (const Chart& chart : report.charts) charts.push_back(json_of(chart, report.readings));
  out["charts"] = std::move(charts);
  out["modes"] = list_of(report.modes);
  out["tables"] = list_of(report.tables);
  for (const MixedTable& table : report.mixed_tables) out["tables"].push_back(json_of(table));
  if (!report.study.columns.empty()) out["study"] = json_of(report.study);
  return out;
}

std::string shape_text(const Shape& shape) {
  return json_of(shape).dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace semirec::report
