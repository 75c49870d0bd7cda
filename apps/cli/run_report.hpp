#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "apps/report/motion_recorder.hpp"
#include "apps/report/report.hpp"
#include "integrator/simulation.hpp"
#include "vehicles/description/drive_description.hpp"
#include "vehicles/session/drive.hpp"

namespace semirec::cli {

/// What a page needs of a run beside what its summary says.
struct ReportedRun {
  const DriveDescription& description;
  const Drive& drive;
  const RunReport& result;
  const nlohmann::ordered_json& summary;  ///< as summary.json has it
  std::string vehicle_file, scenario_file;
  std::vector<std::string> notes;  ///< as they were printed
};

/// The page of a run. Throws ModelError.
report::Report make_run_report(const ReportedRun& run, report::MotionRecorder& motion);

}  // namespace semirec::cli
