#pragma once

#include <string>

#include "integrator/workspace.hpp"
#include "vehicles/session/drive.hpp"

namespace semirec {

// What is worth a line at a start that is taken as it is drawn and written.

/// The wheels that stand still while the car goes, because the file gives the chassis a velocity
/// and the scenario no speed; empty where there are none. `model`, `state`: in relative
/// coordinates.
std::string describe_still_wheels(const Drive& drive, const Model& model, const State& state,
                                  Workspace& ws);

/// Tyres that carry more than three times the weight of what stands on them, or that are all above
/// the road by more than a tenth of a metre; empty where it is neither.
std::string describe_drop(const Drive& drive, const Model& model, const State& state,
                          Workspace& ws);

}  // namespace semirec
