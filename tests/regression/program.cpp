// The program as its users meet it: exit codes, messages of one line, files that are kept.
#include "tests/regression/program.hpp"

#include <chrono>
#include <csignal>
#include <filesystem>
#include <sstream>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace semirec::test {
namespace {

class Program : public ProgramTest {
 protected:
  Result call(const std::string& arguments) const { return call_program(arguments); }
  std::string table() const { return text_of(results() + "/results.csv"); }
  std::string summary() const { return text_of(results() + "/summary.json"); }
};

const std::string kIltis = "vehicles/models/iltis.xml ";
const std::string kRest = "vehicles/scenarios/rest.xml ";
const std::string kPendulum =
    "vehicles/models/double_four_bar.xml vehicles/scenarios/free_10s.xml ";

TEST_F(Program, WritesResultsWithNamesAndUnitsAndASummary) {
  const Result result = call("run " + kIltis + kRest + "--until 0.1 --out " + results());
  EXPECT_EQ(result.code, 0) << result.error;
  std::istringstream lines(table());
  std::string names, units, row;
  std::getline(lines, names);
  std::getline(lines, units);
  std::getline(lines, row);
  EXPECT_EQ(names.rfind("time,chassis.x,chassis.y,chassis.z,chassis.vx", 0), 0U) << names;
  EXPECT_EQ(units.rfind("s,m,m,m,m/s", 0), 0U) << units;
  for (const char* channel : {"wheel_fl.Fz", "wheel_rr.alpha", "shock_fl.length", "arm_joint_rl.z",
                              "carrier_joint_fl.z[2]", "energy.error"})
    EXPECT_TRUE(holds(names, channel)) << channel;
  EXPECT_EQ(count(names, ','), count(units, ','));
  EXPECT_EQ(count(names, ','), count(row, ','));
  for (const char* key :
       {"\"model\"", "\"scenario\"", "\"formulation\"", "\"step\"", "\"topology\"", "\"dof\": 10",
        "\"redundant\": 0", "\"iterations\"", "\"closure\"", "\"energy\"", "\"peaks\"",
        "\"realtime_factor\"", "\"p999\"", "\"status\": \"finished\""})
    EXPECT_TRUE(holds(summary(), key)) << key;
}

TEST_F(Program, NeverReplacesResultsUnlessAsked) {
  ASSERT_EQ(call("run " + kIltis + kRest + "--until 0.05 --out " + results()).code, 0);
  const std::string before = table();
  const Result refused = call("run " + kIltis + kRest + "--until 0.1 --out " + results());
  EXPECT_EQ(refused.code, 3);
  EXPECT_TRUE(holds(refused.error, "--overwrite")) << refused.error;
  EXPECT_EQ(table(), before);
  // a broken file must not cost the old results either, even when asked to replace them
  EXPECT_EQ(
      call("run tests/data/broken/mass_zero.xml " + kRest + "--overwrite --out " + results()).code,
      3);
  EXPECT_EQ(table(), before);
  EXPECT_EQ(call("run " + kIltis + kRest + "--until 0.1 --overwrite --out " + results()).code, 0);
  EXPECT_NE(table(), before);
}

TEST_F(Program, ARunThatBreaksDownKeepsWhatItHasAndSaysWhy) {
  const Result result =
      call("run tests/data/breaks_down.xml tests/data/two_seconds.xml --out " + results());
  EXPECT_EQ(result.code, 4);
  EXPECT_EQ(count(result.error, '\n'), 1) << result.error;
  EXPECT_TRUE(holds(result.error, "t = 1.68")) << result.error;
  EXPECT_TRUE(holds(result.error, "worst closure 'rod'")) << result.error;
  EXPECT_GT(count(table(), '\n'), 100);
  EXPECT_TRUE(holds(summary(), "failed: ")) << summary();
}

TEST_F(Program, AnAttachmentThatCannotCloseEndsTheRunInOneLineAndKeepsWhatThereIs) {
  const Result result = call(
      "run tests/data/switch_pendulum.xml tests/data/broken/"
      "engine_scenario_event_cannot_close.xml --out " +
      results());
  EXPECT_EQ(result.code, 4);
  EXPECT_EQ(count(result.error, '\n'), 1) << result.error;
  // the rod of 1 m has swung from level: its end is off by a chord of its circle
  EXPECT_TRUE(holds(result.error, "event 'grasp': 'grip' cannot be attached: it is open by 1.09 m"))
      << result.error;
  EXPECT_GT(count(table(), '\n'), 400);
  EXPECT_TRUE(holds(summary(), "failed: an event cannot happen")) << summary();
}

TEST_F(Program, EveryFormulationRunsTheSameFileAndSaysSo) {
  for (const std::string formulation :
       {"hybrid", "global", "topological", "recursive", "cartesian"}) {
    const Result result = call(
        "run vehicles/models/puma.xml vehicles/scenarios/puma_manoeuvre.xml "
        "--json --formulation " +
        formulation);
    EXPECT_EQ(result.code, 0) << result.error;
    EXPECT_TRUE(holds(result.out, "\"formulation\": \"" + formulation + "\"")) << result.out;
    EXPECT_TRUE(holds(result.out, "\"event\": \"let_go\"")) << result.out;
    EXPECT_TRUE(holds(result.out, "\"redundant\": 0")) << result.out;
  }
}

TEST_F(Program, AnInterruptKeepsWhatThereIs) {
  const std::string out = results();
  const pid_t child = fork();
  if (child == 0) {
    if (chdir(kSource.c_str()) != 0 || freopen("/dev/null", "w", stdout) == nullptr) _exit(99);
    execl(SEMIREC_PROGRAM, "semirec", "run", "vehicles/models/iltis.xml",
          "vehicles/scenarios/rest.xml", "--until", "100000", "--out", out.c_str(),
          static_cast<char*>(nullptr));
    _exit(99);
  }
  // wait until the run has written something
  const fs::path file = out + "/results.csv";
  for (int k = 0; k < 500 && (!fs::exists(file) || fs::file_size(file) < 10000); ++k)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  kill(child, SIGINT);
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 130);
  EXPECT_TRUE(holds(summary(), "\"interrupted\"")) << summary();
}

