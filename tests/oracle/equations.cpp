// Equations of a vehicle's file against closed forms: a mass held by a filtered PID law, Van der
// Pol's oscillator, and a spring as an equation beside the same spring as an element, with every
// scheme and every formulation. The closed forms share no code with the engine.

#include <cmath>
#include <string>

#include <Eigen/Core>
#include <gtest/gtest.h>

#include "tests/support/methods.hpp"
#include "tests/support/text_drive.hpp"

namespace semirec::test {
namespace {

constexpr double kMass = 2.0;
constexpr double kP = 300.0;
constexpr double kI = 150.0;
constexpr double kD = 12.0;
constexpr double kFilter = 0.05;  // s
constexpr double kGoal = 0.2;     // m
constexpr double kStart = 0.1;    // m

const char* const kPid = R"(<mechanism name="pid" version="1" gravity="0 0 0">
  <body name="mass" mass="2" com="0 0 0" inertia="1 1 1"/>
  <joint name="slide" type="prismatic" a="ground" b="mass" point="0 0 0" axis="0 0 1"
         position="0.1" hold="yes"/>
  <variable name="off" unit="m" value="= 0.2 - filtered"/>
  <state name="filtered" unit="m" initial="0.1" rate="= (slide.z - filtered)/0.05"/>
  <state name="integral" unit="m s" initial="0" rate="= off"/>
  <force name="actuator" body="mass" point="0 0 0" direction="0 0 1"
         input="= 300*off + 150*integral - 12*mass.vz"/>
</mechanism>)";

/// exp(A) by scaling, a series and squaring.
Eigen::MatrixXd exponential(Eigen::MatrixXd A) {
  int halvings = 0;
  while (A.norm() > 0.1) {
    A *= 0.5;
    ++halvings;
  }
  Eigen::MatrixXd sum = Eigen::MatrixXd::Identity(A.rows(), A.cols());
  Eigen::MatrixXd term = sum;
  for (int k = 1; k <= 14; ++k) {
    term = term * A / k;
    sum += term;
  }
  for (int k = 0; k < halvings; ++k) sum = sum * sum;
  return sum;
}

/// The PID law on the mass, over (z, v, filtered, sum, 1).
Eigen::MatrixXd pid_matrix() {
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(5, 5);
  A(0, 1) = 1.0;
  A.row(1) << 0.0, -kD / kMass, -kP / kMass, kI / kMass, kP * kGoal / kMass;
  A.row(2) << 1.0 / kFilter, 0.0, -1.0 / kFilter, 0.0, 0.0;
  A.row(3) << 0.0, 0.0, -1.0, 0.0, kGoal;
  return A;
}

Eigen::VectorXd pid_at(double t) {
  Eigen::VectorXd start(5);
  start << kStart, 0.0, kStart, 0.0, 1.0;
  return exponential(pid_matrix() * t) * start;
}

/// Largest error of z, v, filtered and sum at the time, each as large as it is.
double pid_error(const Method& method, double h, double until) {
  ShippedDrive car = start_text(kPid, "step=\"0.001\"", method.formulation, [&](Scenario& s) {
    s.scheme = method.scheme;
    s.closing = method.closing;
    s.step = h;
  });
  drive_to(car, until);
  const Eigen::VectorXd known = pid_at(until);
  double error = 0.0;
  const char* const names[] = {"mass.z", "slide.rate", "filtered.value", "integral.value"};
  for (int k = 0; k < 4; ++k) {
    const double value = k == 0 ? channel(car, "slide.z") : channel(car, names[k]);
    error = std::max(error, std::abs(value - known[k]));
  }
  return error;
}

class EquationSchemes : public testing::TestWithParam<Method> {};

TEST_P(EquationSchemes, KeepTheOrderOfTheScheme) {
  constexpr double kUntil = 0.6;
  const double coarse = pid_error(GetParam(), 2e-3, kUntil);
  const double fine = pid_error(GetParam(), 1e-3, kUntil);
  const double order = GetParam().accuracy == Accuracy::first_order ? 1.0 : 2.0;
  EXPECT_NEAR(std::log2(coarse / fine), order, 0.1) << coarse << ' ' << fine;
}

INSTANTIATE_TEST_SUITE_P(All, EquationSchemes, testing::ValuesIn(methods()),
                         [](const auto& test) { return test.param.name; });

class EquationFormulations : public testing::TestWithParam<Formulation> {};

TEST_P(EquationFormulations, AgreeWithTheSameSpringAsAnElement) {
  // a double pendulum under gravity whose second joint holds a spring and a damper
  // expected: the element's own motion
  const auto end_of = [&](const std::string& force) {
    ShippedDrive car = start_text(R"(<mechanism name="two" version="1">
  <body name="one" mass="2" com="0.5 0 0" inertia="0.1 0.2 0.2"/>
  <body name="other" mass="1" com="1.5 0 0" inertia="0.1 0.1 0.2"/>
  <joint name="first" type="revolute" a="ground" b="one" point="0 0 0" axis="0 1 0"
         position="0" hold="yes"/>
  <joint name="second" type="revolute" a="one" b="other" point="1 0 0" axis="0 1 0"
         position="0.3" hold="yes"/>
  <spring name="to_ground" a="ground" b="other" point_a="0 0 1" point_b="1.8 0 0">)" +
                                      force + "</mechanism>",
                                  "step=\"0.001\" tolerance=\"1e-13\"", GetParam());
    drive_to(car, 0.3);
    return std::pair(channel(car, "other_z.value"), channel(car, "angle.value"));
  };
  const std::string watched = R"(<variable name="other_z" value="= other.z"/>
    <variable name="angle" value="= first.z"/>)";
  const auto element = end_of(R"(<stiffness k="40" free_length="2"/><damping c="3"/></spring>
    <joint_force name="hinge" joint="second" coordinate="0" stiffness="5" damping="0.4"/>)" +
                              watched);
  const auto written = end_of(R"(<stiffness k="0" preload="0"/></spring>
    <actuator name="pull" a="ground" b="other" point_a="0 0 1" point_b="1.8 0 0"
              input="= 40*(pull.length - 2) + 3*pull.rate"/>
    <joint_force name="hinge" joint="second" coordinate="0"
                 input="= -5*second.z - 0.4*second.rate"/>)" +
                              watched);
  EXPECT_NEAR(written.first, element.first, 1e-12);
  EXPECT_NEAR(written.second, element.second, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(All, EquationFormulations, testing::ValuesIn(all_formulations()),
                         [](const auto& test) { return std::string(name_of(test.param)); });

TEST(EquationStates, OfVanDerPolMeetARungeKuttaIntegrator) {
  // x'' = mu (1 - x^2) x' - x, mu = 5, to t = 12; expected: classic Runge-Kutta with 1e-4 s
  double x = 2.0;
  double y = 0.0;
  const auto rate = [](double a, double b) { return 5.0 * (1.0 - a * a) * b - a; };
  constexpr double kStep = 1e-4;
  for (int k = 0; k < 120000; ++k) {
    const double k1 = y, l1 = rate(x, y);
    const double k2 = y + 0.5 * kStep * l1, l2 = rate(x + 0.5 * kStep * k1, y + 0.5 * kStep * l1);
    const double k3 = y + 0.5 * kStep * l2, l3 = rate(x + 0.5 * kStep * k2, y + 0.5 * kStep * l2);
    const double k4 = y + kStep * l3, l4 = rate(x + kStep * k3, y + kStep * l3);
    x += kStep / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
    y += kStep / 6.0 * (l1 + 2.0 * l2 + 2.0 * l3 + l4);
  }
  const auto error_of = [&](const std::string& h) {
    ShippedDrive car = start_text(R"(<mechanism name="vdp" version="1" gravity="0 0 0">
  <body name="mass" mass="1" com="0 0 0" inertia="1 1 1"/>
  <joint name="slide" type="prismatic" a="ground" b="mass" point="0 0 0" axis="0 0 1"/>
  <state name="x" initial="2" rate="= y"/>
  <state name="y" initial="0" rate="= 5*(1 - x^2)*y - x"/>
</mechanism>)",
                                  "step=\"" + h + "\"");
    drive_to(car, 12.0);
    return std::abs(channel(car, "x.value") - x) + std::abs(channel(car, "y.value") - y);
  };
  const double coarse = error_of("0.002");
  const double fine = error_of("0.001");
  EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.1);
  EXPECT_LT(fine, 1e-3);
}

