// Free rotation in space: the heavy top on a ball joint (Bruels and Cardona's, with the symmetric
// inertia) and the torque-free body. Reference values: Euler's equations with quaternions in
// extended precision, confirmed by the elliptic functions of the two cases, apart from any engine.

#include <cmath>

#include <gtest/gtest.h>

#include "integrator/outputs/reactions.hpp"
#include "tests/support/expect_close.hpp"
#include "tests/support/mechanisms.hpp"
#include "tests/support/motion.hpp"

namespace semirec::test {
namespace {

using V = Eigen::Vector3d;

/// Rotation of a quaternion (e0, e1, e2, e3).
Eigen::Matrix3d rotation(double e0, double e1, double e2, double e3) {
  return Eigen::Quaterniond(e0, e1, e2, e3).normalized().toRotationMatrix();
}

/// Attitude error as an angle, rad.
double angle_between(const Eigen::Matrix3d& A, const Eigen::Matrix3d& B) {
  return Eigen::AngleAxisd(Eigen::Matrix3d(A.transpose() * B)).angle();
}

// heavy top at t = 0.1 s
const V kTopCom(0.4212966589254021, 0.894571974345593, -0.1491647005618996);
const V kTopVelocity(3.408537463339654, -2.083437950579386, -2.867835045006232);
const V kTopSpin(4.808941331728091, 150.0, 1.028300756718334);  // body axes
const Eigen::Matrix3d kTopAttitude =
    rotation(0.3318229126083004, 0.1773380566669371, 0.9149751591387281, -0.1458260144308886);

struct TopErrors {
  double com, velocity, across, spin, attitude;
};

TopErrors top_errors(double h) {
  Simulation top(make_heavy_top(), h);
  top.run_to(0.1);
  const Motion m = top.com("top");
  const V w = m.w_own() - kTopSpin;
  return {(m.X.p - kTopCom).norm(), (m.velocity - kTopVelocity).norm(), std::hypot(w.x(), w.z()),
          std::abs(w.y()), angle_between(m.X.A, kTopAttitude)};
}

TEST(HeavyTop, NutatesAsTheEllipticFunctionsSay) {
  // 0.015 rad of spin a step
  const TopErrors error = top_errors(1e-4);
  // benchmark limit for the transverse rates at t = 1 s; a tenth of it after a tenth of the time
  expect_close(error.across, 0.0, 0.0, 0.015);
  // the spin about the figure axis is a first integral, and h^2 w^3 / 12 of its angle is lost a
  // second
  expect_close(error.spin, 0.0, 0.0, 1e-3);
  expect_close(error.attitude, 0.0, 0.0, 1e-3);
  expect_close(error.com, 0.0, 0.0, 1e-4);
  expect_close(error.velocity, 0.0, 0.0, 3e-3);
}

TEST(HeavyTop, ConvergesWithTheStepSquared) {
  const TopErrors coarse = top_errors(1e-4);
  const TopErrors fine = top_errors(5e-5);
  constexpr double kSlope = 0.1;  // the next term of the error
  expect_close(std::log2(coarse.com / fine.com), 2.0, 0.0, kSlope);
  expect_close(std::log2(coarse.velocity / fine.velocity), 2.0, 0.0, kSlope);
  expect_close(std::log2(coarse.across / fine.across), 2.0, 0.0, kSlope);
  expect_close(std::log2(coarse.attitude / fine.attitude), 2.0, 0.0, kSlope);
}

TEST(HeavyTop, KeepsEnergyAndTheVerticalAngularMomentum) {
  Simulation top(make_heavy_top(), 1e-4);
  // J w^2 / 2 with all terms at t = 0, m g z = 0
  expect_close(top.stored_energy(), 5435.69679086555, 1e-14, 0.0);
  expect_close(top.angular_momentum().z(), -70.3124296875, 1e-9, 0.0);
  top.run_to(0.1);
  // both drift with h^2 w^2 / 2 = 1.1e-4 of what turns with the spin
  expect_close(top.stored_energy(), 5435.69679086555, 0.0, 5e-3);
  expect_close(top.angular_momentum().z(), -70.3124296875, 1.5e-4, 0.0);
}

TEST(HeavyTop, IsCarriedByItsBallJoint) {
  Simulation top(make_heavy_top(), 1e-4);
  const Reaction ball = find_joint_reactions(top.model, top.state, top.ws).at(0);
  // F = m (a_G - gravity) with the reference's own motion: w x (w x r) + wd x r at t = 0, where the
  // weight's moment m g about x and the spin about y and z make
  //   wd_x = (-m g - (J_z - J_y) w_y w_z) / J_x about O, J_x = J_z = 15.234375, J_y = 0.46875
  const double Jx = 0.234375 + 15.0, Jy = 0.46875, wy = 150.0, wz = -4.61538;
  const double wdx = (-15.0 * 9.81 - (Jx - Jy) * wy * wz) / Jx;
  const V wd(wdx, 0.0, 0.0);
  const V w(0.0, wy, wz);
  const V r(0.0, 1.0, 0.0);
  const V a = wd.cross(r) + w.cross(w.cross(r));
  expect_close(ball.force, V(15.0 * (a + V(0, 0, 9.81))), 1e-12, 0.0);
  // a ball joint carries no moment
  expect_close(ball.moment, V::Zero(), 0.0, 1e-9);
}

// torque-free body at t = 10 s
const V kFreeSpin(2.01972244748724, -0.110289189626509, 0.572569903724888);
const Eigen::Matrix3d kFreeAttitude =
    rotation(-0.676123687898715, -0.72415573468419, -0.0620866751123965, -0.120832426772489);

struct FreeErrors {
  double spin, attitude, energy, momentum;
};

FreeErrors free_errors(double h) {
  Simulation body(make_free_body(), h);
  body.run_to(10.0);
  const Motion m = body.com("body");
  return {(m.w_own() - kFreeSpin).norm(), angle_between(m.X.A, kFreeAttitude),
          std::abs(body.stored_energy() - 6.295),
          (body.angular_momentum() - V(6.0, 1.0, 0.3)).norm()};
}

TEST(TorqueFreeBody, TumblesAsTheEllipticFunctionsSay) {
  const FreeErrors error = free_errors(1e-3);
  // h^2 w^3 t / 12 with w = 2 rad/s: 7e-6 rad; with room for the coupling of the axes
  expect_close(error.spin, 0.0, 0.0, 1e-4);
  expect_close(error.attitude, 0.0, 0.0, 1e-4);
  expect_close(error.energy, 0.0, 0.0, 1e-4);
  expect_close(error.momentum, 0.0, 0.0, 1e-4);
}

TEST(TorqueFreeBody, ConvergesWithTheStepSquared) {
  const FreeErrors coarse = free_errors(1e-2);
  const FreeErrors fine = free_errors(5e-3);
  constexpr double kSlope = 0.1;  // the next term of the error
  expect_close(std::log2(coarse.spin / fine.spin), 2.0, 0.0, kSlope);
  expect_close(std::log2(coarse.attitude / fine.attitude), 2.0, 0.0, kSlope);
}

TEST(TorqueFreeBody, FliesStraightThroughItsMassCentre) {
  Mechanism mechanism = make_free_body();
  mechanism.joints[0].velocity = {1.0, -2.0, 3.0, 2.0, 0.5, 0.3};
  Simulation body(mechanism, 1e-2);
  body.run_to(10.0);
  // no force, no change: round-off of 1000 steps
  expect_close(body.com("body").X.p, V(10.0, -20.0, 30.0), 1e-12, 0.0);
  expect_close(body.com("body").velocity, V(1.0, -2.0, 3.0), 1e-12, 0.0);
}

}  // namespace
}  // namespace semirec::test
