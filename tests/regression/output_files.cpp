// What the program writes: nothing is written over or lost, and what cannot be written is said.
#include <csignal>
#include <cstring>
#include <fstream>
#include <string>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "tests/regression/program.hpp"

namespace semirec::test {
namespace {

const std::string kBars = "vehicles/models/double_four_bar.xml vehicles/scenarios/free_10s.xml ";
const std::string kSedan = "vehicles/models/sedan.xml ";

class OutputFiles : public ProgramTest {
 protected:
  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  /// A study of four samples.
  std::string study() const {
    write("study.xml",
          "<?xml version=\"1.0\"?>\n<study name=\"test\" version=\"1\" vehicle=\"" + kSource +
              "/vehicles/models/iltis.xml\">\n<vary element=\"chassis\" attribute=\"mass\" "
              "as=\"mass\" distribution=\"uniform\" min=\"1200\" max=\"1400\"/>\n"
              "<sample count=\"4\" seed=\"3\" method=\"latin\"/>\n"
              "<response command=\"equilibrium VEHICLE\" quantities=\"chassis.z\"/>\n</study>\n");
    return path("study.xml");
  }
  /// The exit code of a shell command called from the source folder; what is on stderr in `error`.
  int shell(const std::string& command, std::string& error) const {
    const std::string script = path("script");
    std::ofstream(script) << "cd '" << kSource << "'\nsemirec='" << SEMIREC_PROGRAM << "'\n"
                          << command << "\n";
    const int status = std::system(("bash '" + script + "' 2>'" + path("error") + "'").c_str());
    error = text_of(path("error"));
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
};

TEST_F(OutputFiles, OfTwoProgramsThatWriteOneNewFolderAtOnceOneDoes) {
  // tries: on two cores one in 10 to 100 ended with both of them in one folder
  constexpr int kTries = 120;
  for (int k = 0; k < kTries; ++k) {
    const std::string out = path("at_once_" + std::to_string(k));
    pid_t children[2] = {};
    std::fflush(stdout);
    for (pid_t& child : children) {
      child = fork();
      if (child != 0) continue;
      if (chdir(kSource.c_str()) != 0 || freopen("/dev/null", "w", stdout) == nullptr ||
          freopen("/dev/null", "w", stderr) == nullptr)
        _exit(99);
      execl(SEMIREC_PROGRAM, "semirec", "run", "vehicles/models/double_four_bar.xml",
            "vehicles/scenarios/free_10s.xml", "--until", "0.05", "--out", out.c_str(),
            static_cast<char*>(nullptr));
      _exit(99);
    }
    int done = 0;
    int refused = 0;
    for (const pid_t child : children) {
      int status = 0;
      waitpid(child, &status, 0);
      done += WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 1 : 0;
      refused += WIFEXITED(status) && WEXITSTATUS(status) == 3 ? 1 : 0;
    }
    ASSERT_EQ(done, 1) << "try " << k;
    ASSERT_EQ(refused, 1) << "try " << k;
    // two rows of names and units, t = 0 to 0.05 in steps of 0.01
    EXPECT_EQ(count(text_of(out + "/results.csv"), '\n'), 8);
    std::size_t files = 0;
    for ([[maybe_unused]] const auto& entry : fs::directory_iterator(out)) ++files;
    EXPECT_EQ(files, 2U);
  }
}

/// A command that would write over a file of mine.
struct Overwriting {
  std::string command;
  std::string mine;
};

class OutputFilesKeep : public OutputFiles, public testing::WithParamInterface<Overwriting> {};

TEST_P(OutputFilesKeep, WhatIsThere) {
  write("results/" + GetParam().mine, "mine");
  std::string command = GetParam().command;
  if (command == "sweep") command += " " + study();
  const Result result = call_program(command + " --out " + results());
  EXPECT_EQ(result.code, 3) << result.error;
  EXPECT_EQ(count(result.error, '\n'), 1) << result.error;
  EXPECT_TRUE(holds(result.error, "--overwrite")) << result.error;
  EXPECT_EQ(text_of(results() + "/" + GetParam().mine), "mine");
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator(results())) ++files;
  EXPECT_EQ(files, 1U);
}

INSTANTIATE_TEST_SUITE_P(
    Commands, OutputFilesKeep,
    testing::Values(
        Overwriting{"run " + kBars + "--until 0.05", "results.csv"},
        Overwriting{"run " + kBars + "--until 0.05", "summary.json"},
        Overwriting{"manoeuvre coast_down " + kSedan + "--quick", "history.csv"},
        Overwriting{"manoeuvre coast_down " + kSedan + "--quick", "picture.svg"},
        Overwriting{"modes " + kSedan, "A.csv"}, Overwriting{"modes " + kSedan, "D.csv"},
        Overwriting{"modes " + kSedan, "modes.csv"}, Overwriting{"modes " + kSedan, "modes.gltf"},
        Overwriting{"kc " + kSedan + "--axle front --test parallel", "front_parallel.csv"},
        Overwriting{"equilibrium " + kSedan, "answer.json"}, Overwriting{"sweep", "results.csv"},
        Overwriting{"sweep", "effect_mass.csv"}, Overwriting{"sweep", "journal.txt"},
        Overwriting{"sweep", "picture.svg"},
        Overwriting{"compare " + kBars + "--until 0.05 --repeat 1", "compare.csv"},
        Overwriting{"compare " + kBars + "--until 0.05 --repeat 1", "compare.json"}));

TEST_F(OutputFiles, APartOfSomebodyElseIsLeftAlone) {
  write("report.json.part", "mine");
  const Result result = call_program(
      "realtime vehicles/models/car26.xml vehicles/scenarios/shaker.xml --priority 0 "
      "--duration 0.05 --max-overruns 100 --out " +
      path("report.json"));
  EXPECT_EQ(result.code, 0) << result.error;
  EXPECT_EQ(text_of(path("report.json.part")), "mine");
  EXPECT_TRUE(holds(text_of(path("report.json")), "timings_us"));
}

// The folder is claimed before the work; where the input is bad, it goes again.
TEST_F(OutputFiles, BadInputLeavesNoFolderBehind) {
  write("bad.xml", "<vehicle name='bad' version='1'><body nmae='a'/></vehicle>");
  for (const char* command :
       {"kc", "equilibrium", "modes", "fit bicycle --speed 20", "manoeuvre step_steer"}) {
    const Result result = call_program(std::string(command) + " '" + path("bad.xml") + "' --out '" +
                                       path("out") + "'");
    EXPECT_EQ(result.code, 3) << command << '\n' << result.error;
    EXPECT_FALSE(fs::exists(path("out"))) << command;
  }
  // what was there stays
  fs::create_directories(path("out"));
  EXPECT_EQ(call_program("kc '" + path("bad.xml") + "' --out '" + path("out") + "'").code, 3);
  EXPECT_TRUE(fs::exists(path("out")));
}

// --overwrite is for what a run has written, not for what it reads.
TEST_F(OutputFiles, WhatIsReadIsNeverWrittenOver) {
  const std::string text =
      "<scenario name='s' version='1'><run step='0.001' until='0.01'/></scenario>";
  write("s.xml", text);
  const std::string run =
      "run vehicles/models/double_four_bar.xml '" + path("s.xml") + "' --overwrite ";
  for (const std::string& given :
       {"--report '" + path("s.xml") + "'", "--gltf '" + path("./s.xml") + "'",
        "--report '" + path("both") + "' --gltf '" + path("both") + "'"}) {
    const Result result = call_program(run + given);
    EXPECT_EQ(result.code, 3) << given << result.error;
    EXPECT_NE(result.error.find("expected"), std::string::npos) << result.error;
  }
  EXPECT_EQ(text_of(path("s.xml")), text);
  EXPECT_FALSE(fs::exists(path("both")));
}

// The folder of --out gets tables, summaries and pictures of the command's own.
TEST_F(OutputFiles, NoOtherOptionWritesWhatItsFolderGets) {
  const std::string run =
      "run vehicles/models/double_four_bar.xml vehicles/scenarios/let_go.xml --until 0.01 --out '" +
      path("out") + "' --overwrite ";
  for (const std::string& given :
       {"--report '" + path("out/results.csv") + "'", "--gltf '" + path("out/summary.json") + "'",
        "--report '" + path("./out/results.h5") + "' --format hdf5,csv",
        "--report '" + path("out/journal.txt") + "'"}) {
    const Result result = call_program(run + given);
    EXPECT_EQ(result.code, 3) << given << result.error;
    EXPECT_NE(result.error.find("in the folder of --out, which is for the command's own files"),
              std::string::npos)
        << result.error;
    EXPECT_FALSE(fs::exists(path("out"))) << given;
  }
  fs::create_directory(path("out"));
  // a page that is a link to a table
  write("out/results.csv", "time");
  fs::create_symlink("results.csv", path("out/link.html"));
  EXPECT_EQ(call_program(run + "--report '" + path("out/link.html") + "'").code, 3);
  EXPECT_EQ(call_program(run + "--report '" + path("out/page.html") + "' --gltf '" +
                         path("out/scene.glb") + "'")
                .code,
            0);
}

// The files of an FMU are its own: a user's lie there under the same names.
TEST_F(OutputFiles, AnUnpackedFmuReplacesNoFileThatItIsNotTold) {
  const std::string text =
      "<mechanism name='m' version='1'><body name='b' mass='1' com='0 0 0' inertia='1 1 1'/>"
      "<joint name='j' type='revolute' a='ground' b='b' point='0 0 1' axis='0 1 0'/></mechanism>";
  fs::create_directories(path("fmu/resources/models"));
  fs::create_directories(path("fmu/resources/scenarios"));
  write("fmu/resources/scenarios/s.xml",
        "<scenario name='s' version='1'><run step='0.001' until='0.01'/></scenario>");
  const std::string source = "fmu/resources/models/m.xml";
  write(source, text);
  const std::string out = "export fmu '" + path(source) + "' '" +
                          path("fmu/resources/scenarios/s.xml") + "' --unpacked '" + path("fmu") +
                          "' ";
  for (const std::string overwrite : {"", "--overwrite"}) {
    const Result result = call_program(out + overwrite);
    EXPECT_EQ(result.code, 3) << result.error;
    EXPECT_NE(result.error.find("is no saved description, expected another folder"),
              std::string::npos)
        << result.error;
    EXPECT_EQ(text_of(path(source)), text);
  }
  write("m.xml", text);
  fs::create_directories(path("other/documentation/licenses"));
  write("other/documentation/licenses/license.txt", "mine");
  const std::string other = "export fmu '" + path("m.xml") +
                            "' vehicles/scenarios/let_go.xml --unpacked '" + path("other") + "' ";
  const auto refuses = [&](const std::string& call, const std::string& words) {
    const Result result = call_program(call);
    EXPECT_EQ(result.code, 3) << result.error;
    EXPECT_NE(result.error.find(words), std::string::npos) << result.error;
    EXPECT_FALSE(fs::exists(path("other/modelDescription.xml")));
  };
  // what is no file is never replaced, and nothing is written before it is found
  fs::create_directories(path("other/resources/semirec.txt"));
  refuses(other + "--overwrite", "semirec.txt: is no file, expected one or a free name");
  fs::remove_all(path("other/resources"));
  write("other/resources", "a file");
  refuses(other + "--overwrite", "resources: is no folder, expected one or a free name");
  fs::remove(path("other/resources"));
  refuses(other, "license.txt: is already there");
  EXPECT_EQ(text_of(path("other/documentation/licenses/license.txt")), "mine");
  EXPECT_EQ(call_program(other + "--overwrite").code, 0);
  EXPECT_TRUE(fs::exists(path("other/modelDescription.xml")));
  // a folder whose name ends in a slash, and one that is not there yet
  EXPECT_EQ(call_program("export fmu '" + path("m.xml") +
                         "' vehicles/scenarios/let_go.xml --unpacked '" + path("new") + "/'")
                .code,
            0);
  EXPECT_TRUE(fs::exists(path("new/modelDescription.xml")));
}

// What a description includes is read, too; so is what lies in the folder of the results.
TEST_F(OutputFiles, WhatADescriptionIncludesIsNeverWrittenOver) {
  const std::string part =
      "<mechanism name='part' version='1'><body name='b' mass='1' com='0 0 0' inertia='1 1 1'/>"
      "<joint name='j' type='revolute' a='ground' b='b' point='0 0 1' axis='0 1 0'/></mechanism>";
  write("part.xml", part);
  write("whole.xml", "<mechanism name='whole' version='1'><include file='part.xml'/></mechanism>");
  const std::string ask = "equilibrium '" + path("whole.xml") + "' --overwrite --report '";
  const Result result = call_program(ask + path("part.xml") + "'");
  EXPECT_EQ(result.code, 3) << result.error;
  EXPECT_NE(result.error.find("which is read too"), std::string::npos) << result.error;
  EXPECT_EQ(text_of(path("part.xml")), part);
  EXPECT_EQ(call_program(ask + path("other.html") + "'").code, 0);
  fs::create_directory(path("results"));
  write("results/s.csv",
        "<scenario name='s' version='1'><run step='0.001' until='0.01'/></scenario>");
  const std::string run =
      "run '" + path("whole.xml") + "' '" + path("results/s.csv") + "' --overwrite --out '";
  EXPECT_EQ(call_program(run + path("results") + "'").code, 3);
  EXPECT_EQ(call_program(run + path("elsewhere") + "'").code, 0);
}

// The results that a report reads are none of its pages.
TEST_F(OutputFiles, AReportIsNeverWrittenOverItsResults) {
  const std::string bars = "run vehicles/models/double_four_bar.xml vehicles/scenarios/let_go.xml ";
  for (const char* folder : {"a", "b"})
    ASSERT_EQ(call_program(bars + "--until 0.05 --out '" + path(folder) + "'").code, 0);
  const std::string before = text_of(path("a/results.csv"));
  const Result result = call_program("report '" + path("a") + "' '" + path("b") +
                                     "' --overwrite --out '" + path("a/results.csv") + "'");
  EXPECT_EQ(result.code, 3) << result.error;
  EXPECT_EQ(text_of(path("a/results.csv")), before);
  EXPECT_EQ(call_program("report '" + path("a") + "' '" + path("b") + "' --out '" +
                         path("a/both.html") + "'")
                .code,
            0);
}

// The summary and the other tables of a run are not those of the sweep that takes its place.
TEST_F(OutputFiles, ASweepOverARunLeavesNothingOfTheRun) {
  const std::string bars = "run vehicles/models/double_four_bar.xml vehicles/scenarios/let_go.xml ";
  ASSERT_EQ(call_program(bars + "--until 0.05 --format csv,mf4 --out '" + results() + "'").code, 0);
  ASSERT_TRUE(fs::exists(results() + "/results.mf4"));
  ASSERT_EQ(call_program("sweep " + study() + " --overwrite --out '" + results() + "'").code, 0);
  EXPECT_TRUE(fs::exists(results() + "/results.csv"));
  EXPECT_FALSE(fs::exists(results() + "/results.mf4"));
  EXPECT_FALSE(fs::exists(results() + "/summary.json"));
}

TEST_F(OutputFiles, PipesAndDevicesAreRefusedInOneLine) {
  fs::create_directories(results());
  const std::string pipe = path("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  ASSERT_EQ(mkfifo((results() + "/results.csv").c_str(), 0600), 0);
  for (const std::string& call :
       {"compare " + kBars + "--until 0.05 --overwrite --csv " + pipe,
        "compare " + kBars + "--until 0.05 --overwrite --json /dev/full",
        "realtime vehicles/models/car26.xml vehicles/scenarios/shaker.xml --duration 0.05 "
        "--overwrite --out " +
            pipe,
        "import chrono car.json --data tests/data/chrono --force --out " + pipe,
        "run " + kBars + "--until 0.05 --overwrite --out " + results()}) {
    std::string error;
    // timeout ends with 124 what waits for a reader
    EXPECT_EQ(shell("timeout 20 \"$semirec\" " + call + " >/dev/null", error), 3) << call;
    EXPECT_EQ(count(error, '\n'), 1) << error;
    EXPECT_TRUE(holds(error, "is no regular file")) << error;
  }
}

TEST_F(OutputFiles, AScreenThatTakesNothingGivesCodeFiveWhateverTheCommand) {
  for (const std::string& call :
       {std::string("--help"), std::string("--version"), std::string("manoeuvre --list"),
        "info " + kBars, "check " + kBars, "run " + kBars + "--until 0.05",
        "run " + kBars + "--until 0.05 --json", "run " + kBars + "--until 0.05 --out " + results(),
        "equilibrium " + kSedan, "equilibrium " + kSedan + "--json",
        "modes " + kSedan + "--out " + path("modes"),
        "compare " + kBars + "--until 0.05 --repeat 1 --csv -",
        "sweep " + study() + " --threads 1 --out " + path("study")}) {
    std::string error;
    EXPECT_EQ(shell("\"$semirec\" " + call + " >/dev/full", error), 5) << call;
    EXPECT_EQ(count(error, '\n'), 1) << call << "\n" << error;
    EXPECT_TRUE(holds(error, "standard output cannot be written")) << error;
  }
  // what goes to files is there all the same
  for (const char* file : {"results/summary.json", "modes/answer.json", "study/answer.json"})
    EXPECT_TRUE(fs::exists(path(file))) << file;
}

TEST_F(OutputFiles, AScreenThatIsClosedNeverEndsUpInAFile) {
  std::string error;
  const std::string call = "\"$semirec\" run " + kBars + "--until 0.05 --out " + results();
  EXPECT_EQ(shell(call + " >&-", error), 5) << error;
  EXPECT_EQ(count(text_of(results() + "/results.csv"), '\n'), 8);
  EXPECT_EQ(shell(call + "2 2>&-", error), 0);
  EXPECT_EQ(count(text_of(results() + "2/results.csv"), '\n'), 8);
}

TEST_F(OutputFiles, ALimitOfTheFileSizeIsAFullDisk) {
  std::string error;
  // 64 KiB: the matrices of the sedan are larger
  EXPECT_EQ(
      shell("ulimit -f 64; \"$semirec\" modes " + kSedan + "--out " + results() + " >/dev/null",
            error),
      5);
  EXPECT_EQ(count(error, '\n'), 1) << error;
  EXPECT_TRUE(holds(error, "expected room on the disk")) << error;
  for (const auto& entry : fs::directory_iterator(results()))
    EXPECT_NE(entry.path().extension(), ".part") << entry.path();
}

TEST_F(OutputFiles, EmptyWordsAreNotTheSameAsNone) {
  const std::string run = "run " + kBars;
  for (const std::string& call :
       {run + "--until 0.05 --out ''", run + "--step ''", run + "--until ''",
        std::string("run vehicles/models/double_four_bar.xml ''"), run + "--set ''",
        run + "--formulation ''", "equilibrium " + kSedan + "''",
        "equilibrium " + kSedan + "--out ''", "equilibrium " + kSedan + "--lateral-acceleration ''",
        "modes " + kSedan + "--speeds ''", "kc " + kSedan + "--axle ''",
        "manoeuvre coast_down " + kSedan + "--with ''", "compare " + kBars + "--csv ''",
        "compare " + kBars + "--out ''", "sweep " + study() + " --out ''",
        "sweep '' --out " + results(),
        std::string("realtime vehicles/models/car26.xml vehicles/scenarios/shaker.xml --out ''"),
        std::string("import chrono car.json --data tests/data/chrono --tyre '' --out ") +
            path("car.xml")}) {
    const Result result = call_program(call);
    EXPECT_EQ(result.code, 2) << call << "\n" << result.error;
    EXPECT_TRUE(holds(result.error, "is empty, expected a value")) << call << "\n" << result.error;
    EXPECT_EQ(result.out, "") << call;
  }
  EXPECT_FALSE(fs::exists(results()));
}

TEST_F(OutputFiles, NumbersThatAreNoneAreRefusedInEveryOption) {
  const std::string run = "run " + kBars;
  for (const std::string& call :
       {run + "--step nan", run + "--until inf", run + "--until 1e999",
        "manoeuvre coast_down " + kSedan + "--step nan",
        "manoeuvre coast_down " + kSedan + "--step inf", "equilibrium " + kSedan + "--speed nan",
        "equilibrium " + kSedan + "--speed=-inf", "equilibrium " + kSedan + "--speed 1e300",
        "modes " + kSedan + "--speed nan", "modes " + kSedan + "--lateral-acceleration nan",
        "modes " + kSedan + "--speed 1e300", "kc " + kSedan + "--travel nan",
        "kc " + kSedan + "--load inf", "kc " + kSedan + "--steering nan",
        "compare " + kBars + "--good nan", "compare " + kBars + "--until nan",
        std::string("realtime vehicles/models/car26.xml vehicles/scenarios/shaker.xml --rate nan"),
        std::string("realtime vehicles/models/car26.xml vehicles/scenarios/shaker.xml "
                    "--closure-bound inf")}) {
    const Result result = call_program(call);
    EXPECT_EQ(result.code, 3) << call << "\n" << result.error << result.out;
    EXPECT_EQ(count(result.error, '\n'), 1) << call << "\n" << result.error;
    EXPECT_TRUE(holds(result.error, ", expected")) << call << "\n" << result.error;
  }
}

/// Calls with a scenario of the double four-bar with this <run>.
class RecordInterval : public OutputFiles {
 protected:
  Result run(const std::string& attributes, const std::string& more = "") const {
    write("scenario.xml",
          "<?xml version=\"1.0\"?>\n<scenario name=\"short\" version=\"1\">\n<run " + attributes +
              "/>\n</scenario>\n");
    return call_program("run vehicles/models/double_four_bar.xml " + path("scenario.xml") +
                        " --out " + results() + " " + more);
  }
  std::vector<std::string> rows() const {
    std::vector<std::string> lines;
    std::istringstream in(text_of(results() + "/results.csv"));
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return {lines.begin() + 2, lines.end()};
  }
};

TEST_F(RecordInterval, FarBelowTheStepMeansEveryStepAndIsSaid) {
  const Result result = run("step=\"0.01\" until=\"0.1\" record=\"1e-12\"");
  EXPECT_EQ(result.code, 0) << result.error;
  EXPECT_EQ(rows().size(), 11U);
  EXPECT_TRUE(holds(result.error, "a row every 1e-12 s is asked for, below the step of 0.01 s"))
      << result.error;
}

TEST_F(RecordInterval, EveryFewStepsAsAsked) {
  EXPECT_EQ(run("step=\"0.01\" until=\"0.1\" record=\"0.05\"").error, "");
  const std::vector<std::string> found = rows();
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[1].rfind("0.05,", 0), 0U) << found[1];
}

TEST_F(RecordInterval, TheLastStateHasARowWhateverTheInterval) {
  // 0.105: neither a multiple of the step nor of the interval
  EXPECT_EQ(run("step=\"0.01\" until=\"0.105\" record=\"0.04\"").error, "");
  const std::vector<std::string> found = rows();
  ASSERT_EQ(found.size(), 4U);
  const char* times[] = {"0,", "0.04,", "0.08,", "0.105,"};
  for (std::size_t k = 0; k < found.size(); ++k)
    EXPECT_EQ(found[k].rfind(times[k], 0), 0U) << found[k];
  EXPECT_EQ(count(found[3], ','), count(found[0], ','));
}

/// Cells of a line after RFC 4180; no line end stands within quotes here.
std::size_t count_cells(const std::string& line) {
  std::size_t cells = 1;
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') quoted = !quoted;
    if (c == ',' && !quoted) ++cells;
  }
  return cells;
}

TEST_F(OutputFiles, EveryRowOfATableHasTheCellsOfItsHeader) {
  const Result result = call_program("modes " + kSedan + "--speed 20 --out " + results());
  ASSERT_EQ(result.code, 0) << result.error;
  int tables = 0;
  for (const auto& entry : fs::directory_iterator(results())) {
    if (entry.path().extension() != ".csv") continue;
    ++tables;
    std::istringstream in(text_of(entry.path()));
    std::string header;
    std::getline(in, header);
    for (std::string line; std::getline(in, line);)
      ASSERT_EQ(count_cells(line), count_cells(header)) << entry.path() << "\n" << line;
  }
  EXPECT_GE(tables, 7);
}

// A steering wheel that is not turned has neither a ratio nor an Ackermann share.
TEST_F(OutputFiles, WhereThereIsNoNumberACellIsEmpty) {
  const Result result =
      call_program("kc " + kSedan + "--axle front --test steering --out " + results());
  ASSERT_EQ(result.code, 0) << result.error;
  const std::string table = text_of(fs::path(results()) / "front_steering.csv");
  EXPECT_EQ(table.find("nan"), std::string::npos);
  EXPECT_NE(table.find(",,"), std::string::npos);
}

TEST_F(OutputFiles, AnImportWritesWhatCheckTakesOrNothing) {
  fs::copy(kSource + "/tests/data/chrono", path("data"));
  const std::string call = "import chrono car.json --data '" + path("data") + "' --out " +
                           path("car.xml") + " --tyre tyre.json ";
  for (const char* part : {"--engine engine.json", "--transmission gearbox.json"}) {
    const Result result = call_program(call + part);
    EXPECT_EQ(result.code, 3) << part;
    EXPECT_EQ(count(result.error, '\n'), 1) << result.error;
  }
  // a first gear of ratio -1
  std::string gearbox = text_of(path("data/gearbox.json"));
  const std::size_t at = gearbox.find("[0.28,");
  ASSERT_NE(at, std::string::npos) << gearbox;
  std::ofstream(path("data/gearbox.json")) << gearbox.replace(at, 6, "[-1.0,");
  const Result result = call_program(call + "--engine engine.json --transmission gearbox.json");
  if (result.code == 0) {
    EXPECT_EQ(call_program("check " + path("car.xml")).code, 0);
  } else {
    EXPECT_EQ(result.code, 3) << result.error;
    EXPECT_FALSE(fs::exists(path("car.xml")));
    EXPECT_FALSE(holds(result.error, ".part")) << result.error;
  }
}

TEST_F(OutputFiles, ASweepGoesOnWithTheThreadsThatCanBeStarted) {
  std::string error;
  // three stacks of 512 MiB fit
  EXPECT_EQ(shell("ulimit -s 524288; ulimit -v 2000000; \"$semirec\" sweep " + study() +
                      " --threads 16 --out " + results() + " >/dev/null",
                  error),
            0)
      << error;
  EXPECT_TRUE(holds(error, " of 16 threads could be started")) << error;
}

}  // namespace
}  // namespace semirec::test
