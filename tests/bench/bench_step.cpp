// Costs of a step and of its sweeps on models that are read from their files. Every figure stands
// beside Eigen's dense LLT factor and solve at n = 26 in the same run (BM_DenseReference26).
#include <memory>
#include <string>

#include <Eigen/Cholesky>
#include <benchmark/benchmark.h>

#include "integrator/formulation/evaluate.hpp"
#include "integrator/formulation/formulation_state.hpp"
#include "integrator/step.hpp"
#include "penalty/augmented_lagrangian.hpp"
#include "recursive/accumulation.hpp"
#include "recursive/kinematics.hpp"
#include "tests/bench/steps.hpp"
#include "vehicles/files/xml/reader.hpp"
#include "vehicles/session/drive.hpp"

namespace semirec {
namespace {

/// A drive brought to a typical state: half a second into its scenario.
struct WarmStep {
  WarmStep(const std::string& model, const std::string& scenario, int iterations,
           TangentChoice tangent = TangentChoice::automatic) {
    drive = make_drive(read_drive(timing::kVehicles + "models/" + model,
                                  timing::kVehicles + "scenarios/" + scenario),
                       {tangent});
    ws = std::make_unique<Workspace>(drive.model);
    settings = drive.settings.step;
    settings.h = 1e-3;
    settings.iterations = iterations;
    state = start_drive(drive, *ws);
    for (int k = 0; k < 1500; ++k) {
      const StepReport report = step(drive.model, settings, state, *ws);
      if (report.status != StepStatus::converged) std::abort();
    }
    start = state;
  }
  Drive drive;
  std::unique_ptr<Workspace> ws;
  StepSettings settings;
  State state, start;
};

WarmStep& keep_warm(const std::string& model, const std::string& scenario, int iterations,
                    TangentChoice tangent = TangentChoice::automatic) {
  const std::string key =
      model + scenario + std::to_string(iterations) + std::to_string(static_cast<int>(tangent));
  WarmStep& warm = timing::kept<WarmStep>(
      key, [&] { return std::make_unique<WarmStep>(model, scenario, iterations, tangent); });
  warm.state = warm.start;
  return warm;
}

void BM_DenseReference26(benchmark::State& bench) {
  const Eigen::MatrixXd R = Eigen::MatrixXd::Random(26, 26);
  const Eigen::MatrixXd A = R * R.transpose() + 26.0 * Eigen::MatrixXd::Identity(26, 26);
  const Eigen::VectorXd b = Eigen::VectorXd::Random(26);
  Eigen::LLT<Eigen::MatrixXd> llt(26);
  Eigen::VectorXd x(26);
  for (auto _ : bench) {
    llt.compute(A);
    x = b;
    llt.solveInPlace(x);
    benchmark::DoNotOptimize(x.data());
  }
}
BENCHMARK(BM_DenseReference26);

void run_steps(benchmark::State& bench, const std::string& model, const std::string& scenario,
               int iterations, TangentChoice tangent = TangentChoice::automatic,
               int factorizations = 0) {
  WarmStep& warm = keep_warm(model, scenario, iterations, tangent);
  warm.settings.factorizations = factorizations;
  int count = 0;
  long newton = 0;
  for (auto _ : bench) {
    const StepReport report = step(warm.drive.model, warm.settings, warm.state, *warm.ws);
    newton += report.iterations;
    if (++count == 500) {
      warm.state = warm.start;
      count = 0;
    }
  }
  bench.counters["iterations"] =
      static_cast<double>(newton) / static_cast<double>(bench.iterations());
}
BENCHMARK_CAPTURE(run_steps, car26_two_iterations, "car26.xml", "shaker.xml", 2);
BENCHMARK_CAPTURE(run_steps, car26_converged, "car26.xml", "shaker.xml", 0);
BENCHMARK_CAPTURE(run_steps, car26_two_iterations_cholmod, "car26.xml", "shaker.xml", 2,
                  TangentChoice::sparse);
BENCHMARK_CAPTURE(run_steps, car26_two_iterations_dense, "car26.xml", "shaker.xml", 2,
                  TangentChoice::dense);
BENCHMARK_CAPTURE(run_steps, car26_two_iterations_tree, "car26.xml", "shaker.xml", 2,
                  TangentChoice::tree);
BENCHMARK_CAPTURE(run_steps, car26_one_factorization, "car26.xml", "shaker.xml", 2,
                  TangentChoice::automatic, 1);
BENCHMARK_CAPTURE(run_steps, car21_two_iterations, "car21.xml", "shaker.xml", 2);
BENCHMARK_CAPTURE(run_steps, iltis_two_iterations, "iltis.xml", "ramp_and_stairs.xml", 2);
BENCHMARK_CAPTURE(run_steps, iltis_bump_two_iterations, "iltis.xml", "bump_5.xml", 2);
BENCHMARK_CAPTURE(run_steps, sedan_two_iterations, "sedan.xml", "step_steer.xml", 2);
BENCHMARK_CAPTURE(run_steps, sedan_converged, "sedan.xml", "step_steer.xml", 0);
BENCHMARK_CAPTURE(run_steps, iltis_spinning_two_iterations, "iltis_spinning.xml", "bump_5.xml", 2);

/// One sweep of car26 at its typical state.
template <typename Sweep>
void run_sweep(benchmark::State& bench, const std::string& model, Sweep sweep) {
  WarmStep& warm = keep_warm(model, "shaker.xml", 2);
  const Model& compiled = warm.drive.model;
  Workspace& ws = *warm.ws;
  begin_evaluation(compiled, warm.state, warm.state.t, ws);
  ws.zdd = warm.state.zdd;
  const double h = warm.settings.h;
  evaluate_dynamics(compiled, warm.state.z.data(), warm.state.zd.data(), warm.state.zdd.data(),
                    {1.0, 0.5 * h, 0.25 * h * h}, ws);
  set_penalties(warm.settings, warm.settings.scheme.make(warm.settings.h), warm.state, ws);
  DynamicTerms terms = terms_of(compiled, ws);
  add_penalty(terms, ws.alpha, warm.state.lambda, 0.25 * h * h);
  if (!compiled.formulation->factor(compiled, ws.alpha, 0.25 * h * h, ws)) std::abort();
  for (auto _ : bench) {
    sweep(warm);
    benchmark::ClobberMemory();
  }
}
#define SEMIREC_SWEEP(name, body)                          \
  void BM_sweep_##name(benchmark::State& bench) {          \
    run_sweep(bench, "car26.xml", [](WarmStep& w) {        \
      [[maybe_unused]] const Model& model = w.drive.model; \
      [[maybe_unused]] Workspace& ws = *w.ws;              \
      body;                                                \
    });                                                    \
  }                                                        \
  BENCHMARK(BM_sweep_##name)

SEMIREC_SWEEP(begin, begin_evaluation(model, w.state, w.state.t, ws));
SEMIREC_SWEEP(positions, compute_positions(model.tree, w.state.z.data(), ws.tree));
SEMIREC_SWEEP(motions, compute_motions(model.tree, w.state.zd.data(), w.state.zdd.data(), ws.tree));
SEMIREC_SWEEP(body_forces, compute_body_forces(model.tree, ws.tree));
SEMIREC_SWEEP(force_elements, add_forces(model.forces, model.tree, ws.tree));
SEMIREC_SWEEP(accumulate, accumulate(model.tree, ws.tree));
SEMIREC_SWEEP(closure_positions, compute_closure_positions(model.closures, ws.tree, ws.closures));
SEMIREC_SWEEP(closure_motions, compute_closure_motions(model.closures, ws.tree, ws.closures));
SEMIREC_SWEEP(penalty, DynamicTerms terms = terms_of(model, ws);
              add_penalty(terms, ws.alpha, w.state.lambda, 1e-20));
SEMIREC_SWEEP(factor,
              benchmark::DoNotOptimize(model.formulation->factor(model, ws.alpha, 1e-20, ws)));
SEMIREC_SWEEP(solve, ws.correction = ws.tree.residual; ws.formulation->solve(ws.correction));
SEMIREC_SWEEP(rebase, rebase(model, w.state));

}  // namespace
}  // namespace semirec

BENCHMARK_MAIN();
