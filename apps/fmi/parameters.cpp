#include "apps/fmi/parameters.hpp"

#include <algorithm>
#include <charconv>
#include <set>
#include <stdexcept>
#include <variant>

#include "apps/fmi/variable_name.hpp"
#include "topology/matches_pattern.hpp"
#include "vehicles/files/xml/document.hpp"
#include "vehicles/files/xml/overrides.hpp"
#include "vehicles/files/xml/reader.hpp"

namespace semirec::fmi {

namespace {

std::string path_of(const std::string& folder, const std::string& file) {
  return file.empty() ? "" : folder + '/' + file;
}

/// What the vehicle file declares with numbers of its own.
void add_declared(const Element& element, std::vector<Parameter>& parameters) {
  if (element.text("value").find('{') != std::string::npos) return;
  const Value value = element.value("value");
  Parameter parameter;
  parameter.element = element.name;
  parameter.attribute = "value";
  parameter.name = structured_name(element.name);
  parameter.unit = element.kind == "point" ? "m" : "";
  parameter.description = (element.kind == "point" ? "Point '" : "Parameter '") + element.name +
                          "' of the vehicle file";
  if (const double* number = std::get_if<double>(&value)) {
    parameter.start = *number;
    parameters.push_back(parameter);
  }
  const auto* point = std::get_if<Eigen::Vector3d>(&value);
  if (point == nullptr) return;
  const std::string name = parameter.name;
  const std::string about = parameter.description;
  for (int k = 0; k < 3; ++k) {
    parameter.component = k;
    parameter.name = name + '[' + std::to_string(k + 1) + ']';
    parameter.description = about + ", " + "xyz"[k];
    parameter.start = (*point)[k];
    parameters.push_back(parameter);
  }
}

/// A factor on the law of an element, whatever the file says of it.
void add_scale(const LawScale& scale, std::vector<Parameter>& parameters) {
  Parameter parameter;
  parameter.element = scale.element;
  parameter.attribute = scale.attribute;
  parameter.name = structured_name(scale.element + '.' + scale.attribute);
  parameter.unit = "1";
  parameter.description = "Factor on the " + scale.attribute.substr(0, scale.attribute.find('_')) +
                          " law of '" + scale.element + "'";
  parameter.start = scale.value;
  parameter.least = 0.0;
  parameters.push_back(parameter);
}

std::optional<double> number_of(const std::string& text) {
  double number = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// The number that all overrides together have left at these places; none where they differ, or
/// hold more than a number.
std::optional<double> number_at(const std::vector<OverrideTarget>& targets) {
  std::optional<double> left;
  for (const OverrideTarget& target : targets) {
    const Attribute* attribute = target.element->find(target.attribute);
    if (attribute == nullptr) return std::nullopt;
    std::vector<double> numbers;
    try {
      numbers = parse_numbers(attribute->value, *target.element->scope);
    } catch (const std::invalid_argument&) {
      return std::nullopt;  // an equation, or a word
    }
    if (numbers.size() != 1 || (left && *left != numbers.front())) return std::nullopt;
    left = numbers.front();
  }
  return left;
}

/// The same of a template's argument, which the document has no more: what the overrides make of
/// one another, in their order.
std::optional<double> number_of_argument(const std::string& name,
                                         const std::vector<Override>& overrides) {
  std::optional<double> left;
  for (const Override& change : overrides) {
    if (change.attribute != "value" || !matches_pattern(change.element, name)) continue;
    const bool is_factor = change.value.starts_with('*');
    const std::optional<double> number =
        number_of(is_factor ? change.value.substr(1) : change.value);
    if (!number) return std::nullopt;
    if (!is_factor)
      left = number;
    else if (left)
      *left *= *number;
  }
  return left;
}

/// A number that --set gave to one element, as it is after all of them.
void add_set(const Document& document, const std::vector<Override>& overrides,
             const Override& change, std::vector<Parameter>& parameters) {
  if (change.element.find('*') != std::string::npos || !number_of(change.value)) return;
  for (const Parameter& known : parameters)
    if (known.element == change.element && known.attribute == change.attribute) return;
  const std::vector<OverrideTarget> targets = find_targets(document, change);
  const std::optional<double> start =
      targets.empty() ? number_of_argument(change.element, overrides) : number_at(targets);
  if (!start) return;
  Parameter parameter;
  parameter.start = *start;
  for (const OverrideTarget& target : targets)
    if (const AttributeRow* row = target.element->row->find(target.attribute)) {
      if (!row->range.above_least) parameter.least = std::max(parameter.least, row->range.least);
      parameter.most = std::min(parameter.most, row->range.most);
    }
  parameter.element = change.element;
  parameter.attribute = change.attribute;
  parameter.name = structured_name(change.element + '.' + change.attribute);
  parameter.description =
      "Attribute '" + change.attribute + "' of '" + change.element + "' in the vehicle file";
  parameters.push_back(parameter);
}

/// What the values of one element's parameters ask for; nothing where all are as in the files.
std::optional<Override> make_override(const std::vector<Parameter>& parameters,
                                      const std::vector<std::optional<double>>& values,
                                      std::size_t first, std::size_t count) {
  bool changed = false;
  std::string text;
  for (std::size_t k = first; k < first + count; ++k) {
    const double value = values[k].value_or(parameters[k].start);
    changed = changed || value != parameters[k].start;
    text += (k == first ? "" : " ") + number_text(value);
  }
  if (!changed) return std::nullopt;
  const Parameter& parameter = parameters[first];
  return Override{parameter.element, parameter.attribute, text, {"parameter " + parameter.name, 0}};
}

}  // namespace

std::vector<Parameter> find_parameters(const Package& package, const std::string& folder) {
  const DriveDescription read = read_car(package, folder, {}, {});
  std::vector<Parameter> parameters;
  Parameter speed;
  speed.name = "start.speed";
  speed.unit = "m/s";
  speed.description = "Forward speed of the car at the start";
  speed.start = read.scenario.speed;
  parameters.push_back(speed);
  const Document document = load_document(path_of(folder, package.vehicle),
                                          {"vehicle", "mechanism"}, read.vehicle.overrides);
  for (const Element& element : document.parameters) add_declared(element, parameters);
  for (const LawScale& scale : read.vehicle.scales) add_scale(scale, parameters);
  std::set<std::string> declared;
  for (const Parameter& parameter : parameters) declared.insert(parameter.element);
  const std::vector<Override> overrides = find_overrides(package);
  for (const Override& change : overrides)
    if (change.attribute != "value" || declared.count(change.element) == 0)
      add_set(document, overrides, change, parameters);
  for (const std::string& name : package.tunable)
    for (Parameter& parameter : parameters)
      if (parameter.name == name) parameter.tunable = true;
  return parameters;
}

DriveDescription read_car(const Package& package, const std::string& folder,
                          const std::vector<Parameter>& parameters,
                          const std::vector<std::optional<double>>& values) {
  std::vector<Override> overrides = find_overrides(package);
  std::optional<double> speed;
  for (std::size_t k = 0; k < parameters.size();) {
    const std::size_t count = parameters[k].component < 0 ? 1 : 3;
    if (parameters[k].element.empty())
      speed = values[k];
    else if (const auto change = make_override(parameters, values, k, count))
      overrides.push_back(*change);
    k += count;
  }
  DriveDescription read =
      read_drive(path_of(folder, package.vehicle), path_of(folder, package.scenario), overrides);
  if (speed) read.scenario.speed = *speed;
  return read;
}

}  // namespace semirec::fmi
