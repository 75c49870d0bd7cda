#include "tests/bench/steps.hpp"

#include <algorithm>

#include "integrator/step.hpp"

namespace semirec::timing {

void time_steps(benchmark::State& bench, const Model& model, const StepSettings& settings,
                const State& start, Workspace& ws, int back) {
  State state = start;
  int count = 0;
  long iterations = 0;
  long settled = 0;
  double correction = 0.0;
  for (auto _ : bench) {
    const StepReport report = step(model, settings, state, ws);
    if (report.status != StepStatus::converged) {
      bench.SkipWithError(name_of(report.status));
      return;
    }
    iterations += report.iterations;
    settled += report.settled ? 1 : 0;
    correction = std::max(correction, report.correction);
    if (++count == back) {
      state = start;
      count = 0;
    }
  }
  const auto steps = static_cast<double>(bench.iterations());
  bench.counters["iterations"] = static_cast<double>(iterations) / steps;
  bench.counters["settled"] = static_cast<double>(settled) / steps;
  bench.counters["correction"] = correction;
  bench.counters["coordinates"] = model.n();
  bench.counters["rows"] = model.m();
}

}  // namespace semirec::timing
