#include "apps/cli/run_summary.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "apps/cli/clamp_count.hpp"
#include "apps/cli/run_report.hpp"
#include "apps/cli/terminal.hpp"
#include "topology/quoted_names.hpp"
#include "vehicles/session/run_notes.hpp"

namespace semirec::cli {

using Json = nlohmann::ordered_json;

Json summary_of(const Drive& drive, const Scenario& scenario, const RunReport& report,
                const ClosureRank& rank, const std::map<std::string, Peak>& peaks,
                const std::string& status) {
  const Model& model = drive.model;
  Json summary;
  summary["model"] = model.mechanism.name;
  summary["scenario"] = scenario.name;
  summary["formulation"] = model.formulation->name();
  summary["step"] = drive.settings.step.h;
  const SchemeChoice& scheme = drive.settings.step.scheme;
  summary["scheme"] = {{"name", scheme.family->name}};
  for (std::size_t k = 0; k < scheme.family->parameters.size(); ++k)
    summary["scheme"][scheme.family->parameters[k].name] = scheme.parameters[k];
  summary["closing"] = name_of(drive.settings.step.closing);
  summary["projection"] = drive.settings.step.projections > 0;
  summary["topology"] = {{"bodies", model.mechanism.bodies.size()},
                         {"coordinates", model.n()},
                         {"closures", model.m()},
                         {"dof", model.n() - rank.rank},
                         {"redundant", rank.rows - rank.rank}};
  summary["steps"] = report.steps;
  summary["substeps"] = report.substeps;
  summary["halved"] = report.halved;
  summary["iterations"] = {{"mean", report.iterations_mean}, {"max", report.iterations_max}};
  if (drive.settings.control.tolerance > 0.0) {
    const ControlReport& control = report.control;
    summary["step_control"] = {
        {"tolerance", drive.settings.control.tolerance},
        {"steps", control.steps},
        {"error_test_failures", control.error_rejections},
        {"convergence_failures", control.newton_rejections},
        {"iterations", report.iterations_total},
        {"factorizations", report.factorizations},
        {"factorized_for",
         {{"start_or_event", control.renewed_none},
          {"step_length", control.renewed_length},
          {"slow_convergence", control.renewed_slow},
          {"closure_rows", control.renewed_rows}}},
        {"last_step", control.last},
        {"smallest_step", control.smallest},
        {"largest_step", control.largest},
        {"mean_step", control.steps > 0 ? (report.end_time - report.start_time) /
                                              static_cast<double>(control.steps)
                                        : 0.0}};
  }
  if (drive.settings.cut_contacts)
    summary["contacts"] = {{"cuts", report.contacts.cuts},
                           {"changes", report.contacts.changes},
                           {"passed", report.contacts.passed},
                           {"trial_steps", report.contacts.trials}};
  summary["unsettled"] = {{"steps", report.unsettled},
                          {"bound", drive.settings.step.settled_bound},
                          {"worst_correction", report.correction},
                          {"time", report.correction_at},
                          {"at_limit", report.at_limit}};
  summary["closure"] = {
      {"position", report.Phi}, {"velocity", report.Phid}, {"acceleration", report.Phidd}};
  summary["energy"] = {{"kinetic", report.end.kinetic},
                       {"potential", report.end.potential},
                       {"elastic", report.end.elastic},
                       {"dissipated", report.end.dissipated},
                       {"input", report.end.input},
                       {"taken_by_scheme", report.end.scheme},
                       {"error", report.energy_error},
                       {"turned_over", report.energy_turned_over},
                       {"balance_broken", is_balance_broken(report)}};
  if (!report.events.empty()) {
    Json events = Json::array();
    for (const RunReport::Happened& happened : report.events)
      events.push_back({{"event", happened.event}, {"time", happened.t}});
    summary["events"] = events;
  }
  if (!report.half_turns.empty()) {
    Json turned = Json::array();
    for (const HalfTurn& jump : report.half_turns)
      turned.push_back({{"element", jump.element}, {"time", jump.t}, {"times", jump.times}});
    summary["half_turns"] = turned;
  }
  if (model.formulation->selects_coordinates()) {
    summary["reselections"] = report.reselections;
    summary["rates_lost"] = report.rates_lost;
  }
  if (drive.settings.step.closing != Closing::penalty)
    summary["multipliers"] = {{"factorizations", report.factorizations},
                              {"pivotings", report.pivotings},
                              {"dependent_rows_of", report.dependent_owners}};
  Json peak_json = Json::object();
  for (const auto& [name, peak] : peaks)
    peak_json[name] = {{"value", peak.value}, {"time", peak.time}};
  summary["peaks"] = peak_json;
  summary["time"] = {{"wall", report.wall},
                     {"cpu", report.step_cpu},
                     {"realtime_factor", times_real_time(report)},
                     {"step_us",
                      {{"p50", step_quantile(report, 0.5)},
                       {"p99", step_quantile(report, 0.99)},
                       {"p999", step_quantile(report, 0.999)},
                       {"max", step_quantile(report, 1.0)}}}};
  summary["status"] = status;
  if (!report.message.empty()) summary["message"] = report.message;
  return summary;
}

namespace {

void print_handling(const Json& summary) {
  if (!summary.contains("handling")) return;
  for (const auto& [name, course] : summary["handling"].items()) {
    std::string words = name;
    std::replace(words.begin(), words.end(), '_', ' ');
    say("  {:<25} {:.4g} {}, at most {:.4g} at t = {:.3f} s\n", words, course["last"].get<double>(),
        course["unit"].get<std::string>(), course["peak"].get<double>(),
        course["peak_time"].get<double>());
  }
}

/// Whether all energies of a run are numbers: a motion beyond all bounds leaves some that are not.
bool is_finite(const Json& energy) {
  return std::all_of(energy.begin(), energy.end(), [](const Json& part) {
    return !part.is_number() || std::isfinite(part.get<double>());
  });
}

void print_energy(const Json& energy) {
  if (!is_finite(energy)) {
    say("  energy      no numbers: the motion or its forces grew beyond all bounds, so there is no "
        "balance\n");
    return;
  }
  say("  energy      kinetic {:.6g}, potential {:.6g}, elastic {:.6g}, dissipated {:.6g}, input "
      "{:.6g} J; "
      "balance within {:.3g} J\n",
      energy["kinetic"].get<double>(), energy["potential"].get<double>(),
      energy["elastic"].get<double>(), energy["dissipated"].get<double>(),
      energy["input"].get<double>(), energy["error"].get<double>());
  if (const double taken = energy["taken_by_scheme"].get<double>(); taken != 0.0)
    say("  scheme      its damping has taken {:.3g} J, which the balance counts\n", taken);
}

}  // namespace

void print_summary(const Json& s, const Drive& drive, double final_time) {
  const std::string length = s.contains("step_control")
                                 ? std::string(" of lengths of their own")
                                 : fmt::format(" of {:g} s", s["step"].get<double>());
  const long halved = s["halved"].get<long>();
  const std::string shorter =
      halved == 0 ? "" : fmt::format(", {} halved where it did not converge", halved);
  say("{} in {}: {} to t = {:.4g} s, {} steps{}{}\n", s["model"].get<std::string>(),
      s["scenario"].get<std::string>(), s["status"].get<std::string>(), final_time,
      s["steps"].get<long>(), length, shorter);
  const Json& topology = s["topology"];
  say("  model       {} bodies, {} coordinates, {} closure rows, {} degrees of freedom, {} "
      "redundant\n",
      topology["bodies"].get<int>(), topology["coordinates"].get<int>(),
      topology["closures"].get<int>(), topology["dof"].get<int>(),
      topology["redundant"].get<int>());
  if (drive.settings.step.scheme.family != &kTrapezoid)
    say("  scheme      {}\n", describe(drive.settings.step.scheme));
  if (s.contains("multipliers")) {
    const Json& multipliers = s["multipliers"];
    const long factorizations = multipliers["factorizations"].get<long>();
    if (drive.settings.step.closing == Closing::independent)
      say("  closing     independent coordinates, {} factorizations\n", factorizations);
    else
      say("  closing     multipliers as unknowns, {} factorizations, pivots chosen {} times\n",
          factorizations, multipliers["pivotings"].get<long>());
    std::string names;
    for (const Json& name : multipliers["dependent_rows_of"])
      add_quoted(names, name.get<std::string>());
    if (!names.empty())
      say("  redundant   closure rows of {} depend on others: their multipliers are some of many\n",
          names);
  }
  if (!s["projection"].get<bool>())
    say("  projection  none: {} as the scheme's formulas give them\n",
        drive.settings.step.scheme.family->kind == StepKind::linearly_implicit
            ? "positions"
            : "rates and accelerations");
  say("  iterations  {:.2f} a step, at most {}\n", s["iterations"]["mean"].get<double>(),
      s["iterations"]["max"].get<int>());
  if (s.contains("step_control")) {
    const Json& c = s["step_control"];
    say("  control     {} steps of {:.3g} s on average, {:.3g} to {:.3g} s; {} failed the error "
        "test, {} did not "
        "converge; {} iterations, {} factorizations\n",
        c["steps"].get<long>(), c["mean_step"].get<double>(), c["smallest_step"].get<double>(),
        c["largest_step"].get<double>(), c["error_test_failures"].get<long>(),
        c["convergence_failures"].get<long>(), c["iterations"].get<long>(),
        c["factorizations"].get<long>());
  }
  if (s.contains("contacts")) {
    const Json& c = s["contacts"];
    say("  contacts    {} steps cut at {} begins and ends of contacts, {} more stepped over; {} "
        "steps to find them\n",
        c["cuts"].get<long>(), c["changes"].get<long>(), c["passed"].get<long>(),
        c["trial_steps"].get<long>());
  }
  const Json& unsettled = s["unsettled"];
  const bool iterates = drive.settings.step.scheme.family->kind != StepKind::linearly_implicit;
  if (unsettled["steps"].get<long>() > 0 && !iterates)
    say("  unsettled   {} steps ended with a closure above {:g} m or rad; the largest is {:.1e}\n",
        unsettled["steps"].get<long>(), unsettled["bound"].get<double>(),
        s["closure"]["position"].get<double>());
  else if (unsettled["steps"].get<long>() > 0)
    say("  unsettled   {} steps ended with a correction or a closure above {:g} m or rad; largest "
        "correction {:.1e} at t = {:.4g} s\n",
        unsettled["steps"].get<long>(), unsettled["bound"].get<double>(),
        unsettled["worst_correction"].get<double>(), unsettled["time"].get<double>());
  if (unsettled["at_limit"].get<long>() > 0)
    say("  at limit    {} steps took all iterations and are within the tolerance of positions "
        "alone\n",
        unsettled["at_limit"].get<long>());
  say("  closures    {:.1e} m, {:.1e} m/s, {:.1e} m/s^2 at most\n",
      s["closure"]["position"].get<double>(), s["closure"]["velocity"].get<double>(),
      s["closure"]["acceleration"].get<double>());
  print_energy(s["energy"]);
  if (s.contains("reselections"))
    say("  independent coordinates chosen anew {} times\n", s["reselections"].get<long>());
  if (s.contains("rates_lost") && s["rates_lost"].get<double>() > kRatesLost)
    say("  round-off   may have changed rates by {:.1g} of themselves: near singular positions the "
        "loops hardly tell the dependent coordinates, the less the shorter the step; expected a "
        "longer step or another formulation\n",
        s["rates_lost"].get<double>());
  if (s.contains("events")) {
    constexpr std::size_t kShown = 20;
    std::size_t shown = 0;
    for (const Json& event : s["events"])
      if (++shown <= kShown)
        say("  event       '{}' at t = {:.6g} s\n", event["event"].get<std::string>(),
            event["time"].get<double>());
    if (shown > kShown) say("  event       and {} more\n", shown - kShown);
  }
  if (s.contains("half_turns"))
    for (const Json& jump : s["half_turns"])
      say("  half turn   {}\n",
          describe_half_turn({jump["element"].get<std::string>(), jump["time"].get<double>(),
                              jump["times"].get<long>()}));
  print_clamps(s);
  print_handling(s);
  if (s["peaks"].contains("chassis.az")) {
    const double az = s["peaks"]["chassis.az"]["value"].get<double>();
    say("  peak        vertical acceleration {:.2f} m/s^2 ({:.2f} g) at t = {:.3f} s\n", az,
        az / 9.81, s["peaks"]["chassis.az"]["time"].get<double>());
  }
  const Json& time = s["time"];
  say("  time        step p50 {:.1f} us, p99.9 {:.1f} us, max {:.1f} us: {:.0f} times real time; "
      "{:.2f} s in all\n",
      time["step_us"]["p50"].get<double>(), time["step_us"]["p999"].get<double>(),
      time["step_us"]["max"].get<double>(), time["realtime_factor"].get<double>(),
      time["wall"].get<double>());
}

}  // namespace semirec::cli
