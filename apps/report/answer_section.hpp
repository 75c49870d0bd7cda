#pragma once

#include "apps/report/report.hpp"
#include "vehicles/analysis/answer.hpp"

namespace semirec::report {

/// Adds an answer to a page: title, quantities but for details, notes, charts, and the tables that
/// are printed or have no more than 2000 numbers.
void add_answer(const Answer& answer, Report& page);

}  // namespace semirec::report
