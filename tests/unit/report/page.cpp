// The data of a page: whole for every shipped model in its scenario, and names as they are.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "apps/report/model_section.hpp"
#include "apps/report/motion_recorder.hpp"
#include "apps/report/report_json.hpp"
#include "tests/unit/report/decode.hpp"
#include "vehicles/files/xml/reader.hpp"

namespace semirec::report {
namespace {

using Json = nlohmann::ordered_json;
using test::numbers_of;

const std::string kVehicles = std::string(SEMIREC_SOURCE_DIR) + "/vehicles/";

/// A run of `until` s as a page has it.
Report report_of(const DriveDescription& description, double until) {
  Drive drive = make_drive(description);
  drive.settings.until = until;
  const Recorder recorder(drive.model, drive.recorder);
  Workspace ws(drive.model), scratch(drive.model);
  State state = start_drive(drive, ws);
  MotionRecorder motion(drive, recorder.channels(), state.t, until, drive.settings.step.h);
  std::vector<double> values;
  RunObserver observer;
  observer.record = [&](const State& at, const Energy& /*energy*/) {
    recorder.record(drive.model, at, scratch, values);
    motion.see(at, values, scratch);
    return true;
  };
  drive.settings.record = 0.0;
  run(drive.model, drive.settings, state, ws, observer);
  recorder.record(drive.model, state, scratch, values);
  motion.see_last(state, values, scratch);
  Report report;
  report.kind = "run";
  report.title = description.scenario.name;
  report.model = make_model_section(description.vehicle, "model.xml");
  report.facts = find_model_facts(description.vehicle);
  report.motions.push_back(motion.finish());
  report.road = make_road_mesh(description.scenario, motion.course());
  return report;
}

/// The JSON that stands in the page.
Json json_in(const std::string& html) {
  const std::string begin = "<script type=\"application/json\" id=\"semirec-report\">";
  const std::size_t from = html.find(begin);
  EXPECT_NE(from, std::string::npos);
  const std::size_t to = html.find("</script>", from);
  return Json::parse(html.substr(from + begin.size(), to - from - begin.size()));
}

/// Each body that is called is there, and points are three finite numbers.
void expect_whole(const Json& json, std::size_t bodies, const std::string& where) {
  if (json.is_object())
    for (const auto& [key, value] : json.items()) {
      if (key == "body") {
        EXPECT_LT(value.get<std::size_t>(), bodies) << where;
      }
      expect_whole(value, bodies, where + "." + key);
    }
  if (json.is_array())
    for (const Json& part : json) expect_whole(part, bodies, where);
  EXPECT_FALSE(json.is_null()) << where;
}

void expect_consistent(const Json& page, const std::string& what) {
  EXPECT_EQ(page["format"], 1);
  const std::size_t bodies = page["model"]["bodies"].size();
  expect_whole(page["model"], bodies, what);
  for (const Json& run : page["runs"]) {
    const std::size_t frames = numbers_of(run["poses"]["times"]).size();
    const std::size_t rows = numbers_of(run["times"]).size();
    ASSERT_GT(frames, 1U) << what;
    const std::vector<double> poses = numbers_of(run["poses"]["bodies"], 7 * bodies);
    ASSERT_EQ(poses.size(), frames * 7 * bodies) << what;
    for (std::size_t k = 0; k < poses.size(); k += 7) {
      const double square = poses[k + 3] * poses[k + 3] + poses[k + 4] * poses[k + 4] +
                            poses[k + 5] * poses[k + 5] + poses[k + 6] * poses[k + 6];
      // quaternions of 16 bits a difference
      ASSERT_NEAR(square, 1.0, 1e-3) << what << ' ' << k;
    }
    for (const Json& arrow : run["arrows"]) {
      EXPECT_EQ(numbers_of(arrow["at"], 3).size(), 3 * frames) << what << arrow["name"];
      EXPECT_EQ(numbers_of(arrow["force"], 3).size(), 3 * frames) << what << arrow["name"];
    }
    std::set<std::string> names;
    for (const Json& channel : run["channels"]) {
      EXPECT_EQ(numbers_of(channel["values"]).size(), rows) << what << channel["name"];
      EXPECT_TRUE(names.insert(channel["name"].get<std::string>()).second) << channel["name"];
    }
    EXPECT_LE(rows, 4001U);
    EXPECT_LE(frames, 3001U);
  }
  for (const Json& mesh : page["road"]["meshes"]) {
    const std::vector<double> corners = numbers_of(mesh["positions"], 3);
    const std::vector<double> indices = numbers_of(mesh["indices"]);
    ASSERT_EQ(corners.size() % 3, 0U) << what;
    ASSERT_EQ(indices.size() % 3, 0U) << what;
    for (const double index : indices) ASSERT_LT(3.0 * index, corners.size()) << what;
    if (mesh.contains("friction")) {
      EXPECT_EQ(numbers_of(mesh["friction"]).size(), corners.size() / 3);
    }
  }
}

TEST(ReportPage, OfEveryShippedScenarioIsWhole) {
  const std::map<std::string, std::string> vehicles{{"bump_10", "iltis"},
                                                    {"bump_5", "sedan"},
                                                    {"free_10s", "double_four_bar"},
                                                    {"handling_track", "sedan"},
                                                    {"kerb_7s", "iltis_suspension"},
                                                    {"lane_change_20", "sedan_driver"},
                                                    {"let_go", "seven_body"},
                                                    {"puma_manoeuvre", "puma"},
                                                    {"ramp_and_stairs", "iltis"},
                                                    {"rest", "truck"},
                                                    {"shaker", "car26"},
                                                    {"square_bump", "rear_multilink"},
                                                    {"step_steer", "trailer"}};
  for (const auto& entry : std::filesystem::directory_iterator(kVehicles + "scenarios")) {
    if (entry.path().extension() != ".xml") continue;
    const std::string name = entry.path().stem().string();
    ASSERT_TRUE(vehicles.count(name) == 1) << name << ": expected a vehicle for it here";
    const DriveDescription description =
        read_drive(kVehicles + "models/" + vehicles.at(name) + ".xml", entry.path().string());
    const Report report = report_of(description, 0.1);
    const Json page = json_of(report);
    expect_consistent(page, name);
    // what stands in the page is the same
    EXPECT_EQ(json_in(html_of(report)), Json::parse(script_text(page))) << name;
  }
}

// Frame 0 of the poses is the position of the start, for bodies whose frames sit at their centres
// of mass the one that the recorder's channels say.
TEST(ReportPage, HasTheChassisWhereTheChannelsHaveIt) {
  const DriveDescription description =
      read_drive(kVehicles + "models/sedan.xml", kVehicles + "scenarios/step_steer.xml");
  const Report report = report_of(description, 0.3);
  const Motion& motion = report.motions.front();
  const auto channel = [&](const std::string& name) -> const PlottedChannel& {
    for (const PlottedChannel& own : motion.channels)
      if (own.name == name) return own;
    throw std::invalid_argument(name);
  };
  const std::size_t size = 7 * (report.model.bodies.size() + 1);
  ASSERT_EQ(report.model.bodies.front().name, "chassis");
  int compared = 0;
  for (std::size_t frame = 0; frame < motion.frame_times.size(); ++frame)
    for (std::size_t row = 0; row < motion.times.size(); ++row) {
      if (motion.times[row] != motion.frame_times[frame]) continue;
      const double* pose = motion.poses.data() + frame * size + 7;
      EXPECT_DOUBLE_EQ(pose[0], channel("chassis.x").values[row]);
      EXPECT_DOUBLE_EQ(pose[1], channel("chassis.y").values[row]);
      EXPECT_DOUBLE_EQ(pose[2], channel("chassis.z").values[row]);
      ++compared;
    }
  EXPECT_GT(compared, 5);
  // 50 frames a second, the start and the end
  EXPECT_EQ(motion.frame_times.size(), 16U);
  const Mechanism& mechanism = description.vehicle.mechanism;
  EXPECT_EQ(motion.arrows.size(),
            4U + mechanism.joints.size() + mechanism.constraints.size() + mechanism.springs.size());
}

// Closed form: a rod carries what hangs on it, whichever of its ends that is; so does a spring in
// balance.
TEST(ReportPage, OfARunHasTheForcesOfRodsAndSpringsAlongThem) {
  const Vehicle hanging = read_vehicle_text(R"(<mechanism name="hanging" version="1">
  <body name="left" mass="2" com="-1 0 -1" inertia="0.1 0.1 0.1"/>
  <body name="right" mass="3" com="1 0 -1" inertia="0.1 0.1 0.1"/>
  <joint name="rail_l" type="prismatic" a="ground" b="left" point="-1 0 -1" axis="0 0 1"/>
  <joint name="rail_r" type="prismatic" a="ground" b="right" point="1 0 -1" axis="0 0 1"/>
  <rod name="above" a="left" b="ground" point_a="-1 0 -1" point_b="-1 0 1"/>
  <spring name="below" a="ground" b="right" point_a="1 0 -3" point_b="1 0 -1">
    <stiffness k="1000" preload="0"/></spring>
</mechanism>)",
                                            "hanging.xml");
  Scenario scenario;
  scenario.start = StartMode::equilibrium;
  const Report report = report_of({hanging, scenario}, 0.1);
  const std::vector<Arrow>& arrows = report.motions.front().arrows;
  ASSERT_EQ(arrows.size(), 4U);
  const double g = hanging.mechanism.gravity.norm();
  constexpr double kBalance = 1e-6;  // N, of the static equilibrium
  EXPECT_EQ(arrows[2].name, "above");
  EXPECT_EQ(arrows[3].name, "below");
  for (std::size_t row : {2U, 3U}) {
    EXPECT_EQ(arrows[row].kind, "rod");
    EXPECT_NEAR(std::hypot(arrows[row].force[0], arrows[row].force[1]), 0.0, kBalance);
  }
  // the body pulls the ground down through the rod, the spring pushes its body up
  EXPECT_NEAR(arrows[2].force[2], -2.0 * g, kBalance);
  EXPECT_NEAR(arrows[2].at[2], 1.0, 1e-12);
  EXPECT_NEAR(arrows[3].force[2], 3.0 * g, kBalance);
  EXPECT_NEAR(arrows[3].at[2], -1.0 - 3.0 * g / 1000.0, 1e-9);
}

// Closed form: at rest each joint of two bodies on a line carries the weight of what hangs below
// it.
TEST(ReportPage, OfARunHasTheForcesOfJointsOnTheirSideB) {
  const Vehicle hanging = read_vehicle_text(R"(<mechanism name="hanging" version="1">
  <body name="upper" mass="2" com="0 0 -0.5" inertia="0.1 0.1 0.1"/>
  <body name="lower" mass="3" com="0 0 -1.5" inertia="0.1 0.1 0.1"/>
  <joint name="top" type="revolute" a="ground" b="upper" point="0 0 0" axis="0 1 0"/>
  <joint name="middle" type="revolute" a="lower" b="upper" point="0 0 -1" axis="0 1 0"/>
</mechanism>)",
                                            "hanging.xml");
  const Report report = report_of({hanging, Scenario{}}, 0.1);
  const std::vector<Arrow>& arrows = report.motions.front().arrows;
  ASSERT_EQ(arrows.size(), 2U);
  const double g = hanging.mechanism.gravity.norm();
  const std::size_t frames = report.motions.front().frame_times.size();
  ASSERT_GE(frames, 2U);
  for (std::size_t k = 0; k < frames; ++k) {
    EXPECT_NEAR(arrows[0].force[3 * k + 2], 5.0 * g, 1e-9);
    EXPECT_NEAR(arrows[0].at[3 * k + 2], 0.0, 1e-12);
    // the lower body pulls the upper one down
    EXPECT_NEAR(arrows[1].force[3 * k + 2], -3.0 * g, 1e-9);
    EXPECT_NEAR(arrows[1].at[3 * k + 2], -1.0, 1e-12);
    EXPECT_EQ(arrows[1].kind, "joint");
  }
}

