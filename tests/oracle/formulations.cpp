// Five formulations, one motion: hybrid, global, topological, recursive and cartesian share the
// description, the force elements and the trapezoidal rule; coordinates, mass matrix, constraints
// and the way to accelerations are their own. The hybrid one, judged by closed forms and other
// engines elsewhere, is the reference here.

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "integrator/compile.hpp"
#include "integrator/outputs/reactions.hpp"
#include "integrator/simulation.hpp"
#include "integrator/statics/initial_conditions.hpp"
#include "integrator/step.hpp"
#include "tests/support/expect_close.hpp"
#include "tests/support/motion.hpp"
#include "tests/support/shared_cases.hpp"

namespace semirec::test {
namespace {

using Case = SharedCase;

void append(Eigen::VectorXd& all, const Eigen::VectorXd& more) {
  all.conservativeResize(all.size() + more.size());
  all.tail(more.size()) = more;
}

/// All bodies and joints at one instant, by level.
struct Outcome {
  Eigen::VectorXd position, rate, acceleration, reactions;
};

void append(Simulation& run, Outcome& answer) {
  for (std::size_t b = 0; b < run.model.mechanism.bodies.size(); ++b) {
    const Motion m = run.com(static_cast<BodyIndex>(b));
    append(answer.position, m.X.p);
    append(answer.position, m.X.A.reshaped());
    append(answer.rate, m.velocity);
    append(answer.rate, m.w);
    append(answer.acceleration, m.acceleration);
    append(answer.acceleration, m.wd);
  }
  for (const Reaction& reaction : find_joint_reactions(run.model, run.state, run.ws)) {
    append(answer.reactions, reaction.force);
    append(answer.reactions, reaction.moment);
  }
}

/// Reactions are one of many where closures are redundant.
bool has_unique_reactions(Simulation& hybrid) {
  const ClosureRank rank = find_closure_rank(hybrid.model, hybrid.state, hybrid.ws);
  return rank.rank == rank.rows;
}

class Formulations : public testing::TestWithParam<std::tuple<Formulation, Case>> {};

TEST_P(Formulations, StartWithTheSameAccelerationsAndReactions) {
  const auto& [formulation, c] = GetParam();
  Simulation hybrid(c.make(), c.h);
  Simulation other(c.make(), c.h, formulation);
  Outcome expected;
  Outcome actual;
  append(hybrid, expected);
  append(other, actual);
  // the start is the same, read off other coordinates
  expect_close(actual.position, expected.position, 0.0, 1e-12);
  expect_close(actual.rate, expected.rate, 1e-12, 1e-12);
  // 1e-8: kappa = 1e5 and eleven digits of the mass matrix in both
  expect_close(actual.acceleration, expected.acceleration, 1e-8, 1e-12);
  if (has_unique_reactions(hybrid)) expect_close(actual.reactions, expected.reactions, 1e-8, 1e-12);
}

Outcome find_answer(const Case& c, Formulation formulation, double h, bool reference) {
  Simulation run(c.make(), h, formulation);
  // what Newton leaves over of a position counts 4/h^2 times in the acceleration
  run.settings.tolerance = 1e-13;
  // alpha Phi carries round-off of kappa m 4/h^2 times 1e-16 m into the multipliers, and what a
  // pass leaves over of an error of first order falls with h / kappa only: in the middle of both
  run.settings.kappa = 3e5;
  run.settings.projections = 4;
  Outcome answer;
  for (const double part : {0.5, 1.0}) {
    run.run_to(part * c.until);
    const State before = run.state;
    if (reference) {
      EXPECT_TRUE(find_accelerations(run.model, run.state, run.ws));
    }
    append(run, answer);
    run.state = before;
  }
  return answer;
}

TEST_P(Formulations, ConvergeToTheSameMotionWithTheStepSquared) {
  const auto& [formulation, c] = GetParam();
  const bool unique = [&, &made = c] {
    Simulation hybrid(made.make(), made.h);
    return has_unique_reactions(hybrid);
  }();
  // one for all formulations of a case: the cases come in a row
  static std::map<std::string, Outcome> references;
  if (!references.contains(c.name))
    references[c.name] = find_answer(c, Formulation::hybrid, c.h / 16.0, true);
  const Outcome& reference = references[c.name];
  const Outcome coarse = find_answer(c, formulation, c.h, false);
  const Outcome fine = find_answer(c, formulation, 0.5 * c.h, false);
  const auto check = [&](const char* what, Eigen::VectorXd Outcome::*level, double floor) {
    SCOPED_TRACE(what);
    const Eigen::VectorXd& exact = reference.*level;
    const double scale = exact.norm();
    if (exact.size() == 0 || scale < 1e-9) return;
    const double coarse_error = (coarse.*level - exact).norm() / scale;
    const double fine_error = (fine.*level - exact).norm() / scale;
    RecordProperty(what, std::to_string(fine_error));
    if (fine_error < floor) return;
    // 0.017 by the reference's own error, the rest by the next term of the error
    expect_close(std::log2(coarse_error / fine_error), 2.0, 0.0, 0.15);
  };
  check("position", &Outcome::position, 1e-11);
  check("rate", &Outcome::rate, 1e-10);
  check("acceleration", &Outcome::acceleration, 1e-8);
  if (unique) check("reactions", &Outcome::reactions, 1e-8);
}

/// Largest energy that a run cannot account for, as a part of what moves in it.
double energy_error(const Case& c, Formulation formulation, double h) {
  Simulation simulation(c.make(), h, formulation);
  RunSettings settings;
  settings.step = simulation.settings;
  settings.step.tolerance = 1e-12;
  settings.until = c.until;
  const RunReport report = run(simulation.model, settings, simulation.state, simulation.ws);
  EXPECT_EQ(report.status, RunStatus::finished) << report.message;
  return report.energy_error / (report.start.kinetic + report.end.kinetic);
}

TEST_P(Formulations, AccountForTheirEnergyToTheStepSquared) {
  const auto& [formulation, c] = GetParam();
  const double coarse = energy_error(c, formulation, c.h);
  const double fine = energy_error(c, formulation, 0.5 * c.h);
  // round-off of sums over some hundred steps
  if (fine < 1e-9) return;
  expect_close(std::log2(coarse / fine), 2.0, 0.0, 0.2);
}

std::string name_of_case(const testing::TestParamInfo<std::tuple<Formulation, Case>>& info) {
  return std::string(name_of(std::get<0>(info.param))) + "_" + std::get<1>(info.param).name;
}

INSTANTIATE_TEST_SUITE_P(All, Formulations,
                         testing::Combine(testing::ValuesIn(all_formulations()),
                                          testing::ValuesIn(shared_cases())),
                         name_of_case);

}  // namespace
}  // namespace semirec::test
