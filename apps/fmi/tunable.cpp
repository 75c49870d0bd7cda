#include "apps/fmi/tunable.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <string_view>

namespace semirec::fmi {

namespace {

/// What a change of a hundredth may move: round-off of a car far from the origin.
constexpr double kUnmoved = 1e-9;

bool is_motion(const Channel& channel) {
  constexpr std::array<std::string_view, 4> kUnits{"m", "rad", "m/s", "rad/s"};
  for (const std::string_view unit : kUnits)
    if (channel.unit == unit) return true;
  return false;
}

std::vector<double> outputs_of(Session& session) {
  std::vector<double> values(session.outputs().size());
  session.read_outputs(values.data());
  return values;
}

}  // namespace

bool tune(Session& session, const Package& package, const std::string& folder,
          const std::vector<Parameter>& parameters,
          const std::vector<std::optional<double>>& values) {
  Session other(read_car(package, folder, parameters, values), session_settings(package));
  const auto same_names = [](const auto& a, const auto& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const auto& x, const auto& y) { return x.name == y.name; });
  };
  return same_names(session.inputs(), other.inputs()) &&
         same_names(session.outputs(), other.outputs()) && session.trade_cars(other);
}

std::vector<std::string> find_tunable(const Package& package, const std::string& folder,
                                      const std::vector<Parameter>& parameters) {
  std::vector<std::optional<double>> values(parameters.size());
  Session car(read_car(package, folder, parameters, values), session_settings(package));
  const std::vector<double> before = outputs_of(car);
  const auto moves_nothing = [&](std::size_t k) {
    const double start = parameters[k].start;
    values.assign(parameters.size(), std::nullopt);
    values[k] = start == 0.0 ? 0.01 : 1.01 * start;
    Session changed(car);
    try {
      if (!tune(changed, package, folder, parameters, values)) return false;
    } catch (const std::exception&) {
      return false;  // not a car, or none that stands
    }
    const std::vector<double> after = outputs_of(changed);
    for (std::size_t n = 0; n < before.size(); ++n)
      if (is_motion(car.outputs()[n]) && !(std::abs(after[n] - before[n]) <= kUnmoved))
        return false;
    return true;
  };
  std::vector<std::string> names;
  for (std::size_t k = 0; k < parameters.size(); ++k)
    if (!parameters[k].element.empty() && parameters[k].component < 0 && moves_nothing(k))
      names.push_back(parameters[k].name);
  return names;
}

}  // namespace semirec::fmi
