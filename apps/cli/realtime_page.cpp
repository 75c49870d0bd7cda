#include "apps/cli/realtime_page.hpp"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/report/model_section.hpp"
#include "apps/report/motion_recorder.hpp"

namespace semirec::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr double kMicroseconds = 1e-3;  // a nanosecond

/// Which share of the periods took longer than a time, both on log axes.
Series longer_than(const char* name, const realtime::Histogram& histogram) {
  constexpr int kPoints = 120;
  Series series;
  series.name = name;
  const auto count = static_cast<double>(histogram.count());
  if (count < 1.0) return series;
  // from nearly all of them down to the one that took longest
  for (int k = 0; k < kPoints; ++k) {
    const double share = 0.999 * std::pow(count, -static_cast<double>(k) / (kPoints - 1));
    const double time = static_cast<double>(histogram.quantile(1.0 - share)) * kMicroseconds;
    if (!(time > 0.0)) continue;
    series.x.push_back(time);
    series.y.push_back(share);
  }
  return series;
}

void add_timings(const Json& json, report::Report& page) {
  const Json& periods = json["periods"];
  page.answers.push_back({"periods", periods["run"].get<double>(), "1"});
  page.answers.push_back(
      {"overruns", periods["overruns"].get<double>(), "1", std::nan(""),
       fmt::format("the worst by {:.1f} us; policy {}", periods["worst_overrun_us"].get<double>(),
                   json["settings"]["policy"].get<std::string>())});
  page.answers.push_back({"model time behind", json["time"]["lag"].get<double>(), "s"});
  struct Timing {
    const char *key, *name, *about;
  };
  for (const Timing& timing : {Timing{"step", "step", "wall time of the step alone"},
                               {"step_cpu", "step, CPU", "the same in the thread's CPU time"},
                               {"lateness", "wake-up", "after its time"},
                               {"response", "response", "due time to outputs"}}) {
    if (!json["timings_us"].contains(timing.key)) continue;
    const Json& row = json["timings_us"][timing.key];
    for (const auto& [column, part] :
         {std::pair{"p50", "median"}, {"p999", "99.9 %"}, {"max", "largest"}})
      page.answers.push_back({fmt::format("{}: {}", timing.name, part), row[column].get<double>(),
                              "us", std::nan(""), timing.about});
  }
  const Json& solver = json["solver"];
  page.answers.push_back({"last correction", solver["worst_correction"]["value"].get<double>(),
                          "m or rad", std::nan(""), "of a step, largest"});
  page.answers.push_back({"closures", solver["worst_closure"]["value"].get<double>(), "m",
                          std::nan(""), "open by at most"});
}

void add_conditions(const Json& json, report::Report& page) {
  const Json& settings = json["settings"];
  page.facts.push_back({"rate", settings["rate"].get<double>(), "Hz"});
  page.facts.push_back({"step", settings["step"].get<double>(), "s"});
  page.facts.push_back({"iterations a step", settings["iterations"].get<double>(), "1"});
  const Json& machine = json["machine"];
  page.facts.push_back({"processor", machine["processor"].get<std::string>(), ""});
  page.facts.push_back({"cores", machine["cores"].get<double>(), "1"});
  page.facts.push_back({"kernel", machine["kernel"].get<std::string>(), ""});
  for (const Json& entry : json["privileges"])
    page.facts.push_back(
        {entry["what"].get<std::string>(),
         entry["set"].get<bool>() ? "set" : "not set: " + entry["reason"].get<std::string>(), ""});
}

}  // namespace

report::Report make_realtime_page(const Files& files, const DriveDescription& loaded,
                                  const Json& json, const realtime::Runner& runner,
                                  const realtime::KeptFrames& frames, Session& session) {
  report::Report page = report::begin_report("realtime", loaded.vehicle, files.vehicle);
  page.title =
      fmt::format("{} in {} at {:g} Hz", json["model"].get<std::string>(),
                  json["scenario"].get<std::string>(), json["settings"]["rate"].get<double>());
  page.subtitle = files.vehicle + ", " + files.scenario;
  page.status = json["status"].get<std::string>();
  if (json.contains("message")) page.warnings.push_back(json["message"].get<std::string>());
  add_timings(json, page);
  add_conditions(json, page);

  Chart chart{"periods that take longer", "time, us", "share of periods, 1", true, true, {}};
  chart.series.push_back(longer_than("step", runner.timings().step));
  chart.series.push_back(longer_than("wake-up after its time", runner.timings().lateness));
  chart.series.push_back(longer_than("due time to outputs", runner.timings().response));
  page.charts.push_back(std::move(chart));

  const double begin = runner.report().model_begin;
  report::MotionRecorder motion(session.drive(), session.outputs(), begin,
                                std::max(runner.report().model_end, begin + session.settings().h),
                                session.settings().h);
  Workspace ws(session.drive().model);
  for (std::size_t k = 0; k < frames.size(); ++k) {
    if (session.restore(frames.saved(k), frames.saved_size()) != RestoreStatus::restored) break;
    const std::vector<double> outputs = frames.outputs(k);
    if (k + 1 < frames.size())
      motion.see(session.state(), outputs, ws);
    else
      motion.see_last(session.state(), outputs, ws);
  }
  if (frames.size() > 0) page.motions.push_back(motion.finish());
  if (!page.motions.empty()) page.motions.back().name = "against the clock";
  page.road = report::make_road_mesh(loaded.scenario, motion.course());
  page.notes = loaded.vehicle.notes;
  return page;
}

}  // namespace semirec::cli