TEST(EquationStates, OfAnIntegralAreFoundInEquilibrium) {
  // expected: at the goal, where the integral alone carries the weight
  std::string text = kPid;
  for (const char* start : {" initial=\"0.1\"", " initial=\"0\""})
    text.replace(text.find(start), std::string(start).size(), "");
  text.replace(text.find("gravity=\"0 0 0\""), 15, "gravity=\"0 0 -10\"");
  text.replace(text.find(" hold=\"yes\""), 11, "");
  ShippedDrive car = start_text(text, "step=\"0.001\"", Formulation::hybrid,
                                [](Scenario& s) { s.start = StartMode::equilibrium; });
  EXPECT_NEAR(channel(car, "slide.z"), kGoal, 1e-8);
  EXPECT_NEAR(channel(car, "filtered.value"), kGoal, 1e-8);
  EXPECT_NEAR(channel(car, "integral.value"), kMass * 10.0 / kI, 1e-8);
  drive_to(car, 0.5);
  EXPECT_NEAR(channel(car, "slide.z"), kGoal, 1e-8);
}

TEST(FormulasOfTime, MoveAJointWithTheirExactRates) {
  // z = 0.1 e^(-t/2) sin(pi t), by a motion and by an input; expected: z, z' and z'' by hand
  // the projection of accelerations leaves a billionth of what the scheme's differ by, below 1
  constexpr double kProjected = 1e-9;  // m/s^2
  const std::string law = "= 0.1*exp(-time/2)*sin(_pi*time)";
  for (const std::string& motion :
       {"<motion name=\"drive\" joint=\"slide\" coordinate=\"0\" input=\"" + law + "\"/>",
        "<input name=\"way\" value=\"" + law +
            "\"/><motion name=\"drive\" joint=\"slide\" coordinate=\"0\" input=\"way\"/>"}) {
    ShippedDrive car = start_text(R"(<mechanism name="driven" version="1" gravity="0 0 0">
  <body name="mass" mass="2" com="0 0 0" inertia="1 1 1"/>
  <joint name="slide" type="prismatic" a="ground" b="mass" point="0 0 0" axis="0 0 1"/>)" +
                                      motion + "</mechanism>",
                                  "step=\"0.001\"");
    for (const double until : {0.0, 0.1, 0.35, 0.9}) {
      drive_to(car, until);
      const double t = car.state.t;
      constexpr double w = M_PI;
      const double size = 0.1 * std::exp(-0.5 * t);
      const double sine = std::sin(w * t);
      const double cosine = std::cos(w * t);
      EXPECT_NEAR(car.state.z[0], size * sine, 1e-12) << t;
      EXPECT_NEAR(car.state.zd[0], size * (w * cosine - 0.5 * sine), 1e-11) << t;
      EXPECT_NEAR(car.state.zdd[0], size * ((0.25 - w * w) * sine - w * cosine), kProjected) << t;
    }
  }
}

