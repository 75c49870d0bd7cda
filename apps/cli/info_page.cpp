#include "apps/cli/info_page.hpp"

#include "apps/report/model_section.hpp"
#include "apps/report/recorded_run.hpp"

namespace semirec::cli {

report::Report make_info_page(const std::string& kind, const Files& files,
                              const DriveDescription& loaded, const Drive& drive,
                              const State& state, int rank, Workspace& ws) {
  report::Report page = report::begin_report(kind, loaded.vehicle, files.vehicle);
  page.title = drive.model.mechanism.name;
  page.notes = loaded.vehicle.notes;
  page.facts.push_back({"coordinates", static_cast<double>(drive.model.n()), "1"});
  page.facts.push_back({"closure rows", static_cast<double>(drive.model.m()), "1"});
  page.facts.push_back({"degrees of freedom", static_cast<double>(drive.model.n() - rank), "1"});
  report::ShownMotion shown = report::show_state(drive, state, ws);
  shown.motion.name = files.scenario.empty() ? "design position" : loaded.scenario.name;
  page.motions.push_back(std::move(shown.motion));
  page.road = report::make_road_mesh(loaded.scenario, shown.course);
  return page;
}

}  // namespace semirec::cli
