// The linear system about a state, against closed forms and against differences of what integrates.

#include "integrator/statics/linearization.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "integrator/compile.hpp"
#include "integrator/formulation/evaluate.hpp"
#include "integrator/statics/equilibrium.hpp"
#include "integrator/statics/initial_conditions.hpp"
#include "tests/support/eigen_system.hpp"
#include "tests/support/mechanisms.hpp"

namespace semirec::test {
namespace {

/// State at rest in equilibrium.
State rest(const Model& model, Workspace& ws) {
  State state = make_initial_state(model);
  const EquilibriumReport report = find_equilibrium(model, {}, state, ws);
  EXPECT_TRUE(report.found);
  return state;
}

Mechanism slide_up(Mechanism& m, const std::string& name, double mass, BodyIndex& body, double z) {
  body = add_body(m, name, mass, {Eigen::Matrix3d::Identity(), {0.0, 0.0, z}},
                  Eigen::Matrix3d::Identity());
  Joint joint;
  joint.name = name + "_guide";
  joint.type = JointType::prismatic;
  joint.a = marker_at(m, kGround, Eigen::Vector3d(0.0, 0.0, z));
  joint.b = marker_at(m, body, Eigen::Vector3d(0.0, 0.0, z));
  m.joints.push_back(joint);
  return m;
}

/// Sprung over unsprung mass; the road lifts the lower end of the tyre's spring.
Mechanism make_quarter_car(double m_s, double m_u, double k_s, double c_s, double k_t) {
  Mechanism m;
  m.name = "quarter_car";
  BodyIndex wheel = 0;
  BodyIndex body = 0;
  slide_up(m, "wheel", m_u, wheel, 0.5);
  slide_up(m, "body", m_s, body, 1.0);
  add_spring(m, "suspension", wheel, body, {0.0, 0.0, 0.5}, {0.0, 0.0, 1.0}, k_s, 0.5, c_s);
  add_spring(m, "tyre", kGround, wheel, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.5}, k_t, 0.5, 0.0);
  return m;
}

// x = (z_u, z_s, zd_u, zd_s), written down by hand.
TEST(Linearization, QuarterCarIsItsOwnMatrix) {
  const double m_s = 400.0, m_u = 40.0, k_s = 20000.0, c_s = 1500.0, k_t = 200000.0;
  const Model model = compile(make_quarter_car(m_s, m_u, k_s, c_s, k_t));
  Workspace ws(model);
  const State state = rest(model, ws);
  const LinearSystem system = linearize(model, state, {}, ws);
  ASSERT_EQ(system.A.rows(), 4);
  EXPECT_EQ(system.states[0].name, "wheel_guide.z");
  Eigen::Matrix4d A;
  A << 0, 0, 1, 0,                                           //
      0, 0, 0, 1,                                            //
      -(k_s + k_t) / m_u, k_s / m_u, -c_s / m_u, c_s / m_u,  //
      k_s / m_s, -k_s / m_s, c_s / m_s, -c_s / m_s;
  // 1e-8 of the largest entry: differences of forces of 3000 N over 1e-5 m
  EXPECT_LT((system.A - A).cwiseAbs().maxCoeff(), 1e-8 * A.cwiseAbs().maxCoeff());
  // eigenvalues by matrix exponential, header of quartercar_step.csv (validation data O18)
  const std::vector<Eigenmode> modes = find_eigenmodes(system.A);
  ASSERT_EQ(modes.size(), 2u);
  EXPECT_NEAR(modes[0].value.real(), -1.57715242935, 1e-7);
  EXPECT_NEAR(modes[0].value.imag(), 6.62960652433, 1e-7);
  EXPECT_NEAR(modes[1].value.real(), -19.0478475707, 1e-6);
  EXPECT_NEAR(modes[1].value.imag(), 70.856015794, 1e-6);
}

/// Eigenvalues of the equations of motion in independent coordinates: accelerations that
/// find_accelerations() gives, differenced on assembled positions and velocities. Shares neither
/// projections nor slopes with linearize().
Eigen::VectorXcd eigenvalues_by_motion(const Model& model, const State& state, Workspace& ws,
                                       const std::vector<int>& independent) {
  const auto f = static_cast<Eigen::Index>(independent.size());
  // the closures are solved for the others by Newton
  const auto accelerations = [&](const Eigen::VectorXd& y) {
    State s = state;
    for (Eigen::Index k = 0; k < f; ++k) s.z[independent[static_cast<std::size_t>(k)]] += y[k];
    const auto others = [&](const Eigen::MatrixXd& Phi_z) {
      Eigen::MatrixXd rest = Phi_z;
      for (const int k : independent) rest.col(k).setZero();
      return Eigen::MatrixXd(rest.completeOrthogonalDecomposition().pseudoInverse());
    };
    for (int pass = 0; pass < 12; ++pass) {
      evaluate_state(model, s, ws);
      s.z -= others(dense_jacobian(model.closures, ws.closures, model.n())) * ws.closures.Phi;
    }
    s.zd.setZero();
    for (Eigen::Index k = 0; k < f; ++k) s.zd[independent[static_cast<std::size_t>(k)]] = y[f + k];
    evaluate_state(model, s, ws);
    const Eigen::MatrixXd inverse = others(dense_jacobian(model.closures, ws.closures, model.n()));
    s.zd -= inverse * ws.closures.Phid;
    EXPECT_TRUE(find_accelerations(model, s, ws));
    Eigen::VectorXd zdd(f);
    for (Eigen::Index k = 0; k < f; ++k) zdd[k] = s.zdd[independent[static_cast<std::size_t>(k)]];
    return zdd;
  };
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(2 * f, 2 * f);
  A.topRightCorner(f, f).setIdentity();
  for (Eigen::Index k = 0; k < 2 * f; ++k) {
    Eigen::VectorXd slopes[2];
    for (const int level : {0, 1}) {
      const double h = level == 0 ? 2e-3 : 1e-3;
      Eigen::VectorXd y = Eigen::VectorXd::Zero(2 * f);
      y[k] = h;
      const Eigen::VectorXd ahead = accelerations(y);
      y[k] = -h;
      slopes[level] = (ahead - accelerations(y)) / (2.0 * h);
    }
    A.col(k).tail(f) = (4.0 * slopes[1] - slopes[0]) / 3.0;
  }
  return find_eigen_system(A).values;
}

void expect_same(const std::vector<Eigenmode>& modes, const Eigen::VectorXcd& expected,
                 double tolerance) {
  int compared = 0;
  for (const Eigenmode& mode : modes) {
    // a coupler's spin is a double zero, which rounding of 1e-8 splits by its root
    if (std::abs(mode.value) < 1e-2) {
      EXPECT_LT(std::abs(mode.value), 1e-3);
      continue;
    }
    ++compared;
    double nearest = 1e300;
    for (const std::complex<double>& value : expected)
      nearest = std::min(nearest, std::abs(value - mode.value));
    EXPECT_LT(nearest, tolerance * std::max(1.0, std::abs(mode.value)))
        << mode.value.real() << " " << mode.value.imag();
  }
  EXPECT_GT(compared, 0);
}

TEST(Linearization, FourBarsAreThoseOfTheirIndependentMotion) {
  for (const Coupler coupler : {Coupler::body, Coupler::massless}) {
    Mechanism m = make_rssr(coupler);
    // hung on a spring, damped, so that it rests somewhere
    for (const Joint& joint : std::vector<Joint>(m.joints)) {
      if (joint.name != "crank" && joint.name != "rocker") continue;
      RotationalSpringDamper spring;
      spring.name = joint.name + "_spring";
      spring.a = joint.a;
      spring.b = joint.b;
      spring.spring = Curve::linear(400.0);
      spring.damper = Curve::linear(3.0);
      m.rotational_springs.push_back(spring);
    }
    const Model model = compile(m);
    Workspace ws(model);
    const State state = rest(model, ws);
    const LinearSystem system = linearize(model, state, {}, ws);
    const int crank = model.tree.coordinate(model.mechanism, 0, 0, {}, "test");
    std::vector<int> independent{crank};
    // a coupler body between two ball joints spins about itself
    if (coupler == Coupler::body)
      for (std::size_t k = 0; k < system.states.size() / 2; ++k) static_cast<void>(k);
    const auto f = static_cast<std::size_t>(system.degrees_of_freedom);
    if (f > 1) {
      independent.clear();
      // those the linear system took: rows of z that are units
      for (Eigen::Index k = 0; k < model.n(); ++k)
        for (std::size_t s = 0; s < f; ++s)
          if (system.z.row(k) ==
              Eigen::RowVectorXd::Unit(system.z.cols(), static_cast<Eigen::Index>(s)))
            independent.push_back(static_cast<int>(k));
      ASSERT_EQ(independent.size(), f);
    }
    // 1e-6: the differences of the reference, of accelerations solved to 1e-12
    expect_same(find_eigenmodes(system.A), eigenvalues_by_motion(model, state, ws, independent),
                1e-6);
  }
}

// A road that moves under a spring acts by its place; a driven guide acts by its acceleration.
TEST(Linearization, DrivenEndsBringTheirRates) {
  Mechanism m;
  m.name = "shaken";
  BodyIndex table = 0;
  BodyIndex mass = 0;
  slide_up(m, "table", 5.0, table, 0.0);
  slide_up(m, "mass", 2.0, mass, 1.0);
  add_spring(m, "spring", table, mass, {0.0, 0.0, 0.0}, {0.0, 0.0, 1.0}, 300.0, 1.0, 4.0);
  const InputIndex lift = add_input(m, "lift", Curve::constant(0.0));
  m.motions.push_back({"lift_driver", 0, 0, lift, {}});
  const Model model = compile(m);
  Workspace ws(model);
  const State state = rest(model, ws);
  LinearizationSettings settings;
  settings.outputs = {"spring.force", "chassis.az"};
  settings.recorder.main_body = mass;
  const LinearSystem system = linearize(model, state, settings, ws);
  ASSERT_EQ(system.A.rows(), 2);
  ASSERT_GE(system.inputs.size(), 2u);
  EXPECT_EQ(system.inputs[1].name, "lift.rate");
  // zdd = (-k (z - u) - c (zd - ud))/m by hand
  EXPECT_NEAR(system.A(1, 0), -150.0, 1e-6);
  EXPECT_NEAR(system.A(1, 1), -2.0, 1e-7);
  EXPECT_NEAR(system.B(1, 0), 150.0, 1e-6);
  EXPECT_NEAR(system.B(1, 1), 2.0, 1e-7);
  // tension k (z - u) + c (zd - ud)
  EXPECT_NEAR(system.C(0, 0), 300.0, 1e-6);
  EXPECT_NEAR(system.D(0, 0), -300.0, 1e-6);
  EXPECT_NEAR(system.D(0, 1), -4.0, 1e-7);
  // an acceleration is the row of its rate
  for (int k = 0; k < 2; ++k) {
    EXPECT_NEAR(system.C(1, k), system.A(1, k), 1e-6);
    EXPECT_NEAR(system.D(1, k), system.B(1, k), 1e-6);
  }
}

TEST(Linearization, EigenmodesOfABadlyScaledMatrixAreOrderedAndNormed) {
  Eigen::Matrix3d A;
  A << 0, 1e6, 0, -1e-4, -2, 0, 0, 0, -0.5;  // -1 +- sqrt(1 - 100): by hand
  const std::vector<Eigenmode> modes = find_eigenmodes(A);
  ASSERT_EQ(modes.size(), 2u);
  EXPECT_NEAR(modes[0].value.real(), -0.5, 1e-14);
  EXPECT_FALSE(modes[0].oscillates());
  EXPECT_NEAR(modes[1].value.real(), -1.0, 1e-12);
  EXPECT_NEAR(modes[1].value.imag(), std::sqrt(99.0), 1e-12);
  EXPECT_NEAR(modes[1].damping_ratio(), 0.1, 1e-13);
  for (const Eigenmode& mode : modes) {
    const std::complex<double> product = (mode.left.transpose() * mode.shape)(0);
    EXPECT_NEAR(std::abs(product - 1.0), 0.0, 1e-12);
    const Eigen::VectorXcd left = A.transpose() * mode.left - mode.value * mode.left;
    EXPECT_LT(left.cwiseAbs().maxCoeff(),
              1e-9 * A.cwiseAbs().maxCoeff() * mode.left.cwiseAbs().maxCoeff());
  }
}

TEST(Linearization, RefusesAnOutputThatIsNotThere) {
  const Model model = compile(make_quarter_car(250.0, 35.0, 16000.0, 1000.0, 160000.0));
  Workspace ws(model);
  const State state = rest(model, ws);
  LinearizationSettings settings;
  settings.outputs = {"nowhere.z"};
  EXPECT_THROW(linearize(model, state, settings, ws), ModelError);
}

}  // namespace
}  // namespace semirec::test
