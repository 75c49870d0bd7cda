// Equations of a vehicle's file: what is sampled, held, decided and delayed, names and circles, the
// tangent they give, memory, and what of them other parts of the engine may touch.

#include <cmath>
#include <limits>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "integrator/simulation.hpp"
#include "integrator/step.hpp"
#include "tests/support/heap_guard.hpp"
#include "tests/support/text_drive.hpp"
#include "vehicles/equations/equation_notes.hpp"
#include "vehicles/equations/small_lu.hpp"
#include "vehicles/files/xml/reader.hpp"
#include "vehicles/session/session.hpp"

namespace semirec::test {
namespace {

/// A mass of 2 kg on a slide along z, and more elements beside it.
std::string slider(const std::string& more) {
  return R"(<mechanism name="slider" version="1" gravity="0 0 0">
  <body name="mass" mass="2" com="0 0 0" inertia="1 1 1"/>
  <joint name="slide" type="prismatic" a="ground" b="mass" point="0 0 0" axis="0 0 1"
         position="0.1" hold="yes"/>
)" + more +
         "</mechanism>";
}

std::string complaint(const std::string& more) {
  try {
    start_text(slider(more), "step=\"0.001\"");
  } catch (const ModelError& error) {
    return error.what();
  }
  return "none";
}

TEST(Equations, AreReadAsTheyStand) {
  // expected: the formulas by hand at z = 0.1
  ShippedDrive car = start_text(slider(R"(
    <parameter name="k" value="-3"/>
    <variable name="b" unit="m" value="= 2*a + {k}"/>
    <variable name="a" unit="m" value="= slide.z + 1"/>
    <variable name="both" value="= a &gt; 1 &amp;&amp; b &lt; 0 ? mass.z : 7"/>)"),
                                "step=\"0.001\"");
  EXPECT_DOUBLE_EQ(channel(car, "a.value"), 1.1);
  EXPECT_DOUBLE_EQ(channel(car, "b.value"), 2.0 * 1.1 - 3.0);
  EXPECT_DOUBLE_EQ(channel(car, "both.value"), 0.1);
}

TEST(Equations, CallTables) {
  // expected: lines between points by hand; at the points of a grid its values, half-way the mean
  ShippedDrive car = start_text(slider(R"(
    <table name="line"><point x="0" f="1"/><point x="0.2" f="5"/></table>
    <table name="plane"><point x="0" y="0" f="0"/><point x="0" y="1" f="1"/>
      <point x="1" y="1" f="11"/><point x="1" y="0" f="10"/></table>
    <variable name="a" value="= line(slide.z) "/>
    <variable name="b" value="= plane(0.5, 5*slide.z) "/>)"),
                                "step=\"0.001\"");
  EXPECT_DOUBLE_EQ(channel(car, "a.value"), 3.0);
  EXPECT_DOUBLE_EQ(channel(car, "b.value"), 5.5);
}

TEST(Equations, OfATemplateGoByItsNames) {
  // expected: each copy reads its own slide, 0.1 and 0.4
  ShippedDrive car = start_text(R"(<mechanism name="two" version="1" gravity="0 0 0">
  <template name="corner">
    <argument name="at"/>
    <body name="mass" mass="2" com="0 0 0" inertia="1 1 1"/>
    <joint name="slide" type="prismatic" a="ground" b="mass" point="0 0 0" axis="0 0 1"
           position="{at}" hold="yes"/>
    <variable name="twice" value="= {at}*0 + 2*slide.z + twice_outside*0"/>
  </template>
  <variable name="twice_outside" value="= 1"/>
  <use template="corner" name="l"><with name="at" value="0.1"/></use>
  <use template="corner" name="r"><with name="at" value="0.4"/></use>
  </mechanism>)",
                                "step=\"0.001\"");
  EXPECT_DOUBLE_EQ(channel(car, "twice_l.value"), 0.2);
  EXPECT_DOUBLE_EQ(channel(car, "twice_r.value"), 0.8);
}

