// Two coordinates and one or two rows, by hand, and the properties of the projections on random
// systems.

#include "penalty/augmented_lagrangian.hpp"

#include <gtest/gtest.h>

#include "penalty/factors/tangent_solver.hpp"
#include "penalty/projection.hpp"
#include "tests/support/eigen_system.hpp"
#include "tests/support/expect_close.hpp"
#include "tests/support/random_mechanism.hpp"

namespace semirec::test {
namespace {

constexpr double kRoundOff = 1e-14;

/// The desk with a dense tangent; rows come in blocks of given columns.
struct Desk {
  Desk(int n, const std::vector<std::pair<int, std::vector<int>>>& rows_and_columns)
      : pattern(SymmetricPattern::make_dense(n)),
        residual(Eigen::VectorXd::Zero(n)),
        tangent(static_cast<std::size_t>(n * n), 0.0) {
    int m = 0;
    for (const auto& [rows, columns] : rows_and_columns) {
      RowBlock block;
      block.row = m;
      block.rows = rows;
      block.jacobian = static_cast<int>(Phi_z.size());
      block.columns = columns;
      block.slots = pattern.block_slots(columns);
      Phi_z.resize(Phi_z.size() + static_cast<std::size_t>(rows) * columns.size(), 0.0);
      m += rows;
      blocks.push_back(block);
    }
    Phi = Phid = Phidd = Eigen::VectorXd::Zero(m);
  }
  DynamicTerms terms() { return {residual, tangent, Phi, Phid, Phidd, Phi_z, blocks, 0}; }
  Eigen::MatrixXd dense_tangent() const { return pattern.to_dense(tangent.data()); }
  void set_tangent(const Eigen::MatrixXd& A) {
    for (int i = 0; i < pattern.size(); ++i)
      for (int j = 0; j <= i; ++j) tangent[static_cast<std::size_t>(pattern.slot(i, j))] = A(i, j);
  }
  Eigen::MatrixXd dense_Phi_z() const {
    Eigen::MatrixXd J = Eigen::MatrixXd::Zero(Phi.size(), pattern.size());
    for (const RowBlock& block : blocks)
      for (int r = 0; r < block.rows; ++r)
        for (std::size_t k = 0; k < block.columns.size(); ++k)
          J(block.row + r, block.columns[k]) =
              Phi_z[static_cast<std::size_t>(block.jacobian) +
                    static_cast<std::size_t>(r) * block.columns.size() + k];
    return J;
  }

