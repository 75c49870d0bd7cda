#pragma once

#include <string>
#include <vector>

#include "apps/report/report.hpp"
#include "vehicles/description/vehicle.hpp"

namespace semirec::report {

/// The model as a page shows it: bodies, drawing, list of all elements with their lines, points
/// that look wrong. `file`: as it was named. Throws ModelError.
ModelSection make_model_section(const Vehicle& vehicle, const std::string& file);

/// Every element of a description in a line each, and beside those with two ends or more each end
/// (kind `hardpoint`).
std::vector<ListedElement> list_elements(const Vehicle& vehicle);

/// Mass, inertia about the centre of mass, wheelbase, tracks and counts, in the design position.
std::vector<Fact> find_model_facts(const Vehicle& vehicle);

/// What of a page says which vehicle it is: its model, facts of it, the file as subtitle, warnings
/// for points that look wrong. Throws ModelError.
Report begin_report(const std::string& kind, const Vehicle& vehicle, const std::string& file);

}  // namespace semirec::report
