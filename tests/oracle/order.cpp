// Second order of everything a step hands out: positions, rates, accelerations, multipliers and
// reactions, by halving the step and comparing at four instants. The reference is the same engine
// at an eighth of the finest step measured, with accelerations and multipliers solved anew from its
// positions and rates; what is judged is the slope, the motions themselves are judged elsewhere.

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "integrator/outputs/reactions.hpp"
#include "integrator/statics/initial_conditions.hpp"
#include "tests/support/expect_close.hpp"
#include "tests/support/mechanisms.hpp"
#include "tests/support/motion.hpp"

namespace semirec::test {
namespace {

using V = Eigen::Vector3d;

/// What is known at four instants of a run, by level.
struct Outcome {
  Eigen::VectorXd position, rate, acceleration, multipliers, reactions;
};

struct Case {
  const char* name;
  std::function<Mechanism()> make;
  double h;      ///< coarsest step, s
  double until;  ///< last instant, s
};

void append(Eigen::VectorXd& all, const Eigen::VectorXd& more) {
  all.conservativeResize(all.size() + more.size());
  all.tail(more.size()) = more;
}

/// How a mechanism is integrated: the default where nothing is said.
struct Method {
  SchemeChoice scheme;
  Closing closing = Closing::penalty;
  Formulation formulation = Formulation::hybrid;
};

Outcome find_answer(const Case& c, double h, bool reference, const Method& method = {}) {
  Simulation run(c.make(), h, method.formulation);
  run.settings.scheme = method.scheme;
  run.settings.closing = method.closing;
  // what Newton leaves over of a position counts 4/h^2 times in the acceleration
  run.settings.tolerance = 1e-12;
  // alpha Phi carries round-off of kappa m 4/h^2 times 1e-16 m into the multipliers
  run.settings.kappa = 1e4;
  Outcome answer;
  for (const double part : {0.25, 0.5, 0.75, 1.0}) {
    run.run_to(part * c.until);
    const State before = run.state;
    if (reference && !find_accelerations(run.model, run.state, run.ws)) ADD_FAILURE();
    for (std::size_t b = 0; b < run.model.mechanism.bodies.size(); ++b) {
      const Motion m = run.com(static_cast<BodyIndex>(b));
      append(answer.position, m.X.p);
      append(answer.position, m.X.A.reshaped());
      append(answer.rate, m.velocity);
      append(answer.rate, m.w);
      append(answer.acceleration, m.acceleration);
      append(answer.acceleration, m.wd);
    }
    if (method.formulation == Formulation::hybrid)  // others have other rows
      append(answer.multipliers, run.state.multipliers);
    for (const Reaction& reaction : find_joint_reactions(run.model, run.state, run.ws)) {
      append(answer.reactions, reaction.force);
      append(answer.reactions, reaction.moment);
    }
    run.state = before;
  }
  return answer;
}

class Order : public testing::TestWithParam<Case> {};

TEST_P(Order, IsTwoInPositionsRatesAccelerationsMultipliersAndReactions) {
  const Case& c = GetParam();
  const Outcome reference = find_answer(c, c.h / 16.0, true);
  const Outcome coarse = find_answer(c, c.h, false);
  const Outcome fine = find_answer(c, 0.5 * c.h, false);
  // 0.017 by the reference's own error, the rest by the next term of the error
  constexpr double kSlope = 0.15;
  const auto check = [&](const char* what, Eigen::VectorXd Outcome::*level) {
    SCOPED_TRACE(what);
    const Eigen::VectorXd& exact = reference.*level;
    // a free joint transmits nothing
    if (exact.size() == 0 || exact.norm() < 1e-9) return;
    const double slope = std::log2((coarse.*level - exact).norm() / (fine.*level - exact).norm());
    expect_close(slope, 2.0, 0.0, kSlope);
  };
  check("position", &Outcome::position);
  check("rate", &Outcome::rate);
  check("acceleration", &Outcome::acceleration);
  check("multipliers", &Outcome::multipliers);
  check("reactions", &Outcome::reactions);
}

/// Slopes of all levels beside `order`.
void check_slopes(const Outcome& reference, const Outcome& coarse, const Outcome& fine,
                  double order, double room) {
  const auto check = [&](const char* what, Eigen::VectorXd Outcome::*level) {
    SCOPED_TRACE(what);
    const Eigen::VectorXd& exact = reference.*level;
    if ((coarse.*level).size() != exact.size() || exact.size() == 0 || exact.norm() < 1e-9) return;
    expect_close(std::log2((coarse.*level - exact).norm() / (fine.*level - exact).norm()), order,
                 0.0, room);
  };
  check("position", &Outcome::position);
  check("rate", &Outcome::rate);
  check("acceleration", &Outcome::acceleration);
  check("multipliers", &Outcome::multipliers);
  check("reactions", &Outcome::reactions);
}

TEST_P(Order, OfEverySchemeByPenaltyAndByMultipliers) {
  const Case& c = GetParam();
  // the trapezoidal rule, whose own error is a 64th of that of the finer step
  const Outcome reference = find_answer(c, c.h / 64.0, true);
  for (const Closing closing : {Closing::penalty, Closing::multipliers})
    for (const auto& [scheme, order] : {std::pair{choose_scheme("newmark", {{"gamma", 0.6}}), 1.0},
                                        {choose_scheme("hht", {{"alpha", -0.05}}), 2.0},
                                        {choose_scheme("hht", {{"alpha", -0.3}}), 2.0},
                                        {choose_scheme("generalized_alpha", {{"rho", 0.5}}), 2.0},
                                        {choose_scheme("nstiff", {}), 2.0}}) {
      SCOPED_TRACE(describe(scheme) + ", " + name_of(closing));
      const Method method{scheme, closing, Formulation::hybrid};
      // 0.15: the next term of the error, as above
      check_slopes(reference, find_answer(c, 0.25 * c.h, false, method),
                   find_answer(c, 0.125 * c.h, false, method), order, 0.15);
    }
}

TEST_P(Order, OfTheLinearlyImplicitEulerMethodIsOne) {
  const Case& c = GetParam();
  const Outcome reference = find_answer(c, c.h / 64.0, true);
  for (const Formulation formulation :
       {Formulation::hybrid, Formulation::global, Formulation::cartesian})
    for (const Closing closing : {Closing::multipliers, Closing::independent}) {
      SCOPED_TRACE(std::string(name_of(formulation)) + ", " + name_of(closing));
      const Method method{choose_scheme("linearly_implicit_euler", {}), closing, formulation};
      Outcome coarse = find_answer(c, c.h / 32.0, false, method);
      Outcome fine = find_answer(c, c.h / 64.0, false, method);
      // Nothing is stiff here: the method is v' = v + h a(q), q' = q + h v', whose positions are
      // those of the leapfrog rule with rates half a step early. From where the accelerations
      // vanish, as those of this loop do at its start, these are of second order.
      if (std::string(c.name) == "four_bar" && formulation == Formulation::hybrid) {
        const auto error = [&](double h) {
          return (find_answer(c, h, false, method).position - reference.position).norm();
        };
        expect_close(std::log2(error(0.25 * c.h) / error(0.125 * c.h)), 2.0, 0.0, 0.1);
        coarse.position = fine.position = {};
      }
      // 0.1: the next term of the error
      check_slopes(reference, coarse, fine, 1.0, 0.1);
    }
}

Mechanism make_thrown_body() {
  Mechanism m = make_free_body();
  m.gravity = V(0.0, 0.0, -9.81);
  m.bodies[0].com = V(0.1, 0.2, -0.1);
  return m;
}

INSTANTIATE_TEST_SUITE_P(
    Mechanisms, Order,
    testing::Values(Case{"universal_pendulum", make_universal_pendulum, 4e-3, 0.96},
                    Case{"rssr", [] { return make_rssr(Coupler::body); }, 4e-3, 0.8},
                    Case{"rssr_massless", [] { return make_rssr(Coupler::massless); }, 1e-3, 0.8},
                    Case{"free_body", make_thrown_body, 4e-3, 0.96},
                    Case{"spatial_slider_crank", make_spatial_slider_crank, 2e-3, 0.4},
                    Case{"four_bar", [] { return make_four_bars(1, LoopKind::planar); }, 4e-3,
                         0.64}),
    [](const testing::TestParamInfo<Case>& parameter) {
      return std::string(parameter.param.name);
    });

}  // namespace
}  // namespace semirec::test
