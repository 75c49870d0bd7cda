// Andrews' squeezer, the seven-body mechanism (IFToMM library A03; IVP test set): three loops through one point, a
// run-away crank. Reference values: an index-1 solution in extended precision, computed apart from any engine, with an
// energy balance of 1e-15 J; the published digits agree with it to 1e-9 in the angles.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>

#include "integrator/energy.hpp"
#include "integrator/initial_conditions.hpp"
#include "integrator/reactions.hpp"
#include "tests/support/expect_close.hpp"
#include "tests/support/mechanisms.hpp"
#include "tests/support/motion.hpp"
#include "tests/support/random_mechanism.hpp"

namespace semirec::test {
namespace {

using Vector7 = Eigen::Matrix<double, 7, 1>;

constexpr std::array kAngles{"beta", "Theta", "gamma", "Phi", "delta", "Omega", "epsilon"};

// t = 0.03 s
const Vector7 kPosition{{15.8107711951537, -15.7563710584118, 0.0408222401196453, -0.534730116342081,
                         0.524409965879954, 0.53473011634208, 1.04808074104194}};
const Vector7 kRate{{1139.920302259, -1424.379295178, 11.03291191062, 19.29337410503, 0.5735699148295,
                     -19.29337410503, 0.3231791492491}};
const Vector7 kMultipliersEnd{{199.1753481, -29.75530997, 23.06654361, 31.45272528, 22.64249479, 11.61739235, 0.0}};

Vector7 angles(const Simulation& squeezer) {
  Vector7 q;
  for (int k = 0; k < 7; ++k) q[k] = andrews_start()[static_cast<std::size_t>(k)] + squeezer.z(kAngles[static_cast<std::size_t>(k)]);
  return q;
}

Vector7 rates(const Simulation& squeezer) {
  Vector7 q;
  for (int k = 0; k < 7; ++k) q[k] = squeezer.zd(kAngles[static_cast<std::size_t>(k)]);
  return q;
}

/// Multipliers of E2 - E3, E2 - E4, E2 - E6 in x and y: what K2 does to the other body, N.
Vector7 multipliers(Simulation& squeezer) {
  const std::vector<Reaction> reactions = find_joint_reactions(squeezer.model, squeezer.state, squeezer.ws);
  Vector7 lambda = Vector7::Zero();
  int row = 0;
  for (const char* name : {"E3", "E4", "E6"}) {
    const auto j = static_cast<std::size_t>(find_joint(squeezer.model.mechanism, name));
    lambda.segment<2>(row) = reactions[j].force.head<2>();
    row += 2;
  }
  return lambda;
}

TEST(Andrews, StartsWithThePublishedAccelerationsAndForces) {
  Simulation squeezer(make_andrews(), 1e-5);
  // the start is published with 16 digits; closing it moves the angles by 1e-15
  expect_close(angles(squeezer)[6], andrews_start()[6], 0.0, 1e-13);
  expect_close(squeezer.zdd("beta"), 14222.44391995411, 1e-9, 0.0);
  expect_close(squeezer.zdd("Theta"), -10666.83293996558, 1e-9, 0.0);
  for (const char* name : {"gamma", "Phi", "delta", "Omega", "epsilon"})
    expect_close(squeezer.zdd(name), 0.0, 0.0, 1e-9 * 14222.0);
  const Vector7 lambda{{98.5668703962411, -6.122688344255663, 0.0, 0.0, 0.0, 0.0, 0.0}};
  expect_close(multipliers(squeezer), lambda, 1e-9, 0.0);
}

TEST(Andrews, HasNineRedundantRowsOfFifteen) {
  Simulation squeezer(make_andrews(), 1e-5);
  const ClosureRank rank = find_closure_rank(squeezer.model, squeezer.state, squeezer.ws);
  EXPECT_EQ(rank.rows, 15);
  EXPECT_EQ(rank.rank, 6);
}

TEST(Andrews, ReachesTheReferenceAtThirtyMilliseconds) {
  Simulation squeezer(make_andrews(), 1e-5);
  const double start = squeezer.stored_energy();
  squeezer.run_to(0.03);
  const Vector7 q = angles(squeezer);
  const Vector7 qd = rates(squeezer);
  // ten times the error of the trapezoidal rule on the minimal-coordinate equations at this step
  constexpr double kBeta = 3e-5, kPhi = 1e-4, kDelta = 4e-6, kDeltaRate = 6e-4;
  expect_close(q[0], kPosition[0], 0.0, kBeta);
  expect_close(q[1], kPosition[1], 0.0, kBeta);
  expect_close(q[2], kPosition[2], 0.0, kPhi);
  expect_close(q[3], kPosition[3], 0.0, kPhi);
  expect_close(q[4], kPosition[4], 0.0, kDelta);
  expect_close(q[5], kPosition[5], 0.0, kPhi);
  expect_close(q[6], kPosition[6], 0.0, kPhi);
  expect_close(qd[4], kRate[4], 0.0, kDeltaRate);
  // Phi changes with 5.7e5 rad/s^2, 30 000 times its size: rates and forces have the relative error of the angle
  // over the time scale of that swing, 1e-4 s
  expect_close(qd, kRate, 1e-3, 0.0);
  expect_close(multipliers(squeezer), kMultipliersEnd, 1e-3, 0.0);
  // T + V grow by the motor's torque times the crank's way; the same with the reference's own numbers
  const double gained = squeezer.stored_energy() - start;
  expect_close(gained, 0.033 * (q[0] - andrews_start()[0]), 1e-4, 0.0);
  const Energy energy = find_energy(squeezer.model, squeezer.state, squeezer.ws);
  expect_close(energy.kinetic, 1.508949733903533, 1e-4, 0.0);
}

TEST(Andrews, ConvergesWithTheStepSquared) {
  const auto error = [](double h) {
    Simulation squeezer(make_andrews(), h);
    squeezer.run_to(0.03);
    Eigen::Vector3d e(angles(squeezer)[0] - kPosition[0], angles(squeezer)[4] - kPosition[4],
                      rates(squeezer)[4] - kRate[4]);
    return e;
  };
  const Eigen::Vector3d coarse = error(2e-5);
  const Eigen::Vector3d fine = error(1e-5);
  // second order from h = 2e-5 s on; 0.15: the next term
  for (int k = 0; k < 3; ++k) expect_close(std::log2(std::abs(coarse[k] / fine[k])), 2.0, 0.0, 0.15);
}

}  // namespace
}  // namespace semirec::test
