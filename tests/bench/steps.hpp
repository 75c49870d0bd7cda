#pragma once

#include <benchmark/benchmark.h>

#include "integrator/model.hpp"
#include "integrator/report.hpp"
#include "integrator/state.hpp"
#include "integrator/workspace.hpp"

namespace semirec::timing {

/// Times steps from `start`, going back to it after `back` of them; a step that fails ends the
/// benchmark with its reason. Counters: iterations a step, largest last correction (m, rad),
/// coordinates, rows.
void time_steps(benchmark::State& bench, const Model& model, const StepSettings& settings,
                const State& start, Workspace& ws, int back = 500);

}  // namespace semirec::timing
