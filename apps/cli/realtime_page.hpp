#pragma once

#include <nlohmann/json_fwd.hpp>

#include "apps/cli/commands.hpp"
#include "apps/realtime/kept_frames.hpp"
#include "apps/realtime/runner.hpp"
#include "apps/report/report.hpp"

namespace semirec::cli {

/// The page of a run against the clock: the drive, how long periods took, what `json`
/// (realtime_json()) says. Leaves the session at the last frame that was kept.
report::Report make_realtime_page(const Files& files, const DriveDescription& loaded,
                                  const nlohmann::ordered_json& json,
                                  const realtime::Runner& runner,
                                  const realtime::KeptFrames& frames, Session& session);

}  // namespace semirec::cli
