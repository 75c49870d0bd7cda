#pragma once

#include <vector>

#include "apps/report/report.hpp"
#include "vehicles/analysis/kc/kc.hpp"

namespace semirec::report {

/// The curves of a suspension rig as motions over their own axes, shown by turns. Bodies of the
/// vehicle that are not on the rig (other units) stay where they are drawn.
std::vector<Motion> show_rig(const Vehicle& vehicle, const std::vector<KcMotion>& rig);

}  // namespace semirec::report
