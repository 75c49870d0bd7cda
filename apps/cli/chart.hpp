#pragma once

#include <string>
#include <vector>

#include "apps/cli/output.hpp"
#include "vehicles/analysis/answer.hpp"

namespace semirec::cli {

/// Draws the charts by gnuplot (chart_script.hpp), into NAME.svg of the folder. Empty, or one line
/// that says why there is no picture; then gnuplot's commands are in NAME.gp.
std::string draw_charts(const std::vector<Chart>& charts, const std::string& title,
                        const OutputFolder& folder, const std::string& name);

}  // namespace semirec::cli
