#include "vehicles/files/xml/scenario_xml.hpp"

#include <set>
#include <stdexcept>

#include "vehicles/files/xml/document.hpp"
#include "vehicles/files/xml/formula_text.hpp"
#include "vehicles/files/xml/functions.hpp"
#include "vehicles/files/xml/reader.hpp"
#include "vehicles/files/xml/road_xml.hpp"

namespace semirec {

namespace {

/// More steps in a run are a slip of the pen.
constexpr double kMostSteps = 1e9;

SchemeChoice read_scheme(const Element& run) {
  const std::string name = scheme_families()[run.choice("scheme")]->name;
  std::vector<std::pair<std::string, double>> given;
  for (const SchemeFamily* family : scheme_families())
    for (const SchemeParameter& parameter : family->parameters) {
      if (!run.has(parameter.name)) continue;
      const bool word = std::string(parameter.name) == "weighting";
      given.emplace_back(parameter.name, word ? static_cast<double>(run.choice(parameter.name))
                                              : run.number(parameter.name));
    }
  try {
    return choose_scheme(name, given);
  } catch (const ModelError& fault) {
    run.fail(fault.what());
  }
}

void read_run(const Element& run, Scenario& scenario) {
  scenario.step = run.number("step");
  scenario.until = run.number("until");
  if (scenario.until / scenario.step > kMostSteps)
    run.fail("step", "makes more than 1e9 steps until the end, expected a longer step");
  scenario.record = run.number("record");
  scenario.tolerance = run.number("tolerance", scenario.tolerance);
  scenario.iterations = static_cast<int>(run.number("iterations"));
  scenario.scheme = read_scheme(run);
  scenario.error_tolerance = run.number("error_tolerance");
  scenario.longest_step = run.number("longest_step", scenario.longest_step);
  if (scenario.longest_step > 0.0 && scenario.error_tolerance == 0.0)
    run.fail("longest_step",
             "stands without error_tolerance, expected it beside one: steps have one length");
  if (scenario.longest_step > 0.0 && scenario.until / scenario.longest_step > kMostSteps)
    run.fail("longest_step", "makes more than 1e9 steps until the end, expected a longer one");
  scenario.cut_contacts = run.flag("cut_contacts");
  scenario.closing = run.choice_as<Closing>("closing");
  scenario.projection = run.flag("projection");
}

void read_start(const Element& start, Scenario& scenario) {
  if (start.has("from")) scenario.start = start.choice_as<StartMode>("from");
  scenario.speed = start.number("speed");
}

void read_speed(const Element& speed, Scenario& scenario) {
  scenario.speed_mode = speed.choice_as<SpeedMode>("mode");
  const bool control = scenario.speed_mode == SpeedMode::control;
  if (control) scenario.speed_gain = speed.number("gain");
  if (!control && speed.has("gain"))
    speed.fail("gain", "stands without mode=\"control\", expected it there only");
}

void read_contact(const Element& contact, Scenario& scenario) {
  scenario.contact = contact.choice_as<ContactLaw>("law");
  scenario.lateral = contact.flag("lateral");
  scenario.contact_method = contact.choice_as<ContactMethod>("contact");
}

Excitation read_excitation(const Element& element) {
  Excitation excitation;
  excitation.wheel = element.text("wheel");
  excitation.source = element.source;
  if (element.children.empty())
    element.fail("<excitation> of wheel '" + excitation.wheel +
                 "' holds nothing, expected a function");
  excitation.curve = read_time_function(element);
  return excitation;
}

RoadPlane read_road_plane(const Element& element) {
  RoadPlane plane;
  plane.wheel = element.text("wheel");
  plane.source = element.source;
  plane.x = element.number("x");
  plane.y = element.number("y");
  plane.height = element.number("height");
  plane.slope_x = element.number("slope_x");
  plane.slope_y = element.number("slope_y");
  plane.friction = element.number("friction");
  return plane;
}

Override read_set(const Element& element) {
  Override change{element.text("element"), element.text("attribute"), {}, element.source};
  try {
    change.value = fill_in_known(element.text("value"), *element.scope);
  } catch (const std::invalid_argument& error) {
    element.fail("value", error.what());
  }
  return change;
}

ScenarioEvent read_event(const Element& element) {
  ScenarioEvent event;
  event.name = element.name;
  event.source = element.source;
  element.need_one_of("time", "channel");
  if (element.has("time")) {
    event.time = element.number("time");
    for (const char* condition : {"rises_above", "falls_below", "repeat"})
      if (element.has(condition))
        element.fail(condition, "stands beside 'time', expected it with a 'channel' only");
  } else {
    event.channel = element.text("channel");
    element.need_one_of("rises_above", "falls_below");
    event.rising = element.has("rises_above");
    event.level = element.number(event.rising ? "rises_above" : "falls_below");
    event.repeats = element.flag("repeat");
  }
  if (element.children.empty())
    element.fail("<event> holds nothing, expected <attach>, <release> or <set>");
  for (const Element& part : element.children) {
    if (part.kind == "set") {
      event.changes.push_back(read_set(part));
      continue;
    }
    ScenarioEvent::Action action;
    action.closure = part.text("closure");
    action.attach = part.kind == "attach";
    action.source = part.source;
    action.at_current = action.attach && part.choice("at") == 1;
    for (const ScenarioEvent::Action& other : event.actions)
      if (other.closure == action.closure)
        part.fail("closure", "is '" + action.closure +
                                 "' for the second time in this event, expected each once");
    event.actions.push_back(action);
  }
  if (!event.changes.empty() && !event.actions.empty())
    element.fail("holds <set> beside <attach> or <release>, expected an event of its own for each");
  if (!event.changes.empty() && element.has("channel"))
    element.fail("channel", "stands beside <set>, expected 'time'");
  if (event.time == 0.0 && event.changes.empty())
    element.fail("time", "is 0, expected a number above zero");
  return event;
}

void read_scenery(const Element& element, Scenery& scenery) {
  for (const Element& part : element.children) {
    const Eigen::Vector2d place(part.number("x"), part.number("y"));
    if (part.kind == "cone")
      scenery.cones.push_back(place);
    else
      scenery.gates.push_back(
          {1 + static_cast<int>(part.choice("course")), place, part.number("heading")});
  }
  constexpr std::size_t kMostParts = 1000;
  if (element.children.size() > kMostParts)
    element.fail("<scenery> holds " + std::to_string(element.children.size()) +
                 " things, expected at most " + std::to_string(kMostParts));
}

}  // namespace

void read_scenario_element(const Element& element, Scenario& scenario) {
  const std::string& kind = element.kind;
  if (kind == "start") read_start(element, scenario);
  if (kind == "speed") read_speed(element, scenario);
  if (kind == "contact") read_contact(element, scenario);
  if (kind == "road") read_road(element, scenario);
  if (kind == "input") scenario.inputs.push_back(read_input(element));
  if (kind == "excitation") scenario.excitations.push_back(read_excitation(element));
  if (kind == "road_plane") scenario.road_planes.push_back(read_road_plane(element));
  if (kind == "event") scenario.events.push_back(read_event(element));
  if (kind == "scenery") read_scenery(element, scenario.scenery);
  if (kind == "set") scenario.overrides.push_back(read_set(element));
  if (kind != "output") return;
  for (const Element& part : element.children) {
    std::vector<std::string>& names = part.kind == "marker"     ? scenario.markers
                                      : part.kind == "reaction" ? scenario.reactions
                                      : part.kind == "body"     ? scenario.bodies
                                                                : scenario.efforts;
    names.push_back(part.text("name"));
  }
}

void refuse_second(const Element& element, std::set<std::string>& seen) {
  if (element.row->once && !seen.insert(element.kind).second)
    element.fail("<" + element.kind + "> stands a second time, expected one");
  if ((element.kind == "excitation" || element.kind == "road_plane") &&
      !seen.insert("road of " + element.text("wheel")).second)
    element.fail("wheel", "is '" + element.text("wheel") +
                              "' a second time, expected one excitation or road_plane for each "
                              "wheel");
}

namespace {

Scenario make_scenario(const Document& document) {
  Scenario scenario;
  scenario.name = document.root.name;
  scenario.road_notes = document.notes;
  scenario.source = document.root.source;
  std::set<std::string> seen;
  for (const Element& element : document.elements) {
    refuse_second(element, seen);
    if (element.kind == "run") read_run(element, scenario);
    read_scenario_element(element, scenario);
  }
  if (seen.count("run") == 0) document.root.fail("has no <run>, expected one with step and until");
  return scenario;
}

}  // namespace

Scenario read_scenario(const std::string& path, const std::vector<Override>& overrides) {
  return make_scenario(load_document(path, {"scenario"}, overrides));
}

Scenario read_scenario_text(const std::string& text, const std::string& path,
                            const std::vector<Override>& overrides) {
  return make_scenario(load_document(path, {"scenario"}, overrides, &text));
}

}  // namespace semirec
