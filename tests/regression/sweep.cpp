// The command `sweep`: tables that do not depend on threads, ranks, kills; studies that are wrong.
#include <chrono>
#include <cmath>
#include <csignal>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/regression/program.hpp"

namespace semirec::test {
namespace {

using Json = nlohmann::json;

const std::string kIltis = kSource + "/vehicles/models/iltis.xml";

/// Shocks and mass of the Iltis at rest: some milliseconds a sample.
const std::string kVaried =
    "<vary element=\"chassis\" attribute=\"mass\" factor=\"yes\" as=\"mass\" "
    "distribution=\"normal\" mean=\"1\" deviation=\"0.05\"/>\n"
    "<vary element=\"wheel_f*\" attribute=\"stiffness\" as=\"tyre\" distribution=\"uniform\" "
    "min=\"350000\" max=\"450000\"/>\n";
const std::string kAsk =
    "<response command=\"equilibrium VEHICLE\" quantities=\"chassis.z wheel_*.Fz\"/>\n";

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

class Sweep : public ProgramTest {
 protected:
  std::string write(const std::string& inside, const std::string& vehicle = kIltis,
                    const std::string& name = "study.xml") const {
    std::ofstream(folder_ / name) << "<?xml version=\"1.0\"?>\n<study name=\"test\" version=\"1\" "
                                     "vehicle=\"" +
                                         vehicle + "\">\n" + inside + "</study>\n";
    return (folder_ / name).string();
  }
  std::string small(int count = 12) const {
    return write(kVaried + "<sample count=\"" + std::to_string(count) +
                 "\" seed=\"3\" method=\"latin\"/>\n" + kAsk);
  }
  std::string folder(const std::string& name) const { return (folder_ / name).string(); }
  Result call(const std::string& arguments) const { return call_program("sweep " + arguments); }
  /// `semirec sweep` with each of these arguments in as many ranks.
  Result call_ranks(const std::vector<std::pair<int, std::string>>& calls) const {
    const std::string out = folder("stdout");
    const std::string error = folder("stderr");
    std::string programs;
    for (const auto& [ranks, arguments] : calls)
      programs += (programs.empty() ? "-n " : " : -n ") + std::to_string(ranks) + " '" +
                  SEMIREC_PROGRAM + "' sweep " + arguments;
    const std::string command =
        "cd '" + kSource +
        "' && env -u SLURM_JOBID OMPI_MCA_btl_vader_single_copy_mechanism=none timeout 600 "
        "mpirun --oversubscribe " +
        (geteuid() == 0 ? "--allow-run-as-root " : "") + programs + " >'" + out + "' 2>'" + error +
        "'";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, text_of(out), text_of(error)};
  }
  Result call_ranks(int ranks, const std::string& arguments) const {
    return call_ranks({{ranks, arguments}});
  }
  pid_t start(const std::string& study, const std::string& out) const {
    const pid_t child = fork();
    if (child != 0) return child;
    if (chdir(kSource.c_str()) != 0 || freopen("/dev/null", "w", stdout) == nullptr ||
        freopen("/dev/null", "w", stderr) == nullptr)
      _exit(99);
    execl(SEMIREC_PROGRAM, "semirec", "sweep", study.c_str(), "--out", out.c_str(), "--threads",
          "2", static_cast<char*>(nullptr));
    _exit(99);
  }
  /// What a sweep that was killed leaves in results(): the rows of `whole`, a sweep that was not,
  /// with these indices.
  void leave_rows(const std::string& whole, const std::set<std::string>& kept) const {
    const std::vector<std::string> journal = lines_of(text_of(whole + "/journal.txt"));
    fs::create_directory(results());
    std::ofstream left(results() + "/journal.txt");
    left << journal.front() << '\n';
    for (const std::string& line : journal)
      if (kept.count(line.substr(0, line.find('\t'))) > 0) left << line << '\n';
  }
  /// Until the journal holds so many lines.
  static void wait_for(const std::string& journal, int lines) {
    for (int k = 0; k < 6000 && count(text_of(journal), '\n') < lines; ++k)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
};

bool has_mpirun() { return std::system("mpirun --version > /dev/null 2>&1") == 0; }

TEST_F(Sweep, WritesOneTidyTableWithUnitsAndASummary) {
  const Result result = call(small() + " --out " + results());
  ASSERT_EQ(result.code, 0) << result.error;
  const std::vector<std::string> lines = lines_of(text_of(results() + "/results.csv"));
  ASSERT_EQ(lines.size(), 14U);
  EXPECT_EQ(lines[0],
            "index,mass,tyre,chassis.z,wheel_fl.Fz,wheel_fr.Fz,wheel_rl.Fz,wheel_rr.Fz,status");
  EXPECT_EQ(lines[1], "1,1,N/m,m,N,N,N,N,");
  for (std::size_t k = 2; k < lines.size(); ++k) {
    EXPECT_EQ(lines[k].rfind(std::to_string(k - 2) + ",", 0), 0U) << lines[k];
    EXPECT_EQ(lines[k].substr(lines[k].size() - 3), ",ok") << lines[k];
  }
  const Json answer = Json::parse(text_of(results() + "/answer.json"))["quantities"];
  EXPECT_EQ(answer["samples"]["value"], 12.0);
  EXPECT_EQ(answer["failed"]["value"], 0.0);
  EXPECT_GT(answer["wheel_fl.Fz.correlation.mass"]["value"].get<double>(), 0.999);
  EXPECT_LT(answer["wheel_fl.Fz.min"]["value"].get<double>(),
            answer["wheel_fl.Fz.max"]["value"].get<double>());
  EXPECT_TRUE(fs::exists(results() + "/effect_1_mass.csv"));
  // called again it finds all done and writes the same
  const std::string before = text_of(results() + "/results.csv");
  const Result again = call(small() + " --out " + results());
  EXPECT_EQ(again.code, 0) << again.error;
  EXPECT_TRUE(holds(again.out, "12 samples were there from before")) << again.out;
  EXPECT_EQ(text_of(results() + "/results.csv"), before);
}

TEST_F(Sweep, ARowIsWhatTheCommandItselfAnswers) {
  ASSERT_EQ(call(write("<vary element=\"chassis\" attribute=\"mass\" factor=\"yes\" "
                       "values=\"1 1.1\"/>" +
                       kAsk) +
                 " --out " + results())
                .code,
            0);
  const std::vector<std::string> lines = lines_of(text_of(results() + "/results.csv"));
  ASSERT_EQ(lines.size(), 4U);
  const Result alone = call_program("equilibrium " + kIltis + " --json --set 'chassis.mass=*1.1'");
  ASSERT_EQ(alone.code, 0) << alone.error;
  const Json answer = Json::parse(alone.out)["quantities"];
  std::istringstream cells(lines[3]);
  std::string cell;
  for (int k = 0; k < 3; ++k) std::getline(cells, cell, ',');
  EXPECT_EQ(std::stod(cell), answer["chassis.z"]["value"].get<double>());
}

TEST_F(Sweep, IsTheSameToTheBitWithAnyThreads) {
  const std::string study = small(20);
  ASSERT_EQ(call(study + " --threads 1 --out " + folder("one")).code, 0);
  ASSERT_EQ(call(study + " --threads 2 --out " + folder("two")).code, 0);
  for (const char* file : {"/results.csv", "/answer.json"})
    EXPECT_EQ(text_of(folder("one") + file), text_of(folder("two") + file)) << file;
}

TEST_F(Sweep, IsTheSameToTheBitWithAnyRanks) {
  if (!has_mpirun()) GTEST_SKIP() << "mpirun is not installed";
  const std::string study = small(20);
  ASSERT_EQ(call(study + " --threads 2 --out " + folder("none")).code, 0);
  for (const int ranks : {1, 2, 4}) {
    const std::string out = folder("ranks" + std::to_string(ranks));
    const Result result = call_ranks(ranks, study + " --out " + out);
    ASSERT_EQ(result.code, 0) << result.error;
    EXPECT_TRUE(holds(result.out, std::to_string(ranks) + (ranks == 1 ? " rank" : " ranks")))
        << result.out;
    for (const char* file : {"/results.csv", "/answer.json"})
      EXPECT_EQ(text_of(folder("none") + file), text_of(out + file)) << ranks << file;
  }
  // a rank that does not see the study says so and leaves; the others do its part
  const std::string into = " --out " + folder("without");
  const Result without = call_ranks({{1, study + into}, {1, "nowhere.xml" + into}});
  EXPECT_EQ(without.code, 3);
  EXPECT_TRUE(holds(without.error, "sweep: rank 1 leaves: ")) << without.error;
  EXPECT_EQ(text_of(folder("none") + "/results.csv"), text_of(folder("without") + "/results.csv"));
  // a wrong study is one line, and all ranks end
  const Result wrong = call_ranks(2, write("", kIltis, "wrong.xml") + " --out " + folder("wrong"));
  EXPECT_NE(wrong.code, 0);
  EXPECT_TRUE(holds(wrong.error, "varies nothing")) << wrong.error;
  EXPECT_FALSE(fs::exists(folder("wrong")));
}

TEST_F(Sweep, KilledInTheMiddleItGoesOnWithoutALostOrDoubledSample) {
  const std::string study = small(200);
  const std::string journal = results() + "/journal.txt";
  const pid_t child = start(study, results());
  wait_for(journal, 20);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  const auto kept = count(text_of(journal), '\n') - 1;
  ASSERT_GE(kept, 10);
  ASSERT_LT(kept, 200);
  EXPECT_FALSE(fs::exists(results() + "/results.csv"));
  // and the last line torn
  std::ofstream(journal, std::ios::app) << "77\tok\t0.5";
  const Result resumed = call(study + " --out " + results());
  ASSERT_EQ(resumed.code, 0) << resumed.error;
  EXPECT_TRUE(holds(resumed.out, std::to_string(kept) + " samples were there from before"))
      << resumed.out;
  std::set<std::string> seen;
  for (const std::string& line : lines_of(text_of(journal)))
    EXPECT_TRUE(seen.insert(line.substr(0, line.find('\t'))).second) << line;
  EXPECT_EQ(seen.size(), 201U);
  ASSERT_EQ(call(study + " --out " + folder("whole")).code, 0);
  EXPECT_EQ(text_of(results() + "/results.csv"), text_of(folder("whole") + "/results.csv"));
}

TEST_F(Sweep, AnInterruptKeepsWhatIsDone) {
  const pid_t child = start(small(100000), results());
  wait_for(results() + "/journal.txt", 5);
  kill(child, SIGINT);
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 130);
  EXPECT_GE(count(text_of(results() + "/journal.txt"), '\n'), 5);
  EXPECT_FALSE(fs::exists(results() + "/results.csv"));
}

TEST_F(Sweep, AJournalOfAnotherStudyIsLeftAlone) {
  ASSERT_EQ(call(small(4) + " --out " + results()).code, 0);
  const std::string before = text_of(results() + "/journal.txt");
  const Result other = call(small(5) + " --out " + results());
  EXPECT_EQ(other.code, 3);
  EXPECT_EQ(count(other.error, '\n'), 1) << other.error;
  EXPECT_TRUE(holds(other.error, "--overwrite")) << other.error;
  EXPECT_EQ(text_of(results() + "/journal.txt"), before);
  EXPECT_EQ(call(small(5) + " --overwrite --out " + results()).code, 0);
  EXPECT_EQ(count(text_of(results() + "/results.csv"), '\n'), 7);
}

// --overwrite begins anew: nothing of the earlier study stays beside the new one
TEST_F(Sweep, WhatIsOverwrittenLeavesNothing) {
  ASSERT_EQ(call(small(4) + " --out " + results()).code, 0);
  ASSERT_TRUE(fs::exists(results() + "/effect_2_tyre.csv"));
  std::ofstream(results() + "/mine.csv") << "kept";
  const std::string other = write(
      "<vary element=\"chassis\" attribute=\"mass\" values=\"1200 1300\" as=\"m\"/>\n" + kAsk);
  ASSERT_EQ(call(other + " --overwrite --out " + results()).code, 0);
  EXPECT_TRUE(fs::exists(results() + "/effect_1_m.csv"));
  EXPECT_FALSE(fs::exists(results() + "/effect_1_mass.csv"));
  EXPECT_FALSE(fs::exists(results() + "/effect_2_tyre.csv"));
  EXPECT_TRUE(fs::exists(results() + "/mine.csv"));
  // another answer in its own folder, too
  const std::string kc = " kc " + kSource + "/vehicles/models/sedan.xml --out " + folder("kc");
  ASSERT_EQ(call_program(kc).code, 0);
  ASSERT_TRUE(fs::exists(folder("kc") + "/rear_parallel.csv"));
  ASSERT_EQ(call_program(kc + " --axle front --overwrite").code, 0);
  EXPECT_TRUE(fs::exists(folder("kc") + "/front_parallel.csv"));
  EXPECT_FALSE(fs::exists(folder("kc") + "/rear_parallel.csv"));
}

// the sedan has bushings in one of its forms alone
TEST_F(Sweep, NamesAreThoseOfAllFormsOfTheCar) {
  const std::string form =
      "<vary element=\"form\" attribute=\"value\" values=\"ideal bushing\" as=\"form\"/>";
  const Result result = call(write(form + "<response command=\"equilibrium VEHICLE\" "
                                          "quantities=\"chassis.z front_bushing_arm_*.dx\"/>",
                                   kSource + "/vehicles/models/sedan.xml") +
                             " --out " + results());
  ASSERT_EQ(result.code, 0) << result.error;
  const std::vector<std::string> lines = lines_of(text_of(results() + "/results.csv"));
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_TRUE(holds(lines[0], "front_bushing_arm_")) << lines[0];
  EXPECT_TRUE(holds(lines[2], ",,")) << lines[2];
  EXPECT_FALSE(holds(lines[3], ",,")) << lines[3];
  const std::vector<std::string> effects = lines_of(text_of(results() + "/effect_1_form.csv"));
  ASSERT_EQ(effects.size(), 4U);
  EXPECT_EQ(effects[2].rfind("ideal,0,1,", 0), 0U) << effects[2];
  EXPECT_EQ(effects[3].rfind("bushing,1,1,", 0), 0U) << effects[3];
}

TEST_F(Sweep, OtherAnswersAreNotReplaced) {
  ASSERT_EQ(call_program("equilibrium " + kIltis + " --out " + results()).code, 0);
  const std::string before = text_of(results() + "/answer.json");
  EXPECT_EQ(call(small(4) + " --out " + results()).code, 3);
  EXPECT_EQ(text_of(results() + "/answer.json"), before);
}

TEST_F(Sweep, AFullDiskIsReportedAndTheJournalStaysWhole) {
  const std::string study = small(200);
  // a journal of 3000 bytes and no more
  const std::string command = "cd '" + kSource + "' && trap '' XFSZ; ulimit -f 3; '" +
                              SEMIREC_PROGRAM + "' sweep " + study + " --threads 2 --out " +
                              results() + " 2>'" + folder("error") + "'";
  const int status = std::system(("bash -c \"" + command + "\"").c_str());
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 5);
  EXPECT_TRUE(holds(text_of(folder("error")), "expected room on the disk"));
  const std::string journal = text_of(results() + "/journal.txt");
  ASSERT_FALSE(journal.empty());
  EXPECT_EQ(journal.back(), '\n');
  const Result resumed = call(study + " --out " + results());
  EXPECT_EQ(resumed.code, 0) << resumed.error;
  EXPECT_EQ(count(text_of(results() + "/results.csv"), '\n'), 202);
}

