#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <numbers>
#include <sstream>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "integrator/step.hpp"
#include "tests/support/chrono_walk.hpp"
#include "vehicles/files/chrono/import.hpp"
#include "vehicles/files/chrono/xml_writer.hpp"
#include "vehicles/files/xml/reader.hpp"
#include "vehicles/session/drive.hpp"

namespace semirec {
namespace {

namespace fs = std::filesystem;
using Eigen::Vector3d;

const std::string kLittle = std::string(SEMIREC_SOURCE_DIR) + "/tests/data/chrono";
constexpr double kGravity = 9.81;  // of vehicle files, m/s^2

/// The little car's files by name, to be broken.
std::map<std::string, std::string> little_texts() {
  std::map<std::string, std::string> texts;
  for (const auto& entry : fs::directory_iterator(kLittle))
    texts[entry.path().filename().string()] = test::text_of_file(entry.path());
  return texts;
}

chrono::ImportOptions little_options(bool with_drive) {
  chrono::ImportOptions options;
  options.vehicle = "car.json";
  options.tyre = "tyre.json";
  options.engine = "engine.json";
  options.transmission = "gearbox.json";
  options.with_drive = with_drive;
  return options;
}

/// Writes the XML into a file of the running test and reads it as a vehicle.
Vehicle read_back(const std::string& xml) {
  std::string name =
      std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) + ".xml";
  std::replace(name.begin(), name.end(), '/', '_');
  const fs::path path = fs::temp_directory_path() / ("semirec_chrono_" + name);
  std::ofstream(path) << xml;
  Vehicle vehicle = read_vehicle(path.string());
  fs::remove(path);
  return vehicle;
}

Vehicle little_car() {
  return read_back(
      chrono::import_vehicle(chrono::JsonFolder(little_texts()), little_options(false)).xml);
}

const Body& body(const Vehicle& vehicle, const std::string& name) {
  for (const Body& one : vehicle.mechanism.bodies)
    if (one.name == name) return one;
  throw std::out_of_range(name);
}

const SpringDamper& spring(const Vehicle& vehicle, const std::string& name) {
  for (const SpringDamper& one : vehicle.mechanism.springs)
    if (one.name == name) return one;
  throw std::out_of_range(name);
}

/// A vehicle at rest on flat ground.
struct Standing {
  explicit Standing(const Vehicle& vehicle)
      : drive(make_drive(vehicle, scenario())), ws(drive.model) {
    state = start_drive(drive, ws, &report);
    const Recorder recorder(drive.model, drive.recorder);
    std::vector<double> values;
    recorder.record(drive.model, state, ws, values);
    for (std::size_t k = 0; k < values.size(); ++k)
      channels[recorder.channels()[k].name] = values[k];
  }
  static Scenario scenario() {
    Scenario rest;
    rest.start = StartMode::equilibrium;
    return rest;
  }
  double load() const {
    double sum = 0.0;
    for (const auto& [name, value] : channels)
      if (name.size() > 3 && name.compare(name.size() - 3, 3, ".Fz") == 0) sum += value;
    return sum;
  }
  Drive drive;
  Workspace ws;
  State state;
  EquilibriumReport report;
  std::map<std::string, double> channels;
};

/// The error of an import with one text changed; empty if there is none.
std::string complaint(const std::string& file, const std::string& from, const std::string& to) {
  auto texts = little_texts();
  std::string& text = texts.at(file);
  const std::size_t at = text.find(from);
  if (at == std::string::npos) return "'" + from + "' is not in the file";
  text.replace(at, from.size(), to);
  try {
    (void)chrono::import_vehicle(chrono::JsonFolder(texts), little_options(true));
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

TEST(ChronoImport, AddsChassisComponentsAboutTheirCommonCentre) {
  const Vehicle car = little_car();
  const Body& chassis = body(car, "chassis");
  EXPECT_NEAR(chassis.mass, 975.0, 1e-9);  // 900 + 75
  // (900 (0,0,0.3) + 75 (0.25,0.35,0.5)) / 975; the lowest wheel centre is 0.03 m over the frame,
  // the radius 0.3 m: the frame is at 0.27 m
  const Vector3d com(75 * 0.25 / 975, 75 * 0.35 / 975, (900 * 0.3 + 75 * 0.5) / 975 + 0.27);
  EXPECT_LT((chassis.X_WB.p - com).norm(), 1e-9);
  // reduced mass 900*75/975 over the distance (0.25,0.35,0.2); the driver is turned by 90 degrees
  // about z, which exchanges 8 and 7
  const double m = 900.0 * 75.0 / 975.0;
  EXPECT_NEAR(chassis.inertia(0, 0), 300 + 7 + m * (0.35 * 0.35 + 0.2 * 0.2), 1e-8);
  EXPECT_NEAR(chassis.inertia(1, 1), 1100 + 8 + m * (0.25 * 0.25 + 0.2 * 0.2), 1e-8);
  EXPECT_NEAR(chassis.inertia(2, 2), 1200 + 3 + m * (0.25 * 0.25 + 0.35 * 0.35), 1e-8);
  EXPECT_NEAR(chassis.inertia(0, 1), -m * 0.25 * 0.35, 1e-8);
}

TEST(ChronoImport, MirrorsHardpointsAndInertia) {
  const Vehicle car = little_car();
  for (const char* part : {"upright", "spindle", "uca", "lca"}) {
    const Body& left = body(car, std::string(part) + "_fl");
    const Body& right = body(car, std::string(part) + "_fr");
    const Vector3d flip(1.0, -1.0, 1.0);
    EXPECT_LT((left.X_WB.p.cwiseProduct(flip) - right.X_WB.p).norm(), 1e-12) << part;
    const Eigen::Matrix3d mirrored = flip.asDiagonal() * left.inertia * flip.asDiagonal();
    EXPECT_LT((mirrored - right.inertia).norm(), 1e-12) << part;
  }
}

// Moments are those of the arm's own axes: x along the hinge, z normal to its plane.
TEST(ChronoImport, TurnsTheInertiaOfAWishboneIntoTheWorld) {
  const Vehicle car = little_car();
  const Vector3d front(0.18, 0.32, -0.11), back(-0.2, 0.33, -0.105), outer(0.01, 0.68, -0.13);
  const Vector3d hinge = (front - back).normalized();
  const Vector3d up = (back - outer).cross(front - outer).normalized();
  const Body& arm = body(car, "lca_fl");
  EXPECT_NEAR(hinge.dot(arm.inertia * hinge), 0.03, 1e-11);  // wishbones.json
  EXPECT_NEAR(up.dot(arm.inertia * up), 0.05, 1e-11);
}

TEST(ChronoImport, AddsWheelTyreAndShaftToTheSpindle) {
  const Vehicle car = little_car();
  const Body& spindle = body(car, "spindle_rl");
  EXPECT_NEAR(spindle.mass, 2 + 8 + 9, 1e-12);  // spindle, wheel, tyre
  // 0.003 + 0.2 + 0.5 and the shaft's 0.1; the others would be 0.422, and their sum is larger
  EXPECT_NEAR(spindle.inertia(1, 1), 0.803, 1e-12);
  EXPECT_NEAR(spindle.inertia(0, 0), 0.422, 1e-12);
}

// Camber -1 degree leans the top inward, toe 0.2 degrees turns the front inward: on the left the
// axle's outer end (+y) points up and forward.
TEST(ChronoImport, InclinesTheAxleByCamberAndToe) {
  const Vehicle car = little_car();
  const double rad = std::numbers::pi / 180.0;
  const Vector3d left = (body(car, "upright_fl").X_WB.A * car.wheels[0].centre.X_BF.A).col(1);
  EXPECT_EQ(car.wheels[0].name, "wheel_fl");
  EXPECT_NEAR(left.z(), std::sin(1.0 * rad), 1e-11);
  EXPECT_NEAR(left.x(), std::cos(1.0 * rad) * std::sin(0.2 * rad), 1e-11);
  const Vector3d right = car.wheels[1].centre.X_BF.A.col(1);
  EXPECT_NEAR(right.z(), -left.z(), 1e-12);
  EXPECT_NEAR(right.x(), -left.x(), 1e-12);
}

TEST(ChronoImport, CountsForcesOfSpringsInTension) {
  const Vehicle car = little_car();
  // 30000 N/m from 0.6 m
  EXPECT_NEAR(spring(car, "spring_fl").spring.value(0.5), -3000.0, 1e-8);
  // the preload of 200 N pushes: at the free length -200 N
  EXPECT_NEAR(spring(car, "spring_rl").spring.value(0.36), -200.0, 1e-8);
  EXPECT_NEAR(spring(car, "shock_fl").damper.value(0.5), 1500.0, 1e-8);
  EXPECT_NEAR(spring(car, "shock_fl").damper.value(-0.5), -750.0, 1e-8);
  EXPECT_NEAR(spring(car, "shock_fl").damper.value(7.0), 3000.0, 1e-8);  // end value, as in Chrono
  // stops: nothing between 0.35 m and 0.62 m, 1000 N at 10 mm, 2500 N at 20 mm beyond
  EXPECT_NEAR(spring(car, "spring_fl_bump").spring.value(0.5), 0.0, 1e-12);
  EXPECT_NEAR(spring(car, "spring_fl_bump").spring.value(0.335), -1750.0, 1e-6);
  EXPECT_NEAR(spring(car, "spring_fl_rebound").spring.value(0.63), 1000.0, 1e-6);
}

TEST(ChronoImport, StandsWithTheLoadOfAllItsMasses) {
  const Vehicle car = little_car();
  // chassis 975, rack 2.5, bar 2 x 1.2; front 2 (2 + 5 + 1.5 + 3), rear 2 (2 + 8), 4 (8 + 9)
  const double mass = 975 + 2.5 + 2 * 1.2 + 2 * 11.5 + 2 * 10 + 4 * 17;
  const Standing standing(car);
  EXPECT_LT(standing.report.Phi, 1e-12);
  EXPECT_NEAR(standing.load(), mass * kGravity, 1e-6 * mass * kGravity);
}

// Equal suspensions in different heights of the chassis frame: the car starts inclined so that all
// tyres touch.
TEST(ChronoImport, StartsWithTheTyresOfBothAxlesOnTheGround) {
  const Vehicle car = little_car();
  const Joint& joint = car.mechanism.joints.front();
  ASSERT_EQ(joint.position.size(), 6U);
  const double pitch = joint.position[4];
  EXPECT_NEAR(std::tan(pitch), 0.02 / 2.5, 1e-9);  // 0.05 - 0.03 over the wheelbase
  const Vector3d com = body(car, "chassis").X_WB.p;
  for (const Vector3d& centre : {Vector3d(1.2, 0.72, 0.32), Vector3d(-1.3, 0.72, 0.30)}) {
    const Vector3d arm = centre - com;
    EXPECT_NEAR(joint.position[2] - std::sin(pitch) * arm.x() + std::cos(pitch) * arm.z(), 0.3,
                1e-9);
  }
}

// The stiffness presses in 16 % of the section height (0.3 - 0.19) under the load of the index:
// 560 kg for 88; half the critical damping of the tyre's mass, as Chrono has it by default.
TEST(ChronoImport, GuessesTheTyreFromItsLoadIndex) {
  const Vehicle car = little_car();
  const double load = 560 * kGravity;
  EXPECT_NEAR(car.wheels[0].stiffness, load / (0.16 * 0.11), 1e-4);
  EXPECT_NEAR(car.wheels[0].damping, 1.0 * std::sqrt(load / (0.16 * 0.11) * 9.0), 1e-6);
}

TEST(ChronoImport, WritesTyresBrakesAndDriveline) {
  const std::string xml =
      chrono::import_vehicle(chrono::JsonFolder(little_texts()), little_options(true)).xml;
  for (const char* words :
       {"<wheel name=\"wheel_rl\" body=\"trailing_arm_rl\" rim=\"spindle_rl\"", "tyre=\"tyre\"/>",
        "<tmeasy radius=\"0.3\" rolling_resistance=\"0.012\" nominal_load=\"2746.8\" "
        "maximum_load=\"9613.8\"",  // half of 560 kg, and 3.5 times that
        // radius and largest angle of the pinion over a turn and a half
        "<controls steering=\"rack\" steering_ratio=\"0.00740740740741\" throttle=\"throttle\" "
        "brake=\"brake\" gear=\"gear\"/>",
        "<brake name=\"brake_fr\" wheel=\"wheel_fr\" torque=\"1800\" input=\"brake\"/>",
        "<driveline name=\"driveline\" body=\"chassis\">",
        "<axle name=\"drive_r\" wheels=\"wheel_rl wheel_rr\" ratio=\"4\" differential=\"open\"/>",
        "<gear ratio=\"3.57142857143\" up=\"418.879020479\"/>",  // 1/0.28, 4000 rpm
        "<point speed=\"157.079632679\" torque=\"120\"/>"})      // 1500 rpm
    EXPECT_NE(xml.find(words), std::string::npos) << words;
}

TEST(ChronoImport, NotesWhatItDoesNotUse) {
  const auto notes =
      chrono::import_vehicle(chrono::JsonFolder(little_texts()), little_options(true)).notes;
  std::string all;
  for (const std::string& note : notes) {
    EXPECT_EQ(note.find('\n'), std::string::npos);
    all += note + "\n";
  }
  for (const char* words :
       {"chassis.json: not used: Visualization", "car.json: not used: Wheelbase",
        "rack.json: not used: Steering Link/Radius, Steering Link/Length",
        "driveline.json:4: not covered: Driveshaft", "the engine has no inertia in Chrono"})
    EXPECT_NE(all.find(words), std::string::npos) << words << " in\n" << all;
}

TEST(ChronoImport, EscapesHostileNames) {
  auto texts = little_texts();
  std::string& car = texts.at("car.json");
  car.replace(car.find("Wheelbase"), 9, "--> <vehicle/> &\\u0001");
  const auto result = chrono::import_vehicle(chrono::JsonFolder(texts), little_options(false));
  EXPECT_NE(result.xml.find("name=\"Little_car_co_--\""), std::string::npos);
  EXPECT_EQ(result.xml.find("--> <vehicle"), std::string::npos);
  EXPECT_EQ(read_back(result.xml).mechanism.name, "Little_car_co_--");
  EXPECT_EQ(chrono::as_name("../<x> y", "z"), ".._x_y");
  EXPECT_EQ(chrono::as_name("\"<>&", "vehicle"), "vehicle");
}

TEST(ChronoImport, NamesEveryMissingFileAtOnce) {
  auto texts = little_texts();
  texts.erase("wheel.json");
  texts.erase("rack.json");
  try {
    (void)chrono::import_vehicle(chrono::JsonFolder(texts), little_options(true));
    FAIL() << "expected a complaint";
  } catch (const ModelError& error) {
    EXPECT_EQ(std::string(error.what()),
              "car.json:12: element 'Axles[0]/Left Wheel Input File': names a file that is not in "
              "the data folder, expected there: 'wheel.json', 'rack.json'");
  }
}

struct BrokenJson {
  std::string file, from, to, words;
};

class ChronoBroken : public testing::TestWithParam<BrokenJson> {};

TEST_P(ChronoBroken, GivesOneLineWithFileAndPath) {
  const BrokenJson& broken = GetParam();
  const std::string error = complaint(broken.file, broken.from, broken.to);
  EXPECT_EQ(error.find('\n'), std::string::npos) << error;
  EXPECT_NE(error.find(".json:"), std::string::npos) << error;
  EXPECT_NE(error.find(broken.words), std::string::npos) << error;
}

std::string repeated(const std::string& part, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += part;
  return all;
}

INSTANTIATE_TEST_SUITE_P(
    All, ChronoBroken,
    testing::Values(
        BrokenJson{"rack.json", "\"Pinion\"", "\"Pinon\"",
                   "rack.json:1: element 'JSON': has no 'Pinion', expected that key"},
        BrokenJson{"rack.json", "0.01,", "", "rack.json:4: element 'JSON': is no JSON"},
        BrokenJson{"rack.json", "2.5", "NaN", "rack.json:3: element 'JSON': is no JSON"},
        BrokenJson{"rack.json", "2.5", "1e999", "1e999"},
        BrokenJson{"rack.json", "2.5", "-2.5",
                   "rack.json:3: element 'Steering Link/Mass': is -2.500000, expected a number "
                   "above zero"},
        BrokenJson{"rack.json", "2.5", "\"2.5\"",
                   "'Steering Link/Mass': is a text, expected a number"},
        BrokenJson{"rack.json", "\"Length\"", "\"Radius\"", "'Radius' stands twice"},
        BrokenJson{"rack.json", "RackPinion", "Tiller",
                   "rack.json:2: element 'Template': is 'Tiller', which is not covered"},
        BrokenJson{"rack.json", "\"Steering\"", "\"Brake\"",
                   "element 'Type': is 'Brake', expected 'Steering'"},
        BrokenJson{"rack.json", "[0.08, 0.001, 0.08]", "[0.08, 0.001]",
                   "'Steering Link/Inertia': has 2 entries, expected three numbers"},
        BrokenJson{"rack.json", "[0.08, 0.001, 0.08]", "[0.08, -1, 0.08]",
                   "'Steering Link/Inertia': is negative"},
        BrokenJson{"rack.json", "2.5", repeated("[", 5000), "nested deeper than 32"},
        BrokenJson{"rack.json", "2.5", "[" + repeated("0,", 200000) + "0]",
                   "is an array, expected a number"},
        BrokenJson{"car.json", "chassis.json", "../../etc/passwd",
                   "car.json:6: element 'Chassis/Input File': is '../../etc/passwd', expected a "
                   "file below the data folder"},
        BrokenJson{"car.json", "chassis.json", "/etc/passwd", "expected a file below"},
        BrokenJson{"car.json", "chassis.json", "car.json",
                   "car.json:4: element 'Type': is 'Vehicle', expected 'Chassis'"},
        BrokenJson{"car.json", "\"Steering Index\": 0", "\"Steering Index\": 7",
                   "'Axles[0]/Steering Index': is 7.000000, expected a whole number from 0 to 0"},
        BrokenJson{"car.json", "\"Suspension Indexes\": [1]", "\"Suspension Indexes\": [1, 0]",
                   "with 2 driven axles, expected 1"},
        BrokenJson{"car.json", "[1, 0, 0, 0]", "[2, 0, 0, 0]",
                   "has the length 2.000000, expected a quaternion of length 1"},
        BrokenJson{"car.json", "\"Axles\": [",
                   "\"Vehicle\": {\"Input File\": \"car.json\"}, \"Axes\": [",
                   "has no 'Axles', expected that key"},
        BrokenJson{"wishbones.json", "[0.01, 0.68, -0.13]", "[-0.01, 0.325, -0.1075]",
                   "'Lower Control Arm': has points or axes on one line"},
        BrokenJson{"wishbones.json", "[0, 0.52, -0.12]", "[0, 0.42, 0.35]",
                   "'Spring': has two equal points"},
        BrokenJson{"wishbones.json", "[0, 0]", "[-1, 0]",
                   "'Shock/Damping Curve Data[1]': does not ascend"},
        BrokenJson{"wishbones.json", "\"Spring Coefficient\": 30000,", "",
                   "wishbones.json:16: element 'Spring': has no force"},
        BrokenJson{"wishbones.json", "\"Camber Angle (deg)\": -1", "\"Camber Angle (deg)\": 90",
                   "'Camber Angle (deg)': is beyond 45 degrees"},
        BrokenJson{"tyre.json", "0.19 ", "0.39 ", "is not above the rim's radius"},
        BrokenJson{"tyre.json", "88", "88.5",
                   "'Load Index': is 88.500000, expected a whole number"},
        BrokenJson{"gearbox.json", "[1600, 4500]]", "]", "is no JSON"},
        BrokenJson{"gearbox.json", "0.28", "0", "is zero, expected a ratio"},
        BrokenJson{"engine.json", ", [1500, 120], [4500, 140], [6000, 110]", "",
                   "'Map Full Throttle': has 1 points, expected at least 2"}));

/// A car of tests/data/chrono that stands and rides.
struct ChronoCar {
  std::string vehicle, tyre;
  double tyre_mass;     // of its JSON, kg
  double pitch = 0.02;  // rad: axles of nearly equal height and travels of some centimetres
};

class ChronoCars : public testing::TestWithParam<ChronoCar> {};

TEST_P(ChronoCars, StandAndRide) {
  const ChronoCar& car = GetParam();
  const fs::path root = test::chrono_folder();
  chrono::ImportOptions options;
  options.vehicle = (root / car.vehicle).string();
  options.tyre = car.tyre;
  options.with_drive = false;
  const auto result = chrono::import_vehicle(chrono::JsonFolder(root.string()), options);
  // by a walk over the JSON that shares no code with the importer
  const double mass = test::mass_in_json(root, car.vehicle, car.tyre_mass);
  EXPECT_NEAR(result.mass, mass, 1e-9 * mass);
  const Vehicle vehicle = read_back(result.xml);
  double sum = 0.0;
  for (const Body& one : vehicle.mechanism.bodies) sum += one.mass;
  EXPECT_NEAR(sum, mass, 1e-9 * mass);

  Standing standing(vehicle);
  EXPECT_LT(standing.report.Phi, 1e-12);
  EXPECT_NEAR(standing.load(), mass * kGravity, 1e-6 * mass * kGravity);
  for (const auto& [name, value] : standing.channels)
    if (name.size() > 3 && name.compare(name.size() - 3, 3, ".Fz") == 0) {
      EXPECT_GT(value, 0.0) << name;
    }
  EXPECT_LT(std::abs(standing.channels.at("chassis.pitch")), car.pitch);
  EXPECT_LT(std::abs(standing.channels.at("chassis.roll")), 0.01);

  // let go from its start pose, where springs and tyres do not balance: it bounces and comes to
  // the same height
  Scenario drop;
  drop.start = StartMode::design;
  const Drive drive = make_drive(vehicle, drop);
  Workspace ws(drive.model);
  State state = start_drive(drive, ws);
  for (int k = 0; k < 3000; ++k)
    ASSERT_EQ(step(drive.model, drive.settings.step, state, ws).status, StepStatus::converged)
        << "at t = " << state.t;
  EXPECT_NEAR(state.z[2], standing.state.z[2], 0.01);  // m; the chassis' height after 3 s
}

std::string car_name(const testing::TestParamInfo<ChronoCar>& info) {
  return fs::path(info.param.vehicle).stem().string();
}

INSTANTIATE_TEST_SUITE_P(
    All, ChronoCars,
    testing::Values(
        ChronoCar{"roadster.json", "tyre.json", 9}, ChronoCar{"van.json", "tyre.json", 9},
        ChronoCar{"bushed.json", "tyre.json", 9}, ChronoCar{"links_bushed.json", "tyre.json", 9},
        ChronoCar{"hatchback.json", "tyre.json", 9}, ChronoCar{"buggy.json", "tyre.json", 9},
        ChronoCar{"tractor.json", "tyre.json", 9}, ChronoCar{"cart.json", "tyre_rigid.json", 9},
        ChronoCar{"sledge.json", "tyre_rigid.json", 9},
        ChronoCar{"truck.json", "tyre_truck.json", 32},
        ChronoCar{"carrier.json", "tyre_truck.json", 32},
        // springs of three axles that share the load as they may
        ChronoCar{"double_front.json", "tyre_truck.json", 32, 0.05}),
    car_name);

}  // namespace
}  // namespace semirec
