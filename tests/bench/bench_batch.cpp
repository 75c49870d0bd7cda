// Cars side by side against one car by itself: read car_us of run_batch beside run_steps of the
// same car in the same run.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "integrator/batch/batch.hpp"
#include "integrator/step.hpp"
#include "tests/bench/steps.hpp"
#include "vehicles/files/xml/reader.hpp"
#include "vehicles/fleet/sessions_side_by_side.hpp"
#include "vehicles/session/drive.hpp"
#include "vehicles/session/session.hpp"

namespace semirec {
namespace {

/// How cars are stepped; `steps` at once.
struct Task {
  int steps = 1;
  std::vector<Override> overrides;
  double h = 1e-3;     ///< s
  int iterations = 2;  ///< 0: until each car has converged
};
const Task kTenAtOnce{.steps = 10};
const Task kOnBushings{.overrides = {{"form", "value", "bushing", {}}}};
/// As `semirec sweep vehicles/studies/sedan_step.xml`.
const Task kOfAStudy{.h = 2e-3, .iterations = 0};

/// Eight cars of other masses, a second and a half into their scenario, and more of these, each by
/// half a millisecond behind the one before.
struct WarmBatch {
  WarmBatch(const std::string& model, const std::string& scenario, int cars, int lanes,
            const Task& task) {
    constexpr int kDifferent = 8;
    const VehicleFile file(timing::kVehicles + "models/" + model);
    std::vector<const Model*> models;
    for (int k = 0; k < std::min(cars, kDifferent); ++k) {
      std::vector<Override> numbers = task.overrides;
      numbers.push_back(parse_override("chassis.mass=*" + std::to_string(1.0 + 0.02 * k)));
      drives.push_back(std::make_unique<Drive>(
          make_drive(file.read_drive(timing::kVehicles + "scenarios/" + scenario, numbers))));
    }
    settings = drives.front()->settings.step;
    settings.h = task.h;
    settings.iterations = task.iterations;
    starts.resize(static_cast<std::size_t>(cars));
    for (int k = 0; k < cars; ++k)
      models.push_back(&drives[static_cast<std::size_t>(k % kDifferent)]->model);
    for (int different = 0; different < std::min(cars, kDifferent); ++different) {
      const Drive& drive = *drives[static_cast<std::size_t>(different)];
      Workspace ws(drive.model);
      StepSettings single = settings;
      single.h = 1e-3;
      State state = start_drive(drive, ws);
      for (int k = 0; k < 1500 + cars; ++k) {
        if (k >= 1500 && (k - 1500) % kDifferent == different)
          starts[static_cast<std::size_t>(k - 1500)] = state;
        if (step(drive.model, single, state, ws).status != StepStatus::converged) std::abort();
      }
    }
    const double before = timing::heap_in_use();
    batch = std::make_unique<Batch>(models, lanes);
    bytes = timing::heap_in_use() - before;
  }
  void reset() {
    for (std::size_t k = 0; k < starts.size(); ++k) batch->put(static_cast<int>(k), starts[k]);
  }

