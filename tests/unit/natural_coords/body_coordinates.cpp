// Coordinates of all bodies, those of the global and of the Cartesian formulation: constraints
// against differences, mass matrix, forces and velocity columns against the bodies' own motion.

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "integrator/compile.hpp"
#include "integrator/formulation/cartesian.hpp"
#include "integrator/formulation/evaluate.hpp"
#include "integrator/formulation/formulation_state.hpp"
#include "integrator/formulation/global.hpp"
#include "integrator/statics/initial_conditions.hpp"
#include "tests/support/eigen_system.hpp"
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

// sixth-order differences (finite_difference.hpp) of sums of products; second ones of inputs with
// up to 12 rad/s
constexpr double kFirstOfInputs = 1e-10;
constexpr double kSecondOfInputs = 1e-7;
// sums of about a hundred products
constexpr double kRoundOffOfHundred = 1e-12;

/// The same mechanism in coordinates of all bodies and in relative ones at its start.
class BodyCoordinates : public testing::TestWithParam<std::tuple<Formulation, SharedCase>> {
 protected:
  BodyCoordinates()
      : own(shared().make(), shared().h, std::get<0>(GetParam())),
        relative(shared().make(), shared().h) {}
  static const SharedCase& shared() { return std::get<1>(GetParam()); }

  Eigen::MatrixXd dense_Phi_q() const {
    return dense_jacobian(own.model.blocks(), own.ws.closures.Phi_z, own.model.m(), own.model.n());
  }
  /// Velocities of the tree that its loops admit, by columns.
  Eigen::MatrixXd admissible_rates() {
    evaluate_state(relative.model, relative.state, relative.ws);
    const int n = relative.model.n();
    const Eigen::MatrixXd Phi_z =
        dense_jacobian(relative.model.blocks(), relative.ws.closures.Phi_z, relative.model.m(), n);
    if (Phi_z.rows() == 0) return Eigen::MatrixXd::Identity(n, n);
    return pivoted_kernel(Phi_z, 1e-9);
  }

  /// Velocity of a body by its columns of H; nothing where it has none.
  std::optional<Vector6> velocity_by_columns(std::size_t t, const Eigen::VectorXd& zd) const {
    std::vector<int> columns;
    int first = 0;
    if (std::get<0>(GetParam()) == Formulation::global) {
      const NaturalBody& body = global_model_of(own.model).bodies[t];
      if (!body.carries_forces) return {};
      columns = body.columns;
      first = body.first_column;
    } else {
      first = cartesian_model_of(own.model).bodies[t].column;
      for (int k = 0; k < 7; ++k) columns.push_back(first + k);
    }
    Vector6 Z = Vector6::Zero();
    for (std::size_t i = 0; i < columns.size(); ++i)
      Z += own.ws.tree.H[at(first) + i] * zd[columns[i]];
    return Z;
  }

  Simulation own, relative;
};

INSTANTIATE_TEST_SUITE_P(All, BodyCoordinates,
                         testing::Combine(testing::Values(Formulation::global,
                                                          Formulation::cartesian),
                                          testing::ValuesIn(shared_cases())),
                         [](const auto& test) {
                           return std::string(name_of(std::get<0>(test.param))) + "_" +
                                  std::get<1>(test.param).name;
                         });

TEST_P(BodyCoordinates, HaveAJacobianThatIsTheDerivativeOfTheirConstraints) {
  // anywhere: bodies need not be rigid here
  Random random(3);
  const Eigen::VectorXd q = own.state.z + random.values(own.model.n(), 0.3);
  const double t = 0.07;
  begin_evaluation(own.model, own.state, t, own.ws);
  const auto phi = [&](const Eigen::VectorXd& moved) {
    evaluate_positions(own.model, moved.data(), own.ws);
    return Eigen::VectorXd(own.ws.closures.Phi);
  };
  const Eigen::MatrixXd expected = jacobian(phi, q);
  evaluate_dynamics(own.model, q.data(), own.state.zd.data(), own.state.zdd.data(), {}, own.ws);
  expect_close(dense_Phi_q(), expected, kFirstOfInputs, kFirstOfInputs);
}

TEST_P(BodyCoordinates, HaveRatesThatAreDerivativesOfTheirConstraints) {
  Random random(4);
  const int n = own.model.n();
  const Eigen::VectorXd q = own.state.z + random.values(n, 0.3);
  const Eigen::VectorXd qd = random.values(n, 1.0);
  const Eigen::VectorXd qdd = random.values(n, 1.0);
  const double start = 0.07;
  // inputs run with the motion
  const auto phi = [&](double t) {
    const Eigen::VectorXd moved = q + t * qd + 0.5 * t * t * qdd;
    begin_evaluation(own.model, own.state, start + t, own.ws);
    evaluate_positions(own.model, moved.data(), own.ws);
    return Eigen::VectorXd(own.ws.closures.Phi);
  };
  const Eigen::VectorXd rate = derivative(phi, 1e-3);
  const Eigen::VectorXd second = second_derivative(phi, 1e-3);
  begin_evaluation(own.model, own.state, start, own.ws);
  evaluate_kinematics(own.model, q.data(), qd.data(), qdd.data(), own.ws);
  expect_close(own.ws.closures.Phid, rate, kFirstOfInputs, kFirstOfInputs);
  expect_close(own.ws.closures.Phidd, second, kSecondOfInputs, kSecondOfInputs);
}

