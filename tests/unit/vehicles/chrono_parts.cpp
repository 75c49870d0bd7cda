// What becomes of single parts of a Chrono car: steering, axles, wheels, tyres, what drives and
// brakes; and what is refused.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <ostream>
#include <string>

#include <gtest/gtest.h>

#include "integrator/step.hpp"
#include "tests/support/chrono_walk.hpp"
#include "vehicles/files/chrono/import.hpp"
#include "vehicles/files/xml/reader.hpp"
#include "vehicles/session/drive.hpp"
#include "vehicles/tyre/tir_file.hpp"

namespace semirec {
namespace {

namespace fs = std::filesystem;

/// The files of tests/data/chrono, to be changed, in a folder of the running test.
class ChronoPart : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "semirec_parts_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    fs::copy(test::chrono_folder(), folder_);
    options_.vehicle = "car.json";
    options_.tyre = "tyre.json";
    options_.engine = "engine.json";
    options_.transmission = "gearbox.json";
    options_.xml_folder = folder_.string();
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
  void change(const std::string& name, const std::string& from, const std::string& to) const {
    std::string text = test::text_of_file(folder_ / name);
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    write(name, text.replace(at, from.size(), to));
  }
  chrono::ImportedVehicle import() const {
    return chrono::import_vehicle(chrono::JsonFolder(folder_.string()), options_);
  }
  Vehicle read() const {
    const auto car = import();
    if (!car.property_text.empty()) write(options_.property_file, car.property_text);
    write("car.xml", car.xml);
    return read_vehicle((folder_ / "car.xml").string());
  }
  std::string complaint() const {
    try {
      (void)import();
    } catch (const ModelError& error) {
      return error.what();
    }
    return "";
  }
  bool noted(const std::string& words) const {
    const auto notes = import().notes;
    return std::any_of(notes.begin(), notes.end(), [&](const std::string& note) {
      return note.find(words) != std::string::npos;
    });
  }