TEST(Equations, OfMotionAreTheChannelsOfTheRecorder) {
  // a body that tumbles; expected: what the recorder computes by itself
  std::string text = R"(<vehicle name="tumbling" version="1">
  <body name="top" mass="2" com="0.1 0.2 0.3" inertia="1 2 2.5" chassis="yes"/>
  <joint name="free" type="free" a="ground" b="top" velocity="1 2 3 1 -2 1.5"/>)";
  const std::vector<std::string> words{"x",    "y",     "z",   "vx", "vy", "vz",
                                       "roll", "pitch", "yaw", "wx", "wy", "wz"};
  for (const std::string& word : words)
    text += "<variable name=\"own_" + word + "\" value=\"= chassis." + word + "\"/>";
  ShippedDrive car = start_text(text + "</vehicle>", "step=\"0.001\"");
  drive_to(car, 0.7);
  for (const std::string& word : words)
    EXPECT_NEAR(channel(car, "own_" + word + ".value"), channel(car, "chassis." + word), 1e-13)
        << word;
}

TEST(Equations, HoldWhatTheySampleAtEqualIntervals) {
  // expected: time at the last multiple of 1/100 s, which ends steps of 1 ms
  ShippedDrive car =
      start_text(slider(R"(<hold name="last" of="= time" rate="100"/>)"), "step=\"0.001\"");
  for (int k = 1; k <= 57; ++k) {
    drive_to(car, 0.001 * k);
    EXPECT_NEAR(channel(car, "last.value"), 0.01 * (k / 10), 1e-12) << k;
  }
}

TEST(Equations, DecideWithHysteresis) {
  // the mass swings between -0.1 and 0.1; expected: the decision by the rule, step by step
  ShippedDrive car = start_text(slider(R"(
    <joint_force name="pull" joint="slide" coordinate="0" stiffness="800"/>
    <logic name="up" on="= slide.z &gt; 0.05" off="= slide.z &lt; -0.05"/>)"),
                                "step=\"0.001\"");
  bool up = true;  // 0.1 at the start
  int changes = 0;
  for (int k = 0; k <= 1000; ++k) {
    EXPECT_EQ(channel(car, "up.value"), up ? 1.0 : 0.0) << k;
    drive_to(car, 0.001 * (k + 1));
    const double z = channel(car, "slide.z");
    const bool next = up ? !(z < -0.05) : z > 0.05;
    changes += next != up ? 1 : 0;
    up = next;
  }
  EXPECT_GE(changes, 5);
}

TEST(Equations, DelayByLinesBetweenSamples) {
  // expected: a line in time comes out as itself, the sine within the error of lines between 0.4 ms
  ShippedDrive car = start_text(slider(
                                    R"(
    <delay name="line" of="= 3*time" time="0.02" samples="50"/>
    <delay name="wave" of="= sin(20*time) " time="0.02" samples="50" initial="0"/>)"),
                                "step=\"0.001\"");
  constexpr double kBetween = 20.0 * 20.0 * 1e-3 * 1e-3 / 8.0;  // f'' h^2 / 8, of the steps
  for (int k = 1; k <= 200; ++k) {
    const double t = 0.001 * k;
    drive_to(car, t);
    const double ago = std::max(0.0, t - 0.02);
    EXPECT_NEAR(channel(car, "line.value"), 3.0 * ago, 1e-12) << k;
    EXPECT_NEAR(channel(car, "wave.value"), std::sin(20.0 * ago), 2.0 * kBetween) << k;
  }
}

