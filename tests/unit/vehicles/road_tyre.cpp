// Where the forces of a wheel without longitudinal force act: wrenches by statics, the tangent by
// differences.

#include "vehicles/tyre/road_tyre.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "integrator/compile.hpp"
#include "integrator/formulation/evaluate.hpp"
#include "integrator/statics/initial_conditions.hpp"
#include "integrator/step.hpp"
#include "recursive/accumulation.hpp"
#include "recursive/kinematics.hpp"
#include "recursive/lanes/lane_workspace.hpp"
#include "tests/support/eigen_system.hpp"
#include "tests/support/finite_difference.hpp"
#include "vehicles/road/profile_surface.hpp"

namespace semirec::test {
namespace {

using Eigen::Vector3d;

constexpr double kRadius = 0.36;  // m
constexpr double kRate = 4.6e5;   // N/m
constexpr double kDamping = 700.0;
constexpr double kHeight = 0.352;  // m, of the centre over the road below it
constexpr double kRounding = 1e-9;

/// A flying body whose coordinates (position, rotation vector) are those of the wheel's centre.
struct LeaningWheel {
  double camber = 0.0;  // rad, the left end of the axle up
  double steer = 0.0;   // rad
  double slope = 0.0;   // of the road along x
  Vector3d velocity{0.0, 0.0, 0.0};
  ContactLaw contact = ContactLaw::normal;
  bool lateral = false;
  double height = kHeight;  // m
  bool unilateral = true;
  double x = 0.0;                                        // m
  ContactMethod method = ContactMethod::point;           // on a surface
  std::shared_ptr<const RoadSurface> surface = nullptr;  // in the place of the slope

  Vector3d axle() const {
    return {-std::sin(steer) * std::cos(camber), std::cos(steer) * std::cos(camber),
            std::sin(camber)};
  }

  Model model() const {
    Mechanism m;
    m.name = "wheel";
    Body body;
    body.name = "carrier";
    body.mass = 50.0;
    body.inertia.setIdentity();
    body.X_WB.p = {x, 0.0, height};
    m.bodies = {body};
    Joint flight;
    flight.name = "flight";
    flight.type = JointType::free;
    flight.a.X_BF.p = body.X_WB.p;
    flight.b.body = 0;
    m.joints = {flight};

    Wheel wheel;
    wheel.name = "wheel";
    wheel.centre.body = 0;
    wheel.centre.X_BF.A.col(1) = axle();
    wheel.centre.X_BF.A.col(0) = axle().cross(Vector3d::UnitZ()).normalized();
    wheel.centre.X_BF.A.col(2) = wheel.centre.X_BF.A.col(0).cross(axle());
    wheel.radius = kRadius;
    wheel.stiffness = kRate;
    wheel.damping = kDamping;
    wheel.unilateral = unilateral;
    // the Iltis' polynomial
    CalspanCoefficients c;
    c.A0 = 2625, c.A1 = 14.47, c.A2 = 12930, c.A3 = 2.29, c.A4 = 18175;
    c.B1 = -4.64e-5, c.B3 = 1.216, c.B4 = 2.18e-11, c.SN = 1.0274;
    c.AF1 = -1.71e-5, c.AF2 = 1.71e-5;
    wheel.lateral = c;

    RoadContact ground;
    ground.law = contact;
    ground.lateral = lateral;
    Curve road;
    road.add_piece(-1e300, 0.0, {0.0, slope});
    ground.road.left = ground.road.right = road;
    ground.surface = surface;
    ground.method = method;
    std::vector<std::unique_ptr<ForceElement>> tyre;
    tyre.push_back(std::make_unique<RoadTyre>(wheel, ground, RoadMotion{}));
    return compile(m, std::move(tyre));
  }
};

/// The tyre's generalized force: force and moment about the wheel's centre, world axes.
struct Felt {
  explicit Felt(const LeaningWheel& wheel)
      : model(wheel.model()), state(make_initial_state(model)), ws(model) {
    state.zd.head<3>() = wheel.velocity;
  }
  Vector6 at(const Eigen::VectorXd& z, const Eigen::VectorXd& zd, const TangentWeights& weights) {
    const Eigen::VectorXd zero = Eigen::VectorXd::Zero(6);
    begin_evaluation(model, state, 0.0, ws);
    compute_positions(model.tree, z.data(), ws.tree);
    compute_motions(model.tree, zd.data(), zero.data(), ws.tree);
    ws.tree.weights = weights;
    ws.tree.residual.setZero();
    std::fill(ws.tree.tangent.begin(), ws.tree.tangent.end(), 0.0);
    for (Vector6& F : ws.tree.F) F.setZero();
    std::fill(ws.tree.lanes->M.begin(), ws.tree.lanes->M.end(), PackInertia{});
    add_forces(*model.forces.front(), model.tree, ws.tree);
    Eigen::VectorXd Q = -ws.tree.residual;
    accumulate(model.tree, ws.tree);
    for (Eigen::Index k = 0; k < 6; ++k)
      Q[k] -= ws.tree.H[static_cast<std::size_t>(k)].dot(ws.tree.F[1]);
    return Q;
  }
  Vector6 now() { return at(state.z, state.zd, {}); }
  Eigen::MatrixXd tangent(const TangentWeights& weights) {
    at(state.z, state.zd, weights);
    return model.tree.pattern.to_dense(ws.tree.tangent.data());
  }
  /// -dQ/dz and -dQ/dzd, symmetric parts.
  Eigen::MatrixXd stiffness() {
    const auto Q = [&](const Eigen::VectorXd& z) { return Eigen::VectorXd(at(z, state.zd, {})); };
    return symmetric(-jacobian(Q, state.z, 1e-4));
  }
  Eigen::MatrixXd damping() {
    const auto Q = [&](const Eigen::VectorXd& zd) { return Eigen::VectorXd(at(state.z, zd, {})); };
    return symmetric(-jacobian(Q, state.zd, 1e-4));
  }
  static Eigen::MatrixXd symmetric(const Eigen::MatrixXd& A) { return 0.5 * (A + A.transpose()); }

