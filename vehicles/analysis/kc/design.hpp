#pragma once

#include "vehicles/analysis/answer.hpp"
#include "vehicles/analysis/kc/rig.hpp"

namespace semirec {

/// Quantities of one axle in the design position, all by linearization there, with the change that
/// half the difference step makes as their uncertainty. `notes` gets what cannot be said.
/// Throws AnalysisError.
std::vector<Quantity> find_design_quantities(const Vehicle& vehicle, const Rig& rig,
                                             std::size_t axle, Workspace& ws,
                                             std::vector<std::string>& notes);

/// The same of the compliance of an axle; the matrices go to `tables`.
std::vector<Quantity> find_compliance_quantities(const Rig& rig, std::size_t axle, Workspace& ws,
                                                 std::vector<Table>& tables);

}  // namespace semirec
