// The planar pendulum (IFToMM library A01): a point mass of 1 kg on a massless rod of 1 m, let go
// from the horizontal. Expected values: the exact solution in Jacobi elliptic functions.

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "integrator/outputs/reactions.hpp"
#include "tests/support/expect_close.hpp"
#include "tests/support/mechanisms.hpp"
#include "tests/support/motion.hpp"

namespace semirec::test {
namespace {

using V = Eigen::Vector3d;

// exact at t = 10 s
const V kPosition(-0.275087462576117, -0.961419205099125, 0.0);
const V kVelocity(4.17559810095173, -1.19474905456048, 0.0);
constexpr double kPeriod = 2.36784194757624;

struct Swing {
  double h;
  double position;  // ten times the error of the trapezoidal rule on the angle alone
};

class Pendulum : public testing::TestWithParam<Swing> {};

TEST_P(Pendulum, IsWhereTheEllipticFunctionsPutItAfterTenSeconds) {
  Simulation pendulum(make_pendulum(), GetParam().h);
  pendulum.run_to(10.0);
  const Motion bob = pendulum.body("bob");
  expect_close(bob.X.p, kPosition, 0.0, GetParam().position);
  // the velocity changes by g l in the time the position needs for l
  expect_close(bob.velocity, kVelocity, 0.0, 10.0 * GetParam().position);
}

TEST_P(Pendulum, KeepsItsEnergy) {
  Simulation pendulum(make_pendulum(), GetParam().h);
  const double start = pendulum.stored_energy();
  double worst = 0.0;
  while (pendulum.state.t < 10.0) {
    (void)pendulum.advance();
    worst = std::max(worst, std::abs(pendulum.stored_energy() - start));
  }
  // benchmark limit 1e-3 J at h = 1e-2; the deviation falls with h^2
  expect_close(worst, 0.0, 0.0, 10.0 * GetParam().h * GetParam().h);
}

INSTANTIATE_TEST_SUITE_P(Steps, Pendulum, testing::Values(Swing{1e-3, 3e-4}, Swing{1e-2, 3e-2}));

TEST(PendulumRod, PullsThreeTimesItsWeightAtTheBottom) {
  // a quarter of a period in a whole number of steps
  constexpr int kSteps = 600;
  Simulation pendulum(make_pendulum(), 0.25 * kPeriod / kSteps);
  for (int k = 0; k < kSteps; ++k) (void)pendulum.advance();
  const std::vector<Reaction> reactions =
      find_joint_reactions(pendulum.model, pendulum.state, pendulum.ws);
  // m g + m v^2 / l with v^2 = 2 g l; second order: error of v below 1e-5 at 600 steps
  expect_close(reactions.at(0).force, V(0.0, 29.43, 0.0), 0.0, 1e-3);
  expect_close(reactions.at(0).moment, V::Zero(), 0.0, 1e-9);
}

}  // namespace
}  // namespace semirec::test
