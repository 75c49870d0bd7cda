#include "vehicles/session/input_faults.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

#include "integrator/outputs/input_effort.hpp"
#include "topology/indices.hpp"
#include "vehicles/driveline/input_range.hpp"

namespace semirec {

namespace {

/// Instants between which a curve is not looked at, beside its own breakpoints.
constexpr int kInstants = 2000;

/// Calls `visit` with an input and all that it follows.
template <typename Visit>
void for_each_part(const Mechanism& mechanism, InputIndex input, Visit visit) {
  double factor = 1.0;
  for (InputIndex k = input; k != kNoInput; k = mechanism.inputs[at(k)].of) {
    visit(mechanism.inputs[at(k)], factor);
    factor *= mechanism.inputs[at(k)].factor;
  }
}

double value_at(const Mechanism& mechanism, InputIndex input, double t) {
  double value = 0.0;
  for_each_part(mechanism, input,
                [&](const Input& part, double factor) { value += factor * part.curve.value(t); });
  return value;
}

/// In order; one alone where nothing changes.
std::vector<double> instants_of(const Mechanism& mechanism, InputIndex input, double until) {
  std::vector<double> times{0.0};
  bool changes = false;
  for_each_part(mechanism, input, [&](const Input& part, double /*factor*/) {
    changes = changes || !part.curve.is_constant();
    for (const double t : part.curve.breakpoints())
      if (t > 0.0 && t < until) times.push_back(t);
  });
  if (changes && std::isfinite(until))
    for (int k = 1; k <= kInstants; ++k) times.push_back(until * k / kInstants);
  std::sort(times.begin(), times.end());
  return times;
}

/// The value that acts in the place of this one, at t. On the way from one whole number to another
/// all do.
double acting_at(const Mechanism& mechanism, const InputRange& range, double t, double value) {
  const double acts = std::clamp(value, range.least, range.most);
  double rate = 0.0;
  for_each_part(mechanism, range.input, [&](const Input& part, double factor) {
    rate += factor * part.curve.evaluate(t).fd;
  });
  return acts <= range.whole_to && rate == 0.0 ? std::round(acts) + 0.0 : acts;
}

/// Empty where the input stays within the range.
std::string describe_fault(const Mechanism& mechanism, const InputRange& range, double until) {
  double farthest = kOnTheEdge;
  double when = 0.0;
  double value = 0.0;
  for (const double t : instants_of(mechanism, range.input, until)) {
    const double here = value_at(mechanism, range.input, t);
    const double beyond = std::abs(here - acting_at(mechanism, range, t, here));
    if (!(beyond > farthest)) continue;
    farthest = beyond;
    when = t;
    value = here;
  }
  if (farthest == kOnTheEdge) return {};
  return describe_beyond(mechanism.inputs[at(range.input)].name, value, when,
                         acting_at(mechanism, range, when, value));
}

bool differ(const InputRange& a, const InputRange& b) {
  return a.least != b.least || a.most != b.most;
}

/// The largest jump of an input's own curve before `until`; empty where it has none.
std::string describe_jump(const Input& input, double until) {
  double largest = kOnTheEdge;
  double when = 0.0;
  for (const double t : input.curve.breakpoints()) {
    const double jump =
        std::abs(input.curve.value(t) - input.curve.evaluate(t, /*from_left=*/true).f);
    if (!(t > 0.0 && t < until && jump > largest)) continue;
    largest = jump;
    when = t;
  }
  if (largest == kOnTheEdge) return {};
  std::ostringstream text;
  text << "input '" << input.name << "' jumps by " << largest << " at t = " << when
       << " s and moves joints or rods, which nothing with mass can follow: what their rates keep "
          "of it depends on the formulation and grows as steps get shorter, expected a ramp";
  return text.str();
}

}  // namespace

bool is_computed(const Mechanism& mechanism, InputIndex input) {
  bool computed = false;
  for_each_part(mechanism, input,
                [&](const Input& part, double /*factor*/) { computed |= part.computed; });
  return computed;
}

std::string describe_beyond(const std::string& input, double value, double when, double acts) {
  std::ostringstream text;
  text << "input '" << input << "' is " << value << " at t = " << when << " s and acts as " << acts;
  return text.str();
}

std::vector<std::string> find_input_faults(const Model& model, double until) {
  std::vector<std::string> lines;
  const auto add = [&](std::string line) {
    if (!line.empty() && std::find(lines.begin(), lines.end(), line) == lines.end())
      lines.push_back(std::move(line));
  };
  std::vector<std::pair<std::string, InputRange>> readers;
  for (const auto& force : model.forces)
    if (const auto* user = dynamic_cast<const InputUser*>(force.get()))
      for (const InputRange& range : user->input_ranges())
        if (range.input != kNoInput && !is_computed(model.mechanism, range.input))
          readers.emplace_back(force->name(), range);
  for (const auto& [name, range] : readers) {
    const std::string line = describe_fault(model.mechanism, range, until);
    const bool is_one =
        std::none_of(readers.begin(), readers.end(), [own = range](const auto& other) {
          return other.second.input == own.input && differ(other.second, own);
        });
    add(line.empty() || is_one ? line : line + " in '" + name + "'");
  }
  for (std::size_t k = 0; k < model.mechanism.inputs.size(); ++k)
    if (moves_mechanism(model.mechanism, static_cast<InputIndex>(k)))
      for_each_part(model.mechanism, static_cast<InputIndex>(k),
                    [&](const Input& part, double /*factor*/) { add(describe_jump(part, until)); });
  return lines;
}

}  // namespace semirec
