#pragma once

#include <string>
#include <vector>

#include "apps/report/report.hpp"
#include "apps/report/road_mesh.hpp"
#include "apps/report/row_times.hpp"
#include "vehicles/session/drive.hpp"

namespace semirec::report {

/// s between frames, where there are not too many.
inline constexpr double kFrameInterval = 0.02;

/// A pose as a page has it, 7 numbers: x y z of the body frame (m) and the quaternion x y z w from
/// body to world, of the sign that is nearer to the one `size` numbers earlier in the list.
void append_pose(const Frame& X_WB, std::size_t size, std::vector<double>& poses);

/// append_pose() of the ground and of all bodies at a state.
void append_poses(const Model& model, const State& state, Workspace& ws,
                  std::vector<double>& poses);

/// Gathers what a page shows of a run: poses and the forces of tyres, joints, rods and springs (of
/// side a on side b, at their place on b) at most 50 times a second and 3000 times in all, the
/// recorder's channels at most 4000 times; fewer where bodies or channels are so many that the page
/// would grow beyond about 2 MB. How far wheels turn between frames is summed up over all that is
/// seen.
class MotionRecorder {
 public:
  /// begin, until: of the run, s; an end of infinity is not known, and frames and rows then get
  /// twice as far apart whenever they become too many; step: its step, s, of which rows are
  /// multiples; 0: steps of lengths of their own; share: of a page that this motion may take.
  MotionRecorder(const Drive& drive, const std::vector<Channel>& channels, double begin,
                 double until, double step, double share = 1.0);
  /// The state and its row of channels. `ws` is scratch.
  void see(const State& state, const std::vector<double>& values, Workspace& ws);
  /// The same of the last state, which is kept whatever the distance.
  void see_last(const State& state, const std::vector<double>& values, Workspace& ws);
  /// A frame and a row at a place of an axis that need not be time.
  void take(double place, const State& state, const std::vector<double>& values, Workspace& ws);

  /// s between rows at first; 0: every state that is seen.
  double rows_apart() const { return limits_.row_interval; }
  /// What was gathered; marks and name are the caller's.
  Motion finish();
  /// Where the chassis, or without one the first wheel's carrier, went; no points without either.
  const DrivenCourse& course() const { return course_; }

 private:
  /// How far apart frames and rows are at first, s, and how many there may be.
  struct Limits {
    double frame_interval, row_interval;
    std::size_t frames, rows;
  };
  static Limits find_limits(const Drive& drive, std::size_t channels, double duration, double step,
                            double share);
  struct TyreChannels {
    std::string name;
    std::size_t x, y, z, road, Fx, Fy, Fz;
  };
  struct SpinningWheel {
    std::size_t omega;   ///< channel
    double rate, angle;  ///< rad/s, rad, when it was last seen
  };
  /// To the time of what is seen now.
  void turn_wheels(double t, const std::vector<double>& values);
  void find_wheels();
  void take_frame(double place, const State& state, const std::vector<double>& values,
                  Workspace& ws);
  /// Arrows from `arrow` on, one for each of the list.
  void take_line_forces(const State& state, const std::vector<double>& values, Workspace& ws,
                        Arrow* arrow);
  void take_joint_forces(const State& state, Workspace& ws);
  void take_row(double place, const std::vector<double>& values);
  void choose_headlines();
  void thin_frames();
  void thin_rows();

  const Drive& drive_;
  std::vector<Channel> channels_;
  double begin_, step_;
  Limits limits_;
  RowTimes frames_, rows_;
  std::vector<SpinningWheel> wheels_;  ///< of motion_.spins
  double seen_ = 0.0;                  ///< s, last time of turn_wheels()
  std::vector<TyreChannels> tyres_;
  std::vector<std::pair<const SpringDamper*, std::size_t>> springs_;  ///< and their tension
  BodyIndex guide_ = kGround;                                         ///< whose way is the course
  Motion motion_;
  DrivenCourse course_;
  bool frames_left_out_ = false, rows_left_out_ = false;  ///< by their distance
};

}  // namespace semirec::report
