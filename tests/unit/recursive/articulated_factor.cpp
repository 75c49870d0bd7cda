// Articulated inertias against the mass matrix they never form: dense M by accumulation and dense
// Phi_z, both of the hybrid formulation, and Eigen's factors.

#include "recursive/articulated_factor.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "integrator/compile.hpp"
#include "integrator/formulation/articulated_solver.hpp"
#include "integrator/formulation/evaluate.hpp"
#include "tests/support/eigen_system.hpp"
#include "tests/support/expect_close.hpp"
#include "tests/support/mechanisms.hpp"
#include "tests/support/motion.hpp"
#include "tests/support/random_mechanism.hpp"
#include "tests/support/shared_cases.hpp"
#include "topology/indices.hpp"

namespace semirec::test {
namespace {

// solutions with mass matrices whose condition stays below 1e4
constexpr double kSolution = 1e-11;

/// A mechanism at one position: dense matrices from accumulation, and columns and inertias.
struct Evaluated {
  explicit Evaluated(const Mechanism& mechanism, std::uint64_t seed = 0)
      : hybrid(compile(mechanism)),
        model(compile(mechanism, {}, {.formulation = Formulation::recursive})),
        hybrid_ws(hybrid),
        ws(model) {
    const State state = seed > 0 ? make_random_state(hybrid, seed) : make_initial_state(hybrid);
    const Eigen::VectorXd zero = Eigen::VectorXd::Zero(hybrid.n());
    begin_evaluation(hybrid, state, 0.0, hybrid_ws);
    evaluate_dynamics(hybrid, state.z.data(), state.zd.data(), zero.data(), {1.0, 0.0, 0.0},
                      hybrid_ws);
    M = hybrid.tree.pattern.to_dense(hybrid_ws.tree.tangent.data());
    Phi_z = dense_jacobian(hybrid.closures, hybrid_ws.closures, hybrid.n());
    begin_evaluation(model, state, 0.0, ws);
    evaluate_dynamics(model, state.z.data(), state.zd.data(), zero.data(), {1.0, 0.0, 0.0}, ws);
  }