TEST(Equations, OfASpringConvergeAsASpring) {
  // a spring of 1e8 N/m at 1 ms: without its slope Newton's iterations diverge
  // expected: as many iterations as the same spring as an element
  const auto iterations = [](const std::string& force) {
    ShippedDrive car = start_text(slider(force), "step=\"0.001\"");
    int count = 0;
    for (int k = 0; k < 50; ++k) {
      const StepReport report = step(car.drive.model, car.drive.settings.step, car.state, car.ws);
      EXPECT_EQ(report.status, StepStatus::converged);
      count += report.iterations;
    }
    return count;
  };
  const std::string own =
      R"(<joint_force name="f" joint="slide" coordinate="0" stiffness="1e8" damping="1e3"/>)";
  EXPECT_EQ(iterations(R"(<joint_force name="f" joint="slide" coordinate="0"
                           input="= -1e8*slide.z - 1e3*slide.rate"/>)"),
            iterations(own));
  EXPECT_EQ(iterations(R"(<force name="f" body="mass" point="0 0 0" direction="0 0 1"
                           input="= -1e8*mass.z - 1e3*mass.vz"/>)"),
            iterations(own));
  // its length counts from 1 m and has fewer digits: an iteration more here and there
  EXPECT_NEAR(iterations(R"(<actuator name="f" a="ground" b="mass" point_a="0 0 -1" point_b="0 0 0"
                             input="= 1e8*(f.length - 1) + 1e3*f.rate"/>)"),
              iterations(own), 2);
}

TEST(Equations, TakeOtherChannelsFromTheEndOfTheLastStep) {
  // expected: at the end of a step what the channels themselves are there, accelerations included
  ShippedDrive car = start_text(slider(R"(
    <joint_force name="pull" joint="slide" coordinate="0" stiffness="800" damping="3"/>
    <sensor name="probe" body="mass" point="0 0 0.1"/>
    <variable name="force" value="= 2*pull.force"/>
    <variable name="felt" value="= probe.az_body + 0*force"/>)"),
                                "step=\"0.001\"");
  for (int k = 1; k <= 100; ++k) {
    drive_to(car, 0.001 * k);
    ASSERT_DOUBLE_EQ(channel(car, "force.value"), 2.0 * channel(car, "pull.force")) << k;
    ASSERT_NEAR(channel(car, "felt.value"), channel(car, "probe.az_body"), 1e-12) << k;
  }
}

TEST(Equations, OfWhatIsOddAreNamed) {
  const auto lines = [](const std::string& more) {
    std::string all;
    for (const std::string& line :
         find_doubtful_equations(read_vehicle_text(slider(more), "a.xml").equations))
      all += line + "\n";
    return all;
  };
  EXPECT_EQ(lines(R"(<variable name="used" value="= slide.z"/>
    <joint_force name="pull" joint="slide" coordinate="0" input="= -used"/>)"),
            "");
  EXPECT_EQ(lines(R"(<variable name="alone" value="= slide.z"/>)"),
            "variable 'alone' is read by no element and no other equation: it is in the results "
            "alone\n");
  EXPECT_EQ(lines(R"(<variable name="two" value="= 1 + 1"/>
    <joint_force name="pull" joint="slide" coordinate="0" input="two"/>)"),
            "variable 'two' never changes: nothing that it needs does\n");
  EXPECT_EQ(lines(R"(<logic name="stuck" on="= 1 &gt; 2" off="= slide.z &gt; 0"/>
    <joint_force name="pull" joint="slide" coordinate="0" input="stuck"/>)"),
            "logic 'stuck' has an `on` that never changes\n");
}

TEST(Equations, ThatAreNotFiniteEndARunByName) {
  EXPECT_NE(complaint(R"(<variable name="bad" value="= 1/(slide.z - 0.1) "/>)")
                .find("element 'bad': is inf at the start, expected a finite number"),
            std::string::npos);
  // the root ends where z passes zero, at a quarter of the period pi/10
  ShippedDrive car = start_text(slider(
                                    R"(
    <joint_force name="pull" joint="slide" coordinate="0" stiffness="800"/>
    <variable name="root" value="= sqrt(slide.z) "/>)"),
                                "step=\"0.001\"");
  const RunReport report = run(car.drive.model, car.drive.settings, car.state, car.ws);
  EXPECT_EQ(report.status, RunStatus::failed);
  EXPECT_NE(report.message.find("'root' is not finite"), std::string::npos) << report.message;
  EXPECT_NEAR(car.state.t, M_PI / 40.0, 0.001);
}

