// What `semirec run` says about tyres that were asked beyond their range.
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/regression/program.hpp"

namespace semirec::test {
namespace {

class Clamps : public ProgramTest {};

TEST_F(Clamps, AreSilentWhereThereAreNone) {
  const Result result = call_program(
      "run vehicles/models/sedan.xml vehicles/scenarios/step_steer.xml --until 1 --out " +
      results());
  EXPECT_EQ(result.code, 0) << result.error;
  EXPECT_FALSE(holds(result.out, "clamped"));
  EXPECT_FALSE(holds(text_of(results() + "/summary.json"), "clamped"));
}

// Every row of results.csv is a step here: the count is made again from the channel.
TEST_F(Clamps, AreCountedByWheelAndArgument) {
  // 40 m/s, brakes that lock all wheels at once: kappa goes to -1 and no further; a steering wheel
  // that turns the locked wheels far; a car on ice that slides sideways
  const std::string scenario = (folder_ / "spin.xml").string();
  std::ofstream(scenario) << R"(<scenario name="spin" version="1">
    <run step="0.001" until="1.5" record="0.001"/>
    <start from="equilibrium" speed="12"/>
    <input name="gear"><constant value="1"/></input>
    <input name="throttle"><ramp from="0" to="1" start="0.1" end="0.2"/></input>
    <input name="steering"><ramp from="0" to="4" start="0.2" end="0.5"/></input>
    </scenario>)";
  const std::string car = (folder_ / "car.xml").string();
  std::string text = text_of(kSource + "/vehicles/models/sedan.xml");
  const auto change = [&](const std::string& from, const std::string& to) {
    for (std::size_t at = text.find(from); at != std::string::npos;
         at = text.find(from, at + to.size()))
      text.replace(at, from.size(), to);
  };
  change("<include file=\"", "<include file=\"" + kSource + "/vehicles/models/");
  change("file=\"tyres/touring_225.tir\"", "file=\"narrow.tir\"");
  std::ofstream(car) << text;
  std::string tyre = text_of(kSource + "/vehicles/models/tyres/touring_225.tir");
  const std::size_t at = tyre.find("FZMAX = 11000");
  ASSERT_NE(at, std::string::npos);
  tyre.replace(at, 13, "FZMAX = 4600");
  std::ofstream(folder_ / "narrow.tir") << tyre;

  const Result result = call_program("run '" + car + "' '" + scenario + "' --out " + results());
  ASSERT_EQ(result.code, 0) << result.error;
  std::istringstream table(text_of(results() + "/results.csv"));
  std::string names, line;
  std::getline(table, names);
  std::getline(table, line);
  const auto column = [&](const std::string& name) {
    const std::string before = names.substr(0, names.find(name));
    return static_cast<std::size_t>(count(before, ','));
  };
  const std::size_t clamped = column("wheel_fr.clamped");
  const std::size_t load = column("wheel_fr.Wz");
  long steps = 0, by_load = 0;
  while (std::getline(table, line)) {
    std::istringstream cells(line);
    std::vector<double> row;
    for (std::string cell; std::getline(cells, cell, ',');) row.push_back(std::stod(cell));
    steps += row[clamped] != 0.0;
    by_load += row[load] > 4600.0;  // FZMAX
  }
  EXPECT_GT(by_load, 100);
  const auto summary = nlohmann::json::parse(text_of(results() + "/summary.json"));
  ASSERT_TRUE(summary.contains("clamped")) << result.out;
  const auto& wheel = summary["clamped"]["wheel_fr"];
  EXPECT_EQ(wheel["steps"].get<long>(), steps);
  EXPECT_EQ(wheel["load"].get<long>(), by_load);
  EXPECT_TRUE(holds(result.out, "clamped     wheel_fr: beyond the range of its tyre in " +
                                    std::to_string(steps) + " steps (load "))
      << result.out;
}

}  // namespace
}  // namespace semirec::test
