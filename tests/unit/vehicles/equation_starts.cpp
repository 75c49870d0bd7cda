// Where states, holds, delays and logics of a file start, with and without `initial`: closed forms.

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/chrono_walk.hpp"
#include "tests/support/random_mechanism.hpp"
#include "tests/support/text_drive.hpp"
#include "vehicles/files/xml/reader.hpp"

namespace semirec::test {
namespace {

/// Corrections of Newton end at 1e-9 of 1 + |x|.
constexpr double kFound = 3e-9;

ShippedDrive start_with(const std::string& more, const std::string& gravity = "0 0 0") {
  return start_text("<mechanism name=\"m\" version=\"1\" gravity=\"" + gravity + R"(">
  <body name="mass" mass="2" com="0 0 0" inertia="1 1 1"/>
  <joint name="slide" type="prismatic" a="ground" b="mass" point="0 0 0" axis="0 0 1"/>
  <sensor name="felt" body="mass" point="0 0 0"/>
  <input name="u" value="3"/>)" +
                        more + "</mechanism>",
                    "step=\"0.001\"");
}

/// Entries uniform in [-1, 1).
Eigen::MatrixXd matrix(Random& random, int rows, int columns) {
  return random.values(Eigen::Index{rows} * columns, 1.0).reshaped(rows, columns);
}

double start_of(const std::string& rate) {
  ShippedDrive drive = start_with("<state name=\"x\" rate=\"= " + rate + "\"/>");
  return channel(drive, "x.value");
}

TEST(EquationStarts, OfStatesAreWhereTheirRatesVanish) {
  // expected: the only root of each rate
  struct Case {
    std::string rate;
    double root;
  };
  const std::vector<Case> cases{{"2*(u - x)", 3.0},
                                {"5*atan(u - x)", 3.0},
                                {"10*tanh(u - x)", 3.0},
                                {"10*tanh(10*u - x)", 30.0},
                                {"(u - x)/sqrt(1 + (u - x)^2)", 3.0},
                                {"max(-0.5, min(0.5, 20*(u - x)))", 3.0},
                                {"max(-0.5, min(0.5, 20*(x - u)))", 3.0},
                                {"max(0, min(0.5, 20*(u - x)))", 3.0},
                                {"sign(u - x)*sqrt(abs(u - x))", 3.0},
                                {"0.1 - tanh(x - 3)", 3.0 + std::atanh(0.1)},
                                {"4 - x^3", std::cbrt(4.0)},
                                {"2 - sqrt(abs(x))", 4.0}};
  for (const Case& one : cases) {
    const double x = start_of(one.rate);
    const bool either = one.rate.find("abs(x)") != std::string::npos;
    EXPECT_NEAR(either ? std::abs(x) : x, one.root, kFound * (1.0 + one.root)) << one.rate;
  }
  // of a root of third order corrections are a third of the error
  EXPECT_NEAR(start_of("-(x - 2)^3"), 2.0, 1e-8);
}

TEST(EquationStarts, OfStatesWithoutARootAreZero) {
  for (const char* rate : {"1", "exp(-x)", "x^2 + 1", "1 + 0*x", "u + slide.z"})
    EXPECT_EQ(start_of(rate), 0.0) << rate;
  // and leave the others alone
  ShippedDrive drive = start_with(R"xml(<state name="none" rate="= exp(-none)"/>
    <state name="lag" rate="= (none + u - lag)/0.1"/><state name="area" rate="= lag"/>)xml");
  EXPECT_EQ(channel(drive, "none.value"), 0.0);
  EXPECT_NEAR(channel(drive, "lag.value"), 3.0, kFound * 4.0);
  EXPECT_EQ(channel(drive, "area.value"), 0.0);
}

TEST(EquationStarts, OfAChainBehindARateAtItsLimitAreFound) {
  // an actuator of limited rate that is led by what a lag measures of it; expected: all at 3
  for (const char* seen : {"<state name=\"seen\" rate=\"= (x - seen)/0.1\"/>",
                           "<hold name=\"seen\" of=\"= x\" rate=\"10\"/>",
                           "<delay name=\"seen\" of=\"= x\" time=\"0.2\"/>"}) {
    ShippedDrive drive = start_with(
        "<state name=\"x\" rate=\"= max(-0.5, min(0.5, 20*(u - seen)))\"/>" + std::string(seen));
    EXPECT_NEAR(channel(drive, "x.value"), 3.0, kFound * 4.0) << seen;
    EXPECT_NEAR(channel(drive, "seen.value"), 3.0, kFound * 4.0) << seen;
  }
}

// x' = limit(b - A x) with -A stable: expected is the only root, A x = b. At the begin, 0, every
// rate is at its limit.
TEST(EquationStarts, OfRatesAtTheirLimitsThatLeadToEachOtherAreFound) {
  Random random(7);
  for (int one = 0; one < 40; ++one) {
    const int n = 2 + one % 3;
    const Eigen::MatrixXd L = matrix(random, n, n);
    const Eigen::MatrixXd S = matrix(random, n, n);
    const Eigen::MatrixXd A =
        L * L.transpose() + 0.3 * Eigen::MatrixXd::Identity(n, n) + 0.5 * (S - S.transpose());
    const Eigen::VectorXd root = 20.0 * matrix(random, n, 1);
    const Eigen::VectorXd b = A * root;
    std::string states;
    for (int i = 0; i < n; ++i) {
      std::ostringstream sum;
      sum.precision(17);
      sum << b[i];
      for (int j = 0; j < n; ++j) sum << " - (" << A(i, j) << ")*x" << j;
      const std::string limited =
          one % 2 == 0 ? "tanh(" + sum.str() + ")" : "max(-1, min(1, " + sum.str() + "))";
      states += "<state name=\"x" + std::to_string(i) + "\" rate=\"= " + limited + "\"/>";
    }
    ShippedDrive drive = start_with(states);
    for (int i = 0; i < n; ++i)
      EXPECT_NEAR(channel(drive, "x" + std::to_string(i) + ".value"), root[i],
                  1e-6 * (1.0 + std::abs(root[i])))
          << states;
  }
}

// All starts of small random networks of logics and a lag, tried one by one: where only one
// agrees with itself it is expected, and the lag always rests.
TEST(EquationStarts, OfNetworksOfLogicsAreTheOnlyOnesThatAgree) {
  Random random(3);
  int only = 0;
  for (int one = 0; one < 60; ++one) {
    // on where sum w_j l_j + w_y y > limit, off where it is not; y' = sum v_j l_j - y
    constexpr int kLogics = 3;
    const Eigen::MatrixXd w = matrix(random, kLogics, kLogics + 1);
    const Eigen::VectorXd v = matrix(random, kLogics, 1);
    const Eigen::VectorXd limit = 0.5 * matrix(random, kLogics, 1);
    std::string text = "<state name=\"y\" rate=\"= 0";
    const auto number = [](double x) {
      std::ostringstream out;
      out.precision(17);
      out << " + (" << x << ")";
      return out.str();
    };
    for (int j = 0; j < kLogics; ++j) text += number(v[j]) + "*l" + std::to_string(j);
    text += " - y\"/>";
    for (int i = 0; i < kLogics; ++i) {
      std::string sum = "0";
      for (int j = 0; j < kLogics; ++j) sum += number(w(i, j)) + "*l" + std::to_string(j);
      sum += number(w(i, kLogics)) + "*y" + number(-limit[i]);
      text += "<logic name=\"l" + std::to_string(i) + "\" on=\"= " + sum +
              " &gt; 0\" off=\"= " + sum + " &lt;= 0\"/>";
    }
    std::vector<Eigen::VectorXd> agreeing;
    for (int all = 0; all < 1 << kLogics; ++all) {
      Eigen::VectorXd l(kLogics + 1);
      for (int j = 0; j < kLogics; ++j) l[j] = (all >> j) & 1;
      l[kLogics] = v.dot(l.head(kLogics));
      const Eigen::VectorXd sum = w * l - limit;
      bool agrees = true;
      for (int i = 0; i < kLogics; ++i) agrees = agrees && (sum[i] > 0.0) == (l[i] != 0.0);
      if (agrees) agreeing.push_back(l);
    }
    ShippedDrive drive = start_with(text);
    Eigen::VectorXd found(kLogics + 1);
    for (int i = 0; i < kLogics; ++i) found[i] = channel(drive, "l" + std::to_string(i) + ".value");
    found[kLogics] = channel(drive, "y.value");
    EXPECT_NEAR(found[kLogics], v.dot(found.head(kLogics)), 1e-8) << text;
    if (agreeing.size() != 1) continue;
    ++only;
    EXPECT_NEAR((found - agreeing.front()).norm(), 0.0, 1e-8) << text;
  }
  EXPECT_GT(only, 20);
}

TEST(EquationStarts, OfHoldsAndDelaysAreSolvedWithTheStates) {
  // x' = 4 - 2 x + C h, h = x; expected: x = 4/(2 - C)
  for (const double C : {1.0, 1.5, 1.9, 1.99, -1.9, -3.0, 5.0})
    for (const char* kept : {"<hold name=\"h\" of=\"= x\" rate=\"10\"/>",
                             "<delay name=\"h\" of=\"= x\" time=\"0.1\"/>"}) {
      ShippedDrive drive = start_with("<state name=\"x\" rate=\"= 4 - 2*x + (" + std::to_string(C) +
                                      ")*h\"/>" + kept);
      const double x = 4.0 / (2.0 - C);
      EXPECT_NEAR(channel(drive, "x.value"), x, 1e-9 * (1.0 + std::abs(x))) << C << kept;
      EXPECT_NEAR(channel(drive, "h.value"), x, 1e-9 * (1.0 + std::abs(x))) << C << kept;
    }
  // a filter of holds alone: a = 0.5 b + 1, b = 0.8 a
  ShippedDrive drive = start_with(R"(<hold name="a" of="= 0.5*b + 1" rate="100"/>
    <hold name="b" of="= 0.8*a" rate="100"/>)");
  EXPECT_NEAR(channel(drive, "a.value"), 1.0 / 0.6, 1e-9);
  EXPECT_NEAR(channel(drive, "b.value"), 0.8 / 0.6, 1e-9);
}

TEST(EquationStarts, OfHoldsThatSumUpAreZero) {
  ShippedDrive drive = start_with(R"(<hold name="total" of="= total + 0.04" rate="100"/>
    <hold name="other" of="= u + total" rate="100"/><hold name="third" of="= 2*other" rate="100"/>)");
  EXPECT_EQ(channel(drive, "total.value"), 0.0);
  EXPECT_EQ(channel(drive, "other.value"), 3.0);
  EXPECT_EQ(channel(drive, "third.value"), 6.0);
}

TEST(EquationStarts, OfLogicsAgreeWithWhatTheyDecide) {
  // x' = 4 - 2 x + on, on where x > 1; an oscillator that no start satisfies is off
  ShippedDrive drive = start_with(R"(<state name="x" rate="= 4 - 2*x + on"/>
    <logic name="on" on="= x &gt; 1" off="= x &lt; 0"/>
    <hold name="rest" of="= 1 - blink" rate="10"/>
    <logic name="blink" on="= rest &gt; 0.5" off="= rest &lt; 0.5"/>)");
  EXPECT_EQ(channel(drive, "on.value"), 1.0);
  EXPECT_NEAR(channel(drive, "x.value"), 2.5, 1e-9);
  EXPECT_EQ(channel(drive, "blink.value"), 0.0);
  EXPECT_EQ(channel(drive, "rest.value"), 1.0);
  // one that follows the oscillator without leading to it is decided by where that is left
  ShippedDrive behind =
      start_with(R"(<logic name="blink" on="= blink &lt; 0.5" off="= blink &gt; 0.5"/>
    <logic name="after" on="= blink &lt; 0.5" off="= blink &gt; 0.5"/>
    <hold name="seen" of="= 10*after" rate="10"/>)");
  EXPECT_EQ(channel(behind, "blink.value"), 0.0);
  EXPECT_EQ(channel(behind, "after.value"), 1.0);
  EXPECT_EQ(channel(behind, "seen.value"), 10.0);
}

/// 1 kg that a vertical spring of 100 N/m carries, and what drives an actuator beside it, started
/// in equilibrium.
ShippedDrive rest_with(const std::string& equations, StartReport& said) {
  ShippedDrive drive = start_text(R"(<mechanism name="m" version="1">
  <body name="mass" mass="1" com="0 0 0" inertia="1 1 1"/>
  <joint name="slide" type="prismatic" a="ground" b="mass" point="0 0 0" axis="0 0 1"/>
  <joint_force name="k" joint="slide" coordinate="0" input="= pull - 100*slide.z"/>)" +
                                      equations + "</mechanism>",
                                  "step=\"0.001\"", Formulation::hybrid, [](Scenario& scenario) {
                                    scenario.start = StartMode::equilibrium;
                                  });
  drive.state = start_drive(drive.drive, drive.ws, said);
  return drive;
}

