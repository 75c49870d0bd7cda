// Closures that hold nothing new: their rows are zeros but for round-off, and all that such a loop
// has. Expected is the same mechanism without them.

#include <cmath>
#include <sstream>

#include <gtest/gtest.h>

#include "integrator/scheme/schemes.hpp"
#include "integrator/simulation.hpp"
#include "integrator/statics/initial_conditions.hpp"
#include "tests/support/random_mechanism.hpp"
#include "tests/support/text_drive.hpp"

namespace semirec::test {
namespace {

std::string words_of(const Eigen::Vector3d& v) {
  std::ostringstream text;
  text.precision(17);
  text << v.x() << " " << v.y() << " " << v.z();
  return text.str();
}

/// A door on a hinge of any direction, or on two of one axis; the frame swings, or is the ground.
struct Door {
  Eigen::Vector3d axis, point, com;
  bool swings;

  explicit Door(Random& random)
      : axis(random.unit()),
        point(random.vector(1.0)),
        com(point + random.vector(0.5)),
        swings(random.index(2) == 1) {}
  std::string text(const char* second) const {
    const char* frame = swings ? "frame" : "ground";
    std::string xml = "<mechanism name=\"door\" version=\"1\">";
    if (swings)
      xml += R"(<body name="frame" mass="50" com="0 0 0" inertia="5 5 5"/>
                <joint name="swing" type="revolute" a="ground" b="frame" point="0 0 1" axis="0 1 0"/>)";
    xml += "<body name=\"door\" mass=\"20\" com=\"" + words_of(com) +
           "\" inertia=\"1 2 2.5\"/><joint name=\"h1\" type=\"revolute\" a=\"" + frame +
           "\" b=\"door\" point=\"" + words_of(point) + "\" axis=\"" + words_of(axis) +
           "\" velocity=\"1\"/>";
    if (*second != '\0')
      xml += std::string("<joint name=\"h2\" type=\"") + second + "\" a=\"" + frame +
             "\" b=\"door\" point=\"" + words_of(point + 0.7 * axis) +
             (second == std::string("spherical") ? "" : "\" axis=\"" + words_of(axis)) +
             "\" placement=\"cut\"/>";
    return xml + "</mechanism>";
  }
};

/// Runs to 0.5 s; the angle of the first hinge.
double swing(const std::string& text, Formulation formulation, const char* scheme,
             Closing closing) {
  ShippedDrive drive = start_text(text, "step=\"0.01\"", formulation, [&](Scenario& scenario) {
    scenario.until = 0.5;
    scenario.scheme = choose_scheme(scheme, {});
    scenario.closing = closing;
  });
  const RunReport report = run(drive.drive.model, drive.drive.settings, drive.state, drive.ws, {});
  EXPECT_EQ(report.status, RunStatus::finished) << report.message;
  return channel(drive, "h1.z");
}

class RowsOfZeros : public testing::TestWithParam<Formulation> {};
INSTANTIATE_TEST_SUITE_P(AllFormulations, RowsOfZeros, testing::ValuesIn(all_formulations()),
                         [](const auto& test) { return std::string(name_of(test.param)); });

TEST_P(RowsOfZeros, ASecondHingeOnTheAxisOfTheFirstChangesNothing) {
  Random random(5);
  for (int k = 0; k < 8; ++k) {
    const Door door(random);
    const double alone = swing(door.text(""), GetParam(), "trapezoid", Closing::penalty);
    for (const char* second : {"revolute", "spherical", "cylindrical"})
      EXPECT_NEAR(swing(door.text(second), GetParam(), "trapezoid", Closing::penalty), alone, 1e-6)
          << k << ", " << second;
  }
}

TEST(RowsOfZerosOfOne, ASecondHingeChangesNothingHoweverLoopsAreClosed) {
  Random random(6);
  for (int k = 0; k < 8; ++k) {
    const Door door(random);
    for (const auto& [scheme, closing] : {std::pair("trapezoid", Closing::multipliers),
                                          {"linearly_implicit_euler", Closing::multipliers},
                                          {"linearly_implicit_euler", Closing::independent}}) {
      const double alone = swing(door.text(""), Formulation::hybrid, scheme,
                                 scheme == std::string("trapezoid") ? Closing::penalty : closing);
      EXPECT_NEAR(swing(door.text("revolute"), Formulation::hybrid, scheme, closing), alone, 1e-6)
          << k << ", " << scheme;
    }
  }
}

TEST(RowsOfZerosOfOne, AreNoneOfTheClosuresRank) {
  Random random(7);
  for (int k = 0; k < 8; ++k) {
    const Door door(random);
    ShippedDrive drive = start_text(door.text("revolute"), "step=\"0.01\"");
    const ClosureRank rank = find_closure_rank(drive.drive.model, drive.state, drive.ws);
    EXPECT_GT(rank.rows, 0);
    EXPECT_EQ(rank.rank, 0);
  }
}

// Two bars on ball joints; while they swing a weld grasps them where the second joint holds them
// already, so that three of its rows are zeros.
TEST(RowsOfZerosOfOne, AWeldOnTheJointsOwnPointHoldsTheRestAlone) {
  const std::string bars = R"(<mechanism name="bars" version="1">
    <body name="upper" mass="1.3" com="0.5 0 0" inertia="0.02 0.1 0.1"/>
    <body name="lower" mass="0.7" com="1.4 0 0" inertia="0.01 0.05 0.05"/>
    <joint name="a" type="spherical" a="ground" b="upper" point="0 0 0" velocity="0.3 0.5 1"/>
    <joint name="b" type="spherical" a="upper" b="lower" point="1 0 0" velocity="1 -2 0.4"/>
    <joint name="w" type="fixed" a="upper" b="lower" point="1 0 0" attached="no"/>
    <marker name="tip" body="lower" point="1.8 0 0"/></mechanism>)";
  const auto tip = [&](double time, Formulation formulation, Closing closing) {
    ShippedDrive drive = start_text(bars, "step=\"0.005\"", formulation, [&](Scenario& scenario) {
      scenario.closing = closing;
      scenario.markers = {"tip"};
    });
    Event event;
    event.name = "grasp";
    event.time = time;
    event.actions = {{find_switch(drive.drive.model, "w"), true, true}};
    drive.drive.settings.events = {event};
    const RunReport report =
        run(drive.drive.model, drive.drive.settings, drive.state, drive.ws, {});
    EXPECT_EQ(report.status, RunStatus::finished) << report.message;
    EXPECT_FALSE(is_balance_broken(report)) << time;
    return channel(drive, "tip.z");
  };
  Random random(8);
  for (int k = 0; k < 10; ++k) {
    const double time = random.number(0.05, 0.9);
    for (const Formulation formulation : {Formulation::hybrid, Formulation::global})
      EXPECT_NEAR(tip(time, formulation, Closing::multipliers),
                  tip(time, formulation, Closing::penalty), 1e-4)
          << time << ", " << name_of(formulation);
  }
}

}  // namespace
}  // namespace semirec::test
