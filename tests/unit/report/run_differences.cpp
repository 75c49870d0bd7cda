// Runs that are compared by their result folders: reading them, differences, what is resampled.

#include "apps/report/run_differences.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "apps/report/report_json.hpp"
#include "topology/mechanism.hpp"

namespace semirec::report {
namespace {

namespace fs = std::filesystem;

class ResultFolders : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) /
              ("result_folders_" +
               std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::remove_all(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string write(const std::string& name, const std::string& text,
                    const std::string& summary = "") const {
    fs::create_directories(folder_ / name);
    std::ofstream(folder_ / name / "results.csv") << text;
    if (!summary.empty()) std::ofstream(folder_ / name / "summary.json") << summary;
    return (folder_ / name).string();
  }
  /// What a refusal says, without the folder's own name; empty: it is read.
  std::string refusal(const std::string& text) const {
    const std::string folder = write("refused", text);
    try {
      static_cast<void>(read_results(folder));
    } catch (const ModelError& error) {
      std::string message = error.what();
      EXPECT_EQ(message.find('\n'), std::string::npos) << message;
      for (std::size_t at = message.find(folder); at != std::string::npos;
           at = message.find(folder))
        message.erase(at, folder.size());
      return message;
    }
    return {};
  }
  fs::path folder_;
};

TEST_F(ResultFolders, AreReadWithNamesUnitsAndTheirSummary) {
  const Results read = read_results(
      write("a", "time,\"a,\"\"b\"\"\",c\ns,m,rad\n0,1,-2.5\n0.5,nan,3e2\n",
            R"({"model": "m", "scenario": "sc", "status": "finished", "formulation": 7})"));
  ASSERT_EQ(read.channels.size(), 2U);
  EXPECT_EQ(read.channels[0].name, "a,\"b\"");
  EXPECT_EQ(read.channels[0].unit, "m");
  EXPECT_EQ(read.times, (std::vector<double>{0.0, 0.5}));
  EXPECT_TRUE(std::isnan(read.columns[0][1]));
  EXPECT_EQ(read.columns[1], (std::vector<double>{-2.5, 300.0}));
  EXPECT_EQ(read.model, "m");
  EXPECT_EQ(read.status, "finished");
  EXPECT_EQ(read.formulation, "");
  EXPECT_TRUE(read.cut.empty());
}

TEST_F(ResultFolders, ThatWereCutShortHaveTheirWholeRowsAndSaySo) {
  const std::string whole = "time,c\ns,rad\n0,1\n0.5,2\n";
  for (const char* tail : {"1", "1,", "1,3", "1,3.5e"}) {
    const Results read = read_results(write("a", whole + tail));
    EXPECT_EQ(read.times.size(), 2U) << tail;
    EXPECT_NE(read.cut.find("results.csv is cut short in line 5: shown is what is there, up to "
                            "0.5 s"),
              std::string::npos)
        << read.cut;
  }
}

TEST_F(ResultFolders, ThatAreNoneAreRefusedInOneLine) {
  EXPECT_EQ(refusal("time,c\ns,rad\n0,1\n0.5,2\n"), "");
  EXPECT_EQ(refusal("index,c\n1,rad\n0,1\n"),
            "/results.csv:1: the first column is not 'time', expected the results of a run");
  EXPECT_EQ(refusal("time,c\nms,rad\n0,1\n"),
            "/results.csv:2: the time has no unit s, expected it");
  EXPECT_EQ(refusal("time,c\ns\n0,1\n"), "/results.csv:2: has 1 units for 2 names");
  EXPECT_EQ(refusal("time,c\n"),
            "/results.csv:2: ends before its first row, expected names, units and rows");
  EXPECT_EQ(refusal("time,c\ns,rad\n"),
            "/results.csv:3: there is no whole row, expected one or more");
  EXPECT_EQ(refusal("time,c\ns,rad\n0,1\n1,2,3\n"), "/results.csv:4: has 3 cells, expected 2");
  EXPECT_EQ(refusal("time,c\ns,rad\n0,1\n1\n"), "/results.csv:4: has 1 cells, expected 2");
  EXPECT_EQ(refusal("time,c\ns,rad\n0,x\n"), "/results.csv:3: cell 2 is no number, expected one");
  EXPECT_EQ(refusal("time,c\ns,rad\n1,0\n0,0\n"),
            "/results.csv:4: the time goes back, expected rows in its order");
  EXPECT_THROW(static_cast<void>(read_results((folder_ / "no").string())), ModelError);
}

/// Rows from 0 on, `step` apart.
Results run_of(const std::string& name, double step, std::size_t rows, double (*f)(double)) {
  Results run;
  run.folder = name;
  run.channels = {{"x", "m"}, {"only_" + name, "N"}};
  run.columns.resize(2);
  for (std::size_t k = 0; k < rows; ++k) {
    run.times.push_back(step * static_cast<double>(k));
    run.columns[0].push_back(f(run.times.back()));
    run.columns[1].push_back(1.0);
  }
  return run;
}

// t^2 and t^2 + 0.1 t (1 - t): at most 0.025 apart, at 0.5 s; rms 0.1 sqrt(1/30) for many rows.
TEST(RunDifferences, AreThoseOfEqualRows) {
  const std::vector<Results> runs{
      run_of("a", 0.001, 1001, [](double t) { return t * t; }),
      run_of("b", 0.001, 1001, [](double t) { return t * t + 0.1 * t * (1.0 - t); })};
  EXPECT_TRUE(same_times(runs[0], runs[1]));
  const auto differences = find_differences(runs);
  ASSERT_EQ(differences.size(), 1U);
  EXPECT_NEAR(differences[0].largest, 0.025, 1e-15);
  EXPECT_NEAR(differences[0].time, 0.5, 1e-12);
  EXPECT_NEAR(differences[0].rms, 0.1 / std::sqrt(30.0), 1e-5);
  EXPECT_NEAR(differences[0].range, 1.0, 1e-15);
}

// Between rows 0.1 s apart t^2 is seen as its chord: off by 0.1^2 / 4 in the middle, where the
// other run has a row.
TEST(RunDifferences, OfOtherTimesAreToTheStraightLineBetweenRows) {
  const auto square = [](double t) { return t * t; };
  const std::vector<Results> runs{run_of("a", 0.1, 11, square), run_of("b", 0.05, 41, square)};
  EXPECT_FALSE(same_times(runs[0], runs[1]));
  const auto differences = find_differences(runs);
  ASSERT_EQ(differences.size(), 1U);
  EXPECT_NEAR(differences[0].largest, -0.0025, 1e-12);
  // beyond the end of the first run nothing is said
  EXPECT_TRUE(std::isnan(differences[0].values[21]));
  EXPECT_NEAR(differences[0].values[20], 0.0, 1e-12);
}

TEST(RunDifferences, AreRefusedForOtherUnitsAndTimes) {
  const auto zero = [](double) { return 0.0; };
  std::vector<Results> runs{run_of("a", 0.1, 11, zero), run_of("b", 0.1, 11, zero)};
  runs[1].channels[0].unit = "mm";
  try {
    static_cast<void>(find_differences(runs));
    ADD_FAILURE();
  } catch (const ModelError& error) {
    EXPECT_STREQ(error.what(),
                 "channel 'x' has unit 'm' in 'a' and 'mm' in 'b', expected the same");
  }
  runs[1].channels[0].unit = "m";
  for (double& t : runs[1].times) t += 5.0;
  EXPECT_THROW(static_cast<void>(find_differences(runs)), ModelError);
}

TEST(RunDifferences, StandOnAPageWithAllTheirCurves) {
  const std::vector<Results> runs{
      run_of("a", 0.001, 10001, [](double t) { return std::sin(t); }),
      run_of("b", 0.001, 10001, [](double t) { return std::sin(t) + (t == 7.0 ? 0.5 : 0.0); })};
  const nlohmann::ordered_json page = json_of(make_difference_page(runs));
  EXPECT_TRUE(page["model"]["bodies"].empty());
  ASSERT_EQ(page["runs"].size(), 2U);
  EXPECT_FALSE(page["runs"][0].contains("poses"));
  EXPECT_EQ(page["runs"][0]["channels"].size(), 2U);
  EXPECT_EQ(page["runs"][1]["channels"][1]["name"], "x, difference");
  EXPECT_EQ(page["runs"][1]["channels"][1]["unit"], "m");
  // thinned, but the one row that differs stands in the table: channel, run, size, unit, time
  EXPECT_EQ(page["runs"][0]["thinned"],
            "a: drawn is every 3. row of 10001; the table has the differences of all");
  const auto& row = page["tables"][0]["rows"][0];
  EXPECT_EQ(row[0], "x");
  EXPECT_EQ(row[1], "b");
  EXPECT_NEAR(row[2].get<double>(), 0.5, 1e-12);
  EXPECT_EQ(row[3], "m");
  EXPECT_NEAR(row[4].get<double>(), 7.0, 1e-12);
  EXPECT_EQ(page["notes"][1], "only in b: only_b");
}

}  // namespace
}  // namespace semirec::report
