#pragma once

#include <string>

#include "apps/cli/commands.hpp"
#include "apps/report/report.hpp"

namespace semirec::cli {

/// The page of a vehicle that stands where it starts, with the notes of its file. `kind`: `info` or
/// `import`; `rank`: of the closure rows.
report::Report make_info_page(const std::string& kind, const Files& files,
                              const DriveDescription& loaded, const Drive& drive,
                              const State& state, int rank, Workspace& ws);

}  // namespace semirec::cli
