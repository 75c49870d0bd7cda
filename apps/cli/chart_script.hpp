#pragma once

#include <string>
#include <vector>

#include "vehicles/analysis/answer.hpp"

namespace semirec::cli {

/// Commands of gnuplot that draw the charts into `picture` (SVG): one below the other, on two
/// columns where they are more than eight. Frames of a column stand between the same edges, charts
/// over time have one range of it, and keys stand beside the frames, for charts of several lines
/// alone. A chart in which nothing changes is left out and named below the title, unless all are
/// so.
std::string chart_script(const std::vector<Chart>& charts, const std::string& title,
                         const std::string& picture);

}  // namespace semirec::cli
