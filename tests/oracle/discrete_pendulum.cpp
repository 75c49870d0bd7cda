// What a method computes, to the last digits: the discrete equations of a point mass on a rod,
// solved in multiple precision apart from any engine, against the engine's steps.

#include "tests/support/discrete_pendulum.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/expect_close.hpp"
#include "tests/support/motion.hpp"

namespace semirec::test {
namespace {

struct Rule {
  const char* method;
  std::vector<std::pair<std::string, double>> parameters;
  /// m/s^2 after 100 steps. Round-off of Phi, some 1e-16 m, counts 4/h^2 times in an acceleration.
  /// A rule that damps forgets it; the trapezoidal rule, whose index-3 form has a double root at
  /// -1, adds it up with n^(3/2): 4e4 x 1e-16 x 1e3 = 4e-9 for each 1e-16 m.
  double last_acceleration = 1e-10;
  double alpha = 0.0;
};
std::ostream& operator<<(std::ostream& out, const Rule& rule) { return out << rule.method; }

class DiscretePendulum : public testing::TestWithParam<std::tuple<Formulation, Rule>> {};

TEST_P(DiscretePendulum, IsThatOfTheMethodToTenDigits) {
  const auto& [formulation, rule] = GetParam();
  Simulation run(make_point_pendulum(), 0.01, formulation);
  run.settings.scheme = choose_scheme(rule.method, rule.parameters);
  run.settings.closing = Closing::multipliers;
  run.settings.projections = 0;
  run.settings.tolerance = 1e-14;
  constexpr double kTenDigits = 1e-10;
  for (const PendulumStep& expected : read_discrete_pendulum(rule.method, rule.alpha)) {
    SCOPED_TRACE(expected.step);
    run.run_to(0.01 * expected.step);
    const PendulumStep found = measure_pendulum(run.model, run.state, run.ws);
    expect_close(found.position, expected.position, 0.0, kTenDigits);
    expect_close(found.velocity, expected.velocity, 0.0, kTenDigits);
    const double bound = expected.step < 100 ? kTenDigits : rule.last_acceleration;
    expect_close(found.acceleration, expected.acceleration, 0.0, bound);
    expect_close(found.multiplier, expected.multiplier, 0.0, bound);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Methods, DiscretePendulum,
    testing::Combine(testing::Values(Formulation::hybrid, Formulation::global),
                     testing::Values(Rule{"trapezoid", {}, 1e-7},
                                     Rule{"newmark", {{"gamma", 0.6}, {"beta", 0.3025}}})),
    [](const auto& test) {
      return std::string(name_of(std::get<0>(test.param))) + "_" + std::get<1>(test.param).method;
    });

}  // namespace
}  // namespace semirec::test
