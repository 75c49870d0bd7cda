#pragma once

#include <string>
#include <vector>

#include "integrator/simulation.hpp"

namespace semirec {

/// In one line why runs with these settings cannot take their steps side by side; empty where they
/// can: batch_fault() of the steps, and neither audit, events, steps cut at contacts nor an error
/// tolerance. Allocates.
std::string side_by_side_fault(const RunSettings& settings);

/// One of several runs. All outlive them.
struct RunOfCar {
  const Model* model;
  State* state;  ///< consistent; moved to the end of the run
  Workspace* ws;
  const RunObserver* observer;
};

/// run() of each, steps of the grid side by side (Batch): what comes out is what run() makes of
/// each car but for round-off, and the same bits whoever the others are. A grid step within which
/// an input of a car jumps or begins to run otherwise, and one that fails, the car takes alone, cut
/// or in halves as run() does, and comes back. Of the duration of steps the reports say nothing.
/// `lanes`: as of Batch. Throws std::invalid_argument with side_by_side_fault() or batch_fault()
/// where there is one, and where the runs do not begin at one time or share a state or workspace.
std::vector<RunReport> run_side_by_side(const RunSettings& settings,
                                        const std::vector<RunOfCar>& cars, int lanes = 0);

}  // namespace semirec