TEST_F(Sweep, FailedSamplesAreRowsWithAReason) {
  // tyres bear no 10 000 t
  const Result result =
      call(write("<vary element=\"chassis\" attribute=\"mass\" values=\"1260 1e7\" as=\"mass\"/>" +
                 kAsk) +
           " --out " + results());
  EXPECT_EQ(result.code, 0) << result.error;
  const std::vector<std::string> lines = lines_of(text_of(results() + "/results.csv"));
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_TRUE(holds(lines[2], ",ok")) << lines[2];
  EXPECT_EQ(lines[3].rfind("1,1e+07,,,,,,", 0), 0U) << lines[3];
  EXPECT_TRUE(holds(lines[3], "no static equilibrium")) << lines[3];
  const Json answer = Json::parse(text_of(results() + "/answer.json"));
  EXPECT_EQ(answer["quantities"]["failed"]["value"], 1.0);
}

// Modes change their names with the car: what '*' has brought in and a car lacks is an empty cell,
// what is named in full is a reason to fail.
TEST_F(Sweep, ANameThatAStarHasBroughtInMayBeMissing) {
  const Result open = call(
      write("<vary element=\"damping_fl damping_fr damping_rl damping_rr\" attribute=\"value\" "
            "factor=\"yes\" as=\"d\" values=\"0.6 1 1.2 6\"/>"
            "<response command=\"modes VEHICLE\" quantities=\"*.damping_ratio\"/>",
            kSource + "/vehicles/models/sedan.xml") +
      " --out " + results());
  EXPECT_EQ(open.code, 0) << open.error;
  const std::vector<std::string> lines = lines_of(text_of(results() + "/results.csv"));
  ASSERT_EQ(lines.size(), 6U);
  bool missing = false;
  for (std::size_t k = 2; k < lines.size(); ++k) {
    EXPECT_TRUE(holds(lines[k], ",ok")) << lines[k];
    missing = missing || holds(lines[k], ",,");
  }
  EXPECT_TRUE(missing) << "no name changes, so that nothing is tried";
  // six times the damping: motions that have no name in the car as it is
  EXPECT_TRUE(holds(open.out + open.error, "the table has no columns for")) << open.out;
}