TEST_F(Program, AFullDiskKeepsTheRowsThatHadRoomAndTheSummaryTellsSo) {
  // files of 16 KiB and no more; whole rows only
  const std::string error = (folder_ / "error").string();
  const std::string command = "cd '" + kSource + "' && ulimit -f 16 && '" + SEMIREC_PROGRAM +
                              "' run " + kIltis + kRest + "--until 1 --out " + results() +
                              " >/dev/null 2>'" + error + "'";
  const int status = std::system(("bash -c \"" + command + "\"").c_str());
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 5);
  EXPECT_TRUE(holds(text_of(error), "expected room on the disk")) << text_of(error);
  EXPECT_EQ(count(text_of(error), '\n'), 1) << text_of(error);
  EXPECT_TRUE(holds(summary(), "cannot be written")) << summary();
  EXPECT_GT(count(table(), '\n'), 3);
  EXPECT_EQ(table().back(), '\n');
}

TEST_F(Program, InfoExplainsTreeCutsAndRank) {
  const Result result = call("info " + kIltis);
  EXPECT_EQ(result.code, 0);
  for (const char* words : {"carrier_fl", "cut joints", "leaf_tip_fl", "the file asks for it",
                            "coordinates n           26", "closure rows m          16",
                            "degrees of freedom      10", "redundant rows          0"})
    EXPECT_TRUE(holds(result.out, words)) << words;
}

TEST_F(Program, OverridesReachTheFileOrAreRefusedWithTheNearestName) {
  const Result heavy = call("equilibrium " + kIltis + kRest + "--json --set chassis.mass=1360");
  EXPECT_EQ(heavy.code, 0) << heavy.error;
  const Result unknown = call("equilibrium " + kIltis + kRest + "--set chasis.mass=1360");
  EXPECT_EQ(unknown.code, 3);
  EXPECT_TRUE(holds(unknown.error, "--set chasis.mass=1360: element 'chasis'")) << unknown.error;
  EXPECT_TRUE(holds(unknown.error, "'chassis'")) << unknown.error;
}

TEST_F(Program, CutsItsStepsWhereWheelsLeaveTheRoadAndCountsThem) {
  const std::string drive =
      "run vehicles/models/iltis.xml vehicles/scenarios/bump_10.xml --step 0.002 --json ";
  const Result usual = call(drive);
  const Result cut = call(drive + "--cut-contacts");
  ASSERT_EQ(usual.code, 0) << usual.error;
  ASSERT_EQ(cut.code, 0) << cut.error;
  using Json = nlohmann::json;
  EXPECT_FALSE(Json::parse(usual.out).contains("contacts"));
  const Json contacts = Json::parse(cut.out)["contacts"];
  // all four wheels come off and back, stops are hit
  EXPECT_GE(contacts["cuts"].get<long>(), 8);
  EXPECT_GE(contacts["changes"].get<long>(), contacts["cuts"].get<long>());
  EXPECT_LT(contacts["passed"].get<double>(), 0.1 * contacts["cuts"].get<double>());
}

