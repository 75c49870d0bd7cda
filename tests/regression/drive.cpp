// `semirec drive` as its users meet it, where no page is needed: options and headless drives. The
// seat with its page: apps/viewer/test/seat.mjs.
#include <algorithm>
#include <fstream>

#include <gtest/gtest.h>

#include "tests/regression/program.hpp"

namespace semirec::test {
namespace {

const std::string kSedan = "vehicles/models/sedan.xml ";

class DriveProgram : public ProgramTest {
 protected:
  Result call(const std::string& arguments) const { return call_program("drive " + arguments); }
};

TEST_F(DriveProgram, NonsenseIsRefusedInOneLine) {
  struct Case {
    const char* arguments;
    int code;
    const char* says;
  };
  for (const Case& bad :
       {Case{"--rate 0", 3, "--rate is 0, expected 1 to 100000 Hz"},
        Case{"--rate nan", 3, "--rate is nan, expected a finite number"},
        Case{"--port 65536", 3, "--port is 65536, expected 0"},
        Case{"--port -1", 3, "--port is -1, expected 0"},
        Case{"--core 100000", 3, "--core is 100000, expected one of the"},
        Case{"--priority 100", 3, "--priority is 100, expected 1 to 99"},
        Case{"--duration 0", 3, "--duration is 0, expected at least one period"},
        Case{"--headless --rate 100", 2, "--rate"}, Case{"--headless --port 8000", 2, "--port"},
        Case{"nowhere.xml", 3, "nowhere.xml: cannot be read"}}) {
    const Result result = call(kSedan + bad.arguments);
    EXPECT_EQ(result.code, bad.code) << bad.arguments << '\n' << result.error;
    EXPECT_NE(result.error.find(bad.says), std::string::npos) << bad.arguments << '\n'
                                                              << result.error;
  }
  const Result still = call("vehicles/models/double_four_bar.xml");
  EXPECT_EQ(still.code, 3);
  EXPECT_NE(still.error.find("names neither a steering nor a throttle input"), std::string::npos)
      << still.error;
}

// 101 states of 0.1 s at 1 ms under two lines of names and units
TEST_F(DriveProgram, AHeadlessDriveWritesEveryStepAndKeepsWhatIsThere) {
  const std::string arguments =
      kSedan + "vehicles/scenarios/step_steer.xml --headless --duration 0.1 --out " +
      (folder_ / "out").string();
  const Result first = call(arguments);
  EXPECT_EQ(first.code, 0) << first.error;
  const std::string rows = text_of((folder_ / "out" / "results.csv").string());
  EXPECT_EQ(std::count(rows.begin(), rows.end(), '\n'), 2 + 101);
  const Result second = call(arguments);
  EXPECT_EQ(second.code, 3);
  EXPECT_EQ(text_of((folder_ / "out" / "results.csv").string()), rows);
  EXPECT_EQ(call(arguments + " --overwrite").code, 0);
  EXPECT_EQ(text_of((folder_ / "out" / "results.csv").string()), rows);  // the same bits again
}

// A root that is none from 0.2 s on; a plank that throws the car up, which two iterations a step do
// not settle.
TEST_F(DriveProgram, AHeadlessDriveSaysWhatWentWrong) {
  const auto drive = [&](const std::string& name, const std::string& inside) {
    const fs::path path = folder_ / (name + ".xml");
    std::ofstream(path) << "<scenario name='" << name
                        << "' version='1'><run step='0.001' until='0.5'/><start from='equilibrium' "
                           "speed='10'/>"
                        << inside << "</scenario>";
    return call(kSedan + path.string() + " --headless");
  };
  const Result no_number = drive("root", "<input name='steering' value='= sqrt(0.2 - time)'/>");
  EXPECT_EQ(no_number.code, 4);
  EXPECT_NE(no_number.error.find("input 'steering' is no number"), std::string::npos)
      << no_number.error;
  const Result thrown = drive("plank",
                              "<contact contact='point'/><road><plank start='2.5' length='1' "
                              "height='0.3'/></road>");
  EXPECT_NE(thrown.out.find("unsettled"), std::string::npos) << thrown.out << thrown.error;
}

}  // namespace
}  // namespace semirec::test
