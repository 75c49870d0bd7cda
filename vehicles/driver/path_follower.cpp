#include "vehicles/driver/path_follower.hpp"

#include <algorithm>
#include <cmath>

namespace semirec {

namespace {

constexpr double kSlowestSpeed = 1.0;   // m/s
constexpr double kNearest = 3.0;        // m, of the preview
constexpr double kSideslipWay = 1.5;    // m, over which sideslip is taken up
constexpr double kYawRateTime = 0.05;   // s, over which a yaw rate not expected is taken up
constexpr double kLeastSteering = 0.2;  // of the steering wheel that a turn takes when creeping
constexpr double kIntegral = 0.25;      // 1/s
constexpr double kLargestSummed = 0.5;  // m
constexpr double kLargestWheel = 20.0;  // rad

/// To which the steering wheel brings the car in the end, 1/m. Bounded near the critical speed,
/// where no steering wheel angle is needed.
double expect_curvature(const SteeringGain& gain, double steering_wheel, double v) {
  return steering_wheel / std::max(gain.a + gain.b * v * v, kLeastSteering * gain.a);
}

}  // namespace

PathFollower::PathFollower(Path path, const SteeringGain& gain, const DriverSettings& settings,
                           const SpeedKeeper& keeper)
    : path_(std::move(path)), gain_(gain), settings_(settings), keeper_(keeper) {}

void PathFollower::begin(const CarMotion& start, double step, const DriverAction& held) {
  const DriverLimits& limits = settings_.limits;
  step_ = step;
  hands_.begin(0.0, limits.on ? limits.delay : 0.0, limits.on ? limits.steering_wheel_rate : 0.0,
               step);
  const double pedals = limits.on ? limits.pedal_rate : 0.0;
  // a foot waits for nothing: speeds change slowly
  right_foot_.begin(held.throttle, 0.0, pedals, step);
  brake_foot_.begin(0.0, 0.0, pedals, step);
  keeper_.begin(step, held.throttle);
  here_ = path_.nearest(start.x, start.y, 0.0);
  ahead_ = here_;
  offset_ = Path::offset(here_, start.x, start.y);
  sum_ = 0.0;
  sideslip_ = start.sideslip();
  steering_wheel_ = expected_yaw_rate_ = 0.0;
  unexpected_yaw_rate_ = start.yaw_rate;
}

bool PathFollower::lost() const { return !(std::abs(offset_) <= settings_.corridor); }

DriverAction PathFollower::act(const CarMotion& motion) noexcept {
  here_ = path_.nearest(motion.x, motion.y, here_.s);
  offset_ = Path::offset(here_, motion.x, motion.y);

  // where the car will be when the hands have moved it
  const double v = std::max(motion.speed(), kSlowestSpeed);
  const double wait = hands_.delay() + gain_.lag;
  // a jump of the steering wheel's rate turns the chassis at once, by the reaction of the steered
  // masses: a driver who takes that for a turn of the car swings, the more the smaller the steps
  expected_yaw_rate_ += (v * expect_curvature(gain_, steering_wheel_, v) - expected_yaw_rate_) *
                        step_ / (gain_.lag + step_);
  unexpected_yaw_rate_ += (motion.yaw_rate - expected_yaw_rate_ - unexpected_yaw_rate_) * step_ /
                          (kYawRateTime + step_);
  const double turn = (expected_yaw_rate_ + unexpected_yaw_rate_) * wait;
  // the steering wheel moves the centre of mass sideways at once: at low speed that is no error of
  // the course, and a driver who takes it for one swings
  sideslip_ += (motion.sideslip() - sideslip_) * step_ / (kSideslipWay / v + step_);
  const double course = motion.yaw + sideslip_;
  const double x = motion.x + v * wait * std::cos(course + 0.5 * turn);
  const double y = motion.y + v * wait * std::sin(course + 0.5 * turn);
  ahead_ = path_.nearest(x, y, here_.s + v * wait);
  const double e = Path::offset(ahead_, x, y);
  const double theta = std::remainder(course + turn - ahead_.heading, 2.0 * M_PI);

  sum_ += kIntegral * step_ * std::clamp(e, -kLargestSummed, kLargestSummed);
  const double D = std::max(v * settings_.preview, kNearest);
  const double curvature = ahead_.curvature - 2.0 / (D * D) * (e + D * std::sin(theta) + sum_);
  DriverAction action;
  action.gear = gear;
  action.steering_wheel =
      hands_.move(std::clamp(gain_.steering_wheel(curvature, v), -kLargestWheel, kLargestWheel));
  steering_wheel_ = action.steering_wheel;

  if (here_.s >= freeze_from) keeper_.freeze();
  if (keeps_speed) {
    const CurveValue wanted = speed.evaluate(motion.t);
    keeper_.keep(motion, wanted.f, wanted.fd, action);
  } else {
    action.throttle = throttle;
    action.brake = brake;
  }
  if (here_.s >= release_from) action.throttle = action.brake = action.force = 0.0;
  action.throttle = right_foot_.move(action.throttle);
  action.brake = brake_foot_.move(action.brake);
  return action;
}

}  // namespace semirec
