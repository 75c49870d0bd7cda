// Planar slider-cranks and one spatial governor with springs and dampers. Reference values: one-
// and three-coordinate equations integrated by two codes that agree to 1e-12, apart from any
// multibody engine.

#include <array>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "tests/support/expect_close.hpp"
#include "tests/support/mechanisms.hpp"
#include "tests/support/motion.hpp"

namespace semirec::test {
namespace {

using V = Eigen::Vector3d;
constexpr double kTurn = 2.0 * std::numbers::pi;

/// Difference of two angles, in (-pi, pi].
double turned(double actual, double expected) { return std::remainder(actual - expected, kTurn); }

struct Crank {
  double angle, rate, acceleration, slider, slider_rate;
};

Crank find_crank(Simulation& run, double start) {
  const Motion B = run.motion(run.model.mechanism.markers.at(0));
  return {start + run.z("crank_pin"), run.zd("crank_pin"), run.zdd("crank_pin"), B.X.p.x(),
          B.velocity.x()};
}

TEST(SliderCrank, SwingsDownOnItsSpringAndDamper) {
  Simulation run(make_slider_crank({}), 1e-3);
  const double start = run.stored_energy();
  expect_close(start, 0.0, 0.0, 1e-12);
  run.run_to(2.0);
  const Crank end = find_crank(run, 0.0);
  // t = 2 s; benchmark limit 6e-4 rad/s for the trapezoidal rule at h = 1e-3, ten times its error
  // on one coordinate; angles and places likewise
  expect_close(end.angle, -0.758205624274967, 0.0, 4e-5);
  expect_close(end.rate, -0.133148094083336, 0.0, 6e-4);
  expect_close(end.acceleration, -4.4889712113062, 0.0, 6e-3);
  expect_close(end.slider, 0.781244880826122, 0.0, 4e-5);
  expect_close(end.slider_rate, -0.0380852399651982, 0.0, 6e-4);
  expect_close(run.stored_energy(), -3.23959585229695, 0.0, 6e-4);
}

TEST(SliderCrank, KeepsItsEnergyWithoutDamper) {
  SliderCrank data;
  data.damping = 0.0;
  Simulation run(make_slider_crank(data), 1e-3);
  run.run_to(2.0);
  const Crank end = find_crank(run, 0.0);
  expect_close(end.angle, -0.49977794476332, 0.0, 3e-4);
  expect_close(end.rate, 6.11879103908589, 0.0, 3e-3);
  // J; energies of 10 J are exchanged
  expect_close(run.stored_energy(), 0.0, 0.0, 1e-3);
}

TEST(SliderCrank, TurnsAgainstItsSpringWithoutGravity) {
  SliderCrank data;
  data.crank_angle = std::numbers::pi / 3.0;
  data.crank_rate = 8.0;
  data.free_length = 0.5;
  data.gravity = 0.0;
  const auto at_end = [&](double h) {
    Simulation run(make_slider_crank(data), h);
    run.run_to(2.0);
    return find_crank(run, data.crank_angle);
  };
  const Crank end = at_end(1e-3);
  // t = 2 s; limits as above
  expect_close(end.angle, 4.60076180552469, 0.0, 1e-4);
  expect_close(end.rate, -0.850963744740847, 0.0, 1e-3);
  expect_close(end.slider, 0.487270131884606, 0.0, 4e-5);
  // 0.1: the next term of the error
  const double coarse = at_end(2e-3).rate - (-0.850963744740847);
  expect_close(std::log2(std::abs(coarse / (end.rate - (-0.850963744740847)))), 2.0, 0.0, 0.1);
}

TEST(SliderCrank, OfHaugRunsWithTheReference) {
  Simulation run(make_haug_slider_crank(), 0.02);
  struct Instant {
    double t, q, x, p, qd, xd, pd;
  };
  // benchmark limit 1e-3 at h = 0.02 and t = 10 s
  constexpr double kLimit = 1e-3;
  for (const Instant& now : {Instant{1.0, 1.3154205708817, 1.0014918072308, -0.504973470642001,
                                     -0.508792976909869, 0.281669094686987, 0.0734275290141853},
                             Instant{5.0, -1.42999696764723, 0.939030613578266, 0.517894756489886,
                                     0.0549916105377645, 0.0294222316477811, -0.00444098975895675},
                             Instant{10.0, 1.27567584865024, 1.02357855897984, -0.498813049182499,
                                     -0.239914997196001, 0.133778283215778, 0.0397314959913217}}) {
    run.run_to(now.t);
    const Motion crank = run.body("crank");
    const Motion rod = run.body("rod");
    const double p0 = -std::asin(0.5);
    expect_close(turned(crank.angle_about_z() + 0.25 * kTurn, now.q), 0.0, 0.0, kLimit);
    expect_close(rod.X.p.x(), now.x, 0.0, kLimit);
    expect_close(turned(rod.angle_about_z() + p0, now.p), 0.0, 0.0, kLimit);
    expect_close(crank.w.z(), now.qd, 0.0, kLimit);
    expect_close(rod.velocity.x(), now.xd, 0.0, kLimit);
    expect_close(rod.w.z(), now.pd, 0.0, kLimit);
  }
}

TEST(Governor, LiftsItsSliderAsTheReferenceDoes) {
  Simulation run(make_governor(), 5e-4);
  // the whole turns as one with 2 pi rad/s: L_z of all bodies
  expect_close(run.angular_momentum().z(), 53.868998658418, 1e-12, 0.0);
  run.run_to(2.0);
  // t = 2 s; benchmark limit 4e-6 m, ten times the error of the trapezoidal rule on three
  // coordinates at h = 5e-4
  constexpr double kPlace = 4e-6;
  constexpr double kRate = 4e-5;
  expect_close(run.com("slider").X.p.z(), 0.49037504977505, 0.0, kPlace);
  expect_close(run.z("guide"), 0.49037504977505 - 0.5, 0.0, kPlace);
  expect_close(run.zd("guide"), -0.24796982135487, 0.0, kRate);
  expect_close(run.zd("shaft_pin"), 6.20380129387, 0.0, kRate);
  expect_close(run.z("shaft_pin"), 11.147209091863, 0.0, kRate);
  for (const double side : {0.0, 1.0}) {
    const Motion rod = run.body(side < 0.5 ? "rod0" : "rod1");
    // x of the rod's frame points along it
    const double dip = std::asin(-rod.X.A(2, 0));
    expect_close(dip, 0.5117795451647, 0.0, kPlace);
  }
  expect_close(run.angular_momentum().z(), 53.868998658418, 0.0, kRate);
}

}  // namespace
}  // namespace semirec::test