// The balance has the `initial` that the start has: 100 z = pull - m g.
TEST(EquationStarts, AtTheirInitialAreInTheBalance) {
  constexpr double kWeight = 9.81;
  constexpr double kFoundPlace = 1e-9;
  StartReport said;
  EXPECT_NEAR(
      rest_with(R"(<state name="pull" unit="N" initial="20" rate="= 0"/>)", said).state.z[0],
      (20.0 - kWeight) / 100.0, kFoundPlace);
  // a stiffness
  EXPECT_NEAR(rest_with(R"(<state name="soft" unit="N/m" initial="300" rate="= 0"/>
      <variable name="pull" unit="N" value="= -soft*slide.z"/>)",
                        said)
                  .state.z[0],
              -kWeight / 400.0, kFoundPlace);
  // a logic between its conditions stays as it is written
  for (const double q : {0.0, 1.0})
    EXPECT_NEAR(
        rest_with("<logic name=\"q\" on=\"= slide.z > 5\" off=\"= slide.z &lt; -5\" initial=\"" +
                      std::to_string(q) +
                      "\"/><variable name=\"pull\" unit=\"N\" value=\"= 20*q\"/>",
                  said)
            .state.z[0],
        (20.0 * q - kWeight) / 100.0, kFoundPlace);
  const auto is_said = [&](const std::string& words) {
    return std::any_of(said.notes.begin(), said.notes.end(), [&](const std::string& note) {
      return note.find(words) != std::string::npos;
    });
  };
  // it goes on from there
  EXPECT_NEAR(
      rest_with(R"x(<state name="pull" unit="N" initial="20" rate="= 0.1*(5 - pull)"/>)x", said)
          .state.z[0],
      (20.0 - kWeight) / 100.0, kFoundPlace);
  EXPECT_TRUE(is_said("go on changing, and the car with them: 'pull'"));
  // a hold is taken at what it follows, and its other begin is told
  EXPECT_NEAR(
      rest_with(R"(<hold name="pull" unit="N" rate="10" initial="20" of="= 5"/>)", said).state.z[0],
      (5.0 - kWeight) / 100.0, kFoundPlace);
  EXPECT_TRUE(is_said("what their conditions say: 'pull'"));
  rest_with(R"(<hold name="pull" unit="N" rate="10" initial="5" of="= 5"/>)", said);
  EXPECT_FALSE(is_said("leaves the equilibrium at once"));
  // a delay by all that it remembers
  rest_with(R"(<delay name="pull" unit="N" time="0.02" initial="0" of="= 5"/>)", said);
  EXPECT_TRUE(is_said("what their conditions say: 'pull'"));
  // those that act together alone
  rest_with(R"(<hold name="a" unit="N" rate="10" initial="0" of="= 5"/>
      <hold name="b" unit="1" rate="10" initial="0" of="= 2"/>
      <variable name="pull" unit="N" value="= a*b"/>)",
            said);
  EXPECT_TRUE(is_said("'a', 'b'"));
  // a logic whose own condition is against its `initial`
  const auto with_logic = [&](const char* initial, const char* on, const char* off) {
    rest_with("<logic name=\"q\" initial=\"" + std::string(initial) + "\" on=\"= " + on +
                  "\" off=\"= " + off + "\"/><variable name=\"pull\" unit=\"N\" value=\"= 20*q\"/>",
              said);
    return is_said("what their conditions say: 'q'");
  };
  EXPECT_TRUE(with_logic("1", "slide.z > 5", "slide.z &lt; 1"));
  EXPECT_TRUE(with_logic("0", "slide.z &lt; 1", "slide.z > 5"));
  EXPECT_FALSE(with_logic("1", "slide.z &lt; 1", "slide.z > 5"));
  EXPECT_FALSE(with_logic("0", "slide.z > 5", "slide.z &lt; 1"));
}

