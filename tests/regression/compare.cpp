#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <Eigen/Geometry>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/regression/program.hpp"
#include "tests/unit/report/decode.hpp"

namespace semirec::test {
namespace {

using Json = nlohmann::json;

const std::string kFourBar =
    "vehicles/models/double_four_bar.xml vehicles/scenarios/free_10s.xml --repeat 1 ";
const std::string kBreaksDown =
    "tests/data/breaks_down.xml tests/data/two_seconds.xml --repeat 1 --steps 0.01 ";

/// Cells of a line of CSV whose cells hold no commas.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells{""};
  for (const char c : line)
    if (c == ',')
      cells.emplace_back();
    else
      cells.back() += c;
  return cells;
}

class Compare : public ProgramTest {
 protected:
  Result call(const std::string& arguments) const { return call_program("compare " + arguments); }
};

TEST_F(Compare, PutsTheFormulationsSideBySide) {
  const Result result = call(kFourBar + "--measure energy --steps 0.01,0.1 --out " + results());
  ASSERT_EQ(result.code, 0) << result.error;
  EXPECT_EQ(result.error, "");
  for (const char* words :
       {"double_four_bar in free_10s, 10 s", "error J", "CPU s", "x real time", "it./step",
        "position m", "velocity m/s", "accel. m/s^2", "reference  hybrid at 0.001 s"})
    EXPECT_TRUE(holds(result.out, words)) << words << '\n' << result.out;

  std::istringstream table(text_of(results() + "/compare.csv"));
  std::string names;
  std::string units;
  std::getline(table, names);
  std::getline(table, units);
  EXPECT_EQ(count(names, ','), count(units, ','));
  int rows = 0;
  for (std::string line; std::getline(table, line); ++rows)
    EXPECT_EQ(cells_of(line).size(), cells_of(names).size()) << line;
  EXPECT_EQ(rows, 10);

  const Json json = Json::parse(text_of(results() + "/compare.json"));
  ASSERT_EQ(json["runs"].size(), 10U);
  const Json& hybrid = json["runs"][0];
  EXPECT_EQ(hybrid["formulation"], "hybrid");
  EXPECT_EQ(hybrid["coordinates"], 5);
  EXPECT_EQ(hybrid["constraints"], 4);  // two a loop: the plane needs no more
  EXPECT_GT(hybrid["cpu"].get<double>(), 0.0);
  EXPECT_EQ(json["runs"][1]["formulation"], "global");
  EXPECT_EQ(json["runs"][1]["coordinates"], 6);
}

TEST_F(Compare, FindsTheErrorsThatTheHybridPaperPrintsForTheDoubleFourBar) {
  // half of the paper's last digit
  const double kTolerance = 0.005;
  const Result result = call(kFourBar +
                             "--formulations hybrid --measure energy --steps 0.01,0.03,0.05,0.1 "
                             "--json -");
  ASSERT_EQ(result.code, 0) << result.error;
  const Json json = Json::parse(result.out);
  const std::vector<double> paper{-0.01, -0.12, -0.34, -1.34};
  for (std::size_t k = 0; k < paper.size(); ++k)
    EXPECT_NEAR(json["runs"][k]["error"].get<double>(), paper[k], kTolerance) << k;
}

TEST_F(Compare, SaysOnceWhatADampingSchemeDoesInGlobal) {
  const std::string words = "takes energy from every rotation";
  const std::string few = "--until 0.1 --steps 0.01 --formulations hybrid,global,global_tree ";
  const Result damped = call(kFourBar + few + "--scheme hht --alpha -0.1");
  EXPECT_EQ(damped.code, 0) << damped.error;
  EXPECT_TRUE(holds(damped.error, "note: global, global_tree: a scheme that damps"))
      << damped.error;
  EXPECT_EQ(damped.error.find(words), damped.error.rfind(words));
  EXPECT_EQ(call(kFourBar + few).error, "");
}

TEST_F(Compare, SaysThatTheScenariosToleranceIsNotFollowed) {
  std::string text = text_of(kSource + "/vehicles/scenarios/bump_5.xml");
  const std::size_t at = text.find("<run ");
  ASSERT_NE(at, std::string::npos);
  text.insert(at + 5, "error_tolerance=\"1e-4\" ");
  const std::string scenario = (folder_ / "tolerant.xml").string();
  std::ofstream(scenario) << text;
  const Result result = call("vehicles/models/iltis.xml " + scenario +
                             " --repeat 1 --until 0.02 --steps 0.002 --formulations hybrid");
  EXPECT_EQ(result.code, 0) << result.error;
  EXPECT_TRUE(holds(result.error, "the scenario's error_tolerance is not followed"))
      << result.error;
  EXPECT_FALSE(holds(result.error, "steps are no longer than")) << result.error;
}

/// Columns of a run's results.csv by name.
std::map<std::string, std::vector<double>> columns_of(const std::string& table) {
  std::istringstream lines(table);
  std::string line;
  std::getline(lines, line);
  const std::vector<std::string> names = cells_of(line);
  std::map<std::string, std::vector<double>> columns;
  while (std::getline(lines, line)) {
    const std::vector<std::string> cells = cells_of(line);
    char* end = nullptr;
    if (cells.front().empty() || std::strtod(cells.front().c_str(), &end); *end != '\0') continue;
    for (std::size_t k = 0; k < cells.size(); ++k)
      columns[names[k]].push_back(std::strtod(cells[k].c_str(), nullptr));
  }
  return columns;
}

// The heavy top turns through pi again and again, where its rotation vector leaps to the other
// side. Oracle: the angle between the attitudes of two runs, by their own tables.
TEST_F(Compare, AttitudesAreOffByTheAngleBetweenThem) {
  const std::string files = "vehicles/models/heavy_top.xml vehicles/scenarios/let_go.xml ";
  const Result result = call(files + "--repeat 1 --formulations hybrid --steps 0.001 --json -");
  ASSERT_EQ(result.code, 0) << result.error;
  const auto ball = [&](const std::string& step) {
    const std::string out = results() + step;
    EXPECT_EQ(call_program("run " + files + "--step " + step + " --out " + out).code, 0);
    return columns_of(text_of(out + "/results.csv"));
  };
  const auto coarse = ball("0.001");
  const auto fine = ball("0.0001");
  const auto attitude = [](const auto& columns, std::size_t row) {
    const Eigen::Vector3d v(columns.at("ball.z[0]")[row], columns.at("ball.z[1]")[row],
                            columns.at("ball.z[2]")[row]);
    return Eigen::Quaterniond(Eigen::AngleAxisd(v.norm(), v.stableNormalized()));
  };
  const std::size_t rows = coarse.at("time").size();
  ASSERT_EQ(rows, 2001U);
  double square = 0.0;
  for (std::size_t k = 0; k < rows; ++k)
    square += std::pow(attitude(coarse, k).angularDistance(attitude(fine, 10 * k)), 2.0);
  const double expected = std::sqrt(square / (3.0 * static_cast<double>(rows)));
  EXPECT_NEAR(Json::parse(result.out)["runs"][0]["error"].get<double>() / expected, 1.0, 2e-3);
}

TEST_F(Compare, TheReferenceIsTheScenariosWhateverClosesTheRows) {
  for (const char* rows :
       {"--no-projection", "--scheme linearly_implicit_euler --closing independent"}) {
    const Result result = call(kFourBar + "--until 2 --formulations hybrid --steps 0.01 " + rows);
    EXPECT_EQ(result.code, 0) << result.error;
    EXPECT_TRUE(holds(result.out, "reference  hybrid at 0.001 s")) << result.out;
  }
}

TEST_F(Compare, MeasuresAReactionThatTheScenarioAsksFor) {
  const std::string strut =
      "tests/data/rotor.xml tests/data/catch_and_let_go.xml --repeat 1 --until 0.05 "
      "--formulations hybrid --steps 0.005 --measure reference:";
  const Result result = call(strut + "strut.Rx");
  EXPECT_EQ(result.code, 0) << result.error;
  EXPECT_TRUE(holds(result.out, "strut.Rx")) << result.out;
  EXPECT_EQ(call(strut + "nothing.Rx").code, 3);
}

TEST_F(Compare, AFormulationThatFailsIsARowThatSaysSo) {
  const Result result = call(kBreaksDown + "--csv " + results());
  EXPECT_EQ(result.code, 0) << result.error;
  EXPECT_TRUE(holds(result.out, "no convergence at t = 1.68 s")) << result.out;
  EXPECT_TRUE(holds(result.out, "reference  none: the hybrid run")) << result.out;
  const std::string table = text_of(results());
  for (const char* name : {"hybrid", "global", "topological", "recursive", "cartesian"})
    EXPECT_TRUE(holds(table, std::string(",") + name + ",0.01,failed,")) << table;
  EXPECT_TRUE(holds(table, "worst closure 'rod'")) << table;
}

/// The data of a page.
Json data_of(const std::string& page) {
  const std::string html = text_of(page);
  const std::string begin = "<script type=\"application/json\" id=\"semirec-report\">";
  const std::size_t from = html.find(begin) + begin.size();
  return Json::parse(html.substr(from, html.find("</script>", from) - from));
}

// What has no number in the table of the CSV has none in that of the page, and a car that does not
// come to its end is not shown as one that does.
TEST_F(Compare, ThePageOfAFormulationThatFailsSaysSo) {
  const std::string page = (folder_ / "page.html").string();
  const Result result = call(kBreaksDown + "--measure lost_gravity --report " + page);
  if (holds(result.error, "this program was built without its pages")) return;
  EXPECT_EQ(result.code, 0) << result.error;
  const Json data = data_of(page);
  const Json& table = data["tables"][0];
  ASSERT_EQ(table["rows"].size(), 5U);
  for (std::size_t c = 0; c < table["columns"].size(); ++c)
    for (const char* name : {"error", "CPU time", "times real time", "energy balance"})
      if (table["columns"][c]["name"] == name) {
        for (const Json& row : table["rows"]) EXPECT_EQ(row[c], "none") << name;
      }
  ASSERT_EQ(data["warnings"].size(), 5U);
  for (const Json& warning : data["warnings"]) {
    EXPECT_TRUE(holds(warning, "is shown up to where it ends: ")) << warning;
    // the table's, without halves of steps
    EXPECT_TRUE(holds(warning, "t = 1.68 s") || holds(warning, "1.67")) << warning;
  }
  EXPECT_EQ(data["charts"][0]["y"]["label"], "deviation");
}

// The cars of a page take the steps of its rows, whatever error the scenario allows them.
TEST_F(Compare, ThePageTakesTheStepsOfTheTable) {
  const std::string page = (folder_ / "page.html").string();
  const std::string scenario = (folder_ / "free.xml").string();
  std::ofstream(scenario) << "<scenario name=\"free\" version=\"1\">"
                             "<run step=\"0.01\" until=\"1\" error_tolerance=\"1e-3\"/>"
                             "<start from=\"design\"/></scenario>";
  const Result result = call("vehicles/models/double_four_bar.xml " + scenario +
                             " --repeat 1 --formulations hybrid --steps 0.01 --report " + page);
  if (holds(result.error, "this program was built without its pages")) return;
  ASSERT_EQ(result.code, 0) << result.error;
  EXPECT_EQ(numbers_of(nlohmann::ordered_json(data_of(page)["runs"][0]["times"])).size(), 101U);
}

TEST_F(Compare, AModelThatIsRefusedIsARowThatSaysSo) {
  const std::string model = (folder_ / "point.xml").string();
  std::ofstream(model) << R"(<?xml version="1.0" encoding="utf-8"?>
<mechanism name="point" version="1">
  <body name="point" mass="1" com="0 0 0" inertia="0 0 0"/>
  <joint name="pin" type="revolute" a="ground" b="point" point="0 0 0" axis="0 1 0"/>
</mechanism>)";
  const Result result =
      call(model + " tests/data/two_seconds.xml --repeat 1 --steps 0.01 --csv " + results());
  EXPECT_EQ(result.code, 0) << result.error;
  EXPECT_TRUE(holds(result.out, "reference  none: the hybrid run")) << result.out;
  EXPECT_TRUE(holds(result.out, "refused: ")) << result.out;
  const std::string table = text_of(results());
  for (const char* name : {"hybrid", "global", "topological", "recursive", "cartesian"})
    EXPECT_TRUE(holds(table, std::string(",") + name + ",0.01,refused,,,")) << table;
  EXPECT_TRUE(holds(table, "moves no inertia")) << table;
}