TEST_F(Sweep, WhereAllSamplesFailTheProgramSaysSoAndKeepsTheRows) {
  const Result result =
      call(write("<vary element=\"chassis\" attribute=\"mass\" values=\"1e7 2e7\" "
                 "as=\"mass\"/>" +
                 kAsk) +
           " --out " + results());
  EXPECT_EQ(result.code, 4);
  EXPECT_TRUE(holds(result.error, "all 2 samples failed")) << result.error;
  EXPECT_EQ(count(text_of(results() + "/results.csv"), '\n'), 4);
}

TEST_F(Sweep, ARunIsAResponseAndSeveralHaveNames) {
  const Result result = call(
      write("<vary element=\"wheel_f*\" attribute=\"stiffness\" values=\"4e5 5e5\" as=\"tyre\"/>"
            "<response as=\"rest\" command=\"equilibrium VEHICLE\" quantities=\"chassis.z\"/>"
            "<response as=\"kerb\" command=\"run VEHICLE " +
            kSource +
            "/vehicles/scenarios/bump_5.xml --until 0.5 --every 0.01 --channels chassis.*\" "
            "quantities=\"chassis.az.peak chassis.az.peak_time chassis.z.last\"/>") +
      " --out " + results());
  ASSERT_EQ(result.code, 0) << result.error;
  const std::vector<std::string> lines = lines_of(text_of(results() + "/results.csv"));
  EXPECT_EQ(lines[0],
            "index,tyre,rest.chassis.z,kerb.chassis.az.peak,kerb.chassis.az.peak_time,"
            "kerb.chassis.z.last,status");
  EXPECT_EQ(lines[1], "1,N/m,m,m/s^2,s,m,");
}

