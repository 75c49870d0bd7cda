#include "vehicles/driver/driver.hpp"

#include <algorithm>
#include <cmath>

namespace semirec {

namespace {

constexpr double kLargestLoss = 2.0;  // m/s^2

}  // namespace

void Limb::begin(double value, double delay, double rate, double step) {
  const double steps = std::clamp(std::round(delay / step), 0.0, 1e6);
  line_.assign(static_cast<std::size_t>(steps), value);
  next_ = 0;
  held_ = value;
  rate_ = rate;
  step_ = step;
}

double Limb::move(double wanted) noexcept {
  if (!line_.empty()) {
    std::swap(line_[next_], wanted);
    next_ = next_ + 1 == line_.size() ? 0 : next_ + 1;
  }
  const double most = rate_ > 0.0 ? rate_ * step_ : std::numeric_limits<double>::infinity();
  held_ += std::clamp(wanted - held_, -most, most);
  return held_;
}

void SpeedKeeper::begin(double step, double throttle) noexcept {
  step_ = step;
  sum_ = throttle * gains_.full_throttle / gains_.ki;
  frozen_ = false;
  fresh_ = throttle == 0.0;
  last_ = {};
}

void SpeedKeeper::keep(const CarMotion& motion, double speed, double acceleration,
                       DriverAction& action) noexcept {
  if (means_ == Means::none) return;
  if (!frozen_) {
    if (fresh_) sum_ = -std::clamp(motion.ax, -kLargestLoss, kLargestLoss) / gains_.ki;
    fresh_ = false;
    const double error = speed - motion.vx;
    double wanted = gains_.kp * error + gains_.ki * sum_ + acceleration;
    // the sum stops growing where the pedals are at their end
    const bool full = means_ == Means::pedals && ((wanted > gains_.full_throttle && error > 0.0) ||
                                                  (wanted < -gains_.full_brake && error < 0.0));
    if (!full) sum_ += error * step_;
    if (means_ == Means::force) {
      last_.force = mass_ * wanted;
    } else {
      last_.throttle = std::clamp(wanted / gains_.full_throttle, 0.0, 1.0);
      last_.brake = std::clamp((-wanted - gains_.dead_band) / gains_.full_brake, 0.0, 1.0);
    }
  }
  action.throttle = last_.throttle;
  action.brake = last_.brake;
  action.force = last_.force;
}

void OpenLoopDriver::begin(const CarMotion& /*start*/, double step, const DriverAction& held) {
  step_ = step;
  keeper.begin(step, held.throttle);
}

DriverAction OpenLoopDriver::act(const CarMotion& motion) noexcept {
  const double t = motion.t + step_;
  DriverAction action;
  // at a kink the rate up to it belongs to this step
  const CurveValue wheel = steering_wheel.evaluate(t, true);
  action.steering_wheel = wheel.f;
  action.steering_wheel_rate = wheel.fd;
  action.steering_wheel_acceleration = wheel.fdd;
  action.gear = gear.value(t);
  if (keeps_speed) {
    if (motion.t >= freeze_at) keeper.freeze();
    const CurveValue wanted = speed.evaluate(motion.t);
    keeper.keep(motion, wanted.f, wanted.fd, action);
  } else {
    action.throttle = std::clamp(throttle.value(t), 0.0, 1.0);
    action.brake = std::clamp(brake.value(t), 0.0, 1.0);
  }
  return action;
}

}  // namespace semirec
