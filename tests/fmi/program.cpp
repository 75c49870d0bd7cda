// `semirec export fmu` as its users meet it: exit codes, one line for what is wrong, files that are
// kept.

#include "tests/regression/program.hpp"

#include <array>
#include <cmath>
#include <map>

#include "tests/fmi/importer.hpp"

namespace semirec::test {
namespace {

const std::string kCar = "tests/data/rotor.xml tests/data/catch_and_let_go.xml ";

class FmuProgram : public ProgramTest {
 protected:
  std::string file(const std::string& name) const { return (folder_ / name).string(); }
  /// 3 and one line, nothing written.
  void expect_refused(const std::string& arguments, const std::string& words) const {
    const Result result = call_program("export fmu " + arguments);
    EXPECT_EQ(result.code, 3) << arguments;
    EXPECT_EQ(count(result.error, '\n'), 1) << result.error;
    EXPECT_TRUE(holds(result.error, words)) << result.error;
    EXPECT_EQ(result.out, "");
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_))
      EXPECT_TRUE(entry.path().filename() == "stdout" || entry.path().filename() == "stderr")
          << entry.path();
  }
};

TEST_F(FmuProgram, RefusesInOneLineAndWritesNothing) {
  const std::string out = "--out '" + file("car.fmu") + "'";
  expect_refused("tests/data/no_such.xml " + out, "no_such.xml: cannot be read");
  expect_refused("tests/data/broken/mass_with_unit.xml " + out, "mass_with_unit.xml:3");
  expect_refused(kCar + out + " --fmi 1", "--fmi is 1, expected 2 or 3");
  expect_refused(kCar + out + " --step 0", "step");
  expect_refused(kCar + out + " --step 3", "expected a step above 0");
  expect_refused(kCar + out + " --set no_such.mass=1", "no such element");
  expect_refused(kCar + out + " --library no_such.so", "--library 'no_such.so' is no file");
  expect_refused(kCar + "--out '" + file("none/car.fmu") + "'", "cannot be written");
  expect_refused(kCar, "one of --out and --unpacked");
  EXPECT_EQ(call_program("export fmu").code, 2);
  EXPECT_EQ(call_program("export").code, 2);
}

TEST_F(FmuProgram, NamesTheFileThatWasGivenNotItsCopy) {
  const std::string scenario = file("soft.xml");
  std::ofstream(scenario) << "<scenario name=\"soft\" version=\"1\">\n"
                             "<run step=\"0.001\" until=\"1\"/><start from=\"equilibrium\"/>\n"
                             "<event name=\"soft\" time=\"0.5\">"
                             "<set element=\"chassis\" attribute=\"mass\" value=\"1300\"/>"
                             "</event></scenario>\n";
  const Result result = call_program("export fmu vehicles/models/sedan.xml '" + scenario +
                                     "' --out '" + file("car.fmu") + "'");
  EXPECT_EQ(result.code, 3);
  EXPECT_EQ(result.error.rfind(scenario + ":3: element 'soft': ", 0), 0U) << result.error;
  EXPECT_EQ(count(result.error, '\n'), 1) << result.error;
  EXPECT_FALSE(fs::exists(file("car.fmu")));
}

TEST_F(FmuProgram, KeepsWhatIsThereUnlessToldOtherwise) {
  const std::string out = "--out '" + file("car.fmu") + "'";
  ASSERT_EQ(call_program("export fmu " + kCar + out).code, 0);
  const std::string archive = text_of(file("car.fmu"));
  EXPECT_EQ(call_program("export fmu " + kCar + out + " --fmi 2").code, 3);
  EXPECT_TRUE(text_of(file("car.fmu")) == archive);
  EXPECT_EQ(call_program("export fmu " + kCar + out + " --overwrite").code, 0);
  EXPECT_TRUE(text_of(file("car.fmu")) == archive) << "the same car gives the same bytes";
  EXPECT_EQ(call_program("export fmu " + kCar + out + " --fmi 2 --overwrite").code, 0);
  EXPECT_FALSE(text_of(file("car.fmu")) == archive);

  const std::string unpacked = "--unpacked '" + file("folder") + "'";
  ASSERT_EQ(call_program("export fmu " + kCar + unpacked).code, 0);
  EXPECT_EQ(call_program("export fmu " + kCar + unpacked).code, 3);
  EXPECT_EQ(call_program("export fmu " + kCar + unpacked + " --overwrite").code, 0);
}

// expected: what `semirec run` writes, every digit of it
TEST_F(FmuProgram, GivesTheBitsOfARun) {
  const std::string car = "vehicles/models/iltis.xml vehicles/scenarios/bump_5.xml ";
  ASSERT_EQ(call_program("export fmu " + car + "--unpacked '" + file("fmu") + "'").code, 0);
  ASSERT_EQ(call_program("run " + car + "--iterations 2 --until 1 --out " + results()).code, 0);
  std::map<std::string, std::string> last;
  {
    std::istringstream table(text_of(results() + "/results.csv"));
    std::string names, line, row;
    std::getline(table, names);
    while (std::getline(table, line)) row = line;
    std::istringstream name_stream(names), value_stream(row);
    for (std::string name, value;
         std::getline(name_stream, name, ',') && std::getline(value_stream, value, ',');)
      last[name] = value;
  }
  ASSERT_EQ(last.at("time"), "1");
  const Description description = read_description(text_of(file("fmu/modelDescription.xml")), 3);
  void* library = dlopen(file("fmu/binaries/x86_64-linux/iltis.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  Importer<3> fmu(library, description.token, file("fmu/resources/"));
  ASSERT_NE(fmu.instance(), nullptr);
  ASSERT_EQ(fmu.enter(), 0);
  ASSERT_EQ(fmu.exit(), 0);
  for (int k = 0; k < 100; ++k) ASSERT_EQ(fmu.step(0.01 * k, 0.01), 0);
  int compared = 0;
  for (const DescribedVariable& variable : description.variables) {
    if (variable.causality != "output" || last.count(variable.name) == 0) continue;
    double value = 0.0;
    ASSERT_EQ(fmu.get(variable.reference, value), 0);
    // what is round-off of zero has twelve digits there, too
    std::array<char, 32> digits{};
    std::snprintf(digits.data(), digits.size(), "%.12g", value);
    EXPECT_EQ(digits.data(), last[variable.name]) << variable.name;
    ++compared;
  }
  EXPECT_GT(compared, 100);
}

}  // namespace
}  // namespace semirec::test