  SymmetricPattern pattern;
  Eigen::VectorXd residual, Phi, Phid, Phidd;
  std::vector<double> tangent, Phi_z;
  std::vector<RowBlock> blocks;
};

TEST(Penalty, MultipliersGrowByThePenaltyForce) {
  Desk desk(2, {{2, {0, 1}}});
  desk.Phi << 0.5, -0.25;
  Eigen::VectorXd lambda = Eigen::Vector2d(1.0, 2.0);
  desk.Phi_z = {1.0, 0.0, 0.0, 2.0};
  Eigen::VectorXd scratch(2);
  update_multipliers(desk.terms(), desk.Phi_z, Eigen::Vector2d(10.0, 100.0),
                     Eigen::Vector2d(0.5, 0.125), scratch, lambda);
  // lambda + alpha (Phi + Phi_z dz): 1 + 10 (0.5 + 0.5), 2 + 100 (-0.25 + 0.25)
  expect_close(lambda, Eigen::Vector2d(11.0, 2.0), 0.0, 0.0);
}

TEST(Penalty, IsAddedByHand) {
  // 3 coordinates; row 0 = (1, 2) over (0, 2), row 1 = (3) over (1)
  Desk desk(3, {{1, {0, 2}}, {1, {1}}});
  desk.Phi_z = {1.0, 2.0, 3.0};
  desk.Phi << 0.1, 0.2;
  desk.residual << 1.0, 1.0, 1.0;
  desk.set_tangent(Eigen::Matrix3d::Identity());
  DynamicTerms terms = desk.terms();
  add_penalty(terms, Eigen::Vector2d(10.0, 20.0), Eigen::Vector2d(5.0, 6.0), 0.5);
  // alpha Phi + lambda = (6, 10): residual (1 + 6, 1 + 30, 1 + 12)
  expect_close(desk.residual, Eigen::Vector3d(7.0, 31.0, 13.0), kRoundOff, 0.0);
  // scale alpha = (5, 10): 5 (1,2)^T (1,2) in (0,2), 10 * 9 in (1)
  Eigen::Matrix3d expected;
  expected << 6.0, 0.0, 10.0, 0.0, 91.0, 0.0, 10.0, 0.0, 21.0;
  expect_close(desk.dense_tangent(), expected, kRoundOff, 0.0);
}

TEST(Penalty, ProductsWithTheJacobianAddUp) {
  Desk desk(3, {{2, {0, 2}}, {1, {0, 1, 2}}});
  Random random(1);
  for (double& value : desk.Phi_z) value = random.number(-1.0, 1.0);
  const Eigen::MatrixXd J = desk.dense_Phi_z();
  const Eigen::VectorXd weights = random.values(3, 1.0);
  const Eigen::VectorXd x = random.values(3, 1.0);
  Eigen::VectorXd out = Eigen::VectorXd::Ones(3);
  add_transposed(desk.blocks, desk.Phi_z, weights, out);
  expect_close(out, Eigen::VectorXd(J.transpose() * weights + Eigen::VectorXd::Ones(3)), kRoundOff,
               kRoundOff);
  out.setOnes();
  add_product(desk.blocks, desk.Phi_z, x, out);
  expect_close(out, Eigen::VectorXd(J * x + Eigen::VectorXd::Ones(3)), kRoundOff, kRoundOff);
}

TEST(EffectiveMass, IsWhatARowFeels) {
  // masses 2 and 3 kg: the row z0 - z1 feels 1 / (1/2 + 1/3), a row on z1 alone 3 kg; a row that
  // moves nothing gets the largest of the others
  Desk desk(2, {{1, {0, 1}}, {1, {1}}, {1, {0}}});
  desk.Phi_z = {1.0, -1.0, 1.0, 0.0};
  desk.set_tangent(Eigen::Vector2d(2.0, 3.0).asDiagonal().toDenseMatrix());
  TangentSolver W(desk.pattern);
  ASSERT_TRUE(W.factor(desk.tangent));
  Eigen::VectorXd masses;
  compute_effective_masses(W, desk.terms(), masses);
  expect_close(masses, Eigen::Vector3d(1.2, 3.0, 3.0), kRoundOff, 0.0);
}

TEST(EffectiveMass, IsOneWhereNothingMoves) {
  Desk desk(1, {{1, {0}}});
  desk.set_tangent(Eigen::MatrixXd::Identity(1, 1));
  TangentSolver W(desk.pattern);
  ASSERT_TRUE(W.factor(desk.tangent));
  Eigen::VectorXd masses;
  compute_effective_masses(W, desk.terms(), masses);
  EXPECT_EQ(masses[0], 1.0);
}

TEST(Projection, ByHand) {
  // z0 and z1 of 1 kg tied by z0 - z1 with scale alpha = 2: A = I + 2 (1,-1)^T (1,-1), A (1,-1) = 5
  // (1,-1), rates (3, 1) have the error 2: correction -A^-1 2 * 2 (1,-1) = -0.8 (1,-1)
  Desk desk(2, {{1, {0, 1}}});
  desk.Phi_z = {1.0, -1.0};
  desk.set_tangent(Eigen::Matrix2d::Identity());
  DynamicTerms terms = desk.terms();
  const Eigen::VectorXd alpha = Eigen::VectorXd::Constant(1, 8.0);
  add_penalty(terms, alpha, Eigen::VectorXd::Zero(1), 0.25);
  TangentSolver A(desk.pattern);
  ASSERT_TRUE(A.factor(desk.tangent));
  Eigen::VectorXd rates = Eigen::Vector2d(3.0, 1.0);
  Eigen::VectorXd weighted(1);
  Eigen::VectorXd correction(2);
  project(A, desk.blocks, desk.Phi_z, alpha, 0.25, Eigen::VectorXd::Constant(1, 2.0), weighted,
          correction, rates);
  expect_close(correction, Eigen::Vector2d(-0.8, 0.8), kRoundOff, 0.0);
  expect_close(rates, Eigen::Vector2d(2.2, 1.8), kRoundOff, 0.0);
}

TEST(Projection, MeetsTheClosuresAndLeavesTheAllowedMotionsAlone) {
  const int n = 7;
  Random random(2);
  Desk desk(n, {{2, {0, 1, 2, 4}}, {1, {3, 4, 5, 6}}});
  for (double& value : desk.Phi_z) value = random.number(-1.0, 1.0);
  Eigen::MatrixXd W = Eigen::MatrixXd::Zero(n, n);
  for (int k = 0; k < n + 2; ++k) {
    const Eigen::VectorXd g = random.values(n, 1.0);
    W += g * g.transpose();
  }
  desk.set_tangent(W);
  const Eigen::MatrixXd J = desk.dense_Phi_z();
  const Eigen::VectorXd Phi_t = random.values(3, 1.0);
  constexpr double kScale = 0.25e-6;
  constexpr double kappa = 1e6;
  const Eigen::VectorXd alpha = Eigen::VectorXd::Constant(3, kappa / kScale);
  DynamicTerms terms = desk.terms();
  add_penalty(terms, alpha, Eigen::VectorXd::Zero(3), kScale);
  TangentSolver A(desk.pattern);
  ASSERT_TRUE(A.factor(desk.tangent));

  const Eigen::VectorXd start = random.values(n, 1.0);
  Eigen::VectorXd rates = start;
  Eigen::VectorXd weighted(3);
  Eigen::VectorXd correction(n);
  double before = (J * start + Phi_t).norm();
  for (int pass = 0; pass < 2; ++pass) {
    project(A, desk.blocks, desk.Phi_z, alpha, kScale, J * rates + Phi_t, weighted, correction,
            rates);
    const double after = (J * rates + Phi_t).norm();
    // each pass divides the error by about kappa / mass of a row; the masses here are below 1e2 kg
    EXPECT_LT(after, 1e-4 * before);
    // the correction is W-orthogonal to all motions that the closures allow
    const Eigen::MatrixXd allowed = pivoted_kernel(J, 1e-9);
    expect_close(Eigen::VectorXd(allowed.transpose() * W * correction),
                 Eigen::VectorXd::Zero(allowed.cols()).eval(), 0.0,
                 1e-8 * before);  // kappa eps |W| |J|
    before = after;
  }
  // the limit of many passes is the exact projection: W (v - v0) + J^T mu = 0, J v = -Phi_t
  Eigen::MatrixXd KKT = Eigen::MatrixXd::Zero(n + 3, n + 3);
  KKT.topLeftCorner(n, n) = W;
  KKT.topRightCorner(n, 3) = J.transpose();
  KKT.bottomLeftCorner(3, n) = J;
  Eigen::VectorXd rhs(n + 3);
  rhs << W * start, -Phi_t;
  const Eigen::VectorXd exact = solve_fully_pivoted(KKT, rhs).head(n);
  expect_close(rates, exact, 1e-8, 0.0);  // condition kappa of A times eps
}

}  // namespace
}  // namespace semirec::test
