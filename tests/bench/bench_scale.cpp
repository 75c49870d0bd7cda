// Cost of a step with two iterations against the size of the model: rows of four-bars, trains of
// cars, trucks on bushings. scripts/scaling prints the tables with their exponents.
//
// All these models are written closed and at consistent rates; the dense assembly of initialize()
// is passed by.
#include <chrono>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

#include <benchmark/benchmark.h>

#include "integrator/compile.hpp"
#include "integrator/formulation/evaluate.hpp"
#include "integrator/statics/initial_conditions.hpp"
#include "integrator/step.hpp"
#include "tests/bench/scale_models.hpp"
#include "tests/bench/steps.hpp"
#include "tests/support/mechanisms.hpp"

namespace semirec::timing {
namespace {

/// A model on its way, and what it took to get there.
struct Case {
  Model model;
  std::unique_ptr<Workspace> ws;
  State start;
  StepSettings settings;
  double compile_ms = 0.0;
  double bytes = 0.0;  ///< of model and workspace
};

std::unique_ptr<Case> make_case(const std::function<ScaleModel()>& describe, double h) {
  ScaleModel described = describe();
  auto made = std::make_unique<Case>();
  made->settings.h = h;
  made->settings.iterations = 2;
  const double before = timing::heap_in_use();
  const auto begin = std::chrono::steady_clock::now();
  made->model = compile(described.mechanism, std::move(described.tyres));
  made->compile_ms =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  made->ws = std::make_unique<Workspace>(made->model);
  made->bytes = timing::heap_in_use() - before;

  const Model& model = made->model;
  Workspace& ws = *made->ws;
  State& state = made->start;
  state = make_initial_state(model);
  evaluate_state(model, state, ws);
  if (model.m() > 0 && !(ws.closures.Phi.cwiseAbs().maxCoeff() < 1e-9 &&
                         ws.closures.Phid.cwiseAbs().maxCoeff() < 1e-9))
    throw std::runtime_error("the loops are not closed as written");
  find_effective_masses(model, made->settings, state, ws);
  if (!find_accelerations(model, state, ws)) throw std::runtime_error("no accelerations");
  for (int k = 0; k < 10; ++k)
    if (step(model, made->settings, state, ws).status != StepStatus::converged)
      throw std::runtime_error("the first steps fail");
  return made;
}

/// Fifty steps and back: 0.5 s of the four-bars, which leaves them this side of their flat
/// position.
void run_case(benchmark::State& bench, const std::string& name,
              const std::function<ScaleModel()>& describe, double h) {
  try {
    const Case& made = kept<Case>(name, [&] { return make_case(describe, h); });
    time_steps(bench, made.model, made.settings, made.start, *made.ws, 50);
    bench.counters["bytes"] = made.bytes;
    bench.counters["compile_ms"] = made.compile_ms;
  } catch (const std::exception& error) {
    bench.SkipWithError(error.what());
  }
}

void add(const std::string& name, const std::function<ScaleModel()>& describe, double h) {
  benchmark::RegisterBenchmark(
      name.c_str(), [=](benchmark::State& bench) { run_case(bench, name, describe, h); });
}

void add_all() {
  struct Kind {
    std::string name;
    test::LoopKind kind;
  };
  for (const Kind& kind :
       {Kind{"planar", test::LoopKind::planar}, Kind{"revolute", test::LoopKind::revolute},
        Kind{"redundant", test::LoopKind::redundant}})
    for (const int count : {1, 2, 5, 10, 20, 40, 100, 200, 500, 1000})
      add(
          "four_bars/" + kind.name + "/" + std::to_string(count),
          [=] {
            ScaleModel model;
            model.mechanism = test::make_four_bars(count, kind.kind);
            return model;
          },
          1e-2);
  for (const int count : {1, 2, 4, 8, 16, 32}) {
    add(
        "train/closed/" + std::to_string(count), [=] { return make_train(count, Links::closed); },
        1e-3);
    add(
        "train/tree/" + std::to_string(count), [=] { return make_train(count, Links::tree); },
        1e-3);
  }
  for (const int axles : {1, 2, 5, 10, 20}) {
    const std::string corners = std::to_string(2 * axles);
    add(
        "truck/bushings/" + corners, [=] { return make_truck(axles, Ends::bushings); }, 1e-3);
    add(
        "truck/joints/" + corners, [=] { return make_truck(axles, Ends::joints); }, 1e-3);
    add(
        "truck/rods/" + corners, [=] { return make_truck(axles, Ends::rods); }, 1e-3);
  }
}

const int scale_registered = (add_all(), 0);

}  // namespace
}  // namespace semirec::timing
