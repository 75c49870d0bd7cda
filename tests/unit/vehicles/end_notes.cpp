#include "vehicles/session/end_notes.hpp"

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/drives.hpp"
#include "tests/support/text_drive.hpp"
#include "vehicles/road/crg_surface.hpp"
#include "vehicles/road/layered_surface.hpp"
#include "vehicles/road/mesh_surface.hpp"
#include "vehicles/road/obstacles.hpp"
#include "vehicles/road/random_road.hpp"

namespace semirec::test {
namespace {

/// Of the sedan put somewhere by its chassis' coordinates.
std::vector<std::string> notes_at(const std::vector<double>& place, const RoadSurface* road) {
  ShippedDrive car = start_shipped("sedan.xml", "step_steer.xml");
  const Model& model = car.drive.model;
  const TreeBody& body =
      model.tree.bodies[static_cast<std::size_t>(model.tree.tree.tree_index(car.drive.chassis))];
  for (int k = 0; k < 2; ++k) car.state.z[body.z + k] = place[static_cast<std::size_t>(k)];
  car.state.z[body.z + 3] = place[2];
  return find_end_notes(car.drive, road, {}, car.state, car.ws);
}

TEST(EndNotes, TellThatACarHasRolledOver) {
  for (const double roll : {-3.0, -1.3, 1.3, 3.1}) {
    const std::vector<std::string> notes = notes_at({0.0, 0.0, roll}, nullptr);
    ASSERT_EQ(notes.size(), 1U) << roll;
    EXPECT_NE(notes[0].find("has rolled over"), std::string::npos);
  }
  for (const double roll : {-1.0, 0.0, 1.0})
    EXPECT_TRUE(notes_at({0.0, 0.0, roll}, nullptr).empty());
}

TEST(EndNotes, TellThatACarHasLeftTheTracksOfARandomRoad) {
  RandomRoadSettings settings;
  settings.track = 1.7;  // wheels 1.55 m apart
  const RandomRoad road(settings);
  EXPECT_TRUE(notes_at({50.0, 0.0, 0.0}, &road).empty());
  EXPECT_TRUE(notes_at({50.0, 0.5, 0.0}, &road).empty());
  // on a slope across, too
  const LayeredSurface banked(
      {std::make_shared<RandomRoad>(settings), std::make_shared<InclinedPlane>(0.0, 0.0, 0.01)},
      {});
  for (const double y : {-3.5, 3.5, 20.0}) {
    EXPECT_EQ(notes_at({50.0, y, 0.0}, &banked).size(), 1U) << y;
    const std::vector<std::string> notes = notes_at({50.0, y, 0.0}, &road);
    ASSERT_EQ(notes.size(), 1U) << y;
    EXPECT_NE(notes[0].find("beside the tracks"), std::string::npos);
  }
  settings.width = 9.0;
  const RandomRoad wide(settings);
  EXPECT_TRUE(notes_at({50.0, 3.5, 0.0}, &wide).empty());
  EXPECT_EQ(notes_at({50.0, 20.0, 0.0}, &wide).size(), 1U);
}

TEST(EndNotes, TellThatWheelsAreBesideTheMeshOfARoad) {
  // a square of 60 m, without a strip of 2 m behind x = 50 m on the left
  std::vector<Eigen::Vector3d> corners;
  std::vector<MeshSurface::Triangle> triangles;
  const auto add_square = [&](double x0, double x1, double y0, double y1) {
    const auto first = static_cast<std::uint32_t>(corners.size());
    for (const double x : {x0, x1})
      for (const double y : {y0, y1}) corners.emplace_back(x, y, 0.0);
    triangles.push_back({{first, first + 1, first + 3}, 1.0});
    triangles.push_back({{first, first + 3, first + 2}, 1.0});
  };
  add_square(0.0, 60.0, -30.0, 0.0);
  add_square(0.0, 60.0, 2.0, 30.0);
  add_square(0.0, 50.0, 0.0, 2.0);
  const auto mesh = std::make_shared<MeshSurface>(corners, triangles);
  EXPECT_TRUE(notes_at({40.0, 0.0, 0.0}, mesh.get()).empty());
  for (const double x : {70.0, -10.0}) {
    const std::vector<std::string> notes = notes_at({x, 0.0, 0.0}, mesh.get());
    ASSERT_EQ(notes.size(), 1U) << x;
    EXPECT_NE(notes[0].find("'wheel_fl', 'wheel_fr', 'wheel_rl', 'wheel_rr'"), std::string::npos)
        << notes[0];
  }
  // over the hole with the front left wheel alone
  const std::vector<std::string> over = notes_at({50.0, 0.0, 0.0}, mesh.get());
  ASSERT_EQ(over.size(), 1U);
  EXPECT_NE(over[0].find(": 'wheel_fl'"), std::string::npos) << over[0];
  EXPECT_EQ(over[0].find("'wheel_rl'"), std::string::npos) << over[0];
  // placed; on another road it is an obstacle
  const auto away = std::make_shared<PlacedSurface>(mesh, 100.0, 0.0, 0.0, 0.0);
  const LayeredSurface placed({away}, {});
  EXPECT_TRUE(notes_at({140.0, 0.0, 0.0}, &placed).empty());
  EXPECT_EQ(notes_at({40.0, 0.0, 0.0}, &placed).size(), 1U);
  const LayeredSurface over_slope({away, std::make_shared<InclinedPlane>(0.0, 0.0, 0.01)}, {});
  EXPECT_TRUE(notes_at({40.0, 0.0, 0.0}, &over_slope).empty());
}

TEST(EndNotes, TellThatWheelsAreBesideTheGridOfARoad) {
  // 60 m along x, 20 m wide
  CrgFile file;
  file.name = "flat.crg";
  file.rows = 61;
  file.u_increment = 1.0;
  file.v = {-10.0, 0.0, 10.0};
  file.z.assign(183, 0.0F);
  const auto grid = std::make_shared<CrgSurface>(file);
  EXPECT_TRUE(notes_at({30.0, 0.0, 0.0}, grid.get()).empty());
  for (const auto& [x, y] : {std::pair(-20.0, 0.0), std::pair(80.0, 0.0), std::pair(30.0, 20.0)}) {
    const std::vector<std::string> notes = notes_at({x, y, 0.0}, grid.get());
    ASSERT_EQ(notes.size(), 1U) << x << ' ' << y;
    EXPECT_NE(notes[0].find("beside the road's crg grid"), std::string::npos) << notes[0];
    EXPECT_NE(notes[0].find("'wheel_fl', 'wheel_fr', 'wheel_rl', 'wheel_rr'"), std::string::npos)
        << notes[0];
  }
  const LayeredSurface over_slope({grid, std::make_shared<InclinedPlane>(0.0, 0.0, 0.01)}, {});
  EXPECT_TRUE(notes_at({80.0, 0.0, 0.0}, &over_slope).empty());
}

// Closed form: a body that a bushing alone holds turns by the angle that it was given, at most.
TEST(EndNotes, TellThatABushingHasTurnedBeyondWhatHasAnEnergy) {
  const auto notes_of = [](const std::string& stiffness, double angle) {
    ShippedDrive drive = start_text(
        "<mechanism name=\"m\" version=\"1\"><body name=\"a\" mass=\"1\" com=\"0 0 0\" "
        "inertia=\"1 1 1\"/><joint name=\"j\" type=\"free\" a=\"ground\" b=\"a\" "
        "position=\"0 0 0 " +
            std::to_string(angle) +
            " 0 0\"/><bushing name=\"rubber\" a=\"ground\" b=\"a\" point=\"0 0 0\" axis=\"0 "
            "0 1\" stiffness=\"" +
            stiffness + "\"/></mechanism>",
        "step=\"0.001\"");
    RunReport broken;
    broken.energy_error = 1.0;
    broken.energy_turned_over = 2.0;
    // from there it swings back: the farthest is not the last
    RunSettings settings = drive.drive.settings;
    settings.until = 0.3;
    broken.farthest_turns = run(drive.drive.model, settings, drive.state, drive.ws).farthest_turns;
    return find_end_notes(drive.drive, nullptr, broken, drive.state, drive.ws);
  };
  const std::vector<std::string> notes = notes_of("400 300 500 6 9 4", 0.9);
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_NE(notes[0].find("bushing 'rubber' was turned by 0.9 rad at t = 0 s"), std::string::npos)
      << notes[0];
  EXPECT_TRUE(notes_of("400 300 500 6 9 4", 0.2).empty());
  EXPECT_TRUE(notes_of("400 300 500 6 6 6", 0.9).empty());
}

TEST(EndNotes, NameEventsBehindTheEnd) {
  ShippedDrive drive = start_text(
      "<mechanism name=\"m\" version=\"1\"><body name=\"a\" mass=\"1\" com=\"0 0 0\" "
      "inertia=\"1 1 1\"/><joint name=\"j\" type=\"prismatic\" a=\"ground\" b=\"a\" point=\"0 0 "
      "0\" "
      "axis=\"0 0 1\"/></mechanism>",
      "step=\"0.001\"");
  RunReport report;
  report.end_time = 0.3;
  const auto notes = [&] {
    return find_end_notes(drive.drive, nullptr, report, drive.state, drive.ws);
  };
  Event event;
  event.name = "grab";
  for (const double time : {0.1, 0.3, 0.1 * 3.0}) {
    event.time = time;
    drive.drive.settings.events.push_back(event);
  }
  EXPECT_TRUE(notes().empty());
  event.name = "later";
  event.time = 5.0;
  drive.drive.settings.events.push_back(event);
  ASSERT_EQ(notes().size(), 1U);
  EXPECT_NE(notes()[0].find("at 0.3 s and have not happened: 'later' at 5 s"), std::string::npos)
      << notes()[0];
  drive.drive.settings.events.back().time = 0.1;
  event.name = "let_go";
  event.time = -1.0;
  event.channel = "j.z";
  drive.drive.settings.events.push_back(event);
  ASSERT_EQ(notes().size(), 1U);
  EXPECT_EQ(notes()[0],
            "events whose channel has not crossed their level have not happened: 'let_go'");
  report.events.push_back({"let_go", 0.2});
  EXPECT_TRUE(notes().empty());
  report.events.clear();
  report.status = RunStatus::failed;  // its own line says where it has ended
  EXPECT_TRUE(notes().empty());
}

}  // namespace
}  // namespace semirec::test
