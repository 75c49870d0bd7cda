// Seed 003, linearly implicit Euler on a rear multilink suspension: sizes, run times,
// closures, responses to the bump.

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <string_view>

#include <fmt/format.h>

#include "apps/cli/seed_tables.hpp"
#include "integrator/formulation/evaluate.hpp"
#include "integrator/outputs/recorder.hpp"

namespace semirec::cli {

namespace {

constexpr double kStep = 1e-3;                      // s
constexpr double kUntil = 10.0;                     // s
constexpr int kEvaluations = 400;                   // of which the median counts
constexpr double kFineStep = 1e-4;                  // s
constexpr double kZoomBegin = 8.0, kZoomEnd = 9.5;  // s, in which the wheel meets the bump

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

/// Vertical motion of the chassis and the force in the front left mount of the subframe.
constexpr std::array kResponses{"chassis.z",           "chassis.vz",
                                "chassis.az",          "mount_front_left.fx",
                                "mount_front_left.fy", "mount_front_left.fz"};

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

/// A run on bushings whose samples hold kResponses each millisecond.
SeedRun run_responses(const SeedBench& bench, const Way& way, double step) {
  const DriveDescription description = read_suspension(bench, false);
  const Drive drive = make_drive(description, {TangentChoice::automatic, way.formulation});
  const Recorder recorder(drive.model, drive.recorder);
  std::array<std::size_t, kResponses.size()> columns{};
  for (std::size_t k = 0; k < kResponses.size(); ++k) {
    const auto at =
        std::find_if(recorder.channels().begin(), recorder.channels().end(),
                     [&](const Channel& channel) { return channel.name == kResponses[k]; });
    if (at == recorder.channels().end())
      throw ModelError(fmt::format("the model has no channel '{}'", kResponses[k]));
    columns[k] = static_cast<std::size_t>(at - recorder.channels().begin());
  }
  Workspace ws(drive.model);
  std::vector<double> values;
  SeedSetup setup;
  setup.formulation = way.formulation;
  setup.closing = way.closing;
  setup.step = step;
  setup.until = kZoomEnd;
  setup.sample = 1e-3;
  setup.solved = true;
  setup.read = [&](const Model& /*of the run*/, const State& state) {
    recorder.record(drive.model, state, ws, values);
    Eigen::VectorXd responses(static_cast<Eigen::Index>(kResponses.size()));
    for (std::size_t k = 0; k < kResponses.size(); ++k)
      responses[static_cast<Eigen::Index>(k)] = values[columns[k]];
    return responses;
  };
  bench.show(fmt::format("003: {} at {:g} ms, responses", way.name, 1e3 * step));
  return run_seed(description, choose_scheme(way.scheme, {}), setup, bench.interrupted);
}

/// Largest distances between two runs' responses `first` to `first + count` in the zoom, each in
/// percent of the reference's own range there. NaN where the samples do not correspond.
double find_deviation(const SeedRun& run, const SeedRun& reference, Eigen::Index first,
                      Eigen::Index count) {
  if (run.samples.size() != reference.samples.size()) return kNotMeasured;
  double worst = 0.0;
  Eigen::ArrayXd least = Eigen::ArrayXd::Constant(count, std::numeric_limits<double>::infinity());
  Eigen::ArrayXd most = -least;
  for (std::size_t k = 0; k < run.samples.size(); ++k) {
    const SeedSample& ours = run.samples[k];
    const SeedSample& theirs = reference.samples[k];
    if (std::abs(ours.t - theirs.t) > 1e-9) return kNotMeasured;
    if (theirs.t < kZoomBegin) continue;
    const auto part = theirs.read.segment(first, count).array();
    least = least.min(part);
    most = most.max(part);
    worst =
        std::max(worst, (ours.read - theirs.read).segment(first, count).lpNorm<Eigen::Infinity>());
  }
  return 100.0 * worst / (most - least).maxCoeff();
}

SeedTable make_responses(const SeedBench& bench) {
  SeedTable table;
  table.source = "003 Figs 3, 4";
  table.title = "chassis and front left mount of the subframe as the wheel meets the bump";
  table.columns = {"z %", "vz %", "az %", "force %"};
  table.setup = fmt::format(
      "on bushings, {:g} to {:g} s; largest distance from the trapezoidal rule at {:g} s, in "
      "percent of its range there",
      kZoomBegin, kZoomEnd, kFineStep);
  const Way& fine = ways().back();
  const SeedRun reference = run_responses(bench, fine, kFineStep);
  if (!reference.failure.empty()) {
    table.failure = reference.failure;
    return table;
  }
  const auto add = [&](const Way& way, double step, const char* paper) {
    const SeedRun run = run_responses(bench, way, step);
    SeedRow row{fmt::format("{}, {:g} ms", way.name, 1e3 * step), paper, {}, run.failure};
    if (run.failure.empty())
      row.values = {find_deviation(run, reference, 0, 1), find_deviation(run, reference, 1, 1),
                    find_deviation(run, reference, 2, 1), find_deviation(run, reference, 3, 3)};
    table.rows.push_back(row);
  };
  for (const Way& way : ways()) {
    const bool linear = is_linearly_implicit(way);
    add(way, kStep,
        linear ? "Fig. 3: z, vz, az match the reference; Fig. 4: forces match poorly on the bump"
               : "not in it");
  }
  for (const Way& way : {ways()[2], ways()[3]}) add(way, kFineStep, "not in it");
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
  add_table(
      bench, "003", "responses to the bump", [&] { return make_responses(bench); }, tables);
  return tables;
}

}  // namespace semirec::cli
