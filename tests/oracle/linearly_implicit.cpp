// The linearly implicit Euler method in dependent and in independent coordinates: what a step takes
// of the stiffness, its closed form on an oscillator, closures, redundant rows, trees, element
// states. The discrete pendulum is in discrete_pendulum.cpp, orders are in order.cpp.

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "integrator/compile.hpp"
#include "integrator/formulation/evaluate.hpp"
#include "integrator/initial_state.hpp"
#include "integrator/method/methods.hpp"
#include "integrator/simulation.hpp"
#include "integrator/statics/initial_conditions.hpp"
#include "integrator/step.hpp"
#include "tests/support/drives.hpp"
#include "tests/support/expect_close.hpp"
#include "tests/support/mechanisms.hpp"
#include "tests/support/motion.hpp"
#include "tests/support/random_mechanism.hpp"
#include "tests/support/shared_cases.hpp"
#include "vehicles/files/xml/reader.hpp"

namespace semirec::test {
namespace {

using V = Eigen::Vector3d;

const auto kFormulations =
    testing::Values(Formulation::hybrid, Formulation::global, Formulation::cartesian);
const auto kForms = testing::Values(Closing::multipliers, Closing::independent);

void choose_form(Closing form, StepSettings& settings) {
  settings.scheme = choose_scheme("linearly_implicit_euler", {});
  settings.closing = form;
}

class Form : public testing::TestWithParam<std::tuple<Formulation, Closing>> {
 protected:
  Simulation start(const Mechanism& mechanism, double h) const {
    Simulation run(mechanism, h, std::get<0>(GetParam()));
    choose_form(std::get<1>(GetParam()), run.settings);
    return run;
  }
};

INSTANTIATE_TEST_SUITE_P(All, Form, testing::Combine(kFormulations, kForms), [](const auto& test) {
  return std::string(name_of(std::get<0>(test.param))) + "_" + name_of(std::get<1>(test.param));
});

/// 2 kg on a slide along z against a spring, through its rest position at 1 m/s.
Mechanism make_sprung_mass(double stiffness) {
  Mechanism m;
  m.name = "sprung mass";
  m.gravity.setZero();
  const BodyIndex mass = add_body(m, "mass", 2.0, Frame{}, Eigen::Matrix3d::Identity());
  add_joint(m, "slide", JointType::prismatic, kGround, mass, Frame{});
  m.joints.back().velocity = {1.0};
  add_spring(m, "spring", kGround, mass, V(0, 0, -1), V::Zero(), stiffness, 1.0, 0.0);
  return m;
}

TEST_P(Form, IsTheImplicitEulerRuleOnAnOscillator) {
  constexpr double h = 0.01;
  for (const double stiffness : {800.0, 2e8}) {
    const double Omega2 = stiffness / 2.0 * h * h;
    Simulation run = start(make_sprung_mass(stiffness), h);
    std::vector<double> x{0.0};
    for (int k = 0; k < 40; ++k) {
      EXPECT_EQ(run.advance().iterations, 1);
      x.push_back(run.body("mass").X.p.z());
    }
    // three positions in a row: (x_{k+1} - 2 x_k + x_{k-1})/h^2 = - (k/m) x_{k+1}
    for (std::size_t k = 1; k + 1 < x.size(); ++k)
      ASSERT_NEAR((1.0 + Omega2) * x[k + 1] - 2.0 * x[k] + x[k - 1], 0.0, 1e-14 * (1.0 + Omega2))
          << k;
    // stiff: what is infinitely fast is gone after two steps
    if (stiffness > 1e6) EXPECT_LT(std::abs(x[4]), 1e-9);
  }
}

// Nothing else dissipates: it is all that is missing of 1 J. A linear spring's energy is the work
// of the mean force to the last digit.
TEST_P(Form, WhatItTakesFromTheMotionIsNamedInTheBalance) {
  Simulation run = start(make_sprung_mass(800.0), 0.01);
  RunSettings settings;
  settings.until = 1.0;
  settings.step = run.settings;
  const RunReport report = semirec::run(run.model, settings, run.state, run.ws);
  EXPECT_FALSE(is_balance_broken(report));
  const double left = report.end.kinetic + report.end.elastic;
  EXPECT_LT(left, 0.5);
  EXPECT_NEAR(report.end.scheme, 1.0 - left, 1e-9);
}

// A linear spring, a linear damper and the weight: their work along the way of the positions, and
// with it the balance, is found to the last digit.
TEST_P(Form, BalancesWhatADamperTakesAlongTheWayOfThePositions) {
  Mechanism mechanism = make_sprung_mass(800.0);
  mechanism.gravity = {0.0, 0.0, -9.81};
  add_spring(mechanism, "damper", kGround, 0, V(0, 0, -1), V::Zero(), 0.0, 1.0, 20.0);
  Simulation run = start(mechanism, 0.01);
  RunSettings settings;
  settings.until = 0.5;
  settings.step = run.settings;
  const RunReport report = semirec::run(run.model, settings, run.state, run.ws);
  EXPECT_GT(report.end.dissipated, 0.1);
  EXPECT_LT(report.energy_error, 1e-12);  // J of about 1 J turned over, 50 steps
}

TEST_P(Form, MeetsTheClosuresWithoutIterating) {
  Simulation run = start(make_slider_crank({.crank_angle = 1.0, .crank_rate = 10.0}), 1e-3);
  const bool independent = std::get<1>(GetParam()) == Closing::independent;
  double Phi = 0.0;
  double Phid = 0.0;
  double w = 0.0;
  for (int k = 0; k < 500; ++k) {
    const StepReport report = run.advance();
    EXPECT_EQ(report.factorizations, independent ? 1 : 2);
    Phi = std::max(Phi, report.Phi);
    evaluate_state(run.model, run.state, run.ws);
    Phid = std::max(Phid, run.ws.closures.Phid.cwiseAbs().maxCoeff());
    w = std::max({w, run.com(0).w.norm(), run.com(1).w.norm()});
  }
  // parts of a radius of 0.9 m at most turn by h w: the step leaves (h w)^2/2 of it open, the
  // projection, with a matrix that has turned by h w, about h w of that
  const double turn = 1e-3 * w;
  EXPECT_LT(Phi, 0.9 * turn * turn * turn);
  // round-off; or rows at z_n + h zd_n, which is off by (h w)^2/2 of the radius
  EXPECT_LT(Phid, independent ? 1e-13 : 0.9 * turn * turn * w);

  // without the projection the closures drift away
  Simulation drifting = start(make_slider_crank({.crank_angle = 1.0, .crank_rate = 10.0}), 1e-3);
  drifting.settings.projections = 0;
  double drift = 0.0;
  for (int k = 0; k < 500; ++k) drift = std::max(drift, drifting.advance().Phi);
  EXPECT_GT(drift, 100.0 * Phi);
}

/// The lead of TangentWeights against the tangent's K.
void expect_lead(const Model& model, const State& state) {
  SCOPED_TRACE(model.formulation->name());
  Workspace ws(model);
  begin_evaluation(model, state, state.t, ws);
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(model.n());
  constexpr double kLead = 0.25;
  const auto residual = [&](double lead) {
    TangentWeights weights{1.0, 1e-3, 1e-6};
    weights.lead = lead;
    evaluate_dynamics(model, state.z.data(), state.zd.data(), zero.data(), weights, ws);
    return Eigen::VectorXd(ws.tree.residual);
  };
  const Eigen::VectorXd without = residual(0.0);
  const Eigen::VectorXd found = residual(kLead) - without;
  evaluate_dynamics(model, state.z.data(), state.zd.data(), zero.data(), {0.0, 0.0, 1.0}, ws);
  const Eigen::MatrixXd K = model.tree.pattern.to_dense(ws.tree.tangent.data());
  const Eigen::VectorXd expected = kLead * (K * state.zd);
  EXPECT_GT(expected.norm(), 0.0);
  // round-off of the residual, and of sums that cancel in K zd
  const double size = kLead * K.cwiseAbs().maxCoeff() * state.zd.cwiseAbs().maxCoeff();
  expect_close(found, expected, 1e-9, 1e-12 * (size + without.cwiseAbs().maxCoeff()));
}

TEST(LinearlyImplicit, LeadIsStiffnessTimesVelocityForEveryForceElement) {
  for (const Formulation formulation :
       {Formulation::hybrid, Formulation::global, Formulation::cartesian}) {
    Simulation loops(make_loop_mechanism(3), 1e-3, formulation);
    expect_lead(loops.model, loops.state);
    for (const auto& [model, scenario] : {std::pair{"sedan.xml", "step_steer.xml"},
                                          {"iltis.xml", "bump_5.xml"},
                                          {"rear_multilink.xml", "square_bump.xml"}}) {
      SCOPED_TRACE(model);
      const std::string folder = std::string(SEMIREC_SOURCE_DIR) + "/vehicles/";
      const Drive drive =
          make_drive(read_drive(folder + "models/" + model, folder + "scenarios/" + scenario),
                     {TangentChoice::automatic, formulation});
      Workspace ws(drive.model);
      State state = start_drive(drive, ws);
      state.zd += Random(7).values(state.zd.size(), 0.1);
      expect_lead(drive.model, state);
    }
  }
}

TEST(LinearlyImplicit, BothFormsAreOneOnATree) {
  for (const Formulation formulation :
       {Formulation::hybrid, Formulation::global, Formulation::cartesian}) {
    std::vector<Eigen::VectorXd> ends;
    for (const Closing form : {Closing::multipliers, Closing::independent}) {
      Simulation run(make_universal_pendulum(), 1e-3, formulation);
      choose_form(form, run.settings);
      run.run_to(0.1);
      ends.push_back(run.com(0).X.p);
    }
    // hybrid: no closures, the same equations; others meet their closures' rates elsewhere
    expect_close(ends[0], ends[1], 0.0, formulation == Formulation::hybrid ? 1e-13 : 1e-4);
  }
}

class LinearlyImplicitCases
    : public testing::TestWithParam<std::tuple<Formulation, Closing, SharedCase>> {};

TEST_P(LinearlyImplicitCases, FollowTheMotionToFirstOrder) {
  const auto& [formulation, form, c] = GetParam();
  const auto find_end = [&](double h, bool linear) {
    Simulation run(c.make(), h, formulation);
    if (linear) choose_form(form, run.settings);
    const bool redundant = [&] {
      const ClosureRank rank = find_closure_rank(run.model, run.state, run.ws);
      return rank.rank < rank.rows;
    }();
    Eigen::VectorXd end(6 * static_cast<Eigen::Index>(run.model.mechanism.bodies.size()));
    const auto steps = std::lround(0.5 * c.until / h);
    for (long k = 0; k < steps; ++k) {
      const StepReport report = run.advance();
      if (linear) EXPECT_EQ(report.dependent > 0, redundant);
    }
    for (std::size_t b = 0; b < run.model.mechanism.bodies.size(); ++b) {
      const Motion m = run.com(static_cast<BodyIndex>(b));
      end.segment<3>(6 * static_cast<Eigen::Index>(b)) = m.X.p;
      end.segment<3>(6 * static_cast<Eigen::Index>(b) + 3) = m.X.A.col(0);
    }
    return end;
  };
  // the trapezoidal rule's own error is of second order
  const Eigen::VectorXd exact = find_end(c.h / 8.0, false);
  const double coarse = (find_end(c.h / 4.0, true) - exact).norm();
  const double fine = (find_end(c.h / 8.0, true) - exact).norm();
  // 0.25: the next term of the error. More than one where nothing is stiff and the accelerations at
  // the start vanish: positions are then those of the leapfrog rule (order.cpp)
  if (coarse > 1e-8) EXPECT_GT(std::log2(coarse / fine), 0.75) << coarse;
}

INSTANTIATE_TEST_SUITE_P(SharedCases, LinearlyImplicitCases,
                         testing::Combine(kFormulations, kForms, testing::ValuesIn(shared_cases())),
                         [](const auto& test) {
                           return std::string(name_of(std::get<0>(test.param))) + "_" +
                                  name_of(std::get<1>(test.param)) + "_" +
                                  std::get<2>(test.param).name;
                         });

TEST(LinearlyImplicit, GoesOnBitForBitInAnotherWorkspaceAndAfterAnotherUseOfItsOwn) {
  // what a step takes over from the one before is what it would find itself; the steering wheel
  // turns from 1 s on, and with it the closures
  ShippedDrive car = start_shipped("sedan.xml", "step_steer.xml");
  const Model& model = car.drive.model;
  StepSettings settings = car.drive.settings.step;
  choose_form(Closing::independent, settings);
  settings.iterations = 0;
  while (car.state.t < 1.01)
    ASSERT_EQ(step(model, settings, car.state, car.ws).status, StepStatus::converged);
  State copy = car.state;
  State used = car.state;
  State moved = car.state;
  moved.z[6] += 0.1;
  Workspace own(model);
  for (int k = 0; k < 100; ++k) {
    ASSERT_EQ(step(model, settings, car.state, car.ws).status, StepStatus::converged);
    Workspace fresh(model);
    ASSERT_EQ(step(model, settings, copy, fresh).status, StepStatus::converged);
    ASSERT_EQ(step(model, settings, used, own).status, StepStatus::converged);
    evaluate_state(model, k % 2 == 0 ? moved : used, own);
    for (const State* other : {&copy, &used}) {
      ASSERT_EQ(car.state.z, other->z) << k;
      ASSERT_EQ(car.state.zd, other->zd) << k;
      ASSERT_EQ(car.state.multipliers, other->multipliers) << k;
    }
  }
}

TEST(LinearlyImplicit, IsRefusedInOneLineWhereItDoesNotFit) {
  const auto fault = [](Formulation formulation, const char* scheme, Closing closing,
                        int iterations = 0) {
    Simulation run(make_slider_crank({}), 1e-3, formulation);
    run.settings.scheme = choose_scheme(scheme, {});
    run.settings.closing = closing;
    run.settings.iterations = iterations;
    const std::string text = method_fault(run.model, run.settings);
    if (!text.empty())
      EXPECT_EQ(step(run.model, run.settings, run.state, run.ws).status, StepStatus::closing_unfit);
    return text;
  };
  constexpr const char* kName = "linearly_implicit_euler";
  EXPECT_EQ(fault(Formulation::hybrid, kName, Closing::penalty),
            "the scheme 'linearly_implicit_euler' is given with the closing 'penalty': expected it "
            "with 'multipliers' or 'independent' only");
  EXPECT_EQ(fault(Formulation::hybrid, "trapezoid", Closing::independent),
            "the closing 'independent' is given with the scheme 'trapezoid': expected it with "
            "'linearly_implicit_euler' only");
  EXPECT_EQ(fault(Formulation::topological, kName, Closing::independent),
            "the closing 'independent' is given with the formulation topological, which closes the "
            "loops by independent coordinates: expected it with hybrid, global or cartesian only");
  EXPECT_EQ(fault(Formulation::hybrid, kName, Closing::independent, 2),
            "the scheme 'linearly_implicit_euler' is given with 2 iterations a step, but does not "
            "iterate: expected 0 or 1");
  EXPECT_EQ(fault(Formulation::hybrid, kName, Closing::independent, 1), "");
}

}  // namespace
}  // namespace semirec::test