TEST_F(Program, NamesTheSchemeThatDampsAndWhatItHasTaken) {
  const Result plain = call("run " + kPendulum + " --out " + results());
  EXPECT_EQ(plain.code, 0) << plain.error;
  EXPECT_TRUE(holds(summary(), "\"scheme\": {\n    \"name\": \"trapezoid\"\n  }")) << summary();
  EXPECT_FALSE(holds(plain.out, "scheme")) << plain.out;
  EXPECT_FALSE(holds(plain.out, "broken")) << plain.out;
  const Result damped =
      call("run " + kPendulum + " --scheme newmark --gamma 0.9 --overwrite --out " + results());
  EXPECT_EQ(damped.code, 0) << damped.error;
  // beta is (0.9 + 0.5)^2/4 where it is not given
  EXPECT_TRUE(holds(damped.out, "  scheme      newmark (gamma 0.9, beta 0.49)\n")) << damped.out;
  EXPECT_TRUE(holds(damped.out, "  scheme      its damping has taken ")) << damped.out;
  EXPECT_FALSE(holds(damped.out, "broken")) << damped.out;
  EXPECT_TRUE(holds(summary(), "\"gamma\": 0.9")) << summary();
}

/// Input that only the program or the engine can judge: exit code 3 and one line.
struct BadCall {
  std::string arguments;
  std::string words;
};

class ProgramRefuses : public Program, public testing::WithParamInterface<BadCall> {};

TEST_P(ProgramRefuses, InOneLineWithExitCode3) {
  std::string arguments = GetParam().arguments;
  if (arguments.rfind("run", 0) == 0 && !holds(arguments, "--out"))
    arguments += " --out " + results();
  const Result result = call(arguments);
  EXPECT_EQ(result.code, 3) << result.error << result.out;
  EXPECT_EQ(count(result.error, '\n'), 1) << result.error;
  EXPECT_TRUE(holds(result.error, GetParam().words)) << result.error;
  EXPECT_FALSE(fs::exists(results() + "/results.csv"));
}

const std::string kBroken = "tests/data/broken/engine_";