// What no formulation could drive is refused, as run refuses it, before a file is opened.
TEST_F(Compare, WhatCannotBeDrivenIsRefused) {
  const Result unknown = call(
      "vehicles/models/sedan_driver.xml vehicles/scenarios/step_steer.xml --until 0.1 --repeat 1 "
      "--out " +
      results());
  EXPECT_EQ(unknown.code, 3) << unknown.out;
  EXPECT_TRUE(holds(unknown.error, "step_steer.xml:")) << unknown.error;
  EXPECT_FALSE(fs::exists(results()));
}

// A scenario's own steps of a length of their own are the file's, not what is compared.
TEST_F(Compare, WhatTheCommandLineReplacesIsNotRefused) {
  const std::string scenario = (folder_ / "own_steps.xml").string();
  std::ofstream(scenario) << R"(<scenario name="own" version="1">
  <run step="0.01" until="0.1" scheme="linearly_implicit_euler" closing="multipliers"
       error_tolerance="1e-5"/></scenario>)";
  const Result result = call("vehicles/models/double_four_bar.xml " + scenario +
                             " --formulations hybrid --steps 0.01 --scheme trapezoid "
                             "--closing penalty --repeat 1");
  EXPECT_EQ(result.code, 0) << result.error;
}

// Rows that their formulation refuses are no runs to draw.
TEST_F(Compare, RefusedRowsAreNotDrawn) {
  const Result result = call(kFourBar +
                             "--until 0.1 --formulations cartesian --steps 0.01 "
                             "--scheme linearly_implicit_euler --out " +
                             results());
  EXPECT_EQ(result.code, 0) << result.error;
  EXPECT_TRUE(holds(text_of(results() + "/compare.csv"), ",refused,")) << result.out;
  EXPECT_FALSE(fs::exists(results() + "/work_precision.svg"));
}

