#include "apps/report/recorded_run.hpp"

#include <limits>

namespace semirec::report {

ShownMotion record_run(Drive& drive, double share, const std::function<bool()>& keep_going) {
  const Recorder recorder(drive.model, drive.recorder);
  Workspace ws(drive.model);
  Workspace scratch(drive.model);
  State state = start_drive(drive, ws);
  MotionRecorder motion(drive, recorder.channels(), state.t, drive.settings.until,
                        drive.settings.control.tolerance > 0.0 ? 0.0 : drive.settings.step.h,
                        share);
  std::vector<double> values;
  RunObserver observer;
  observer.record = [&](const State& at, const Energy& /*energy*/) {
    recorder.record(drive.model, at, scratch, values);
    motion.see(at, values, scratch);
    return true;
  };
  if (keep_going) observer.keep_going = [&](double /*t*/) { return keep_going(); };
  drive.settings.record = 0.0;
  drive.settings.audit = false;
  const RunReport report = run(drive.model, drive.settings, state, ws, observer);
  recorder.record(drive.model, state, scratch, values);
  motion.see_last(state, values, scratch);
  return {motion.finish(), motion.course(),
          report.status == RunStatus::failed ? report.message : std::string()};
}

ShownMotion show_state(const Drive& drive, const State& state, Workspace& ws) {
  const Recorder recorder(drive.model, drive.recorder);
  MotionRecorder motion(drive, recorder.channels(), 0.0, 1.0, 0.0);
  std::vector<double> values;
  recorder.record(drive.model, state, ws, values);
  motion.take(0.0, state, values, ws);
  return {motion.finish(), motion.course()};
}

Motion show_design(const Vehicle& vehicle, const std::string& name) {
  constexpr std::size_t kAlone = std::numeric_limits<std::size_t>::max();  // no pose before it
  Motion motion;
  motion.name = name;
  motion.frame_times = {0.0};
  append_pose({}, kAlone, motion.poses);
  for (const Body& body : vehicle.mechanism.bodies) append_pose(body.X_WB, kAlone, motion.poses);
  return motion;
}

ShownMotion show_turns(SteadyCar& car, const std::vector<SteadyTurn>& turns) {
  MotionRecorder motion(car.drive(), car.recorder().channels(), 0.0, 1.0, 0.0);
  for (const SteadyTurn& turn : turns)
    motion.take(turns.size() > 1 ? turn.lateral_acceleration : 0.0, turn.state, car.channels(turn),
                car.workspace());
  ShownMotion shown{motion.finish(), motion.course()};
  if (turns.size() > 1) {
    shown.motion.axis = "lateral acceleration";
    shown.motion.axis_unit = "m/s^2";
  }
  return shown;
}

}  // namespace semirec::report
