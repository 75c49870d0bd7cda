// The matrix of a stabilised step against differences of what its unknowns leave over.

#include <string>
#include <tuple>

#include <gtest/gtest.h>

#include "integrator/formulation/cartesian.hpp"
#include "integrator/formulation/evaluate.hpp"
#include "integrator/method/stabilised_step.hpp"
#include "natural_coords/euler_parameters/cartesian_model.hpp"
#include "tests/support/expect_close.hpp"
#include "tests/support/finite_difference.hpp"
#include "tests/support/motion.hpp"
#include "tests/support/random_mechanism.hpp"
#include "tests/support/shared_cases.hpp"

namespace semirec::test {
namespace {

struct StabilisedMethod {
  const char* name;
  const StabilisedStep& (*method)();
};
std::ostream& operator<<(std::ostream& out, const StabilisedMethod& m) { return out << m.name; }

class StabilisedMatrices : public testing::TestWithParam<std::tuple<SharedCase, StabilisedMethod>> {
};

/// Across the Euler parameters of each body, along which derivatives of forces say nothing.
Eigen::MatrixXd allowed_directions(const CartesianModel& model, const Eigen::VectorXd& q,
                                   const StabilisedPart& part) {
  Eigen::MatrixXd allowed = Eigen::MatrixXd::Identity(part.unknowns.size(), part.unknowns.size());
  for (int level = 0; level < part.levels; ++level)
    for (std::size_t t = 1; t < model.bodies.size(); ++t) {
      const int column = model.bodies[t].column + 3;
      const Eigen::Vector4d e = q.segment<4>(column);
      allowed.block<4, 4>(level * part.n + column, level * part.n + column) -=
          e * e.transpose() / e.squaredNorm();
    }
  return allowed;
}

// with J the matrix and r what is left over, a correction is -J^-1 r: its derivative at J is -1
TEST_P(StabilisedMatrices, AreTheDerivativesOfWhatIsLeftOver) {
  const auto& [mechanism, chosen] = GetParam();
  Simulation run(mechanism.make(), mechanism.h, Formulation::cartesian);
  run.settings.closing = Closing::multipliers;
  run.settings.scheme = choose_scheme(chosen.name, {});
  run.run_to(5.0 * mechanism.h);

  run.settings.h *= 5.0;  // so that no term is small
  const StabilisedStep& method = chosen.method();
  const Scheme scheme = run.settings.scheme.make(run.settings.h, run.state);
  StepReport report;
  StepInProgress step{run.model, run.settings, scheme, run.state,
                      run.ws,    report,       true,   &run.ws.closures.Phi_z};
  method.begin_step(step, false);
  begin_evaluation(run.model, run.state, run.state.t + run.settings.h, run.ws);
  scheme.begin(run.state, run.ws.tree.rule);
  method.prepare(step);
  auto& part = static_cast<StabilisedPart&>(*run.ws.method);
  for (int pass = 0; pass < 8; ++pass) {
    ASSERT_TRUE(method.evaluate_iterate(step) && method.factor_iterate(step));
    method.correct(step);
  }
  // off the solution, where the multipliers' forces are not small
  Random random(21);
  const double pull = 1.0 + part.multiplier(part.unknowns, 0).cwiseAbs().maxCoeff();
  for (int k = 0; k < 2; ++k)
    part.multiplier(part.unknowns, k) += random.values(part.m, 10.0 * pull);
  const Eigen::VectorXd at = part.unknowns;
  step.factors = true;
  ASSERT_TRUE(method.evaluate_iterate(step) && method.factor_iterate(step));
  const Eigen::MatrixXd J = part.matrix.to_dense();
  const Eigen::MatrixXd allowed = allowed_directions(cartesian_model_of(run.model), run.ws.z, part);
  step.factors = false;
  const auto left_over = [&](const Eigen::VectorXd& unknowns) {
    part.unknowns = unknowns;
    EXPECT_TRUE(method.evaluate_iterate(step));
    method.correct(step);
    return Eigen::VectorXd(J * (unknowns - part.unknowns));
  };
  const Eigen::MatrixXd found = jacobian(left_over, at, 1e-2);
  // positions' closures, over h^2, have round-off of 1e-17 m, which the differences magnify
  const double noise = 2e-15 / (run.settings.h * run.settings.h);
  for (Eigen::Index row = 0; row < J.rows(); ++row) {
    SCOPED_TRACE(row);
    const double size = 1.0 + J.row(row).cwiseAbs().maxCoeff();
    expect_close(Eigen::RowVectorXd(found.row(row) * allowed),
                 Eigen::RowVectorXd(J.row(row) * allowed), 0.0,
                 1e-7 * size + (row < part.row_of_multiplier(1) ? 0.0 : noise));
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, StabilisedMatrices,
    testing::Combine(testing::ValuesIn(shared_cases()),
                     testing::Values(StabilisedMethod{"nstiff_si2", nstiff_si2_step},
                                     StabilisedMethod{"hht_si2", hht_si2_step})),
    [](const auto& test) {
      return std::string(std::get<0>(test.param).name) + "_" + std::get<1>(test.param).name;
    });

}  // namespace
}  // namespace semirec::test