TEST_F(Compare, TheGlobalTangentAlongTheTreeFindsTheSameMotion) {
  const Result result = call(kFourBar +
                             "--formulations global,global_tree --measure energy --until 1 "
                             "--steps 0.01 --json -");
  ASSERT_EQ(result.code, 0) << result.error;
  const Json json = Json::parse(result.out);
  ASSERT_EQ(json["runs"].size(), 2U);
  EXPECT_EQ(json["runs"][1]["formulation"], "global_tree");
  EXPECT_NEAR(json["runs"][0]["error"].get<double>(), json["runs"][1]["error"].get<double>(), 1e-6);
  for (const Json& run : json["runs"]) {
    const Json& count = run["multiplications"];
    EXPECT_EQ(count["mass"], 0.0);
    EXPECT_GT(count["factor"].get<double>(), 0.0);
    EXPECT_DOUBLE_EQ(count["iteration"].get<double>(), count["closures"].get<double>() +
                                                           count["factor"].get<double>() +
                                                           count["solve"].get<double>());
  }
}

TEST_F(Compare, TheLargestGoodStepIsFoundByBisection) {
  const Result result = call(kFourBar +
                             "--formulations hybrid,topological_plain --measure energy --good 0.1 "
                             "--steps 0.01 --until 2 --largest-step --json -");
  ASSERT_EQ(result.code, 0) << result.error;
  const Json json = Json::parse(result.out);
  ASSERT_EQ(json["largest_good"].size(), 2U);
  for (const Json& found : json["largest_good"]) {
    EXPECT_GT(found["step"].get<double>(), 0.01) << found;
    EXPECT_LE(std::abs(found["run"]["error"].get<double>()), 0.1) << found;
    EXPECT_TRUE(found.contains("beyond")) << found;
  }
}