// What `run` says of steps that do not follow the motion reaches the summary: of steps that do not
// settle for each car, of energies that do not add up for the vehicle as it is.
TEST_F(Sweep, CountsWhatItsRunsNote) {
  const auto notes_with = [&](const std::string& limits) {
    const Result result =
        call(write("<vary element=\"chassis\" attribute=\"mass\" values=\"1260 1400\"/>"
                   "<response command=\"run VEHICLE " +
                   kSource + "/vehicles/scenarios/bump_10.xml --until 2 " + limits +
                   " --channels chassis.z\" quantities=\"chassis.z.last\"/>") +
             " --json --overwrite --out " + results());
    EXPECT_EQ(result.code, 0) << result.error;
    return Json::parse(result.out).at("notes").dump();
  };
  EXPECT_THAT(notes_with("--step 0.01"),
              testing::HasSubstr("[\"the vehicle as it is: the energy balance is off by"));
  EXPECT_THAT(notes_with("--step 0.02 --iterations 2"),
              testing::HasSubstr("steps ended with a correction or a closure above"));
  EXPECT_EQ(notes_with("--step 0.0005"), "[]");
}

// Runs go side by side, several samples at once: with any threads and ranks, and with whatever rows
// a killed sweep has left of those that go together.
TEST_F(Sweep, RunsAreTheSameToTheBitWhereverASweepWasStopped) {
  const std::string study =
      write(kVaried +
            "<sample count=\"19\" seed=\"3\" method=\"latin\"/>\n<response command=\"run VEHICLE " +
            kSource +
            "/vehicles/scenarios/bump_5.xml --until 0.6 --every 0.01 --channels chassis.*\" "
            "quantities=\"chassis.az.peak chassis.z.last\"/>");
  ASSERT_EQ(call(study + " --threads 1 --out " + folder("one")).code, 0);
  const std::string table = text_of(folder("one") + "/results.csv");
  EXPECT_EQ(lines_of(table).size(), 21U);
  ASSERT_EQ(call(study + " --threads 3 --out " + folder("three")).code, 0);
  EXPECT_EQ(text_of(folder("three") + "/results.csv"), table);
  if (has_mpirun()) {
    ASSERT_EQ(call_ranks(3, study + " --out " + folder("ranks")).code, 0);
    EXPECT_EQ(text_of(folder("ranks") + "/results.csv"), table);
  }
  // some rows of the first group, all of the second, one of the last
  leave_rows(folder("one"), {"2", "5", "8", "9", "10", "11", "12", "13", "14", "15", "17"});
  const Result resumed = call(study + " --out " + results());
  ASSERT_EQ(resumed.code, 0) << resumed.error;
  EXPECT_TRUE(holds(resumed.out, "11 samples were there from before")) << resumed.out;
  EXPECT_TRUE(holds(resumed.out, "for 8 samples")) << resumed.out;
  EXPECT_EQ(text_of(results() + "/results.csv"), table);
  EXPECT_EQ(lines_of(text_of(results() + "/journal.txt")).size(), 20U);
}