// What goes in a circle is one with the balance: at rest a filter or a delay is at what it is led
// by, so that 100 z + gain z = -m g, and a logic is as its conditions have it.
TEST(EquationStarts, OfFiltersAndLogicsAreOneWithTheBalance) {
  constexpr double kWeight = 9.81;
  constexpr double kFoundPlace = 1e-8;
  StartReport said;
  for (const char* filter : {R"(<hold name="f" of="= 0.9*f + 0.1*slide.z" rate="50"/>)",
                             R"(<delay name="f" of="= 0.5*f + 0.5*slide.z" time="0.02"/>)",
                             R"(<hold name="g" of="= 0.5*f + 0.5*slide.z" rate="50"/>
                                <hold name="f" of="= 0.5*g + 0.5*slide.z" rate="30"/>)"})
    for (const double gain : {-60.0, 10.0, 75.0, 300.0, 3000.0}) {
      const ShippedDrive drive =
          rest_with(std::string(filter) + "<variable name=\"pull\" unit=\"N\" value=\"= -(" +
                        std::to_string(gain) + ")*f\"/>",
                    said);
      EXPECT_NEAR(drive.state.z[0], -kWeight / (100.0 + gain), kFoundPlace) << filter << gain;
      EXPECT_TRUE(said.notes.empty()) << said.notes.front();
    }
  const auto rest_with_logic = [&](const char* on, const char* off) {
    return rest_with("<logic name=\"q\" on=\"= " + std::string(on) + "\" off=\"= " + off +
                         "\"/><variable name=\"pull\" unit=\"N\" value=\"= 20*q\"/>",
                     said)
        .state.z[0];
  };
  EXPECT_NEAR(rest_with_logic("time > -1", "time &lt; -1"), (20.0 - kWeight) / 100.0, kFoundPlace);
  EXPECT_NEAR(rest_with_logic("slide.z &lt; 0.2", "slide.z > 0.3"), (20.0 - kWeight) / 100.0,
              kFoundPlace);
  EXPECT_TRUE(said.notes.empty());
  EXPECT_NEAR(rest_with_logic("slide.z > 0", "slide.z &lt; -1"), -kWeight / 100.0, kFoundPlace);
  EXPECT_TRUE(said.notes.empty());
  // between its conditions it stays as it has come to be, in the start as in the balance
  for (const double gain : {0.0, 30.0}) {
    ShippedDrive latched =
        rest_with(R"(<logic name="q" on="= slide.z &lt; 0.05" off="= slide.z > 0.3"/>
      <hold name="f" of="= 0.9*f + 0.1*slide.z" rate="50"/>
      <variable name="pull" unit="N" value="= 20*q - )" +
                      std::to_string(gain) + "*f\"/>",
                  said);
    EXPECT_NEAR(latched.state.z[0], (20.0 - kWeight) / (100.0 + gain), kFoundPlace);
    EXPECT_EQ(channel(latched, "q.value"), 1.0);
    EXPECT_NEAR(latched.state.zdd[0], 0.0, 1e-6);
    EXPECT_TRUE(said.notes.empty());
  }
  // beside a steep filter
  EXPECT_NEAR(rest_with(R"(<logic name="q" on="= time > -1" off="= time &lt; -1"/>
      <hold name="f" of="= 0.9*f + 0.1*slide.z" rate="50"/>
      <variable name="pull" unit="N" value="= 20*q - 3000*f"/>)",
                        said)
                  .state.z[0],
              (20.0 - kWeight) / 3100.0, kFoundPlace);
  EXPECT_TRUE(said.notes.empty());
  // with an `initial` it counts as that, and what it comes to is told
  EXPECT_NEAR(rest_with(R"(<hold name="f" initial="0.5" of="= 0.5*f + 0.5*slide.z" rate="50"/>
      <variable name="pull" unit="N" value="= -30*f"/>)",
                        said)
                  .state.z[0],
              (-15.0 - kWeight) / 100.0, kFoundPlace);
  EXPECT_TRUE(std::any_of(said.notes.begin(), said.notes.end(), [](const std::string& note) {
    return note.find("what their conditions say: 'f'") != std::string::npos;
  }));
  // a logic that flips beside a filter: no place far off
  EXPECT_LT(
      std::abs(rest_with(R"(<logic name="q" on="= slide.z &lt; -0.05" off="= slide.z > -0.02"/>
      <hold name="f" of="= 0.9*f + 0.1*slide.z" rate="50"/>
      <variable name="pull" unit="N" value="= 20*q - 300*f"/>)",
                         said)
                   .state.z[0]),
      0.2);
  // one that its own deed undoes agrees with no balance, and is named
  rest_with_logic("slide.z &lt; 0", "slide.z > 0");
  EXPECT_TRUE(std::any_of(said.notes.begin(), said.notes.end(), [](const std::string& note) {
    return note.find("what their conditions say: 'q'") != std::string::npos;
  }));
}

