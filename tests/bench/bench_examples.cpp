// A step of each shipped example in its scenario by every formulation, and what stands before the
// first step: reading, compiling, taking memory, finding the start. The Iltis on the ramp and car26
// on its rig are in bench_formulations.cpp and bench_step.cpp.
#include <memory>
#include <stdexcept>
#include <string>

#include <benchmark/benchmark.h>

#include "integrator/simulation.hpp"
#include "tests/bench/steps.hpp"
#include "vehicles/files/xml/reader.hpp"
#include "vehicles/session/drive.hpp"

namespace semirec::timing {
namespace {

/// What is run, and the time after which its motion is typical, s. 200 steps from there no event
/// has come.
struct Example {
  std::string model, scenario;
  double warm;
};

Drive make_example(const std::string& model, const std::string& scenario,
                   const CompileSettings& settings = {}) {
  return make_drive(read_drive(kVehicles + "models/" + model + ".xml",
                               kVehicles + "scenarios/" + scenario + ".xml"),
                    settings);
}

/// An example brought to its typical motion.
struct WarmExample {
  Drive drive;
  std::unique_ptr<Workspace> ws;
  State start;
};

std::unique_ptr<WarmExample> warm_up(const Example& example, Formulation formulation) {
  auto warm = std::make_unique<WarmExample>();
  warm->drive = make_example(example.model, example.scenario, {.formulation = formulation});
  warm->ws = std::make_unique<Workspace>(warm->drive.model);
  warm->start = start_drive(warm->drive, *warm->ws);
  RunSettings settings = warm->drive.settings;
  settings.until = example.warm;
  settings.audit = false;
  const RunReport report = run(warm->drive.model, settings, warm->start, *warm->ws);
  if (report.status != RunStatus::finished) throw std::runtime_error(report.message);
  return warm;
}

void run_example(benchmark::State& bench, const Example& example, Formulation formulation,
                 int iterations) {
  try {
    const WarmExample& warm =
        kept<WarmExample>(example.model + example.scenario + name_of(formulation),
                          [&] { return warm_up(example, formulation); });
    StepSettings settings = warm.drive.settings.step;
    settings.iterations = iterations;
    time_steps(bench, warm.drive.model, settings, warm.start, *warm.ws, 200);
  } catch (const std::exception& error) {
    bench.SkipWithError(error.what());
  }
}

void add_examples() {
  for (const Example& example :
       {Example{"car21", "shaker", 0.75}, Example{"iltis", "bump_5", 0.6},
        Example{"iltis_spinning", "bump_5", 0.6}, Example{"iltis_suspension", "kerb_7s", 3.0},
        Example{"double_four_bar", "free_10s", 0.5}, Example{"puma", "puma_manoeuvre", 3.0}})
    for (const int iterations : {2, 0})
      for (const Formulation formulation : all_formulations())
        benchmark::RegisterBenchmark(
            ("example/" + example.model + "/" + example.scenario +
             (iterations > 0 ? "/two_iterations/" : "/converged/") + name_of(formulation))
                .c_str(),
            [=](benchmark::State& bench) { run_example(bench, example, formulation, iterations); });
}

void add_startup() {
  struct Start {
    std::string model, scenario;
  };
  for (const Start& s : {Start{"car26", "shaker"}, Start{"iltis", "ramp_and_stairs"},
                         Start{"puma", "puma_manoeuvre"}, Start{"double_four_bar", "free_10s"}}) {
    benchmark::RegisterBenchmark(("startup/read/" + s.model).c_str(), [=](benchmark::State& bench) {
      for (auto _ : bench) {
        benchmark::DoNotOptimize(read_drive(kVehicles + "models/" + s.model + ".xml",
                                            kVehicles + "scenarios/" + s.scenario + ".xml"));
      }
    });
    benchmark::RegisterBenchmark(
        ("startup/compile/" + s.model).c_str(), [=](benchmark::State& bench) {
          const DriveDescription read = read_drive(kVehicles + "models/" + s.model + ".xml",
                                                   kVehicles + "scenarios/" + s.scenario + ".xml");
          for (auto _ : bench) benchmark::DoNotOptimize(make_drive(read));
        });
    benchmark::RegisterBenchmark(("startup/workspace/" + s.model).c_str(),
                                 [=](benchmark::State& bench) {
                                   const Drive drive = make_example(s.model, s.scenario);
                                   for (auto _ : bench) {
                                     const Workspace ws(drive.model);
                                     benchmark::DoNotOptimize(&ws);
                                   }
                                 });
    benchmark::RegisterBenchmark(("startup/initialize/" + s.model).c_str(),
                                 [=](benchmark::State& bench) {
                                   const Drive drive = make_example(s.model, s.scenario);
                                   Workspace ws(drive.model);
                                   for (auto _ : bench)
                                     benchmark::DoNotOptimize(start_drive(drive, ws));
                                 });
  }
}

const int examples_registered = (add_examples(), add_startup(), 0);

}  // namespace
}  // namespace semirec::timing
