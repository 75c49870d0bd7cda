#pragma once

#include <functional>
#include <string>

#include "apps/report/motion_recorder.hpp"
#include "vehicles/analysis/steady_state.hpp"

namespace semirec::report {

/// A motion for a page and the course that the road is drawn along.
struct ShownMotion {
  Motion motion;
  DrivenCourse course;
  std::string failure{};  ///< one line on a run that broke down; empty: it did not
};

/// Runs a drive from its start and shows it; one that fails is shown up to there. `share`: of the
/// page that it may take (MotionRecorder). `keep_going`: called after every step; false: stop.
/// Throws ModelError where there is no start.
ShownMotion record_run(Drive& drive, double share = 1.0,
                       const std::function<bool()>& keep_going = {});

/// One state, at time 0.
ShownMotion show_state(const Drive& drive, const State& state, Workspace& ws);

/// The vehicle as its file draws it: one frame in the design position.
Motion show_design(const Vehicle& vehicle, const std::string& name);

/// Steady states of a car, over their lateral acceleration where there are several.
ShownMotion show_turns(SteadyCar& car, const std::vector<SteadyTurn>& turns);

}  // namespace semirec::report