TEST_F(Compare, NeverReplacesFilesUnlessAsked) {
  const std::string options = kFourBar + "--formulations hybrid --steps 0.1 --until 0.5 ";
  ASSERT_EQ(call(options + "--csv " + results()).code, 0);
  const std::string before = text_of(results());
  const Result refused = call(options + "--measure balance --csv " + results());
  EXPECT_EQ(refused.code, 3);
  EXPECT_TRUE(holds(refused.error, "is already there, expected a free name or --overwrite"))
      << refused.error;
  EXPECT_EQ(text_of(results()), before);
  EXPECT_EQ(call(options + "--measure balance --overwrite --csv " + results()).code, 0);
  EXPECT_NE(text_of(results()), before);
}

TEST_F(Compare, ThePlainMethodIsRunWithEachCoordinateOfTableOneOfThePaper) {
  const fs::path models = folder_ / "vehicles";
  for (const char* name : {"models/double_four_bar.xml", "scenarios/free_10s.xml"}) {
    fs::create_directories((models / name).parent_path());
    fs::copy_file(fs::path(kSource) / "vehicles" / name, models / name);
  }
  const Result result = call("--paper --repeat 1 --json - --models " + models.string());
  ASSERT_EQ(result.code, 0) << result.error;
  const Json tables = Json::parse(result.out)["tables"];
  EXPECT_TRUE(tables[1].contains("failure"));
  int plain = 0;
  for (const Json& run : tables[0]["comparison"]["runs"]) {
    const std::string name = run["formulation"];
    if (name.rfind("plain:", 0) == 0) {
      ++plain;
      EXPECT_EQ(run["independent"], 1) << run;
      EXPECT_LT(run["farthest"].get<double>(), 0.5) << run;
    }
    // its energy is within 20 times the limit, its motion is another one
    if (name == "global" && run["step"] == 0.1) EXPECT_EQ(run["status"], "wrong") << run;
  }
  EXPECT_EQ(plain, 20);
}