// Ten minutes, of which every second is seen: at most 3000 frames and 4000 rows, and it says so.
TEST(ReportPage, OfALongRunThinsItself) {
  const DriveDescription description =
      read_drive(kVehicles + "models/double_pendulum.xml", kVehicles + "scenarios/let_go.xml");
  const Drive drive = make_drive(description);
  const Recorder recorder(drive.model, drive.recorder);
  Workspace ws(drive.model);
  State state = start_drive(drive, ws);
  constexpr double kLong = 600.0;
  MotionRecorder motion(drive, recorder.channels(), 0.0, kLong, 1e-3);
  std::vector<double> values;
  for (int k = 0; k <= 60000; ++k) {
    state.t = 0.01 * k;
    recorder.record(drive.model, state, ws, values);
    motion.see(state, values, ws);
  }
  motion.see_last(state, values, ws);
  const Motion seen = motion.finish();
  EXPECT_LE(seen.frame_times.size(), 3001U);
  EXPECT_GE(seen.frame_times.size(), 2900U);
  EXPECT_LE(seen.times.size(), 4001U);
  EXPECT_GE(seen.times.size(), 3900U);
  EXPECT_DOUBLE_EQ(seen.times.back(), kLong);
  EXPECT_DOUBLE_EQ(seen.frame_times.back(), kLong);
  EXPECT_FALSE(seen.thinned.empty());
}

