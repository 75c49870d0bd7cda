// Starts at a speed and at rest: wheels that roll on the effective radius of their law, what a file
// writes beside the speed, wheels that would stand still, slow steady turns, a parked car.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "integrator/formulation/evaluate.hpp"
#include "integrator/statics/steady_newton.hpp"
#include "tests/support/drives.hpp"
#include "tests/support/random_mechanism.hpp"
#include "tests/support/sessions.hpp"
#include "tests/support/text_drive.hpp"
#include "vehicles/analysis/steady_state.hpp"
#include "vehicles/description/articulation.hpp"
#include "vehicles/files/xml/reader.hpp"
#include "vehicles/session/continuation.hpp"
#include "vehicles/session/session.hpp"
#include "vehicles/tyre/fiala_tyre.hpp"
#include "vehicles/tyre/linear_tyre.hpp"

namespace semirec::test {
namespace {

const std::string kModels = std::string(SEMIREC_SOURCE_DIR) + "/vehicles/models/";

Vehicle model_of(const std::string& name, const std::vector<std::string>& overrides = {}) {
  std::vector<Override> all;
  for (const std::string& text : overrides) all.push_back(parse_override(text));
  return read_vehicle(kModels + name, all);
}

Scenario scenario_of(const std::string& inside) {
  const std::string path =
      (std::filesystem::temp_directory_path() / "semirec_rolling_start.xml").string();
  std::ofstream(path) << "<scenario name=\"start\" version=\"1\"><run step=\"0.001\" until=\"1\"/>"
                      << inside << "</scenario>";
  const Scenario scenario = read_scenario(path);
  std::filesystem::remove(path);
  return scenario;
}

/// A drive at its start, and what was said about it.
struct StartedCar {
  StartedCar(const Vehicle& vehicle, const Scenario& scenario)
      : drive{make_drive(vehicle, scenario), Workspace(make_drive(vehicle, scenario).model), {}} {
    drive.state = start_drive(drive.drive, drive.ws, said);
  }
  bool says(const std::string& words) const {
    return std::any_of(said.notes.begin(), said.notes.end(), [&](const std::string& line) {
      return line.find(words) != std::string::npos;
    });
  }
  std::string first_note() const { return said.notes.empty() ? "" : said.notes.front(); }
  double number(const std::string& name) { return channel(drive, name); }
  ShippedDrive drive;
  StartReport said;
};

const char* const kWheels[] = {"wheel_fl", "wheel_fr", "wheel_rl", "wheel_rr"};

/// A soft tyre that rolls on the height of its centre: radius - load / stiffness.
RadialTyre soft_tyre() {
  RadialTyre radial;
  radial.radius = 0.3267;
  radial.stiffness = 1e5;
  radial.damping = 250.0;
  radial.deflection_share = 1.0;
  return radial;
}

std::vector<std::shared_ptr<const TyreLaw>> soft_laws() {
  LinearTyreParameters linear;
  linear.radial = soft_tyre();
  FialaTyreParameters fiala;
  fiala.radial = soft_tyre();
  return {std::make_shared<LinearTyre>(linear), std::make_shared<FialaTyre>(fiala)};
}

TEST(RollingStart, TurnsWheelsOnTheEffectiveRadiusUnderTheirLoad) {
  for (const auto& law : soft_laws()) {
    Vehicle sedan = model_of("sedan.xml");
    for (Wheel& wheel : sedan.wheels) wheel.law = law;
    StartedCar car(sedan, scenario_of("<start speed=\"20\"/>"));
    for (const char* wheel : kWheels) {
      // drawn with the centre at 0.310 m; toe, camber and the lean of the axle: 1e-4
      EXPECT_NEAR(car.number(std::string(wheel) + ".omega"), 20.0 / 0.310, 1e-3 * 20.0 / 0.310);
      EXPECT_NEAR(car.number(std::string(wheel) + ".kappa"), 0.0, 1e-3) << wheel;
    }
  }
}

TEST(RollingStart, IsSteadyWithTyresThatRollFarBelowTheirUnloadedRadius) {
  for (const auto& law : soft_laws()) {
    Vehicle sedan = model_of("sedan.xml");
    for (Wheel& wheel : sedan.wheels) wheel.law = law;
    for (const double speed : {0.5, 5.0, 35.0}) {
      StartedCar car(sedan, scenario_of("<start from=\"equilibrium\" speed=\"" +
                                        std::to_string(speed) + "\"/>"));
      EXPECT_TRUE(car.said.motion.found) << speed;
      EXPECT_EQ(car.first_note(), "") << speed;
    }
    EXPECT_LT(SteadyCar(sedan, {}).turn(25.0, 2.0).residual, 1e-5);
  }
}

// Begun with derivatives of another car, of another speed, of itself, of one with other coordinates
// (which are left). Expected: the start that is found with its own, whatever way the search has
// gone: headings within 1e-10 rad leave 1e-5 N of the tyres, on springs of 1e4 N/m.
TEST(RollingStart, IsTheSameBegunWithTheDerivativesOfAnother) {
  const auto scenario_at = [](double speed, double steering) {
    return scenario_of("<start from=\"equilibrium\" speed=\"" + std::to_string(speed) +
                       "\"/><input name=\"steering\"><constant value=\"" +
                       std::to_string(steering) + "\"/></input>");
  };
  const StartedCar unchanged(model_of("sedan.xml"), scenario_at(22.0, 0.0));
  const StartedCar slow(model_of("sedan.xml"), scenario_at(4.0, 0.0));
  const StartedCar bushings(model_of("sedan.xml", {"form.value=bushing"}), scenario_at(22.0, 0.0));
  ASSERT_NE(unchanged.said.tangent, nullptr);
  ASSERT_NE(slow.said.tangent, nullptr);
  ASSERT_NE(bushings.said.tangent, nullptr);
  Random random(4);
  for (int car = 0; car < 12; ++car) {
    // not alike on both sides, and steered
    Vehicle sedan =
        model_of("sedan.xml", {"spring_fl.k=*" + std::to_string(random.number(0.5, 2.0)),
                               "spring_rr.k=*" + std::to_string(random.number(0.7, 1.4)),
                               "chassis.mass=*" + std::to_string(random.number(0.7, 1.4))});
    for (Body& body : sedan.mechanism.bodies) body.mass *= random.number(0.9, 1.1);
    StartedCar own(sedan, scenario_at(22.0, car % 3 == 0 ? 0.0 : random.number(-1.0, 1.0)));
    ASSERT_TRUE(own.said.motion.found);
    for (const StartedCar* other :
         std::initializer_list<const StartedCar*>{&unchanged, &slow, &bushings, &own}) {
      StartReport said;
      ShippedDrive begun{own.drive.drive, Workspace(own.drive.drive.model), {}};
      begun.state = start_drive(begun.drive, begun.ws, said, &other->said);
      EXPECT_TRUE(said.motion.found) << car;
      EXPECT_EQ(said.notes.size(), own.said.notes.size()) << car;
      for (const char* name : {"chassis.x", "chassis.y", "chassis.z", "chassis.roll",
                               "chassis.pitch", "chassis.yaw", "wheel_fl.z", "wheel_rr.z"})
        EXPECT_NEAR(channel(begun, name), channel(own.drive, name), 1e-9) << car << ", " << name;
      for (const char* name : {"chassis.ax", "chassis.ay", "wheel_fl.omega", "wheel_rr.omega"})
        EXPECT_NEAR(channel(begun, name), channel(own.drive, name), 1e-7) << car << ", " << name;
    }
  }
}

// Derivatives that lead nowhere: all zero, and of an equation turned over.
TEST(RollingStart, IsFoundWhereTheDerivativesOfAnotherLeadAstray) {
  const Scenario scenario = scenario_of("<start from=\"equilibrium\" speed=\"22\"/>");
  const StartedCar own(model_of("sedan.xml"), scenario);
  for (const double factor : {0.0, -1.0, 30.0}) {
    auto wrong = std::make_shared<SteadyTangent>(*own.said.tangent);
    wrong->A *= factor;
    decompose(wrong->A, 1e-10, wrong->decomposition);
    StartReport like;
    like.tangent = wrong;
    StartReport said;
    Workspace ws(own.drive.drive.model);
    const State state = start_drive(own.drive.drive, ws, said, &like);
    EXPECT_TRUE(said.motion.found) << factor;
    EXPECT_LT((state.z - own.drive.state.z).cwiseAbs().maxCoeff(), 1e-9) << factor;
    EXPECT_LT((state.zd - own.drive.state.zd).cwiseAbs().maxCoeff(), 1e-7) << factor;
  }
}

// The path of slow driving does not depend on the speed: at one radius the steering wheel is that
// of 1 m/s, where the search has always converged.
TEST(SteadyCar, TurnsAsSlowlyAsItIsAsked) {
  SteadyCar car(model_of("sedan.xml"), {});
  constexpr double kRadius = 30.0;
  const double there = car.turn(1.0, 1.0 / kRadius).steering_wheel;
  for (const double speed : {0.05, 0.3, 0.5, 0.6, 0.69}) {
    const SteadyTurn turn = car.turn(speed, speed * speed / kRadius);
    EXPECT_NEAR(turn.steering_wheel / there, 1.0, 0.05) << speed;
    EXPECT_LT(turn.residual, 1e-5) << speed;
  }
}

TEST(Continuation, ReachesTheWholeInSteps) {
  // each solution reaches a tenth farther than the last
  double reached = 0.0;
  int attempts = 0;
  const auto solve = [&](double share) {
    ++attempts;
    if (share > reached + 0.1) return false;
    reached = share;
    return true;
  };
  EXPECT_TRUE(solve_in_steps(solve));
  EXPECT_EQ(reached, 1.0);
  EXPECT_LT(attempts, 45);
  EXPECT_FALSE(solve_in_steps([](double share) { return share < 0.3; }));
}

// A file that writes rates beside the speed of the scenario.
std::string cart(const std::string& chassis, const std::string& spin) {
  return R"(<vehicle name="cart" version="1">
    <body name="chassis" chassis="yes" mass="100" com="0 0 0.5" inertia="10 10 10"/>
    <joint name="chassis_joint" type="free" a="ground" b="chassis" )" +
         chassis + R"(/>
    <body name="rim" mass="5" com="0 0 0.3" inertia="0.1 0.2 0.1"/>
    <joint name="spin" type="revolute" a="chassis" b="rim" point="0 0 0.3" axis="0 1 0" )" +
         spin + R"(/>
    <wheel name="wheel" body="chassis" rim="rim" centre="0 0 0.3" axis="0 1 0" radius="0.3"
           stiffness="200000"/>
    </vehicle>)";
}

