#include "vehicles/session/input_faults.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "integrator/outputs/input_effort.hpp"
#include "topology/indices.hpp"
#include "topology/quoted_names.hpp"

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

double acting_at(const Mechanism& mechanism, const InputRange& range, double t, double value) {
  double rate = 0.0;
  for_each_part(mechanism, range.input, [&](const Input& part, double factor) {
    rate += factor * part.curve.evaluate(t).fd;
  });
  return acting_value(range, value, rate);
}

/// Empty where the input stays within the range.
std::string describe_fault(const Mechanism& mechanism, const InputReaders& readers, double until) {
  const InputRange& range = readers.range;
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
                         acting_at(mechanism, range, when, value), readers);
}

bool are_alike(const InputRange& a, const InputRange& b) {
  return a.least == b.least && a.most == b.most && a.whole_to == b.whole_to;
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

std::vector<InputReaders> find_input_readers(const ForceElements& forces) {
  std::vector<InputReaders> all;
  for (const auto& force : forces) {
    const auto* user = dynamic_cast<const InputUser*>(force.get());
    if (user == nullptr) continue;
    for (const InputRange& range : user->input_ranges()) {
      if (range.input == kNoInput) continue;
      const auto known = std::find_if(all.begin(), all.end(), [&](const InputReaders& other) {
        return other.range.input == range.input && are_alike(other.range, range);
      });
      InputReaders& readers = known != all.end() ? *known : all.emplace_back();
      readers.range = range;
      add_quoted(readers.names, force->name());
    }
  }
  for (InputReaders& readers : all)
    readers.is_only = std::count_if(all.begin(), all.end(), [&](const InputReaders& other) {
                        return other.range.input == readers.range.input;
                      }) == 1;
  return all;
}

double acting_value(const InputRange& range, double value, double rate) {
  const double acts = std::clamp(value, range.least, range.most);
  return acts <= range.whole_to && rate == 0.0 ? std::round(acts) + 0.0 : acts;
}

std::string describe_beyond(const std::string& input, double value, double when, double acts,
                            const InputReaders& readers) {
  std::ostringstream text;
  text << "input '" << input << "' is " << value << " at t = " << when << " s and acts as " << acts;
  if (!readers.is_only) text << " in " << readers.names;
  return text.str();
}

std::vector<std::string> find_fast_inputs(const Mechanism& mechanism, double step, double until) {
  constexpr double kStepsInAPeriod = 4.0;
  std::vector<std::string> lines;
  for (const Input& input : mechanism.inputs) {
    double fastest = 0.0;  // Hz
    for (const Curve::Sine& sine : input.curve.sines())
      if (sine.amplitude != 0.0 && sine.from < until && sine.to > 0.0)
        fastest = std::max(fastest, std::abs(sine.omega) / (2.0 * M_PI));
    if (!(fastest * step * kStepsInAPeriod > 1.0)) continue;
    std::ostringstream text;
    text << "input '" << input.name << "' has a sine of " << fastest << " Hz, which steps of "
         << step << " s take as another curve, expected steps of at most "
         << 1.0 / (kStepsInAPeriod * fastest) << " s";
    lines.push_back(text.str());
  }
  return lines;
}

std::vector<std::string> find_input_faults(const Model& model, double until) {
  std::vector<std::string> lines;
  const auto add = [&](std::string line) {
    if (!line.empty() && std::find(lines.begin(), lines.end(), line) == lines.end())
      lines.push_back(std::move(line));
  };
  for (const InputReaders& readers : find_input_readers(model.forces))
    if (!is_computed(model.mechanism, readers.range.input))
      add(describe_fault(model.mechanism, readers, until));
  for (std::size_t k = 0; k < model.mechanism.inputs.size(); ++k)
    if (moves_mechanism(model.mechanism, static_cast<InputIndex>(k)))
      for_each_part(model.mechanism, static_cast<InputIndex>(k),
                    [&](const Input& part, double /*factor*/) { add(describe_jump(part, until)); });
  return lines;
}

}  // namespace semirec
