// A bushing whose stiffness relaxes, against closed forms: the motion after a step of load with
// every scheme and in every formulation, eigenvalues and dynamic stiffness along and about all
// axes. The closed forms are those of one axis at a time and share no code with the engine.

#include <cmath>
#include <complex>
#include <numbers>
#include <string>

#include <gtest/gtest.h>
#include <unsupported/Eigen/MatrixFunctions>

#include "integrator/statics/linearization.hpp"
#include "tests/support/methods.hpp"
#include "tests/support/text_drive.hpp"
#include "vehicles/analysis/kc/kc.hpp"
#include "vehicles/analysis/modes.hpp"
#include "vehicles/files/xml/reader.hpp"

namespace semirec::test {
namespace {

constexpr double kTime = 0.02;  // s

/// What holds a body along or about one axis.
struct Axis {
  double inertia, k, c, k_r;  // kg, N/m, N s/m, N/m or their like
};
constexpr Axis kAxes[] = {{2.0, 4000.0, 20.0, 3000.0}, {2.0, 6000.0, 10.0, 0.0},
                          {2.0, 9000.0, 15.0, 9000.0}, {0.02, 40.0, 0.1, 20.0},
                          {0.03, 60.0, 0.2, 90.0},     {0.04, 50.0, 0.3, 10.0}};
constexpr double kLoad[] = {3.0, -5.0, 8.0};  // N

std::string six(double Axis::*number) {
  std::string text;
  for (const Axis& axis : kAxes) text += std::to_string(axis.*number) + " ";
  return text;
}

/// A body on a bushing at its centre of mass, its axes those of the world, under constant forces
/// and gravity g (m/s^2) downwards.
std::string make_text(double g, bool loaded) {
  std::string text =
      "<mechanism name=\"rubber\" version=\"1\" gravity=\"0 0 " + std::to_string(-g) + R"(">
  <body name="mass" mass="2" com="0 0 0" inertia="0.02 0.03 0.04"/>
  <joint name="free" type="free" a="ground" b="mass"/>
  <input name="push"><constant value="0"/></input>
  <force name="pushed" body="mass" point="0 0 0" direction="0 0 1" input="push"/>
  <bushing name="rubber" a="ground" b="mass" point="0 0 0" axis="0 0 1" axis_x="1 0 0"
           stiffness=")" +
      six(&Axis::k) + R"(" damping=")" + six(&Axis::c) + R"(" relaxing_stiffness=")" +
      six(&Axis::k_r) + R"(" relaxation_time="0.02"/>)";
  const char* const directions[] = {"1 0 0", "0 1 0", "0 0 1"};
  for (int k = 0; k < 3 && loaded; ++k) {
    const std::string name = "load_" + std::to_string(k);
    text += "<input name=\"" + name + "\"><constant value=\"" + std::to_string(kLoad[k]) +
            "\"/></input><force name=\"" + name +
            "_force\" body=\"mass\" point=\"0 0 0\" direction=\"" + directions[k] + "\" input=\"" +
            name + "\"/>";
  }
  return text + "</mechanism>";
}

/// Rates of deflection, velocity and what crept.
Eigen::Matrix3d matrix_of(const Axis& axis) {
  Eigen::Matrix3d A;
  A << 0, 1, 0,  //
      -(axis.k + axis.k_r) / axis.inertia, -axis.c / axis.inertia, axis.k_r / axis.inertia,
      1 / kTime, 0, -1 / kTime;
  return A;
}

/// Deflection and force of the bushing along an axis at the time t after the load came up.
std::pair<double, double> exact(int k, double t) {
  const Axis& axis = kAxes[k];
  Eigen::Matrix4d A = Eigen::Matrix4d::Zero();
  A.topLeftCorner<3, 3>() = matrix_of(axis);
  A(1, 3) = kLoad[k] / axis.inertia;
  const Eigen::Vector4d at = (A * t).exp() * Eigen::Vector4d::UnitW();
  return {at[0], -axis.k * at[0] - axis.c * at[1] - axis.k_r * (at[0] - at[2])};
}

class RelaxingBushing : public testing::TestWithParam<Method> {};

TEST_P(RelaxingBushing, FollowsTheClosedFormWithTheOrderOfTheScheme) {
  constexpr double kUntil = 0.1;
  const auto error_of = [&](double h) {
    ShippedDrive body = start_text(make_text(0.0, true), "step=\"0.001\"", GetParam().formulation,
                                   [&](Scenario& s) {
                                     s.scheme = GetParam().scheme;
                                     s.closing = GetParam().closing;
                                     s.step = h;
                                   });
    drive_to(body, kUntil);
    double error = 0.0;
    for (int k = 0; k < 3; ++k) {
      const auto [d, f] = exact(k, kUntil);
      const std::string axis(1, "xyz"[k]);
      // both over the static deflection and its load
      error = std::max(
          {error, std::abs(channel(body, "rubber.d" + axis) - d) * kAxes[k].k / std::abs(kLoad[k]),
           std::abs(channel(body, "rubber.f" + axis) - f) / std::abs(kLoad[k])});
    }
    return error;
  };
  const double coarse = error_of(4e-4);
  const double fine = error_of(2e-4);
  const bool first = GetParam().accuracy == Accuracy::first_order;
  EXPECT_NEAR(std::log2(coarse / fine), first ? 1.0 : 2.0, 0.15) << coarse << ' ' << fine;
  // (w h)^2 of the fastest, 95 rad/s, at 0.2 ms is 4e-4
  EXPECT_LT(fine, first ? 0.1 : 4e-3);
}

INSTANTIATE_TEST_SUITE_P(All, RelaxingBushing, testing::ValuesIn(methods()),
                         [](const auto& test) { return test.param.name; });

TEST(RelaxingBushings, HaveTheEigenvaluesOfAllSixAxes) {
  Eigen::MatrixXd known = Eigen::MatrixXd::Zero(18, 18);
  for (int k = 0; k < 6; ++k) known.block<3, 3>(3 * k, 3 * k) = matrix_of(kAxes[k]);
  ShippedDrive body = start_text(make_text(0.0, false), "step=\"0.001\"");
  expect_eigenvalues(body, known);
}

TEST(RelaxingBushings, StiffenWithTheFrequency) {
  // expected: z over force, 1/(K - m w^2), K = k + i w c + k_r i w T/(1 + i w T)
  ShippedDrive body = start_text(make_text(0.0, false), "step=\"0.001\"");
  LinearizationSettings settings;
  settings.inputs = {0};
  settings.outputs = {"rubber.dz"};
  const LinearSystem system = linearize(body.drive.model, body.state, settings, body.ws);
  const Axis& axis = kAxes[2];
  for (const double w : {0.0, 1.0, 20.0, 50.0, 130.0, 1000.0}) {
    const std::complex<double> iw(0.0, w);
    const std::complex<double> K =
        axis.k + iw * axis.c + axis.k_r * iw * kTime / (1.0 + iw * kTime);
    const std::complex<double> expected = 1.0 / (K - axis.inertia * w * w);
    const Eigen::Index n = system.A.rows();
    const Eigen::MatrixXcd left =
        iw * Eigen::MatrixXcd::Identity(n, n) - system.A.cast<std::complex<double>>();
    const Eigen::VectorXcd x =
        left.partialPivLu().solve(system.B.col(0).cast<std::complex<double>>());
    const std::complex<double> found =
        (system.C.cast<std::complex<double>>() * x)[0] + system.D(0, 0);
    EXPECT_LT(std::abs(found - expected), 1e-6 * std::abs(expected)) << w;
  }
}

TEST(RelaxingBushings, CarryALastingLoadOnTheirStiffnessAlone) {
  // expected: m g / k, from equilibrium at once and for ever
  const double sag = -2.0 * 10.0 / kAxes[2].k;
  ShippedDrive body = start_text(make_text(10.0, false), "step=\"0.001\"", Formulation::hybrid,
                                 [](Scenario& s) { s.start = StartMode::equilibrium; });
  EXPECT_NEAR(channel(body, "rubber.dz"), sag, 1e-10);
  drive_to(body, 0.3);
  EXPECT_NEAR(channel(body, "rubber.dz"), sag, 1e-10);
}

Vehicle sedan_on_rubber(const char* dynamic) {
  return read_vehicle(SEMIREC_SOURCE_DIR "/vehicles/models/sedan.xml",
                      {parse_override("form.value=bushing"),
                       parse_override(std::string("dynamic.value=") + dynamic)});
}

TEST(RelaxingBushings, OfTheSedanDoNotShowOnTheSuspensionRig) {
  // expected: what the car with the lasting stiffness alone answers
  KcOptions options;
  options.tests = {"design", "compliance", "parallel", "longitudinal"};
  options.points = 5;
  const Answer expected = find_kinematics_and_compliance(sedan_on_rubber("1"), options);
  const Answer found = find_kinematics_and_compliance(sedan_on_rubber("2.5"), options);
  ASSERT_EQ(found.quantities.size(), expected.quantities.size());
  ASSERT_GT(found.quantities.size(), 20U);
  for (std::size_t k = 0; k < expected.quantities.size(); ++k)
    EXPECT_NEAR(found.quantities[k].value, expected.quantities[k].value,
                1e-7 * std::abs(expected.quantities[k].value) + 1e-10)
        << expected.quantities[k].name;
}

TEST(RelaxingBushings, OfTheSedanStiffenWhatIsFasterThanTheirTime) {
  // expected: fore and aft, which strains the hinges, rises, by no more than the root of the ratio
  const auto frequency = [](const char* dynamic, const std::string& name) {
    SteadyCar car(sedan_on_rubber(dynamic), {});
    for (const Mode& mode : find_modes(car, car.turn(20.0, 0.0), {}).modes)
      if (mode.name == name) return std::abs(mode.eigen.value) / (2.0 * std::numbers::pi);
    return 0.0;
  };
  for (const char* name :
       {"wheel fore and aft front, in phase", "wheel fore and aft rear, opposed"}) {
    const double ratio = frequency("2", name) / frequency("1", name);
    EXPECT_GT(ratio, 1.2) << name;
    EXPECT_LT(ratio, std::sqrt(2.0)) << name;
  }
}

}  // namespace
}  // namespace semirec::test
