// What stands in results.csv beside the motion that was always there: inputs, rates of joints,
// poses of bodies, and laws that are scaled by one number. Expected values are closed forms.
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/regression/program.hpp"

namespace semirec::test {
namespace {

class ResultChannels : public ProgramTest {
 protected:
  void run(const std::string& inside, const std::string& output, const std::string& more = "") {
    std::ofstream(folder_ / "model.xml")
        << "<?xml version=\"1.0\"?>\n<mechanism name=\"model\" version=\"1\">\n"
        << inside << "</mechanism>\n";
    std::ofstream(folder_ / "scenario.xml")
        << "<?xml version=\"1.0\"?>\n<scenario name=\"scenario\" version=\"1\">\n"
           "<run step=\"0.001\" until=\"0.5\" record=\"0.1\"/>\n"
        << (output.empty() ? "" : "<output>" + output + "</output>\n") << "</scenario>\n";
    const Result result = call_program("run '" + (folder_ / "model.xml").string() + "' '" +
                                       (folder_ / "scenario.xml").string() +
                                       "' --overwrite --out " + results() + " " + more);
    ASSERT_EQ(result.code, 0) << result.error;
    columns_.clear();
    units_.clear();
    std::istringstream lines(text_of(results() + "/results.csv"));
    std::string names, units, row;
    std::getline(lines, names);
    std::getline(lines, units);
    names_ = cells(names);
    const std::vector<std::string> unit = cells(units);
    for (std::size_t k = 0; k < names_.size(); ++k) units_[names_[k]] = unit[k];
    while (std::getline(lines, row)) {
      const std::vector<std::string> numbers = cells(row);
      ASSERT_EQ(numbers.size(), names_.size());
      for (std::size_t k = 0; k < names_.size(); ++k)
        columns_[names_[k]].push_back(std::stod(numbers[k]));
    }
  }
  const std::vector<double>& column(const std::string& name) {
    EXPECT_TRUE(columns_.contains(name)) << name;
    return columns_[name];
  }
  static std::vector<std::string> cells(const std::string& line) {
    std::vector<std::string> out;
    std::istringstream in(line + ",");
    for (std::string cell; std::getline(in, cell, ',');) out.push_back(cell);
    return out;
  }