INSTANTIATE_TEST_SUITE_P(
    Input, ProgramRefuses,
    testing::Values(
        BadCall{"check " + kBroken + "rod_too_long.xml",
                "rod_too_long.xml:8: element 'coupler': this loop cannot be assembled: its worst "
                "closure"},
        BadCall{"check " + kBroken + "rods_disagree.xml",
                "contradict one another: 'short_rod', 'long_rod'"},
        BadCall{"check " + kBroken + "drivers_disagree.xml",
                "element 'keep': no velocities satisfy the closures"},
        BadCall{"check " + kBroken + "held_against_rod.xml",
                "element 'stay': this loop cannot be assembled"},
        BadCall{"check " + kBroken + "mass_matrix_singular.xml",
                "element 'spindle': a motion of this joint moves no inertia"},
        BadCall{"check " + kIltis + kBroken + "scenario_unknown_wheel.xml",
                "element 'wheel_xy': the vehicle has no wheel"},
        BadCall{"check " + kIltis + kBroken + "scenario_unknown_input.xml",
                "element 'rak': the vehicle has no input"},
        BadCall{"check " + kIltis + kBroken + "scenario_unknown_marker.xml",
                "element 'nose': the vehicle has no marker"},
        BadCall{"check " + kIltis + kBroken + "scenario_unknown_reaction.xml",
                "element 'arm_joint_xy': the vehicle has no joint"},
        BadCall{"check " + kIltis + kBroken + "scenario_unknown_set.xml",
                "nearest known name is 'leaf_stop_fl'"},
        BadCall{"check vehicles/models/double_four_bar.xml " + kBroken +
                    "scenario_hold_without_chassis.xml",
                "expected a vehicle whose chassis=\"yes\" body"},
        BadCall{"check tests/data/switch_pendulum.xml " + kBroken + "scenario_event_of_nothing.xml",
                "of_nothing.xml:6: element 'grasp': names 'grab', which cannot be switched"},
        BadCall{"check tests/data/switch_pendulum.xml " + kBroken +
                    "scenario_event_watches_nothing.xml",
                "element 'grasp': watches 'hnad.z', which is no number of this model"},
        BadCall{
            "check tests/data/switch_pendulum.xml " + kBroken + "scenario_event_rod_at_current.xml",
            "element 'grasp': attaches 'strut' at=\"current\", expected that on joints only"},
        BadCall{"run " + kIltis + kRest + "--tangent magic",
                "--tangent is 'magic', expected automatic"},
        BadCall{"run " + kIltis + kRest + "--step 5", "--step is 5, expected"},
        BadCall{"run " + kIltis + kRest + "--step 0", "--step is 0, expected"},
        BadCall{"run " + kIltis + kRest + "--step=-0.001", "--step is -0.001, expected"},
        BadCall{"run " + kIltis + kRest + "--step nan", "--step is nan, expected"},
        BadCall{"run " + kIltis + kRest + "--until inf", "--until is inf, expected"},
        BadCall{"run " + kIltis + kRest + "--iterations=-1", "--iterations is -1, expected"},
        BadCall{"run " + kIltis + kRest + "--scheme magic",
                "--scheme is 'magic', expected trapezoid or newmark"},
        BadCall{"run " + kIltis + kRest + "--gamma 0.6",
                "--gamma is given with the scheme trapezoid, expected it with newmark only"},
        BadCall{"run " + kIltis + kRest + "--beta 0.25",
                "--beta is given with the scheme trapezoid, expected it with newmark only"},
        BadCall{"run " + kIltis + kRest + "--scheme newmark --gamma 0.4",
                "--gamma is 0.4, expected at least 0.5"},
        BadCall{"run " + kIltis + kRest + "--scheme newmark --gamma 0.6 --beta 0.3",
                "--beta is 0.3, expected at least (gamma + 1/2)^2/4 = 0.3025"},
        BadCall{"run " + kIltis + kRest +
                    "--scheme nstiff_si2 --closing multipliers --error-tolerance 1e-5",
                "error_tolerance is given with nstiff_si2, whose local error has no estimate here, "
                "expected one of trapezoid, newmark, hht"},
        BadCall{
            "run " + kIltis + kRest + "--scheme linearly_implicit_euler",
            "the scheme 'linearly_implicit_euler' is given with the closing 'penalty': expected "
            "it with 'multipliers' or 'independent' only"},
        BadCall{"run " + kIltis + kRest + "--independent",
                "the closing 'independent' is given with the scheme 'trapezoid': expected it with "
                "'linearly_implicit_euler' only"},
        BadCall{"run " + kIltis + kRest + "--independent --closing multipliers",
                "--independent is given beside --closing multipliers, expected only one"},
        BadCall{"run " + kIltis + kRest + "--iterations 2 --cut-contacts",
                "cut_contacts is given with a fixed number of iterations"},
        BadCall{"run " + kIltis + kRest + "--formulation magic",
                "--formulation is 'magic', expected hybrid, global, topological, recursive or "
                "cartesian"},
        BadCall{"run " + kIltis + kRest + "--euler-parameters classic",
                "--euler-parameters is given with --formulation hybrid, which has none"},
        BadCall{"run " + kIltis + kRest + "--no-reselection",
                "--no-reselection is given with --formulation hybrid, which selects no coordinates,"
                " expected it with topological only"},
        BadCall{"run " + kIltis + kRest + "--formulation recursive --tangent dense",
                "--tangent dense is given with --formulation recursive, which forms no matrix, "
                "expected it with the others only"},
        BadCall{"run " + kIltis + kRest + "--formulation topological --tangent tree",
                "--tangent tree is given with --formulation topological, which factors the matrix "
                "of its independent coordinates, always dense, expected it with the others only"},
        BadCall{"run " + kIltis + kRest + "--estimate printed",
                "--estimate is given with steps of one length, which ask for no estimate, expected "
                "it beside --error-tolerance only"},
        BadCall{"run " + kIltis + kRest + "--formulation cartesian --euler-parameters magic",
                "--euler-parameters is 'magic', expected modified or classic"},
        BadCall{"run " + kIltis + kRest + "--out /proc/no/such",
                "output folder '/proc/no/such': cannot be made"},
        BadCall{"run " + kIltis + kRest + "--out LICENSE", "is a file, expected a folder"},
        BadCall{"run no_such_vehicle.xml " + kRest, "no_such_vehicle.xml: cannot be read"}));

}  // namespace
}  // namespace semirec::test
