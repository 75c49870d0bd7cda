#include <cmath>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "integrator/step.hpp"
#include "vehicles/files/xml/reader.hpp"
#include "vehicles/session/drive.hpp"

namespace semirec {
namespace {

using testing::HasSubstr;

constexpr double kRoadRounding = 1e-12;
const std::string kVehicles = std::string(SEMIREC_SOURCE_DIR) + "/vehicles/";

std::string write(const std::string& text) {
  const auto path =
      std::filesystem::path(testing::TempDir()) /
      (std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) + ".xml");
  std::ofstream(path) << text;
  return path.string();
}

Scenario read_on(const std::string& road) {
  return read_scenario(
      write("<scenario name=\"s\" version=\"1\"><run step=\"0.001\" until=\"1\"/>" + road +
            "</scenario>"));
}

TEST(XmlLayers, ProfilesAloneStayCurves) {
  const Scenario s = read_on("<road><flat height=\"0.2\"/></road>");
  EXPECT_EQ(s.surface, nullptr);
  EXPECT_EQ(s.road.left.value(1.0), 0.2);
  EXPECT_EQ(s.contact_method, ContactMethod::point);
}

TEST(XmlLayers, AddUpOverTheProfile) {
  const Scenario s = read_on(R"(<contact contact="cams"/>
    <road>
      <left><flat height="0.2"/></left><right><flat/></right>
      <plank start="1" length="0.5" height="0.05" bevel="0.1"/>
      <slope angle="0.1" start="10" end="20"/>
      <sine_road amplitude="0.02" wavelength="2" start="30" end="40" y_from="0"/>
      <half_round x="50" radius="0.1"/>
      <friction mu="0.9"/>
      <friction mu="0.3" x_from="0" x_to="5" y_from="0"/>
    </road>)");
  ASSERT_NE(s.surface, nullptr);
  EXPECT_EQ(s.contact_method, ContactMethod::cams);
  EXPECT_NEAR(s.surface->evaluate(1.05, 1.0).z, 0.2 + 0.025, kRoadRounding);
  EXPECT_NEAR(s.surface->evaluate(1.25, -1.0).z, 0.05, kRoadRounding);
  EXPECT_NEAR(s.surface->evaluate(25.0, -1.0).z, 10.0 * std::tan(0.1), kRoadRounding);
  EXPECT_NEAR(s.surface->evaluate(30.5, 1.0).z, 0.2 + 10.0 * std::tan(0.1) + 0.02, kRoadRounding);
  EXPECT_NEAR(s.surface->evaluate(50.0, -1.0).z, 10.0 * std::tan(0.1) + 0.1, kRoadRounding);
  EXPECT_EQ(s.surface->evaluate(3.0, 1.0).friction, 0.3);
  EXPECT_EQ(s.surface->evaluate(3.0, -1.0).friction, 0.9);
}

TEST(XmlLayers, RandomRoadsFollowTheirSeed) {
  const auto height = [](const std::string& attributes) {
    return read_on("<road><iso8608 class=\"B\" " + attributes + "/></road>")
        .surface->evaluate(12.3, 0.4)
        .z;
  };
  EXPECT_EQ(height("seed=\"3\""), height("seed=\"3\""));
  EXPECT_NE(height("seed=\"3\""), height("seed=\"4\""));
  EXPECT_EQ(height(""),
            height("seed=\"1\" length=\"500\" coherence=\"0.2\" track=\"1.5\" width=\"0\""));
}

TEST(XmlLayers, FilesAreFoundBesideTheScenarioAndPlaced) {
  const std::string file = write("");
  std::filesystem::copy_file(kVehicles + "scenarios/roads/plank.rdf",
                             std::filesystem::path(file).parent_path() / "own_plank.rdf",
                             std::filesystem::copy_options::overwrite_existing);
  const Scenario s = read_on(
      R"(<road><rdf file="own_plank.rdf" x="10" y="2" heading="{pi/2}" offset="1"/></road>)");
  EXPECT_NEAR(s.surface->evaluate(10.0, 2.0 + 5.16).z, 1.025,
              kRoadRounding);  // 5 m to 5.32 m along y
  EXPECT_NEAR(s.surface->evaluate(10.0, 2.0 + 6.0).z, 1.0, kRoadRounding);
}

TEST(XmlLayers, FingerprintsOfRoadsDifferByWhatTheyHold) {
  const auto print = [](const std::string& road) {
    Fingerprint fingerprint;
    read_on(road).surface->put_into(fingerprint);
    return fingerprint.value();
  };
  const std::string plank = "<road><plank start=\"1\" length=\"1\" height=\"0.05\"/></road>";
  EXPECT_EQ(print(plank),
            print("<road><plank start=\"{0.5+0.5}\" length=\"1\" height=\"0.05\"/></road>"));
  EXPECT_NE(print(plank), print("<road><plank start=\"2\" length=\"1\" height=\"0.05\"/></road>"));
  EXPECT_NE(print(plank), print("<road><friction mu=\"0.5\"/></road>"));
}

TEST(XmlLayers, BrokenOnesGiveOneLine) {
  struct Broken {
    std::string road, words;
  };
  std::string many = "<road>";
  for (int k = 0; k < 201; ++k) many += "<plank start=\"1\" length=\"1\" height=\"0.05\"/>";
  for (const Broken& broken : {
           Broken{"<road><crg file=\"nowhere.crg\"/></road>", "is no file, expected a road file"},
           Broken{"<road><crg/></road>", "attribute 'file' of <crg> is missing"},
           Broken{"<road><plank start=\"1\" length=\"0\" height=\"1\"/></road>", "above zero"},
           Broken{"<road><plank start=\"1\" length=\"1\" height=\"1\" bevel=\"0.6\"/></road>",
                  "longer than half"},
           Broken{"<road><plank start=\"1\" length=\"1\" height=\"1\" y_from=\"2\" "
                  "y_to=\"1\"/></road>",
                  "is not above 'y_from'"},
           Broken{"<road><slope start=\"1\"/></road>", "'angle' of <slope> is missing"},
           Broken{"<road><slope angle=\"1.5\"/></road>", "steeper than 1.4 rad"},
           Broken{"<road><slope angle=\"0.1\" bank=\"0.1\" start=\"1\"/></road>",
                  "expected it alone"},
           Broken{"<road><slope angle=\"0.1\" start=\"1\" end=\"0\"/></road>",
                  "is not above 'start'"},
           Broken{"<road><sine_road amplitude=\"1\" wavelength=\"-1\"/></road>", "above zero"},
           Broken{"<road><half_round x=\"1\"/></road>", "'radius' of <half_round> is missing"},
           Broken{"<road><iso8608 class=\"J\"/></road>",
                  "is 'J', expected A, B, C, D, E, F, G or H"},
           Broken{"<road><iso8608 class=\"A\" length=\"1e9\"/></road>", "10 m to 50 km"},
           Broken{"<road><iso8608 class=\"A\" seed=\"0.5\"/></road>", "is not a whole number"},
           Broken{"<road><friction/></road>", "'mu' of <friction> is missing"},
           Broken{"<road><friction mu=\"-1\"/></road>", "mu"},
           Broken{"<road><friction mu=\"1\" x_from=\"2\" x_to=\"2\"/></road>",
                  "is not above 'x_from'"},
           Broken{"<contact contact=\"belt\"/>", "expected point, disc or cams"},
           Broken{many + "</road>", "has 201 layers, expected at most 200"},
       }) {
    try {
      read_on(broken.road);
      ADD_FAILURE() << broken.road << " was read";
    } catch (const ModelError& error) {
      EXPECT_THAT(error.what(), HasSubstr(broken.words)) << broken.road;
    }
  }
}

TEST(XmlLayers, ABrokenRoadFileNamesItself) {
  const std::string file = write("");
  std::ofstream(std::filesystem::path(file).parent_path() / "broken.crg") << "$CT\n";
  try {
    read_on("<road><crg file=\"broken.crg\"/></road>");
    FAIL() << "was read";
  } catch (const ModelError& error) {
    EXPECT_THAT(error.what(), HasSubstr("broken.crg:1: element 'crg': has no data"));
  }
}

TEST(XmlLayers, ShippedRoadsAreRead) {
  for (const auto& entry : std::filesystem::directory_iterator(kVehicles + "scenarios/roads")) {
    const std::string path = entry.path();
    EXPECT_LT(std::filesystem::file_size(path), 50'000U) << path;
    const std::string kind = entry.path().extension().string().substr(1);
    const std::string text =
        "<scenario name=\"s\" version=\"1\"><run step=\"0.001\" until=\"1\"/><road><" + kind +
        " file=\"" + path + "\"/></road></scenario>";
    const Scenario s = read_scenario(write(text));
    EXPECT_TRUE(s.road_notes.empty()) << path;
    EXPECT_TRUE(std::isfinite(s.surface->evaluate(3.0, 0.3).z)) << path;
  }
}

/// Centre and height of the chassis after one second over the shipped bump.
State drive_over(const std::string& road) {
  const Scenario s = read_scenario(
      write("<scenario name=\"s\" version=\"1\"><run step=\"0.001\" until=\"0.6\"/>"
            "<start from=\"equilibrium\" speed=\"5\"/><contact law=\"normal\"/><road>" +
            road + "</road></scenario>"));
  const Drive drive = make_drive(read_vehicle(kVehicles + "models/iltis.xml"), s);
  Workspace ws(drive.model);
  State state = start_drive(drive, ws);
  while (state.t < drive.settings.until - 1e-9)
    if (step(drive.model, drive.settings.step, state, ws).status != StepStatus::converged)
      ADD_FAILURE() << "at " << state.t;
  return state;
}

TEST(XmlLayers, ASurfaceLikeTheProfileMovesTheCarAlike) {
  const std::string bump = "<cosine_bump start=\"0.5\" length=\"2\" height=\"0.1\"/>";
  const State curve = drive_over(bump);
  const State surface = drive_over(bump + "<friction mu=\"1\"/>");
  EXPECT_LT((curve.z - surface.z).cwiseAbs().maxCoeff(), 1e-12);
  const State flat = drive_over("<flat/>");
  EXPECT_GT((curve.z - flat.z).cwiseAbs().maxCoeff(), 1e-2);  // it has met the bump
}

// The search for the equilibrium looks at the car from above and below the road.
TEST(XmlLayers, ACarRestsOnALevelRoadAlikeByEveryContact) {
  const auto rest = [](const std::string& contact) {
    const Scenario s = read_on("<start from=\"equilibrium\"/><contact law=\"normal\" contact=\"" +
                               contact + "\"/><road><friction mu=\"1\"/></road>");
    const Drive drive = make_drive(read_vehicle(kVehicles + "models/iltis.xml"), s);
    Workspace ws(drive.model);
    return start_drive(drive, ws).z;
  };
  const Eigen::VectorXd point = rest("point");
  for (const char* contact : {"disc", "cams"})
    EXPECT_LT((rest(contact) - point).cwiseAbs().maxCoeff(), 1e-9) << contact;
}

}  // namespace
}  // namespace semirec