TEST(FormulasOfTime, LengthenARodAsTheSameSineDoes) {
  // expected: the drive by <sine>, to the round-off of the two ways to write it
  const auto end_of = [](const std::string& input) {
    ShippedDrive car = start_text(R"(<mechanism name="crane" version="1">
  <body name="arm" mass="2" com="0.5 0 0" inertia="0.1 0.2 0.2"/>
  <joint name="hinge" type="revolute" a="ground" b="arm" point="0 0 0" axis="0 1 0"/>
  <input name="way"><sine amplitude="0.05" omega="8"/></input>
  <rod name="cylinder" a="ground" b="arm" point_a="0 0 -1" point_b="0.8 0 0" length_input=")" +
                                      input + R"("/></mechanism>)",
                                  "step=\"0.001\"");
    drive_to(car, 0.5);
    return car.state.z[0];
  };
  EXPECT_NEAR(end_of("= 0.05*sin(8*time)"), end_of("way"), 1e-13);
}

TEST(EquationStates, AreSeenByTheLinearization) {
  // expected: the eigenvalues of the PID law's own matrix
  ShippedDrive car = start_text(kPid, "step=\"0.001\"");
  // at rest at the goal, where all forces are in balance
  car.state.z[0] = kGoal;
  car.state.zd[0] = 0.0;
  car.state.x << kGoal, 0.0;
  expect_eigenvalues(car, pid_matrix().topLeftCorner(4, 4));
}