  fs::path folder_;
  chrono::ImportOptions options_;
};

bool holds(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

// Moments of inertia that no body has are Chrono's own, as the file has them.
TEST_F(ChronoPart, InertiasAreThoseOfTheFile) {
  change("arms.json", "[0.1, 0.15, 0.2]", "[0.1, 0.15, 0.9]");
  int arms = 0;
  for (const Body& body : read().mechanism.bodies) {
    if (body.mass != 8.0) continue;  // of the file
    ++arms;
    EXPECT_NEAR(body.inertia.trace(), 1.15, 1e-12);
    EXPECT_NEAR(body.inertia.determinant(), 0.1 * 0.15 * 0.9, 1e-12);
  }
  EXPECT_EQ(arms, 2);
}

// --- what drives and brakes ---

TEST_F(ChronoPart, ShiftLatencyIsNoTimeWithoutTorque) {
  options_.transmission = "gearbox_shafts.json";
  const Gearbox gearbox = read().drivelines[0].gearbox;
  EXPECT_EQ(gearbox.shift_time, 0.0);
  EXPECT_EQ(gearbox.shift_latency, 0.8);  // of the file
}

TEST_F(ChronoPart, ShiftLatencyIsHalfASecondWhereTheFileHasNone) {
  options_.transmission = "gearbox_shafts.json";
  change("gearbox_shafts.json", "\"Shift Latency\"", "\"Another Key\"");
  EXPECT_EQ(read().drivelines[0].gearbox.shift_latency, 0.5);  // Chrono's own
}

TEST_F(ChronoPart, EnginesTransmissionsAndDrivelinesOfAllTemplatesAreRead) {
  for (const char* engine : {"engine.json", "engine_simple.json", "engine_shafts.json"})
    for (const char* gears : {"gearbox.json", "gearbox_shafts.json", "gearbox_manual.json"}) {
      options_.engine = engine;
      options_.transmission = gears;
      const Vehicle car = read();
      ASSERT_EQ(car.drivelines.size(), 1U) << engine << " " << gears;
      EXPECT_EQ(car.drivelines[0].gearbox.gears.size(), 4U);
    }
  for (const char* driveline : {"driveline_4wd.json", "driveline_simple.json"}) {
    write("car.json", test::text_of_file(test::chrono_folder() / "car.json"));
    change("car.json", "driveline.json", driveline);
    change("car.json", "\"Suspension Indexes\": [1]", "\"Suspension Indexes\": [0, 1]");
    EXPECT_EQ(read().drivelines[0].axles.size(), 2U) << driveline;
  }
}

// As in Chrono: a spring with a stiffness and a damping is linear, whatever stands beside them; a
// damper by itself is degressive. Closed form: c v/(1 + d |v|).
TEST_F(ChronoPart, DegressivityIsThatOfADamperByItself) {
  const std::string degressive =
      "\"Damping Coefficient\": 2500, \"Degressivity Compression\": 2, \"Degressivity Expansion\": "
      "1 }";
  change("arms.json", "\"Damping Coefficient\": 2500 }", degressive);
  change("arms.json", "\"Spring Coefficient\": 40000 }",
         "\"Spring Coefficient\": 40000, \"Minimum Length\": 0.2, " + degressive);
  const Vehicle car = read();
  const auto damper_of = [&](const std::string& name) -> const Curve& {
    for (const SpringDamper& spring : car.mechanism.springs)
      if (spring.name == name) return spring.damper;
    throw std::runtime_error(name);
  };
  EXPECT_NEAR(damper_of("spring_rl").evaluate(0.96).f, 2500.0 * 0.96, 1e-9);
  EXPECT_NEAR(damper_of("shock_rl").evaluate(-0.96).f, -2500.0 * 0.96 / (1.0 + 2.0 * 0.96), 2.0);
  EXPECT_TRUE(
      noted("not used beside the others, as in Chrono: 'Degressivity Compression', 'Degressivity "
            "Expansion', 'Minimum Length'"));
}

TEST_F(ChronoPart, SaysWhichKeysOfASpringAreIdle) {
  change("arms.json", "\"Spring Coefficient\": 40000 }",
         "\"Spring Coefficient\": 40000, \"Spring Curve Data\": [[-0.1, -4000], [0.1, 4000]] }");
  EXPECT_TRUE(noted("not used beside the others, as in Chrono: 'Spring Coefficient'"));
}

TEST_F(ChronoPart, ABrakeWithoutTorqueIsNone) {
  change("brake.json", "1800", "0");
  EXPECT_TRUE(read().brakes.empty());
  EXPECT_TRUE(noted("brake.json:1: is zero: the wheel has no brake"));
}

TEST_F(ChronoPart, AForwardGearThatTurnsBackwardsIsRefused) {
  change("gearbox.json", "[0.28, 0.5, 0.8, 1.1]", "[-1, 0.5, 0.8, 1.1]");
  EXPECT_TRUE(holds(complaint(),
                    "gearbox.json:5: element 'Gear Box/Forward Gear Ratios[0]': is below zero"))
      << complaint();
}

TEST_F(ChronoPart, GearsThatShiftDownAtOnceAreRefused) {
  // after the shift up at 4000 rpm the second gear turns at 4000 0.28 / 0.5 = 2240 rpm
  change("gearbox.json", "[1200, 4200]", "[2300, 4200]");
  EXPECT_TRUE(holds(complaint(), "shifts from gear 1 to gear 2 and at once down again"))
      << complaint();
}

TEST_F(ChronoPart, AReverseGearAboveZeroIsNoted) {
  change("gearbox.json", "-0.3", "0.3");
  EXPECT_TRUE(noted("gearbox.json:4: is above zero, with which Chrono's reverse gear drives"));
  EXPECT_NEAR(read().drivelines[0].gearbox.reverse, 1.0 / 0.3, 1e-10);
}

TEST_F(ChronoPart, AnEngineAloneIsOpenedAndRefused) {
  options_.transmission = "";
  options_.engine = "nowhere.json";
  EXPECT_TRUE(holds(complaint(), "nowhere.json")) << complaint();
  options_.engine = "engine.json";
  EXPECT_TRUE(holds(complaint(), "engine.json:1: element 'JSON': is given without a transmission"))
      << complaint();
  options_.engine = "";
  options_.transmission = "gearbox.json";
  EXPECT_TRUE(holds(complaint(), "is given without an engine")) << complaint();
}

// --- what is named ---

TEST_F(ChronoPart, EveryTemplateThatIsNotCoveredIsNamedInOneLine) {
  change("rack.json", "RackPinion", "Tiller");
  change("arms.json", "SemiTrailingArm", "Hover");
  change("engine.json", "EngineSimpleMap", "Steam");
  EXPECT_EQ(
      complaint(),
      "rack.json:2: element 'Template': is 'Tiller', which is not covered, neither are "
      "'Hover' (arms.json:2), 'Steam' (engine.json:2); expected one of RackPinion, PitmanArm, "
      "RotaryArm");
}

TEST_F(ChronoPart, NotesOnHowTheCarDrivesComeFirst) {
  const auto notes = import().notes;
  const auto place = [&](const std::string& words) {
    return std::find_if(notes.begin(), notes.end(),
                        [&](const std::string& note) { return holds(note, words); }) -
           notes.begin();
  };
  const auto unused = place("not used: Visualization");
  const auto shaft = place("not covered: Driveshaft");
  for (const char* words : {"has no steering wheel", "the engine has no inertia", "road's mu"})
    EXPECT_LT(place(words), shaft) << words;
  EXPECT_LT(shaft, unused);
  EXPECT_LT(unused, static_cast<std::ptrdiff_t>(notes.size()));
}

TEST_F(ChronoPart, TheDataFolderIsTheLowestAboveTheFileThatHoldsItsFiles) {
  fs::create_directories(folder_ / "cars/small");
  fs::copy(folder_ / "car.json", folder_ / "cars/small/car.json");
  const std::string car = (folder_ / "cars/small/car.json").string();
  EXPECT_EQ(chrono::find_data_folder(car), folder_.string());
  fs::copy(folder_ / "chassis.json", folder_ / "cars/chassis.json");
  EXPECT_EQ(chrono::find_data_folder(car), (folder_ / "cars").string());
  change("cars/small/car.json", "chassis.json", "lost.json");
  EXPECT_THROW((void)chrono::find_data_folder(car), ModelError);
}

// --- steering, axles, wheels ---

/// A vehicle at rest on flat ground with an input held.
std::map<std::string, double> stand(const Vehicle& vehicle, const std::string& input,
                                    double value) {
  Scenario rest;
  rest.start = StartMode::equilibrium;
  rest.inputs.push_back({input, Curve::constant(value), {}});
  if (!vehicle.drivelines.empty()) rest.inputs.push_back({"gear", Curve::constant(0.0), {}});
  const Drive drive = make_drive(vehicle, rest);
  Workspace ws(drive.model);
  const State state = start_drive(drive, ws);
  const Recorder recorder(drive.model, drive.recorder);
  std::vector<double> values;
  recorder.record(drive.model, state, ws, values);
  std::map<std::string, double> channels;
  for (std::size_t k = 0; k < values.size(); ++k) channels[recorder.channels()[k].name] = values[k];
  return channels;
}

TEST_F(ChronoPart, ARotaryArmIsABodyBetweenItsPoints) {
  options_.vehicle = "truck.json";
  options_.tyre = "tyre_truck.json";
  const Vehicle car = read();
  const auto joint = std::find_if(car.mechanism.joints.begin(), car.mechanism.joints.end(),
                                  [](const Joint& one) { return one.name == "pitman_joint"; });
  ASSERT_NE(joint, car.mechanism.joints.end());
  const auto arm = std::find_if(car.mechanism.bodies.begin(), car.mechanism.bodies.end(),
                                [](const Body& one) { return one.name == "pitman_arm"; });
  ASSERT_NE(arm, car.mechanism.bodies.end());
  EXPECT_EQ(arm->mass, 3.0);
  // between both points, over the frame at 0.42 m: the tyre's radius less the wheel centre's height
  EXPECT_LT((arm->X_WB.p - Eigen::Vector3d(0.62, 0.55, 0.5 * (0.4 + 0.17) + 0.42)).norm(), 1e-12);
}

TEST_F(ChronoPart, TwinWheelsShareARimAndTheLoad) {
  options_.vehicle = "truck.json";
  options_.tyre = "tyre_truck.json";
  const Vehicle car = read();
  ASSERT_EQ(car.wheels.size(), 6U);
  const auto wheel = [&](const std::string& name) -> const Wheel& {
    return *std::find_if(car.wheels.begin(), car.wheels.end(),
                         [&](const Wheel& one) { return one.name == name; });
  };
  EXPECT_EQ(wheel("wheel_rl").rim, wheel("wheel_rl_inner").rim);
  const auto channels = stand(car, "pitman", 0.0);
  // the mean of both sides, because the arm on the left tilts the truck by 1e-4 rad; 0.3 m apart,
  // 0.85 m from the middle
  const auto mean = [&](const char* wheel, const char* channel, double right) {
    const std::string name = wheel;
    return 0.5 * (channels.at("wheel_rl" + name + channel) +
                  right * channels.at("wheel_rr" + name + channel));
  };
  EXPECT_NEAR(mean("", ".y", -1.0), 0.85 + 0.15, 1e-7);
  EXPECT_NEAR(mean("_inner", ".y", -1.0), 0.85 - 0.15, 1e-7);
  EXPECT_NEAR(mean("", ".Fz", 1.0), mean("_inner", ".Fz", 1.0), 1e-3);
  // spindle 12, two wheels of 22, two tyres of 32
  const Body& spindle = *std::find_if(car.mechanism.bodies.begin(), car.mechanism.bodies.end(),
                                      [](const Body& one) { return one.name == "spindle_rl"; });
  EXPECT_NEAR(spindle.mass, 12 + 2 * (22 + 32), 1e-12);
}

TEST_F(ChronoPart, BushingDataBecomesBushings) {
  options_.vehicle = "bushed.json";
  const Vehicle car = read();
  const auto bushing = [&](const std::string& name) -> const Bushing& {
    return *std::find_if(car.mechanism.bushings.begin(), car.mechanism.bushings.end(),
                         [&](const Bushing& one) { return one.name == name; });
  };
  ASSERT_EQ(car.mechanism.bushings.size(), 6U);  // hinge, and both ends of the tie rod, twice
  Eigen::Matrix<double, 6, 1> six;
  // a hinge is free about z, with the rates of "DOF"
  six << 8e6, 8e6, 8e6, 4000, 4000, 150;
  EXPECT_EQ(bushing("lca_joint_fl").stiffness, six);
  six << 8000, 8000, 8000, 20, 20, 2;
  EXPECT_EQ(bushing("lca_joint_fl").damping, six);
  // z along the hinge: from back to front
  const Eigen::Vector3d hinge =
      Eigen::Vector3d(0.18 + 0.2, 0.32 - 0.33, -0.11 + 0.105).normalized();
  EXPECT_NEAR(std::abs((bushing("lca_joint_fl").a.X_BF.A.col(2)).dot(hinge)), 1.0, 1e-9);
  six << 9e6, 9e6, 9e6, 0, 0, 3000;
  EXPECT_EQ(bushing("tierod_joint_fl").stiffness, six);
  six << 9e6, 9e6, 9e6, 0, 0, 0;
  EXPECT_EQ(bushing("tierod_ball_fl").stiffness, six);
  EXPECT_FALSE(noted("Bushing Data"));
}

// Both ends of a link give way by its data: x and y are the axes of the universal joint, about
// which the rates of "DOF" hold, none without it; a ball joint is loose about all three.
TEST_F(ChronoPart, LinksOfAMultiLinkStandOnTheirBushings) {
  options_.vehicle = "links_bushed.json";
  const Vehicle car = read();
  const auto bushing = [&](const std::string& name) -> const Bushing& {
    const auto found = std::find_if(car.mechanism.bushings.begin(), car.mechanism.bushings.end(),
                                    [&](const Bushing& one) { return one.name == name; });
    EXPECT_NE(found, car.mechanism.bushings.end()) << name;
    return *found;
  };
  // two ends of two links; trailing arm, two ends of one link, one of the other; twice
  ASSERT_EQ(car.mechanism.bushings.size(), 2U * (4U + 4U));
  Eigen::Matrix<double, 6, 1> six;
  six << 7e6, 7e6, 7e6, 40, 40, 500;
  EXPECT_EQ(bushing("lateral_joint_fl").stiffness, six);
  six << 7000, 7000, 7000, 1, 1, 5;
  EXPECT_EQ(bushing("lateral_joint_fl").damping, six);
  six << 7e6, 7e6, 7e6, 40, 40, 40;
  EXPECT_EQ(bushing("lateral_ball_fr").stiffness, six);
  six << 5e6, 5e6, 5e6, 0, 0, 600;
  EXPECT_EQ(bushing("trailing_link_joint_fr").stiffness, six);
  six << 5e6, 5e6, 5e6, 0, 0, 0;
  EXPECT_EQ(bushing("trailing_link_ball_fl").stiffness, six);
  // in the file at the chassis: (-0.13, 0.33, -0.1), its axes z in the chassis and x in the link
  const Bushing& inner = bushing("lateral_joint_fr");
  EXPECT_NEAR(std::abs(inner.a.X_BF.A.col(0).z()), 1.0, 1e-12);
  EXPECT_NEAR(std::abs(inner.a.X_BF.A.col(1).x()), 1.0, 1e-12);
  const Eigen::Vector3d lengths =
      bushing("lateral_ball_fr").a.X_BF.p - inner.b.X_BF.p;  // both on the link
  EXPECT_NEAR(lengths.norm(), std::hypot(0.02, 0.34, 0.01), 1e-12);
  EXPECT_FALSE(noted("Bushing Data"));
}

// Chassis and arm have bushings of their own in a three-link axle; where one is missing the joint
// stays, and only what no joint holds any more is set free.
TEST_F(ChronoPart, AThreeLinkAxleHasABushingWhereItsDataStand) {
  options_.vehicle = "links_bushed.json";
  const Vehicle car = read();
  const auto bushing = [&](const std::string& name) {
    return std::find_if(car.mechanism.bushings.begin(), car.mechanism.bushings.end(),
                        [&](const Bushing& one) { return one.name == name; });
  };
  const auto joint = [&](const std::string& name) {
    return std::any_of(car.mechanism.joints.begin(), car.mechanism.joints.end(),
                       [&](const Joint& one) { return one.name == name; });
  };
  const auto none = car.mechanism.bushings.end();
  Eigen::Matrix<double, 6, 1> six;
  ASSERT_NE(bushing("trailing_arm_ball_rl"), none);
  six << 4e6, 4e6, 4e6, 20, 20, 20;
  EXPECT_EQ(bushing("trailing_arm_ball_rl")->stiffness, six);
  ASSERT_NE(bushing("upper_link_joint_rr"), none);
  six << 6e6, 6e6, 6e6, 0, 0, 400;
  EXPECT_EQ(bushing("upper_link_joint_rr")->stiffness, six);
  ASSERT_NE(bushing("upper_link_ball_rl"), none);
  six << 6500, 6500, 6500, 0, 0, 0;
  EXPECT_EQ(bushing("upper_link_ball_rl")->damping, six);
  ASSERT_NE(bushing("lower_link_joint_rl"), none);
  EXPECT_TRUE(joint("lower_link_ball_rl"));
  EXPECT_TRUE(joint("upper_link_rl_free"));
  EXPECT_TRUE(joint("trailing_arm_rl_free"));
  EXPECT_FALSE(joint("lower_link_rl_free"));  // hangs on the arm
}

TEST_F(ChronoPart, ASingleWishboneSwingsAboutTheCarsAxisAndCarriesAKingpin) {
  options_.vehicle = "buggy.json";
  const Vehicle car = read();
  const auto joint = [&](const std::string& name) -> const Joint& {
    return *std::find_if(car.mechanism.joints.begin(), car.mechanism.joints.end(),
                         [&](const Joint& one) { return one.name == name; });
  };
  EXPECT_EQ(joint("control_arm_joint_fl").type, JointType::revolute);
  EXPECT_EQ(joint("kingpin_fr").type, JointType::revolute);
}

struct Steered {
  std::string vehicle, tyre, input;
  double angle;  // m or rad
};

std::ostream& operator<<(std::ostream& out, const Steered& car) { return out << car.vehicle; }

class ChronoSteering : public ChronoPart, public testing::WithParamInterface<Steered> {};

// Positive steering is to the left in Chrono, for the tie rods that its templates have in mind.
TEST_P(ChronoSteering, PositiveTurnsToTheLeft) {
  options_.vehicle = GetParam().vehicle;
  options_.tyre = GetParam().tyre;
  Scenario scenario;
  scenario.start = StartMode::equilibrium;
  scenario.speed = 6.0;
  scenario.step = 1e-3;
  scenario.inputs.push_back(
      {GetParam().input, Curve::table({{0.05, 0.0}, {0.2, GetParam().angle}}, false), {}});
  const Drive drive = make_drive(read(), scenario);
  Workspace ws(drive.model);
  State state = start_drive(drive, ws);
  for (int k = 0; k < 800; ++k)
    ASSERT_EQ(step(drive.model, drive.settings.step, state, ws).status, StepStatus::converged)
        << state.t;
  const Recorder recorder(drive.model, drive.recorder);
  std::vector<double> values;
  recorder.record(drive.model, state, ws, values);
  for (std::size_t k = 0; k < values.size(); ++k)
    if (recorder.channels()[k].name == "chassis.wz") {
      EXPECT_GT(values[k], 0.03);  // rad/s
      EXPECT_LT(values[k], 1.0);
    }
}

INSTANTIATE_TEST_SUITE_P(
    All, ChronoSteering,
    testing::Values(Steered{"roadster.json", "tyre.json", "rack", 0.01},
                    Steered{"buggy.json", "tyre.json", "rack", 0.01},
                    Steered{"van.json", "tyre.json", "pitman", 0.1},
                    Steered{"tractor.json", "tyre.json", "pitman", 0.03},
                    Steered{"truck.json", "tyre_truck.json", "pitman", 0.1},
                    Steered{"carrier.json", "tyre_truck.json", "pitman", 0.1},
                    Steered{"double_front.json", "tyre_truck.json", "rack", 0.02}),
    [](const auto& info) { return fs::path(info.param.vehicle).stem().string(); });

// --- tyres ---

TEST_F(ChronoPart, ParametersOfTheCurrentVersionAreRead) {
  options_.tyre = "tyre_parameters.json";
  const Vehicle car = read();
  const TyreLaw& law = *car.wheels[0].law;
  EXPECT_EQ(law.nominal_load(), 4000.0);
  EXPECT_EQ(law.load(0.01, 0.0, 0.0).load, 2300.0);
  EXPECT_EQ(law.load(0.0, 1.0, 0.0).load, 900.0);
  TyreSlip slip;
  slip.load = 4000.0;
  slip.speed = 20.0;
  slip.tan_alpha = 0.15;
  EXPECT_NEAR(law.forces(slip).Fy, -4100.0, 1e-8);  // "Maximum Fy Load" at its slip
  // held above "Maximum Vertical Force"
  slip.load = 11000.0;
  const double most = law.forces(slip).Fy;
  slip.load = 15000.0;
  EXPECT_NEAR(law.forces(slip).Fy, most, 1e-8);
  // slope over stiffness: along as given, across 0.9 of the vertical one
  EXPECT_NEAR(law.relaxation_x(4000.0, 0.0), 80000.0 / 210000.0, 1e-12);
  EXPECT_NEAR(law.relaxation_y(4000.0, 0.0), 65000.0 / (0.9 * 230000.0), 1e-9);
}

TEST_F(ChronoPart, ACurveOfLoadsGivesTheDeflectionUnderTheNominalLoad) {
  options_.tyre = "tyre_curve.json";
  // the points lie on 2e5 x + 2e6 x^2: 4000 N at x = (sqrt(4e10 + 3.2e10) - 2e5) / 4e6
  const double x = (std::sqrt(4e10 + 3.2e10) - 2e5) / 4e6;
  EXPECT_NEAR(read().wheels[0].law->load(x, 0.0, 0.0).load, 4000.0, 1e-5);
  EXPECT_TRUE(noted("the tyre is a linear spring that has the curve's deflection"));
}

TEST_F(ChronoPart, ParametersOfTheFirstVersionsAreRead) {
  options_.tyre = "tyre_old_parameters.json";
  const Vehicle car = read();
  EXPECT_EQ(car.wheels[0].law->load(0.01, 0.0, 0.0).load, 2200.0);
  EXPECT_NEAR(car.wheels[0].law->relaxation_y(4000.0, 0.0), 65000.0 / 150000.0, 1e-12);
  EXPECT_TRUE(noted("the tyre is a linear spring of the stiffness at the nominal load"));
}

TEST_F(ChronoPart, ANumberUnderRollingResistanceCoefficientsIsIgnoredAsInChrono) {
  change("tyre.json", "\"Rolling Resistance Coefficient\": 0.012",
         "\"Rolling Resistance Coefficients\": 0.03");
  EXPECT_TRUE(noted("tyre.json:5: not used: Rolling Resistance Coefficients"));
  TyreSlip slip;
  slip.load = 2000.0;
  slip.speed = 20.0;
  // Chrono's 0.015 of a guessed tyre, over load and radius
  EXPECT_NEAR(read().wheels[0].law->forces(slip).My, -0.015 * 2000.0 * 0.3, 1e-9);
}

TEST_F(ChronoPart, TheScaleOfTheRoadsFrictionIsNoted) {
  EXPECT_TRUE(
      noted("tyre.json:4: the tyre's curves hold on a road of Chrono's friction 0.9; here "
            "the road's mu multiplies them: for Chrono's 0.9 write mu=1"));
  change("tyre.json", "\"Coefficient of Friction\": 0.9", "\"Coefficient of Friction\": 0.8");
  EXPECT_TRUE(noted("for Chrono's 0.9 write mu=1.125"));
}

TEST_F(ChronoPart, AMagicFormulaInJsonIsThatOfAPropertyFileWithItsNumbers) {
  // the same numbers once as JSON
  const std::string text = test::text_of_file(folder_ / "tyre.tir");
  const TirFile tir = parse_tir(text, "tyre.tir");
  std::map<std::string, std::string> groups{
      {"SCALING_COEFFICIENTS", "Scaling Factors"},
      {"LONGITUDINAL_COEFFICIENTS", "Longitudinal Coefficients"},
      {"OVERTURNING_COEFFICIENTS", "Overturning Coefficients"},
      {"LATERAL_COEFFICIENTS", "Lateral Coefficients"},
      {"ROLLING_COEFFICIENTS", "Rolling Coefficients"},
      {"ALIGNING_COEFFICIENTS", "Aligning Coefficients"}};
  std::map<std::string, std::string> json;
  for (const auto& [section, name] : groups) json[section] = "";
  for (const TirKey& key : tir.keys)
    if (const auto group = json.find(key.section); group != json.end() && key.is_number)
      group->second += (group->second.empty() ? "\"" : ", \"") + key.name + "\": " + key.text;
  std::string file = R"({"Name": "T", "Type": "Tire", "Template": "Pac02Tire", "Mass": 9,
    "Inertia": [0.3, 0.5, 0.3], "Coefficient of Friction": 0.8, "Use Mode": 4, "VXLOW": 1,
    "Tire Conditions": {"Inflation Pressure": 200000, "Nominal Inflation Pressure": 200000},
    "Dimension": {"Unloaded Radius": 0.3284, "Width": 0.225, "Aspect Ratio": 0.5,
                  "Rim Radius": 0.2159, "Rim Width": 0.1905},
    "Vertical": {"Vertical Stiffness": 220000, "Vertical Damping": 60, "BREFF": 8.1, "DREFF": 0.28,
                 "FREFF": 0.06, "Nominal Wheel Load": 4500})";
  for (const auto& [section, name] : groups) file += ", \"" + name + "\": {" + json[section] + "}";
  write("magic.json", file + "}");
  options_.tyre = "tyre_property_file.json";
  const Vehicle by_file = read();
  options_.tyre = "magic.json";
  const Vehicle by_json = read();
  const TyreLaw& one = *by_file.wheels[0].law;
  const TyreLaw& other = *by_json.wheels[0].law;
  EXPECT_EQ(other.unloaded_radius(), one.unloaded_radius());
  EXPECT_EQ(other.load(0.02, 0.1, 60.0).load, one.load(0.02, 0.1, 60.0).load);
  for (const double load : {1500.0, 4500.0, 8000.0})
    for (const double kappa : {-0.1, 0.0, 0.03})
      for (const double tan_alpha : {-0.2, 0.01, 0.08}) {
        TyreSlip slip;
        slip.load = load;
        slip.kappa = kappa;
        slip.tan_alpha = tan_alpha;
        slip.gamma = 0.02;
        slip.speed = 20.0;
        const TyreForces a = one.forces(slip);
        const TyreForces b = other.forces(slip);
        const double near = 1e-9 * load;
        EXPECT_NEAR(b.Fx, a.Fx, near);
        EXPECT_NEAR(b.Fy, a.Fy, near);
        EXPECT_NEAR(b.Mz, a.Mz, near);
        EXPECT_NEAR(b.Mx, a.Mx, near);
      }
}

}  // namespace
}  // namespace semirec