// Frames are 0.02 s apart in a short drive, and as far apart as they must in a long one, whatever
// time its task allowed.
TEST(ReportPage, OfADriveWhoseEndIsNotKnownIsThinnedAsItGrows) {
  const DriveDescription description =
      read_drive(kVehicles + "models/double_pendulum.xml", kVehicles + "scenarios/let_go.xml");
  const Drive drive = make_drive(description);
  const Recorder recorder(drive.model, drive.recorder);
  Workspace ws(drive.model);
  for (const auto& [until, distance] : {std::pair(7.2, 0.02), {90.0, 0.04}, {600.0, 0.32}}) {
    State state = start_drive(drive, ws);
    MotionRecorder motion(drive, recorder.channels(), 0.0, std::numeric_limits<double>::infinity(),
                          1e-2);
    std::vector<double> values;
    for (int k = 0; k <= std::lround(until / 0.01); ++k) {
      state.t = 0.01 * k;
      recorder.record(drive.model, state, ws, values);
      motion.see(state, values, ws);
    }
    motion.see_last(state, values, ws);
    const Motion seen = motion.finish();
    ASSERT_EQ(seen.frame_times.size(), std::ceil(until / distance - 1e-9) + 1.0) << until;
    for (std::size_t k = 0; k + 2 < seen.frame_times.size(); ++k)
      ASSERT_NEAR(seen.frame_times[k], distance * static_cast<double>(k), 1e-9) << until;
    EXPECT_DOUBLE_EQ(seen.frame_times.back(), until);
    EXPECT_EQ(seen.poses.size(),
              7 * seen.frame_times.size() * (description.vehicle.mechanism.bodies.size() + 1));
    EXPECT_LE(seen.times.size(), 4001U);
    EXPECT_GE(seen.times.size(), std::min(until / 0.01, 1999.0));
    for (const PlottedChannel& channel : seen.channels)
      ASSERT_EQ(channel.values.size(), seen.times.size());
    EXPECT_EQ(seen.thinned.empty(), until < 10.0) << seen.thinned;
  }
}

