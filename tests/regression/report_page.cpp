// The page that `run --report` writes. A program that was built without pages refuses it, and that
// is then what these tests see.

#include <algorithm>
#include <cmath>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/regression/program.hpp"
#include "tests/unit/report/decode.hpp"

namespace semirec::test {
namespace {

using Json = nlohmann::ordered_json;

const std::string kFourBar = "vehicles/models/double_four_bar.xml vehicles/scenarios/free_10s.xml";

class ReportPage : public ProgramTest {
 protected:
  std::string page() const { return (folder_ / "page.html").string(); }
  std::string write(const std::string& name, const std::string& text) const {
    const std::string path = (folder_ / name).string();
    std::ofstream(path) << text;
    return path;
  }
  /// Whether the call was refused for want of pages: then with one line, and nothing is written.
  bool has_no_pages(const Result& result) const {
    if (!holds(result.error, "--report: this program was built without its pages")) return false;
    EXPECT_EQ(result.code, 3);
    EXPECT_EQ(count(result.error, '\n'), 1) << result.error;
    EXPECT_TRUE(result.out.empty()) << result.out;
    EXPECT_FALSE(fs::exists(page()));
    return true;
  }
  int files() const {
    return static_cast<int>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
};

/// The JSON that stands in the page.
Json data_of(const std::string& html) {
  const std::string begin = "<script type=\"application/json\" id=\"semirec-report\">";
  const std::size_t from = html.find(begin);
  if (from == std::string::npos) return {};
  const std::size_t to = html.find("</script>", from);
  return Json::parse(html.substr(from + begin.size(), to - from - begin.size()));
}

TEST_F(ReportPage, OfARunHoldsItAndIsNotWrittenOver) {
  const auto run = [&](const std::string& until) {
    return "run " + kFourBar + " --until " + until + " --report " + page();
  };
  const Result first = call_program(run("0.5"));
  if (has_no_pages(first)) return;
  EXPECT_EQ(first.code, 0) << first.error;
  EXPECT_TRUE(holds(first.out, "  page        " + page())) << first.out;
  const std::string html = text_of(page());
  const Json data = data_of(html);
  EXPECT_EQ(data["kind"], "run");
  EXPECT_EQ(data["title"], "double_four_bar in free_10s");
  EXPECT_EQ(data["status"], "finished");
  EXPECT_EQ(data["command"], "semirec " + run("0.5"));
  EXPECT_EQ(data["model"]["bodies"].size(), 6U);
  EXPECT_EQ(data["fingerprint"].get<std::string>().size(), 16U);

  const Result second = call_program(run("0.2"));
  EXPECT_EQ(second.code, 3);
  EXPECT_TRUE(holds(second.error, "is already there, expected a free name or --overwrite"))
      << second.error;
  EXPECT_TRUE(second.out.empty()) << second.out;
  EXPECT_TRUE(text_of(page()) == html);
  EXPECT_EQ(call_program(run("0.2") + " --overwrite").code, 0);
  EXPECT_FALSE(text_of(page()) == html);
  // the page, stdout and stderr: no part of a page is left
  EXPECT_EQ(files(), 3);
}

// Each command that has a page shows the vehicle and a position or motion of it.
TEST_F(ReportPage, OfEveryCommandShowsTheVehicle) {
  struct Call {
    std::string kind, arguments;
    std::size_t runs;
    const char* part;  // that it has beside
  };
  const std::string iltis = "vehicles/models/iltis.xml";
  const std::string sedan = "vehicles/models/sedan.xml";
  for (const Call& call : std::vector<Call>{
           {"info", "info " + sedan, 1, "facts"},
           {"equilibrium", "equilibrium " + sedan + " --speed 20 --lateral-acceleration 0,1", 1,
            "charts"},
           {"modes", "modes " + iltis, 1, "modes"},
           {"kc", "kc " + iltis + " --axle front --test design --test parallel --test roll", 2,
            "charts"},
           {"manoeuvre",
            "manoeuvre coast_down " + sedan + " --quick --with speed=20 --with end_speed=19", 1,
            "charts"},
           {"compare",
            "compare " + kFourBar + " --until 0.2 --repeat 1 --formulations hybrid,global", 2,
            "tables"}}) {
    const Result result = call_program(call.arguments + " --overwrite --report " + page());
    if (has_no_pages(result)) continue;
    EXPECT_EQ(result.code, 0) << call.kind << result.error;
    const Json data = data_of(text_of(page()));
    EXPECT_EQ(data["kind"], call.kind);
    EXPECT_FALSE(data["title"].get<std::string>().empty()) << call.kind;
    EXPECT_EQ(data["runs"].size(), call.runs) << call.kind;
    EXPECT_FALSE(data["model"]["shapes"].empty()) << call.kind;
    EXPECT_FALSE(data[call.part].empty()) << call.kind << ' ' << call.part;
    fs::remove(page());
  }
}

// A curve of the rig has a frame at each of its points. The lowest point of the wheel moves by the
// travel, its centre by that less radius (1 - cos camber): 0.33 m times 0.06^2 / 2, 0.6 mm.
TEST_F(ReportPage, OfKcMovesTheRigOverEachCurve) {
  const Result result = call_program(
      "kc vehicles/models/sedan.xml --axle front --test parallel --points 5 --report " + page());
  if (has_no_pages(result)) return;
  ASSERT_EQ(result.code, 0) << result.error;
  const Json data = data_of(text_of(page()));
  ASSERT_EQ(data["runs"].size(), 1U);
  const Json& run = data["runs"][0];
  EXPECT_EQ(run["name"], "front parallel");
  EXPECT_EQ(run["charts"], "parallel travel");
  EXPECT_EQ(run["axis"]["unit"], "m");
  bool found = false;
  for (const Json& chart : data["charts"])
    found = found || chart["title"].get<std::string>().rfind("parallel travel:", 0) == 0;
  EXPECT_TRUE(found);
  const std::vector<double> values = numbers_of(run["poses"]["times"]);
  ASSERT_EQ(values.size(), 5U);
  const std::size_t bodies = data["model"]["bodies"].size();
  const std::vector<double> poses = numbers_of(run["poses"]["bodies"], 7 * bodies);
  ASSERT_EQ(poses.size(), 5 * 7 * bodies);
  std::size_t rim = 0;
  for (std::size_t b = 0; b < bodies; ++b)
    if (data["model"]["bodies"][b]["name"] == "rim_fl") rim = b;
  ASSERT_GT(rim, 0U);
  for (std::size_t k = 0; k < 5; ++k)
    EXPECT_NEAR(poses[7 * (k * bodies + rim) + 2] - poses[7 * (2 * bodies + rim) + 2], values[k],
                1e-3)
        << values[k];
}

// A study of the Iltis' mass, which is not drawn: each car with its command; called again, the page
// alone is written.
TEST_F(ReportPage, OfASweepHasEveryCarAndItsCommand) {
  const std::string study =
      write("study.xml", "<study name=\"s\" version=\"1\" vehicle=\"" + kSource +
                             "/vehicles/models/iltis.xml\"><vary element=\"chassis\" "
                             "attribute=\"mass\" factor=\"yes\" as=\"mass\" "
                             "values=\"0.9 1 1.1\"/><response command=\"equilibrium VEHICLE\" "
                             "quantities=\"chassis.z\"/></study>");
  const std::string call =
      "sweep " + study + " --out " + (folder_ / "out").string() + " --report " + page();
  const Result result = call_program(call);
  if (has_no_pages(result)) return;
  EXPECT_EQ(result.code, 0) << result.error;
  EXPECT_TRUE(holds(result.out, "  page        " + page())) << result.out;
  const Json data = data_of(text_of(page()));
  EXPECT_EQ(data["kind"], "sweep");
  const Json& shown = data["study"];
  EXPECT_EQ(shown["samples"].dump(), "[0,1,2]");
  EXPECT_EQ(shown["columns"][0]["values"].dump(), "[0.9,1.0,1.1]");
  EXPECT_EQ(shown["columns"][0]["settings"][0], "chassis.mass=*");
  EXPECT_EQ(shown["columns"][1]["name"], "chassis.z");
  EXPECT_EQ(shown["commands"][0], "semirec equilibrium " + kSource + "/vehicles/models/iltis.xml");
  EXPECT_TRUE(holds(shown["drawn"].get<std::string>(), "changes nothing that is drawn"));
  EXPECT_EQ(call_program(call).code, 3);
  fs::remove(page());
  EXPECT_EQ(call_program(call).code, 0);
  EXPECT_EQ(data_of(text_of(page()))["study"], shown);
}

TEST_F(ReportPage, OfTwoFoldersHasTheirDifferences) {
  const auto out = [&](const std::string& name) { return (folder_ / name).string(); };
  for (const std::string name : {"hybrid", "global"})
    ASSERT_EQ(call_program("run " + kFourBar + " --until 0.5 --formulation " + name + " --out " +
                           out(name))
                  .code,
              0);
  const std::string call = "report " + out("hybrid") + ' ' + out("global") + " --out " + page();
  const Result result = call_program(call);
  if (has_no_pages(result)) return;
  EXPECT_EQ(result.code, 0) << result.error;
  const Json data = data_of(text_of(page()));
  EXPECT_EQ(data["kind"], "report");
  ASSERT_EQ(data["runs"].size(), 2U);
  EXPECT_EQ(data["runs"][1]["name"], out("global"));
  EXPECT_EQ(data["tables"][0]["title"], "largest differences");
  EXPECT_FALSE(data["tables"][0]["rows"].empty());
  fs::remove(page());

  // cut in the middle of a row: what is there, and it is said
  const fs::path table = folder_ / "global" / "results.csv";
  fs::resize_file(table, fs::file_size(table) - 7);
  const Result cut = call_program(call);
  EXPECT_EQ(cut.code, 0) << cut.error;
  EXPECT_TRUE(holds(cut.error, "is cut short in line ")) << cut.error;
  EXPECT_TRUE(holds(data_of(text_of(page()))["warnings"][0].get<std::string>(), "is cut short"));
  fs::remove(page());

  // refusals of one line, and no page
  for (const auto& [arguments, why] : std::vector<std::pair<std::string, std::string>>{
           {out("hybrid"), "one folder is given"},
           {out("hybrid") + ' ' + out("hybrid"), "is given twice"},
           {out("hybrid") + ' ' + out("none"), "is no folder"},
           {out("hybrid") + ' ' + folder_.string(), "holds no results.csv"}}) {
    const Result refused = call_program("report " + arguments + " --out " + page());
    EXPECT_EQ(refused.code, 3) << arguments;
    EXPECT_EQ(count(refused.error, '\n'), 1) << refused.error;
    EXPECT_TRUE(holds(refused.error, why)) << refused.error;
    EXPECT_FALSE(fs::exists(page()));
  }
}

// At the mark of 90 % the yaw rate has that share of its steady value, at that of the peak it is
// largest: about the body's axis, which leans by 0.04 rad, and between rows of a page: within 1 %.
TEST_F(ReportPage, OfAStepSteerHasTheMarksOfTheStandard) {
  const Result result = call_program(
      "manoeuvre step_steer vehicles/models/sedan.xml --quick --with steering_wheel=0.3 --with "
      "hold=2 --report " +
      page());
  if (has_no_pages(result)) return;
  ASSERT_EQ(result.code, 0) << result.error;
  const Json data = data_of(text_of(page()));
  const Json& run = data["runs"][0];
  const std::vector<double> times = numbers_of(run["times"]);
  std::vector<double> yaw_rate;
  for (const Json& channel : run["channels"])
    if (channel["name"] == "chassis.wz") yaw_rate = numbers_of(channel["values"]);
  ASSERT_EQ(yaw_rate.size(), times.size());
  double steady = 0.0, response = 0.0, peak = 0.0;
  for (const Json& answer : data["answers"])
    if (answer["name"] == "yaw_rate.steady") steady = answer["value"];
  std::vector<std::string> labels;
  for (const Json& mark : run["marks"]) {
    labels.push_back(mark["label"]);
    if (mark.value("channel", "") != "chassis.wz") continue;
    if (mark["label"] == "90 %") response = mark["time"];
    if (mark["label"] == "peak") peak = mark["time"];
  }
  ASSERT_GE(labels.size(), 4U);
  EXPECT_EQ(labels[0], "steering starts");
  EXPECT_EQ(labels[1], "half way");
  const auto at = [&](double t) {
    const auto k =
        static_cast<std::size_t>(std::lower_bound(times.begin(), times.end(), t) - times.begin());
    const double part = (t - times[k - 1]) / (times[k] - times[k - 1]);
    return yaw_rate[k - 1] + part * (yaw_rate[k] - yaw_rate[k - 1]);
  };
  EXPECT_NEAR(at(response), 0.9 * steady, 0.01 * steady);
  EXPECT_NEAR(at(peak), *std::max_element(yaw_rate.begin(), yaw_rate.end()), 0.01 * steady);
}

/// A line of a chart of a page.
struct ChartLine {
  std::vector<double> x, y;