Vehicle read_cart(const std::string& chassis, const std::string& spin) {
  const std::string path = (std::filesystem::temp_directory_path() / "semirec_cart.xml").string();
  std::ofstream(path) << cart(chassis, spin);
  const Vehicle vehicle = read_vehicle(path);
  std::filesystem::remove(path);
  return vehicle;
}

double rate_of(const StartedCar& car, const std::string& joint) {
  const Model& model = car.drive.drive.model;
  for (std::size_t t = 1; t < model.tree.bodies.size(); ++t) {
    const auto j = static_cast<std::size_t>(model.tree.tree.branches[t].joint);
    if (model.mechanism.joints[j].name == joint) return car.drive.state.zd[model.tree.bodies[t].z];
  }
  throw std::logic_error(joint);
}

TEST(StartSpeed, TakesThePlaceOfAForwardSpeedThatIsWritten) {
  const Scenario fast = scenario_of("<start speed=\"33\"/>");
  StartedCar same(read_cart("velocity=\"33 0 0 0 0 0\"", ""), fast);
  EXPECT_DOUBLE_EQ(same.number("chassis.vx"), 33.0);
  EXPECT_EQ(same.first_note(), "");
  StartedCar other(read_cart("velocity=\"10 2 0 0 0 0\"", ""), fast);
  EXPECT_DOUBLE_EQ(other.number("chassis.vx"), 33.0);
  EXPECT_DOUBLE_EQ(other.number("chassis.vy"), 2.0);
  EXPECT_TRUE(other.says("velocity[0] of joint 'chassis_joint' is 33 for 10 m/s"))
      << other.first_note();
}

