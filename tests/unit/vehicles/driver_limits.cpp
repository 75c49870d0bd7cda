#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/heap_guard.hpp"
#include "vehicles/driver/driver.hpp"
#include "vehicles/driver/motion.hpp"
#include "vehicles/driver/path_follower.hpp"

namespace semirec {
namespace {

TEST(Limb, ActsTheDelayLaterToTheStep) {
  Limb limb;
  limb.begin(0.0, 0.01, 0.0, 0.001);  // ten steps, no limit of the rate
  for (int k = 0; k < 30; ++k) EXPECT_EQ(limb.move(k < 5 ? 0.0 : 1.0), k < 15 ? 0.0 : 1.0) << k;
  EXPECT_DOUBLE_EQ(limb.delay(), 0.01);
}

TEST(Limb, MovesNoFasterThanItsRate) {
  Limb limb;
  limb.begin(0.0, 0.0, 2.0, 0.01);  // 0.02 a step
  for (int k = 1; k <= 50; ++k) EXPECT_NEAR(limb.move(1.0), 0.02 * k, 1e-12);
  EXPECT_NEAR(limb.move(1.0), 1.0, 1e-12);
  EXPECT_NEAR(limb.move(-1.0), 0.98, 1e-12);
}

TEST(Limb, WithoutLimitsHoldsWhatIsWanted) {
  Limb limb;
  limb.begin(0.0, 0.0, 0.0, 0.001);
  EXPECT_EQ(limb.move(7.0), 7.0);
  EXPECT_EQ(limb.move(-3.0), -3.0);
}

/// A point mass on a line under the keeper's force.
TEST(SpeedKeeper, BringsAPointMassToItsSpeed) {
  const double mass = 1000.0;
  const double h = 0.001;
  SpeedKeeper keeper(SpeedKeeper::Means::force, mass);
  keeper.begin(h);
  CarMotion motion;
  motion.vx = 10.0;
  for (int k = 0; k < 40000; ++k) {
    DriverAction action;
    keeper.keep(motion, 12.0, 0.0, action);
    motion.vx += h * (action.force - 300.0) / mass;  // against 300 N
    motion.t += h;
  }
  EXPECT_NEAR(motion.vx, 12.0, 1e-4);  // the integral leaves nothing; slowest root exp(-0.4 t)
}

TEST(SpeedKeeper, PressesOnePedalAtATimeWithinItsWay) {
  SpeedKeeper keeper(SpeedKeeper::Means::pedals, 1000.0);
  keeper.begin(0.001);
  for (double v = 0.0; v < 60.0; v += 0.5) {
    CarMotion motion;
    motion.vx = v;
    DriverAction action;
    keeper.keep(motion, 20.0, 0.0, action);
    EXPECT_GE(action.throttle, 0.0);
    EXPECT_LE(action.throttle, 1.0);
    EXPECT_GE(action.brake, 0.0);
    EXPECT_LE(action.brake, 1.0);
    EXPECT_EQ(action.throttle * action.brake, 0.0) << v;
  }
}

TEST(SpeedKeeper, FrozenPedalsStay) {
  SpeedKeeper keeper(SpeedKeeper::Means::pedals, 1000.0);
  keeper.begin(0.001);
  CarMotion motion;
  motion.vx = 19.0;
  DriverAction before;
  keeper.keep(motion, 20.0, 0.0, before);
  keeper.freeze();
  motion.vx = 5.0;
  DriverAction after;
  keeper.keep(motion, 20.0, 0.0, after);
  EXPECT_GT(before.throttle, 0.0);
  EXPECT_EQ(after.throttle, before.throttle);
}

TEST(CarMotion, SignalsAreThoseOfAPointOnACircle) {
  // to the left on a radius of 20 m at 10 m/s, the nose 0.05 rad inside of the course
  CarMotion motion;
  motion.yaw = 1.3;
  const double nose_in = 0.05;
  motion.vx = 10.0 * std::cos(nose_in);
  motion.vy = -10.0 * std::sin(nose_in);
  // v^2/R = 5 m/s^2 across the course
  motion.ax = 5.0 * std::sin(nose_in);
  motion.ay = 5.0 * std::cos(nose_in);
  EXPECT_NEAR(motion.speed(), 10.0, 1e-12);
  EXPECT_NEAR(motion.sideslip(), -nose_in, 1e-12);
  EXPECT_NEAR(motion.course(), 1.3 - nose_in, 1e-12);
  EXPECT_NEAR(motion.curvature(), 1.0 / 20.0, 1e-12);
}

TEST(CarMotion, IsReadFromTheWorldsAxes) {
  std::vector<Channel> channels{{"time", "s"}};
  for (const char* name : {"x", "y", "z", "vx", "vy", "vz", "ax", "ay", "az", "roll", "pitch",
                           "yaw", "wx", "wy", "wz"})
    channels.push_back({std::string("chassis.") + name, ""});
  // heading along the world's y axis: forward is +y, left is -x; roll 0.1, turning with wz alone
  const double values[16] = {2.0, 1, 2,   3, -0.5,       8.0, 0,   -3.0,
                             1.0, 0, 0.1, 0, 0.5 * M_PI, 0,   0.2, 0.4};
  const CarMotion motion = MotionReader(channels).read(values);
  EXPECT_EQ(motion.t, 2.0);
  EXPECT_NEAR(motion.vx, 8.0, 1e-12);
  EXPECT_NEAR(motion.vy, 0.5, 1e-12);
  EXPECT_NEAR(motion.ax, 1.0, 1e-12);
  EXPECT_NEAR(motion.ay, 3.0, 1e-12);
  // w_z of the world: sin(roll) wy + cos(roll) wz without pitch
  EXPECT_NEAR(motion.yaw_rate, 0.2 * std::sin(0.1) + 0.4 * std::cos(0.1), 1e-12);
  channels.pop_back();
  EXPECT_THROW(MotionReader{channels}, ModelError);
}

/// A car without inertia across its way: the curvature is what the steering wheel says, at once.
TEST(PathFollower, KeepsAnIdealCarOnACircleOfAnyGain) {
  const double R = 30.0;
  const SteeringGain truth{40.0, 0.05, 0.0};
  // the driver believes in a gain that is a fifth off
  const SteeringGain believed{32.0, 0.04, 0.0};
  DriverSettings settings;
  settings.limits.on = false;
  PathFollower driver(
      Path::from_segments({{20.0, 0.0, 0.0}, {20.0, 0.0, 1 / R}, {400.0, 1 / R, 1 / R}}), believed,
      settings, SpeedKeeper{});
  driver.speed = Curve::constant(10.0);
  const double h = 0.001;
  CarMotion motion;
  motion.vx = 10.0;
  driver.begin(motion, h, {});
  double worst_late = 0.0;
  for (int k = 0; k < 40000; ++k) {
    const DriverAction action = driver.act(motion);
    motion.yaw_rate = 10.0 * action.steering_wheel / (truth.a + truth.b * 100.0);
    motion.yaw += h * motion.yaw_rate;
    motion.x += h * 10.0 * std::cos(motion.yaw);
    motion.y += h * 10.0 * std::sin(motion.yaw);
    motion.t += h;
    if (motion.t > 25.0) worst_late = std::max(worst_late, std::abs(driver.offset()));
    ASSERT_LT(std::abs(driver.offset()), 1.0) << motion.t;
  }
  EXPECT_LT(worst_late, 1e-3);  // the integral has taken up the wrong gain
}

/// Largest steering wheel angle, rad, of a driver without limits who changes the lane at `v`, m/s,
/// by steps of `h`, s. The car turns as the driver has measured it; besides, the reaction of the
/// steered masses turns it by `reaction` times the steering wheel's rate, at once.
double largest_steering_wheel(double v, double h, double reaction) {
  const SteeringGain gain{31.0, 0.057, 0.165};  // the Iltis'
  DriverSettings settings;
  settings.limits.on = false;
  settings.preview = 0.5;
  const double k = 1.5 / (v * v);
  PathFollower driver(
      Path::from_segments(
          {{v, 0.0, 0.0}, {v, 0.0, k}, {2.0 * v, k, -k}, {v, -k, 0.0}, {5.0 * v, 0.0, 0.0}}),
      gain, settings, SpeedKeeper{});
  driver.speed = Curve::constant(v);
  CarMotion motion;
  motion.vx = v;
  driver.begin(motion, h, {});
  double most = 0.0;
  double held = 0.0;
  double turning = 0.0;
  while (motion.t < 9.0) {
    const double wheel = driver.act(motion).steering_wheel;
    turning += (v * wheel / (gain.a + gain.b * v * v) - turning) * h / (gain.lag + h);
    motion.yaw_rate = turning + reaction * (wheel - held) / h;
    held = wheel;
    motion.yaw += h * motion.yaw_rate;
    motion.x += h * v * std::cos(motion.yaw);
    motion.y += h * v * std::sin(motion.yaw);
    motion.t += h;
    most = std::max(most, std::abs(wheel));
  }
  return most;
}

// Expected: what the car without the reaction asks for. 2.5e-4 is the Iltis'; a driver who took it
// for a turn of the car would swing the steering wheel from step to step, the more the smaller the
// steps are.
TEST(PathFollower, SteersAlikeAtAnyStepThoughTheWheelsReactionTurnsTheCar) {
  for (const double v : {4.0, 8.0, 14.0, 25.0}) {
    const double expected = largest_steering_wheel(v, 1e-3, 0.0);
    for (const double reaction : {2.5e-4, -2.5e-4})
      for (const double h : {2e-3, 1e-3, 5e-4, 2.5e-4, 1e-4})
        // 1 %: the reaction itself moves the heading by 2.5e-4 of the angle
        EXPECT_NEAR(largest_steering_wheel(v, h, reaction), expected, 0.01 * expected)
            << v << " m/s, steps of " << h << " s";
  }
}

TEST(PathFollower, TakesNoMemoryInAStep) {
  DriverSettings settings;
  PathFollower driver(Path::from_segments({{50.0, 0.0, 0.02}}), {40.0, 0.05, 0.1}, settings,
                      SpeedKeeper(SpeedKeeper::Means::pedals, 1500.0));
  driver.speed = Curve::constant(10.0);
  CarMotion motion;
  motion.vx = 10.0;
  driver.begin(motion, 0.001, {});
  const test::HeapGuard guard;
  for (int k = 0; k < 1000; ++k) {
    motion.t += 0.001;
    motion.x += 0.01;
    static_cast<void>(driver.act(motion));
  }
  if (test::HeapGuard::works()) {
    EXPECT_EQ(guard.calls(), 0);
  }
}

}  // namespace
}  // namespace semirec
