// The global formulation's natural coordinates: constraints against differences, mass matrix,
// forces and velocity columns against the bodies' own motion, and the count of coordinates.

#include "natural_coords/global/global_model.hpp"

#include <string>

#include <Eigen/SVD>
#include <gtest/gtest.h>

#include "integrator/compile.hpp"
#include "integrator/formulation/evaluate.hpp"
#include "integrator/formulation/formulation_state.hpp"
#include "integrator/formulation/global.hpp"
#include "integrator/statics/initial_conditions.hpp"
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
constexpr double kFirst = 1e-10;
constexpr double kSecond = 1e-7;
// sums of about a hundred products
constexpr double kRoundOff = 1e-12;

/// The same mechanism in natural and in relative coordinates at its start.
class NaturalCoordinates : public testing::TestWithParam<SharedCase> {
 protected:
  NaturalCoordinates()
      : global(GetParam().make(), GetParam().h, Formulation::global),
        relative(GetParam().make(), GetParam().h) {}

  Eigen::MatrixXd dense_Phi_q() const {
    return dense_jacobian(global.model.blocks(), global.ws.closures.Phi_z, global.model.m(),
                          global.model.n());
  }
  /// Velocities of the tree that its loops admit, by columns.
  Eigen::MatrixXd admissible_rates() {
    evaluate_state(relative.model, relative.state, relative.ws);
    const int n = relative.model.n();
    const Eigen::MatrixXd Phi_z =
        dense_jacobian(relative.model.blocks(), relative.ws.closures.Phi_z, relative.model.m(), n);
    if (Phi_z.rows() == 0) return Eigen::MatrixXd::Identity(n, n);
    Eigen::JacobiSVD<Eigen::MatrixXd> svd(Phi_z, Eigen::ComputeFullV);
    svd.setThreshold(1e-9);
    return svd.matrixV().rightCols(n - svd.rank());
  }

  Simulation global, relative;
};

INSTANTIATE_TEST_SUITE_P(All, NaturalCoordinates, testing::ValuesIn(shared_cases()),
                         [](const auto& test) { return std::string(test.param.name); });

TEST_P(NaturalCoordinates, HaveAJacobianThatIsTheDerivativeOfTheirConstraints) {
  // anywhere: bodies need not be rigid here
  Random random(3);
  const Eigen::VectorXd q = global.state.z + random.values(global.model.n(), 0.3);
  const double t = 0.07;
  begin_evaluation(global.model, global.state, t, global.ws);
  const auto phi = [&](const Eigen::VectorXd& moved) {
    evaluate_positions(global.model, moved.data(), global.ws);
    return Eigen::VectorXd(global.ws.closures.Phi);
  };
  const Eigen::MatrixXd expected = jacobian(phi, q);
  evaluate_dynamics(global.model, q.data(), global.state.zd.data(), global.state.zdd.data(), {},
                    global.ws);
  expect_close(dense_Phi_q(), expected, kFirst, kFirst);
}

TEST_P(NaturalCoordinates, HaveRatesThatAreDerivativesOfTheirConstraints) {
  Random random(4);
  const int n = global.model.n();
  const Eigen::VectorXd q = global.state.z + random.values(n, 0.3);
  const Eigen::VectorXd qd = random.values(n, 1.0);
  const Eigen::VectorXd qdd = random.values(n, 1.0);
  const double start = 0.07;
  // inputs run with the motion
  const auto phi = [&](double t) {
    const Eigen::VectorXd moved = q + t * qd + 0.5 * t * t * qdd;
    begin_evaluation(global.model, global.state, start + t, global.ws);
    evaluate_positions(global.model, moved.data(), global.ws);
    return Eigen::VectorXd(global.ws.closures.Phi);
  };
  const Eigen::VectorXd rate = derivative(phi, 1e-3);
  const Eigen::VectorXd second = second_derivative(phi, 1e-3);
  begin_evaluation(global.model, global.state, start, global.ws);
  evaluate_kinematics(global.model, q.data(), qd.data(), qdd.data(), global.ws);
  expect_close(global.ws.closures.Phid, rate, kFirst, kFirst);
  expect_close(global.ws.closures.Phidd, second, kSecond, kSecond);
}

TEST_P(NaturalCoordinates, HaveTheKineticEnergyOfTheBodies) {
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
    const State state = to_formulation(global.model, relative.state);
    begin_evaluation(global.model, state, 0.0, global.ws);
    evaluate_dynamics(global.model, state.z.data(), state.zd.data(), state.zdd.data(),
                      {1.0, 0.0, 0.0}, global.ws);
    const Eigen::MatrixXd M = global.model.tree.pattern.to_dense(global.ws.tree.tangent.data());
    expect_close(0.5 * state.zd.dot(M * state.zd), energy, kRoundOff, kRoundOff);
  }
}