// x = x_hat + h/2 (x_hat' + c x^2) has no solution where 2 c h x_hat is above 1 or so: the step is
// refused. Of a rate that jumps there is none either, but a way of h times the rate is all it is
// off.
TEST(Equations, WhoseStatesHaveNoSolutionEndARunByName) {
  const auto drive = [](const std::string& equations) {
    ShippedDrive car = start_text(slider(equations), "step=\"0.001\"");
    RunReport report = run(car.drive.model, car.drive.settings, car.state, car.ws);
    return std::pair(report, car.state.t);
  };
  const auto [grows, end] = drive(R"(<state name="a" initial="1" rate="= 5*a^2"/>)");
  EXPECT_EQ(grows.status, RunStatus::failed);
  EXPECT_NE(grows.message.find("'a' is not finite"), std::string::npos) << grows.message;
  EXPECT_NEAR(end, 0.2, 0.01);  // a = 1/(1 - 5 t)
  const auto [jumps, whole] = drive(R"-(<state name="a" initial="0.1" rate="= -sign(a)"/>)-");
  EXPECT_EQ(jumps.status, RunStatus::finished) << jumps.message;
}

TEST(Equations, TakeNoHeapInAStep) {
  if (!HeapGuard::works()) GTEST_SKIP() << "this build counts no memory";
  ShippedDrive car = start_text(slider(R"(
    <joint_force name="pull" joint="slide" coordinate="0" input="= -400*slide.z - 3*v"/>
    <state name="v" rate="= (slide.rate - v)/0.01"/>
    <hold name="held" of="= v" rate="100"/>
    <delay name="late" of="= held" time="0.02"/>
    <logic name="up" on="= late &gt; 0" off="= late &lt; 0"/>)"),
                                "step=\"0.001\"");
  drive_to(car, 0.1);
  const HeapGuard guard;
  drive_to(car, 0.2);
  EXPECT_EQ(guard.calls(), 0);
}

TEST(Equations, AreSavedAndRestoredToTheBit) {
  const std::string text = slider(R"(
    <joint_force name="pull" joint="slide" coordinate="0" input="= -400*late - 3*v"/>
    <state name="v" rate="= (slide.rate - v)/0.01"/>
    <hold name="held" of="= slide.z" rate="150"/>
    <delay name="late" of="= held" time="0.013" samples="7"/>)");
  const auto scenario = [] {
    return read_scenario_text(
        R"(<scenario name="s" version="1"><run step="0.001" until="1"/><start from="design"/></scenario>)",
        "s.xml");
  };
  Session one(read_vehicle_text(text, "a.xml"), scenario());
  Session two(read_vehicle_text(text, "a.xml"), scenario());
  for (int k = 0; k < 137; ++k) ASSERT_EQ(one.step(), StepStatus::converged);
  std::vector<std::byte> saved(one.saved_size());
  one.save(saved.data());
  ASSERT_EQ(two.restore(saved.data(), saved.size()), RestoreStatus::restored);
  std::vector<double> a(one.outputs().size());
  std::vector<double> b(a.size());
  for (int k = 0; k < 100; ++k) {
    ASSERT_EQ(one.step(), StepStatus::converged);
    ASSERT_EQ(two.step(), StepStatus::converged);
    one.read_outputs(a.data());
    two.read_outputs(b.data());
    ASSERT_EQ(a, b) << k;
  }
  // another number in an equation is another car
  std::string other = text;
  other.replace(other.find("-400"), 4, "-401");
  Session third(read_vehicle_text(other, "a.xml"), scenario());
  EXPECT_EQ(third.restore(saved.data(), saved.size()), RestoreStatus::other_model);
}

