// The Cartesian formulation: Euler parameters, counts of coordinates and rows, and the second
// derivatives that a Newton matrix needs, all against differences.

#include "natural_coords/euler_parameters/cartesian_model.hpp"

#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "integrator/compile.hpp"
#include "integrator/formulation/cartesian.hpp"
#include "integrator/formulation/evaluate.hpp"
#include "natural_coords/euler_parameters/cartesian_tangent.hpp"
#include "tests/support/expect_close.hpp"
#include "tests/support/finite_difference.hpp"
#include "tests/support/mechanisms.hpp"
#include "tests/support/motion.hpp"
#include "tests/support/random_mechanism.hpp"
#include "tests/support/shared_cases.hpp"
#include "topology/indices.hpp"

namespace semirec::test {
namespace {

using V = Eigen::Vector3d;

// sixth-order differences of polynomials
constexpr double kDifference = 1e-10;
constexpr double kFewProducts = 1e-14;

TEST(EulerParameters, TurnAsTheRotationTheyWereReadOff) {
  Random random(11);
  for (int k = 0; k < 50; ++k) {
    const EulerParameters drawn = random.values(4, 1.0).normalized();
    const Eigen::Matrix3d A = rotation_form(drawn, drawn);
    expect_close(A * A.transpose(), Eigen::Matrix3d::Identity(), 0.0, kFewProducts);
    EXPECT_NEAR(A.determinant(), 1.0, kFewProducts);
    const EulerParameters e = euler_parameters_of(A);
    expect_close(e, e.dot(drawn) < 0.0 ? EulerParameters(-drawn) : drawn, 0.0, kFewProducts);
    // A = G L^T
    expect_close(world_rates(e) * body_rates(e).transpose(), A, 0.0, kFewProducts);
  }
  // half a turn about each axis
  for (int k = 0; k < 3; ++k) {
    const Eigen::Matrix3d A =
        2.0 * V::Unit(k) * V::Unit(k).transpose() - Eigen::Matrix3d::Identity();
    const EulerParameters e = euler_parameters_of(A);
    expect_close(rotation_form(e, e), A, 0.0, kFewProducts);
  }
}

TEST(EulerParameters, HaveDerivativesThatHoldForAnyLength) {
  Random random(12);
  const EulerParameters e = random.values(4, 1.0);
  const V x = random.values(3, 1.0);
  const V g = random.values(3, 1.0);
  const auto turned = [&](const Eigen::VectorXd& f) {
    return Eigen::VectorXd(rotation_form(f, f) * x);
  };
  expect_close(turned_derivative(e, x), jacobian(turned, e), kDifference, kDifference);
  expect_close(turned_gradient(e, x, g), turned_derivative(e, x).transpose() * g, kFewProducts,
               kFewProducts);
  EXPECT_NEAR(e.dot(turned_form(x, g) * e), g.dot(rotation_form(e, e) * x), kFewProducts);
  const auto gradient = [&](const Eigen::VectorXd& f) {
    return Eigen::VectorXd(turned_gradient(f, x, g));
  };
  expect_close(2.0 * turned_form(x, g), jacobian(gradient, e), kDifference, kDifference);
}

/// A mechanism anywhere: bodies need not be rigid here, nor joints closed.
class CartesianTangents : public testing::TestWithParam<SharedCase> {
 protected:
  CartesianTangents()
      : run(GetParam().make(), GetParam().h, Formulation::cartesian),
        model(cartesian_model_of(run.model)),
        own(model),
        tangent(model),
        rates(model.bodies.size()) {
    Random random(5);
    q = run.state.z + random.values(model.n, 0.3);
    qd = random.values(model.n, 1.0);
    qdd = random.values(model.n, 1.0);
    begin_evaluation(run.model, run.state, 0.07, run.ws);
    set_switches(model, run.state.switches, own, run.ws.closures);
  }