TEST_P(NaturalCoordinates, MoveTheBodiesByTheirColumns) {
  const Eigen::MatrixXd rates = admissible_rates();
  for (Eigen::Index k = 0; k < rates.cols(); ++k) {
    relative.state.zd = rates.col(k);
    evaluate_state(relative.model, relative.state, relative.ws);
    const State state = to_formulation(global.model, relative.state);
    begin_evaluation(global.model, state, 0.0, global.ws);
    const Eigen::VectorXd zero = Eigen::VectorXd::Zero(global.model.n());
    evaluate_kinematics(global.model, state.z.data(), state.zd.data(), zero.data(), global.ws);
    const TreeWorkspace& ws = global.ws.tree;
    for (std::size_t t = 1; t < global.model.tree.bodies.size(); ++t) {
      const NaturalBody& body = global_model_of(global.model).bodies[t];
      // the tree's own velocities: both origins are the same here
      if (body.carries_forces) {
        Vector6 Z = Vector6::Zero();
        for (std::size_t i = 0; i < body.columns.size(); ++i)
          Z += ws.H[at(body.first_column) + i] * state.zd[body.columns[i]];
        expect_close(Z, relative.ws.tree.Z[t], kRoundOff, kRoundOff);
      }
      expect_close(ws.Z[t], relative.ws.tree.Z[t], kRoundOff, kRoundOff);
      expect_close(ws.p[t], relative.ws.tree.p[t], kRoundOff, kRoundOff);
      expect_close(ws.A_WC[t], relative.ws.tree.A_WC[t], kRoundOff, kRoundOff);
    }
  }
}

TEST_P(NaturalCoordinates, FeelForcesAndInertiaWithTheVirtualPowerOfTheTree) {
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
  const State start = to_formulation(global.model, moving);
  begin_evaluation(global.model, start, start.t, global.ws);
  evaluate_dynamics(global.model, start.z.data(), start.zd.data(), start.zdd.data(), {}, global.ws);
  const Eigen::VectorXd residual = global.ws.tree.residual;
  Eigen::VectorXd actual(rates.cols());
  for (Eigen::Index k = 0; k < rates.cols(); ++k) {
    State virtual_motion = moving;
    virtual_motion.zd = rates.col(k);
    actual[k] = residual.dot(to_formulation(global.model, virtual_motion).zd);
  }
  expect_close(actual, expected, 0.0, 10.0 * kRoundOff * (1.0 + scale));
}

TEST_P(NaturalCoordinates, LeaveTheFreedomsThatTheTreeAndItsLoopsHave) {
  const ClosureRank closures = find_closure_rank(relative.model, relative.state, relative.ws);
  const ClosureRank constraints = find_closure_rank(global.model, global.state, global.ws);
  EXPECT_EQ(global.model.n() - constraints.rank, relative.model.n() - closures.rank);
}

TEST_P(NaturalCoordinates, GoBackToTheRelativeOnesTheyCameFrom) {
  const State back = to_relative(global.model, to_formulation(global.model, relative.state));
  // 1e-11: accelerations of up to 1e3 are sums with velocity terms
  const double scale = relative.state.zdd.cwiseAbs().maxCoeff();
  expect_close(back.zd, relative.state.zd, kRoundOff, kRoundOff);
  expect_close(back.zdd, relative.state.zdd, 0.0, 1e-11 * (1.0 + scale));
  for (const JointMotion& motion : relative.model.tree.motions) {
    if (motion.kind == JointMotion::Kind::triad) {
      const auto k = at(motion.triad);
      expect_close(back.A0[k].toRotationMatrix(), relative.state.A0[k].toRotationMatrix(), 0.0,
                   kRoundOff);
    } else {
      expect_close(back.z[motion.z], relative.state.z[motion.z], kRoundOff, kRoundOff);
    }
  }
}

struct Count {
  const char* name;
  std::function<Mechanism()> make;
  int coordinates, rows;
};
std::ostream& operator<<(std::ostream& out, const Count& c) { return out << c.name; }

class NaturalCounts : public testing::TestWithParam<Count> {};

TEST_P(NaturalCounts, AreThoseOfPointsAndVectors) {
  const Model model = compile(GetParam().make(), {}, {.formulation = Formulation::global});
  EXPECT_EQ(model.n(), GetParam().coordinates);
  EXPECT_EQ(model.m(), GetParam().rows);
}

INSTANTIATE_TEST_SUITE_P(
    All, NaturalCounts,
    testing::Values(
        // [H03] section 4.1: the tips of three cranks, three cranks and two couplers of fixed
        // length
        Count{"double_four_bar", [] { return make_four_bars(2, LoopKind::revolute); }, 6, 5},
        Count{"four_bar", [] { return make_four_bars(1, LoopKind::revolute); }, 4, 3},
        Count{"ten_four_bars", [] { return make_four_bars(10, LoopKind::revolute); }, 22, 21},
        // one point and its distance
        Count{"pendulum", make_pendulum, 2, 1},
        // three vectors from the ball: three lengths, three angles
        Count{"spherical_pendulum", make_heavy_top, 9, 6},
        // a point more
        Count{"free_body", make_free_body, 12, 6},
        // a rod a point
        Count{"chain_of_four", [] { return make_rod_chain(4, 0.5, 1.0); }, 8, 4}),
    [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace semirec::test