// Manoeuvres go side by side, too, each in as many drives as it takes: with any threads, ranks, and
// whatever rows a killed sweep has left; one car has no start.
TEST_F(Sweep, ManoeuvresAreWhatTheCommandAnswersToTheBitWhereverASweepWasStopped) {
  const std::string study = write(
      "<vary element=\"chassis\" attribute=\"mass\" as=\"mass\" "
      "values=\"1100 1300 1e7 1150 1200 1250 1350 1400 1450 1500\"/>\n"
      "<response command=\"manoeuvre single_sine VEHICLE --quick --with settle=2 "
      "--with steering_wheel=0.4\" quantities=\"yaw_rate.* steering_wheel\"/>",
      kSource + "/vehicles/models/sedan.xml");
  ASSERT_EQ(call(study + " --threads 1 --out " + folder("one")).code, 0);
  const std::string table = text_of(folder("one") + "/results.csv");
  const std::vector<std::string> lines = lines_of(table);
  ASSERT_EQ(lines.size(), 12U) << table;
  EXPECT_TRUE(holds(lines[4], "no static equilibrium")) << lines[4];
  ASSERT_EQ(call(study + " --threads 2 --out " + folder("two")).code, 0);
  EXPECT_EQ(text_of(folder("two") + "/results.csv"), table);
  if (has_mpirun()) {
    ASSERT_EQ(call_ranks(2, study + " --out " + folder("ranks")).code, 0);
    EXPECT_EQ(text_of(folder("ranks") + "/results.csv"), table);
  }
  // some rows of the first group, one of the last
  leave_rows(folder("one"), {"0", "2", "5", "9"});
  const Result resumed = call(study + " --out " + results());
  ASSERT_EQ(resumed.code, 0) << resumed.error;
  EXPECT_TRUE(holds(resumed.out, "4 samples were there from before")) << resumed.out;
  EXPECT_EQ(text_of(results() + "/results.csv"), table);
  // expected: the command's own answer, of a car that drives alone
  const Result alone = call_program("manoeuvre single_sine " + kSource +
                                    "/vehicles/models/sedan.xml --quick "
                                    "--with settle=2 --with steering_wheel=0.4 "
                                    "--set chassis.mass=1300 --json");
  ASSERT_EQ(alone.code, 0) << alone.error;
  const Json answer = Json::parse(alone.out);
  std::istringstream names(lines[0]);
  std::istringstream cells(lines[3]);
  std::string name;
  std::string cell;
  int compared = 0;
  while (std::getline(names, name, ',') && std::getline(cells, cell, ',')) {
    if (!answer["quantities"].contains(name)) continue;
    const double expected = answer["quantities"][name]["value"].get<double>();
    EXPECT_NEAR(std::stod(cell), expected, 1e-9 * std::abs(expected)) << name;
    ++compared;
  }
  EXPECT_EQ(compared, 8) << table;
}