// A sum has no place of its own: it begins at zero, whatever it adds.
TEST(EquationStarts, OfWhatAddsToItselfAreZero) {
  for (const char* more : {"1", "0.1", "0.01", "1e-3", "1e-4", "1e-6", "0.01*(0.05 - slide.z)",
                           "0.01*(0.57 - 0.5595)"}) {
    for (const char* element : {"<hold name=\"x\" rate=\"100\" of=\"= x + ",
                                "<delay name=\"x\" time=\"0.01\" of=\"= x + "}) {
      ShippedDrive drive = start_with(element + std::string(more) + "\"/>");
      EXPECT_EQ(channel(drive, "x.value"), 0.0) << element << more;
    }
  }
  for (const char* rate : {"0.001*(2 + tanh(x))", "1e-5*(2 + tanh(1e-3*x))", "3 + atan(x)"})
    EXPECT_EQ(start_of(rate), 0.0) << rate;
}

// A logic both of whose conditions hold is off and stays so.
TEST(EquationStarts, OfALogicBothOfWhoseConditionsHoldIsOff) {
  ShippedDrive drive = start_with("<logic name=\"q\" on=\"= time > 0.01\" off=\"= time > 0.02\"/>");
  int changes = 0;
  double last = channel(drive, "q.value");
  EXPECT_EQ(last, 0.0);
  for (int k = 1; k <= 50; ++k) {
    drive_to(drive, 0.001 * k);
    const double now = channel(drive, "q.value");
    changes += now != last ? 1 : 0;
    last = now;
  }
  EXPECT_EQ(last, 0.0);
  EXPECT_EQ(changes, 2);
  ShippedDrive both = start_with("<logic name=\"q\" on=\"= u > 1\" off=\"= u > 2\"/>");
  EXPECT_EQ(channel(both, "q.value"), 0.0);
}

