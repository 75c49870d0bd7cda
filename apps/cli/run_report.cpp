#include "apps/cli/run_report.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/report/model_section.hpp"
#include "vehicles/manoeuvre/scenery.hpp"
#include "vehicles/session/fingerprint.hpp"
#include "vehicles/session/run_notes.hpp"

namespace semirec::cli {

namespace {

using Json = nlohmann::ordered_json;
using report::Answered;

std::string at_time(double t) { return fmt::format("at t = {:.4g} s", t); }

double number_of(const Json& json) { return json.is_number() ? json.get<double>() : std::nan(""); }

void add_handling(const Json& summary, std::vector<Answered>& answers) {
  if (!summary.contains("handling")) return;
  for (const auto& [name, course] : summary["handling"].items()) {
    std::string words = name;
    std::replace(words.begin(), words.end(), '_', ' ');
    const auto unit = course["unit"].get<std::string>();
    answers.push_back({words + ", last", number_of(course["last"]), unit});
    answers.push_back({words + ", largest", number_of(course["peak"]), unit, std::nan(""),
                       at_time(number_of(course["peak_time"]))});
  }
}

std::string unit_of_peak(const Drive& drive, const std::string& name) {
  const Recorder recorder(drive.model, drive.recorder);
  for (const Channel& channel : recorder.channels())
    if (channel.name == name) return channel.unit;
  return {};
}

void add_balance(const Json& summary, std::vector<Answered>& answers) {
  const Json& energy = summary["energy"];
  for (const char* part : {"kinetic", "potential", "elastic", "dissipated", "input"})
    answers.push_back({std::string("energy, ") + part, number_of(energy[part]), "J"});
  answers.push_back({"energy balance, off by at most", number_of(energy["error"]), "J",
                     std::nan(""),
                     fmt::format("of {:.4g} J turned over", number_of(energy["turned_over"]))});
  const Json& closure = summary["closure"];
  answers.push_back({"closures, positions", number_of(closure["position"]), "m"});
  answers.push_back({"closures, velocities", number_of(closure["velocity"]), "m/s"});
  answers.push_back({"closures, accelerations", number_of(closure["acceleration"]), "m/s^2"});
  answers.push_back({"iterations a step, mean", number_of(summary["iterations"]["mean"]), "1"});
  const Json& time = summary["time"];
  answers.push_back({"step, median", number_of(time["step_us"]["p50"]), "us"});
  answers.push_back({"step, 99.9 %", number_of(time["step_us"]["p999"]), "us"});
  answers.push_back({"times real time", number_of(time["realtime_factor"]), "1"});
}

std::string words_of_road(const Scenario& scenario) {
  if (!scenario.road_planes.empty()) return "planes from outside, not drawn";
  if (scenario.surface) return scenario.surface->plane() != nullptr ? "plane" : "surface";
  const bool level = scenario.road.left.is_constant() && scenario.road.right.is_constant();
  return level ? "flat" : "profile";
}

}  // namespace

report::Report make_run_report(const ReportedRun& run, report::MotionRecorder& motion) {
  const Json& summary = run.summary;
  const Scenario& scenario = run.description.scenario;
  report::Report page = report::begin_report("run", run.description.vehicle, run.vehicle_file);
  page.title = fmt::format("{} in {}", run.drive.model.mechanism.name, scenario.name);
  page.subtitle = run.vehicle_file + ", " + run.scenario_file;
  page.status = summary["status"].get<std::string>();
  page.fingerprint =
      fmt::format("{:016x}", fingerprint(run.description.vehicle, scenario, run.drive));
  page.notes = run.notes;
  if (!run.result.message.empty()) page.warnings.push_back(run.result.message);
  for (const HalfTurn& jump : run.result.half_turns)
    page.warnings.push_back(describe_half_turn(jump));
  if (is_balance_broken(run.result)) page.warnings.push_back(describe_broken_balance(run.result));

  add_handling(summary, page.answers);
  for (const auto& [name, peak] : summary["peaks"].items())
    // stops that were never reached say nothing
    if (number_of(peak["value"]) != 0.0)
      page.answers.push_back({"peak of " + name, number_of(peak["value"]),
                              unit_of_peak(run.drive, name), std::nan(""),
                              at_time(number_of(peak["time"]))});
  add_balance(summary, page.answers);

  const Json& topology = summary["topology"];
  page.facts.push_back({"coordinates", number_of(topology["coordinates"]), "1"});
  page.facts.push_back({"closure rows", number_of(topology["closures"]), "1"});
  page.facts.push_back({"degrees of freedom", number_of(topology["dof"]), "1"});
  page.facts.push_back({"formulation", summary["formulation"].get<std::string>(), ""});
  page.facts.push_back({"scheme", describe(run.drive.settings.step.scheme), ""});
  page.facts.push_back({"step", run.drive.settings.step.h, "s"});
  page.facts.push_back({"speed at the start", scenario.speed, "m/s"});
  page.facts.push_back({"road", words_of_road(scenario), ""});

  page.motions.push_back(motion.finish());
  page.motions.back().name = summary["formulation"].get<std::string>();
  for (const RunReport::Happened& event : run.result.events)
    page.motions.back().marks.push_back({event.t, event.event});
  page.road = report::make_road_mesh(scenario, motion.course());
  page.cones = report::place_cones(scenario, find_cones(run.description));
  return page;
}

}  // namespace semirec::cli
