// The PUMA 560 (Corke and Armstrong's data): an open chain of six revolute joints, free and with
// its hand on a ball joint. Reference values: recursive Newton-Euler and maximal coordinates, which
// agree to 13 digits; gravity loads and joint inertias of the books. Computed apart from any
// engine.

#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "integrator/compile.hpp"
#include "integrator/formulation/evaluate.hpp"
#include "integrator/outputs/reactions.hpp"
#include "tests/support/expect_close.hpp"
#include "tests/support/mechanisms.hpp"
#include "tests/support/motion.hpp"

namespace semirec::test {
namespace {

using V = Eigen::Vector3d;
using Six = std::array<double, 6>;

/// One state: torques tau = M qdd + bias(q, qd), bias(q, 0) = gravload(q); M by its lower triangle.
struct Data {
  Six q, qd, qdd, gravload, bias, tau;
  std::array<double, 21> M;
  std::array<double, 3> hand;
};

const std::vector<Data>& states() {
  static const std::vector<Data> table{
      {{0.0, 0.0, 0.0, 0.0, 0.0, 0.0},
       {0.0, 0.0, 0.0, 0.0, 0.0, 0.0},
       {0.0, 0.0, 0.0, 0.0, 0.0, 0.0},
       {0.0, 37.48366665, 0.24892875, 0.0, 0.0, 0.0},
       {0.0, 37.48366665, 0.24892875, 0.0, 0.0, 0.0},
       {0.0, 37.48366665, 0.24892875, 0.0, 0.0, 0.0},
       {3.177096135625, -0.1626648105, 2.1318072505, -0.1389138105, 0.3727363235, 0.3617793985,
        0.00164,        0.0,           0.0,          0.00164,       -0.000432144, 0.001885744,
        0.001885744,    0.0,           0.00064216,   4e-05,         0.0,          0.0,
        4e-05,          0.0,           4e-05},
       {0.4521, -0.15005, 1.16005}},
      {{0.0, 1.5707963267949, -1.5707963267949, 0.0, 0.0, 0.0},
       {0.0, 0.0, 0.0, 0.0, 0.0, 0.0},
       {0.0, 0.0, 0.0, 0.0, 0.0, 0.0},
       {0.0, -0.775235249999998, 0.24892875, 0.0, 0.0, 0.0},
       {0.0, -0.775235249999998, 0.24892875, 0.0, 0.0, 0.0},
       {0.0, -0.775235249999998, 0.24892875, 0.0, 0.0, 0.0},
       {1.553321083625, -0.829305154, 2.8821331565, -0.1389138105, 0.7478992765, 0.3617793985,
        0.00164,        0.0,          0.0,          0.00164,       -0.000432144, 0.003129328,
        0.001885744,    0.0,          0.00064216,   4e-05,         0.0,          0.0,
        4e-05,          0.0,          4e-05},
       {0.0203, -0.15005, 1.59185}},
      {{0.0, 0.785398163397448, 3.14159265358979, 0.0, 0.785398163397448, 0.0},
       {0.0, 0.0, 0.0, 0.0, 0.0, 0.0},
       {0.0, 0.0, 0.0, 0.0, 0.0, 0.0},
       {0.0, 31.6398803783571, 6.03513802301052, 0.0, 0.0282528, 0.0},
       {0.0, 31.6398803783571, 6.03513802301052, 0.0, 0.0282528, 0.0},
       {0.0, 31.6398803783571, 6.03513802301052, 0.0, 0.0282528, 0.0},
       {2.87534544351079,
        -0.404361246041519,
        2.08892708863579,
        0.100613647779784,
        0.350890664956415,
        0.36096824327704,
        -0.0025169558280306,
        0.0,
        0.0,
        0.00174108,
        0.0,
        0.00235951306789489,
        0.0014801663885198,
        0.0,
        0.00064216,
        0.0,
        0.0,
        0.0,
        2.8284271247462e-05,
        0.0,
        4.00000000000001e-05},
       {0.652553148574616, -0.15005, 0.657645732341913}},
      {{0.0, 0.785398163397448, 3.14159265358979, 0.0, 0.785398163397448, 0.0},
       {0.5, -0.4, 0.3, 0.7, -0.6, 0.2},
       {1.0, 2.0, -1.0, 0.5, -2.0, 3.0},
       {0.0, 31.6398803783571, 6.03513802301052, 0.0, 0.0282528, 0.0},
       {0.28414435006119, 31.7381121772507, 5.88233302544639, -0.000495811175317558,
        0.0279628475546742, -4.10050506338676e-06},
       {2.24889517579514, 35.1559954173886, 6.32079942708492, -0.00205737418960575,
        0.0299173873019442, 0.000130041630560344},
       {2.87534544351079,
        -0.404361246041519,
        2.08892708863579,
        0.100613647779784,
        0.350890664956415,
        0.36096824327704,
        -0.0025169558280306,
        0.0,
        0.0,
        0.00174108,
        0.0,
        0.00235951306789489,
        0.0014801663885198,
        0.0,
        0.00064216,
        0.0,
        0.0,
        0.0,
        2.8284271247462e-05,
        0.0,
        4.00000000000001e-05},
       {0.652553148574616, -0.15005, 0.657645732341913}},
      {{0.3, -0.6, 0.9, -1.2, 0.8, 0.4},
       {1.0, -2.0, 1.5, 2.0, -1.0, 3.0},
       {-3.0, 1.0, 2.0, -4.0, 5.0, -6.0},
       {0.0, 28.9504063948454, -2.35903539997395, -0.00558235681457867, -0.0214699417252064, 0.0},
       {-4.83895364485632, 29.4161370993263, -1.15241808680114, -0.00328594030914323,
        -0.0248239146159913, 5.76781880177141e-05},
       {-12.3755888787645, 30.3512226221718, 0.031865192780029, -0.0119491082210282,
        -0.021723333089309, -0.000444679989840068},
       {2.50145216601195,
        0.236951508345193,
        1.51782612622694,
        -0.132800740741128,
        0.0652647728183781,
        0.360817421409813,
        0.00121514325076203,
        0.000274326459285955,
        0.000925635471107665,
        0.00174403148771421,
        0.000274623107374293,
        -0.000295756617013091,
        0.000504703732909113,
        0.0,
        0.000642160000000001,
        2.35508781764115e-05,
        -2.67441566110005e-05,
        -2.67441566110013e-05,
        2.78682683738866e-05,
        0.0,
        4e-05},
       {0.245903420696296, -0.0416309860615527, 0.879819158623264}},
  };
  return table;
}

// digits 13 of the reference; torques and inertias of up to 40 N m and 5 kg m^2
constexpr double kDigits = 1e-12;

Vector6 six(const Six& x) { return Eigen::Map<const Vector6>(x.data()); }
std::vector<double> list(const Six& x) { return {x.begin(), x.end()}; }

/// M qdd - Q without motors.
Vector6 torques(const Model& model, const State& state, Workspace& ws, const Six& q, const Six& qd,
                const Six& qdd) {
  begin_evaluation(model, state, 0.0, ws);
  evaluate_dynamics(model, q.data(), qd.data(), qdd.data(), {1.0, 0.0, 0.0}, ws);
  return ws.tree.residual;
}

/// Adds motors with torques over time.
void add_motors(Mechanism& puma, const std::array<Curve, 6>& torque) {
  for (std::size_t k = 0; k < 6; ++k) {
    const std::string number = std::to_string(k + 1);
    CoordinateForce motor;
    motor.name = "motor" + number;
    motor.joint = static_cast<JointIndex>(k);
    motor.applied = add_input(puma, "torque" + number, torque[k]);
    puma.coordinate_forces.push_back(motor);
  }
}

class Puma : public testing::TestWithParam<std::size_t> {
 protected:
  const Data& data() const { return states().at(GetParam()); }
};

TEST_P(Puma, NeedsTheTorquesOfNewtonAndEuler) {
  const Model model = compile(make_puma(list(data().q), list(data().qd)));
  Workspace ws(model);
  const State state = make_initial_state(model);
  const Six zero{};
  expect_close(torques(model, state, ws, data().q, zero, zero), six(data().gravload), 0.0,
               40.0 * kDigits);
  expect_close(torques(model, state, ws, data().q, data().qd, zero), six(data().bias), 0.0,
               40.0 * kDigits);
  expect_close(torques(model, state, ws, data().q, data().qd, data().qdd), six(data().tau), 0.0,
               40.0 * kDigits);
}

TEST_P(Puma, HasTheMassMatrixOfTheReference) {
  const Model model = compile(make_puma(list(data().q), list(data().qd)));
  Workspace ws(model);
  const State state = make_initial_state(model);
  torques(model, state, ws, data().q, data().qd, data().qdd);
  Matrix6 M;
  std::size_t k = 0;
  for (Eigen::Index i = 0; i < 6; ++i)
    for (Eigen::Index j = 0; j <= i; ++j) M(i, j) = M(j, i) = data().M[k++];
  expect_close(model.tree.pattern.to_dense(ws.tree.tangent.data()), M, kDigits, 0.0);
}

TEST_P(Puma, AcceleratesUnderItsTorquesAsGiven) {
  Mechanism puma = make_puma(list(data().q), list(data().qd));
  std::array<Curve, 6> torque;
  for (std::size_t k = 0; k < 6; ++k) torque[k] = Curve::constant(data().tau[k]);
  add_motors(puma, torque);
  Simulation run(puma, 1e-3);
  // what all formulations must agree to; the wrist's inertia is 1e-5 of the whole arm's
  expect_close(run.state.zdd, six(data().qdd), 0.0, 1e-9);
  expect_close(run.motion(run.model.mechanism.markers[0]).X.p,
               Eigen::Map<const V>(data().hand.data()), 0.0, kDigits);
}

INSTANTIATE_TEST_SUITE_P(States, Puma, testing::Range<std::size_t>(0, 5));

TEST(PumaMotion, FollowsItsPrescribedTorques) {
  const double quarter = 0.5 * std::numbers::pi;
  const Six nominal{0.0, 0.25 * std::numbers::pi, std::numbers::pi,
                    0.0, 0.25 * std::numbers::pi, 0.0};
  Mechanism puma = make_puma(list(nominal), std::vector<double>(6, 0.0));
  add_motors(puma, {make_sine(5.0, 3.0), make_sine(20.0, 2.0, quarter), Curve::constant(8.0),
                    make_sine(0.3, 5.0), make_sine(0.1, 4.0, quarter), make_sine(0.02, 7.0)});
  const auto hand = [&](double h, double t) {
    Simulation run(puma, h);
    run.run_to(t);
    return V(run.motion(run.model.mechanism.markers[0]).X.p);
  };
  // t = 0.1, 0.2, 0.5 s; benchmark limit 1e-4 m at h = 1e-3
  constexpr double kHand = 1e-4;
  expect_close(hand(1e-3, 0.1), V(0.662986053017526, -0.161417452105066, 0.683135893046179), 0.0,
               kHand);
  expect_close(hand(1e-3, 0.2), V(0.637753345033117, -0.173752954728872, 0.675147859106658), 0.0,
               kHand);
  const V end(0.718881659974639, -0.079871291375001, 0.546867047278357);
  expect_close(hand(1e-3, 0.5), end, 0.0, kHand);
  // 0.1: the next term of the error
  expect_close(std::log2((hand(1e-3, 0.5) - end).norm() / (hand(5e-4, 0.5) - end).norm()), 2.0, 0.0,
               0.1);
}

TEST(PumaHand, OnABallJointAcceleratesAndPushesAsTheReference) {
  Mechanism puma = make_puma({0.3, -0.6, 0.9, -1.2, 0.8, 0.4},
                             {0.142425127170392, -0.0518192569995949, -0.0177345920935924,
                              0.989933309386972, -0.471767185018233, 2.0});
  const Six tau{0.0, 20.0, 5.0, 0.3, -0.2, 0.1};
  std::array<Curve, 6> torque;
  for (std::size_t k = 0; k < 6; ++k) torque[k] = Curve::constant(tau[k]);
  add_motors(puma, torque);
  const V place(0.245903420696296, -0.0416309860615527, 0.879819158623264);
  Joint grip;
  grip.name = "grip";
  grip.type = JointType::spherical;
  grip.placement = Placement::cut;
  grip.a.X_BF.p = place;
  grip.b = puma.markers[0];
  grip.b.name.clear();
  puma.joints.push_back(grip);
  Simulation run(puma, 1e-3);
  Vector6 qdd;
  qdd << 2.30562489971601, -7.72440141855424, 12.3363215802518, -99.1615173691991,
      -52.8092293218051, 2570.48904010152;
  // digits 13 of numbers up to 2570 rad/s^2; the start closes the hand to 1e-12 m
  expect_close(run.state.zdd, qdd, 1e-10, 0.0);
  // a force of 10 N holds a wrist of 4e-5 kg m^2 that accelerates as much: 1e-8 of it
  const Reaction reaction = find_joint_reactions(run.model, run.state, run.ws).back();
  expect_close(reaction.force, V(6.27505237266597, 7.95412314779399, 0.992727631471281), 0.0, 1e-7);
  expect_close(reaction.moment, V::Zero(), 0.0, 1e-12);
}

}  // namespace
}  // namespace semirec::test