TEST(Equations, AreNobodyElsesToSet) {
  Session session(
      read_vehicle_text(slider(R"(<variable name="v" value="= slide.z"/>)"), "a.xml"),
      read_scenario_text(
          R"(<scenario name="s" version="1"><run step="0.001" until="1"/><start from="design"/></scenario>)",
          "s.xml"));
  EXPECT_EQ(session.set_input(session.find_input("v"), 1.0), InputStatus::computed);
}

TEST(Equations, OfALongCircleNameBothEnds) {
  std::string text;
  for (int k = 0; k < 300; ++k)
    text += "<variable name=\"v" + std::to_string(k) + "\" value=\"= v" +
            std::to_string((k + 1) % 300) + "\"/>";
  const std::string said = complaint(text);
  EXPECT_NE(said.find("'v3', which needs 292 more, of which the last needs 'v296'"),
            std::string::npos)
      << said;
  EXPECT_LT(said.size(), 400U);
}

TEST(Equations, OfALongChainNameItsBegin) {
  // each needs the next: 900 are taken, 100 000 refused, and behind those that they need they are
  // no chain
  const auto chain = [](int links, bool needed_first) {
    std::string text;
    for (int k = 0; k < links; ++k) {
      const int own = needed_first ? links - 1 - k : k;
      text += "<variable name=\"v" + std::to_string(own) + "\" value=\"= " +
              (own + 1 < links ? "v" + std::to_string(own + 1) + " + 1" : std::string("1")) +
              "\"/>";
    }
    return text;
  };
  EXPECT_EQ(complaint(chain(900, false)), "none");
  EXPECT_EQ(complaint(chain(20000, true)), "none");
  EXPECT_NE(complaint(chain(100000, false)).find("is needed by 'v0' through a chain of 1000"),
            std::string::npos);
}

