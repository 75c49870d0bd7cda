#include "apps/seat/seat_changes.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "integrator/formulation/evaluate.hpp"
#include "topology/largest_magnitude.hpp"

namespace semirec::seat {

namespace {

constexpr double kSamePlace = 1e-3;  // m

/// A name without the suffix of its template.
std::string stem_of(const std::string& name) { return name.substr(0, name.rfind('_')); }

}  // namespace

std::vector<Slider> make_sliders(const Vehicle& vehicle) {
  std::vector<Slider> sliders;
  std::vector<Eigen::Vector3d> places;
  const auto is_of = [&](std::size_t k, const LawScale& scale) {
    return sliders[k].attribute == scale.attribute &&
           stem_of(sliders[k].elements.front()) == stem_of(scale.element) &&
           (places[k] - scale.place).norm() < kSamePlace;
  };
  for (const LawScale& scale : vehicle.scales) {
    std::size_t k = 0;
    while (k < sliders.size() && !is_of(k, scale)) ++k;
    if (k == sliders.size()) {
      sliders.push_back({scale.attribute, {}, {}});
      places.push_back(scale.place);
    }
    sliders[k].elements.push_back(scale.element);
    sliders[k].values.push_back(scale.value);
  }
  return sliders;
}

std::vector<Override> overrides_of(const Slider& slider, double factor) {
  std::vector<Override> overrides;
  for (std::size_t k = 0; k < slider.elements.size(); ++k)
    // 17 digits: the same number when it is read
    overrides.push_back({slider.elements[k],
                         slider.attribute,
                         fmt::format("{:.17g}", factor * slider.values[k]),
                         {}});
  return overrides;
}

std::vector<Override> merge_overrides(const std::vector<CarChange>& changes) {
  std::vector<Override> merged;
  for (const CarChange& change : changes)
    for (const Override& one : change.overrides) {
      const bool multiplies = one.value.starts_with('*');
      if (!multiplies)
        std::erase_if(merged, [&](const Override& other) {
          return other.element == one.element && other.attribute == one.attribute;
        });
      merged.push_back(one);
    }
  return merged;
}

std::vector<ScenarioEvent> events_of(const std::vector<CarChange>& changes, std::uint32_t drive,
                                     const Scenario& scenario) {
  const auto is_before = [&](const CarChange& change) {
    return change.drive < drive || (change.drive == drive && change.at_start);
  };
  std::vector<CarChange> before;
  std::copy_if(changes.begin(), changes.end(), std::back_inserter(before), is_before);
  std::vector<ScenarioEvent> events;
  const auto is_taken = [&](const std::string& name) {
    return std::any_of(scenario.events.begin(), scenario.events.end(),
                       [&](const ScenarioEvent& event) { return event.name == name; });
  };
  const auto add = [&](const std::string& name, double time, std::vector<Override> overrides) {
    ScenarioEvent event;
    event.name = name;
    while (is_taken(event.name)) event.name += "_";
    event.time = time;
    event.changes = std::move(overrides);
    events.push_back(std::move(event));
  };
  if (!before.empty()) add("set_up", 0.0, merge_overrides(before));
  for (const CarChange& change : changes)
    if (change.drive == drive && !change.at_start)
      add(fmt::format("change_{}", events.size() + 1), change.time, change.overrides);
  return events;
}

std::vector<Override> overrides_at_start(const Scenario& scenario,
                                         const std::vector<Override>& more,
                                         const std::vector<ScenarioEvent>& changes) {
  std::vector<Override> overrides = scenario.overrides;
  overrides.insert(overrides.end(), more.begin(), more.end());
  for (const ScenarioEvent& event : changes)
    if (event.time <= 0.0)
      overrides.insert(overrides.end(), event.changes.begin(), event.changes.end());
  return overrides;
}

std::vector<Override> overrides_before_changes(const Vehicle& vehicle,
                                               const std::vector<ScenarioEvent>& changes) {
  std::vector<Override> overrides = vehicle.overrides;
  for (const ScenarioEvent& event : changes)
    if (event.time <= 0.0) overrides.resize(overrides.size() - event.changes.size());
  return overrides;
}

namespace {

/// The widest open loop of a session's car, m or rad.
double find_opening(const Session& session) {
  const Model& model = session.drive().model;
  Workspace ws(model);
  evaluate_state(model, session.state(), ws);
  return largest_magnitude(ws.closures.Phi);
}

}  // namespace

std::vector<ComingCar> make_coming_cars(const std::string& vehicle, const DriveDescription& read,
                                        const std::vector<ScenarioEvent>& changes,
                                        const SessionSettings& settings, Session& session) {
  std::vector<ComingCar> coming;
  std::vector<Override> overrides = read.vehicle.overrides;
  for (const ScenarioEvent& event : changes) {
    if (event.time <= 0.0) continue;
    overrides.insert(overrides.end(), event.changes.begin(), event.changes.end());
    coming.push_back({event, make_car(vehicle, overrides, read.scenario, settings)});
    if (!session.trade_cars(coming.back().car->session))
      throw ModelError(event.source, event.name,
                       "makes a car of other coordinates, inputs or outputs, expected other "
                       "numbers of the same car");
    const double open = find_opening(session);
    // it fits; its turn comes later
    (void)session.trade_cars(coming.back().car->session);
    constexpr double kClosed = 1e-6;  // m, rad
    if (!(open <= kClosed + find_opening(session)))
      throw ModelError(event.source, event.name,
                       fmt::format("makes a car whose loops are open by {:.2g} m or rad as it "
                                   "stands, expected numbers that move no part of it",
                                   open));
  }
  return coming;
}

void take_due_cars(Session& session, std::vector<ComingCar>& coming, std::size_t& next) noexcept {
  const double now = session.time() + 1e-9 * session.settings().h;
  for (; next < coming.size() && coming[next].event.time <= now; ++next)
    (void)session.trade_cars(coming[next].car->session);  // they fit
}

}  // namespace semirec::seat
