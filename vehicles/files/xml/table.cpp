#include "vehicles/files/xml/table.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <sstream>

namespace semirec {

namespace {

std::string number_words(double value) {
  std::ostringstream out;
  if (value == std::floor(value) && std::abs(value) >= 1e6 && std::abs(value) < 1e18)
    out << static_cast<std::int64_t>(value);
  else
    out << value;
  return out.str();
}

/// What is expected, with or without the upper end.
std::string expected_words(const Range& range, bool high) {
  const bool low = std::isfinite(range.least);
  const std::string a = range.whole ? "a whole number" : "a number";
  if (low && high)
    return a + (range.above_least ? " above " : " from ") + number_words(range.least) +
           (range.above_least ? " up to " : " to ") + number_words(range.most);
  if (low && range.least == 0.0) return a + (range.above_least ? " above zero" : " not below zero");
  if (low) return a + (range.above_least ? " above " : " of at least ") + number_words(range.least);
  if (high) return a + " up to " + number_words(range.most);
  return a + (range.not_zero ? " other than zero" : "");
}

bool holds_word(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// The child of that kind or, with `formerly`, the one that was called so.
const Content* find_child(const Content& content, const std::string& kind, bool formerly) {
  if (content.form == Content::Form::child) {
    const bool found =
        formerly ? holds_word(find_row(content.row)->formerly, kind) : content.kind == kind;
    return found ? &content : nullptr;
  }
  for (const Content& part : content.parts)
    if (const Content* found = find_child(part, kind, formerly)) return found;
  return nullptr;
}

const Content* find_child(const Content& content, const std::string& kind) {
  const Content* found = find_child(content, kind, false);
  return found != nullptr ? found : find_child(content, kind, true);
}

/// In the order of writing, each once.
void collect_kinds(const Content& content, std::vector<std::string>& kinds) {
  const bool child = content.form == Content::Form::child;
  if (child && !holds_word(kinds, content.kind)) kinds.push_back(content.kind);
  for (const Content& part : content.parts) collect_kinds(part, kinds);
}

/// The elements of a vehicle are known when all of its parts are.
std::vector<ElementRow> join_rows() {
  std::vector<ElementRow> rows;
  const auto add = [&](const char* section, std::vector<ElementRow> more) {
    for (ElementRow& row : more) {
      row.section = section;
      rows.push_back(std::move(row));
    }
  };
  add("Files, parameters and templates", frame_rows());
  add("Bodies, joints and constraints", mechanism_rows());
  add("Forces", force_rows());
  add("Wheels and tyres", wheel_rows());
  add("Driveline, brakes, air and sensors", drive_rows());
  add("Equations", equation_rows());
  add("Shapes", shape_rows());
  add("Functions of time", function_rows());
  add("Scenarios", scenario_rows());
  add("Roads", road_rows());
  add("Manoeuvres", manoeuvre_rows());
  add("Studies", study_rows());
  std::vector<Content> elements;
  for (const ElementRow& row : rows)
    if (row.in_vehicle) elements.push_back(child(row.name));
  const Content shared = one_of(elements).shared_as("element");
  for (ElementRow& row : rows) {
    if (row.name == "vehicle" || row.name == "mechanism")
      row.content = one_of({shared, child("include"), child("template")}).times(0, kMany);
    if (row.name == "template") row.content = one_of({shared, child("argument")}).times(0, kMany);
  }
  return rows;
}

}  // namespace

AttributeRow AttributeRow::needed() && {
  required = true;
  return std::move(*this);
}

AttributeRow AttributeRow::above(double least) && {
  range.least = least;
  range.above_least = true;
  return std::move(*this);
}

AttributeRow AttributeRow::at_least(double least, const std::string& refusal) && {
  range.least = least;
  range.too_low = refusal;
  return std::move(*this);
}

AttributeRow AttributeRow::at_most(double most, const std::string& refusal) && {
  range.most = most;
  range.too_high = refusal;
  return std::move(*this);
}

AttributeRow AttributeRow::whole(const std::string& refusal) && {
  range.whole = true;
  range.not_whole = refusal;
  return std::move(*this);
}

AttributeRow AttributeRow::not_zero(const std::string& refusal) && {
  range.not_zero = true;
  range.zero = refusal;
  return std::move(*this);
}

AttributeRow AttributeRow::otherwise(const std::string& value) && {
  fallback = value;
  return std::move(*this);
}

AttributeRow AttributeRow::otherwise_as(const std::string& words) && {
  fallback_words = words;
  return std::move(*this);
}

AttributeRow AttributeRow::hinting(const std::string& words) && {
  hint = words;
  return std::move(*this);
}

AttributeRow AttributeRow::was(const std::string& old_name) && {
  formerly.push_back(old_name);
  return std::move(*this);
}

AttributeRow AttributeRow::needing_rates() && {
  needs_rates = true;
  return std::move(*this);
}

bool AttributeRow::holds_numbers() const {
  switch (kind) {
    case Kind::number:
    case Kind::over_time:
    case Kind::point:
    case Kind::direction:
    case Kind::vector:
    case Kind::numbers:
    case Kind::six_numbers:
    case Kind::value:
      return true;
    default:
      return false;
  }
}

std::string AttributeRow::expected() const {
  return expected_words(range, std::isfinite(range.most));
}

std::string AttributeRow::refusal(double value) const {
  const auto refuse = [&](const std::string& words, const std::string& which = "") {
    if (!words.empty()) return words;
    // an upper end with words of its own is not said here
    const bool high = std::isfinite(range.most) && range.too_high.empty();
    return "is " + number_words(value) + which + ", expected " + expected_words(range, high) +
           (hint.empty() ? "" : " (" + hint + ")");
  };
  if (value < range.least || (range.above_least && value == range.least))
    return refuse(range.too_low);
  if (range.not_zero && value == 0.0) return refuse(range.zero);
  if (range.whole && value != std::floor(value)) return refuse(range.not_whole);
  if (value > range.most)
    return refuse(range.too_high, ", which is above " + number_words(range.most));
  return {};
}

Attributes operator+(Attributes a, const Attributes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

AttributeRow entry(const char* name, Kind kind, const char* about, const char* unit) {
  AttributeRow row;
  row.name = name;
  row.kind = kind;
  row.unit = unit;
  row.about = about;
  return row;
}

AttributeRow number(const char* name, const char* unit, const char* about) {
  return entry(name, Kind::number, about, unit);
}

AttributeRow flag(const char* name, const char* about) {
  AttributeRow row = entry(name, Kind::flag, about);
  row.choices = {"no", "yes"};
  return row;
}

AttributeRow choice(const char* name, const std::vector<std::string>& words, const char* about) {
  AttributeRow row = entry(name, Kind::choice, about);
  row.choices = words;
  return row;
}

AttributeRow reference(const char* name, const char* to, const char* about) {
  AttributeRow row = entry(name, Kind::reference, about);
  row.refers_to = to;
  return row;
}

AttributeRow references(const char* name, const char* to, const char* about) {
  AttributeRow row = entry(name, Kind::references, about);
  row.refers_to = to;
  return row;
}

AttributeRow point(const char* name, const char* about) {
  return entry(name, Kind::point, about, "m");
}

AttributeRow direction(const char* name, const char* about) {
  return entry(name, Kind::direction, about, "1");
}

AttributeRow own_name() {
  return entry("name", Kind::name, "Name, unique in the description.").needed();
}

Attributes name_and_bodies() {
  return {own_name(), reference("a", "body", "First body, or ground.").needed(),
          reference("b", "body", "Second body, or ground.").needed()};
}

AttributeRow joint_coordinate() {
  return entry("coordinate", Kind::word,
               "Index of the coordinate, or angle, displacement, angle_a, angle_b, x, y, z.")
      .needed();
}

Content Content::times(int at_least, int at_most) && {
  least = at_least;
  most = at_most;
  return std::move(*this);
}

Content Content::shared_as(const std::string& name) && {
  group = name;
  return std::move(*this);
}

Content child(const std::string& kind, const std::string& row) {
  Content content;
  content.form = Content::Form::child;
  content.kind = kind;
  content.row = row.empty() ? kind : row;
  return content;
}

Content one_of(const std::vector<Content>& parts) {
  Content content;
  content.parts = parts;
  return content;
}

Content in_order(const std::vector<Content>& parts) {
  Content content;
  content.form = Content::Form::in_order;
  content.parts = parts;
  return content;
}

ElementRow ElementRow::standing_once() && {
  once = true;
  return std::move(*this);
}

ElementRow ElementRow::was(const std::string& old_name) && {
  formerly.push_back(old_name);
  return std::move(*this);
}

const AttributeRow* ElementRow::find(const std::string& attribute) const {
  for (const AttributeRow& row : attributes)
    if (row.name == attribute) return &row;
  for (const AttributeRow& row : attributes)
    if (holds_word(row.formerly, attribute)) return &row;
  return nullptr;
}

std::string ElementRow::current_kind(const std::string& kind) const {
  const Content* found = find_child(content, kind);
  return found == nullptr ? kind : found->kind;
}

std::vector<std::string> ElementRow::attribute_names() const {
  std::vector<std::string> names;
  for (const AttributeRow& row : attributes) names.push_back(row.name);
  return names;
}

const ElementRow* ElementRow::child(const std::string& kind) const {
  const Content* found = find_child(content, kind);
  return found == nullptr ? nullptr : find_row(found->row);
}

std::vector<std::string> ElementRow::child_kinds() const {
  std::vector<std::string> kinds;
  collect_kinds(content, kinds);
  return kinds;
}

ElementRow part(const char* name, const char* about, Attributes attributes, Content content) {
  ElementRow row;
  row.name = name;
  row.about = about;
  row.attributes = std::move(attributes);
  row.content = std::move(content);
  return row;
}

ElementRow conditional_part(const char* name, const char* about, Attributes attributes,
                            Content content) {
  ElementRow row = part(name, about, std::move(attributes), std::move(content));
  row.attributes.push_back(entry("when", Kind::condition,
                                 "Left out unless the condition holds: form = bushing and k > 0."));
  return row;
}

ElementRow element(const char* name, const char* about, Attributes attributes, Content content) {
  ElementRow row = conditional_part(name, about, std::move(attributes), std::move(content));
  row.in_vehicle = true;
  return row;
}

const std::vector<ElementRow>& all_rows() {
  static const std::vector<ElementRow> rows = join_rows();
  return rows;
}

const ElementRow* find_row(const std::string& name) {
  static const std::map<std::string, const ElementRow*> by_name = [] {
    std::map<std::string, const ElementRow*> map;
    for (const ElementRow& row : all_rows()) map.emplace(row.name, &row);
    return map;
  }();
  const auto found = by_name.find(name);
  return found == by_name.end() ? nullptr : found->second;
}

}  // namespace semirec