  Model model;
  State state;
  Workspace ws;
};

// Statics by hand: the wheel's middle plane meets a level road at y = h tan(camber), where
// N = k (R - h) has the lever y about the centre.
TEST(RoadTyre, LoadOfALeaningWheelActsInItsMiddlePlane) {
  const double N = kRate * (kRadius - kHeight);
  for (const double camber : {-0.2, 0.0, 0.1, 0.3}) {
    LeaningWheel wheel;
    wheel.camber = camber;
    Vector6 expected;
    expected << 0.0, 0.0, N, kHeight * std::tan(camber) * N, 0.0, 0.0;
    EXPECT_LE((Felt(wheel).now() - expected).cwiseAbs().maxCoeff(), kRounding * N) << camber;
    // straight through the centre by the vertical law
    wheel.contact = ContactLaw::vertical;
    expected[3] = 0.0;
    EXPECT_LE((Felt(wheel).now() - expected).cwiseAbs().maxCoeff(), kRounding * N) << camber;
  }
}

// On a sloped road, steered and drifting: the line of all forces but the torque about the normal
// goes through the point that three planes share: the road, the wheel's middle plane, and the one
// across both through the centre.
TEST(RoadTyre, LoadAndSideForceShareTheGroundPoint) {
  for (const double slope : {0.0, 0.2})
    for (const double camber : {-0.15, 0.25}) {
      LeaningWheel wheel;
      wheel.camber = camber;
      wheel.steer = 0.1;
      wheel.slope = slope;
      wheel.lateral = true;
      wheel.velocity = {20.0, 0.5, 20.0 * slope};
      const Vector3d n = Vector3d(-slope, 0.0, 1.0).normalized();
      const Vector3d axle = wheel.axle();
      const Vector3d centre(0.0, 0.0, kHeight);
      Eigen::Matrix3d planes;
      planes.row(0) = n;
      planes.row(1) = axle;
      planes.row(2) = axle.cross(n);
      const Vector3d point =
          planes.inverse() * Vector3d(0.0, axle.dot(centre), axle.cross(n).dot(centre));
      const Vector6 Q = Felt(wheel).now();
      const Vector3d F = Q.head<3>();
      // load by the law of the header: the vertical gap over sqrt(1 + slope^2); in the height of
      // the centre nothing changes
      const double load = kRate * (kRadius - kHeight) / std::sqrt(1.0 + slope * slope);
      EXPECT_NEAR(F.dot(n), load, kRounding * load);
      EXPECT_GT(std::abs(F.dot(n.cross(axle.cross(n)))), 100.0);  // N, the tyre guides
      const Vector3d about_point = Q.tail<3>() - (point - centre).cross(F);
      EXPECT_LE(about_point.cross(n).norm(), kRounding * load) << slope << " " << camber;
    }
}

// Half a turn about z of all that happens: forces turn over, the torque about z stays.
TEST(RoadTyre, AligningTorqueTurnsOverWithTheDirection) {
  LeaningWheel wheel;
  wheel.lateral = true;
  wheel.velocity = {5.0, 0.5, 0.0};
  const Vector6 ahead = Felt(wheel).now();
  wheel.velocity = {-5.0, -0.5, 0.0};
  const Vector6 back = Felt(wheel).now();
  EXPECT_GT(std::abs(ahead[5]), 5.0);  // N m
  EXPECT_NEAR(back[1], -ahead[1], 1e-9 * std::abs(ahead[1]));
  EXPECT_NEAR(back[5], ahead[5], 1e-9 * std::abs(ahead[5]));
}

// Expected: a circle that lies on a wave, its highest place by search, twice R/8 apart; there a
// tyre begins to carry.
TEST(RoadTyre, CarriesOnADiscWhereACircleLiesOnTheRoad) {
  const auto wave = [](double x) { return 0.02 * std::cos(2.0 * std::numbers::pi * x / 0.9); };
  const auto circle = [&](double x) {
    double highest = -1.0;
    for (int k = -9999; k <= 9999; ++k) {
      const double s = 1e-4 * k * kRadius;
      highest = std::max(highest, wave(x + s) + std::sqrt(kRadius * kRadius - s * s));
    }
    return highest;
  };
  Curve profile;
  for (int k = -200; k < 200; ++k) {
    const double from = 0.01 * k;
    profile.add_piece(from, from, {wave(from), (wave(from + 0.01) - wave(from)) / 0.01});
  }
  LeaningWheel wheel;
  wheel.surface = std::make_shared<ProfileSurface>(profile, profile);
  wheel.method = ContactMethod::disc;
  double steepest = 0.0;
  for (const ContactLaw law : {ContactLaw::normal, ContactLaw::vertical})
    for (const double x : {-0.3, -0.15, -0.05, 0.0, 0.1, 0.2, 0.4}) {
      wheel.contact = law;
      wheel.x = x;
      const double ahead = circle(x + kRadius / 16.0);
      const double behind = circle(x - kRadius / 16.0);
      double in_the_air = 0.5;
      double carried = 0.3;
      for (int bisection = 0; bisection < 40; ++bisection) {
        wheel.height = 0.5 * (in_the_air + carried);
        (Felt(wheel).now().head<3>().norm() > 0.0 ? carried : in_the_air) = wheel.height;
      }
      // what a wave's peak rises above the lines between points 18 mm apart: 0.04 mm; the circles
      // are parabolas over R/8
      EXPECT_NEAR(wheel.height, 0.5 * (ahead + behind), 2e-4) << x;
      steepest = std::max(steepest, std::abs(ahead - behind) / (kRadius / 8.0));
    }
  // R (sqrt(1 + s^2) - 1) is felt in these places
  EXPECT_GT(kRadius * (std::hypot(1.0, steepest) - 1.0), 1.5e-3);
}

// Deflection is that of the centre (height z), the load acts at y = h tan(camber): -dQ/dz has
// k h tan in one corner only, and the geometry of the loaded point, which the tangent leaves out:
// -N tan there and -N h / cos^2 on the angle (closed form, differentiated by hand).
TEST(RoadTyre, TangentHoldsTheSymmetricPartOfTheDifferences) {
  for (const double camber : {0.0, 0.2}) {
    LeaningWheel wheel;
    wheel.camber = camber;
    Felt felt(wheel);
    const double N = kRate * (kRadius - kHeight);
    const double lever = kHeight * std::tan(camber);
    const double per_cosine = 1.0 / std::cos(camber);
    const Eigen::MatrixXd K = felt.tangent({0.0, 0.0, 1.0});
    const Eigen::MatrixXd by_difference = felt.stiffness();
    const Eigen::MatrixXd C = felt.tangent({0.0, 1.0, 0.0});
    const Eigen::MatrixXd rates = felt.damping();
    constexpr double kDifferences = 1e-7;  // sixth order, steps of 1e-4; N/m, N over 4.6e5
    EXPECT_NEAR(K(2, 2), kRate, kDifferences * kRate);
    EXPECT_NEAR(by_difference(2, 2), K(2, 2), kDifferences * kRate);
    EXPECT_NEAR(K(2, 3), 0.5 * kRate * lever, kDifferences * kRate);
    EXPECT_NEAR(by_difference(2, 3), K(2, 3) - 0.5 * N * std::tan(camber), kDifferences * kRate);
    EXPECT_NEAR(by_difference(3, 3), -N * kHeight * per_cosine * per_cosine, kDifferences * kRate);
    EXPECT_NEAR(K(3, 3), 0.25 * kRate * lever * lever, kDifferences * kRate);
    EXPECT_NEAR(C(2, 3), 0.5 * kDamping * lever, kDifferences * kDamping);
    EXPECT_NEAR(rates(2, 2), C(2, 2), kDifferences * kDamping);
    EXPECT_NEAR(rates(2, 3), C(2, 3), kDifferences * kDamping);
    EXPECT_GE(symmetric_eigenvalues(K).minCoeff(), -kDifferences * kRate);
  }
}

// Pressed in at v, the damping sets in over the first 0.5 % of the radius: by hand, with x the
// share of that depth, F = k d + c (3 x^2 - 2 x^3) v; what leaves is damped in full. The tangent
// has the slopes.
TEST(RoadTyre, DampingSetsInWithTheDepth) {
  constexpr double kDepth = 0.005 * kRadius;
  for (const ContactLaw law : {ContactLaw::vertical, ContactLaw::normal})
    for (const double down : {-0.4, 0.5, 3.0})
      for (const double x : {1e-6, 0.1, 0.5, 0.9, 1.0, 3.0}) {
        SCOPED_TRACE(::testing::Message() << down << " m/s at " << x);
        LeaningWheel wheel;
        wheel.contact = law;
        wheel.height = kRadius - x * kDepth;
        wheel.velocity = {0.0, 0.0, -down};
        Felt felt(wheel);
        const double in = down > 0.0 ? std::min(x, 1.0) : 1.0;
        const double share = in * in * (3.0 - 2.0 * in);
        const double load = kRate * x * kDepth + share * kDamping * down;
        EXPECT_NEAR(felt.now()[2], std::max(load, 0.0), kRounding * kRate);
        if (load <= 0.0) continue;
        const double stiffness = kRate + 6.0 * in * (1.0 - in) / kDepth * kDamping * down;
        constexpr double kDifferences = 1e-7;  // sixth order
        EXPECT_NEAR(felt.tangent({0.0, 0.0, 1.0})(2, 2), stiffness, kDifferences * kRate);
        EXPECT_NEAR(felt.tangent({0.0, 1.0, 0.0})(2, 2), share * kDamping, kDifferences * kDamping);
        const double h = 1e-7;  // m
        Eigen::VectorXd lower = felt.state.z;
        Eigen::VectorXd higher = felt.state.z;
        lower[2] -= h;
        higher[2] += h;
        // second differences of the cubic: 12 c v/depth^3 h^2/6 below 1e-4 of k; and rounding
        if (x > 0.05 && x != 1.0)
          EXPECT_NEAR(
              (felt.at(lower, felt.state.zd, {})[2] - felt.at(higher, felt.state.zd, {})[2]) /
                  (2.0 * h),
              stiffness, 1e-4 * kRate);
        static_cast<void>(felt.now());
        const ForcePower power =
            report_force(*felt.model.forces.front(), felt.model.tree, felt.ws.tree, nullptr);
        EXPECT_NEAR(power.dissipated, share * kDamping * down * down, kRounding * kRate);
      }
}

// A tyre that holds on both sides never touches down: it is a spring and a damper throughout.
TEST(RoadTyre, DampsAtOnceWhereItCannotLiftOff) {
  LeaningWheel wheel;
  wheel.unilateral = false;
  wheel.height = kRadius + 1e-3;
  wheel.velocity = {0.0, 0.0, -2.0};
  EXPECT_NEAR(Felt(wheel).now()[2], -kRate * 1e-3 + 2.0 * kDamping, kRounding * kRate);
}

// A wheel that falls on the road at v: between two steps its load grows by no more than its
// steepest slope, k + 1.5 c v/depth, times v h, whatever the step; it bounces and leaves in the
// same way. The load of a damper that acts at once would jump by c v.
TEST(RoadTyre, LoadIsContinuousInTimeWhereItTouchesDownAndLeaves) {
  constexpr double kDepth = 0.005 * kRadius;
  for (const double v : {0.3, 1.0, 3.0})
    for (const double h : {1e-4, 2e-5}) {
      SCOPED_TRACE(::testing::Message() << v << " m/s, steps of " << h << " s");
      LeaningWheel wheel;
      wheel.height = kRadius + 1e-3;
      wheel.velocity = {0.0, 0.0, -v};
      Felt felt(wheel);
      StepSettings settings;
      settings.h = h;
      // 50 kg fall on by gravity for a millimetre
      const double fastest = std::sqrt(v * v + 2.0 * 9.81 * 2e-3);
      const double most = (kRate + 1.5 * kDamping * fastest / kDepth) * fastest * h +
                          2.0 * kDamping * h * kRate * 0.1 / 50.0;
      double before = 0.0;
      double jump = 0.0;
      int touches = 0;
      for (double t = 0.0; t < 0.05; t += h) {
        ASSERT_EQ(step(felt.model, settings, felt.state, felt.ws).status, StepStatus::converged);
        evaluate_state(felt.model, felt.state, felt.ws);
        std::vector<double> values(9);
        static_cast<void>(
            report_force(*felt.model.forces.front(), felt.model.tree, felt.ws.tree, values.data()));
        const double load = values[5];
        EXPECT_GE(load, 0.0);
        if ((before == 0.0) != (load == 0.0)) ++touches;
        jump = std::max(jump, std::abs(load - before));
        before = load;
      }
      EXPECT_EQ(touches, 2);
      EXPECT_LE(jump, most);
    }
}

}  // namespace
}  // namespace semirec::test