TEST(StartSpeed, LeavesASpinThatIsWritten) {
  const Scenario fast = scenario_of("<start speed=\"33\"/>");
  StartedCar rolls(read_cart("", ""), fast);
  EXPECT_DOUBLE_EQ(rate_of(rolls, "spin"), 33.0 / 0.3);
  StartedCar slides(read_cart("", "velocity=\"7\""), fast);
  EXPECT_DOUBLE_EQ(rate_of(slides, "spin"), 7.0);
  EXPECT_EQ(slides.first_note(), "");
}

TEST(StartSpeed, NotesOfRatesReachASession) {
  const Vehicle vehicle = read_cart("velocity=\"10 0 0 0 0 0\"", "");
  const Session session(vehicle, scenario_of("<start speed=\"33\"/>"));
  ASSERT_EQ(session.notes().size(), 1U);
  EXPECT_NE(session.notes()[0].find("'chassis_joint' is 33 for 10 m/s"), std::string::npos);
}

TEST(WheelsThatSpin, TurnAtTheSpeedOfTheCar) {
  for (const char* name : {"iltis_spinning.xml", "car21.xml"}) {
    const Vehicle vehicle = model_of(name);
    StartedCar car(vehicle, scenario_of("<start speed=\"20\"/>"));
    EXPECT_NEAR(rate_of(car, "spin_fl"), 20.0 / vehicle.wheels[0].radius, 1e-9) << name;
    EXPECT_EQ(car.first_note(), "") << name;
  }
}

TEST(WheelsThatSpin, AreNamedWhereNothingTurnsThem) {
  const Vehicle vehicle = model_of("iltis_spinning.xml", {"wheel_*.rim=none"});
  StartedCar car(vehicle, scenario_of("<start speed=\"20\"/>"));
  EXPECT_EQ(car.said.notes.size(), 4U);
  EXPECT_TRUE(
      car.says("wheel 'wheel_fl' starts without spin: body 'rim_fl' turns about its axle and "
               "is not its rim, expected rim=\"rim_fl\""))
      << car.first_note();
  // at rest there is nothing to say, and never of a wheel that is its carrier
  EXPECT_EQ(StartedCar(vehicle, scenario_of("")).first_note(), "");
  EXPECT_EQ(StartedCar(model_of("iltis.xml"), scenario_of("<start speed=\"20\"/>")).first_note(),
            "");
}

Vehicle half_shafts() {
  return read_vehicle(std::string(SEMIREC_SOURCE_DIR) + "/tests/data/half_shafts.xml");
}

// Expected: the wheels turn as without half shafts, and these with them: an axle of joints that
// keeps the speed constant, its ends parallel.
TEST(WheelsThatSpin, TurnTheirHalfShafts) {
  for (const char* from : {"equilibrium", "design"}) {
    const Scenario fast = scenario_of("<start from=\"" + std::string(from) + "\" speed=\"20\"/>");
    StartedCar plain(model_of("sedan.xml"), fast);
    StartedCar driven(half_shafts(), fast);
    for (const char* wheel : kWheels) {
      const double omega = plain.number(std::string(wheel) + ".omega");
      // 6 kg more on each side press the rear tyres in
      EXPECT_NEAR(driven.number(std::string(wheel) + ".omega"), omega, 2e-3 * omega) << wheel;
    }
    EXPECT_NEAR(std::abs(rate_of(driven, "out_rl")), plain.number("wheel_rl.omega"), 0.2);
    EXPECT_NEAR(driven.number("chassis.ax"), plain.number("chassis.ax"), 0.05) << from;
  }
}

