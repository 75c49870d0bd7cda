// Time integration schemes: their coefficients against the formulas they come from, their damping
// and order against closed forms, in every formulation; and what is said of parameters that cannot
// be used.

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "integrator/compile.hpp"
#include "integrator/simulation.hpp"
#include "integrator/statics/initial_conditions.hpp"
#include "tests/support/expect_close.hpp"
#include "tests/support/mechanisms.hpp"
#include "tests/support/motion.hpp"

namespace semirec::test {
namespace {

using V = Eigen::Vector3d;

SchemeChoice newmark(double gamma, double beta) {
  return choose_scheme("newmark", {{"gamma", gamma}, {"beta", beta}});
}

std::string fault_of(const std::string& name,
                     const std::vector<std::pair<std::string, double>>& given) {
  try {
    static_cast<void>(choose_scheme(name, given, "--"));
  } catch (const ModelError& error) {
    return error.what();
  }
  return {};
}

TEST(Schemes, ChangedInOneParameterKeepTheOthersThatAreNotUsual) {
  const SchemeChoice written = choose_scheme("newmark", {{"gamma", 0.6}});
  const SchemeChoice with_beta = change_scheme(written, {{"beta", 0.31}});
  EXPECT_EQ(with_beta.parameters[0], 0.6);
  EXPECT_EQ(with_beta.parameters[1], 0.31);
  // beta was the usual one of 0.6, and becomes that of 0.7: (0.7 + 1/2)^2/4
  const SchemeChoice with_gamma = change_scheme(written, {{"gamma", 0.7}});
  EXPECT_EQ(with_gamma.parameters[0], 0.7);
  EXPECT_NEAR(with_gamma.parameters[1], 0.36, 1e-15);
  EXPECT_EQ(change_scheme(written, {}), written);
}

// by the scheme's own rates: at the first guess the acceleration has gone on by h jerk
TEST(Schemes, TheFirstGuessGoesOnWithTheJerk) {
  State state;
  state.zd = Eigen::Vector2d(0.7, -2.0);
  state.zdd = Eigen::Vector2d(-30.0, 11.0);
  const Eigen::Vector2d jerk(400.0, -90.0);
  constexpr double h = 3e-3;
  for (const SchemeChoice& choice :
       {newmark(0.5, 0.25), newmark(0.6, 0.3025), choose_scheme("trapezoid", {})}) {
    const Scheme scheme = choice.make(h);
    Eigen::VectorXd d, zd, zdd;
    scheme.predict(state, d);
    scheme.compute_rates(state, d, zd, zdd);
    for (int k = 0; k < 2; ++k) EXPECT_NEAR(zdd[k], state.zdd[k], 1e-10) << k;
    d += scheme.d_jerk * jerk;
    scheme.compute_rates(state, d, zd, zdd);
    for (int k = 0; k < 2; ++k) EXPECT_NEAR(zdd[k], state.zdd[k] + h * jerk[k], 1e-10) << k;
  }
}

// what swings from step to step has a jerk of its own size each way, what is hit one from nowhere
TEST(Schemes, GuessesGoOnWithWhatIsSmoothAlone) {
  EXPECT_EQ(Scheme::trend(0.9, 1.0), 1.0);
  EXPECT_EQ(Scheme::trend(-5.0, -4.0), -4.0);
  EXPECT_EQ(Scheme::trend(-1.0, 1.0), 0.0);
  EXPECT_EQ(Scheme::trend(0.0, 1.0), 0.0);
  EXPECT_EQ(Scheme::trend(0.0, 0.0), 0.0);
  EXPECT_EQ(Scheme::trend(std::nan(""), 1.0), 0.0);
}

// a fixed number of iterations would feed on what it leaves
TEST(Schemes, AFixedNumberOfIterationsGuessesWithoutJerk) {
  Simulation run(make_four_bars(1), 1e-3);
  for (int k = 0; k < 3; ++k) static_cast<void>(run.advance());
  EXPECT_EQ(run.state.jerk_step, 1e-3);
  run.settings.iterations = 2;
  State fresh = run.state;
  fresh.jerk_step = 0.0;
  static_cast<void>(run.advance());
  const Eigen::VectorXd z = run.state.z;
  EXPECT_EQ(run.state.jerk_step, 0.0);
  run.state = fresh;
  static_cast<void>(run.advance());
  EXPECT_EQ(run.state.z, z);
}

// the same steps, each time without what the step before has told
TEST(Schemes, TheJerkOfTheLastStepSavesIterations) {
  int iterations[2] = {0, 0};
  double z[2] = {0.0, 0.0};
  for (const bool knows : {false, true}) {
    Simulation run(make_four_bars(1), 1e-3);
    for (int k = 0; k < 1000; ++k) {
      if (!knows) run.state.jerk_step = 0.0;
      iterations[knows ? 1 : 0] += run.advance().iterations;
    }
    z[knows ? 1 : 0] = run.state.z[0];
  }
  EXPECT_LT(iterations[1], 0.9 * iterations[0]) << iterations[1] << " for " << iterations[0];
  EXPECT_NEAR(z[1], z[0], 1e-6);  // the steps' tolerance
}

TEST(Schemes, NewmarkGivesTheRatesOfItsFormulas) {
  State state;
  state.zd = Eigen::Vector2d(0.7, -2.0);
  state.zdd = Eigen::Vector2d(-30.0, 11.0);
  const Eigen::VectorXd zdd = Eigen::Vector2d(17.0, -5.0);
  for (const auto& [gamma, beta] : {std::pair{0.5, 0.25}, {0.6, 0.3025}, {0.9, 0.6}}) {
    constexpr double h = 3e-3;
    // the textbook's way round: from zdd to zd and z
    const Eigen::VectorXd zd = state.zd + h * ((1.0 - gamma) * state.zdd + gamma * zdd);
    const Eigen::VectorXd d = h * state.zd + h * h * ((0.5 - beta) * state.zdd + beta * zdd);
    const Scheme scheme = newmark(gamma, beta).make(h);
    Eigen::VectorXd zd_found, zdd_found;
    scheme.compute_rates(state, d, zd_found, zdd_found);
    expect_close(zd_found, zd, 1e-12, 0.0);
    expect_close(zdd_found, zdd, 1e-12, 0.0);
    // x = x_n + h ((1 - gamma) xd_n + gamma xd)
    StateRule rule;
    rule.hold(state.zd, state.zdd);
    state.x = state.zd;
    state.xd = state.zdd;
    scheme.begin(state, rule);
    const Eigen::VectorXd x = rule.x_hat + rule.gain * (rule.xd_hat + zdd);
    expect_close(x, zd, 1e-14, 0.0);
  }
}

TEST(Schemes, TiesTheWeightsOfTheTangentToTheCoefficients) {
  for (const SchemeFamily* family : scheme_families()) {
    SCOPED_TRACE(family->name);
    const Scheme s = choose_scheme(family->name, {}).make(2e-3);
    EXPECT_EQ(s.h, 2e-3);
    EXPECT_EQ(s.weights.mass, 1.0);
    // the derivatives of zd and zdd over d, relative to that of zdd
    EXPECT_DOUBLE_EQ(s.weights.damping, s.c_v / s.c_a);
    EXPECT_DOUBLE_EQ(s.weights.stiffness, 1.0 / s.c_a);
    EXPECT_DOUBLE_EQ(s.scale, 1.0 / s.c_a);
    EXPECT_DOUBLE_EQ(s.penalty, s.c_a * s.h * s.h);
  }
}

TEST(Schemes, AreChosenByNameWithTheirUsualParameters) {
  EXPECT_EQ(describe(SchemeChoice{}), "trapezoid");
  EXPECT_EQ(describe(choose_scheme("trapezoid", {})), "trapezoid");
  EXPECT_EQ(describe(choose_scheme("newmark", {})), "newmark (gamma 0.5, beta 0.25)");
  // (0.6 + 0.5)^2/4
  EXPECT_EQ(describe(choose_scheme("newmark", {{"gamma", 0.6}})),
            "newmark (gamma 0.6, beta 0.3025)");
}

TEST(Schemes, RefuseWhatCannotBeUsedInOneLine) {
  EXPECT_EQ(
      fault_of("bdf9", {}),
      "--scheme is 'bdf9', expected trapezoid or newmark or hht or generalized_alpha or "
      "nstiff or nstiff_si2 or hht_si2 or hht_add or modified_hht or linearly_implicit_euler");
  EXPECT_EQ(fault_of("modified_hht", {{"weighting", 0.5}}),
            "--weighting is 0.5, expected 0 (the old forces turn with the body) or 1 (as printed, "
            "they do not)");
  EXPECT_EQ(fault_of("trapezoid", {{"gamma", 0.5}}),
            "--gamma is given with the scheme trapezoid, expected it with newmark only");
  EXPECT_EQ(fault_of("newmark", {{"gamma", 0.4}}),
            "--gamma is 0.4, expected at least 0.5: below, newmark feeds energy");
  EXPECT_EQ(
      fault_of("newmark", {{"gamma", 0.6}, {"beta", 0.25}}),
      "--beta is 0.25, expected at least (gamma + 1/2)^2/4 = 0.3025: below, newmark is stable "
      "for short steps only");
  for (const double bad : {INFINITY, -INFINITY, NAN})
    EXPECT_EQ(fault_of("newmark", {{"beta", bad}}),
              "--beta is not finite, expected a number of ordinary size");
}

/// 2 kg on a slide along z against a spring of 800 N/m, at 1 m/s through its rest position: 20
/// rad/s.
Mechanism make_oscillator() {
  Mechanism m;
  m.name = "oscillator";
  m.gravity.setZero();
  const BodyIndex mass = add_body(m, "mass", 2.0, Frame{}, Eigen::Matrix3d::Identity());
  add_joint(m, "slide", JointType::prismatic, kGround, mass, Frame{});
  m.joints.back().velocity = {1.0};
  add_spring(m, "spring", kGround, mass, V(0, 0, -1), V::Zero(), 800.0, 1.0, 0.0);
  return m;
}

/// A slider-crank against a stiff spring: the pin's motion of about 1e-2 m at some 150 rad/s.
Mechanism make_stiff_loop() {
  Mechanism m = make_slider_crank({.crank_angle = 1.0, .crank_rate = 1.0, .damping = 20.0});
  const Marker ends[] = {m.springs[0].a, m.springs[0].b};
  const double length = (pose_of(m, ends[1].body) * ends[1].X_BF).p.norm();
  m.springs.clear();
  add_spring(m, "stiff", ends[0].body, ends[1].body, V::Zero(),
             (pose_of(m, ends[1].body) * ends[1].X_BF).p, 4e4, length, 20.0);
  return m;
}

class SchemesIn : public testing::TestWithParam<Formulation> {};

TEST_P(SchemesIn, NewmarkFollowsItsClosedFormOnAnOscillator) {
  constexpr double h = 0.01;
  constexpr double Omega2 = 0.04;  // (20 rad/s h)^2
  for (const auto& [gamma, beta] : {std::pair{0.5, 0.25}, {0.6, 0.3025}, {0.8, 0.5}}) {
    Simulation run(make_oscillator(), h, GetParam());
    run.settings.scheme = newmark(gamma, beta);
    run.settings.tolerance = 1e-12;
    std::vector<double> x{0.0};
    for (int k = 0; k < 60; ++k) {
      static_cast<void>(run.advance());
      x.push_back(run.body("mass").X.p.z());
    }
    // three positions in a row, the rates eliminated from the two formulas and m zdd = - k z
    const double after = 1.0 + beta * Omega2;
    const double now = -2.0 + (0.5 - 2.0 * beta + gamma) * Omega2;
    const double before = 1.0 + (0.5 + beta - gamma) * Omega2;
    for (std::size_t k = 1; k + 1 < x.size(); ++k)
      ASSERT_NEAR(after * x[k + 1] + now * x[k] + before * x[k - 1], 0.0, 1e-11) << gamma << k;
  }
}

TEST_P(SchemesIn, NewmarkWithAHalfAndAQuarterIsTheTrapezoidalRuleToTheBit) {
  Simulation run(make_stiff_loop(), 1e-3, GetParam());
  Simulation other(make_stiff_loop(), 1e-3, GetParam());
  other.settings.scheme = newmark(0.5, 0.25);
  for (int k = 0; k < 50; ++k) {
    static_cast<void>(run.advance());
    static_cast<void>(other.advance());
  }
  EXPECT_EQ(run.state.z, other.state.z);
  EXPECT_EQ(run.state.zdd, other.state.zdd);
  EXPECT_EQ(run.state.multipliers, other.state.multipliers);
}

/// Centres of mass and their velocities at two instants.
Eigen::VectorXd motion_of_loop(double h, const SchemeChoice& scheme, Formulation formulation) {
  Simulation run(make_stiff_loop(), h, formulation);
  run.settings.scheme = scheme;
  run.settings.tolerance = 1e-12;
  Eigen::VectorXd all(24);
  Eigen::Index next = 0;
  for (const double t : {0.02, 0.04}) {
    run.run_to(t);
    for (const BodyIndex body : {0, 1}) {
      const Motion m = run.com(body);
      all.segment<3>(next) = m.X.p;
      all.segment<3>(next + 3) = 1e-2 * m.velocity;
      next += 6;
    }
  }
  return all;
}

TEST_P(SchemesIn, ConvergeOnAStiffLoopWithTheirOrder) {
  // the trapezoidal rule at a fiftieth of the step, hybrid
  static const Eigen::VectorXd reference =
      motion_of_loop(1e-5, SchemeChoice{}, Formulation::hybrid);
  const auto slope = [&](const SchemeChoice& scheme) {
    const double coarse = (motion_of_loop(5e-4, scheme, GetParam()) - reference).norm();
    const double fine = (motion_of_loop(2.5e-4, scheme, GetParam()) - reference).norm();
    return std::log2(coarse / fine);
  };
  // 0.15: the next term of the error
  EXPECT_NEAR(slope(newmark(0.6, 0.3025)), 1.0, 0.15);
  EXPECT_NEAR(slope(newmark(0.5, 0.25)), 2.0, 0.15);
  // beta alone leaves the order
  EXPECT_NEAR(slope(newmark(0.5, 0.3)), 2.0, 0.15);
  EXPECT_NEAR(slope(choose_scheme("hht", {{"alpha", -0.05}})), 2.0, 0.15);
  EXPECT_NEAR(slope(choose_scheme("hht", {{"alpha", -0.3}})), 2.0, 0.15);
  for (const double rho : {0.0, 0.5, 0.9, 1.0})
    EXPECT_NEAR(slope(choose_scheme("generalized_alpha", {{"rho", rho}})), 2.0, 0.15) << rho;
  EXPECT_NEAR(slope(choose_scheme("nstiff", {})), 2.0, 0.15);
}

// What an alpha method remembers of a step is that of another length: read as it stands it costs an
// order of the rates.
TEST_P(SchemesIn, KeepTheirOrderAtStepsOfChangingLength) {
  const auto error_of = [&](const SchemeChoice& scheme, double h) {
    Simulation run(make_oscillator(), h, GetParam());
    run.settings.scheme = scheme;
    run.settings.tolerance = 1e-12;
    double error = 0.0;
    for (int k = 0; run.state.t < 0.3 - 1e-9; ++k) {
      run.settings.h = (k % 4 < 2 ? 1.0 + 0.2 * (k % 2) : 1.44 - 0.24 * (k % 2)) * h;
      static_cast<void>(run.advance());
      // closed form: 1 m/s at 20 rad/s
      const double v = run.body("mass").velocity.z();
      error = std::max(error, std::abs(v - std::cos(20.0 * run.state.t)));
    }
    return error;
  };
  for (const SchemeChoice& scheme :
       {SchemeChoice{}, choose_scheme("hht", {{"alpha", -0.05}}),
        choose_scheme("hht", {{"alpha", -0.3}}), choose_scheme("generalized_alpha", {{"rho", 0.0}}),
        choose_scheme("generalized_alpha", {{"rho", 0.5}}),
        choose_scheme("generalized_alpha", {{"rho", 0.9}})}) {
    const double slope = std::log2(error_of(scheme, 1e-3) / error_of(scheme, 5e-4));
    EXPECT_NEAR(slope, 2.0, 0.2) << describe(scheme);
  }
}

// What is infinitely fast beside the step dies away whatever the lengths of the steps: read as one
// of the step's own length, however much longer, a_n would make it grow (radii by the matrices of
// amplification up to 2.6 a period).
TEST_P(SchemesIn, DampWhatIsStiffAtStepsOfChangingLength) {
  if (GetParam() == Formulation::recursive) GTEST_SKIP() << "its tangent has no stiffness";
  for (const std::vector<double>& lengths :
       {std::vector<double>{1.0, 4.0}, {1.0, 2.0, 4.0, 8.0}, {1.0, 1.2, 1.44, 1.728, 2.07, 0.4}})
    for (const SchemeChoice& scheme : {choose_scheme("hht", {{"alpha", -0.3}}),
                                       choose_scheme("generalized_alpha", {{"rho", 0.0}}),
                                       choose_scheme("generalized_alpha", {{"rho", 0.5}}),
                                       choose_scheme("generalized_alpha", {{"rho", 0.9}})}) {
      Simulation run(make_oscillator(), 5.0, GetParam());  // 20 rad/s
      run.settings.scheme = scheme;
      run.settings.tolerance = 1e-12;
      run.state.zd *= 1e-6;
      for (int k = 0; k < 200; ++k) {
        run.settings.h = 5.0 * lengths[static_cast<std::size_t>(k) % lengths.size()];
        static_cast<void>(run.advance());
      }
      EXPECT_LT(std::abs(run.body("mass").velocity.z()), 1e-7) << describe(scheme);
    }
}

/// A run at 10 ms with its balance.
RunReport audit_of(const Mechanism& mechanism, double until, const SchemeChoice& scheme,
                   Formulation formulation) {
  Simulation run(mechanism, 0.01, formulation);
  RunSettings settings;
  settings.until = until;
  settings.step = run.settings;
  settings.step.scheme = scheme;
  settings.step.tolerance = 1e-12;  // fixed points of `recursive` leave as much as it lets them
  return semirec::run(run.model, settings, run.state, run.ws);
}

// Bodies that go in circles: with next to no damping the balance is that of the trapezoidal rule,
// and what is taken is what has gone. Expected: the drop of the energies themselves.
TEST_P(SchemesIn, TheBalanceOfASchemeThatDampsIsNoWorseThanOfOneThatDoesNot) {
  const auto audit = [&](const SchemeChoice& scheme) {
    return audit_of(make_pendulum(), 3.0, scheme, GetParam());
  };
  const double plain = audit(SchemeChoice{}).energy_error;
  for (const SchemeChoice& scheme :
       {choose_scheme("hht", {{"alpha", -1e-9}}), choose_scheme("hht", {{"alpha", -0.05}}),
        choose_scheme("generalized_alpha", {{"rho", 0.999999999}}),
        choose_scheme("generalized_alpha", {{"rho", 0.9}}), newmark(0.52, 0.2601)}) {
    SCOPED_TRACE(describe(scheme));
    const RunReport report = audit(scheme);
    EXPECT_LT(report.energy_error, 1.5 * plain);
    const double gone =
        report.start.kinetic + report.start.potential - report.end.kinetic - report.end.potential;
    EXPECT_NEAR(report.end.scheme, gone, 1.5 * plain);
  }
}

TEST_P(SchemesIn, WhatASchemeTakesFromTheMotionIsNamedInTheBalance) {
  const auto audit = [&](const SchemeChoice& scheme) {
    return audit_of(make_oscillator(), 1.0, scheme, GetParam());
  };
  EXPECT_EQ(audit(SchemeChoice{}).end.scheme, 0.0);
  for (const SchemeChoice& scheme :
       {newmark(0.6, 0.3025), choose_scheme("hht", {{"alpha", -0.3}}),
        choose_scheme("generalized_alpha", {{"rho", 0.3}}), choose_scheme("nstiff", {})}) {
    SCOPED_TRACE(describe(scheme));
    const RunReport report = audit(scheme);
    EXPECT_FALSE(is_balance_broken(report));
    // nothing else dissipates: it is all that is missing of 1 J; a linear spring's energy is the
    // work of the mean force to the last digit
    const double left = report.end.kinetic + report.end.elastic;
    EXPECT_LT(left, 0.999);
    EXPECT_NEAR(report.end.scheme, 1.0 - left, 1e-9);
    EXPECT_EQ(report.end.dissipated, 0.0);
  }
  // Newmark: 20 rad/s over 1 s at the ratio of damping 0.1 * 0.2/2; 1/20 of it by the next terms
  EXPECT_NEAR(std::log(1.0 - audit(newmark(0.6, 0.3025)).end.scheme), -2.0 * 0.01 * 20.0, 0.02);
}

INSTANTIATE_TEST_SUITE_P(All, SchemesIn, testing::ValuesIn(all_formulations()),
                         [](const auto& test) { return std::string(name_of(test.param)); });

}  // namespace
}  // namespace semirec::test
