// Cars side by side against one car by itself: read car_us of run_batch beside run_steps of the
// same car in the same run.
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "integrator/batch/batch.hpp"
#include "integrator/step.hpp"
#include "tests/bench/steps.hpp"
#include "vehicles/files/xml/reader.hpp"
#include "vehicles/session/drive.hpp"

namespace semirec {
namespace {

const std::string kVehicles = std::string(SEMIREC_SOURCE_DIR) + "/vehicles/";
const std::vector<Override> kOnBushings{{"form", "value", "bushing", {}}};

/// Cars a second and a half into their scenario, each by half a millisecond behind the one before.
struct WarmBatch {
  WarmBatch(const std::string& model, const std::string& scenario, int cars, int lanes,
            const std::vector<Override>& overrides)
      : drive(make_drive(read_drive(kVehicles + "models/" + model,
                                    kVehicles + "scenarios/" + scenario, overrides))) {
    Workspace ws(drive.model);
    settings = drive.settings.step;
    settings.h = 1e-3;
    settings.iterations = 2;
    State state = start_drive(drive, ws);
    for (int k = 0; k < 1500 + cars; ++k) {
      if (k >= 1500) starts.push_back(state);
      if (step(drive.model, settings, state, ws).status != StepStatus::converged) std::abort();
    }
    batch = std::make_unique<Batch>(
        std::vector<const Model*>(static_cast<std::size_t>(cars), &drive.model), lanes);
  }
  void reset() {
    for (std::size_t k = 0; k < starts.size(); ++k) batch->put(static_cast<int>(k), starts[k]);
  }

  Drive drive;
  StepSettings settings;
  std::vector<State> starts;
  std::unique_ptr<Batch> batch;
};

void run_batch(benchmark::State& bench, const std::string& model, const std::string& scenario,
               int cars, int lanes, int steps = 1, const std::vector<Override>& overrides = {}) {
  if (lanes > cars_side_by_side()) {
    bench.SkipWithError("this processor has no AVX-512");
    return;
  }
  const std::string key = model + scenario + std::to_string(cars) + "/" + std::to_string(lanes) +
                          (overrides.empty() ? "" : overrides.front().value);
  WarmBatch& warm = timing::kept<WarmBatch>(
      key, [&] { return std::make_unique<WarmBatch>(model, scenario, cars, lanes, overrides); });
  warm.reset();
  int count = 0;
  for (auto _ : bench) {
    warm.batch->step(warm.settings, steps);
    if ((count += steps) >= 500) {
      warm.reset();
      count = 0;
    }
  }
  for (int k = 0; k < cars; ++k)
    if (warm.batch->report(k).status != StepStatus::converged) std::abort();
  const auto taken = static_cast<double>(bench.iterations()) * cars * steps;
  bench.counters["car_us"] =
      benchmark::Counter(1e-6 * taken, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  bench.counters["kB_a_car"] = static_cast<double>(warm.batch->memory()) / 1024.0 / cars;
}
BENCHMARK_CAPTURE(run_batch, car26_four, "car26.xml", "shaker.xml", 4, 4);
BENCHMARK_CAPTURE(run_batch, car26_eight, "car26.xml", "shaker.xml", 8, 8);
BENCHMARK_CAPTURE(run_batch, car26_thousand_by_four, "car26.xml", "shaker.xml", 1000, 4);
BENCHMARK_CAPTURE(run_batch, car26_thousand_by_eight, "car26.xml", "shaker.xml", 1000, 8);
BENCHMARK_CAPTURE(run_batch, car26_thousand_by_four_ten_steps, "car26.xml", "shaker.xml", 1000, 4,
                  10);
BENCHMARK_CAPTURE(run_batch, car26_thousand_by_eight_ten_steps, "car26.xml", "shaker.xml", 1000, 8,
                  10);
BENCHMARK_CAPTURE(run_batch, sedan_four, "sedan.xml", "step_steer.xml", 4, 4);
BENCHMARK_CAPTURE(run_batch, sedan_eight, "sedan.xml", "step_steer.xml", 8, 8);
BENCHMARK_CAPTURE(run_batch, sedan_on_bushings_four, "sedan.xml", "step_steer.xml", 4, 4, 1,
                  kOnBushings);
BENCHMARK_CAPTURE(run_batch, sedan_on_bushings_eight, "sedan.xml", "step_steer.xml", 8, 8, 1,
                  kOnBushings);

}  // namespace
}  // namespace semirec
