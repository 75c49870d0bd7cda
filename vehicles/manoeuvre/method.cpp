#include "vehicles/manoeuvre/method.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "topology/quoted_names.hpp"
#include "vehicles/analysis/without_numbers.hpp"
#include "vehicles/description/units.hpp"
#include "vehicles/manoeuvre/methods.hpp"

namespace semirec {

const std::vector<Method>& all_methods() {
  static const std::vector<Method> methods = make_methods();
  return methods;
}

const Method* find_method(const std::string& name) {
  for (const Method& method : all_methods())
    if (method.name == name) return &method;
  return nullptr;
}

namespace {

void compare_steps(const Answer& coarse, Answer& fine) {
  std::string unknown;
  for (Quantity& quantity : fine.quantities) {
    const int k = find_quantity(coarse, quantity.name);
    if (k < 0) continue;
    const double other = coarse.quantities[static_cast<std::size_t>(k)].value;
    const double difference = std::abs(other - quantity.value);
    if (std::isfinite(quantity.value) && std::isnan(other)) {
      quantity.uncertainty = kUnknown;
      add_quoted(unknown, quantity.name);
    }
    if (!std::isfinite(difference)) continue;
    quantity.uncertainty = std::isfinite(quantity.uncertainty)
                               ? std::hypot(quantity.uncertainty, difference)
                               : difference;
  }
  if (!unknown.empty())
    fine.notes.push_back(
        "uncertainties are not known of numbers that the drive with twice the step "
        "does not have: " +
        unknown);
}

/// The first of those notes that differ in their numbers alone: a manoeuvre may start many drives.
void add_start_notes(const std::vector<std::string>& notes, Answer& answer) {
  std::set<std::string> known;
  for (const std::string& note : notes)
    if (known.insert(without_numbers(note)).second) answer.notes.push_back(note);
}

}  // namespace

Answer run_manoeuvre(const Vehicle& vehicle, const Manoeuvre& manoeuvre,
                     const ManoeuvreOptions& options, const Progress& progress) {
  const Method* method = find_method(manoeuvre.method);
  if (method == nullptr)
    throw ModelError(manoeuvre.source, manoeuvre.name,
                     "has the unknown method '" + manoeuvre.method + "', expected one of --list");
  const double share = options.quick ? 1.0 : 0.65;
  std::vector<std::string> start_notes;
  Manoeuvre placed = manoeuvre;
  placed.scenario.at_origin = true;
  Manoeuvre noted = placed;
  noted.start_notes = &start_notes;
  Answer answer = method->answer(vehicle, noted, [&](double part, const std::string& what) {
    return !progress || progress(share * part, what);
  });
  add_start_notes(start_notes, answer);
  const Controls& controls = vehicle.controls;
  for (const Input& input : manoeuvre.scenario.inputs)
    if (input.name == controls.steering || input.name == controls.throttle ||
        input.name == controls.brake || input.name == controls.gear)
      answer.notes.push_back("the file's input '" + input.name +
                             "' counts at the start alone: the method moves it from there on");
  const std::vector<Unit> units = find_units(vehicle);
  if (std::string counted = describe_units(units); !counted.empty()) {
    if (units.size() > 1)
      counted += "; axles, outline and motion of the car are those of '" + units.front().name + "'";
    answer.notes.insert(answer.notes.begin(), counted);
  }
  if (options.quick) return answer;
  Manoeuvre twice = placed;
  twice.step *= 2.0;
  twice.record *= 2.0;
  for (const Method::Scaled& scaled : method->second_drive)
    for (ManoeuvreValue& value : twice.values)
      if (value.name == scaled.value) value.value *= scaled.factor;
  twice.watcher = nullptr;
  try {
    const Answer coarse =
        method->answer(vehicle, twice, [&](double part, const std::string& /*what*/) {
          return !progress || progress(share + (1.0 - share) * part, "with twice the step");
        });
    compare_steps(coarse, answer);
  } catch (const AnalysisError& error) {
    answer.notes.push_back(std::string("uncertainties are not known, with twice the step: ") +
                           error.what());
  }
  return answer;
}

}  // namespace semirec
