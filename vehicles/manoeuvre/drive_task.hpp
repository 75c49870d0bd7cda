#pragma once

#include <functional>

#include "vehicles/analysis/answer.hpp"
#include "vehicles/description/vehicle.hpp"
#include "vehicles/driver/driver.hpp"
#include "vehicles/manoeuvre/history.hpp"
#include "vehicles/manoeuvre/manoeuvre.hpp"

namespace semirec {

/// One drive of a manoeuvre.
struct DriveTask {
  double speed = 0.0;     ///< at the start, m/s: straight on, from static equilibrium
  double duration = 1.0;  ///< s
  double gear = 1.0;      ///< in which the car starts when it has a speed
  double record = 0.0;    ///< interval of the history, s; 0: the manoeuvre's
  /// The history has the time, the chassis, motion_channels() and the driver alone: of drives that
  /// search for something.
  bool motion_alone = false;
  CarDriver* driver = nullptr;
  /// Called once with the recorder's channels, the order of `outputs` below; gives those that
  /// over() reads. May be empty: it reads none.
  std::function<std::vector<std::size_t>(const std::vector<Channel>&)> begin;
  /// Called every step; true: the drive is over. Outputs that begin() has not named may be
  /// NaN. May be empty.
  std::function<bool(const CarMotion&, const double* outputs)> over;
  double part_from = 0.0, part_to = 1.0;  ///< of the whole analysis, for the progress
  const char* what = "drive";
};

/// Drives the vehicle through the manoeuvre's scenario at its fixed step (two Newton iterations a
/// step). The driver holds the steering wheel by steering_ratio, pedals and gear where
/// the car has them, a force along the chassis' x axis through its centre of mass where it has no
/// throttle. A car with speed and throttle starts in gear, with the throttle that keeps the speed;
/// gears and clutch of a manual gearbox are the driver's (driver/manual_gearbox.hpp).
/// Throws ModelError where there is no start, AnalysisError where a step fails (time,
/// status, worst closure), Interrupted.
History drive(const Vehicle& vehicle, const Manoeuvre& manoeuvre, const DriveTask& task,
              const Progress& progress = {});

}  // namespace semirec
