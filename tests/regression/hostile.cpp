// Input that nobody means, given to the program: it ends with a status and one line, never by a
// signal, and in a time that does not explode.

#include <fstream>
#include <iterator>
#include <string>
#include <sys/resource.h>

#include <gtest/gtest.h>

#include "tests/regression/program.hpp"

namespace semirec::test {
namespace {

class Hostile : public ProgramTest {
 protected:
  std::string write(const std::string& name, const std::string& text) const {
    const std::string path = (folder_ / name).string();
    std::ofstream(path) << text;
    return path;
  }
  std::string short_run() const {
    return write(
        "short.xml",
        R"(<scenario name="short" version="1"><run step="0.001" until="0.01"/></scenario>)");
  }
};

/// CPU time of all children so far, s.
double cpu_of_children() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

TEST_F(Hostile, TwoWeldsAreCheckedRunAndHaveNoModes) {
  const std::string welds = write("welds.xml", R"(<mechanism name="welds" version="1">
      <body name="bob" mass="1" com="0 0 1" inertia="1 1 1"/>
      <joint name="one" type="fixed" a="ground" b="bob" point="0 0 0"/>
      <joint name="two" type="fixed" a="ground" b="bob" point="0 0 1"/></mechanism>)");
  for (const std::string command : {"check ", "info ", "equilibrium "}) {
    const Result result = call_program(command + welds);
    EXPECT_EQ(result.code, 0) << command << result.error;
  }
  EXPECT_EQ(call_program("run " + welds + " " + short_run()).code, 0);
  EXPECT_EQ(call_program("realtime --duration 0.05 " + welds + " " + short_run()).code, 0);
  // a loop that no coordinate reaches
  const std::string independent = " --scheme linearly_implicit_euler --closing independent";
  EXPECT_EQ(call_program("run " + welds + " " + short_run() + independent).code, 0);
  EXPECT_EQ(call_program("compare " + welds + " " + short_run() + independent +
                         " --measure energy --formulations hybrid --repeat 1 --csv -")
                .code,
            0);
  const Result modes = call_program("modes " + welds);
  EXPECT_EQ(modes.code, 3);
  EXPECT_EQ(count(modes.error, '\n'), 1) << modes.error;
}

TEST_F(Hostile, CompareKeepsTheRowsOfTheOthersWhereOneBreaksDown) {
  const std::string bars = write("bars.xml", R"(<mechanism name="bars" version="1">
      <body name="a" mass="1" com="0.5 0 0" inertia="0.01 0.1 0.1"/>
      <body name="b" mass="1" com="1.5 0 0" inertia="0.01 0.1 0.1"/>
      <joint name="j1" type="revolute" a="ground" b="a" point="0 0 0" axis="0 1 0"/>
      <joint name="j2" type="revolute" a="a" b="b" point="1 0 0" axis="0 1 0"/>
      <spring name="strut" a="ground" b="b" point_a="0 0 1" point_b="1.5 0 0"><damping c="1e7"/>
      </spring></mechanism>)");
  const Result result = call_program("compare " + bars + " " + short_run() + " --repeat 1 --csv -");
  EXPECT_EQ(result.code, 0) << result.error;
  for (const char* formulation : {"hybrid", "global", "topological", "recursive", "cartesian"})
    EXPECT_TRUE(holds(result.out, formulation)) << result.out;
  EXPECT_EQ(call_program("run --formulation recursive " + bars + " " + short_run()).code, 4);
}

// Half of 1e200 N/m times the square of 1e60 m is no number: neither is the balance of energies.
TEST_F(Hostile, ARunWhoseEnergyIsNoNumberBreaksDown) {
  const std::string spring = write("spring.xml", R"(<mechanism name="far" version="1">
      <body name="bob" mass="1" com="0 0 1" inertia="1 1 1"/>
      <joint name="weld" type="fixed" a="ground" b="bob" point="0 0 0"/>
      <spring name="strut" a="ground" b="bob" point_a="-1e60 0 0" point_b="0 0 0" spring_scale="1e100">
        <stiffness k="1e100" free_length="1"/></spring></mechanism>)");
  const Result result = call_program("run " + spring + " " + short_run());
  EXPECT_EQ(result.code, 4);
  EXPECT_TRUE(holds(result.error, "the energy is not finite at t = 0.001 s")) << result.error;
  EXPECT_FALSE(holds(result.out, "balance within 0 J")) << result.out;
  EXPECT_TRUE(holds(result.out, "energy      no numbers: ")) << result.out;
  EXPECT_TRUE(holds(result.out, "broken      the energies are no numbers any more")) << result.out;
  EXPECT_FALSE(holds(result.out, "nan")) << result.out;
}

// The torque has a pole at 0.05 s: the run ends there, and its table before.
TEST_F(Hostile, RowsEndBeforeNumbersDo) {
  const std::string pole = write("pole.xml", R"x(<mechanism name="pole" version="1">
      <slender_rod name="rod" mass="1" from="0 0 0" to="0 0 -1"/>
      <joint name="hinge" type="revolute" a="ground" b="rod" point="0 0 0" axis="0 1 0"/>
      <input name="push" value="= 1/(time - 0.05*1)"/>
      <torque name="motor" body="rod" direction="0 1 0" input="push"/></mechanism>)x");
  const std::string times = write(
      "run.xml", R"(<scenario name="s" version="1"><run step="0.01" until="0.1"/></scenario>)");
  const std::string out = (folder_ / "out").string();
  EXPECT_EQ(call_program("run " + pole + " " + times + " --out " + out).code, 4);
  std::ifstream table(out + "/results.csv");
  const std::string text{std::istreambuf_iterator<char>(table), {}};
  EXPECT_NE(text.find("\n0.04,"), std::string::npos) << text;
  EXPECT_EQ(text.find("inf,"), std::string::npos) << text;
  EXPECT_EQ(text.find("nan"), std::string::npos) << text;
}

// The damping of the scheme acts on unit vectors that turn by 60 rad/s: the motion leaves all
// bounds.
TEST_F(Hostile, AStepWithoutCorrectionsNamesTheGapOfItsClosures) {
  const std::string spin = write("spin.xml", R"(<mechanism name="spin" version="1" gravity="0 0 0">
      <body name="wheel" mass="20" com="0 0 0" inertia="0.5 0.9 0.5"/>
      <joint name="j" type="free" a="ground" b="wheel" velocity="0 0 0 1 60 0"/></mechanism>)");
  const Result result =
      call_program("run " + spin + " " + short_run() +
                   " --formulation global --scheme linearly_implicit_euler --independent");
  EXPECT_EQ(result.code, 0) << result.error;
  EXPECT_TRUE(holds(result.out, "steps ended with a closure above 1e-06 m or rad; the largest is "))
      << result.out;
  EXPECT_FALSE(holds(result.out, "correction")) << result.out;
}

// The mass matrix of a chain has n^2/2 entries and its factor n^3/6 products: a check forms none.
TEST_F(Hostile, AChainOfThreeThousandBodiesIsCheckedInNoTime) {
  std::string text = R"(<mechanism name="chain" version="1">)";
  std::string before = "ground";
  for (int k = 0; k < 3000; ++k) {
    const std::string i = std::to_string(k);
    text += R"(<body name="b)" + i + R"(" mass="1" com=")" + i + R"(.5 0 0" inertia="1 1 1"/>)";
    text += R"(<joint name="j)" + i + R"(" type="revolute" a=")" + before + R"(" b="b)" + i +
            R"(" point=")" + i + R"( 0 0" axis="0 1 0"/>)";
    before = "b" + i;
  }
  const std::string chain = write("chain.xml", text + "</mechanism>");
  const double begin = cpu_of_children();
  const Result result = call_program("check " + chain);
  EXPECT_EQ(result.code, 0) << result.error;
  EXPECT_TRUE(holds(result.out, "3000 degrees of freedom")) << result.out;
  // 0.1 s in release; room for a sanitizer and a slow machine
  EXPECT_LT(cpu_of_children() - begin, 4.0);
}

// A stack larger than the machine's memory for each thread: none can start.
TEST_F(Hostile, ASweepWithoutAThreadIsRefused) {
  const std::string error = (folder_ / "stderr").string();
  const std::string command = "cd '" + kSource + "' && ulimit -s 100000000000 && '" +
                              std::string(SEMIREC_PROGRAM) +
                              "' sweep vehicles/studies/sedan_step.xml --threads 4 --out '" +
                              results() + "' >/dev/null 2>'" + error + "'";
  const int status = std::system(command.c_str());
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 3);
  EXPECT_TRUE(holds(text_of(error), "no thread can be started")) << text_of(error);
}

}  // namespace
}  // namespace semirec::test