  explicit ChartLine(const Json& series) : x(numbers_of(series["x"])), y(numbers_of(series["y"])) {}
  ChartLine(const Json& times, const Json& values) : x(numbers_of(times)), y(numbers_of(values)) {}
  double at(double place) const {
    const auto k = static_cast<std::size_t>(
        std::clamp<std::ptrdiff_t>(std::lower_bound(x.begin(), x.end(), place) - x.begin(), 1,
                                   static_cast<std::ptrdiff_t>(x.size()) - 1));
    return y[k - 1] + (place - x[k - 1]) / (x[k] - x[k - 1]) * (y[k] - y[k - 1]);
  }
  double mean(double from, double until) const {
    double sum = 0.0;
    int count = 0;
    for (std::size_t k = 0; k < x.size(); ++k)
      if (x[k] >= from - 1e-6 && x[k] <= until + 1e-6) {
        sum += y[k];
        ++count;
      }
    return sum / count;
  }
};

/// How far a mark's level is from the nearest line there, over the range of all lines.
double distance_from_lines(const Json& mark, const std::vector<ChartLine>& lines) {
  double low = 1e300, high = -1e300, nearest = 1e300;
  for (const ChartLine& line : lines) {
    const auto [least, most] = std::minmax_element(line.y.begin(), line.y.end());
    low = std::min(low, *least);
    high = std::max(high, *most);
    const double there = mark.contains("until")
                             ? line.mean(mark["x"].get<double>(), mark["until"].get<double>())
                             : line.at(mark["x"].get<double>());
    nearest = std::min(nearest, std::abs(there - mark["level"].get<double>()));
  }
  return nearest / (high - low);
}

struct MarkedManoeuvre {
  std::string call;
  std::vector<std::string> labels;  ///< that stand on some chart
};

class MarksOfManoeuvres : public ReportPage, public testing::WithParamInterface<MarkedManoeuvre> {};

// What is read at a time stands on a curve of the chart that it is marked on: 1 % of the chart's
// range, as the rows of a page lie apart and peaks are those of parabolas through three of them.
TEST_P(MarksOfManoeuvres, StandOnTheCurvesThatWereRead) {
  constexpr double kBetweenRows = 0.01;
  const Result result =
      call_program("manoeuvre " + GetParam().call + " --quick --report " + page());
  if (has_no_pages(result)) return;
  ASSERT_EQ(result.code, 0) << result.error;
  const Json data = data_of(text_of(page()));
  std::set<std::string> labels;
  int levels = 0;
  for (const Json& chart : data["charts"]) {
    std::vector<ChartLine> lines;
    for (const Json& series : chart["series"]) lines.emplace_back(series);
    for (const Json& mark : chart["marks"]) {
      labels.insert(mark["label"].get<std::string>());
      EXPECT_LE(mark["x"].get<double>(), mark.value("until", 1e9));
      EXPECT_GE(mark["x"].get<double>(), lines[0].x.front() - 1.0) << chart["title"] << mark;
      EXPECT_LE(mark["x"].get<double>(), lines[0].x.back() + 1e-6) << chart["title"] << mark;
      if (!mark.contains("level")) continue;
      ++levels;
      EXPECT_LT(distance_from_lines(mark, lines), kBetweenRows) << chart["title"] << mark;
    }
  }
  for (const std::string& label : GetParam().labels)
    EXPECT_EQ(labels.count(label), 1U) << label << " of " << Json(labels);
  EXPECT_GT(levels, 0);
  // what has no place on a curve is a mark of all
  for (const Json& mark : data["runs"][0]["marks"])
    EXPECT_TRUE(labels.count(mark["label"]) > 0 || mark.contains("channel")) << mark;
}

const std::string kMarkedSedan = " vehicles/models/sedan.xml --with ";
INSTANTIATE_TEST_SUITE_P(
    All, MarksOfManoeuvres,
    testing::Values(
        MarkedManoeuvre{"step_steer" + kMarkedSedan + "steering_wheel=0.3 --with hold=3",
                        {"steering starts", "half way", "90 %", "peak", "steady", "held"}},
        MarkedManoeuvre{"single_sine" + kMarkedSedan + "steering_wheel=0.3",
                        {"sine", "first peak", "second peak"}},
        MarkedManoeuvre{"sine_with_dwell" + kMarkedSedan + "A=1 --with speed=12",
                        {"steering at 5 degrees", "steering done", "peak", "1.00 s after",
                         "1.75 s after", "displacement"}},
        MarkedManoeuvre{"straight_braking" + kMarkedSedan + "pedal=0.3",
                        {"brake", "80 %", "10 %", "fully developed", "standstill"}},
        MarkedManoeuvre{"acceleration" + kMarkedSedan + "end_speed=10 --with course_length=30",
                        {"throttle", "end speed", "distance driven"}},
        MarkedManoeuvre{"coast_down" + kMarkedSedan + "duration=2", {"end speed"}},
        MarkedManoeuvre{"lane_change_1" + kMarkedSedan + "speed=15",
                        {"lanes begin", "lanes end", "largest"}},
        MarkedManoeuvre{"ramp_steer" + kMarkedSedan + "largest_steering_wheel=1",
                        {"gains", "largest", "2 m/s^2"}},
        MarkedManoeuvre{"half_round" + kMarkedSedan + "duration=2",
                        {"up", "down", "least", "most"}},
        MarkedManoeuvre{"follow_path" + kMarkedSedan + "speed=15", {"largest", "largest offset"}},
        MarkedManoeuvre{"steering_release vehicles/models/sedan_eps.xml --set hands.value=torque",
                        {"let go", "half way", "first swing", "end"}},
        MarkedManoeuvre{"rearward_amplification vehicles/models/trailer.xml", {"largest"}}),
    [](const auto& tested) { return tested.param.call.substr(0, tested.param.call.find(' ')); });

std::vector<double> channel_of(const Json& run, const std::string& name) {
  for (const Json& channel : run["channels"])
    if (channel["name"] == name) return numbers_of(channel["values"]);
  ADD_FAILURE() << "no channel " << name;
  return {};
}

bool has_note(const Json& data, const std::string& words) {
  return std::any_of(data["notes"].begin(), data["notes"].end(),
                     [&](const Json& note) { return holds(note.get<std::string>(), words); });
}

// Of more drives than a page keeps, that of the answer's curves: the yaw rate of the car shown is
// that of the curve. 1 % of its range, as rows lie apart.
TEST_F(ReportPage, OfASineWithDwellShowsTheDriveOfItsCurves) {
  const Result result = call_program(
      "manoeuvre sine_with_dwell vehicles/models/sedan.xml --quick --with A=0.36 --with settle=1 "
      "--step 0.002 --report " +
      page());
  if (has_no_pages(result)) return;
  ASSERT_EQ(result.code, 0) << result.error;
  const Json data = data_of(text_of(page()));
  EXPECT_TRUE(has_note(data, "drives, that of the curves over time")) << data["notes"];
  const Json& run = data["runs"][0];
  EXPECT_FALSE(run["marks"].empty());
  ChartLine shown(run["times"], run["times"]);
  shown.y = channel_of(run, "chassis.wz");
  for (const Json& chart : data["charts"]) {
    if (chart["title"] != "yaw rate") continue;
    const ChartLine answered(chart["series"][0]);
    const auto [least, most] = std::minmax_element(answered.y.begin(), answered.y.end());
    for (std::size_t k = 0; k < answered.x.size(); ++k)
      ASSERT_NEAR(shown.at(answered.x[k]), answered.y[k], 0.01 * (*most - *least)) << answered.x[k];
    return;
  }
  FAIL() << "no curve of the yaw rate";
}

// Its numbers are means over several drives: no mark of theirs belongs to the one that is shown.
TEST_F(ReportPage, OfARideOnRandomRoadsSaysThatItShowsTheLast) {
  const Result result = call_program(
      "manoeuvre ride_random vehicles/models/sedan.xml --quick --with duration=7 --with seeds=2 "
      "--report " +
      page());
  if (has_no_pages(result)) return;
  ASSERT_EQ(result.code, 0) << result.error;
  const Json data = data_of(text_of(page()));
  EXPECT_TRUE(has_note(data, "the car is shown in the last of ")) << data["notes"];
  EXPECT_TRUE(data["runs"][0]["marks"].empty());
}

/// The numbers of one column of results.csv, below its two lines of head.
std::vector<double> column_of(const std::string& csv, const std::string& name) {
  std::istringstream lines(csv);
  std::string line, cell;
  std::getline(lines, line);
  std::istringstream head(line);
  std::ptrdiff_t column = 0;
  while (std::getline(head, cell, ',') && cell != name) ++column;
  std::getline(lines, line);
  std::vector<double> values;
  while (std::getline(lines, line)) {
    std::istringstream cells(line);
    for (std::ptrdiff_t k = 0; k <= column; ++k) std::getline(cells, cell, ',');
    values.push_back(std::stod(cell));
  }
  return values;
}

// Steps of lengths of their own, many times longer than the distance of frames: the places between
// them are those of the table, to the rounding of a page (its header's 1.6e-5 of 80 m).
TEST_F(ReportPage, OfStepsOfTheirOwnLengthsIsDrawnBetweenThem) {
  const Result result = call_program(
      "run vehicles/models/sedan.xml vehicles/scenarios/step_steer.xml --error-tolerance 1e-4 "
      "--out " +
      results() + " --report " + page());
  if (has_no_pages(result)) return;
  ASSERT_EQ(result.code, 0) << result.error;
  const Json data = data_of(text_of(page()));
  const Json& run = data["runs"][0];
  const std::string csv = text_of(results() + "/results.csv");
  ChartLine table(run["times"], run["times"]);
  table.x = column_of(csv, "time");
  table.y = column_of(csv, "chassis.y");
  const std::vector<double> times = numbers_of(run["times"]);
  const std::vector<double> y = channel_of(run, "chassis.y");
  // three to a row of the table, 0.01 s apart
  ASSERT_GE(times.size(), 1200U);
  for (std::size_t k = 1; k < times.size(); ++k) {
    EXPECT_LE(times[k] - times[k - 1], 0.0201);
    // between rows of the table, 0.01 s apart, a parabola of 10 m/s^2 is 0.1 mm off a line
    EXPECT_NEAR(y[k], table.at(times[k]), 1.5e-3) << times[k];
  }
  EXPECT_GE(numbers_of(run["poses"]["times"]).size(), 200U);
  EXPECT_FALSE(run.contains("thinned")) << run["thinned"];
}

/// Whether a span begins as a sine of this frequency and amplitude does (rows of a page lie up to a
/// sixtieth of a period apart: 1 % of the amplitude), and lasts so many periods of it.
void expect_sine(const ChartLine& wheel, double from, double until, double frequency,
                 double amplitude, double periods) {
  constexpr double kBetweenRows = 0.01;
  EXPECT_NEAR(until - from, periods / frequency, 1e-9);
  for (int quarter = 0; quarter < 4 * periods; ++quarter)
    EXPECT_NEAR(wheel.at(from + 0.25 * quarter / frequency),
                amplitude * (quarter % 2 == 0   ? 0.0
                             : quarter % 4 == 1 ? 1.0
                                                : -1.0),
                kBetweenRows * amplitude)
        << "quarter " << quarter << " at " << frequency << " Hz";
}

double answer_of(const Json& data, const std::string& name) {
  for (const Json& answer : data["answers"])
    if (answer["name"] == name) return answer["value"];
  ADD_FAILURE() << "no answer " << name;
  return 0.0;
}

// ISO 13674-1: each period that counts is one of the steering wheel's sine.
TEST_F(ReportPage, OfAWeaveHasItsPeriods) {
  const Result result =
      call_program("manoeuvre weave vehicles/models/sedan.xml --with frequency=" +
                   std::string("0.25 --with periods=2 --quick --report ") + page());
  if (has_no_pages(result)) return;
  ASSERT_EQ(result.code, 0) << result.error;
  const Json data = data_of(text_of(page()));
  const Json& chart = data["charts"][0];
  ASSERT_EQ(chart["title"], "steering wheel");
  ASSERT_EQ(chart["marks"].size(), 2U);
  for (std::size_t k = 0; k < 2; ++k) {
    const Json& mark = chart["marks"][k];
    EXPECT_EQ(mark["label"], "period " + std::to_string(k + 1));
    expect_sine(ChartLine(chart["series"][0]), mark["x"], mark["until"], 0.25,
                answer_of(data, "steering_wheel"), 1.0);
  }
  EXPECT_EQ(chart["marks"][0]["until"], chart["marks"][1]["x"]);
}

// ISO 7401: frequencies at equal ratios, each marked over its whole periods; spectra have no time.
TEST_F(ReportPage, OfASineSweepHasItsFrequencies) {
  const Result result = call_program(
      "manoeuvre sine_sweep vehicles/models/sedan.xml --with f_from=0.25 --with f_to=1 --with "
      "count=3 --with periods=3 --quick --report " +
      page());
  if (has_no_pages(result)) return;
  ASSERT_EQ(result.code, 0) << result.error;
  const Json data = data_of(text_of(page()));
  const Json& run = data["runs"][0];
  ASSERT_EQ(run["marks"].size(), 3U);
  bool has_wheel = false;
  for (const Json& channel : run["channels"]) {
    if (channel["name"] != "steering.value") continue;
    has_wheel = true;
    const ChartLine wheel(run["times"], channel["values"]);
    for (std::size_t k = 0; k < 3; ++k) {
      const Json& mark = run["marks"][k];
      EXPECT_EQ(mark["label"], std::vector<std::string>({"0.25 Hz", "0.5 Hz", "1 Hz"})[k]);
      EXPECT_FALSE(mark.contains("channel"));
      expect_sine(wheel, mark["time"], mark["until"], 0.25 * std::pow(2.0, k),
                  answer_of(data, "steering_wheel"), 3.0);
    }
  }
  EXPECT_TRUE(has_wheel);
  for (const Json& chart : data["charts"]) EXPECT_TRUE(chart["marks"].empty()) << chart["title"];
}

// ISO 14791: of each unit its own largest, on its own line.
TEST_F(ReportPage, OfATrailerHasTheLargestOfEachUnit) {
  const Result result = call_program(
      "manoeuvre rearward_amplification vehicles/models/trailer.xml --quick --report " + page());
  if (has_no_pages(result)) return;
  ASSERT_EQ(result.code, 0) << result.error;
  const Json data = data_of(text_of(page()));
  const auto marks_on = [&](const std::string& title) {
    for (const Json& chart : data["charts"])
      if (chart["title"] == title) return chart;
    ADD_FAILURE() << "no chart " << title;
    return Json();
  };
  for (const char* title : {"lateral acceleration of the units", "yaw rate of the units"}) {
    const Json chart = marks_on(title);
    ASSERT_EQ(chart["series"].size(), 2U);
    ASSERT_EQ(chart["marks"].size(), 2U) << title;
    for (std::size_t k = 0; k < 2; ++k) {
      const ChartLine line(chart["series"][k]);
      const auto size = [](double a, double b) { return std::abs(a) < std::abs(b); };
      const double largest = *std::max_element(line.y.begin(), line.y.end(), size);
      EXPECT_NEAR(chart["marks"][k]["level"].get<double>(), largest, 0.01 * std::abs(largest));
      EXPECT_NEAR(line.at(chart["marks"][k]["x"]), largest, 0.01 * std::abs(largest));
    }
  }
  // the car's own charts have the car's alone
  EXPECT_EQ(marks_on("accelerations")["marks"].size(), 1U);
  EXPECT_EQ(marks_on("yaw rate")["marks"].size(), 1U);
}

// Against the clock at a rate that any machine holds; the last frame is that of the last step which
// was kept, at most a frame before the end.
TEST_F(ReportPage, OfARunAgainstTheClockShowsItAndItsPeriods) {
  const Result result = call_program("realtime " + kFourBar +
                                     " --rate 100 --duration 0.5 --policy catch-up --catch-up "
                                     "1000 --max-overruns 100 --report " +
                                     page());
  if (has_no_pages(result)) return;
  ASSERT_EQ(result.code, 0) << result.error;
  EXPECT_TRUE(holds(result.out, "  page        " + page())) << result.out;
  const Json data = data_of(text_of(page()));
  EXPECT_EQ(data["kind"], "realtime");
  EXPECT_EQ(data["title"], "double_four_bar in free_10s at 100 Hz");
  EXPECT_EQ(data["status"], "finished");
  ASSERT_EQ(data["runs"].size(), 1U);
  const std::vector<double> times = numbers_of(data["runs"][0]["poses"]["times"]);
  EXPECT_GT(times.size(), 10U);
  EXPECT_NEAR(times.back(), 0.5, 0.02 + 1e-5);
  EXPECT_EQ(data["charts"][0]["series"].size(), 3U);
  EXPECT_EQ(data["answers"][0]["name"], "periods");
}

TEST_F(ReportPage, OfAnImportShowsTheVehicleAndTheNotes) {
  const std::string out = (folder_ / "car.xml").string();
  const std::string call = "import chrono car.json --data tests/data/chrono --plain --out " + out +
                           " --report " + page();
  const Result result = call_program(call);
  if (has_no_pages(result)) return;
  ASSERT_EQ(result.code, 0) << result.error;
  const Json data = data_of(text_of(page()));
  EXPECT_EQ(data["kind"], "import");
  EXPECT_FALSE(data["model"]["elements"].empty());
  EXPECT_EQ(data["model"]["file"], out);
  // as many notes as the program has printed
  EXPECT_EQ(static_cast<int>(data["notes"].size()), count(result.error, '\n')) << result.error;
  fs::remove(out);
  EXPECT_EQ(call_program(call).code, 3) << "the page is there";
  EXPECT_FALSE(fs::exists(out));
  EXPECT_EQ(call_program(call + " --force").code, 0);
}

// A rod's end that is 50 mm off its mirror image: named by `check`, with the command that shows it.
TEST_F(ReportPage, OfWhatLooksWrongIsNamedByCheck) {
  std::string text = R"(<mechanism name="m" version="1">
    <body name="bob" mass="1" com="0 0 1" inertia="1 1 1"/>
    <joint name="free" type="free" a="ground" b="bob"/>)";
  for (int k = 0; k < 4; ++k)
    for (const std::string side : {"l", "r"}) {
      const std::string sign = side == "l" ? "" : "-";
      const std::string x = std::to_string(k);
      const std::string z = k == 3 && side == "r" ? "0.25" : "0.2";
      text += "\n<spring name=\"strut" + x + "_" + side + "\" a=\"ground\" b=\"bob\" point_a=\"" +
              x + " " + sign + "0.3 0\" point_b=\"" + x + " " + sign + "0.7 " + z +
              "\"><stiffness k=\"9\" free_length=\"0.4\"/></spring>";
    }
  const std::string file = write("it's off.xml", text + "</mechanism>");
  const Result result = call_program("check \"" + file + "\" --set bob.mass=2");
  EXPECT_EQ(result.code, 0) << result.error;
  EXPECT_TRUE(holds(result.error,
                    "looks wrong: 'strut3_r', end b (line 11) is 50 mm from the "
                    "mirror image of 'strut3_l' (line 10)"))
      << result.error;
  EXPECT_TRUE(holds(result.error, "to see where: semirec info '" + folder_.string() +
                                      "/it'\\''s off.xml' --set bob.mass=2 --report check.html"))
      << result.error;
  EXPECT_EQ(call_program("check vehicles/models/sedan.xml").error, "");
}

// Header of a binary glTF: its name, version 2, its length.
TEST_F(ReportPage, IsNotNeededForGltf) {
  const std::string scene = (folder_ / "car.glb").string();
  const std::string run = "run " + kFourBar + " --until 0.1 --gltf " + scene;
  const Result first = call_program(run);
  EXPECT_EQ(first.code, 0) << first.error;
  EXPECT_TRUE(holds(first.out, "  glTF        " + scene)) << first.out;
  const std::string bytes = text_of(scene);
  ASSERT_GT(bytes.size(), 12U);
  EXPECT_EQ(bytes.substr(0, 8), std::string("glTF\2\0\0\0", 8));
  std::size_t length = 0;
  for (std::size_t k = 0; k < 4; ++k)
    length |= static_cast<std::size_t>(static_cast<unsigned char>(bytes[8 + k])) << (8 * k);
  EXPECT_EQ(length, bytes.size());
  EXPECT_EQ(call_program(run).code, 3);
  EXPECT_EQ(call_program(run + " --overwrite").code, 0);
  EXPECT_EQ(files(), 3);
}

TEST_F(ReportPage, OfARunThatBreaksDownSaysSo) {
  const std::string far = write("far.xml", R"(<mechanism name="far" version="1">
      <body name="bob" mass="1" com="0 0 1" inertia="1 1 1"/>
      <joint name="weld" type="fixed" a="ground" b="bob" point="0 0 0"/>
      <spring name="strut" a="ground" b="bob" point_a="-1e60 0 0" point_b="0 0 0" spring_scale="1e100">
        <stiffness k="1e100" free_length="1"/></spring></mechanism>)");
  const Result result =
      call_program("run " + far + " vehicles/scenarios/let_go.xml --report '" + page() + "'");
  if (has_no_pages(result)) return;
  EXPECT_EQ(result.code, 4) << result.error;
  const Json data = data_of(text_of(page()));
  EXPECT_TRUE(holds(data["status"].get<std::string>(), "failed"));
  ASSERT_FALSE(data["warnings"].empty());
  EXPECT_TRUE(holds(data["warnings"][0].get<std::string>(), "not finite"));
}

// What a file may be called and what its root may say is free; names of elements are letters,
// digits, `_`, `-` and `.` of any number.
TEST_F(ReportPage, HoldsHostileNamesAsTheyAre) {
  const std::string hostile =
      "</script><script>alert(1)</script> \"quotes\" 'single' & \xE2\x80\xAE\xD7\xA9\xD7\x9C "
      "\xE2\x80\xA8 end";
  const std::string in_xml =
      "&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt; &quot;quotes&quot; 'single' &amp; "
      "\xE2\x80\xAE\xD7\xA9\xD7\x9C \xE2\x80\xA8 end";
  const std::string letters(10000, 'n');
  const std::string vehicle =
      write("<script>alert(2).xml",
            "<mechanism name=\"" + in_xml + "\" version=\"1\"><body name=\"" + letters +
                "\" mass=\"1\" com=\"0 0 1\" inertia=\"1 1 1\"/>"
                "<joint name=\"pin\" type=\"revolute\" a=\"ground\" b=\"" +
                letters + "\" point=\"0 0 0\" axis=\"0 1 0\"/></mechanism>");
  const std::string scenario =
      write("course.xml", "<scenario name=\"" + in_xml +
                              "\" version=\"1\"><run step=\"0.01\" until=\"0.1\"/></scenario>");
  const Result result =
      call_program("run '" + vehicle + "' '" + scenario + "' --report '" + page() + "'");
  if (has_no_pages(result)) return;
  EXPECT_EQ(result.code, 0) << result.error;
  const std::string html = text_of(page());
  const Json data = data_of(html);
  EXPECT_EQ(data["title"], hostile + " in " + hostile);
  EXPECT_EQ(data["model"]["name"], hostile);
  EXPECT_EQ(data["model"]["file"], vehicle);
  EXPECT_EQ(data["model"]["bodies"][1]["name"], letters);
  // the page's own elements are what they were
  const std::size_t title = html.find("<title>");
  EXPECT_EQ(html.substr(title, html.find("</title>") - title).find("<script"), std::string::npos);
  EXPECT_EQ(html.find("<script>alert"), std::string::npos);
}

}  // namespace
}  // namespace semirec::test
