// The formulations and schemes side by side: a step of each vehicle at equal step and iterations,
// and a step of chains of 10 to 1000 bodies. scripts/scaling prints the latter as a table.
#include <memory>
#include <string>

#include <benchmark/benchmark.h>

#include "integrator/compile.hpp"
#include "integrator/statics/initial_conditions.hpp"
#include "integrator/step.hpp"
#include "tests/bench/steps.hpp"
#include "tests/support/mechanisms.hpp"
#include "vehicles/files/xml/reader.hpp"
#include "vehicles/session/drive.hpp"

namespace semirec {
namespace {

/// A drive 1500 steps of 1 ms into its scenario.
struct WarmVehicle {
  Drive drive;
  std::unique_ptr<Workspace> ws;
  State start;
  StepSettings settings;
};

std::unique_ptr<WarmVehicle> warm_up(const std::string& vehicle, const std::string& scenario,
                                     Formulation formulation, TangentChoice tangent,
                                     const SchemeChoice& scheme = {},
                                     Closing closing = Closing::penalty) {
  auto warm = std::make_unique<WarmVehicle>();
  DriveDescription read = read_drive(timing::kVehicles + "models/" + vehicle,
                                     timing::kVehicles + "scenarios/" + scenario);
  read.scenario.scheme = scheme;
  read.scenario.closing = closing;
  warm->drive = make_drive(read, {tangent, formulation});
  warm->ws = std::make_unique<Workspace>(warm->drive.model);
  warm->start = start_drive(warm->drive, *warm->ws);
  warm->settings = warm->drive.settings.step;
  warm->settings.h = 1e-3;
  for (int k = 0; k < 1500; ++k)
    if (step(warm->drive.model, warm->settings, warm->start, *warm->ws).status !=
        StepStatus::converged)
      std::abort();
  return warm;
}

/// `iterations` 0: until converged.
void run_vehicle(benchmark::State& bench, const std::string& vehicle, const std::string& scenario,
                 Formulation formulation, TangentChoice tangent, int iterations) {
  const std::string key =
      vehicle + scenario + name_of(formulation) + std::to_string(static_cast<int>(tangent));
  const WarmVehicle& warm = timing::kept<WarmVehicle>(
      key, [&] { return warm_up(vehicle, scenario, formulation, tangent); });
  StepSettings settings = warm.settings;
  settings.iterations = iterations;
  timing::time_steps(bench, warm.drive.model, settings, warm.start, *warm.ws);
}

void add_vehicles() {
  struct Car {
    std::string vehicle, scenario;
  };
  struct Method {
    std::string name;
    Formulation formulation;
    TangentChoice tangent = TangentChoice::automatic;
  };
  for (const Car& car : {Car{"iltis", "ramp_and_stairs"}, Car{"car26", "shaker"}})
    for (const int iterations : {2, 0})
      for (const Method& method :
           {Method{"hybrid", Formulation::hybrid}, Method{"global_cholmod", Formulation::global},
            Method{"global_tree", Formulation::global, TangentChoice::tree},
            Method{"topological", Formulation::topological},
            Method{"recursive", Formulation::recursive}})
        benchmark::RegisterBenchmark(
            ("vehicle/" + car.vehicle + (iterations > 0 ? "/two_iterations/" : "/converged/") +
             method.name)
                .c_str(),
            [=](benchmark::State& bench) {
              run_vehicle(bench, car.vehicle + ".xml", car.scenario + ".xml", method.formulation,
                          method.tangent, iterations);
            });
}

/// A step of each scheme and closing that promises what it costs against the hybrid trapezoidal
/// step of two iterations, `method/.../trapezoid`.
void add_methods() {
  struct Method {
    std::string name;
    Formulation formulation = Formulation::hybrid;
    SchemeChoice scheme;
    Closing closing = Closing::penalty;
    int iterations = 2;
  };
  const SchemeChoice hht = choose_scheme("hht", {{"alpha", -0.05}});
  const SchemeChoice euler = choose_scheme("linearly_implicit_euler", {});
  for (const char* car : {"car26/shaker", "sedan/step_steer"})
    for (const Method& method :
         {Method{"trapezoid"}, Method{"hht", Formulation::hybrid, hht},
          Method{"linearly_implicit_independent", Formulation::hybrid, euler, Closing::independent,
                 0},
          Method{"linearly_implicit_dependent", Formulation::hybrid, euler, Closing::multipliers,
                 0},
          Method{"cartesian_penalty", Formulation::cartesian},
          Method{"cartesian_multipliers", Formulation::cartesian, {}, Closing::multipliers}})
      benchmark::RegisterBenchmark(
          ("method/" + std::string(car) + "/" + method.name).c_str(), [=](benchmark::State& bench) {
            const std::string name = car;
            const std::size_t slash = name.find('/');
            const WarmVehicle& warm = timing::kept<WarmVehicle>(name + method.name, [&] {
              return warm_up(name.substr(0, slash) + ".xml", name.substr(slash + 1) + ".xml",
                             method.formulation, TangentChoice::automatic, method.scheme,
                             method.closing);
            });
            StepSettings settings = warm.settings;
            settings.iterations = method.iterations;
            timing::time_steps(bench, warm.drive.model, settings, warm.start, *warm.ws);
          });
}

/// Rods of 0.1 m from joint to joint along x, hinges about y and z in turn: a spatial chain.
Mechanism make_chain(int count) {
  Mechanism mechanism;
  mechanism.name = "chain";
  const double length = 0.1;
  BodyIndex last = kGround;
  for (int k = 0; k < count; ++k) {
    const std::string number = std::to_string(k);
    const Eigen::Vector3d from(length * k, 0.0, 0.0);
    const Eigen::Vector3d to(length * (k + 1), 0.0, 0.0);
    const BodyIndex body = test::add_rod(mechanism, "rod" + number, 0.1, from, to);
    mechanism.bodies.back().inertia(0, 0) = 1e-6;
    test::add_joint(
        mechanism, "hinge" + number, JointType::revolute, last, body,
        make_frame(from, k % 2 == 0 ? Eigen::Vector3d::UnitY() : Eigen::Vector3d::UnitZ()));
    last = body;
  }
  return mechanism;
}

void run_chain(benchmark::State& bench, int count, Formulation formulation) {
  CompileSettings compile_settings;
  compile_settings.formulation = formulation;
  const Model model = compile(make_chain(count), {}, compile_settings);
  Workspace ws(model);
  StepSettings settings;
  settings.h = 1e-4;
  State state = make_initial_state(model);
  initialize(model, settings, state, ws);
  for (int k = 0; k < 3; ++k)
    if (step(model, settings, state, ws).status != StepStatus::converged) std::abort();
  settings.iterations = 2;
  timing::time_steps(bench, model, settings, state, ws);
}

void add_chains() {
  for (const Formulation formulation :
       {Formulation::hybrid, Formulation::global, Formulation::recursive})
    for (const int count : {10, 20, 30, 50, 100, 200, 500, 1000})
      benchmark::RegisterBenchmark(
          (std::string("chain/") + name_of(formulation) + "/" + std::to_string(count)).c_str(),
          [=](benchmark::State& bench) { run_chain(bench, count, formulation); });
  // without loops there is nothing to project: the topological step is the hybrid's
  benchmark::RegisterBenchmark("chain/topological/100", [](benchmark::State& bench) {
    run_chain(bench, 100, Formulation::topological);
  });
}

const int formulations_registered = (add_vehicles(), add_methods(), add_chains(), 0);

}  // namespace
}  // namespace semirec