// Expected, without rates of the closures: what moves on with the rates and accelerations found
// leaves them closed but for the third order of the time, wheels that turn by 1e-2 rad.
TEST(SteadyCar, TurnsTheHalfShaftsOfItsWheels) {
  SteadyCar car(half_shafts(), {});
  SteadyCar plain(model_of("sedan.xml"), {});
  const Model& model = car.drive().model;
  Workspace ws(model);
  for (const double lateral : {0.0, 2.2, -3.0, 4.0, 6.0}) {
    const SteadyTurn turn = car.turn(20.0, lateral);
    // 12 kg of shafts over the rear axle, in motion beside nothing
    const SteadyTurn without = plain.turn(20.0, lateral);
    EXPECT_NEAR(turn.roll, without.roll, 0.02 * std::abs(without.roll) + 1e-6) << lateral;
    EXPECT_NEAR(turn.pitch, without.pitch, 1.5e-3) << lateral;
    EXPECT_NEAR(turn.steering_wheel, without.steering_wheel,
                0.02 * std::abs(without.steering_wheel) + 1e-6);
    EXPECT_NEAR(turn.drive_force, without.drive_force, 0.02 * without.drive_force) << lateral;
    for (std::size_t t = 1; t < model.tree.bodies.size(); ++t) {
      const auto joint = static_cast<std::size_t>(model.tree.tree.branches[t].joint);
      const std::string& name = model.mechanism.joints[joint].name;
      if (name.rfind("hinge_", 0) != 0 && name.find("ball") == std::string::npos) continue;
      const TreeBody& body = model.tree.bodies[t];
      EXPECT_LT(turn.state.zd.segment(body.z, body.degrees_of_freedom).cwiseAbs().maxCoeff(), 1e-12)
          << name << ", " << lateral;
    }
    EXPECT_LT(turn.residual, 1e-5);
    const auto opening = [&](double time) {
      State later = turn.state;
      later.z += time * later.zd + 0.5 * time * time * later.zdd;
      evaluate_state(model, later, ws);
      return ws.closures.Phi.cwiseAbs().maxCoeff();
    };
    const double small = opening(1e-4);
    EXPECT_LT(small, 1e-7) << lateral;
    EXPECT_LT(small, opening(2e-4) / 7.0) << lateral;
    const std::vector<double> values = car.channels(turn);
    const auto& channels = car.recorder().channels();
    const auto out = std::find_if(channels.begin(), channels.end(),
                                  [](const Channel& c) { return c.name == "out_rl.rate"; });
    ASSERT_NE(out, channels.end());
    // 20 m/s on 0.32 m
    EXPECT_NEAR(std::abs(values[static_cast<std::size_t>(out - channels.begin())]), 62.7, 2.0);
  }
}

// Expected: rims that are bolted to a solid axle turn with it, on the radius on which they roll.
TEST(WheelsThatSpin, TurnTheAxleToWhichTheyAreBolted) {
  std::string text =
      "<vehicle name=\"kart\" version=\"1\">"
      "<body name=\"chassis\" chassis=\"yes\" mass=\"1000\" com=\"0 0 0.5\" inertia=\"300 1200 "
      "1300\"/>"
      "<joint name=\"base\" type=\"free\" a=\"ground\" b=\"chassis\"/>"
      "<tyre name=\"t\"><fiala radius=\"0.3\" stiffness=\"200000\" damping=\"2000\" "
      "nominal_load=\"2500\" "
      "slip_stiffness=\"60000\" cornering_stiffness=\"50000\" friction=\"1\"/></tyre>"
      "<body name=\"axle\" mass=\"20\" com=\"-1.2 0 0.3\" inertia=\"2 0.05 2\"/>"
      "<joint name=\"bearing\" type=\"revolute\" a=\"chassis\" b=\"axle\" point=\"-1.2 0 0.3\" "
      "axis=\"0 1 0\"/>";
  for (const bool front : {true, false})
    for (const double y : {0.75, -0.75}) {
      const std::string id = std::string(front ? "f" : "r") + (y > 0 ? "l" : "r");
      const std::string place = (front ? "1.2 " : "-1.2 ") + std::to_string(y) + " 0.3";
      text +=
          "<body name=\"rim_" + id + "\" mass=\"15\" com=\"" + place + "\" inertia=\"0.5 1 0.5\"/>";
      text += front ? "<joint name=\"hub_" + id + "\" type=\"revolute\" a=\"chassis\" b=\"rim_" +
                          id + "\" point=\"" + place + "\" axis=\"0 1 0\"/>"
                    : "<joint name=\"bolt_" + id + "\" type=\"fixed\" a=\"axle\" b=\"rim_" + id +
                          "\" point=\"" + place + "\"/>";
      text += "<wheel name=\"wheel_" + id + "\" body=\"chassis\" rim=\"rim_" + id + "\" centre=\"" +
              place + "\" axis=\"0 1 0\" tyre=\"t\"/>";
    }
  const Vehicle kart = read_vehicle_text(text + "</vehicle>", "kart.xml");
  StartedCar car(kart, scenario_of("<start from=\"equilibrium\" speed=\"20\"/>"));
  EXPECT_EQ(car.first_note(), "");
  for (const char* wheel : kWheels) {
    EXPECT_NEAR(car.number(std::string(wheel) + ".omega"), 20.0 / 0.3, 0.02 * 20.0 / 0.3) << wheel;
    EXPECT_NEAR(car.number(std::string(wheel) + ".kappa"), 0.0, 1e-3) << wheel;
  }
  SteadyCar steady(kart, {});
  const SteadyTurn turn = steady.turn(20.0, 0.0);
  EXPECT_LT(turn.residual, 1e-6);
}

