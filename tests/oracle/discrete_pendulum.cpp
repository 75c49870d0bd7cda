// What a method computes, to the last digits: the discrete equations of a point mass on a rod,
// solved in fifty digits apart from the engine, against the engine's steps with multipliers as
// unknowns.

#include "tests/support/discrete_pendulum.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "integrator/statics/initial_conditions.hpp"
#include "tests/support/expect_close.hpp"
#include "tests/support/motion.hpp"

namespace semirec::test {
namespace {

struct Rule {
  const char* scheme;
  const char* parameter;  ///< its name; empty: it has none
  double value;
  /// m/s^2 after 100 steps. Round-off of Phi, some 1e-16 m, counts 4/h^2 times in an acceleration.
  /// A rule that damps forgets it; the trapezoidal rule, whose index-3 form has a double root at
  /// -1, adds it up with n^(3/2): 4e4 x 1e-16 x 1e3 = 4e-9 for each 1e-16 m.
  double last_acceleration;
};
std::ostream& operator<<(std::ostream& out, const Rule& rule) { return out << rule.scheme; }

constexpr double kTenDigits = 1e-10;
constexpr double kSum = 1e-7;
constexpr double kShortSum = 1e-9;

class DiscretePendulum
    : public testing::TestWithParam<std::tuple<Formulation, const char* /*system*/, Rule>> {
 protected:
  Simulation make(int projections) const {
    const auto& [formulation, system, rule] = GetParam();
    Simulation run(make_point_pendulum(system), 0.01, formulation);
    std::vector<std::pair<std::string, double>> given;
    if (*rule.parameter != '\0') given.emplace_back(rule.parameter, rule.value);
    run.settings.scheme = choose_scheme(rule.scheme, given);
    run.settings.closing = Closing::multipliers;
    run.settings.projections = projections;
    run.settings.tolerance = 1e-14;
    find_effective_masses(run.model, run.settings, run.state, run.ws);  // room for the history
    return run;
  }
};

TEST_P(DiscretePendulum, IsThatOfTheMethodToTenDigits) {
  const auto& [formulation, system, rule] = GetParam();
  Simulation run = make(/*projections=*/0);
  // what the schemes of the alpha family call the acceleration is their auxiliary one
  const bool auxiliary =
      run.settings.scheme.family == choose_scheme("hht", {}).family ||
      run.settings.scheme.family == choose_scheme("generalized_alpha", {}).family;
  for (const PendulumStep& expected : read_discrete_pendulum(system, rule.scheme, rule.value)) {
    SCOPED_TRACE(expected.step);
    run.run_to(0.01 * expected.step);
    State own = run.state;
    if (auxiliary) own.zdd = run.state.history.head(run.state.z.size());
    const PendulumMotion found = measure_pendulum(run.model, own, run.ws);
    expect_close(found.position, expected.own.position, 0.0, kTenDigits);
    expect_close(found.velocity, expected.own.velocity, 0.0, kTenDigits);
    const double bound = expected.step < 100 ? kTenDigits : rule.last_acceleration;
    expect_close(found.acceleration, expected.own.acceleration, 0.0, bound);
    expect_close(found.multiplier, expected.own.multiplier, 0.0, bound);
  }
}

std::string name_of_case(
    const testing::TestParamInfo<std::tuple<Formulation, const char*, Rule>>& test) {
  const Rule& rule = std::get<2>(test.param);
  return std::string(name_of(std::get<0>(test.param))) + "_" + std::get<1>(test.param) + "_" +
         rule.scheme + "_" + std::to_string(std::lround(std::abs(100.0 * rule.value)));
}

INSTANTIATE_TEST_SUITE_P(
    Methods, DiscretePendulum,
    testing::Combine(
        testing::Values(Formulation::hybrid, Formulation::global),
        testing::Values("rod", "spring", "driven"),
        testing::Values(
            Rule{"trapezoid", "", 0.0, kSum}, Rule{"newmark", "gamma", 0.6, kTenDigits},
            Rule{"hht", "alpha", -0.3, kTenDigits}, Rule{"hht", "alpha", -0.05, kShortSum},
            Rule{"generalized_alpha", "rho", 0.5, kTenDigits}, Rule{"nstiff", "", 0.0, kTenDigits},
            Rule{"nstiff_si2", "", 0.0, kTenDigits}, Rule{"hht_si2", "alpha", -0.3, kTenDigits},
            Rule{"hht_si2", "alpha", -0.05, kTenDigits}, Rule{"hht_si2", "alpha", 0.0, kTenDigits},
            Rule{"hht_add", "alpha", -0.3, kTenDigits}, Rule{"hht_add", "alpha", -0.05, kTenDigits},
            Rule{"hht_add", "alpha", 0.0, kTenDigits})),
    name_of_case);

// the body's Euler parameters stay what they are: only the rows of r take part. hht_add is refused
// there, whose M^-1 does not exist along the parameters.
INSTANTIATE_TEST_SUITE_P(
    InEulerParameters, DiscretePendulum,
    testing::Combine(
        testing::Values(Formulation::cartesian), testing::Values("rod", "spring", "driven"),
        testing::Values(
            Rule{"trapezoid", "", 0.0, kSum}, Rule{"newmark", "gamma", 0.6, kTenDigits},
            Rule{"hht", "alpha", -0.3, kTenDigits}, Rule{"hht", "alpha", -0.05, kShortSum},
            Rule{"generalized_alpha", "rho", 0.5, kTenDigits}, Rule{"nstiff", "", 0.0, kTenDigits},
            Rule{"nstiff_si2", "", 0.0, kTenDigits}, Rule{"hht_si2", "alpha", -0.3, kTenDigits},
            Rule{"hht_si2", "alpha", -0.05, kTenDigits},
            Rule{"hht_si2", "alpha", 0.0, kTenDigits})),
    name_of_case);

/// Methods that meet the closures' velocities: their own positions and velocities are what is
/// handed out, projections or not; accelerations and multipliers for output are solved anew.
class StabilisedPendulum : public DiscretePendulum {};

TEST_P(StabilisedPendulum, HandsOutAccelerationsAndMultipliersSolvedAnew) {
  const auto& [formulation, system, rule] = GetParam();
  Simulation run = make(/*projections=*/1);
  for (const PendulumStep& expected : read_discrete_pendulum(system, rule.scheme, rule.value)) {
    SCOPED_TRACE(expected.step);
    run.run_to(0.01 * expected.step);
    const PendulumMotion found = measure_pendulum(run.model, run.state, run.ws);
    expect_close(found.position, expected.own.position, 0.0, kTenDigits);
    expect_close(found.velocity, expected.own.velocity, 0.0, kTenDigits);
    expect_close(found.acceleration, expected.acceleration_anew, 0.0, kTenDigits);
    expect_close(found.multiplier, expected.multiplier_anew, 0.0, kTenDigits);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Methods, StabilisedPendulum,
    testing::Combine(testing::Values(Formulation::hybrid, Formulation::global),
                     testing::Values("rod", "spring", "driven"),
                     testing::Values(Rule{"nstiff_si2", "", 0.0, kTenDigits},
                                     Rule{"hht_si2", "alpha", -0.3, kTenDigits},
                                     Rule{"hht_add", "alpha", -0.3, kTenDigits})),
    [](const auto& test) {
      return std::string(name_of(std::get<0>(test.param))) + "_" + std::get<1>(test.param) + "_" +
             std::get<2>(test.param).scheme;
    });

/// The linearly implicit Euler method of the file's `option`. The engine's tangent has the
/// stiffness and damping along the line of an element alone.
struct LinearlyImplicit {
  const char* system;
  Closing closing;
  const char* option;
};
std::ostream& operator<<(std::ostream& out, const LinearlyImplicit& form) {
  return out << form.system << ' ' << form.option;
}

class LinearlyImplicitPendulum
    : public testing::TestWithParam<std::tuple<Formulation, LinearlyImplicit>> {};

TEST_P(LinearlyImplicitPendulum, IsThatOfTheMethodToTenDigits) {
  const auto& [formulation, form] = GetParam();
  Simulation run(make_point_pendulum(form.system), 0.01, formulation);
  run.settings.scheme = choose_scheme("linearly_implicit_euler", {});
  run.settings.closing = form.closing;
  for (const PendulumStep& expected :
       read_discrete_pendulum(form.system, "linearly_implicit_euler", 0.0, form.option)) {
    SCOPED_TRACE(expected.step);
    run.run_to(0.01 * expected.step);
    const PendulumMotion found = measure_pendulum(run.model, run.state, run.ws);
    expect_close(found.position, expected.own.position, 0.0, kTenDigits);
    expect_close(found.velocity, expected.own.velocity, 0.0, kTenDigits);
    expect_close(found.acceleration, expected.own.acceleration, 0.0, kTenDigits);
    expect_close(found.multiplier, expected.own.multiplier, 0.0, kTenDigits);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Forms, LinearlyImplicitPendulum,
    testing::Combine(
        testing::Values(Formulation::hybrid, Formulation::global, Formulation::cartesian),
        testing::Values(LinearlyImplicit{"rod", Closing::multipliers, "dependent all"},
                        LinearlyImplicit{"spring", Closing::multipliers, "dependent line"},
                        LinearlyImplicit{"driven", Closing::multipliers, "dependent all"},
                        LinearlyImplicit{"rod", Closing::independent, "pivots all"},
                        LinearlyImplicit{"spring", Closing::independent, "pivots line W"},
                        LinearlyImplicit{"driven", Closing::independent, "pivots all"})),
    [](const auto& test) {
      const LinearlyImplicit& form = std::get<1>(test.param);
      return std::string(name_of(std::get<0>(test.param))) + "_" + form.system + "_" +
             name_of(form.closing);
    });
INSTANTIATE_TEST_SUITE_P(InEulerParameters, StabilisedPendulum,
                         testing::Combine(testing::Values(Formulation::cartesian),
                                          testing::Values("rod", "spring", "driven"),
                                          testing::Values(Rule{"nstiff_si2", "", 0.0, kTenDigits},
                                                          Rule{"hht_si2", "alpha", -0.3,
                                                               kTenDigits})),
                         name_of_case);

}  // namespace
}  // namespace semirec::test