TEST_F(Sweep, RunsTakeSchemesAndStepsOfALengthOfTheirOwn) {
  const std::string run = "run VEHICLE " + kSource +
                          "/vehicles/scenarios/bump_5.xml --until 0.3 --channels chassis.z --every "
                          "0.01 --scheme hht --alpha -0.1 ";
  const std::string ask = "\" quantities=\"chassis.z.last\"/>";
  const Result result =
      call(write("<vary element=\"wheel_f*\" attribute=\"stiffness\" values=\"4e5\" as=\"tyre\"/>"
                 "<response as=\"equal\" command=\"" +
                 run + ask + "<response as=\"own\" command=\"" + run + "--error-tolerance 1e-5" +
                 ask + "<response as=\"cut\" command=\"" + run + "--cut-contacts" + ask) +
           " --out " + results());
  ASSERT_EQ(result.code, 0) << result.error;
  const std::vector<std::string> lines = lines_of(text_of(results() + "/results.csv"));
  EXPECT_EQ(lines[0],
            "index,tyre,equal.chassis.z.last,own.chassis.z.last,cut.chassis.z.last,status");
  std::istringstream cells(lines[2]);
  std::string cell;
  std::vector<double> z;
  for (int k = 0; k < 5; ++k) {
    std::getline(cells, cell, ',');
    if (k > 1) z.push_back(std::stod(cell));
  }
  // the same motion, by other steps
  EXPECT_NEAR(z[1], z[0], 1e-4);
  EXPECT_NE(z[1], z[0]);
  EXPECT_NEAR(z[2], z[0], 1e-4);
}