  /// Residual of inertia and of the wrenches in ws.F.
  Eigen::VectorXd residual(const Eigen::VectorXd& at_q, const Eigen::VectorXd& at_qd,
                           const Eigen::VectorXd& at_qdd) {
    set_cartesian_positions(model, at_q.data(), run.ws.tree, own);
    set_cartesian_rates(model, at_qd.data(), at_qdd.data(), own);
    run.ws.tree.residual.setZero();
    add_cartesian_forces(model, run.model.tree, own, run.ws.tree);
    return run.ws.tree.residual;
  }

  Simulation run;
  const CartesianModel& model;
  CartesianWorkspace own;
  CartesianTangent tangent;
  std::vector<ParameterRates> rates;
  Eigen::VectorXd q, qd, qdd;
};

INSTANTIATE_TEST_SUITE_P(All, CartesianTangents, testing::ValuesIn(shared_cases()),
                         [](const auto& test) { return std::string(test.param.name); });

TEST_P(CartesianTangents, AreTheDerivativesOfTheInertiaForces) {
  for (Vector6& F : run.ws.tree.F) F.setZero();
  const auto f_q = [&](const Eigen::VectorXd& v) { return residual(v, qd, qdd); };
  const auto f_qd = [&](const Eigen::VectorXd& v) { return residual(q, v, qdd); };
  const auto f_qdd = [&](const Eigen::VectorXd& v) { return residual(q, qd, v); };
  const Eigen::MatrixXd expected_q = jacobian(f_q, q);
  const Eigen::MatrixXd expected_qd = jacobian(f_qd, qd);
  const Eigen::MatrixXd expected_qdd = jacobian(f_qdd, qdd);
  residual(q, qd, qdd);
  const double scale = 1.0 + expected_q.cwiseAbs().maxCoeff() + expected_qdd.cwiseAbs().maxCoeff();
  const auto check = [&](const TangentWeights& weights, const Eigen::MatrixXd& expected) {
    tangent.set_zero();
    add_inertia_tangent(model, own, weights, rates, tangent);
    expect_close(tangent.to_dense(model), expected, 0.0, kDifference * scale);
  };
  check({0.0, 0.0, 1.0}, expected_q);
  check({0.0, 1.0, 0.0}, expected_qd);
  check({1.0, 0.0, 0.0}, expected_qdd);
  check({1.0, 0.5, 0.25}, expected_qdd + 0.5 * expected_qd + 0.25 * expected_q);
}

TEST_P(CartesianTangents, AreTheDerivativesOfWrenchesThatStay) {
  Random random(6);
  for (Vector6& F : run.ws.tree.F) F = random.values(6, 10.0);
  const Eigen::VectorXd none = Eigen::VectorXd::Zero(model.n);
  const auto forces = [&](const Eigen::VectorXd& v) { return residual(v, none, none); };
  const Eigen::MatrixXd expected = jacobian(forces, q);
  forces(q);
  add_wrench_tangent(model, run.ws.tree.F, own, 1.0, tangent);
  expect_close(tangent.to_dense(model), expected, kDifference, 100.0 * kDifference);
}

TEST_P(CartesianTangents, AreTheDerivativesOfTheConstraintForces) {
  Random random(7);
  const Eigen::VectorXd lambda = random.values(model.m, 1.0);
  const auto forces = [&](const Eigen::VectorXd& v) {
    set_cartesian_positions(model, v.data(), run.ws.tree, own);
    compute_cartesian_closures(model, run.ws.tree, own, run.ws.closures);
    return Eigen::VectorXd(
        dense_jacobian(model.blocks, run.ws.closures.Phi_z, model.m, model.n).transpose() * lambda);
  };
  const Eigen::MatrixXd expected = jacobian(forces, q);
  forces(q);
  add_closure_tangent(model, run.ws.tree, own, lambda, 1.0, tangent);
  expect_close(tangent.to_dense(model), expected, kDifference, 10.0 * kDifference);
}

// Phid by differences, whatever the inputs are doing
TEST_P(CartesianTangents, OfRatesOfConstraintsAreTheRatesOfTheJacobian) {
  const auto rates_of = [&](const Eigen::VectorXd& v) {
    set_cartesian_positions(model, v.data(), run.ws.tree, own);
    set_cartesian_rates(model, qd.data(), qdd.data(), own);
    compute_cartesian_closures(model, run.ws.tree, own, run.ws.closures);
    compute_cartesian_closure_motions(model, run.ws.tree, own, run.ws.closures);
    return Eigen::VectorXd(run.ws.closures.Phid);
  };
  const Eigen::MatrixXd expected = jacobian(rates_of, q);
  rates_of(q);
  std::vector<double> found(run.ws.closures.Phi_z.size(), -1.0);
  compute_cartesian_jacobian_rates(model, run.ws.tree, own, found);
  expect_close(dense_jacobian(model.blocks, found, model.m, model.n), expected, kDifference,
               10.0 * kDifference);
}

// forces by positions and by rates where joints are closed, so that coordinates are measured about
// axes that meet, and |e| = 1: along e derivatives say nothing. Springs may be short: small steps
TEST_P(CartesianTangents, OfTheFormulationAreTheDerivativesOfItsResidual) {
  q = run.state.z;
  const FormulationModel& formulation = *run.model.formulation;
  const auto f = [&](const Eigen::VectorXd& at_q, const Eigen::VectorXd& at_qd) {
    evaluate_dynamics(run.model, at_q.data(), at_qd.data(), qdd.data(), {0.0, 0.0, 0.0}, run.ws);
    return Eigen::VectorXd(run.ws.tree.residual);
  };
  Eigen::MatrixXd allowed = Eigen::MatrixXd::Identity(model.n, model.n);
  for (std::size_t t = 1; t < model.bodies.size(); ++t) {
    const Eigen::Vector4d e = q.segment<4>(model.bodies[t].column + 3);
    allowed.block<4, 4>(model.bodies[t].column + 3, model.bodies[t].column + 3) -=
        e * e.transpose();
  }
  const auto check = [&](const TangentWeights& weights, const Eigen::MatrixXd& expected) {
    evaluate_dynamics(run.model, q.data(), qd.data(), qdd.data(), weights, run.ws);
    const std::vector<MatrixEntry> entries = formulation.exact_entries(run.model);
    std::vector<double> values(entries.size());
    formulation.evaluate_exact(run.model, qd, qdd, Eigen::VectorXd::Zero(model.m), run.ws, values);
    Eigen::MatrixXd found = run.model.tree.pattern.to_dense(run.ws.tree.tangent.data());
    for (std::size_t k = 0; k < entries.size(); ++k)
      found(entries[k].row, entries[k].column) += values[k];
    const double scale = 1.0 + expected.cwiseAbs().maxCoeff();
    expect_close(Eigen::MatrixXd(found * allowed), Eigen::MatrixXd(expected * allowed), 0.0,
                 kDifference * scale);
  };
  check({0.0, 0.0, 1.0}, jacobian([&](const Eigen::VectorXd& v) { return f(v, qd); }, q, 5e-4));
  check({0.0, 1.0, 0.0}, jacobian([&](const Eigen::VectorXd& v) { return f(q, v); }, qd));
}

struct CartesianCount {
  const char* name;
  std::function<Mechanism()> make;
  int coordinates, rows;
};
std::ostream& operator<<(std::ostream& out, const CartesianCount& c) { return out << c.name; }

class CartesianCounts : public testing::TestWithParam<CartesianCount> {};

TEST_P(CartesianCounts, AreSevenABodyAndTheEquationsOfItsJoints) {
  const Model model = compile(GetParam().make(), {}, {.formulation = Formulation::cartesian});
  EXPECT_EQ(model.n(), GetParam().coordinates);
  EXPECT_EQ(model.m(), GetParam().rows);
}

INSTANTIATE_TEST_SUITE_P(All, CartesianCounts,
                         testing::Values(
                             // three bodies, four revolute joints
                             CartesianCount{"four_bar", [] { return make_four_bars(1); }, 21,
                                            3 + 20},
                             CartesianCount{"pendulum", make_pendulum, 7, 1 + 5},
                             CartesianCount{"spherical_pendulum", make_heavy_top, 7, 1 + 3},
                             CartesianCount{"free_body", make_free_body, 7, 1}),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace semirec::test