TEST_F(Compare, ThePaperTablesThatLackTheirFilesSaySoAndEndWell) {
  const Result result = call("--paper --models " + results());
  EXPECT_EQ(result.code, 0) << result.error;
  for (const char* words :
       {"Table 1. Double four-bar mechanism", "not made: ", "free_10s.xml", "Table 4."})
    EXPECT_TRUE(holds(result.out, words)) << words << '\n' << result.out;
}

TEST_F(Compare, TheSeedsTablesThatLackTheirFilesSaySoAndEndWell) {
  const Result result = call("--seeds --repeat 1 --json - --models " + results());
  ASSERT_EQ(result.code, 0) << result.error;
  const Json json = Json::parse(result.out);
  std::vector<std::string> sources;
  for (const Json& table : json["tables"]) {
    sources.push_back(table["source"]);
    EXPECT_TRUE(holds(table["failure"], ".xml: cannot be read")) << table;
  }
  for (const char* seed : {"000", "001", "002", "003"})
    EXPECT_TRUE(std::find(sources.begin(), sources.end(), seed) != sources.end()) << seed;
  EXPECT_EQ(json["work_precision"].size(), 5U);
}

TEST_F(Compare, OnlyTheSeedsAskedForAreMeasured) {
  const Result result = call("--seeds --only 000,003 --repeat 1 --json - --models " + results());
  ASSERT_EQ(result.code, 0) << result.error;
  const Json json = Json::parse(result.out);
  EXPECT_TRUE(json["work_precision"].empty());
  for (const Json& table : json["tables"])
    EXPECT_TRUE(table["source"] == "000" || table["source"] == "003") << table;
  const Result other = call("--seeds --only 3 --models " + results());
  EXPECT_EQ(other.code, 3);
  EXPECT_TRUE(holds(other.error, "--only is '3', expected 000, 001, 002, 003 or work"))
      << other.error;
}

TEST_F(Compare, WithoutRunsThereIsNoPlotAndNoComplaint) {
  const Result result =
      call("--seeds --only 000 --repeat 1 --models " + results() + " --out " + results());
  EXPECT_EQ(result.code, 0) << result.error;
  EXPECT_FALSE(holds(result.error, "room on the disk")) << result.error;
  EXPECT_TRUE(fs::exists(results() + "/compare.csv"));
  EXPECT_FALSE(fs::exists(results() + "/work_precision.svg"));
  EXPECT_FALSE(holds(result.out, "work_precision.svg")) << result.out;
}

/// The pin's rates are those of two rows, but for what the length of the Euler parameters changes,
/// which is a row, too: no larger than twice the largest of all rows. Returns how many rows hold
/// it.
int expect_pins_among_closures(const Json& table) {
  int count = 0;
  for (const Json& row : table["rows"]) {
    const Json& ours = row["ours"];
    if (!ours.contains("any row") || !ours["any row"].is_number()) continue;
    ++count;
    if (row["what"] == "HHT-ADD (-0.3)") {
      // hybrid: the pin is no closure; velocities are unknowns that meet the closures to round-off
      EXPECT_LT(ours["any row"].get<double>(), 1e-12) << row;
      EXPECT_FALSE(ours["pin x m/s"].is_number()) << row;
      continue;
    }
    for (const char* pin : {"pin x m/s", "pin z m/s"})
      EXPECT_LE(ours[pin].get<double>(), 2.0 * ours["any row"].get<double>()) << row;
  }
  return count;
}