TEST(Equations, SayWhatIsWrong) {
  struct Case {
    const char* text;
    const char* said;
  };
  for (const Case& c : {
           Case{R"(<variable name="a" value="= mass.zz"/>)",
                "uses 'mass.zz' in '= mass.zz' at column 3, expected an input, an equation, "
                "'time', a motion"},
           Case{R"(<variable name="a" value="= mass.z + mass.zz"/>)",
                "'mass.zz' in '= mass.z + mass.zz' at column 12"},
           Case{R"(<variable name="mass.z" value="= 1"/>)",
                "element 'mass.z': has the name of a motion"},
           Case{R"(<variable name="a" value="= mass.zz"/>)", "nearest known name is 'mass.z'"},
           Case{R"(<variable name="sum" value="= 2"/>)", "which expressions have taken"},
           Case{R"(<variable name="a" value="2"/>)", "does not begin with '='"},
           Case{R"(<variable name="a" value="= 2*"/>)",
                "at column 5 it ends where a value is expected"},
           Case{R"(<variable name="a" value="= b"/><variable name="b" value="= 2*a"/>)",
                "needs itself: 'a', which needs 'b', which needs 'a', expected a state"},
           Case{R"(<state name="a" rate="= 1" initial="x"/>)", "attribute 'initial' is 'x'"},
           Case{R"(<hold name="a" of="= 1" rate="0"/>)", "expected a number above zero"},
           Case{R"(<delay name="a" of="= 1" time="0.1" samples="2.5"/>)", "whole number"},
           Case{R"(<variable name="a" value="= {nothing}"/>)", "nothing"},
           Case{R"(<variable name="a" value="= {1"/>)", "brace"},
           Case{R"(<variable name="mass" value="= 1"/>)", "mass"},
           Case{R"(<variable name="a" value="= time"/>
                   <motion name="m" joint="slide" coordinate="0" input="a"/>)",
                "which is computed while the vehicle moves"},
           Case{R"(<variable name="a" value="= 1"/><input name="b" of="a"/>)", "follows an input"},
           Case{R"(<variable name="a" unit="N m" value="= slide.z"/>)",
                "'= slide.z' is in m, expected N m"},
           Case{R"(<variable name="a" unit="m" value="= slide.z + slide.rate"/>)", "column"},
           Case{R"(<state name="a" unit="m" rate="= slide.z"/>)", "is in m, expected m/s"},
           Case{R"(<variable name="a" unit="furlong" value="= 1"/>)", "attribute 'unit'"},
           Case{R"(<variable name="k" unit="N/m" value="= 3"/>
                   <joint_force name="f" joint="slide" coordinate="0" input="= k*slide.rate"/>)",
                "expected N as 'f' needs it"},
           Case{R"(<variable name="k" unit="m" value="= slide.z"/>
                   <joint_force name="f" joint="slide" coordinate="0" input="k"/>)",
                "is in m and drives 'f', which is in N, expected the same unit"},
           Case{R"(<variable name="k" value="= slide.z"/>
                   <joint_force name="f" joint="slide" coordinate="0" input="k"/>)",
                "'= slide.z' is in m, expected N as 'f' needs it"},
           Case{R"(<table name="t"><point x="0" f="1"/><point x="0" y="1" f="1"/></table>)",
                "stands in some of the points only"},
           Case{R"(<table name="t"><point x="0" y="0" f="1"/><point x="1" y="1" f="1"/></table>)",
                "has 2 points for 2 values of x and 2 of y"},
           Case{R"(<table name="t"><point x="1" f="1"/><point x="0" f="1"/></table>)",
                "attribute 'x' of <point> does not ascend"},
           Case{R"(<table name="t"><point x="0" f="1"/><point x="0" f="2"/></table>)",
                "attribute 'x' of <point> does not ascend, expected more than at the point before"},
           Case{R"(<table name="t"><point x="0" f="1"/></table>)",
                "<table> has 1 point, expected at least two"},
           Case{R"(<table name="t"><point x="0" f="1"/><point x="1e-320" f="2"/></table>)",
                "slope that is not finite"},
           Case{R"(<table name="sin"><point x="0" f="1"/><point x="1" f="1"/></table>)",
                "which expressions have taken"},
           Case{R"(<variable name="_pi" value="= 2"/>)", "which expressions have taken"},
           Case{R"(<variable name="a-b" value="= 2"/>)",
                "attribute 'name' is 'a-b', which an expression cannot call, expected letters"},
           Case{R"(<state name="3a" rate="= 2"/>)", "no digit first"},
           Case{R"(<state name="a" initial="0" rate="= 1/a"/>)",
                "element 'a': has a rate of inf at the start, expected a finite number"},
           Case{R"(<input name="u" value="= 2*speed"/>)",
                "attribute 'value' is '= 2*speed', which uses 'speed', expected an expression of "
                "'time' and numbers alone"},
           Case{R"(<input name="u" value="= sin(time) "/>)", "a function of 's'"},
           Case{R"(<input name="u" value="= 1/(1 - 1 + 0*time) "/>)", "is inf at the start"},
           Case{R"(<input name="u" value="= sqrt(0.5*time) "/>)", "has a rate of inf at the start"},
           Case{R"(<motion name="m" joint="slide" coordinate="0" input="= 2*mass.z"/>)",
                "element 'm': attribute 'input' is '= 2*mass.z', which uses 'mass.z', expected an "
                "expression of 'time'"},
           Case{R"(<variable name="a" value="= t(1, 2) "/>
                   <table name="t"><point x="0" f="1"/><point x="1" f="1"/></table>)",
                "'t'"},
       })
    EXPECT_NE(complaint(c.text).find(c.said), std::string::npos) << c.text << "\n"
                                                                 << complaint(c.text);
}