// At the speed of the start, not at rest: a lift by a held speed.
TEST(EquationStarts, OfHoldsAreComparedAtTheSpeedOfTheStart) {
  const std::string sedan =
      text_of_file(std::string(SEMIREC_SOURCE_DIR) + "/vehicles/models/sedan.xml");
  const std::string folder = std::string(SEMIREC_SOURCE_DIR) + "/vehicles/";
  const auto is_said = [&](const std::string& initial) {
    std::string text = sedan;
    text.insert(text.rfind("</vehicle>"),
                "<hold name=\"v\" unit=\"m/s\" rate=\"100\" initial=\"" + initial +
                    "\" of=\"= chassis.vx\"/><force name=\"down\" body=\"chassis\" point=\"0 0 "
                    "0.5\" direction=\"0 0 1\" input=\"= -3*v*v\"/>");
    const Drive drive = make_drive(read_vehicle_text(text, folder + "models/held.xml"),
                                   read_scenario(folder + "scenarios/step_steer.xml"));
    Workspace ws(drive.model);
    StartReport said;
    start_drive(drive, ws, said);
    return std::any_of(said.notes.begin(), said.notes.end(), [](const std::string& note) {
      return note.find("what their conditions say: 'v'") != std::string::npos;
    });
  };
  EXPECT_TRUE(is_said("0"));
  EXPECT_FALSE(is_said("22.222"));
}