// The brakes of the sedan hold it on a slope: tyres carry the weight along it, nothing creeps.
TEST(ParkedCar, RestsOnASlopeWithItsBrakesOn) {
  for (const double angle : {0.02, -0.1, 0.2}) {
    const Scenario slope = scenario_of(
        "<start from=\"equilibrium\"/><contact law=\"normal\"/><input name=\"brake\" value=\"1\"/>"
        "<road><slope angle=\"" +
        std::to_string(angle) + "\"/></road>");
    // drawn on the slope, 0.56 m over it
    const Vehicle sedan = model_of(
        "sedan.xml", {"chassis_joint.position=0 0 " + std::to_string(0.56 / std::cos(angle)) +
                      " 0 " + std::to_string(-angle) + " 0"});
    StartedCar car(sedan, slope);
    EXPECT_TRUE(car.said.parked) << angle;
    EXPECT_EQ(car.first_note(), "") << angle;
    double along = 0.0;
    for (const char* wheel : kWheels) along += car.number(std::string(wheel) + ".Wx");
    // W axes lie in the road: weight times the sine of its angle; wheels stand by 2 mrad off
    EXPECT_NEAR(along, 1500.0 * 9.81 * std::sin(std::abs(angle)) * (angle > 0.0 ? 1.0 : -1.0),
                0.001 * 1500.0 * 9.81);
    Session session(sedan, slope);
    std::vector<double> values(session.outputs().size());
    const auto output = [&](const char* name) {
      session.read_outputs(values.data());
      return values[static_cast<std::size_t>(session.find_output(name))];
    };
    EXPECT_NEAR(output("chassis.ax"), 0.0, 1e-7) << angle;
    const double there = output("chassis.x");
    for (int k = 0; k < 1000; ++k) ASSERT_EQ(session.step(), StepStatus::converged);
    EXPECT_NEAR(output("chassis.x"), there, 1e-7) << angle;
    SteadyCar steady(sedan, slope);
    EXPECT_LT(steady.rest().residual, 1e-5) << angle;
  }
}

/// A road of a slope and a bank, rad, and how far the brakes are on.
std::string braked_on(double angle, double bank, double brake) {
  std::ostringstream inside;
  inside << "<start from=\"equilibrium\"/><contact law=\"normal\"/><input name=\"brake\" value=\""
         << brake << "\"/><road><slope angle=\"" << angle << "\" bank=\"" << bank << "\"/></road>";
  return inside.str();
}

struct Parking {
  double angle = 0.0, bank = 0.0, brake = 1.0;
};

constexpr Parking kParkings[] = {
    {0.0, 0.02, 1.0}, {0.0, 0.05, 0.5}, {0.0, 0.1, 1.0},  {0.0, 0.12, 0.5}, {0.0, 0.15, 1.0},
    {0.0, 0.2, 1.0},  {0.0, -0.2, 0.5}, {0.05, 0.0, 1.0}, {0.1, 0.0, 0.5},  {-0.2, 0.0, 1.0},
    {0.3, 0.0, 1.0},  {-0.3, 0.0, 0.5}, {0.1, -0.1, 1.0}, {0.0, 0.15, 0.5}};

/// How far anything that is recorded of places changes within half a second, m.
double find_creep(const Vehicle& vehicle, const Scenario& scenario) {
  Session session(vehicle, scenario);
  const auto places = [&] {
    std::vector<double> values(session.outputs().size());
    session.read_outputs(values.data());
    std::vector<double> kept;
    for (std::size_t k = 0; k < values.size(); ++k)
      if (session.outputs()[k].unit == "m") kept.push_back(values[k]);
    return kept;
  };
  const std::vector<double> before = places();
  for (int k = 0; k < 500; ++k)
    if (session.step() != StepStatus::converged) return 1e300;
  const std::vector<double> after = places();
  double most = 0.0;
  for (std::size_t k = 0; k < before.size(); ++k)
    most = std::max(most, std::abs(after[k] - before[k]));
  return most;
}

TEST(ParkedCar, RestsOnBanksAndSlopesWhateverItIs) {
  constexpr double kLean = 0.06;   // rad: what springs and tyres yield on a road of 0.3 rad
  constexpr double kCreep = 1e-6;  // m, in half a second
  for (const char* name : {"sedan.xml", "sedan_eps.xml", "truck.xml", "trailer.xml"}) {
    const Vehicle vehicle = model_of(name);
    for (const Parking& at : kParkings) {
      const Scenario scenario = scenario_of(braked_on(at.angle, at.bank, at.brake));
      const std::string where = std::string(name) + ", slope " + std::to_string(at.angle) +
                                ", bank " + std::to_string(at.bank) + ", brake " +
                                std::to_string(at.brake);
      StartedCar car(vehicle, scenario);
      EXPECT_TRUE(car.said.parked) << where << ": " << car.first_note();
      EXPECT_EQ(car.first_note(), "") << where;
      EXPECT_NEAR(car.number("chassis.roll"), at.bank, kLean) << where;
      EXPECT_NEAR(car.number("chassis.pitch"), -at.angle, kLean) << where;
      // the heading of the file, however it leans
      EXPECT_NEAR(car.number("chassis.yaw"), 0.0, 1e-9) << where;
      EXPECT_LT(find_creep(vehicle, scenario), kCreep) << where;
      EXPECT_LT(SteadyCar(vehicle, scenario).rest().residual, 1e-4) << where;
    }
  }
}

