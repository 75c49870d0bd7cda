#pragma once

#include <vector>

#include "apps/cli/commands.hpp"
#include "apps/cli/compare_output.hpp"
#include "apps/report/report.hpp"

namespace semirec::cli {

/// The page of a comparison: one run of each formulation at `step` (s), which are shown as cars on
/// one another, its rows as a table, and errors over CPU times. Throws ModelError.
report::Report make_compare_page(const Files& files, const Bench& bench,
                                 const std::vector<Method>& methods, double step,
                                 const Comparison& comparison);

}  // namespace semirec::cli