TEST_F(Compare, EverySchemeHasItsOrderOnTheSliderCrankOfTheSeeds) {
  // a slider-crank of its own: two rods, a spring and a damper from the slider to the bearing
  const fs::path models = folder_ / "vehicles";
  fs::create_directories(models / "models");
  fs::create_directories(models / "scenarios");
  std::ofstream(models / "models" / "slider_crank.xml") << R"(<?xml version="1.0" encoding="utf-8"?>
<mechanism name="slider_crank" version="1">
  <parameter name="case" value="falling"/>
  <parameter name="damping" value="5" when="case = falling"/>
  <parameter name="damping" value="0" when="case = undamped"/>
  <slender_rod name="crank" mass="3" from="0 0 0" to="0.3 0 0"/>
  <slender_rod name="rod" mass="0.9" from="0.3 0 0" to="0.9 0 0"/>
  <joint name="crank_pin" type="revolute" a="ground" b="crank" point="0 0 0" axis="0 -1 0"/>
  <joint name="rod_pin" type="revolute" a="crank" b="rod" point="0.3 0 0" axis="0 -1 0"/>
  <point_in_plane name="guide" a="ground" b="rod" point="0 0 0" axis="0 0 1" point_b="0.9 0 0" offset="0"/>
  <spring name="spring" a="ground" b="rod" point_a="0 0 0" point_b="0.9 0 0">
    <stiffness k="100" free_length="0.9"/>
    <damping c="{damping}"/>
  </spring>
</mechanism>)";
  std::ofstream(models / "scenarios" / "let_go.xml") << R"(<?xml version="1.0" encoding="utf-8"?>
<scenario name="let_go" version="1">
  <run step="0.001" until="2"/>
  <start from="design"/>
</scenario>)";
  const Result result = call("--seeds --only 001 --repeat 1 --json - --models " + models.string());
  ASSERT_EQ(result.code, 0) << result.error;
  const Json json = Json::parse(result.out);
  int schemes = 0;
  int levels = 0;
  int drifts = 0;
  for (const Json& table : json["tables"]) {
    if (table["source"] == "001 Figs 11 to 15") drifts += expect_pins_among_closures(table);
    if (table["source"] != "001 Fig. 3 and section 3.1") continue;
    ASSERT_TRUE(table.contains("rows")) << table;
    for (const Json& row : table["rows"]) {
      if (row["ours"].empty()) {
        EXPECT_EQ(row["what"], "HHT-ADD (-0.3)") << row;
        EXPECT_TRUE(holds(row["remark"], "in the table of the hybrid formulation")) << row;
        continue;
      }
      if (row.contains("remark")) EXPECT_FALSE(holds(row["remark"], "refused")) << row;
      if (row["what"] == "NSTIFF-SI2" && holds(table["title"], "hybrid"))
        EXPECT_TRUE(holds(row["remark"], "multipliers as unknowns")) << row;
      ++schemes;
      const std::string paper = row["paper"];
      if (paper != "1" && paper != "2") continue;
      // 0.15: the next term of the error, as in tests/oracle/order.cpp
      for (const char* level : {"position", "rate", "accel.", "multipl."}) {
        EXPECT_NEAR(row["ours"][level].get<double>(), std::stod(paper), 0.15) << row;
        ++levels;
      }
    }
  }
  EXPECT_EQ(schemes, 19);     // ten in hybrid, HHT-ADD there alone
  EXPECT_EQ(levels, 4 * 13);  // those of the paper
  EXPECT_GE(drifts, 8);
}