  std::vector<std::unique_ptr<Drive>> drives;
  StepSettings settings;
  std::vector<State> starts;
  std::unique_ptr<Batch> batch;
  double bytes = 0.0;  ///< of the batch beside the models
};

void run_batch(benchmark::State& bench, const std::string& model, const std::string& scenario,
               int cars, int lanes, const Task& task = {}) {
  if (lanes > cars_side_by_side()) {
    bench.SkipWithError("this processor has no AVX-512");
    return;
  }
  const std::string key = model + scenario + std::to_string(cars) + "/" + std::to_string(lanes) +
                          (task.overrides.empty() ? "" : task.overrides.front().value) +
                          std::to_string(task.iterations);
  WarmBatch& warm = timing::kept<WarmBatch>(
      key, [&] { return std::make_unique<WarmBatch>(model, scenario, cars, lanes, task); });
  warm.reset();
  int count = 0;
  for (auto _ : bench) {
    warm.batch->step(warm.settings, task.steps);
    if ((count += task.steps) >= 500) {
      warm.reset();
      count = 0;
    }
  }
  for (int k = 0; k < cars; ++k)
    if (warm.batch->report(k).status != StepStatus::converged) std::abort();
  const auto taken = static_cast<double>(bench.iterations()) * cars * task.steps;
  bench.counters["car_us"] =
      benchmark::Counter(1e-6 * taken, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  bench.counters["kB_a_car"] = warm.bytes / 1024.0 / cars;
}
BENCHMARK_CAPTURE(run_batch, car26_four, "car26.xml", "shaker.xml", 4, 4);
BENCHMARK_CAPTURE(run_batch, car26_eight, "car26.xml", "shaker.xml", 8, 8);
BENCHMARK_CAPTURE(run_batch, car26_thousand_by_four, "car26.xml", "shaker.xml", 1000, 4);
BENCHMARK_CAPTURE(run_batch, car26_thousand_by_eight, "car26.xml", "shaker.xml", 1000, 8);
BENCHMARK_CAPTURE(run_batch, car26_thousand_by_four_ten_steps, "car26.xml", "shaker.xml", 1000, 4,
                  kTenAtOnce);
BENCHMARK_CAPTURE(run_batch, car26_thousand_by_eight_ten_steps, "car26.xml", "shaker.xml", 1000, 8,
                  kTenAtOnce);
BENCHMARK_CAPTURE(run_batch, sedan_four, "sedan.xml", "step_steer.xml", 4, 4);
BENCHMARK_CAPTURE(run_batch, sedan_eight, "sedan.xml", "step_steer.xml", 8, 8);
BENCHMARK_CAPTURE(run_batch, sedan_on_bushings_four, "sedan.xml", "step_steer.xml", 4, 4,
                  kOnBushings);
BENCHMARK_CAPTURE(run_batch, sedan_on_bushings_eight, "sedan.xml", "step_steer.xml", 8, 8,
                  kOnBushings);
BENCHMARK_CAPTURE(run_batch, sedan_of_a_study_four, "sedan.xml", "step_steer.xml", 4, 4, kOfAStudy);
BENCHMARK_CAPTURE(run_batch, sedan_of_a_study_eight, "sedan.xml", "step_steer.xml", 8, 8,
                  kOfAStudy);
BENCHMARK_CAPTURE(run_batch, sedan_thousand_by_eight_ten_steps, "sedan.xml", "step_steer.xml", 1000,
                  8, kTenAtOnce);

/// Sedans that are driven from outside at 2 ms: ten steps, then three outputs of each.
struct Fleet {
  Fleet() {
    const DriveDescription read = read_drive(timing::kVehicles + "models/sedan.xml",
                                             timing::kVehicles + "scenarios/step_steer.xml", {});
    const Session first(read, {.step = 2e-3});
    for (int k = 0; k < 200; ++k) {
      cars.push_back(std::make_unique<Session>(first));
      all.push_back(cars.back().get());
    }
    std::vector<std::size_t> wanted;
    for (const char* name : {"chassis.wz", "chassis.roll", "chassis.ay"})
      wanted.push_back(static_cast<std::size_t>(first.find_output(name)));
    choice = first.choose_outputs(wanted);
    start.resize(first.saved_size());
    first.save(start.data());
    status.resize(cars.size(), StepStatus::converged);
    beside = std::make_unique<SessionsSideBySide>(all);
  }
  std::vector<std::unique_ptr<Session>> cars;
  std::vector<Session*> all;
  OutputChoice choice;
  std::vector<std::byte> start;
  std::vector<StepStatus> status;
  std::unique_ptr<SessionsSideBySide> beside;
};

void run_sessions(benchmark::State& bench, bool side_by_side) {
  constexpr int kSteps = 10;
  constexpr int kBack = 125;  // rows of ten steps: 2.5 s
  Fleet& fleet = timing::kept<Fleet>("fleet", [] { return std::make_unique<Fleet>(); });
  std::array<double, 3> values{};
  int row = kBack;
  for (auto _ : bench) {
    if (++row > kBack) {
      bench.PauseTiming();
      for (const auto& car : fleet.cars)
        static_cast<void>(car->restore(fleet.start.data(), fleet.start.size()));
      row = 0;
      bench.ResumeTiming();
    }
    if (side_by_side)
      fleet.beside->step(kSteps, fleet.status.data());
    else
      for (std::size_t k = 0; k < fleet.cars.size(); ++k)
        for (int n = 0; n < kSteps; ++n) fleet.status[k] = fleet.cars[k]->step();
    for (const auto& car : fleet.cars) car->read_outputs(fleet.choice, values.data());
    benchmark::DoNotOptimize(values);
  }
  for (const StepStatus status : fleet.status)
    if (status != StepStatus::converged) std::abort();
  const auto taken =
      static_cast<double>(bench.iterations()) * kSteps * static_cast<double>(fleet.cars.size());
  bench.counters["car_us"] =
      benchmark::Counter(1e-6 * taken, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK_CAPTURE(run_sessions, sedan_one_by_one, false);
BENCHMARK_CAPTURE(run_sessions, sedan_side_by_side, true);

/// Sedans that fill a register, 1.5 s into a step of the steering wheel: two inputs of each are set
/// and twenty outputs read at every millisecond, as a loop of learning or control does.
struct DrivenFleet {
  explicit DrivenFleet(int lanes) {
    const DriveDescription read = read_drive(timing::kVehicles + "models/sedan.xml",
                                             timing::kVehicles + "scenarios/step_steer.xml", {});
    Session first(read, {.step = 1e-3});
    for (int k = 0; k < 1500; ++k)
      if (first.step() != StepStatus::converged) std::abort();
    for (int k = 0; k < lanes; ++k) {
      cars.push_back(std::make_unique<Session>(first));
      all.push_back(cars.back().get());
    }
    std::vector<std::size_t> wanted;
    for (const char* name :
         {"time",         "chassis.x",      "chassis.y",      "chassis.z",   "chassis.vx",
          "chassis.vy",   "chassis.vz",     "chassis.ax",     "chassis.ay",  "chassis.az",
          "chassis.roll", "chassis.pitch",  "chassis.yaw",    "chassis.wx",  "chassis.wy",
          "chassis.wz",   "steering.value", "throttle.value", "brake.value", "gear.value"})
      wanted.push_back(static_cast<std::size_t>(first.find_output(name)));
    choice = first.choose_outputs(wanted);
    values.resize(wanted.size());
    start.resize(first.saved_size());
    first.save(start.data());
    steering = first.find_input("steering");
    throttle = first.find_input("throttle");
    status.resize(cars.size(), StepStatus::converged);
    beside = std::make_unique<SessionsSideBySide>(all, lanes);
  }
  std::vector<std::unique_ptr<Session>> cars;
  std::vector<Session*> all;
  OutputChoice choice;
  std::vector<double> values;
  std::vector<std::byte> start;
  int steering = -1, throttle = -1;
  std::vector<StepStatus> status;
  std::unique_ptr<SessionsSideBySide> beside;
};

void run_driven_sessions(benchmark::State& bench, int lanes) {
  if (lanes > cars_side_by_side()) {
    bench.SkipWithError("this processor has no AVX-512");
    return;
  }
  constexpr int kBack = 500;
  DrivenFleet& fleet = timing::kept<DrivenFleet>(
      "driven" + std::to_string(lanes), [&] { return std::make_unique<DrivenFleet>(lanes); });
  int step = kBack;
  for (auto _ : bench) {
    if (++step > kBack) {
      bench.PauseTiming();
      for (const auto& car : fleet.cars)
        static_cast<void>(car->restore(fleet.start.data(), fleet.start.size()));
      step = 0;
      bench.ResumeTiming();
    }
    for (const auto& car : fleet.cars) {
      static_cast<void>(car->set_input(fleet.steering, 0.05));
      static_cast<void>(car->set_input(fleet.throttle, 0.1));
    }
    fleet.beside->step(1, fleet.status.data());
    for (const auto& car : fleet.cars) car->read_outputs(fleet.choice, fleet.values.data());
    benchmark::DoNotOptimize(fleet.values.data());
  }
  for (const StepStatus status : fleet.status)
    if (status != StepStatus::converged) std::abort();
  bench.counters["car_us"] =
      benchmark::Counter(1e-6 * static_cast<double>(bench.iterations()) * lanes,
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK_CAPTURE(run_driven_sessions, sedan_four, 4);
BENCHMARK_CAPTURE(run_driven_sessions, sedan_eight, 8);

}  // namespace
}  // namespace semirec
