#pragma once

#include <limits>

#include "vehicles/driver/driver.hpp"
#include "vehicles/driver/path.hpp"

namespace semirec {

/// How the car answers the steering wheel: curvature = steering_wheel / (a + b v^2), `lag` later.
struct SteeringGain {
  double a = 1.0;    ///< rad m: steering ratio times wheelbase
  double b = 0.0;    ///< rad/(m/s^2): steering ratio times understeer gradient
  double lag = 0.0;  ///< s, from the steering wheel to the curvature

  double steering_wheel(double curvature, double v) const { return curvature * (a + b * v * v); }
};

/// A driver on two levels [DON]: sees the curvature of the path that comes, and corrects what is
/// off, with a delay and limits of the rates.
///
///   kappa = kappa_p(s + v tau) - 2/D^2 (e + D sin(theta) + k int e dt),  D = v T, at least 3 m
///   steering_wheel = kappa (a + b v^2)
/// e: distance from the path (positive to the left of it), theta: course against the path's
/// heading, both where the car will be after tau = delay + lag on its present circle; T: preview
/// time, so that errors die out as e'' + 2/T e' + 2/T^2 e = 0 (damping 0.71). Speeds below 1 m/s
/// count as 1. On a circle e comes to zero, whatever the gains. Sideslip is smoothed over
/// 1.5 m of way and, over 0.05 s, what the yaw rate differs by from that of the steering wheel:
/// both jump with the steering wheel or its rate.
class PathFollower final : public CarDriver {
 public:
  PathFollower(Path path, const SteeringGain& gain, const DriverSettings& settings,
               const SpeedKeeper& keeper);
  void begin(const CarMotion& start, double step, const DriverAction& held) override;
  DriverAction act(const CarMotion& motion) noexcept override;

  // what it shall do
  Curve speed;              ///< m/s over s
  bool keeps_speed = true;  ///< false: pedals as below
  double throttle = 0.0, brake = 0.0, gear = 1.0;
  double release_from = std::numeric_limits<double>::infinity();  ///< way: pedals released, m
  double freeze_from = std::numeric_limits<double>::infinity();   ///< way: pedals stay, m

  const Path& path() const { return path_; }
  /// Of the car's last place: way along the path, distance from it, curvature of the path there.
  double way() const { return here_.s; }
  double offset() const { return offset_; }
  double path_curvature() const { return here_.curvature; }
  bool lost() const;  ///< farther from the path than the corridor

 private:
  Path path_;
  SteeringGain gain_;
  DriverSettings settings_;
  SpeedKeeper keeper_;
  Limb hands_, right_foot_, brake_foot_;
  PathPoint here_, ahead_;
  double offset_ = 0.0, sum_ = 0.0, sideslip_ = 0.0, step_ = 1e-3;
  double steering_wheel_ = 0.0;       // that was asked of the last step, rad
  double expected_yaw_rate_ = 0.0;    // by the steering wheel, rad/s
  double unexpected_yaw_rate_ = 0.0;  // smoothed, what the car's is beyond that, rad/s
};

}  // namespace semirec
