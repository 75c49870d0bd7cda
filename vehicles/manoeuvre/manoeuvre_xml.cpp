#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

#include "topology/ascii.hpp"
#include "topology/nearest.hpp"
#include "vehicles/files/old_names.hpp"
#include "vehicles/files/xml/document.hpp"
#include "vehicles/files/xml/scenario_xml.hpp"
#include "vehicles/manoeuvre/manoeuvre.hpp"
#include "vehicles/manoeuvre/method.hpp"

namespace semirec {

namespace {

constexpr std::size_t kMostPathParts = 100000;

std::string words_of(double number) {
  std::string text = std::to_string(number);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

Path read_path(const Element& element) {
  std::vector<std::pair<double, double>> points;
  std::vector<PathSegment> segments;
  for (const Element& part : element.children) {
    if (part.kind == "point") {
      points.emplace_back(part.number("x"), part.number("y"));
    } else {
      const double curvature = part.number("curvature");
      segments.push_back(
          {part.number("length"), curvature, part.number("end_curvature", curvature)});
    }
  }
  if (points.empty() == segments.empty())
    element.fail("holds neither or both kinds of children, expected <point>s or <segment>s");
  if (element.children.size() > kMostPathParts)
    element.fail("has more than " + std::to_string(kMostPathParts) + " parts, expected fewer");
  try {
    return points.empty() ? Path::from_segments(segments) : Path::from_points(points);
  } catch (const std::invalid_argument& error) {
    element.fail(std::string("<path> ") + error.what());
  }
}

void read_driver(const Element& element, DriverSettings& driver) {
  driver.limits.on = element.choice("limits") == 0;
  driver.limits.delay = element.number("delay");
  driver.limits.steering_wheel_rate = element.number("steering_rate");
  driver.limits.pedal_rate = element.number("pedal_rate");
  driver.preview = element.number("preview");
  driver.corridor = element.number("corridor");
}

void read_run(const Element& run, Manoeuvre& manoeuvre) {
  manoeuvre.step = run.number("step");
  manoeuvre.record = run.number("record");
}

/// What the method knows, as written or by default, and in its range.
void complete_values(const Element& root, const Method& method, Manoeuvre& manoeuvre) {
  std::vector<std::string> known;
  for (const ValueRule& rule : method.values) known.push_back(rule.name);
  for (const ManoeuvreValue& value : manoeuvre.values) {
    bool found = false;
    for (const std::string& name : known) found = found || name == value.name;
    if (!found)
      throw ModelError(
          value.source, value.name,
          "is no value of method '" + method.name + "'" + nearest_hint(value.name, known));
  }
  std::vector<ManoeuvreValue> complete;
  for (const ValueRule& rule : method.values) {
    ManoeuvreValue value{rule.name, rule.fallback, rule.unit, rule.about, root.source};
    for (const ManoeuvreValue& written : manoeuvre.values) {
      if (written.name != rule.name) continue;
      value = written;
      if (!written.unit.empty() && written.unit != rule.unit)
        throw ModelError(written.source, written.name,
                         "has the unit '" + written.unit + "', expected '" + rule.unit +
                             "': values are in SI units");
      value.unit = rule.unit;
      if (value.about.empty()) value.about = rule.about;
      if (!(written.value >= rule.least && written.value <= rule.most))
        throw ModelError(written.source, written.name,
                         "is " + words_of(written.value) +
                             (rule.unit == "1" ? "" : " " + rule.unit) + ", expected " +
                             words_of(rule.least) +
                             (rule.most < 1e300 ? " to " + words_of(rule.most) : " or more"));
      if (rule.whole && written.value != std::floor(written.value))
        throw ModelError(written.source, written.name,
                         "is " + words_of(written.value) + ", expected a whole number");
    }
    complete.push_back(value);
  }
  manoeuvre.values = std::move(complete);
}

const Method& method_of(const Element& root) {
  const std::string& name = root.text("method");
  if (const Method* method = find_method(name)) return *method;
  if (const Method* method = find_method(current_name(name))) return *method;
  std::vector<std::string> names;
  for (const Method& method : all_methods()) names.push_back(method.name);
  root.fail("method", "is '" + name + "', which is not known" + nearest_hint(name, names));
}

/// The name by which the method reads a value now; the word itself if it does not know it.
std::string value_name(const Method& method, const std::string& word) {
  const std::string now = current_name(word);
  bool known = false;
  bool renamed = false;
  for (const ValueRule& rule : method.values) {
    known = known || rule.name == word;
    renamed = renamed || rule.name == now;
  }
  return !known && renamed ? now : word;
}

Document load(const std::string& path, const std::vector<Override>& overrides,
              const std::string* text) {
  return load_document(path, {"manoeuvre"}, overrides, text);
}

/// Those that replace a <value> of the file; the others must be known to the method.
std::vector<Override> overrides_of(const Document& document, const Method& method,
                                   const std::vector<ManoeuvreChange>& changes) {
  std::vector<std::string> known;
  for (const ValueRule& rule : method.values) known.push_back(rule.name);
  std::vector<Override> overrides;
  for (const ManoeuvreChange& change : changes) {
    bool possible = false;
    for (const std::string& name : known) possible = possible || name == change.name;
    if (!possible)
      throw ModelError(Source{}, document.root.name,
                       "--with replaces '" + change.name +
                           "', which is no value of this manoeuvre" +
                           nearest_hint(change.name, known));
    for (const Element& element : document.elements)
      if (element.kind == "value" && value_name(method, element.name) == change.name)
        overrides.push_back({element.name, "value", change.value, {}});
  }
  return overrides;
}

/// Of an angle of the steering wheel and the lateral acceleration that it is found for, --with
/// gives one, which takes the place of what the file writes of the other.
void drop_replaced(const std::vector<ManoeuvreChange>& changes, Manoeuvre& manoeuvre) {
  const auto gives = [&](const char* name) {
    return std::any_of(changes.begin(), changes.end(),
                       [&](const ManoeuvreChange& change) { return change.name == name; });
  };
  if (!gives("lateral_acceleration")) return;
  if (gives("steering_wheel"))
    throw ModelError(
        "--with gives 'lateral_acceleration' and 'steering_wheel', of which the angle alone would "
        "count, expected one of them");
  std::erase_if(manoeuvre.values,
                [](const ManoeuvreValue& value) { return value.name == "steering_wheel"; });
}

/// The changes by the names that the method knows now.
std::vector<ManoeuvreChange> with_value_names(const Method& method,
                                              std::vector<ManoeuvreChange> changes,
                                              std::vector<std::string>& notes) {
  for (ManoeuvreChange& change : changes) {
    const std::string name = value_name(method, change.name);
    if (name != change.name) notes.push_back(old_name_note({"--with", 0}, change.name, name));
    change.name = name;
  }
  return changes;
}

ManoeuvreValue read_value(const Element& element, const Method& method,
                          std::vector<std::string>& notes) {
  const std::string name = value_name(method, element.name);
  if (name != element.name) notes.push_back(old_name_note(element.source, element.name, name));
  return {name, element.number("value"), element.has("unit") ? element.text("unit") : "",
          element.has("about") ? element.text("about") : "", element.source};
}

/// A path or driver that the method would not look at.
[[noreturn]] void refuse_unread(const Element& element, const Method& method) {
  std::string names;
  for (const Method& other : all_methods())
    if (element.kind == "path" ? other.reads_path : other.reads_driver)
      names += (names.empty() ? "" : ", ") + other.name;
  element.fail("is not read by method '" + method.name + "', expected only with " + names);
}

Manoeuvre read(const std::string& path, const std::vector<ManoeuvreChange>& asked,
               const std::string* text) {
  Document document = load(path, {}, text);
  const Method& method = method_of(document.root);
  Manoeuvre manoeuvre;
  const std::vector<ManoeuvreChange> changes = with_value_names(method, asked, manoeuvre.notes);
  if (!changes.empty()) document = load(path, overrides_of(document, method, changes), text);
  manoeuvre.notes.insert(manoeuvre.notes.end(), document.notes.begin(), document.notes.end());

  const Element& root = document.root;
  if (root.text("method") != method.name)
    manoeuvre.notes.push_back(
        old_name_note(root.find("method")->source, root.text("method"), method.name));
  manoeuvre.name = root.name;
  manoeuvre.method = method.name;
  if (root.has("standard")) manoeuvre.standard = root.text("standard");
  if (root.has("about")) manoeuvre.about = root.text("about");
  manoeuvre.source = root.source;
  manoeuvre.scenario.name = root.name;
  manoeuvre.scenario.source = root.source;
  manoeuvre.scenario.start = StartMode::equilibrium;
  std::set<std::string> seen;
  for (const Element& element : document.elements) {
    refuse_second(element, seen);
    if (element.kind == "value")
      manoeuvre.values.push_back(read_value(element, method, manoeuvre.notes));
    else if (element.kind == "run")
      read_run(element, manoeuvre);
    else if (element.kind == "path" && method.reads_path)
      manoeuvre.path = read_path(element);
    else if (element.kind == "driver" && method.reads_driver)
      read_driver(element, manoeuvre.driver);
    else if (element.kind == "path" || element.kind == "driver")
      refuse_unread(element, method);
    else
      read_scenario_element(element, manoeuvre.scenario);
  }
  drop_replaced(changes, manoeuvre);
  manoeuvre.has_road = seen.count("road") != 0;
  // what the file leaves to the method's default
  for (const ManoeuvreChange& change : changes) {
    bool written = false;
    for (const ManoeuvreValue& value : manoeuvre.values) written |= value.name == change.name;
    if (written) continue;
    try {
      manoeuvre.values.push_back(
          {change.name, parse_number(change.value, Scope()), "", "", Source{}});
    } catch (const std::invalid_argument& error) {
      throw ModelError(Source{}, change.name, std::string("--with ") + error.what());
    }
  }
  complete_values(root, method, manoeuvre);
  return manoeuvre;
}

}  // namespace

Manoeuvre read_manoeuvre(const std::string& path, const std::vector<ManoeuvreChange>& changes) {
  return read(path, changes, nullptr);
}

Manoeuvre read_manoeuvre_text(const std::string& text, const std::string& path,
                              const std::vector<ManoeuvreChange>& changes) {
  return read(path, changes, &text);
}

ManoeuvreChange parse_change(const std::string& text) {
  const std::size_t split = text.find('=');
  bool good = split != std::string::npos && split > 0 && split + 1 < text.size();
  for (std::size_t k = 0; good && k < split; ++k)
    good = ascii::is_letter_or_digit(text[k]) || text[k] == '_';
  if (!good)
    throw ModelError("--with '" + text +
                     "' is not understood, expected value=number such as speed=20");
  return {text.substr(0, split), text.substr(split + 1)};
}

const ManoeuvreValue& Manoeuvre::find(const std::string& wanted) const {
  for (const ManoeuvreValue& value : values)
    if (value.name == wanted) return value;
  throw ModelError(source, name,
                   "has no value '" + wanted + "', expected one that its method reads");
}

double Manoeuvre::value(const std::string& wanted) const { return find(wanted).value; }

double Manoeuvre::value_or(const std::string& wanted, double of_vehicle) const {
  const double own = value(wanted);
  return std::isnan(own) ? of_vehicle : own;
}

}  // namespace semirec