TEST_F(Sweep, AWrongStudyIsOneLineAndNothingIsWritten) {
  const std::string grid = "<vary element=\"chassis\" attribute=\"mass\" values=\"1000 1200\"/>";
  struct Wrong {
    std::string inside, expected;
  };
  const std::vector<Wrong> all{
      {"<vary element=\"chasis\" attribute=\"mass\" values=\"1\"/>" + kAsk, "'chassis'"},
      {"<vary element=\"chassis\" attribute=\"mas\" values=\"1\"/>" + kAsk, "'mass'"},
      {"<vary element=\"chassis\" attribute=\"mass\" values=\"1000 -1\"/>" + kAsk, "above zero"},
      {"<vary element=\"chassis\" attribute=\"products\" factor=\"yes\" values=\"2\"/>" + kAsk,
       "no value of its own"},
      {grid + "<response command=\"equilibrum VEHICLE\" quantities=\"*\"/>", "'equilibrium'"},
      {grid + "<response command=\"equilibrium VEHICLE --sped 3\" quantities=\"*\"/>",
       "not understood"},
      {grid + "<response command=\"equilibrium VEHICLE --help\" quantities=\"*\"/>",
       "not understood"},
      {grid + "<response command=\"equilibrium VEHICLE\" quantities=\"chasis.z\"/>", "'chassis.z'"},
      {grid + "<response command=\"equilibrium VEHICLE none.xml\" quantities=\"*\"/>",
       "cannot be read"},
      {grid + "<response command=\"run VEHICLE\" quantities=\"*\"/>", "SCENARIO"},
      {grid + "<response command=\"run VEHICLE vehicles/scenarios/rest.xml --until -1\" "
              "quantities=\"*\"/>",
       "element 'run': attribute 'command': --until is -1"},
      {grid + "<response command=\"manoeuvre step_ster VEHICLE\" quantities=\"*\"/>",
       "element 'manoeuvre': attribute 'command': manoeuvre 'step_ster' is not known, nearest "
       "known name is 'step_steer'"},
      {grid + "<response command=\"run VEHICLE vehicles/scenarios/rest.xml --channels zz\" "
              "quantities=\"*\"/>",
       "no channel"},
      {grid + "<response command=\"run VEHICLE vehicles/scenarios/rest.xml --error-tolerance 2\" "
              "quantities=\"*\"/>",
       "--error-tolerance is 2"},
      {grid, "asks nothing"},
      {kAsk, "varies nothing"},
  };
  for (const Wrong& wrong : all) {
    const Result result = call(write(wrong.inside) + " --out " + results());
    EXPECT_EQ(result.code, 3) << wrong.inside;
    EXPECT_EQ(count(result.error, '\n'), 1) << result.error;
    EXPECT_TRUE(holds(result.error, wrong.expected)) << result.error;
    EXPECT_EQ(result.out, "");
    EXPECT_FALSE(fs::exists(results())) << wrong.inside;
  }
  EXPECT_EQ(call(write(grid + kAsk, "none.xml") + " --out " + results()).code, 3);
  EXPECT_EQ(call("none.xml --out " + results()).code, 3);
  EXPECT_EQ(call(small() + " --threads -1 --out " + results()).code, 3);
  EXPECT_EQ(call(small()).code, 2);
  EXPECT_FALSE(fs::exists(results()));
}

}  // namespace
}  // namespace semirec::test
