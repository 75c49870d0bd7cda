// Runs that are compared by their result folders: reading them, differences, what is resampled.

#include "apps/report/run_differences.hpp"

#include <array>
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

/// `offset` further on, of an angle that ends at -pi and pi.
std::vector<double> wrapped(const std::vector<double>& times, double offset) {
  std::vector<double> angle;
  for (const double t : times) {
    const double turned = 3.0 + t + offset;
    angle.push_back(std::atan2(std::sin(turned), std::cos(turned)));
  }
  return angle;
}

// Both turn by 10 rad at 1 rad/s, 0.01 rad apart: the difference is that everywhere, also where one
// has jumped by 2 pi and the other not, and where the first is interpolated over its jump.
TEST(RunDifferences, OfAnglesDoNotJumpByAWholeTurn) {
  for (const double step : {0.01, 0.004}) {
    std::vector<Results> runs{run_of("a", 0.01, 1001, [](double) { return 0.0; }),
                              run_of("b", step, 1001, [](double) { return 0.0; })};
    for (std::size_t r = 0; r < 2; ++r) {
      runs[r].channels[0] = {"chassis.yaw", "rad"};
      runs[r].columns[0] = wrapped(runs[r].times, r == 0 ? 0.0 : 0.01);
    }
    const ChannelDifference yaw = find_differences(runs).at(0);
    EXPECT_NEAR(yaw.largest, 0.01, 1e-12);
    EXPECT_NEAR(yaw.rms, 0.01, 1e-12);
    EXPECT_NEAR(yaw.range, runs[1].times.back() + 0.01, 1e-9);
  }
}

// A joint that counts its turns is a turn further on or it is not.
TEST(RunDifferences, OfCountedTurnsAreWhatTheyAre) {
  std::vector<Results> runs{run_of("a", 0.1, 11, [](double) { return 0.5; }),
                            run_of("b", 0.1, 11, [](double) { return 0.5 + 2.0 * M_PI; })};
  for (Results& run : runs) run.channels[0] = {"pin.z", "rad"};
  EXPECT_NEAR(find_differences(runs).at(0).largest, 2.0 * M_PI, 1e-12);
}

// A body turns about (1, 2, 2)/3 from 3 rad on, a rotation vector ends at pi and goes on from -pi:
// 0.02 rad apart are 0.02 (1, 2, 2)/3.
TEST(RunDifferences, OfRotationVectorsDoNotJumpByAWholeTurn) {
  const std::array<double, 3> axis{1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0};
  for (const double step : {0.01, 0.004}) {
    std::vector<Results> runs(2);
    for (std::size_t r = 0; r < 2; ++r) {
      Results& run = runs[r];
      run.folder = r == 0 ? "a" : "b";
      run.channels = {{"ball.z[0]", "m"},   {"ball.z[1]", "m"},   {"ball.z[2]", "m"},
                      {"ball.z[3]", "rad"}, {"ball.z[4]", "rad"}, {"ball.z[5]", "rad"}};
      run.columns.resize(6);
      for (std::size_t k = 0; k < 101; ++k) {
        run.times.push_back((r == 0 ? 0.01 : step) * static_cast<double>(k));
        const double turned = 3.0 + run.times.back() + (r == 0 ? 0.0 : 0.02);
        const double angle = std::atan2(std::sin(turned), std::cos(turned));
        for (std::size_t c = 0; c < 3; ++c) {
          run.columns[c].push_back(0.0);
          run.columns[3 + c].push_back(angle * axis[c]);
        }
      }
    }
    const std::vector<ChannelDifference> differences = find_differences(runs);
    ASSERT_EQ(differences.size(), 6U);
    for (std::size_t c = 0; c < 3; ++c) {
      EXPECT_NEAR(differences[3 + c].largest, 0.02 * axis[c], 1e-12) << c;
      EXPECT_NEAR(differences[3 + c].rms, 0.02 * axis[c], 1e-12) << c;
    }
  }
}

TEST_F(ResultFolders, WithANameTwiceHaveBothChannels) {
  const Results a = read_results(write("a", "time,c,c\ns,m,m\n0,1,5\n1,1,5\n"));
  const Results b = read_results(write("b", "time,c,c\ns,m,m\n0,1,7\n1,1,7\n"));
  EXPECT_EQ(a.channels[1].name, "c#2");
  const std::vector<ChannelDifference> differences = find_differences({a, b});
  ASSERT_EQ(differences.size(), 2U);
  EXPECT_EQ(differences[0].largest, 0.0);  // 1 - 1
  EXPECT_EQ(differences[1].largest, 2.0);  // 7 - 5
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
