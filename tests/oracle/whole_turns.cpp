// Springs about an axis that go on beyond half a turn, against the closed form of a disc on a
// spring, and what a run says of laws that jump there.

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "integrator/batch/batch.hpp"
#include "integrator/simulation.hpp"
#include "tests/support/text_drive.hpp"

namespace semirec::test {
namespace {

// k/J = 100 1/s^2 and 50 rad/s at the start: the angle is 5 sin(10 t) rad
constexpr double kFrequency = 10.0;
constexpr double kAmplitude = 5.0;

std::string disc_with(const std::string& joints_and_springs) {
  return "<mechanism name=\"disc\" version=\"1\" gravity=\"0 0 0\">"
         "<body name=\"disc\" mass=\"2\" com=\"0 0 0\" inertia=\"0.2 0.2 0.1\"/>" +
         joints_and_springs + "</mechanism>";
}

/// Drives half a second, which holds both ends of the swing, and compares the spring's angle times
/// `sign`.
void expect_whole_swing(const std::string& text, double sign, Formulation formulation) {
  ShippedDrive disc = start_text(text, "step=\"0.0002\"", formulation);
  double largest = 0.0;
  double error = 0.0;
  for (int k = 1; k <= 20; ++k) {
    const double t = 0.025 * k;
    drive_to(disc, t);
    const double angle = sign * channel(disc, "spring.angle");
    largest = std::max(largest, std::abs(angle));
    error = std::max(error, std::abs(angle - kAmplitude * std::sin(kFrequency * t)));
  }
  EXPECT_GT(largest, 4.9);
  // (w h)^2/12 of the phase, 5 rad, is 1e-5; Euler parameters turn by 0.01 rad a step
  EXPECT_LT(error, 1e-3) << text;
}

class WholeTurns : public testing::TestWithParam<Formulation> {};

TEST_P(WholeTurns, AreCountedWhateverOrderAndAxisAreWritten) {
  for (const bool joint_back : {false, true})
    for (const bool spring_back : {false, true})
      for (const bool axis_back : {false, true}) {
        const std::string joint = joint_back ? R"(a="disc" b="ground" velocity="-50")"
                                             : R"(a="ground" b="disc" velocity="50")";
        const std::string spring =
            spring_back ? R"(a="disc" b="ground")" : R"(a="ground" b="disc")";
        expect_whole_swing(
            disc_with("<joint name=\"hinge\" type=\"revolute\" point=\"0 0 0\" axis=\"0 0 1\" " +
                      joint +
                      "/><rotational_spring name=\"spring\" point=\"0 0 0\" stiffness=\"10\" " +
                      spring + " axis=\"0 0 " + (axis_back ? "-1" : "1") + "\"/>"),
            spring_back == axis_back ? 1.0 : -1.0, GetParam());
      }
}

TEST_P(WholeTurns, AreCountedOverAShaftThatSpins) {
  // the shaft turns by -30 t, freely, the disc against it by what is left
  expect_whole_swing(disc_with(R"(<body name="shaft" mass="1" com="0 0 0" inertia="0.1 0.1 0.1"/>
  <joint name="bearing" type="cylindrical" a="ground" b="shaft" point="0 0 0" axis="0 0 1" velocity="0 -30"/>
  <joint name="hinge" type="revolute" a="shaft" b="disc" point="0 0 0" axis="0 0 1" velocity="80"/>
  <rotational_spring name="spring" a="ground" b="disc" point="0 0 0" axis="0 0 1" stiffness="10"/>)"),
                     1.0, GetParam());
}

INSTANTIATE_TEST_SUITE_P(In, WholeTurns, testing::ValuesIn(all_formulations()),
                         [](const auto& test) { return std::string(name_of(test.param)); });

TEST(WholeTurnsOfCars, AreCountedInEachLane) {
  // discs of other inertias, let go at 50 rad/s: (50/w) sin(w t), w^2 = k/J
  std::vector<ShippedDrive> discs;
  std::vector<double> frequencies;
  for (const double inertia : {0.1, 0.05, 0.2, 0.025, 0.1}) {
    std::string text = disc_with(
        R"(<joint name="hinge" type="revolute" a="disc" b="ground" point="0 0 0" axis="0 0 1" velocity="-50"/>
  <rotational_spring name="spring" a="ground" b="disc" point="0 0 0" axis="0 0 1" stiffness="10"/>)");
    const std::string written = "0.2 0.2 0.1";
    text.replace(text.find(written), written.size(), "0.2 0.2 " + std::to_string(inertia));
    discs.push_back(start_text(text, "step=\"0.0002\""));
    frequencies.push_back(std::sqrt(10.0 / inertia));
  }
  std::vector<const Model*> models;
  for (const ShippedDrive& disc : discs) models.push_back(&disc.drive.model);
  Batch batch(models, 4);
  for (std::size_t k = 0; k < discs.size(); ++k) batch.put(static_cast<int>(k), discs[k].state);
  StepSettings settings = discs[0].drive.settings.step;
  settings.iterations = 2;
  for (int part = 1; part <= 20; ++part) {
    batch.step(settings, 125);
    for (std::size_t k = 0; k < discs.size(); ++k) {
      batch.take(static_cast<int>(k), discs[k].state);
      const double w = frequencies[k];
      EXPECT_NEAR(channel(discs[k], "spring.angle"), 50.0 / w * std::sin(0.025 * w * part), 1e-3)
          << k << ' ' << part;
    }
  }
}

TEST(HalfTurns, AreSaidOfLawsThatKnowNoWholeTurns) {
  const std::string laws =
      R"(<joint name="ball" type="spherical" a="ground" b="disc" point="0 0 0" velocity="0 0 RATE"/>
  <rotational_spring name="spring" a="ground" b="disc" point="0 0 0" axis="0 0 1" stiffness="10"/>
  <bushing name="rubber" a="ground" b="disc" point="0 0 0" axis="0 0 1" stiffness="0 0 0 0 0 1e-9"/>
  <bushing name="straight" a="ground" b="disc" point="0 0 0" axis="0 0 1" stiffness="1 1 1 0 0 0"/>)";
  const auto run_at = [&](const char* rate) {
    std::string text = disc_with(laws);
    text.replace(text.find("RATE"), 4, rate);
    ShippedDrive disc = start_text(text, "step=\"0.0002\"");
    RunSettings settings = disc.drive.settings;
    settings.until = 0.1;
    return run(disc.drive.model, settings, disc.state, disc.ws);
  };
  // 3 sin(10 t) rad stays within half a turn
  EXPECT_TRUE(run_at("30").half_turns.empty());
  // 5 sin(10 t) passes pi at asin(pi/5)/10 = 0.06794 s
  const RunReport report = run_at("50");
  ASSERT_EQ(report.half_turns.size(), 2U);
  for (const HalfTurn& jump : report.half_turns) {
    EXPECT_NE(jump.element, "straight");
    EXPECT_NEAR(jump.t, 0.06794, 2e-4) << jump.element;
    EXPECT_GE(jump.times, 1);
  }
}

}  // namespace
}  // namespace semirec::test
