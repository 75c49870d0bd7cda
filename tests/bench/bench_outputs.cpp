// Reading outputs after a step of the sedan, beside the step itself: all, and twenty by choice. The
// percentiles are of single reads, of which an empty one between two looks at the clock is taken.
#include <algorithm>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "tests/bench/steps.hpp"
#include "vehicles/files/xml/reader.hpp"
#include "vehicles/session/session.hpp"

namespace semirec::timing {
namespace {

using Clock = std::chrono::steady_clock;

/// A session one and a half seconds into its scenario.
Session& warm_sedan() {
  return kept<Session>("sedan", [] {
    auto session = std::make_unique<Session>(
        read_drive(kVehicles + "models/sedan.xml", kVehicles + "scenarios/step_steer.xml"));
    for (int k = 0; k < 1500; ++k)
      if (session->step() != StepStatus::converged) throw std::runtime_error("the sedan failed");
    return session;
  });
}

/// The motion of the chassis and what a controller of its yaw reads beside it.
const std::vector<std::string> kMotion{
    "time",       "chassis.x",    "chassis.y",     "chassis.z",  "chassis.vx", "chassis.vy",
    "chassis.vz", "chassis.ax",   "chassis.ay",    "chassis.az", "chassis.wx", "chassis.wy",
    "chassis.wz", "chassis.roll", "chassis.pitch", "chassis.yaw"};
std::vector<std::string> motion_with(const std::vector<std::string>& more) {
  std::vector<std::string> names = kMotion;
  names.insert(names.end(), more.begin(), more.end());
  return names;
}

std::vector<std::size_t> places_of(const Session& session, const std::vector<std::string>& names) {
  std::vector<std::size_t> places;
  for (const std::string& name : names) {
    const int k = session.find_output(name);
    if (k < 0) throw std::runtime_error("the sedan has no output " + name);
    places.push_back(static_cast<std::size_t>(k));
  }
  return places;
}

/// Times `read` after each step; the step alone where it does nothing.
template <typename Read>
void time_reads(benchmark::State& bench, Session& session, const Read& read) {
  std::vector<std::byte> start(session.saved_size());
  session.save(start.data());
  std::vector<double> spent, empty;
  const auto nanoseconds = [](Clock::time_point from, Clock::time_point to) {
    return std::chrono::duration<double, std::nano>(to - from).count();
  };
  int count = 0;
  for (auto _ : bench) {
    benchmark::DoNotOptimize(session.step());
    const auto begin = Clock::now();
    const auto again = Clock::now();
    read();
    const auto end = Clock::now();
    empty.push_back(nanoseconds(begin, again));
    spent.push_back(nanoseconds(again, end));
    bench.SetIterationTime(spent.back() * 1e-9);
    if (++count % 500 == 0) session.restore(start.data(), start.size());
  }
  session.restore(start.data(), start.size());
  std::sort(spent.begin(), spent.end());
  std::sort(empty.begin(), empty.end());
  const auto part = [&](double p) {
    return spent[std::min(spent.size() - 1,
                          static_cast<std::size_t>(p * static_cast<double>(spent.size())))] -
           empty[empty.size() / 2];
  };
  bench.counters["p50_ns"] = part(0.5);
  bench.counters["p99.9_ns"] = part(0.999);
  bench.counters["max_ns"] = part(1.0);
}

void outputs_step(benchmark::State& bench) {
  Session& session = warm_sedan();
  time_reads(bench, session, [&] { benchmark::DoNotOptimize(session.step()); });
}
BENCHMARK(outputs_step)->UseManualTime();

void outputs_all(benchmark::State& bench) {
  Session& session = warm_sedan();
  std::vector<double> values(session.outputs().size());
  time_reads(bench, session, [&] { session.read_outputs(values.data()); });
}
BENCHMARK(outputs_all)->UseManualTime();

void outputs_chosen(benchmark::State& bench, const std::vector<std::string>& names) {
  Session& session = warm_sedan();
  const OutputChoice choice = session.choose_outputs(places_of(session, names));
  std::vector<double> values(names.size());
  time_reads(bench, session, [&] { session.read_outputs(choice, values.data()); });
  bench.counters["outputs"] = static_cast<double>(names.size());
}
BENCHMARK_CAPTURE(outputs_chosen, one, {"chassis.wz"})->UseManualTime();
BENCHMARK_CAPTURE(outputs_chosen, motion_and_inputs,
                  motion_with({"steering.value", "throttle.value", "brake.value", "gear.value"}))
    ->UseManualTime();
BENCHMARK_CAPTURE(outputs_chosen, motion_and_brakes,
                  motion_with({"brake_fl.speed", "brake_fr.speed", "brake_rl.speed",
                               "brake_rr.speed"}))
    ->UseManualTime();
BENCHMARK_CAPTURE(outputs_chosen, motion_and_tyres,
                  motion_with({"wheel_fl.Fz", "wheel_fr.Fz", "wheel_rl.Fz", "wheel_rr.Fz"}))
    ->UseManualTime();

}  // namespace
}  // namespace semirec::timing
