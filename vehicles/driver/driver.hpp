#pragma once

#include <limits>
#include <vector>

#include "topology/curve.hpp"
#include "vehicles/driver/motion.hpp"

namespace semirec {

/// What a driver holds at the end of the coming step.
struct DriverAction {
  double steering_wheel = 0.0;  ///< rad, positive to the left
  /// Its rates, rad/s and rad/s^2; NaN: by difference from the step before.
  double steering_wheel_rate = std::numeric_limits<double>::quiet_NaN();
  double steering_wheel_acceleration = 0.0;
  double throttle = 0.0, brake = 0.0;  ///< 0 to 1
  /// -1 reverse, 0 neutral, 1 drive: an automatic, or a manual box whose driver shifts; 2 and
  /// above: this gear of a manual box.
  double gear = 1.0;
  double force = 0.0;  ///< N forward, for a car that has no throttle
};

/// Someone who drives: told how the car moves at the begin of each step, answers what to hold at
/// its end. act() takes no memory, lock or time, and does not throw.
class CarDriver {
 public:
  virtual ~CarDriver() = default;
  /// Once before the first step, with what is held at the start; may allocate.
  virtual void begin(const CarMotion& /*start*/, double /*step*/, const DriverAction& /*held*/) {}
  virtual DriverAction act(const CarMotion& motion) noexcept = 0;
};

/// A stated human: what is decided now happens `delay` later and no faster than the rates.
struct DriverLimits {
  bool on = true;
  double delay = 0.1;                 ///< s
  double steering_wheel_rate = 15.0;  ///< rad/s: about 860 degrees a second
  double pedal_rate = 5.0;            ///< 1/s: from nothing to the floor in 0.2 s
};

/// How the driver of a closed loop looks ahead.
struct DriverSettings {
  DriverLimits limits;
  double preview = 0.8;   ///< s
  double corridor = 5.0;  ///< m to either side; farther away the path counts as lost
};

/// One limb: a delay of whole steps, then a limit of the rate.
class Limb {
 public:
  /// Throws nothing but std::bad_alloc. `rate` 0: no limit.
  void begin(double value, double delay, double rate, double step);
  /// What is held at the end of the step after wanting `wanted` at its begin.
  double move(double wanted) noexcept;
  double delay() const { return static_cast<double>(line_.size()) * step_; }

 private:
  std::vector<double> line_;  ///< what was wanted, a ring
  std::size_t next_ = 0;
  double held_ = 0.0;
  double rate_ = 0.0, step_ = 1e-3;
};

/// How the speed is kept: by the pedals, or by a force in the car that has none.
///
///   a = kp (v_ref - v) + ki int (v_ref - v) dt + feed_forward dv_ref/dt
/// is wanted; a force gets F = m a. Pedals: throttle = a / a_full, or where a is below the
/// negative dead band, brake = -a / b_full; a_full and b_full are what full pedals are taken for.
/// The integral begins with the throttle held at the start, without one with what the car loses.
struct SpeedGains {
  double kp = 1.0;             ///< 1/s
  double ki = 0.5;             ///< 1/s^2
  double full_throttle = 3.0;  ///< m/s^2
  double full_brake = 9.0;     ///< m/s^2
  double dead_band = 0.3;      ///< m/s^2
};

class SpeedKeeper {
 public:
  enum class Means {
    none,    ///< the car coasts, pedals released
    pedals,  ///< throttle, and brake where there is one
    force
  };
  SpeedKeeper() = default;
  SpeedKeeper(Means means, double mass, const SpeedGains& gains = {})
      : means_(means), mass_(mass), gains_(gains) {}
  void begin(double step, double throttle = 0.0) noexcept;
  /// Writes throttle, brake and force of `action`. Frozen: they stay as they are.
  void keep(const CarMotion& motion, double speed, double acceleration,
            DriverAction& action) noexcept;
  void freeze() noexcept { frozen_ = true; }

 private:
  Means means_ = Means::none;
  double mass_ = 0.0;
  SpeedGains gains_;
  double sum_ = 0.0, step_ = 1e-3;
  bool frozen_ = false, fresh_ = true;
  DriverAction last_;
};

/// Steering wheel, pedals and gear over time; the speed may be kept instead of pedalled.
class OpenLoopDriver final : public CarDriver {
 public:
  Curve steering_wheel;   ///< rad over s
  Curve throttle, brake;  ///< where the keeper does nothing
  Curve gear = Curve::constant(1.0);
  SpeedKeeper keeper;  ///< Means::none: the pedals' curves
  bool keeps_speed = false;
  Curve speed;  ///< that the keeper keeps, m/s over s
  double freeze_at = std::numeric_limits<double>::infinity();  ///< pedals stay from here on, s

  void begin(const CarMotion& start, double step, const DriverAction& held) override;
  DriverAction act(const CarMotion& motion) noexcept override;

 private:
  double step_ = 1e-3;
};

}  // namespace semirec
