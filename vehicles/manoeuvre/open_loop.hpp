#pragma once

#include <limits>
#include <string>
#include <vector>

#include "vehicles/manoeuvre/drive_task.hpp"
#include "vehicles/manoeuvre/method.hpp"

namespace semirec {

/// What the driver's feet do once the steering wheel is turned.
enum class Pedals {
  kept,     ///< the speed is kept on
  held,     ///< as they were at that moment
  released  ///< no throttle, no force
};

/// Straight on at a speed until the car has settled, then the steering wheel as prescribed.
struct SteeredDrive {
  double speed = 0.0;   ///< m/s
  double settle = 0.0;  ///< s with the speed kept
  Pedals pedals = Pedals::kept;
  Curve steering_wheel;       ///< rad over the time since the start of the drive
  double duration = 0.0;      ///< s, the settling counted
  double record = 0.0;        ///< s; 0: the manoeuvre's
  bool motion_alone = false;  ///< of DriveTask
  double stop_at = std::numeric_limits<double>::infinity();  ///< |lateral acceleration|, m/s^2
  bool stops_by_change = false;  ///< of it, from what the car does straight on
  double part_from = 0.0, part_to = 1.0;
  const char* what = "drive";
};

/// The drive of a manoeuvre with the values `speed`, `settle` and `frequency`: one sine of the
/// steering wheel with an amplitude (rad), pedals held, and `after` seconds behind it; the second
/// half of the analysis.
SteeredDrive make_one_sine(const Manoeuvre& manoeuvre, double amplitude, double after);

/// Drives it on the manoeuvre's road; the rows of the history are at equal intervals. Throws what
/// drive() throws, AnalysisError when the speed at the end of the settling is not within 2 % of
/// what was wanted.
History drive_steered(const Vehicle& vehicle, const Manoeuvre& manoeuvre, const SteeredDrive& task,
                      const Progress& progress);

/// Interval of the rows, s.
double interval_of(const History& history);
/// The rows from a time on.
History rows_from(const History& history, double from);
/// Those before a time.
History rows_until(const History& history, double until);

/// Throws AnalysisError where the car has turned away from the side (+1: left) to which the
/// steering wheel was turned. `turned`: the lateral acceleration or change of heading that came of
/// it, to the left.
void check_turned_with(double side, double turned);

/// A constant rate from the end of the settling on, rad/s.
Curve ramp_of(double start, double rate);

/// Steering wheel angle at which the car corners with `ay` (its sign is the side) at the speed: a
/// ramp so slow that it takes 4 s or more, its lag of one response left in, so the answer is good
/// to a few per cent. Throws AnalysisError when the car does not get there.
double find_steering_wheel(const Vehicle& vehicle, const Manoeuvre& manoeuvre, double speed,
                           double settle, double ay, const Progress& progress, double part_from,
                           double part_to);

/// `speed`, `settle`, `lateral_acceleration`, `steering_wheel`: what most steering manoeuvres read.
std::vector<ValueRule> steering_values(double lateral_acceleration, const char* about);
/// The steering wheel of those: as written, or found for the lateral acceleration. Throws
/// ModelError when both are zero or missing.
double steering_wheel_of(const Vehicle& vehicle, const Manoeuvre& manoeuvre,
                         const Progress& progress, double part_from, double part_to);

/// A steering wheel and, where it is not that of the steady turn, a note that says so.
struct FoundSteeringWheel {
  double angle = 0.0;  ///< rad
  std::string note;
};
/// As written, or that of the steady turn with the lateral acceleration at the speed, counted from
/// straight running (ISO 7401): solved, not driven; on a level road where the manoeuvre's is no
/// level plane. Where the car has none, steering_wheel_of(). Throws as that.
FoundSteeringWheel find_steady_steering_wheel(const Vehicle& vehicle, const Manoeuvre& manoeuvre,
                                              const Progress& progress, double part_from,
                                              double part_to);

void add_quantity(Answer& answer, const std::string& name, double value, const std::string& unit,
                  const std::string& about,
                  double uncertainty = std::numeric_limits<double>::quiet_NaN());

}  // namespace semirec
