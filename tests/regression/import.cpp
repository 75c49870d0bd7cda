// `semirec import chrono` as its users meet it: exit codes, what is listed, files that are kept.
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "tests/regression/program.hpp"

namespace semirec::test {
namespace {

/// Little cars in JSON files, and a copy that may be broken.
class Import : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    fs::copy(kSource + "/tests/data/chrono", data());
  }
  fs::path data() const { return folder_ / "data"; }
  fs::path out() const { return folder_ / "car.xml"; }
  Result import(const std::string& more, const std::string& vehicle = "car.json") const {
    return call_program("import chrono " + vehicle + " --data '" + data().string() + "' --out '" +
                        out().string() + "' " + more);
  }
  void change(const std::string& file, const std::string& from, const std::string& to) const {
    std::string text = text_of(data() / file);
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    std::ofstream(data() / file) << text.replace(at, from.size(), to);
  }
};

const std::string kParts = "--tyre tyre.json --engine engine.json --transmission gearbox.json";

void expect_one_line(const Result& result, const std::string& words) {
  EXPECT_EQ(result.code, 3);
  EXPECT_EQ(count(result.error, '\n'), 1) << result.error;
  EXPECT_TRUE(holds(result.error, words)) << result.error;
  EXPECT_EQ(result.out, "");
}

TEST_F(Import, WritesACarThatTheProgramTakes) {
  const Result result = import(kParts);
  ASSERT_EQ(result.code, 0) << result.error;
  // the masses of tests/data/chrono: chassis 975, rack 2.5, bar 2 x 1.2; front 2 (2 + 5 + 1.5 + 3),
  // rear 2 (2 + 8), 4 (8 + 9)
  EXPECT_TRUE(holds(result.out, "car.xml: 1090.9 kg, ")) << result.out;
  EXPECT_EQ(count(result.out, '\n'), 1);
  const Result info = call_program("info '" + out().string() + "'");
  EXPECT_EQ(info.code, 0) << info.error;
  EXPECT_TRUE(holds(info.out, "1090.9 kg")) << info.out;
  EXPECT_TRUE(holds(info.out, "revolute 'spin_fl'")) << info.out;
  const Result rest = call_program("equilibrium '" + out().string() + "'");
  EXPECT_EQ(rest.code, 0) << rest.error;
  // drives off in first gear
  const Result run = call_program("run '" + out().string() +
                                  "' vehicles/scenarios/rest.xml --until 0.2 --out " + results());
  EXPECT_EQ(run.code, 0) << run.error;
  EXPECT_TRUE(holds(text_of(results() + "/results.csv"), "driveline.motor_speed"));
}

TEST_F(Import, SaysWhatIsNotCoveredOnStderrAndInTheFile) {
  const Result result = import(kParts);
  ASSERT_EQ(result.code, 0) << result.error;
  const std::string text = text_of(out());
  for (const char* note :
       {"chassis.json: not used: Visualization", "car.json: not used: Wheelbase",
        "driveline.json:4: not covered: Driveshaft", "the engine has no inertia in Chrono"}) {
    EXPECT_TRUE(holds(result.error, note)) << result.error;
    EXPECT_TRUE(holds(text, note)) << note;
  }
  // as many lines as the last line says
  const std::size_t comma = result.out.rfind(", ");
  EXPECT_EQ(std::stol(result.out.substr(comma + 2)), count(result.error, '\n')) << result.out;
}

TEST_F(Import, WithoutPowertrainOrTyreSaysWhatIsMissing) {
  const Result rolling = import("--tyre tyre.json");
  EXPECT_EQ(rolling.code, 0) << rolling.error;
  EXPECT_TRUE(holds(rolling.error, "not covered: Driveline; it needs an engine")) << rolling.error;
  EXPECT_FALSE(holds(text_of(out()), "<driveline"));
  const Result bare = import("--force");
  EXPECT_EQ(bare.code, 0) << bare.error;
  EXPECT_TRUE(holds(bare.error, "no tyre is given")) << bare.error;
  EXPECT_FALSE(holds(text_of(out()), "<wheel"));
  const Result plain = import(kParts + " --plain --force");
  EXPECT_EQ(plain.code, 0) << plain.error;
  EXPECT_TRUE(holds(text_of(out()), "<wheel"));
  EXPECT_FALSE(holds(text_of(out()), "<brake"));
}

TEST_F(Import, FindsTheDataFolderAboveTheVehicleFile) {
  fs::create_directories(data() / "cars");
  fs::rename(data() / "car.json", data() / "cars/car.json");
  const std::string rest = " --out '" + out().string() + "' " + kParts;
  const Result found =
      call_program("import chrono '" + (data() / "cars/car.json").string() + "'" + rest);
  EXPECT_EQ(found.code, 0) << found.error;
  EXPECT_TRUE(holds(found.out, "car.xml: 1090.9 kg, ")) << found.out;
  fs::remove(data() / "chassis.json");
  expect_one_line(call_program("import chrono '" + (data() / "cars/car.json").string() + "'" +
                               rest + " --force"),
                  "which is in none of the folders above");
}

