#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "vehicles/analysis/answer.hpp"

namespace semirec::cli {

/// Draws the charts one below the other into an SVG file by gnuplot. Empty, or one line that says
/// why there is no picture; then the commands stay beside it under the ending .gp.
std::string draw_charts(const std::vector<Chart>& charts, const std::string& title,
                        const std::filesystem::path& file);

}  // namespace semirec::cli