TEST_P(BodyCoordinates, HaveTheKineticEnergyOfTheBodies) {
  // velocities of the bodies from the tree
  const Eigen::MatrixXd rates = admissible_rates();
  for (Eigen::Index k = 0; k < rates.cols(); ++k) {
    relative.state.zd = rates.col(k);
    double energy = 0.0;
    for (std::size_t b = 0; b < relative.model.mechanism.bodies.size(); ++b) {
      const Body& body = relative.model.mechanism.bodies[b];
      const Motion m = relative.com(static_cast<BodyIndex>(b));
      energy += 0.5 * body.mass * m.velocity.squaredNorm() +
                0.5 * m.w_own().dot(body.inertia * m.w_own());
    }
    const State state = to_formulation(own.model, relative.state);
    begin_evaluation(own.model, state, 0.0, own.ws);
    evaluate_dynamics(own.model, state.z.data(), state.zd.data(), state.zdd.data(), {1.0, 0.0, 0.0},
                      own.ws);
    const Eigen::MatrixXd M = own.model.tree.pattern.to_dense(own.ws.tree.tangent.data());
    expect_close(0.5 * state.zd.dot(M * state.zd), energy, kRoundOffOfHundred, kRoundOffOfHundred);
  }
}

TEST_P(BodyCoordinates, MoveTheBodiesByTheirColumns) {
  const Eigen::MatrixXd rates = admissible_rates();
  for (Eigen::Index k = 0; k < rates.cols(); ++k) {
    relative.state.zd = rates.col(k);
    evaluate_state(relative.model, relative.state, relative.ws);
    const State state = to_formulation(own.model, relative.state);
    begin_evaluation(own.model, state, 0.0, own.ws);
    const Eigen::VectorXd zero = Eigen::VectorXd::Zero(own.model.n());
    evaluate_kinematics(own.model, state.z.data(), state.zd.data(), zero.data(), own.ws);
    const TreeWorkspace& ws = own.ws.tree;
    for (std::size_t t = 1; t < own.model.tree.bodies.size(); ++t) {
      // the tree's own velocities: both origins are the same here
      if (const auto Z = velocity_by_columns(t, state.zd))
        expect_close(*Z, relative.ws.tree.Z[t], kRoundOffOfHundred, kRoundOffOfHundred);
      expect_close(ws.Z[t], relative.ws.tree.Z[t], kRoundOffOfHundred, kRoundOffOfHundred);
      expect_close(ws.p[t], relative.ws.tree.p[t], kRoundOffOfHundred, kRoundOffOfHundred);
      expect_close(ws.A_WC[t], relative.ws.tree.A_WC[t], kRoundOffOfHundred, kRoundOffOfHundred);
    }
  }
}

TEST_P(BodyCoordinates, FeelForcesAndInertiaWithTheVirtualPowerOfTheTree) {
  // power of M zdd - Q in every velocity that the loops admit, at the motion of the start: the same
  // from the recursion over the tree as from the constant mass matrix and the wrenches' columns
  const Eigen::MatrixXd rates = admissible_rates();
  const State moving = relative.state;
  begin_evaluation(relative.model, moving, moving.t, relative.ws);
  evaluate_dynamics(relative.model, moving.z.data(), moving.zd.data(), moving.zdd.data(), {},
                    relative.ws);
  const Eigen::VectorXd expected = rates.transpose() * relative.ws.tree.residual;
  // the largest power that any of its parts may have
  const double scale = relative.ws.tree.residual.cwiseAbs().maxCoeff();
  const State start = to_formulation(own.model, moving);
  begin_evaluation(own.model, start, start.t, own.ws);
  evaluate_dynamics(own.model, start.z.data(), start.zd.data(), start.zdd.data(), {}, own.ws);
  const Eigen::VectorXd residual = own.ws.tree.residual;
  Eigen::VectorXd actual(rates.cols());
  for (Eigen::Index k = 0; k < rates.cols(); ++k) {
    State virtual_motion = moving;
    virtual_motion.zd = rates.col(k);
    actual[k] = residual.dot(to_formulation(own.model, virtual_motion).zd);
  }
  expect_close(actual, expected, 0.0, 10.0 * kRoundOffOfHundred * (1.0 + scale));
}

TEST_P(BodyCoordinates, LeaveTheFreedomsThatTheTreeAndItsLoopsHave) {
  const ClosureRank closures = find_closure_rank(relative.model, relative.state, relative.ws);
  const ClosureRank constraints = find_closure_rank(own.model, own.state, own.ws);
  EXPECT_EQ(own.model.n() - constraints.rank, relative.model.n() - closures.rank);
}

TEST_P(BodyCoordinates, GoBackToTheRelativeOnesTheyCameFrom) {
  const State back = to_relative(own.model, to_formulation(own.model, relative.state));
  // 1e-11: accelerations of up to 1e3 are sums with velocity terms
  const double scale = relative.state.zdd.cwiseAbs().maxCoeff();
  expect_close(back.zd, relative.state.zd, kRoundOffOfHundred, kRoundOffOfHundred);
  expect_close(back.zdd, relative.state.zdd, 0.0, 1e-11 * (1.0 + scale));
  for (const JointMotion& motion : relative.model.tree.motions) {
    if (motion.kind == JointMotion::Kind::triad) {
      const auto k = at(motion.triad);
      expect_close(back.A0[k].toRotationMatrix(), relative.state.A0[k].toRotationMatrix(), 0.0,
                   kRoundOffOfHundred);
    } else {
      expect_close(back.z[motion.z], relative.state.z[motion.z], kRoundOffOfHundred,
                   kRoundOffOfHundred);
    }
  }
}

}  // namespace
}  // namespace semirec::test