TEST_F(Compare, RunsOfVariableStepStandBesideThoseOfEqualSteps) {
  const Result result = call(kFourBar +
                             "--until 2 --steps 0.01 --formulations hybrid,cartesian_classic "
                             "--scheme hht --alpha -0.1 --error-tolerance 1e-4,1e-6 --out " +
                             results());
  ASSERT_EQ(result.code, 0) << result.error;
  EXPECT_TRUE(holds(result.out, "tol. 1e-06")) << result.out;
  const Json runs = Json::parse(text_of(results() + "/compare.json"))["runs"];
  ASSERT_EQ(runs.size(), 6U);
  EXPECT_EQ(runs[0]["formulation"], "hybrid");
  EXPECT_FALSE(runs[0].contains("error_tolerance"));
  EXPECT_EQ(runs[2]["formulation"], "hybrid_variable");
  EXPECT_EQ(runs[2]["error_tolerance"], 1e-4);
  EXPECT_EQ(runs[5]["formulation"], "cartesian_classic_variable");
  EXPECT_EQ(runs[5]["error_tolerance"], 1e-6);
  // a hundredth of the local error: steps shorter by 100^(1/3) = 4.6
  EXPECT_GT(runs[4]["steps"].get<double>(), 3.0 * runs[2]["steps"].get<double>());
  EXPECT_LT(runs[4]["deviation"].get<double>(), runs[2]["deviation"].get<double>());
}

TEST_F(Compare, AsksForItsFiles) {
  EXPECT_EQ(call("--seeds vehicles/models/double_four_bar.xml").code, 2);
  EXPECT_EQ(call("--seeds --paper").code, 2);
  EXPECT_EQ(call("").code, 2);
  EXPECT_EQ(call("vehicles/models/double_four_bar.xml").code, 2);
  EXPECT_EQ(call("--paper vehicles/models/double_four_bar.xml").code, 2);
}

struct BadCall {
  std::string arguments;
  std::string words;
};

class CompareRefuses : public Compare, public testing::WithParamInterface<BadCall> {};

TEST_P(CompareRefuses, InOneLineWithExitCode3) {
  const Result result = call(GetParam().arguments + " --csv " + results());
  EXPECT_EQ(result.code, 3) << result.error << result.out;
  EXPECT_EQ(count(result.error, '\n'), 1) << result.error;
  EXPECT_TRUE(holds(result.error, GetParam().words)) << result.error;
  EXPECT_FALSE(fs::exists(results()));
}

INSTANTIATE_TEST_SUITE_P(
    Input, CompareRefuses,
    testing::Values(
        BadCall{kFourBar + "--formulations hybrid,magic",
                "--formulations names 'magic', expected some of hybrid, global"},
        BadCall{kFourBar + "--steps 0.01,zero", "--steps holds 'zero', expected steps above 0"},
        BadCall{kFourBar + "--steps 0.01,,0.1", "--steps holds '', expected steps above 0"},
        BadCall{kFourBar + "--steps 0.01,-1", "--steps holds '-1', expected steps above 0"},
        BadCall{kFourBar + "--steps 0.01x", "--steps holds '0.01x', expected steps above 0"},
        BadCall{kFourBar + "--measure beauty", "--measure is 'beauty', expected energy"},
        BadCall{
            kFourBar + "--measure closing:tip",
            "--measure closing:tip: the vehicle has no marker of this name, expected one of B0"},
        BadCall{kFourBar + "--measure reference:tip.x",
                "--measure reference:tip.x: there is no such channel"},
        BadCall{kFourBar + "--measure end_pose", "--measure end_pose: the vehicle has no body"},
        BadCall{kFourBar + "--error-tolerance 1e-5,2",
                "--error-tolerance holds '2', expected local"},
        BadCall{kFourBar + "--estimate magic",
                "--estimate is 'magic', expected corrected or printed"},
        BadCall{kFourBar + "--estimate printed", "--estimate is given with steps of one length"},
        BadCall{kFourBar + "--scheme magic", "--scheme is 'magic', expected trapezoid"},
        BadCall{"--seeds --error-tolerance 1e-5", "given with --paper or --seeds"},
        BadCall{kFourBar + "--good=-1", "--good is -1, expected an error above 0"},
        BadCall{kFourBar + "--until=-1", "--until is -1, expected a time above 0 s"},
        BadCall{"no_such_vehicle.xml vehicles/scenarios/free_10s.xml",
                "no_such_vehicle.xml: cannot be read"}));

}  // namespace
}  // namespace semirec::test