/// The sedan whose brakes take `line`, by an equation of its own.
std::string sedan_text(const std::string& equation) {
  std::ifstream file(kModels + "sedan.xml");
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const std::string pedal = "input=\"brake\"/>";
  for (std::size_t at = text.find(pedal); at != std::string::npos; at = text.find(pedal))
    text.replace(at, pedal.size(), "input=\"line\"/>");
  return text.insert(text.rfind("</vehicle>"), equation);
}

// Brakes that a file's own state, hold, delay or logic puts on hold the car as the pedal itself
// does.
TEST(ParkedCar, RestsWhateverPutsItsBrakesOn) {
  for (const char* line :
       {"<state name=\"line\" unit=\"1\" rate=\"= (0.9*brake - line)/0.05\"/>",
        "<hold name=\"line\" of=\"= 0.9*brake\" rate=\"100\"/>",
        "<delay name=\"line\" of=\"= 0.9*brake\" time=\"0.02\"/>",
        "<logic name=\"line\" on=\"= brake &gt; 0.5\" off=\"= brake &lt; 0.4\"/>"}) {
    const Vehicle vehicle = read_vehicle_text(sedan_text(line), kModels + "x.xml");
    const Scenario scenario = scenario_of(braked_on(0.15, 0.0, 1.0));
    StartedCar car(vehicle, scenario);
    EXPECT_TRUE(car.said.parked) << line << car.first_note();
    EXPECT_EQ(car.first_note(), "") << line;
    EXPECT_LT(find_creep(vehicle, scenario), 1e-6) << line;
    EXPECT_LT(SteadyCar(vehicle, scenario).rest().residual, 1e-4) << line;
  }
}

// On the brake alone: half a percent of it holds no car on a slope of 0.2.
TEST(ParkedCar, IsNotSaidToFindNoRestWhereItsBrakesAreOn) {
  const Vehicle sedan = model_of("sedan.xml");
  const Scenario scenario = scenario_of(braked_on(0.2, 0.0, 0.005));
  StartedCar car(sedan, scenario);
  EXPECT_FALSE(car.said.parked);
  EXPECT_TRUE(car.says("its brakes are on, but its rest was not found")) << car.first_note();
  EXPECT_FALSE(car.says("cannot rest")) << car.first_note();
  try {
    (void)SteadyCar(sedan, scenario).rest();
    ADD_FAILURE() << "expected an error";
  } catch (const AnalysisError& error) {
    EXPECT_NE(std::string(error.what()).find("its rest was not found"), std::string::npos)
        << error.what();
  }
}

// Wheels that roll leave the articulation open at rest: it stays as it is written, straight, and at
// a speed the trailer follows.
TEST(TrailerStart, StandsAndRollsBehindItsCarOnBanksSlopesAndBends) {
  constexpr double kFollows = 0.03;  // rad: the side force of its axle on a bank, at its slip
  const Vehicle vehicle = model_of("trailer.xml");
  const std::string bend = std::string("<crg file=\"") + SEMIREC_SOURCE_DIR +
                           "/vehicles/scenarios/roads/bend.crg\" x=\"";
  for (const std::string& road : {bend + "-8\"/>", bend + "-25\"/>", bend + "-60\"/>",
                                  std::string("<slope angle=\"-0.13\" bank=\"0.11\"/>"),
                                  std::string("<slope angle=\"0\" bank=\"0.1\"/>")})
    for (const char* speed : {"0", "1", "5", "20"}) {
      StartedCar car(vehicle,
                     scenario_of(std::string("<start from=\"equilibrium\" speed=\"") + speed +
                                 "\"/><contact law=\"normal\"/><road>" + road + "</road>"));
      EXPECT_FALSE(car.says("no steady motion")) << road << " at " << speed;
      EXPECT_FALSE(car.says("leans by")) << road << " at " << speed;
      const Drive& drive = car.drive.drive;
      evaluate_state(drive.model, car.drive.state, car.drive.ws);
      EXPECT_NEAR(compute_articulation(drive.model, drive.units, 1, car.drive.ws.tree), 0.0,
                  kFollows)
          << road << " at " << speed;
    }
}

// Expected: the articulation that the file writes, whatever its size; it turns on from there.
TEST(TrailerStart, KeepsAnArticulationThatIsWritten) {
  for (const double written : {0.01, 0.05, 0.1, 0.3})
    for (const char* speed : {"2", "10", "30"}) {
      StartedCar car(
          model_of("trailer.xml", {"hitch.position=0 0 " + std::to_string(written)}),
          scenario_of(std::string("<start from=\"equilibrium\" speed=\"") + speed + "\"/>"));
      EXPECT_TRUE(car.said.motion.found) << written << " at " << speed;
      const Drive& drive = car.drive.drive;
      evaluate_state(drive.model, car.drive.state, car.drive.ws);
      // what turns is the coordinate, and the trailer leans
      EXPECT_NEAR(std::abs(compute_articulation(drive.model, drive.units, 1, car.drive.ws.tree)),
                  written, 0.04 * written)
          << speed;
    }
}