TEST(EquationStarts, KnowTheAccelerationsOfTheStart) {
  // a mass that falls, and one that is pushed by what is felt there; expected: nothing is felt
  ShippedDrive drive = start_with(R"(<body name="other" mass="2" com="0 0 0" inertia="1 1 1"/>
    <joint name="way" type="prismatic" a="ground" b="other" point="0 0 0" axis="1 0 0"/>
    <force name="push" body="other" point="0 0 0" direction="1 0 0" input="= h"/>
    <hold name="h" of="= felt.az_felt" rate="10"/><delay name="d" of="= felt.az_felt" time="0.2"/>
    <logic name="on" on="= felt.az_felt &gt; 5" off="= felt.az_felt &lt; -100"/>
    <variable name="now" value="= felt.az_felt"/>)",
                                  "0 0 -9.81");
  for (const char* name : {"felt.az_felt", "h.value", "d.value", "on.value", "now.value"})
    EXPECT_NEAR(channel(drive, name), 0.0, 1e-12) << name;
  EXPECT_NEAR(drive.state.zdd[1], 0.0, 1e-12);
  // a force 10 - 2 C h on 2 kg with h what is felt of it; expected: h = a = 5/(1 + C)
  for (const double C : {0.5, 3.0, -3.0, -0.92, -0.95, -0.98, -0.999, -1.01}) {
    ShippedDrive fed = start_with(R"(<body name="other" mass="2" com="0 0 0" inertia="1 1 1"/>
    <joint name="way" type="prismatic" a="ground" b="other" point="0 0 0" axis="1 0 0"/>
    <sensor name="there" body="other" point="0 0 0"/>
    <force name="push" body="other" point="0 0 0" direction="1 0 0" input="= 10 - ()" +
                                  std::to_string(2.0 * C) + R"()*h"/>
    <hold name="h" of="= there.ax_felt" rate="10"/>)");
    const double a = 5.0 / (1.0 + C);
    // 1e-11 of the largest is left between the two, which 1/(1 + C) magnifies
    const double close = 1e-9 * (1.0 + std::abs(a) / std::min(1.0, std::abs(1.0 + C)));
    EXPECT_NEAR(channel(fed, "h.value"), a, close) << C;
    EXPECT_NEAR(fed.state.zdd[1], a, close) << C;
  }
}

}  // namespace
}  // namespace semirec::test
