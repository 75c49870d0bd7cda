// The pictures of answers, for those without a browser. Without gnuplot its commands are kept: they
// are what these tests read.

#include <cmath>
#include <map>
#include <regex>
#include <set>
#include <vector>

#include "tests/regression/program.hpp"

namespace semirec::test {
namespace {

class Pictures : public ProgramTest {
 protected:
  /// The commands for gnuplot of an answer.
  std::string commands_of(const std::string& arguments) const {
    const std::string out = (folder_ / "out").string();
    const std::string call = "cd '" + kSource + "' && PATH=/nonexistent '" +
                             std::string(SEMIREC_PROGRAM) + "' " + arguments + " --out '" + out +
                             "' >'" + out + ".txt' 2>&1";
    EXPECT_EQ(std::system(call.c_str()), 0) << text_of(out + ".txt");
    return text_of(out + "/picture.gp");
  }
  /// What stands behind a word at the begin of a line.
  static std::vector<std::string> all_of(const std::string& commands, const std::string& word) {
    std::vector<std::string> found;
    std::istringstream lines(commands);
    for (std::string line; std::getline(lines, line);)
      if (line.rfind(word + " ", 0) == 0) found.push_back(line.substr(word.size() + 1));
    return found;
  }
};

TEST_F(Pictures, HaveTheirTimeAxesLinedUpAndTheirKeysBesideThem) {
  const std::string commands = commands_of(
      "manoeuvre step_steer vehicles/models/sedan.xml --quick --with hold=1 --with "
      "steering_wheel=0.2");
  const std::vector<std::string> titles = all_of(commands, "set title");
  ASSERT_EQ(titles.size(), 5U);
  for (const char* edge : {"set lmargin at screen", "set rmargin at screen", "set xrange"}) {
    const std::vector<std::string> places = all_of(commands, edge);
    ASSERT_EQ(places.size(), titles.size()) << edge;
    EXPECT_EQ(std::set<std::string>(places.begin(), places.end()).size(), 1U) << edge;
  }
  const double right = std::stod(all_of(commands, "set rmargin at screen")[0]);
  const std::vector<std::string> keys = all_of(commands, "set key at screen");
  // two charts of two lines each; what one line shows is said by the title
  ASSERT_EQ(keys.size(), 2U);
  for (const std::string& key : keys) EXPECT_GT(std::stod(key), right);
  const std::vector<std::string> unset = all_of(commands, "unset");
  EXPECT_EQ(std::count(unset.begin(), unset.end(), "key"),
            static_cast<std::ptrdiff_t>(titles.size() - keys.size()));
}

TEST_F(Pictures, LeaveOutWhereNothingChangesAndSaySo) {
  const std::string commands =
      commands_of("manoeuvre coast_down vehicles/models/sedan.xml --quick --with duration=1");
  const std::vector<std::string> titles = all_of(commands, "set title");
  EXPECT_EQ(std::count(titles.begin(), titles.end(), "'steering wheel'"), 0);
  EXPECT_EQ(std::count(titles.begin(), titles.end(), "'speed'"), 1);
  const std::vector<std::string> said = all_of(commands, "set label 2");
  ASSERT_EQ(said.size(), 1U);
  EXPECT_EQ(said[0].rfind("'nothing changes: steering wheel", 0), 0U) << said[0];
}

// Marks such as 0.0000001 push the label of their axis out of the picture.
TEST_F(Pictures, HaveShortMarksOnAxesOfManyDecades) {
  const std::string commands = commands_of(
      "manoeuvre ride_random vehicles/models/sedan.xml --quick --with seeds=1 --with settle=0.5 "
      "--with duration=4");
  std::string scale = "linear";
  std::map<std::string, std::set<std::string>> formats;  // by the scale
  std::istringstream lines(commands);
  for (std::string line; std::getline(lines, line);) {
    if (line == "set logscale y") scale = "log";
    if (line == "unset logscale y") scale = "linear";
    if (line.rfind("set format y ", 0) == 0) formats[scale].insert(line.substr(13));
  }
  EXPECT_EQ(formats["log"], std::set<std::string>{"'%g'"});
  for (const std::string& format : formats["linear"]) EXPECT_EQ(format, "'% h'");
}

TEST_F(Pictures, OfManyChartsStandOnTwoColumns) {
  const std::string commands = commands_of("kc vehicles/models/iltis.xml");
  const std::vector<std::string> left = all_of(commands, "set lmargin at screen");
  const std::set<std::string> columns(left.begin(), left.end());
  EXPECT_GT(left.size(), 8U);
  EXPECT_EQ(columns.size(), 2U);
  // rows from the top, two charts each
  const std::vector<std::string> tops = all_of(commands, "set tmargin at screen");
  std::map<std::string, int> rows;
  for (const std::string& top : tops) ++rows[top];
  for (const auto& [top, charts] : rows)
    EXPECT_LE(charts, 2) << top << " of " << rows.size() << " rows";
}

// The rectangle of the manoeuvre: as wide and long as the answer says it is, within 9 digits.
TEST_F(Pictures, OfALaneChangeHaveTheOutlineThatIsJudged) {
  const std::string commands = commands_of(
      "manoeuvre lane_change_1 vehicles/models/sedan.xml --quick --with speed=12 --with width=1.9 "
      "--with length=4.5");
  std::smatch found;
  ASSERT_TRUE(std::regex_search(commands, found,
                                std::regex(R"(\$data_0_(\d+) using [^,]*title 'outline that is)")));
  const std::string head = "$data_0_" + found[1].str() + " << EOD\n";
  std::istringstream points(commands.substr(commands.find(head) + head.size()));
  std::vector<std::pair<double, double>> corners;
  for (std::string line; std::getline(points, line) && line != "EOD";) {
    if (!line.empty()) {
      corners.emplace_back(0.0, 0.0);
      std::istringstream(line) >> corners.back().first >> corners.back().second;
      continue;
    }
    ASSERT_EQ(corners.size(), 5U);
    const auto side = [&](std::size_t k) {
      return std::hypot(corners[k + 1].first - corners[k].first,
                        corners[k + 1].second - corners[k].second);
    };
    EXPECT_NEAR(side(0), 1.9, 1e-6);
    EXPECT_NEAR(side(1), 4.5, 1e-6);
    EXPECT_NEAR(side(2), 1.9, 1e-6);
    EXPECT_EQ(corners.front(), corners.back());
    corners.clear();
  }
}

}  // namespace
}  // namespace semirec::test