// What hangs on a written articulation stays as it is, too: free it would be pushed aside.
TEST(TrailerStart, KeepsWhatHangsBehindAnArticulationThatIsWritten) {
  std::ifstream file(kModels + "trailer.xml");
  const std::string one{std::istreambuf_iterator<char>(file), {}};
  // the trailer once more, hung in 1 m behind its own axle
  std::string more = one.substr(one.find("<point name=\"hitch\""));
  more = more.substr(0, more.rfind("</vehicle>"));
  const auto rename = [&](const std::string& what, const std::string& by) {
    for (std::size_t at = more.find(what); at != std::string::npos;
         at = more.find(what, at + by.size()))
      more.replace(at, what.size(), by);
  };
  rename("trailer", "second");
  rename("hitch", "coupling");
  for (const char* side : {"l", "r"}) {
    rename("\"t" + std::string(side) + "\"", "\"s" + std::string(side) + "\"");
    rename("_t" + std::string(side) + "\"", "_s" + std::string(side) + "\"");
  }
  rename("-2.5125 0 0.40", "-7.5125 0 0.40");
  rename("-6.5125 0 0", "-11.5125 0 0");
  rename("a=\"chassis\" b=\"second\"", "a=\"trailer\" b=\"second\"");
  const std::string both = one.substr(0, one.rfind("</vehicle>")) + more + "</vehicle>";
  for (const double written : {0.02, 0.1}) {
    std::vector<Override> overrides{
        parse_override("hitch.position=0 0 " + std::to_string(written))};
    StartedCar car(read_vehicle_text(both, kModels + "two.xml", overrides),
                   scenario_of("<start from=\"equilibrium\" speed=\"10\"/>"));
    EXPECT_TRUE(car.said.motion.found) << written;
    const Drive& drive = car.drive.drive;
    ASSERT_EQ(drive.units.size(), 3U);
    evaluate_state(drive.model, car.drive.state, car.drive.ws);
    const double first = compute_articulation(drive.model, drive.units, 1, car.drive.ws.tree);
    EXPECT_NEAR(std::abs(first), written, 0.04 * written);
    EXPECT_NEAR(compute_articulation(drive.model, drive.units, 2, car.drive.ws.tree), 0.0,
                0.05 * written);
  }
}

// What holds or controls a level speed begins with it on a slope: vx = v, vz = v tan(angle); held,
// nothing accelerates, controlled, the control does not push.
TEST(RollingStart, OnASlopeHasTheLevelSpeedThatIsHeldOrControlled) {
  constexpr double kSpeed = 10.0;
  for (const char* model : {"sedan.xml", "truck.xml"})
    for (const double angle : {-0.1, 0.05, 0.2})
      for (const char* mode : {"mode=\"hold\"", "mode=\"control\" gain=\"3000\""}) {
        SCOPED_TRACE(std::string(model) + " " + mode + " at " + std::to_string(angle));
        StartedCar car(
            model_of(model),
            scenario_of("<start from=\"equilibrium\" speed=\"10\"/><speed " + std::string(mode) +
                        "/><contact law=\"normal\"/><road><slope angle=\"" + std::to_string(angle) +
                        "\"/></road>"));
        EXPECT_TRUE(car.said.motion.found);
        EXPECT_NEAR(car.number("chassis.vx"), kSpeed, 1e-8);
        EXPECT_NEAR(car.number("chassis.vz"), kSpeed * std::tan(angle), 1e-6);
        if (mode[6] == 'h') {
          EXPECT_NEAR(car.number("chassis.ax"), 0.0, 1e-6);
          EXPECT_NEAR(car.number("chassis.az"), 0.0, 1e-4);
        }
      }
}

// A levelling that has come on at rest, where the body would be too low, is on at the speed, too.
TEST(RollingStart, KeepsALogicBetweenItsConditionsAsTheRestHasIt) {
  std::ifstream file(kModels + "sedan.xml");
  std::string text{std::istreambuf_iterator<char>(file), {}};
  text.insert(text.rfind("</vehicle>"),
              R"(<logic name="up" on="= chassis.z &lt; 0.5625" off="= chassis.z > 0.6"/>
<force name="lift" body="chassis" point="0 0 0.6" direction="0 0 1" input="= 2000*up"/>)");
  for (const char* speed : {"0", "20"}) {
    StartedCar car(
        read_vehicle_text(text, kModels + "lifted.xml"),
        scenario_of(std::string("<start from=\"equilibrium\" speed=\"") + speed + "\"/>"));
    EXPECT_EQ(car.number("up.value"), 1.0) << speed;
    EXPECT_NEAR(car.number("chassis.az"), 0.0, 1e-4) << speed;
    EXPECT_FALSE(car.says("no steady motion")) << speed;
    EXPECT_FALSE(car.says("leaves the equilibrium")) << speed;
  }
}

TEST(RollingStart, NamesAWheelThatLiftsAtSpeedAlone) {
  StartedCar car(model_of("truck.xml"),
                 scenario_of("<start from=\"equilibrium\" speed=\"10\"/><road><iso8608 class=\"G\" "
                             "seed=\"5\"/></road>"));
  ASSERT_TRUE(car.said.motion.found);
  EXPECT_EQ(car.number("twin_mr.Fz"), 0.0);
  EXPECT_TRUE(car.says("at its speed, nothing rests on 'twin_mr'"));
}

