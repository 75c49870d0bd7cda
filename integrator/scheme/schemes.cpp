#include "integrator/scheme/schemes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "integrator/scheme/alpha_methods.hpp"
#include "integrator/scheme/linearly_implicit_euler.hpp"
#include "integrator/scheme/nstiff.hpp"
#include "topology/mechanism.hpp"

namespace semirec {

namespace {

/// One line for each family of schemes.
constexpr std::array kFamilies{
    &kTrapezoid, &kNewmark, &kHht,    &kGeneralizedAlpha, &kNstiff,
    &kNstiffSi2, &kHhtSi2,  &kHhtAdd, &kModifiedHht,      &kLinearlyImplicitEuler,
};

bool has(const SchemeFamily& family, const std::string& parameter) {
  return std::any_of(family.parameters.begin(), family.parameters.end(),
                     [&](const SchemeParameter& p) { return parameter == p.name; });
}

/// `trapezoid or newmark`: the names of the families with a parameter; of all where it is empty.
std::string names_with(const std::string& parameter) {
  std::string names;
  for (const SchemeFamily* family : kFamilies)
    if (parameter.empty() || has(*family, parameter))
      names += (names.empty() ? "" : " or ") + std::string(family->name);
  return names;
}

}  // namespace

std::span<const SchemeFamily* const> scheme_families() { return kFamilies; }

Scheme SchemeChoice::make(double h, const State& state) const {
  const Scheme scheme = family->make(parameters, h, state.history_step);
  if (!scheme.past.reads ||
      state.history.size() == scheme.history_size(state.z.size(), state.x.size()))
    return scheme;
  return family->make(parameters, h, 0.0);  // another scheme's history
}

SchemeChoice choose_scheme(const std::string& name,
                           const std::vector<std::pair<std::string, double>>& given,
                           const std::string& prefix) {
  const auto found = std::find_if(kFamilies.begin(), kFamilies.end(),
                                  [&](const SchemeFamily* family) { return name == family->name; });
  if (found == kFamilies.end())
    throw ModelError(prefix + "scheme is '" + name + "', expected " + names_with(""));
  SchemeChoice choice;
  choice.family = *found;
  for (std::size_t k = 0; k < choice.family->parameters.size(); ++k)
    choice.parameters[k] = std::numeric_limits<double>::quiet_NaN();
  for (const auto& [parameter, value] : given) {
    const std::string owners = names_with(parameter);
    if (!has(*choice.family, parameter))
      throw ModelError(prefix + parameter +
                       (owners.empty() ? " is given, expected a parameter of a scheme"
                                       : " is given with the scheme " + name +
                                             ", expected it with " + owners + " only"));
    if (!std::isfinite(value))
      throw ModelError(prefix + parameter + " is not finite, expected a number of ordinary size");
    for (std::size_t k = 0; k < choice.family->parameters.size(); ++k)
      if (parameter == choice.family->parameters[k].name) choice.parameters[k] = value;
  }
  const std::string fault = choice.family->complete(choice.parameters);
  if (!fault.empty()) throw ModelError(prefix + fault);
  return choice;
}

SchemeChoice change_scheme(const SchemeChoice& from,
                           const std::vector<std::pair<std::string, double>>& given,
                           const std::string& prefix) {
  const auto value_of = [&](std::size_t k) {
    return std::pair(std::string(from.family->parameters[k].name), from.parameters[k]);
  };
  const auto is_given = [&](std::size_t k) {
    return std::any_of(given.begin(), given.end(),
                       [&](const auto& own) { return own.first == value_of(k).first; });
  };
  // usual is what the others make of it
  const auto is_usual = [&](std::size_t k) {
    SchemeParameters others = from.parameters;
    others[k] = std::numeric_limits<double>::quiet_NaN();
    return from.family->complete(others).empty() && others[k] == from.parameters[k];
  };
  std::vector<std::pair<std::string, double>> all = given;
  for (std::size_t k = 0; k < from.family->parameters.size(); ++k)
    if (!is_given(k) && !is_usual(k)) all.push_back(value_of(k));
  return choose_scheme(from.family->name, all, prefix);
}

std::string describe(const SchemeChoice& choice) {
  std::ostringstream text;
  text << choice.family->name;
  for (std::size_t k = 0; k < choice.family->parameters.size(); ++k)
    text << (k == 0 ? " (" : ", ") << choice.family->parameters[k].name << ' '
         << choice.parameters[k];
  if (!choice.family->parameters.empty()) text << ')';
  return text.str();
}

}  // namespace semirec
