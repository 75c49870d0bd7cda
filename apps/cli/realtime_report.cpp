#include "apps/cli/realtime_report.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "apps/cli/terminal.hpp"
#include "integrator/model.hpp"

namespace semirec::cli {

namespace {

using Json = nlohmann::ordered_json;
using realtime::Histogram;
using realtime::OnTimeout;
using realtime::Policy;
using realtime::RunnerStop;
using realtime::Timings;

constexpr double kMicro = 1e-3;  // ns to us
constexpr double kSecond = 1e-9;

const char* name_of(OnTimeout reaction) {
  switch (reaction) {
    case OnTimeout::hold:
      return "hold";
    case OnTimeout::curve:
      return "curve";
    case OnTimeout::stop:
      break;
  }
  return "stop";
}

Json of(const Histogram& histogram) {
  const auto at = [&](double q) { return static_cast<double>(histogram.quantile(q)) * kMicro; };
  return {{"count", histogram.count()},
          {"mean", histogram.mean() * kMicro},
          {"min", static_cast<double>(histogram.min()) * kMicro},
          {"p50", at(0.5)},
          {"p99", at(0.99)},
          {"p999", at(0.999)},
          {"p9999", at(0.9999)},
          {"max", static_cast<double>(histogram.max()) * kMicro}};
}

Json of(const Timings& timings) {
  Json json;
  json["lateness"] = of(timings.lateness);
  json["step"] = of(timings.step);
  if (timings.cpu.count() > 0) json["step_cpu"] = of(timings.cpu);
  json["work"] = of(timings.work);
  json["response"] = of(timings.response);
  return json;
}

void print_row(const Json& timings, const char* key, const char* words) {
  if (!timings.contains(key)) return;
  const Json& row = timings[key];
  say("  {:<34}", words);
  for (const char* column : {"p50", "p99", "p999", "p9999", "max"})
    say(" {:>9.1f}", row[column].get<double>());
  say("\n");
}

}  // namespace

std::string realtime_status(const realtime::Runner& runner) {
  switch (runner.report().stop) {
    case RunnerStop::finished:
      return "finished";
    case RunnerStop::interrupted:
      return "interrupted";
    case RunnerStop::step_failed:
      return "stopped: step failed";
    case RunnerStop::too_slow:
      return "stopped: rate too high";
    case RunnerStop::too_many_overruns:
      return "stopped: too many overruns";
    case RunnerStop::too_far_behind:
      return "stopped: too far behind";
    case RunnerStop::client_silent:
      break;
  }
  return "stopped: client silent";
}

std::string realtime_message(const realtime::Runner& runner, const Session& session,
                             const RealtimeSetup& setup) {
  const double period = static_cast<double>(setup.runner.schedule.period) * kMicro;
  const double window = static_cast<double>(runner.schedule().window_length()) * kSecond;
  switch (runner.report().stop) {
    case RunnerStop::finished:
    case RunnerStop::interrupted:
      return "";
    case RunnerStop::step_failed:
      return fmt::format("the step after t = {:g} s failed: {}; the state is the one before it",
                         session.time(), semirec::name_of(runner.report().failure));
    case RunnerStop::too_slow:
      return fmt::format(
          "the rate cannot be held: the mean work of a period was {:.1f} us within {:.3g} s, the "
          "period is {:.1f} us",
          runner.schedule().window_mean() * kMicro, window, period);
    case RunnerStop::too_many_overruns:
      return fmt::format(
          "the rate cannot be held: {:.1f} % of the periods within {:.3g} s overran, "
          "--max-overruns allows {:g} %",
          100.0 * runner.schedule().window_overruns(), window,
          100.0 * setup.runner.schedule.most_overruns);
    case RunnerStop::too_far_behind:
      return fmt::format("too far behind: more than {} periods in a row were late (--catch-up)",
                         setup.runner.schedule.most_in_a_row);
    case RunnerStop::client_silent:
      break;
  }
  return fmt::format("the client was silent for {} periods, at t = {:g} s (--on-timeout stop)",
                     setup.input_timeout, runner.report().client.first_timeout);
}

Json realtime_json(const realtime::Runner& runner, const Session& session,
                   const RealtimeSetup& setup, const realtime::Machine& machine,
                   const std::vector<realtime::Attempt>& attempts) {
  const realtime::RunnerReport& report = runner.report();
  const realtime::Schedule& schedule = runner.schedule();
  const realtime::RunnerSettings& asked = setup.runner;
  const Model& model = session.drive().model;
  const double period = static_cast<double>(asked.schedule.period) * kSecond;

  Json json;
  json["model"] = model.mechanism.name;
  json["scenario"] = setup.scenario;
  json["status"] = realtime_status(runner);
  const std::string message = realtime_message(runner, session, setup);
  if (!message.empty()) json["message"] = message;
  Json& settings = json["settings"];
  settings = {
      {"rate", setup.rate},
      {"step", session.settings().h},
      {"duration", setup.duration},
      {"iterations", setup.iterations},
      {"factorizations", setup.factorizations == 0 ? setup.iterations : setup.factorizations},
      {"policy", asked.schedule.policy == Policy::skip ? "skip" : "catch-up"},
      {"catch_up", asked.schedule.most_in_a_row},
      {"max_overruns", 100.0 * asked.schedule.most_overruns},
      {"spin_us", static_cast<double>(asked.spin) * kMicro},
      {"rehearse", asked.rehearse},
      {"core", setup.core},
      {"priority", setup.priority},
      {"load_threads", setup.load},
      {"baseline", asked.baseline},
      {"exchange", setup.exchange},
      {"input_timeout", setup.input_timeout},
      {"on_timeout", name_of(setup.on_timeout)}};
  const SchemeChoice& scheme = session.settings().scheme;
  settings["scheme"] = {{"name", scheme.family->name}};
  for (std::size_t k = 0; k < scheme.family->parameters.size(); ++k)
    settings["scheme"][scheme.family->parameters[k].name] = scheme.parameters[k];
  settings["closing"] = semirec::name_of(session.settings().closing);
  json["machine"] = {{"processor", machine.processor},
                     {"cores", machine.cores},
                     {"virtual", machine.is_virtual},
                     {"kernel", machine.kernel},
                     {"governor", machine.governor},
                     {"isolated_cores", machine.isolated_cores},
                     {"clock_source", machine.clock_source},
                     {"clock_cost_ns", machine.now_cost},
                     {"thread_clock_cost_ns", machine.thread_time_cost}};
  Json& privileges = json["privileges"];
  privileges = Json::array();
  for (const realtime::Attempt& attempt : attempts) {
    Json entry = {{"what", attempt.what}, {"set", attempt.done}};
    if (!attempt.done) entry["reason"] = attempt.reason;
    privileges.push_back(entry);
  }
  json["time"] = {{"wall", static_cast<double>(report.wall) * kSecond},
                  {"model_begin", report.model_begin},
                  {"model_end", report.model_end},
                  {"lag", static_cast<double>(schedule.skipped()) * period}};
  json["periods"] = {{"run", schedule.periods()},
                     {"steps", report.steps},
                     {"overruns", schedule.overruns()},
                     {"skipped", schedule.skipped()},
                     {"late_in_a_row", schedule.most_late_in_a_row()},
                     {"worst_overrun_us", static_cast<double>(schedule.worst_overrun()) * kMicro}};
  json["timings_us"] = of(runner.timings());
  if (asked.baseline) {
    json["baseline_us"] = of(runner.baseline_timings());
    json["baseline_periods"] = {{"run", runner.baseline_schedule().periods()},
                                {"overruns", runner.baseline_schedule().overruns()},
                                {"skipped", runner.baseline_schedule().skipped()}};
  }
  json["thread"] = {{"minor_faults", report.minor_faults},
                    {"major_faults", report.major_faults},
                    {"voluntary_switches", report.voluntary_switches},
                    {"involuntary_switches", report.involuntary_switches}};
  json["solver"] = {
      {"correction_bound", asked.correction_bound},
      {"closure_bound", asked.closure_bound},
      {"steps_over_bound", report.over_bound},
      {"worst_correction", {{"value", report.correction.value}, {"time", report.correction.time}}},
      {"worst_closure",
       {{"value", report.closure.value},
        {"time", report.closure.time},
        {"closure", report.closure.row < 0 ? "" : name_of_row(model, report.closure.row)}}}};
  Json& inputs = json["inputs"];
  inputs = {
      {"records", report.client.input_records}, {"overtaken", report.client.overtaken},
      {"timeouts", report.client.timeouts},     {"silent_periods", report.client.silent_periods},
      {"refused", report.client.refused.count}, {"not_finite", report.client.refused.not_finite}};
  if (report.client.timeouts > 0) inputs["first_timeout"] = report.client.first_timeout;
  if (report.client.refused.count > 0) {
    const auto first = static_cast<std::size_t>(report.client.refused.first_input);
    inputs["first_refused"] = {{"input", session.inputs()[first].name},
                               {"time", report.client.refused.first_time}};
  }
  return json;
}

void print_realtime(const Json& json) {
  const Json& settings = json["settings"];
  const Json& time = json["time"];
  const Json& periods = json["periods"];
  const Json& machine = json["machine"];
  say("{} in {} at {:g} Hz: {} after {:.3f} s, {} steps, t = {:g} to {:g} s\n",
      json["model"].get<std::string>(), json["scenario"].get<std::string>(),
      settings["rate"].get<double>(), json["status"].get<std::string>(), time["wall"].get<double>(),
      periods["steps"].get<long>(), time["model_begin"].get<double>(),
      time["model_end"].get<double>());
  const std::string governor = machine["governor"].get<std::string>();
  say("  machine     {}, {} cores{}; {}; governor {}\n", machine["processor"].get<std::string>(),
      machine["cores"].get<int>(), machine["virtual"].get<bool>() ? ", virtual" : "",
      machine["kernel"].get<std::string>(), governor.empty() ? "unknown" : governor);
  std::string set;
  for (const Json& entry : json["privileges"])
    if (entry["set"].get<bool>())
      set += (set.empty() ? "" : ", ") + entry["what"].get<std::string>();
  say("  set         {}{}\n", set.empty() ? "nothing" : set,
      settings["load_threads"].get<int>() > 0
          ? fmt::format("; {} busy threads beside", settings["load_threads"].get<int>())
          : "");
  say("\n  {:<34} {:>9} {:>9} {:>9} {:>9} {:>9}\n", "us", "p50", "p99", "p99.9", "p99.99", "max");
  const Json& timings = json["timings_us"];
  print_row(timings, "lateness", "wake-up after its time");
  print_row(timings, "step", "step, wall time");
  print_row(timings, "step_cpu", "step, CPU time of the thread");
  print_row(timings, "work", "inputs, step and outputs");
  print_row(timings, "response", "due time to outputs");
  if (json.contains("baseline_us")) {
    const Json& baseline = json["baseline_us"];
    print_row(baseline, "lateness", "baseline: wake-up after its time");
    print_row(baseline, "step", "baseline: loop, wall time");
    print_row(baseline, "step_cpu", "baseline: loop, CPU time");
    print_row(baseline, "response", "baseline: due time to end");
  }
  say("  a call of the clock costs {:.0f} ns, of the thread's CPU clock {:.0f} ns\n\n",
      machine["clock_cost_ns"].get<double>(), machine["thread_clock_cost_ns"].get<double>());
  say("  overruns    {} of {} periods, the worst by {:.1f} us; policy {}: ",
      periods["overruns"].get<long>(), periods["run"].get<long>(),
      periods["worst_overrun_us"].get<double>(), settings["policy"].get<std::string>());
  if (settings["policy"] == "skip")
    say("{} periods left out, model time {:g} s behind\n", periods["skipped"].get<long>(),
        time["lag"].get<double>());
  else
    say("at most {} late in a row\n", periods["late_in_a_row"].get<long>());
  if (json.contains("baseline_periods"))
    say("  baseline    {} of {} periods overran\n",
        json["baseline_periods"]["overruns"].get<long>(),
        json["baseline_periods"]["run"].get<long>());
  const Json& thread = json["thread"];
  say("  thread      {} page faults, {} times put aside by the system\n",
      thread["minor_faults"].get<long>() + thread["major_faults"].get<long>(),
      thread["involuntary_switches"].get<long>());
  const Json& solver = json["solver"];
  const Json& closure = solver["worst_closure"];
  const std::string row = closure["closure"].get<std::string>();
  say("  solver      last correction at most {:.1e} (t = {:g} s), closures open by at most {:.1e} m"
      "{}; {} steps above {:g} or {:g} m\n",
      solver["worst_correction"]["value"].get<double>(),
      solver["worst_correction"]["time"].get<double>(), closure["value"].get<double>(),
      row.empty() ? "" : fmt::format(" ('{}', t = {:g} s)", row, closure["time"].get<double>()),
      solver["steps_over_bound"].get<long>(), solver["correction_bound"].get<double>(),
      solver["closure_bound"].get<double>());
  const Json& inputs = json["inputs"];
  if (!settings["exchange"].get<std::string>().empty()) {
    say("  inputs      {} records taken, {} copies turned down, client silent {} times",
        inputs["records"].get<long>(), inputs["overtaken"].get<long>(),
        inputs["timeouts"].get<long>());
    if (inputs.contains("first_timeout"))
      say(" (first at t = {:g} s, {} periods in all, policy {})",
          inputs["first_timeout"].get<double>(), inputs["silent_periods"].get<long>(),
          settings["on_timeout"].get<std::string>());
    say("\n");
    if (inputs.contains("first_refused"))
      say("  refused     {} values, {} of them not finite or leaps beyond numbers and the others "
          "of inputs that an "
          "equation "
          "computes, first of '{}' at t = {:g} s\n",
          inputs["refused"].get<long>(), inputs["not_finite"].get<long>(),
          inputs["first_refused"]["input"].get<std::string>(),
          inputs["first_refused"]["time"].get<double>());
    for (const Json& line : inputs["beyond"]) say("  beyond      {}\n", line.get<std::string>());
  }
}

}  // namespace semirec::cli