  std::vector<std::string> names_;
  std::map<std::string, std::string> units_;
  std::map<std::string, std::vector<double>> columns_;
};

TEST_F(ResultChannels, ADrivenCrankFollowsItsInputWithItsRates) {
  run("<body name=\"crank\" mass=\"1\" com=\"0.5 0 0\" inertia=\"0.01 0.1 0.1\"/>\n"
      "<joint name=\"pin\" type=\"revolute\" a=\"ground\" b=\"crank\" point=\"0 0 0\" axis=\"0 1 "
      "0\"/>\n"
      "<input name=\"angle\"><sine amplitude=\"0.4\" omega=\"5\" phase=\"0.3\"/></input>\n"
      "<motion name=\"drive\" joint=\"pin\" coordinate=\"angle\" input=\"angle\"/>\n",
      "<body name=\"crank\"/>");
  EXPECT_EQ(units_["angle.value"], "rad");
  EXPECT_EQ(units_["pin.rate"], "rad/s");
  EXPECT_EQ(units_["crank.wdy"], "rad/s^2");
  const std::vector<double> t = column("time");
  ASSERT_EQ(t.size(), 6U);
  for (std::size_t k = 0; k < t.size(); ++k) {
    // u = A sin(w t + p); 12 digits of the file, the driver's closure to 1e-8
    const double u = 0.4 * std::sin(5.0 * t[k] + 0.3);
    const double ud = 0.4 * 5.0 * std::cos(5.0 * t[k] + 0.3);
    const double udd = -25.0 * u;
    EXPECT_NEAR(column("angle.value")[k], u, 1e-11);
    EXPECT_NEAR(column("pin.z")[k], u, 2e-8);
    EXPECT_NEAR(column("pin.rate")[k], ud, 1e-6);
    EXPECT_NEAR(column("crank.wy")[k], ud, 1e-6);
    EXPECT_NEAR(column("crank.wdy")[k], udd, 1e-4);
    EXPECT_NEAR(column("crank.pitch")[k], u, 2e-8);
    // about y, nose down: x to -z
    EXPECT_NEAR(column("crank.x")[k], 0.5 * std::cos(u), 2e-8);
    EXPECT_NEAR(column("crank.z")[k], -0.5 * std::sin(u), 2e-8);
    EXPECT_NEAR(column("crank.wx")[k], 0.0, 1e-9);
    EXPECT_NEAR(column("crank.wdz")[k], 0.0, 1e-9);
  }
}

TEST_F(ResultChannels, RatesOfABallJointAreOfBAgainstAWhicheverWayItIsWritten) {
  // a ball that spins about its own upright axis through its centre: 2 rad/s for ever
  for (const bool ground_first : {true, false}) {
    const std::string pair = ground_first ? "a=\"ground\" b=\"ball\"" : "a=\"ball\" b=\"ground\"";
    run("<body name=\"ball\" mass=\"1\" com=\"0 0 0\" inertia=\"0.1 0.1 0.1\"/>\n"
        "<joint name=\"socket\" type=\"spherical\" " +
            pair + " point=\"0 0 0\" velocity=\"0 0 " + (ground_first ? "2" : "-2") + "\"/>\n",
        "<body name=\"ball\"/>");
    const double sign = ground_first ? 1.0 : -1.0;
    for (std::size_t k = 0; k < column("time").size(); ++k) {
      EXPECT_NEAR(column("ball.wz")[k], 2.0, 1e-9);
      EXPECT_NEAR(column("ball.yaw")[k], 2.0 * column("time")[k], 1e-6);
      EXPECT_NEAR(column("socket.rate[2]")[k], sign * 2.0, 1e-9);
      EXPECT_NEAR(column("socket.rate[0]")[k], 0.0, 1e-9);
    }
  }
}

TEST_F(ResultChannels, AnUnknownBodyIsRefusedInOneLine) {
  std::ofstream(folder_ / "scenario.xml")
      << "<?xml version=\"1.0\"?>\n<scenario name=\"s\" version=\"1\">\n<run step=\"0.001\" "
         "until=\"0.1\"/>\n<output><body name=\"chasis\"/></output>\n</scenario>\n";
  const Result result =
      call_program("run vehicles/models/sedan.xml '" + (folder_ / "scenario.xml").string() + "'");
  EXPECT_EQ(result.code, 3);
  EXPECT_EQ(count(result.error, '\n'), 1) << result.error;
  EXPECT_TRUE(holds(result.error, "element 'chasis': the vehicle has no body of this name"))
      << result.error;
}

TEST_F(ResultChannels, AScaledLawIsTheLawWithItsNumbersScaled) {
  const auto slider = [](double spring, double damper, const std::string& more) {
    std::ostringstream text;
    text << "<body name=\"mass\" mass=\"2\" com=\"0 0 0\" inertia=\"1 1 1\"/>\n"
            "<joint name=\"guide\" type=\"prismatic\" a=\"ground\" b=\"mass\" point=\"0 0 0\" "
            "axis=\"1 0 0\" velocity=\"0.7\"/>\n"
            "<spring name=\"strut\" a=\"ground\" b=\"mass\" point_a=\"-1 0 0\" point_b=\"0 0 0\""
         << more << "><law><piece origin=\"1\" c1=\"" << 400.0 * spring << "\" c3=\""
         << 1000.0 * spring << "\"/></law><damper><piece c1=\"" << 10.0 * damper << "\" c2=\""
         << 3.0 * damper << "\"/><piece from=\"0.2\" c0=\"" << damper << "\" c1=\"" << 8.0 * damper
         << "\"/></damper></spring>\n";
    return text.str();
  };
  ASSERT_NO_FATAL_FAILURE(run(slider(1.5, 0.25, ""), ""));
  const std::vector<double> expected = column("guide.z");
  ASSERT_NO_FATAL_FAILURE(run(slider(1.0, 1.0, " spring_scale=\"1.5\" damper_scale=\"0.25\""), ""));
  EXPECT_EQ(column("guide.z"), expected);
  // also where the file does not write it
  ASSERT_NO_FATAL_FAILURE(
      run(slider(1.0, 1.0, ""), "", "--set strut.spring_scale=1.5 --set strut.damper_scale=0.25"));
  EXPECT_EQ(column("guide.z"), expected);
  ASSERT_NO_FATAL_FAILURE(run(slider(1.0, 1.0, ""), ""));
  EXPECT_GT(std::abs(column("guide.z").back() - expected.back()), 1e-3);
}

TEST_F(ResultChannels, TheIltisShockAbsorbersAreScaledByOneNumber) {
  const std::string call =
      "run vehicles/models/iltis.xml vehicles/scenarios/bump_5.xml --until 1 --json ";
  const Result as_is = call_program(call);
  const Result harder = call_program(call + "--set shock_*.damper_scale=1.3");
  EXPECT_EQ(harder.code, 0) << harder.error;
  const auto dissipated = [](const Result& result) {
    const std::size_t at = result.out.find("\"dissipated\": ");
    return at == std::string::npos ? std::nan("") : std::stod(result.out.substr(at + 14));
  };
  EXPECT_GT(std::abs(dissipated(harder) - dissipated(as_is)), 0.01 * dissipated(as_is));
}

// The row of the README on the paper's largest step: the same end, another path.
TEST_F(ResultChannels, TheIltisAt35MillisecondsEndsWhereSmallStepsDoButStraysOnTheStairs) {
  std::string text = text_of(kSource + "/vehicles/scenarios/ramp_and_stairs.xml");
  const std::size_t record = text.find("record=\"0.01\"");
  ASSERT_NE(record, std::string::npos);
  // rows at the same times; 8 s is no multiple, and a row all the same
  text.replace(record, 13, "record=\"0.035\"");
  std::ofstream(folder_ / "stairs.xml") << text;
  std::vector<std::vector<std::vector<double>>> drives;
  for (const std::string step : {"0.035", "0.0001"}) {
    const Result result =
        call_program("run vehicles/models/iltis.xml '" + (folder_ / "stairs.xml").string() +
                     "' --step " + step + " --overwrite --out " + results());
    ASSERT_EQ(result.code, 0) << result.error;
    std::istringstream lines(text_of(results() + "/results.csv"));
    std::string row;
    std::getline(lines, row);
    // time, then x, y, z of the chassis
    ASSERT_EQ(row.rfind("time,chassis.x,chassis.y,chassis.z,", 0), 0U);
    std::getline(lines, row);
    std::vector<std::vector<double>>& drive = drives.emplace_back();
    while (std::getline(lines, row)) {
      std::vector<double>& numbers = drive.emplace_back();
      for (const std::string& cell : cells(row)) numbers.push_back(std::stod(cell));
    }
  }
  ASSERT_EQ(drives[0].size(), drives[1].size());
  double worst = 0.0;
  for (std::size_t k = 0; k < drives[0].size(); ++k) {
    EXPECT_NEAR(drives[0][k][0], drives[1][k][0], 1e-9);
    worst = std::max(worst, std::abs(drives[0][k][3] - drives[1][k][3]));
  }
  EXPECT_NEAR(drives[0].back()[0], 8.0, 1e-9);
  EXPECT_LT(std::abs(drives[0].back()[3] - drives[1].back()[3]), 0.07e-3);  // measured: 0.062 mm
  EXPECT_NEAR(worst, 0.157, 0.01);  // measured; an edge met a step earlier or later moves it
}

TEST_F(ResultChannels, InfoListsParametersInputsAndChannels) {
  const Result result = call_program("info vehicles/models/sedan.xml");
  EXPECT_EQ(result.code, 0) << result.error;
  for (const char* words :
       {"\ninputs (", "steering rad", "throttle 1", "\nchannels of results.csv (",
        "chassis.yaw rad", "steering.value rad", "\nparameters, --set"})
    EXPECT_TRUE(holds(result.out, words)) << words;
}

TEST_F(ResultChannels, ARunSaysWhatItsScenarioIsAbout) {
  const std::string sedan = "run vehicles/models/sedan.xml ";
  const Result steered = call_program(sedan + "vehicles/scenarios/step_steer.xml");
  EXPECT_EQ(steered.code, 0) << steered.error;
  EXPECT_TRUE(holds(steered.out, "  yaw rate ")) << steered.out;
  EXPECT_TRUE(holds(steered.out, "  lateral acceleration ")) << steered.out;
  EXPECT_FALSE(holds(steered.out, "  speed ")) << steered.out;
  const Result rest = call_program(sedan + "vehicles/scenarios/rest.xml --until 0.1");
  EXPECT_FALSE(holds(rest.out, "yaw rate")) << rest.out;
}

TEST_F(ResultChannels, NearestNamesKnowSynonyms) {
  const Result speed =
      call_program("manoeuvre step_steer vehicles/models/sedan.xml --with velocity=20");
  EXPECT_EQ(speed.code, 3);
  EXPECT_TRUE(holds(speed.error, "'speed'")) << speed.error;
  const Result k = call_program("check vehicles/models/iltis.xml --set leaf_spring_fl.stiffness=1");
  EXPECT_EQ(k.code, 3);
  EXPECT_TRUE(holds(k.error, "nearest known name is 'k'")) << k.error;
}

TEST_F(ResultChannels, TheListOfManoeuvresFitsAScreen) {
  const Result result = call_program("manoeuvre --list");
  EXPECT_EQ(result.code, 0) << result.error;
  std::istringstream lines(result.out);
  int rows = 0;
  for (std::string line; std::getline(lines, line); ++rows) EXPECT_LE(line.size(), 80U) << line;
  // one for each manoeuvre, and two on what to do with them
  int files = 0;
  for (const auto& entry : fs::directory_iterator(kSource + "/vehicles/manoeuvres"))
    files += entry.path().extension() == ".xml" ? 1 : 0;
  EXPECT_EQ(rows, files + 2);
  EXPECT_TRUE(holds(call_program("manoeuvre --values").out, "end_speed"));
}

}  // namespace
}  // namespace semirec::test