TEST_F(Import, AnEngineAloneIsOpenedAndRefused) {
  // in which words: ChronoPart.AnEngineAloneIsOpenedAndRefused
  expect_one_line(import("--tyre tyre.json --engine nowhere.json"), "");
  expect_one_line(import("--tyre tyre.json --engine engine.json"), "transmission");
  EXPECT_FALSE(fs::exists(out()));
}

TEST_F(Import, WritesWhatCheckTakesOrRefusesItself) {
  change("brake.json", "1800", "0");
  const Result good = import(kParts);
  EXPECT_EQ(good.code, 0) << good.error;
  const Result check = call_program("check '" + out().string() + "'");
  EXPECT_EQ(check.code, 0) << check.error;
  change("gearbox.json", "0.28", "-1");
  expect_one_line(import(kParts + " --force"), "'Gear Box/Forward Gear Ratios[0]': is below zero");
}

TEST_F(Import, ReplacesAFileOnlyWhenAsked) {
  std::ofstream(out()) << "mine\n";
  expect_one_line(import(kParts), "exists already; --force replaces it");
  EXPECT_EQ(text_of(out()), "mine\n");
  EXPECT_EQ(import(kParts + " --force").code, 0);
  EXPECT_TRUE(holds(text_of(out()), "<vehicle name="));
}

TEST_F(Import, NeverReplacesAFileThatItReads) {
  const std::string rack = text_of(data() / "rack.json");
  const auto into = [&](const std::string& option, const std::string& file) {
    return call_program("import chrono car.json --data '" + data().string() + "' " + kParts +
                        " --force --out '" + (option == "--out" ? file : out().string()) + "'" +
                        (option == "--out" ? "" : " " + option + " '" + file + "'"));
  };
  for (const char* option : {"--out", "--report"})
    expect_one_line(
        into(option, (data() / "rack.json").string()),
        std::string(option) + " is '" + (data() / "rack.json").string() + "', which is read too");
  EXPECT_EQ(text_of(data() / "rack.json"), rack);
  EXPECT_FALSE(fs::exists(out()));
}

TEST_F(Import, AnOutputThatCannotBeWrittenGivesCodeFive) {
  fs::create_directory(out());
  const Result result = import(kParts + " --force");
  EXPECT_EQ(result.code, 5);
  EXPECT_TRUE(holds(result.error, "car.xml' cannot be written")) << result.error;
}

TEST_F(Import, NamesMissingFilesAndWritesNothing) {
  fs::remove(data() / "wheel.json");
  fs::remove(data() / "rack.json");
  expect_one_line(import(kParts), "expected there: 'wheel.json', 'rack.json'");
  EXPECT_FALSE(fs::exists(out()));
  // nor is an old result lost
  std::ofstream(out()) << "mine\n";
  expect_one_line(import(kParts + " --force"), "'wheel.json', 'rack.json'");
  EXPECT_EQ(text_of(out()), "mine\n");
}

TEST_F(Import, BrokenFilesGiveOneLineAndWriteNothing) {
  change("rack.json", "2.5", "NaN");
  expect_one_line(import(kParts), "rack.json:3: element 'JSON': is no JSON");
  EXPECT_FALSE(fs::exists(out()));
}

TEST_F(Import, FilesOfTheCommandLineThatAreNotThereAreNamed) {
  expect_one_line(import("--tyre nowhere.json"), "nowhere.json");
  expect_one_line(import(kParts + "x"), "gearbox.jsonx");
  expect_one_line(import("", "nowhere.json"), "nowhere.json");
  expect_one_line(import("--tyre engine.json"), "'Engine'");
  EXPECT_FALSE(fs::exists(out()));
  const std::string rest = "import chrono car.json --out '" + out().string() + "' --data ";
  expect_one_line(call_program(rest + "'" + (folder_ / "none").string() + "'"), "is no folder");
  expect_one_line(call_program("import chrono car.json --data '" + data().string() + "' --out '" +
                               (folder_ / "none/car.xml").string() + "'"),
                  "lies in a folder that does not exist");
}

TEST_F(Import, CommandLinesThatAreNotUnderstoodGiveCodeTwo) {
  for (const char* arguments :
       {"import", "import adams car.json", "import chrono",
        "import chrono car.json --data tests/data/chrono",
        "import chrono car.json --data tests/data/chrono --out x.xml --frce"}) {
    const Result result = call_program(arguments);
    EXPECT_EQ(result.code, 2) << arguments;
    EXPECT_NE(result.error, "") << arguments;
  }
  EXPECT_FALSE(fs::exists(kSource + "/x.xml"));
  const Result help = call_program("import chrono --help");
  EXPECT_EQ(help.code, 0);
  for (const char* words : {"--data", "--tyre", "--engine", "--transmission", "--force", "--plain"})
    EXPECT_TRUE(holds(help.out, words)) << words;
}

}  // namespace
}  // namespace semirec::test