  Model hybrid, model;
  Workspace hybrid_ws, ws;
  Eigen::MatrixXd M, Phi_z;
};

class ArticulatedTrees : public testing::TestWithParam<std::uint64_t> {
 protected:
  ArticulatedTrees()
      : tree(make_tree_of_all_joints(GetParam()), GetParam() + 10), factor(tree.model.tree) {
    good = factor.factor(tree.ws.tree.Mbar, tree.ws.tree.H);
  }
  /// L^-1, column by column.
  Eigen::MatrixXd eliminated(Eigen::MatrixXd X) const {
    for (Eigen::Index k = 0; k < X.cols(); ++k) factor.eliminate(X.col(k).data());
    return X;
  }
  Evaluated tree;
  ArticulatedFactor factor;
  bool good = false;
};

INSTANTIATE_TEST_SUITE_P(Seeds, ArticulatedTrees, testing::Values(1U, 2U, 3U, 4U, 5U, 6U));

TEST_P(ArticulatedTrees, SolveWithTheMassMatrixOfTheWholeTree) {
  ASSERT_TRUE(good);
  const int n = tree.model.n();
  Random random(GetParam());
  for (int k = 0; k < 5; ++k) {
    const Eigen::VectorXd b = random.values(n, 1.0);
    Eigen::VectorXd x = b;
    factor.eliminate(x.data());
    factor.substitute(x.data());
    expect_close(x, solve_fully_pivoted(tree.M, b), kSolution, 0.0);
    // and back
    expect_close(tree.M * x, b, kSolution, 0.0);
  }
}

TEST_P(ArticulatedTrees, MakeTheMassMatrixDiagonalByElimination) {
  ASSERT_TRUE(good);
  const int n = tree.model.n();
  // L^-1 M L^-T = D
  const Eigen::MatrixXd half = eliminated(tree.M);
  const Eigen::MatrixXd D = eliminated(half.transpose());
  Eigen::VectorXd pivots(n);
  for (int k = 0; k < n; ++k) pivots[k] = 1.0 / factor.inverse_pivots()[at(k)];
  expect_close(D, Eigen::MatrixXd(pivots.asDiagonal()), kSolution, 0.0);
  EXPECT_GT(pivots.minCoeff(), 0.0);
}

TEST_P(ArticulatedTrees, EliminateARowAlongItsPathAlone) {
  ASSERT_TRUE(good);
  Random random(GetParam() + 50);
  const TreeModel& model = tree.model.tree;
  for (int tip = 1; tip < static_cast<int>(model.bodies.size()); ++tip) {
    std::vector<TreeIndex> path;
    for (TreeIndex i = tip; i > 0; i = model.bodies[at(i)].parent) path.push_back(i);
    // forces in the joints of the path, not in all of them
    Eigen::VectorXd x = Eigen::VectorXd::Zero(model.n);
    for (const TreeIndex i : path)
      if (random.index(3) > 0)
        x.segment(model.bodies[at(i)].z, model.bodies[at(i)].degrees_of_freedom) =
            random.values(model.bodies[at(i)].degrees_of_freedom, 1.0);
    Eigen::VectorXd whole = x;
    factor.eliminate(whole.data());
    factor.eliminate(x.data(), path);
    EXPECT_EQ(x, whole) << "tip " << tip;
  }
}

TEST(ArticulatedFactors, RefuseAJointThatMovesNoInertia) {
  Mechanism m;
  // a point mass in the middle of its ball joint, at the end of an arm that has inertia
  const BodyIndex arm = add_rod(m, "arm", 1.0, {0, 0, 0}, {1, 0, 0});
  add_hinge(m, "pin", kGround, arm, {0, 0, 0});
  Frame end;
  end.p = {1, 0, 0};
  const BodyIndex mass = add_body(m, "mass", 1.0, end, Eigen::Matrix3d::Zero());
  add_joint(m, "ball", JointType::spherical, arm, mass, end);
  Evaluated tree(m);
  ArticulatedFactor factor(tree.model.tree);
  EXPECT_FALSE(factor.factor(tree.ws.tree.Mbar, tree.ws.tree.H));
  EXPECT_THROW(Simulation(m, 1e-3, Formulation::recursive), ModelError);
}

TEST(ArticulatedFactors, RefuseWhatIsNotFinite) {
  Evaluated tree(make_rod_chain(3, 1.0, 1.0));
  ArticulatedFactor factor(tree.model.tree);
  std::vector<Vector6> H = tree.ws.tree.H;
  ASSERT_TRUE(factor.factor(tree.ws.tree.Mbar, H));
  H[1][1] = std::nan("");
  EXPECT_FALSE(factor.factor(tree.ws.tree.Mbar, H));
}

TEST(ArticulatedFactors, TakeAPointMassOnAnArm) {
  // m r^2 = 1 kg m^2
  Evaluated tree(make_pendulum());
  ArticulatedFactor factor(tree.model.tree);
  ASSERT_TRUE(factor.factor(tree.ws.tree.Mbar, tree.ws.tree.H));
  expect_close(factor.inverse_pivots()[0], 1.0, 1e-15, 0.0);
}

/// M + scale Phi_z^T alpha Phi_z.
class ArticulatedPenalty : public testing::TestWithParam<SharedCase> {};

TEST_P(ArticulatedPenalty, SolvesAsTheDenseMatrixDoes) {
  Evaluated loops(GetParam().make());
  const int n = loops.model.n();
  const int m = loops.model.m();
  Random random(7);
  // redundant and zero rows included; 1e2: the sums keep their digits
  Eigen::VectorXd alpha(m);
  for (int j = 0; j < m; ++j) alpha[j] = random.number(1.0, 4.0);
  const double scale = 50.0 * loops.M.diagonal().mean();
  const Eigen::MatrixXd A =
      loops.M + scale * loops.Phi_z.transpose() * alpha.asDiagonal() * loops.Phi_z;
  const double condition = [&] {
    const Eigen::VectorXd modes = symmetric_eigenvalues(A);
    return modes[n - 1] / modes[0];
  }();
  ArticulatedSolver solver(loops.model.tree, loops.model.blocks(), m);
  const auto factor = [&](double with) {
    return solver.factor(loops.ws.tree.Mbar, loops.ws.tree.H, loops.model.blocks(),
                         loops.ws.closures.Phi_z, alpha, with);
  };
  ASSERT_TRUE(factor(scale));
  for (int k = 0; k < 3; ++k) {
    const Eigen::VectorXd b = random.values(n, 1.0);
    Eigen::VectorXd x = b;
    solver.solve(x);
    // each of the two loses what the condition takes
    expect_close(x, solve_fully_pivoted(A, b), 1e-15 * condition, 0.0);
  }
  // scale zero: M alone, at once and again after a factor with rows
  ASSERT_TRUE(factor(0.0));
  Eigen::VectorXd x = random.values(n, 1.0);
  const Eigen::VectorXd expected = solve_fully_pivoted(loops.M, x);
  solver.solve(x);
  expect_close(x, expected, 1e-15 * condition, 0.0);
}

INSTANTIATE_TEST_SUITE_P(All, ArticulatedPenalty, testing::ValuesIn(shared_cases()),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace semirec::test