TEST(Equations, AreOneLineWhereATableIsWrong) {
  // formulas that call it are not complained about
  EXPECT_EQ(complaint(R"(<table name="t"><point x="0" f="1"/></table>
    <variable name="a" value="= t(1) "/>)")
                .find('\n'),
            std::string::npos);
}

TEST(Equations, ThatAStepDoesNotResolveAreNamedAtTheStart) {
  const auto notes = [](const std::string& step) {
    DriveDescription read;
    read.vehicle = read_vehicle_text(slider(R"(
      <delay name="late" of="= slide.z" time="0.002"/>
      <hold name="seen" of="= slide.z" rate="500"/>)"),
                                     "a.xml");
    read.scenario =
        read_scenario_text("<scenario name=\"s\" version=\"1\"><run until=\"1\" step=\"" + step +
                               "\"/><start from=\"design\"/></scenario>",
                           "s.xml");
    const Drive drive = make_drive(read, {});
    Workspace ws(drive.model);
    StartReport start;
    start_drive(drive, ws, start);
    return start.notes;
  };
  EXPECT_EQ(notes("0.002"), std::vector<std::string>{});
  EXPECT_EQ(notes("0.004"),
            (std::vector<std::string>{
                "delay 'late' is 0.002 s late, less than the step of 0.004 s: it is a step late",
                "hold 'seen' samples 500 times a second, more often than steps of 0.004 s end: it "
                "samples at the end of each step"}));
}

TEST(Equations, WhoseRatesAreNotFiniteEndARunByName) {
  // a' = -1/sqrt(a) from 1 reaches 0 at t = 2/3 and has no rate beyond
  ShippedDrive car =
      start_text(slider(R"(<state name="a" initial="1" rate="= -1/sqrt(a) "/>)"), "step=\"0.001\"");
  const RunReport report = run(car.drive.model, car.drive.settings, car.state, car.ws);
  EXPECT_EQ(report.status, RunStatus::failed);
  EXPECT_NE(report.message.find("the rate of 'a' is not finite"), std::string::npos)
      << report.message;
  EXPECT_NEAR(car.state.t, 2.0 / 3.0, 0.01);
}

TEST(SmallLu, SaysWhereItsMatrixIsNotFinite) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const double bad : {kInfinity, -kInfinity, std::nan("")}) {
    double A[4] = {1.0, 0.0, 0.0, bad};
    int pivots[2];
    double b[2] = {1.0, kInfinity};
    factor_small(A, pivots, 2);
    solve_small(A, pivots, 2, b);
    EXPECT_TRUE(std::isnan(b[1])) << bad;
  }
}

TEST(SmallLu, SolvesBothWays) {
  // expected: Eigen's own product with the solution
  std::mt19937 random(3);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  for (int n = 1; n <= 9; ++n) {
    Eigen::MatrixXd A(n, n);
    Eigen::VectorXd x(n);
    for (int i = 0; i < n; ++i) {
      x[i] = number(random);
      for (int j = 0; j < n; ++j) A(i, j) = number(random);
    }
    A(0, 0) = 0.0;  // asks for a pivot
    if (n == 1) A(0, 0) = 2.0;
    std::vector<double> rows(static_cast<std::size_t>(n) * static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) rows[static_cast<std::size_t>(i * n + j)] = A(i, j);
    std::vector<int> pivots(static_cast<std::size_t>(n));
    factor_small(rows.data(), pivots.data(), n);
    Eigen::VectorXd b = A * x;
    solve_small(rows.data(), pivots.data(), n, b.data());
    EXPECT_LT((b - x).norm(), 1e-11) << n;
    b = A.transpose() * x;
    solve_small_transposed(rows.data(), pivots.data(), n, b.data());
    EXPECT_LT((b - x).norm(), 1e-11) << n;
  }
}

}  // namespace
}  // namespace semirec::test
