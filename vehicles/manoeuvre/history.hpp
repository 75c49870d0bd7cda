#pragma once

#include <string>
#include <vector>

#include "vehicles/analysis/answer.hpp"
#include "vehicles/description/vehicle.hpp"
#include "vehicles/manoeuvre/manoeuvre.hpp"

namespace semirec {

/// Torque of the driver on the steering wheel, N m, positive the way of its angle: no help, no
/// friction but what the car has.
inline constexpr const char* kSteeringWheelTorque = "driver.steering_wheel_torque";

/// What was recorded on the way: rows of numbers at even intervals, `time` first, then all channels
/// of the recorder, then motion_channels() (vehicles/driver/motion.hpp), then
/// `driver.steering_wheel` (rad), `driver.throttle`, `driver.brake`, `driver.gear` (1),
/// `driver.force` (N), and kSteeringWheelTorque where the steering wheel moves joints or rods, and
/// the channels of UnitReader (trailing_units.hpp). Fewer where DriveTask::motion_alone says so.
struct History {
  std::vector<Channel> channels;
  std::vector<std::vector<double>> rows;
  bool stopped = false;           ///< by the task's own condition, before the end
  long steps = 0, unsettled = 0;  ///< of the drive; those of which StepReport::settled is false
  double correction = 0.0;        ///< the largest last one, m or rad
  int drive = -1;  ///< what the manoeuvre's DriveWatcher called it; -1: nobody looked on

  /// Position of a channel; throws ModelError with the nearest name where there is none.
  std::size_t find(const std::string& channel) const;
  bool has(const std::string& channel) const;
  std::vector<double> column(const std::string& channel) const;
  std::vector<double> times() const { return column("time"); }
};

/// The channel of a wheel's load: the road's force along its normal, or upwards where the wheel's
/// tyre has none of the other (results.md).
std::string load_channel(const History& history, const std::string& wheel);

/// The history as the table `name` with few columns: time, motion of the car, driver, and `more`.
Table make_table(const History& history, const std::string& name,
                 const std::vector<std::string>& more = {});

/// Channels over time (or over another channel) in one panel; names without their first part.
Chart make_chart(const History& history, const std::string& title,
                 const std::vector<std::string>& channels, const std::string& over = "time");

/// Table `history` with all channels, and charts of steering wheel, speed, lateral acceleration,
/// yaw rate and sideslip, and the largest articulation angle of each trailing unit: what
/// every manoeuvre shows, with the lines of note_departures(). The first two at most once. Points
/// the manoeuvre's watcher to the drive.
void show_history(const Vehicle& vehicle, const Manoeuvre& manoeuvre, const History& history,
                  Answer& answer);

/// Tells the manoeuvre's watcher, if it has one, that as things stand the answer is read from this
/// drive.
void point_to_drive(const Manoeuvre& manoeuvre, const History& history);

/// Says where the answer was read: at one time (s of the drive) on a channel, or on all of them
/// where `channel` is empty. A time that is NaN says nothing.
void read_at(Answer& answer, const std::string& channel, double t, const std::string& label,
             double level = kUnknown);
/// The same from a time to another.
void read_over(Answer& answer, const std::string& channel, double from, double until,
               const std::string& label, double level = kUnknown);
/// Where a channel is farthest from `zero`, in its unit; from 0: largest in magnitude.
void read_largest(Answer& answer, const History& history, const std::string& channel,
                  double zero = 0.0);

}  // namespace semirec
