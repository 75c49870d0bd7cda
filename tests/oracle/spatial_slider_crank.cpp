// The spatial slider-crank of the IFToMM library (after Haug): revolute, ball, universal and
// prismatic joint in one loop, one freedom. Reference values: a one-coordinate solution of 8 to 9
// digits, computed apart from any engine.

#include <cmath>

#include <gtest/gtest.h>

#include "integrator/compile.hpp"
#include "integrator/statics/initial_conditions.hpp"
#include "tests/support/expect_close.hpp"
#include "tests/support/mechanisms.hpp"
#include "tests/support/methods.hpp"
#include "tests/support/motion.hpp"

namespace semirec::test {
namespace {

using V = Eigen::Vector3d;

TEST(SpatialSliderCrank, StartsWithTheRatesOfItsLoop) {
  Simulation linkage(make_spatial_slider_crank(), 1e-4);
  // one freedom
  const ClosureRank rank = find_closure_rank(linkage.model, linkage.state, linkage.ws);
  EXPECT_EQ(linkage.model.n() - rank.rank, 1);
  // crank at 6 rad/s; exact
  expect_close(linkage.com("slider").velocity, V(0.24, 0.0, 0.0), 0.0, 1e-12);
  expect_close(linkage.com("rod").w, V(1.92, -0.96, 0.48), 0.0, 1e-12);
}

struct Instant {
  double t, x, v, w, angle;  // slider, crank; crank angle within (-pi, pi]
  V w_rod;
};

TEST(SpatialSliderCrank, RunsWithTheReference) {
  Simulation linkage(make_spatial_slider_crank(), 1e-4);
  // benchmark limit 1e-5 m at h = 1e-4 and t = 1 s; rates in proportion to the crank's 10 rad/s
  constexpr double kPlace = 1e-5;
  constexpr double kRate = 1e-3;
  for (const Instant& now :
       {Instant{0.1, 0.2267871885529, 0.3052770069348, 5.828888134655, 0.560031482093,
                V(1.554234136953, -1.486342829441, 0.4551578998672)},
        Instant{0.25, 0.284860002921, 0.3906251315476, 18.6072363323, 1.947854837582,
                V(-9.608782920982, -3.994358594506, 1.130210457553)},
        Instant{0.5, 0.1849526297778, -0.004560290632773, 14.40816081019, -0.6994227538725,
                V(4.879872137052, 0.01481206871177, -0.01238326366968)},
        Instant{1.0, 0.2117216613936, -0.5034918649255, 10.42759300041, -1.652779884498,
                V(3.136307997813, 1.26445645071, -2.003218015326)}}) {
    linkage.run_to(now.t);
    const Motion slider = linkage.com("slider");
    expect_close(slider.X.p, V(now.x, 0.0, 0.0), 0.0, kPlace);
    expect_close(slider.velocity.x(), now.v, 0.0, kRate);
    expect_close(linkage.zd("crank_pin"), now.w, 0.0, kRate);
    expect_close(std::remainder(linkage.z("crank_pin") - now.angle, 2.0 * 3.14159265358979), 0.0,
                 0.0, 10.0 * kPlace);
    expect_close(linkage.com("rod").w, now.w_rod, 0.0, kRate);
  }
}

TEST(SpatialSliderCrank, IsStillWithTheReferenceAfterFiveSeconds) {
  Simulation linkage(make_spatial_slider_crank(), 2e-4);
  const double start = linkage.stored_energy();
  linkage.run_to(5.0);
  // benchmark limit at t = 1 s times the time and the step squared
  expect_close(linkage.com("slider").X.p.x(), 0.2407195737363, 0.0, 2e-4);
  expect_close(linkage.zd("crank_pin"), 11.49499626553, 0.0, 2e-2);
  // J; energies of 5 J are exchanged twice a turn
  expect_close(linkage.stored_energy(), start, 0.0, 1e-4);
}

class SpatialSliderCrankBy : public testing::TestWithParam<Method> {};

/// Errors at 0.5 s: place (m) and speed (m/s) of the slider, angular velocity (rad/s) of the rod.
Eigen::Vector<double, 5> errors_of(const Method& method, double h) {
  Simulation linkage(compile(make_spatial_slider_crank(), {}, {.formulation = method.formulation}),
                     step_of(method, h));
  linkage.run_to(0.5);
  const Motion slider = linkage.com("slider");
  Eigen::Vector<double, 5> errors;
  errors << slider.X.p.x() - 0.1849526297778, slider.velocity.x() + 0.004560290632773,
      linkage.com("rod").w - V(4.879872137052, 0.01481206871177, -0.01238326366968);
  return errors;
}

TEST_P(SpatialSliderCrankBy, RunsWithTheReferenceAndItsErrorFallsByTheOrderOfTheScheme) {
  const Method& method = GetParam();
  // BDF2 has four times the error of the trapezoidal rule
  const double h = method.accuracy == Accuracy::bdf2 ? 1e-4 : 2e-4;
  const Eigen::Vector<double, 5> fine = errors_of(method, h);
  // the benchmark's limit at 1e-4 s, four times for twice the step, half at half its time; rates in
  // proportion to the crank's 14 rad/s and more
  constexpr double limit = 2e-5;
  if (method.accuracy != Accuracy::first_order) {
    expect_close(fine[0], 0.0, 0.0, limit);
    expect_close(fine.tail<4>(), Eigen::Vector4d(Eigen::Vector4d::Zero()), 0.0, 100.0 * limit);
  }
  const double slope = std::log2(errors_of(method, 2.0 * h).norm() / fine.norm());
  RecordProperty("slope", std::to_string(slope));
  // the next term of the error
  expect_close(slope, method.accuracy == Accuracy::first_order ? 1.0 : 2.0, 0.0, 0.1);
}

INSTANTIATE_TEST_SUITE_P(Methods, SpatialSliderCrankBy, testing::ValuesIn(methods()),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace semirec::test