/// A mass of 80 kg on a vertical slide, on a spring of a template, standing on it by its weight.
ShippedDrive start_on_spring(const std::string& kind, const std::string& with) {
  return start_text(R"(<mechanism name="on_spring" version="1" gravity="0 0 -10">
  <include file="templates/lagging_springs.xml"/>
  <body name="mass" mass="80" com="0 0 0.3" inertia="1 1 1"/>
  <joint name="slide" type="prismatic" a="ground" b="mass" point="0 0 0.3" axis="0 0 1"/>
  <use template=")" + kind +
                        R"(">
    <with name="a" value="ground"/><with name="b" value="mass"/>
    <with name="point_a" value="0 0 0"/><with name="point_b" value="0 0 0.3"/>
    <with name="preload" value="800"/>)" +
                        with + "</use></mechanism>",
                    "step=\"0.001\"");
}

std::string with(const std::string& name, const std::string& value) {
  return "<with name=\"" + name + "\" value=\"" + value + "\"/>";
}

TEST(LaggingSprings, RelaxAsTheirFormula) {
  // over (z, v, crept); expected: 80 v' = -(k + k_fast) z + k_fast crept, T crept' = z - crept
  ShippedDrive car = start_on_spring(
      "relaxing_spring", with("k", "20000") + with("k_fast", "30000") + with("time", "0.02"));
  Eigen::Matrix3d A;
  A << 0, 1, 0, -50000.0 / 80, 0, 30000.0 / 80, 50, 0, -50;
  expect_eigenvalues(car, A);
}

TEST(LaggingSprings, MoveTheirFluidAsTheirFormula) {
  // over (z, v, fluid, fluid_speed); expected: the two masses and their springs by hand
  ShippedDrive car = start_on_spring(
      "hydromount", with("k", "200000") + with("c", "300") + with("k_fluid", "150000") +
                        with("m_fluid", "60") + with("c_fluid", "900"));
  Eigen::Matrix4d A;
  A << 0, 1, 0, 0,                                    //
      -350000.0 / 80, -300.0 / 80, 150000.0 / 80, 0,  //
      0, 0, 0, 1,                                     //
      150000.0 / 60, 0, -150000.0 / 60, -900.0 / 60;
  expect_eigenvalues(car, A);
}

TEST(LaggingSprings, PressTheirAirAsTheGasLaw) {
  // expected: p = p_0 (m / V)^n linearized by hand over (z, v, gone); p_0 = 101325 + 800 / 0.008
  ShippedDrive car = start_on_spring(
      "air_spring", with("volume", "0.002") + with("extra_volume", "0.001") + with("time", "0.04"));
  const double p = 101325.0 + 800.0 / 0.008;
  const double fast = 1.4 * p * 0.008 * 0.008 / 0.002;
  Eigen::Matrix3d A;
  // gone' = (-gone - A z / V - gone V / V_extra) / ((1 + V / V_extra) T)
  A << 0, 1, 0, -fast / 80, 0, -1.4 * p * 0.008 / 80, -4.0 / (3.0 * 0.04), 0, -1.0 / 0.04;
  expect_eigenvalues(car, A);
}

}  // namespace
}  // namespace semirec::test