TEST(ReportPage, ShowsNamesAsTheyAreWhateverTheyHold) {
  const std::vector<std::string> names{
      "</script><script>alert(1)</script>",
      "<!-- <script>",
      "\"quotes\" & 'more' \\ \n\t\x01",
      "\xD7\xA9\xD7\x9C\xD7\x95\xD7\x9D \xE2\x80\xAE right to left",
      "line\xE2\x80\xA8"
      "end\xE2\x80\xA9"
      "end",
      std::string(10000, 'x'),
      ""};
  Report report;
  report.kind = "run";
  report.title = names[0];
  report.command = names[2];
  report.warnings = names;
  report.notes = names;
  for (const std::string& name : names) {
    report.answers.push_back({name, name, name, 1.0, name});
    report.facts.push_back({name, 1.0, name});
    report.model.elements.push_back({name, "body", {name, 3}, name});
    Body body;
    body.name = name;
    body.mass = 1.0;
    report.model.bodies.push_back(body);
    report.tables.push_back({name, {{name, name}}, {{1.0}}, {name}});
  }
  const std::string html = html_of(report);
  // neither data nor title end an element, begin one or a comment
  const std::string data = script_text(json_of(report));
  for (const char* mark : {"<", "\xE2\x80\xA8", "\xE2\x80\xA9"})
    EXPECT_EQ(data.find(mark), std::string::npos) << mark;
  EXPECT_NE(html.find("<title>&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;</title>"),
            std::string::npos);
  const Json page = json_in(html);
  EXPECT_EQ(page["title"], names[0]);
  EXPECT_EQ(page["command"], names[2]);
  for (std::size_t k = 0; k < names.size(); ++k) {
    EXPECT_EQ(page["warnings"][k], names[k]);
    EXPECT_EQ(page["answers"][k]["name"], names[k]);
    EXPECT_EQ(page["answers"][k]["value"], names[k]);
    EXPECT_EQ(page["model"]["bodies"][k + 1]["name"], names[k]);
    EXPECT_EQ(page["model"]["elements"][k]["file"], names[k]);
    EXPECT_EQ(page["tables"][k]["rows"][0][0], names[k]);
  }
}

