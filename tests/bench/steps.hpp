#pragma once

#include <functional>
#include <malloc.h>
#include <memory>
#include <string>

#include <benchmark/benchmark.h>

#include "integrator/model.hpp"
#include "integrator/report.hpp"
#include "integrator/state.hpp"
#include "integrator/workspace.hpp"

namespace semirec::timing {

/// The folder of vehicles in this repository.
inline const std::string kVehicles = std::string(SEMIREC_SOURCE_DIR) + "/vehicles/";

/// Times steps from `start`, going back to it after `back` of them; a step that fails ends the
/// benchmark with its reason. Counters: iterations a step, largest last correction (m, rad),
/// share of steps that settled, coordinates, rows.
void time_steps(benchmark::State& bench, const Model& model, const StepSettings& settings,
                const State& start, Workspace& ws, int back = 500);

/// Bytes of the heap that are taken.
inline double heap_in_use() {
  const struct mallinfo2 info = mallinfo2();
  return static_cast<double>(info.uordblks + info.hblkhd);
}

/// What `make` makes, kept until another key of the same type is asked for: Google Benchmark calls
/// a benchmark several times to find its number of iterations.
template <class Made>
Made& kept(const std::string& key, const std::function<std::unique_ptr<Made>()>& make) {
  static std::string last;
  static std::unique_ptr<Made> made;
  if (!made || last != key) {
    made.reset();
    made = make();
    last = key;
  }
  return *made;
}

}  // namespace semirec::timing
