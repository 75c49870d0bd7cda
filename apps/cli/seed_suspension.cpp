// Seed 003, linearly implicit Euler on a rear multilink suspension: sizes, run times,
// closures.

#include <algorithm>
#include <array>
#include <chrono>
#include <string_view>

#include <fmt/format.h>

#include "apps/cli/seed_tables.hpp"
#include "integrator/formulation/evaluate.hpp"

namespace semirec::cli {

namespace {

constexpr double kStep = 1e-3;     // s
constexpr double kUntil = 10.0;    // s
constexpr int kEvaluations = 400;  // of which the median counts

/// A way to take the steps, and what the paper says of it.
struct Way {
  const char* name;
  const char* scheme;
  Formulation formulation;
  Closing closing;
  const char* bushings;
  const char* ideal;
};

const std::vector<Way>& ways() {
  static const Formulation cartesian = *find_formulation("cartesian");
  static const Formulation hybrid = *find_formulation("hybrid");
  static const std::vector<Way> all{
      {"Algorithm 1 (dependent)", "linearly_implicit_euler", cartesian, Closing::multipliers,
       "77, 31; 2.85 s", "77, 66; 5.06 s, 1.78 times"},
      {"Algorithm 2 (independent)", "linearly_implicit_euler", cartesian, Closing::independent,
       "46 unknowns; 3.57 s", "11 unknowns; 3.74 s, 1.05 times"},
      {"Algorithm 1 in the hybrid", "linearly_implicit_euler", hybrid, Closing::multipliers,
       "not in it", "not in it"},
      {"Algorithm 2 in the hybrid", "linearly_implicit_euler", hybrid, Closing::independent,
       "not in it", "not in it"},
      {"trapezoid, cartesian", "trapezoid", cartesian, Closing::multipliers, "not in it",
       "not in it"},
      {"trapezoid, hybrid", "trapezoid", hybrid, Closing::penalty, "not in it", "not in it"}};
  return all;
}

bool is_linearly_implicit(const Way& way) {
  return std::string_view(way.scheme) == "linearly_implicit_euler";
}

DriveDescription read_suspension(const SeedBench& bench, bool ideal) {
  return bench.read("rear_multilink.xml", "square_bump.xml",
                    {std::string("form.value=") + (ideal ? "ideal" : "bushing")});
}

SeedRun run_way(const SeedBench& bench, const Way& way, bool ideal, bool projection,
                const SchemeChoice& scheme) {
  SeedSetup setup;
  setup.formulation = way.formulation;
  setup.closing = way.closing;
  setup.projection = projection;
  setup.step = kStep;
  setup.until = kUntil;
  bench.show(fmt::format("003: {}, {}", way.name, ideal ? "ideal joints" : "bushings"));
  return run_seed(read_suspension(bench, ideal), scheme, setup, bench.interrupted);
}

/// Median time of what a step evaluates at its begin, microseconds: forces, W, closures.
double time_evaluation(const SeedBench& bench, const Way& way, bool ideal) {
  const Drive drive =
      make_drive(read_suspension(bench, ideal), {TangentChoice::automatic, way.formulation});
  Workspace ws(drive.model);
  const State state = start_drive(drive, ws);
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(drive.model.n());
  begin_evaluation(drive.model, state, state.t, ws);
  std::vector<double> spent;
  for (int k = 0; k < kEvaluations; ++k) {
    const auto start = std::chrono::steady_clock::now();
    evaluate_dynamics(drive.model, state.z.data(), state.zd.data(), zero.data(),
                      {1.0, kStep, kStep * kStep}, ws);
    const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - start;
    spent.push_back(time.count());
  }
  std::nth_element(spent.begin(), spent.begin() + kEvaluations / 2, spent.end());
  return spent[kEvaluations / 2];
}

/// Medians of a step and of its parts, microseconds, and closure errors.
struct Measured {
  SeedRun run;
  double step = kNotMeasured, evaluation = kNotMeasured, positions = kNotMeasured;
  double drift = kNotMeasured;  ///< largest |Phi| without projection, m
};

Measured measure_way(const SeedBench& bench, const Way& way, bool ideal) {
  Measured out;
  const SchemeChoice scheme = choose_scheme(way.scheme, {});
  out.run = run_way(bench, way, ideal, true, scheme);
  if (!out.run.failure.empty()) return out;
  out.step = step_quantile(out.run.report, 0.5);
  if (!is_linearly_implicit(way)) return out;
  out.evaluation = time_evaluation(bench, way, ideal);
  const SeedRun without = run_way(bench, way, ideal, false, scheme);
  if (!without.failure.empty()) return out;
  out.positions = out.step - step_quantile(without.report, 0.5);
  out.drift = without.report.Phi;
  return out;
}

SeedTable make_sizes(const std::vector<std::array<Measured, 2>>& measured) {
  SeedTable table;
  table.source = "003 Tables 4 to 6";
  table.title = "rear multilink suspension, on bushings and with ideal joints";
  table.columns = {"coord.",    "rows",     "step us",  "of bushings",
                   "forces us", "rates us", "places us"};
  table.setup = fmt::format(
      "{:g} s at 1 ms; medians of a step and of its parts: evaluation of forces, W and closures; "
      "solution for rates and multipliers; projection (the step less one without it)",
      kUntil);
  for (std::size_t w = 0; w < ways().size(); ++w)
    for (const bool ideal : {false, true}) {
      const Way& way = ways()[w];
      const Measured& m = measured[w][ideal ? 1 : 0];
      table.rows.push_back({fmt::format("{}, {}", way.name, ideal ? "ideal" : "bushings"),
                            ideal ? way.ideal : way.bushings,
                            {static_cast<double>(m.run.n), static_cast<double>(m.run.m), m.step,
                             m.step / measured[w][0].step, m.evaluation,
                             m.step - m.evaluation - m.positions, m.positions},
                            m.run.failure});
    }
  table.rows.push_back(
      {"parts in the paper",
       "Alg. 1: rates 92 % of the solution; Alg. 2: T 68 %, rates 19 %",
       {},
       "dense there, Matlab; here sparse LU, or elimination by complete pivoting"});
  return table;
}

SeedTable make_violations(const std::vector<std::array<Measured, 2>>& measured) {
  SeedTable table;
  table.source = "003 Fig. 2";
  table.title = "closure errors of the rear suspension";
  table.columns = {"place m", "unprojected m", "rate m/s"};
  table.setup = fmt::format("largest over {:g} s at 1 ms", kUntil);
  for (std::size_t w = 0; w < ways().size(); ++w)
    for (const bool ideal : {false, true}) {
      const Measured& m = measured[w][ideal ? 1 : 0];
      const bool linear = is_linearly_implicit(ways()[w]);
      table.rows.push_back({fmt::format("{}, {}", ways()[w].name, ideal ? "ideal" : "bushings"),
                            linear ? "bounded; without projection unbounded growth" : "not in it",
                            {m.run.report.Phi, m.drift, m.run.report.Phid},
                            m.run.failure});
    }
  return table;
}

}  // namespace

std::vector<SeedTable> make_suspension_tables(const SeedBench& bench) {
  std::vector<SeedTable> tables;
  std::vector<std::array<Measured, 2>> measured;
  add_table(
      bench, "003", "rear suspension",
      [&] {
        for (const Way& way : ways())
          measured.push_back({measure_way(bench, way, false), measure_way(bench, way, true)});
        return make_sizes(measured);
      },
      tables);
  if (measured.size() == ways().size()) tables.push_back(make_violations(measured));
  return tables;
}

}  // namespace semirec::cli
