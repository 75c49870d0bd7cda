// What is said of an equilibrium at rest: states that it keeps, one that is left by itself, a
// mechanism that cannot move.

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "integrator/statics/equilibrium.hpp"
#include "integrator/statics/linearization.hpp"
#include "tests/support/text_drive.hpp"
#include "vehicles/session/immobility.hpp"
#include "vehicles/session/instability.hpp"
#include "vehicles/session/kept_states.hpp"
#include "vehicles/session/shared_reactions.hpp"

namespace semirec::test {
namespace {

/// A mass of 60 kg on a slide, on what the text says.
ShippedDrive rest_on(const std::string& spring) {
  ShippedDrive drive = start_text(
      "<mechanism name=\"m\" version=\"1\"><include file=\"templates/lagging_springs.xml\"/>"
      "<body name=\"mass\" mass=\"60\" com=\"0 0 0.1\" inertia=\"1 1 1\"/>"
      "<joint name=\"slide\" type=\"prismatic\" a=\"ground\" b=\"mass\" point=\"0 0 0.1\" "
      "axis=\"0 0 1\"/>" +
          spring + "</mechanism>",
      "step=\"0.001\"");
  EXPECT_TRUE(
      find_equilibrium(drive.drive.model, drive.drive.settings.step, drive.state, drive.ws).found);
  return drive;
}

// Expected: at rest the fluid presses no longer, z = -m g / k.
TEST(RestNotes, AHydromountRestsOnItsRubberAlone) {
  ShippedDrive drive = rest_on(
      "<use template=\"hydromount\"><with name=\"a\" value=\"ground\"/><with name=\"b\" "
      "value=\"mass\"/><with name=\"point_a\" value=\"0 0 0\"/><with name=\"point_b\" value=\"0 0 "
      "0.1\"/><with name=\"k\" value=\"200000\"/><with name=\"k_fluid\" value=\"300000\"/><with "
      "name=\"m_fluid\" value=\"30\"/><with name=\"c_fluid\" value=\"600\"/></use>");
  EXPECT_NEAR(drive.state.z[0], -60.0 * 9.81 / 200000.0, 1e-12);
  EXPECT_EQ(describe_kept_states(drive.drive.model, drive.state, drive.ws), "");
}

// A creeping spring whose state has an `initial` is kept there, and said; what the car does not
// feel is not.
TEST(RestNotes, AStateKeptAtItsInitialIsNamed) {
  const auto note_of = [](const std::string& initial) {
    ShippedDrive drive = rest_on(
        "<actuator name=\"rubber\" a=\"ground\" b=\"mass\" point_a=\"0 0 0\" point_b=\"0 0 0.1\" "
        "input=\"= 5e4*(rubber.length - 0.1) + 3e4*(rubber.length - 0.1 - crept)\"/>"
        "<state name=\"crept\" unit=\"m\" " +
        initial +
        " rate=\"= (rubber.length - 0.1 - crept)/0.5\"/>"
        "<state name=\"seen\" unit=\"m s\" initial=\"0\" rate=\"= rubber.length\"/>");
    return describe_kept_states(drive.drive.model, drive.state, drive.ws);
  };
  const std::string note = note_of("initial=\"0\"");
  EXPECT_NE(note.find("'crept'"), std::string::npos) << note;
  EXPECT_EQ(note.find("'seen'"), std::string::npos) << note;
  EXPECT_EQ(note_of(""), "");
}

// A rod that stands on end, held by a spring across its foot: the turning stiffness is k - m g l/2
// (closed form), and it leaves within sqrt(J / (m g l/2 - k)).
TEST(RestNotes, ARodThatStandsOnEndIsUnstableWithoutASpring) {
  const auto note_of = [](const std::string& spring) {
    ShippedDrive drive = start_text(
        "<mechanism name=\"m\" version=\"1\"><slender_rod name=\"rod\" mass=\"2\" from=\"0 0 0\" "
        "to=\"0 0 0.6\"/><joint name=\"pin\" type=\"revolute\" a=\"ground\" b=\"rod\" point=\"0 0 "
        "0\" axis=\"0 1 0\"/>" +
            spring + "</mechanism>",
        "step=\"0.001\"");
    EXPECT_TRUE(
        find_equilibrium(drive.drive.model, drive.drive.settings.step, drive.state, drive.ws)
            .found);
    return describe_instability(drive.drive.model, drive.state, drive.ws);
  };
  // m g l/2 = 5.886 N m/rad, J = m l^2/3 = 0.24 kg m^2
  const std::string note = note_of("");
  EXPECT_NE(note.find("grows by e in 0.202 s"), std::string::npos) << note;  // sqrt(0.24 / 5.886)
  const auto spring = [](const std::string& k) {
    return "<joint_force name=\"held\" joint=\"pin\" coordinate=\"angle\" stiffness=\"" + k +
           "\"/>";
  };
  EXPECT_NE(note_of(spring("5.7")).find("is unstable"), std::string::npos);
  EXPECT_EQ(note_of(spring("6.1")), "");
}

// Parallel hinges let a planar four-bar move; one that leans by 1e-6 rad does not.
TEST(RestNotes, AFourBarWithALeaningHingeCannotMove) {
  const auto note_of = [](const std::string& axis) {
    ShippedDrive drive = start_text(
        "<mechanism name=\"m\" version=\"1\"><slender_rod name=\"a\" mass=\"1\" from=\"0 0 0\" "
        "to=\"0 0 0.5\"/><slender_rod name=\"b\" mass=\"1\" from=\"0 0 0.5\" to=\"1 0 "
        "0.7\"/><slender_rod name=\"c\" mass=\"1\" from=\"1.2 0 0\" to=\"1 0 0.7\"/>"
        "<joint name=\"A\" type=\"revolute\" a=\"ground\" b=\"a\" point=\"0 0 0\" axis=\"0 1 0\"/>"
        "<joint name=\"B\" type=\"revolute\" a=\"a\" b=\"b\" point=\"0 0 0.5\" axis=\"0 1 0\"/>"
        "<joint name=\"D\" type=\"revolute\" a=\"ground\" b=\"c\" point=\"1.2 0 0\" axis=\"0 1 "
        "0\"/><joint name=\"C\" type=\"revolute\" a=\"b\" b=\"c\" point=\"1 0 0.7\" "
        "placement=\"cut\" "
        "axis=\"" +
            axis + "\"/></mechanism>",
        "step=\"0.001\"");
    return describe_immobility(drive.drive.model, drive.state, drive.ws);
  };
  EXPECT_EQ(note_of("0 1 0"), "");
  EXPECT_NE(note_of("0.000001 1 0").find("nothing can move"), std::string::npos);
}

// A slide that an input drives, free or held by a rod along it or across it; and two inputs for one
// motion, of which each is blocked by the other.
TEST(RestNotes, AnInputThatDrivesWhatIsHeldIsBlocked) {
  const auto notes_with = [](const std::string& more) {
    ShippedDrive drive = start_text(
        "<mechanism name=\"m\" version=\"1\"><input name=\"u\"/><input name=\"v\"/>"
        "<body name=\"a\" mass=\"1\" com=\"0 0 0\" inertia=\"1 1 1\"/>"
        "<joint name=\"j\" type=\"prismatic\" a=\"ground\" b=\"a\" point=\"0 0 0\" "
        "axis=\"1 0 0\"/><motion name=\"drive\" joint=\"j\" coordinate=\"displacement\" "
        "input=\"u\"/>" +
            more + "</mechanism>",
        "step=\"0.001\"");
    return find_blocked_inputs(drive.drive.model, drive.state, drive.ws);
  };
  const std::string rod = "<rod name=\"rod\" a=\"ground\" b=\"a\" point_b=\"0 0 0\" point_a=\"";
  EXPECT_TRUE(notes_with("").empty());
  EXPECT_TRUE(notes_with(rod + "0 1 0\"/>").empty());  // across: it gives way at first
  const std::vector<std::string> held = notes_with(rod + "-1 0 0\"/>");
  ASSERT_EQ(held.size(), 1U);
  EXPECT_EQ(held[0].rfind("input 'u' drives what cannot follow: '", 0), 0U) << held[0];
  EXPECT_EQ(notes_with(rod + "-1 0 0\" length_input=\"v\"/>").size(), 2U);
}

// Forces of a quarter car add up with dampers of any corner, and do not where the sign of a product
// of two speeds switches one: the middle of its two dampings is off by a share of the order of 1.
TEST(RestNotes, ASwitchedDamperHasNoLinearSystem) {
  const auto error_of = [](const std::string& damper) {
    ShippedDrive drive = start_text(
        "<mechanism name=\"quarter\" version=\"1\" gravity=\"0 0 0\">"
        "<body name=\"s\" mass=\"350\" com=\"0 0 1\" inertia=\"1 1 1\"/>"
        "<body name=\"u\" mass=\"40\" com=\"0 0 0.5\" inertia=\"1 1 1\"/>"
        "<joint name=\"js\" type=\"prismatic\" a=\"ground\" b=\"s\" point=\"0 0 1\" axis=\"0 0 "
        "1\"/>"
        "<joint name=\"ju\" type=\"prismatic\" a=\"s\" b=\"u\" point=\"0 0 0.5\" axis=\"0 0 1\"/>"
        "<spring name=\"k\" a=\"s\" b=\"u\" point_a=\"0 0 1\" point_b=\"0 0 0.5\"><stiffness "
        "k=\"25000\" free_length=\"0.5\"/></spring>"
        "<actuator name=\"d\" a=\"s\" b=\"u\" point_a=\"0 0 1\" point_b=\"0 0 0.5\" input=\"= " +
            damper + "\"/></mechanism>",
        "step=\"0.001\"");
    return linearize(drive.drive.model, drive.state, {}, drive.ws).not_additive;
  };
  EXPECT_LT(error_of("1000*k.rate"), 1e-6);
  EXPECT_LT(error_of("(k.rate &gt; 0 ? 2000 : 300)*k.rate"), 1e-6);
  EXPECT_GT(error_of("(s.vz*k.rate &gt; 0 ? 2000 : 300)*k.rate"), 0.1);
}

// A door on two hinges, a planar four-bar and a pendulum: the first two hold more than their
// motion needs (Gruebler: five and three rows too many), the pendulum's pin does not.
TEST(RestNotes, ReactionsOfParallelHingesAreSaidToBeShared) {
  const auto note_of = [](const std::string& inside, const std::vector<std::string>& names) {
    const ShippedDrive drive = start_text(
        "<mechanism name=\"m\" version=\"1\">" + inside + "</mechanism>", "step=\"0.001\"");
    return describe_shared_reactions(drive.drive.model.mechanism, names);
  };
  const std::string pendulum =
      "<slender_rod name=\"rod\" mass=\"1\" from=\"0 0 -2\" to=\"0 0 -3\"/><joint name=\"pin\" "
      "type=\"revolute\" a=\"ground\" b=\"rod\" point=\"0 0 -2\" axis=\"0 1 0\"/>";
  const std::string door =
      "<body name=\"door\" mass=\"10\" com=\"0.5 0 0\" inertia=\"1 1 1\"/>"
      "<joint name=\"upper\" type=\"revolute\" a=\"ground\" b=\"door\" point=\"0 0 1\" axis=\"0 0 "
      "1\"/><joint name=\"lower\" type=\"revolute\" a=\"ground\" b=\"door\" point=\"0 0 -1\" "
      "axis=\"0 0 1\"/>";
  EXPECT_EQ(note_of(pendulum, {"pin"}), "");
  // a hinge that an event attaches, asked for in the results or by an event
  const std::string loose = std::string(door).replace(door.rfind("/>"), 0, " attached=\"no\"");
  const auto later = [&](const std::string& asked, const std::string& watched) {
    ShippedDrive drive = start_text("<mechanism name=\"m\" version=\"1\">" + loose + "</mechanism>",
                                    "step=\"0.001\"", Formulation::hybrid, [&](Scenario& scenario) {
                                      ScenarioEvent event;
                                      event.name = "close";
                                      event.time = 0.1;
                                      event.actions.push_back({"lower", true, false, {}});
                                      scenario.events.push_back(event);
                                      if (!asked.empty()) scenario.reactions = {asked};
                                      if (watched.empty()) return;
                                      event.name = "open";
                                      event.time = -1.0;
                                      event.channel = watched;
                                      event.level = 50.0;
                                      event.actions.front().attach = false;
                                      scenario.events.push_back(event);
                                    });
    return describe_shared_reactions(drive.drive.model.mechanism, find_asked_reactions(drive.drive),
                                     find_later_attachments(drive.drive));
  };
  EXPECT_NE(later("upper", "").find("'upper'"), std::string::npos);
  EXPECT_NE(later("", "lower.Rz").find("'lower'"), std::string::npos);
  EXPECT_EQ(later("", ""), "");
  // one that takes the other's place never shares with it; two that come one after the other do
  const auto after = [&](bool replaces) {
    std::string both = loose;
    both.replace(both.find("axis=\"0 0 "), 0, replaces ? "attached=\"yes\" " : "attached=\"no\" ");
    both += "<joint name=\"fly\" type=\"free\" a=\"ground\" b=\"door\"/>";
    ShippedDrive drive = start_text("<mechanism name=\"m\" version=\"1\">" + both + "</mechanism>",
                                    "step=\"0.001\"", Formulation::hybrid, [&](Scenario& scenario) {
                                      ScenarioEvent event;
                                      event.name = "first";
                                      event.time = 0.1;
                                      event.actions.push_back({"upper", !replaces, false, {}});
                                      if (replaces)
                                        event.actions.push_back({"lower", true, false, {}});
                                      scenario.events.push_back(event);
                                      scenario.reactions = {"upper", "lower"};
                                      if (replaces) return;
                                      event.name = "second";
                                      event.time = 0.2;
                                      event.actions.front().closure = "lower";
                                      scenario.events.push_back(event);
                                    });
    return describe_shared_reactions(drive.drive.model.mechanism, find_asked_reactions(drive.drive),
                                     find_later_attachments(drive.drive));
  };
  EXPECT_EQ(after(true), "");
  EXPECT_NE(after(false).find("'upper', 'lower'"), std::string::npos);
  const std::string said = note_of(pendulum + door, {"pin", "lower", "upper"});
  EXPECT_NE(said.find(": 'lower', 'upper'"), std::string::npos) << said;
  EXPECT_EQ(note_of(pendulum + door, {"pin"}), "");
  EXPECT_EQ(note_of(pendulum + door, {}), "");
}

}  // namespace
}  // namespace semirec::test
