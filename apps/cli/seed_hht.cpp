// Seed 000, HHT-I3 with a step that chooses itself: what the control does on the slider crank. The
// paper's own models (belt, track, vehicle on a shaker) are not published.

#include <algorithm>

#include <fmt/format.h>

#include "apps/cli/seed_tables.hpp"

namespace semirec::cli {

namespace {

/// Largest distance of the places of two runs at the same instants.
double farthest(const SeedRun& run, const SeedRun& reference) {
  if (!run.failure.empty() || run.samples.size() != reference.samples.size()) return kNotMeasured;
  double most = 0.0;
  for (std::size_t k = 0; k < run.samples.size(); ++k)
    most = std::max(most, (run.samples[k].z - reference.samples[k].z).cwiseAbs().maxCoeff());
  return most;
}

SeedTable make_control(const SeedBench& bench) {
  SeedTable table;
  table.source = "000 sections 3, 4";
  table.title = "steps that choose their length, slider crank";
  table.columns = {"steps", "err. test", "Newton", "it./fact.", "error/tol", "CPU ms", "of HHT"};
  table.setup =
      "hybrid, penalty, 2 s; error: largest of the angles at every 0.05 s against the trapezoidal "
      "rule at 2^-15 s, over the tolerance";
  const DriveDescription model = bench.read("slider_crank.xml");
  SeedSetup setup;
  setup.until = 2.0;
  setup.sample = 0.05;
  setup.step = 0.05 / 2048.0;
  setup.exact = true;
  const SeedRun reference = run_seed(model, SchemeChoice{}, setup, bench.interrupted);
  setup.exact = false;
  setup.step = 1e-3;
  setup.timed = bench.repeat;
  const SeedMethod hht{"hht (-0.3)", "hht", {{"alpha", -0.3}}, 2.0};
  const SeedMethod nstiff{"nstiff", "nstiff", {}, 2.0};
  for (const double tolerance : {1e-4, 1e-5, 1e-6}) {
    double base = kNotMeasured;
    for (const int kind : {0, 1, 2}) {
      const SeedMethod& method = kind < 2 ? hht : nstiff;
      SeedRow row;
      row.what = fmt::format("{} {:g}{}", method.label, tolerance, kind == 1 ? ", printed" : "");
      row.paper = kind == 0   ? "error of a step within the tolerance (47c)"
                  : kind == 1 ? "its error constant"
                              : "GSTIFF 2.7, 5.2, 3.0 times HHT's time";
      const auto scheme = find_seed_scheme(method);
      if (!scheme) {
        row.remark = kSchemeNotThere;
        table.rows.push_back(row);
        continue;
      }
      setup.error_tolerance = tolerance;
      setup.printed = kind == 1;
      const SeedRun run = run_seed(model, *scheme, setup, bench.interrupted);
      if (!run.failure.empty()) {
        row.remark = run.failure;
        table.rows.push_back(row);
        continue;
      }
      const ControlReport& control = run.report.control;
      if (kind == 0) base = run.cpu;
      row.values = {static_cast<double>(control.steps),
                    static_cast<double>(control.error_rejections),
                    static_cast<double>(control.newton_rejections),
                    static_cast<double>(run.report.iterations_total) /
                        static_cast<double>(std::max(run.report.factorizations, 1L)),
                    farthest(run, reference) / tolerance,
                    1e3 * run.cpu,
                    run.cpu / base};
      if (kind == 0)
        row.remark = "the tolerance is that of one step: errors of the steps add up to the last";
      if (kind == 2)
        row.remark = "nstiff stays at order 2, GSTIFF went above; its models were others";
      table.rows.push_back(row);
    }
  }
  return table;
}

}  // namespace

std::vector<SeedTable> make_hht_tables(const SeedBench& bench) {
  std::vector<SeedTable> tables;
  add_table(
      bench, "000", "variable step on the slider crank", [&] { return make_control(bench); },
      tables);
  return tables;
}

}  // namespace semirec::cli
