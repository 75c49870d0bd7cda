#include "apps/cli/compare_page.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "apps/cli/terminal.hpp"
#include "apps/report/model_section.hpp"
#include "apps/report/recorded_run.hpp"

namespace semirec::cli {

namespace {

Table table_of(const Comparison& comparison) {
  Table table;
  table.name = "runs";
  table.columns = {
      {"step", "s"},  {"error", comparison.unit}, {"CPU time", "s"},      {"times real time", "1"},
      {"steps", "1"}, {"iterations", "1"},        {"energy balance", "J"}};
  for (const Cell& cell : comparison.cells) {
    table.labels.push_back(cell.method + (cell.reason.empty() ? "" : " (" + cell.reason + ")"));
    const auto of_end = [&](double value) { return cell.finished() ? value : kUnknown; };
    const auto of_way = [&](long count) {
      return cell.verdict == Verdict::refused ? kUnknown : static_cast<double>(count);
    };
    table.rows.push_back({cell.step, of_end(cell.error), of_end(cell.cpu), of_end(cell.realtime),
                          of_way(cell.steps), of_way(cell.iterations), of_end(cell.energy_error)});
  }
  return table;
}

/// What is judged of the error over CPU time, a line a formulation.
Chart work_and_precision(const Comparison& comparison, const Measure& measure) {
  const std::string judged = measure.kind == Measure::Kind::lost_gravity ? "deviation" : "error";
  Chart chart{"work and precision", "CPU time, s", judged + ", " + comparison.unit, true, true, {}};
  for (const Cell& cell : comparison.cells) {
    if (!(cell.deviation > 0.0 && cell.cpu > 0.0)) continue;
    auto line = std::find_if(chart.series.begin(), chart.series.end(),
                             [&](const Series& known) { return known.name == cell.method; });
    if (line == chart.series.end()) line = chart.series.insert(line, {cell.method, {}, {}});
    line->x.push_back(cell.cpu);
    line->y.push_back(cell.deviation);
  }
  return chart;
}

}  // namespace

report::Report make_compare_page(const Files& files, const Bench& bench,
                                 const std::vector<Method>& methods, double step,
                                 const Comparison& comparison) {
  report::Report page = report::begin_report("compare", bench.vehicle(), files.vehicle);
  page.title = fmt::format("{} in {}: formulations", comparison.model, comparison.scenario);
  page.subtitle = files.vehicle + ", " + files.scenario;
  page.notes = {"error: " + comparison.measure, "good: " + comparison.criterion,
                "wrong: " + comparison.wrong};
  report::DrivenCourse course;
  for (const Method& method : methods) {
    Scenario scenario = bench.scenario();
    // as the rows of the table are run
    scenario.step = step;
    scenario.error_tolerance = 0.0;
    method.apply(scenario);
    try {
      Drive drive = make_drive(bench.vehicle(), scenario, method.compile);
      drive.settings.max_halvings = 0;
      drive.settings.step.reselect = method.reselect;
      drive.settings.step.classic_euler_parameters = method.classic_euler_parameters;
      report::ShownMotion shown = report::record_run(
          drive, 1.0 / static_cast<double>(methods.size()), [] { return !interrupted(); });
      shown.motion.name = method.name;
      if (!shown.failure.empty())
        page.warnings.push_back(method.name + " is shown up to where it ends: " + shown.failure);
      if (course.points.empty()) course = std::move(shown.course);
      page.motions.push_back(std::move(shown.motion));
    } catch (const ModelError& error) {
      page.notes.push_back(method.name + ": " + error.what());
    }
  }
  page.road = report::make_road_mesh(bench.scenario(), course);
  page.tables.push_back(table_of(comparison));
  page.charts.push_back(work_and_precision(comparison, bench.measure()));
  return page;
}

}  // namespace semirec::cli