// U+FFFD stands for what is no UTF-8
TEST(ReportPage, ReplacesBytesThatAreNoText) {
  Report report;
  report.title =
      "a\xFF"
      "b";
  report.notes = {"\xC3"};
  const Json page = json_in(html_of(report));
  EXPECT_EQ(page["title"],
            "a\xEF\xBF\xBD"
            "b");
  EXPECT_EQ(page["notes"][0], "\xEF\xBF\xBD");
}

TEST(ReportPage, SaysInWordsWhatIsNoNumber) {
  Report report;
  report.answers.push_back({"a", std::nan(""), "m", std::nan("")});
  report.facts.push_back({"b", std::numeric_limits<double>::infinity(), "m"});
  const Json page = json_of(report);
  EXPECT_EQ(page["answers"][0]["value"], "none");
  EXPECT_FALSE(page["answers"][0].contains("uncertainty"));
  EXPECT_EQ(page["facts"][0]["value"], "infinite");
}

TEST(ReportElements, ShowEquationsAsTheFileHasThem) {
  std::map<std::string, std::vector<std::string>> kinds;
  std::map<std::string, std::string> texts;
  for (const ListedElement& element :
       list_elements(read_vehicle(kVehicles + "models/sedan_eps.xml"))) {
    kinds[element.name].emplace_back(element.kind);
    texts[element.name] = element.text;
  }
  EXPECT_EQ(kinds.at("steering"), std::vector<std::string>{"input"});
  // once each: what an equation computes is no signal
  EXPECT_EQ(kinds.at("assist"), std::vector<std::string>{"state"});
  EXPECT_EQ(kinds.at("bar_torque"), std::vector<std::string>{"variable"});
  EXPECT_EQ(texts.at("bar_torque"), "= 115*(column_joint.z - pinion_joint.z), N m");
  const auto logics = list_elements(read_vehicle(kVehicles + "models/sedan_abs_esc.xml"));
  EXPECT_TRUE(std::any_of(logics.begin(), logics.end(), [](const ListedElement& element) {
    return std::string(element.kind) == "logic" && element.text.rfind("on =", 0) == 0 &&
           element.text.find(", off =") != std::string::npos;
  }));
}

TEST(ReportFacts, AreThoseOfTheSedansFile) {
  std::map<std::string, double> facts;
  for (const Fact& fact : find_model_facts(read_vehicle(kVehicles + "models/sedan.xml")))
    facts[fact.name] = std::get<double>(fact.value);
  // "a passenger car of 1500 kg", axles at 1.2375 and -1.5125, hubs at 0.775
  EXPECT_NEAR(facts.at("mass"), 1500.0, 1e-9);
  EXPECT_NEAR(facts.at("wheelbase"), 2.75, 1e-12);
  EXPECT_NEAR(facts.at("track, front"), 1.55, 1e-12);
  EXPECT_NEAR(facts.at("track, rear"), 1.55, 1e-12);
  EXPECT_NEAR(facts.at("centre of mass, y"), 0.0, 1e-12);
}

}  // namespace
}  // namespace semirec::report