// Upside down, on its side, on its nose, and a trailer that hangs on its car upside down.
TEST(StandingStart, RefusesWhatIsPosedOverturned) {
  const auto refusal = [](const char* model, const std::string& position, const char* speed) {
    try {
      StartedCar car(
          model_of(model, {position}),
          scenario_of(std::string("<start from=\"equilibrium\" speed=\"") + speed + "\"/>"));
    } catch (const ModelError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  for (const char* speed : {"0", "10"}) {
    for (const char* model : {"sedan.xml", "iltis.xml", "truck.xml", "trailer.xml"})
      for (const char* turn : {"1.6 0 0", "2.5 0 0", "3.14 0 0", "0 1.6 0"})
        EXPECT_THAT(refusal(model, std::string("chassis_joint.position=0 0 0.6 ") + turn, speed),
                    testing::HasSubstr("no static equilibrium"))
            << model << " " << turn;
    EXPECT_THAT(refusal("trailer.xml", "hitch.position=3.14 0 0", speed),
                testing::HasSubstr("'trailer' leans by"));
    EXPECT_EQ(refusal("sedan.xml", "chassis_joint.position=0 0 0.6 0.3 0.2 1", speed), "");
  }
}

// The circle of 67 m leads over what is not under the car at the start.
TEST(SteadyCar, RefusesARoadThatIsNotTheSameEverywhere) {
  const auto turn_on = [](const char* road) {
    try {
      SteadyOptions options;
      options.speed = 20.0;
      options.lateral_accelerations = {2.0};
      (void)analyse_steady_state(model_of("sedan.xml"), scenario_of(road), options);
    } catch (const AnalysisError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  for (const char* road : {"<road><friction mu='0.2' x_from='5'/></road>",
                           "<road><friction mu='0.2' y_from='-0.4' y_to='2'/></road>",
                           "<road><plank start='500' length='1' height='0.1'/></road>"})
    EXPECT_THAT(turn_on(road), testing::HasSubstr("not the same everywhere")) << road;
  // as does a profile far off
  EXPECT_THAT(turn_on("<road><cosine_bump start='500' length='2' height='0.1'/></road>"),
              testing::HasSubstr("not the same everywhere"));
  for (const char* road :
       {"<road><friction mu='0.9'/></road>", "<road><slope angle='0'/></road>",
        "<road><flat height='0.1'/></road>", "<road><flat/><friction mu='0.8'/></road>"})
    EXPECT_EQ(turn_on(road), "") << road;
}

/// The sedan with another driveline.
std::string sedan_with(const std::string& driveline) {
  std::ifstream file(std::string(SEMIREC_SOURCE_DIR) + "/vehicles/models/sedan.xml");
  std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::size_t begin = text.find("<motor ");
  const std::size_t end = text.find("</gearbox>") + std::string("</gearbox>").size();
  return text.replace(begin, end - begin, driveline);
}

// One gear behind a rigid coupling, without an input of its own: the simplest driveline that the
// file knows. Its car stands as the shipped one, which has another.
TEST(RollingStart, OfACarWithOneGearAndNoClutch) {
  ShippedDrive shipped = start_shipped("sedan.xml", "step_steer.xml", {},
                                       [](Scenario& scenario) { scenario.speed = 0.0; });
  for (const char* gearbox : {R"(<gearbox type="manual"><gear ratio="2"/></gearbox>)", ""})
    for (const char* type : {"electric", "combustion"})
      for (const double speed : {0.0, 20.0}) {
        SCOPED_TRACE(std::string(type) + ", " + std::to_string(speed) + " m/s" + gearbox);
        const std::string motor = std::string("<motor type=\"") + type +
                                  R"(" inertia="0.1" throttle="throttle"><full>
                                     <point speed="0" torque="200"/><point speed="1000" torque="200"/>
                                     </full></motor>)";
        ShippedDrive car = start_text(sedan_with(motor + gearbox), "step=\"0.001\"",
                                      Formulation::hybrid, [&](Scenario& scenario) {
                                        scenario.start = StartMode::equilibrium;
                                        scenario.speed = speed;
                                        scenario.surface = nullptr;
                                      });
        if (speed == 0.0)
          EXPECT_NEAR(channel(car, "chassis.z"), channel(shipped, "chassis.z"), 1e-6);
        EXPECT_NEAR(channel(car, "chassis.vx"), speed, 1e-9);
        const double ratio = *gearbox != '\0' ? 2.0 : 1.0;
        constexpr double kFrontAxle = 3.7;  // the file's
        EXPECT_NEAR(channel(car, "driveline.motor_speed"),
                    ratio * kFrontAxle * channel(car, "wheel_fl.omega"), 1e-3 * speed + 1e-9);
      }
}

// A driven coordinate begins where its input has it, however far from the design position.
TEST(FarStart, PutsADrivenCoordinateWhereItsInputHasIt) {
  for (const auto& [type, axis, places] :
       {std::tuple("revolute", "0 1 0", std::vector<double>{-7.5, 5.5, 40.0}),
        std::tuple("prismatic", "1 0 0", std::vector<double>{-10.0, 50.0, 1000.0})})
    for (const double place : places) {
      const ShippedDrive drive =
          start_text(std::string("<mechanism name='far' version='1'>"
                                 "<body name='bar' mass='2' com='0.5 0 0' inertia='0.1 0.2 0.2'/>"
                                 "<joint name='pin' type='") +
                         type + "' a='ground' b='bar' point='0 0 0' axis='" + axis +
                         "'/><motion name='drive' joint='pin' coordinate='0' input='= " +
                         std::to_string(place) + " + 0.5*time'/></mechanism>",
                     "step=\"0.001\"");
      EXPECT_NEAR(drive.state.z[0], place, 1e-9) << type;
      EXPECT_NEAR(drive.state.zd[0], 0.5, 1e-9) << type;
    }
}

}  // namespace
}  // namespace semirec::test
