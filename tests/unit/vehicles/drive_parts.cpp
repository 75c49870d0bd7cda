// Drivelines, brakes, hub torques, air and sensors inside the engine, from XML; the controller
// hook.

#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "integrator/step.hpp"
#include "tests/support/heap_guard.hpp"
#include "vehicles/files/xml/reader.hpp"
#include "vehicles/session/input_unit.hpp"
#include "vehicles/session/session.hpp"

namespace semirec::test {
namespace {

std::string write(const std::string& name, const std::string& text) {
  const auto path =
      std::filesystem::path(testing::TempDir()) /
      (std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) + name);
  std::ofstream(path) << text;
  return path.string();
}

/// A frame that slides along x, far above the road, with four wheels of 1 kg m^2.
const std::string kRig = R"(
  <body name="chassis" chassis="yes" mass="800" com="0 0 2" inertia="200 900 1000"/>
  <joint name="slide" type="prismatic" a="ground" b="chassis" point="0 0 2" axis="1 0 0"/>
  <template name="corner">
    <argument name="x"/>
    <argument name="w" default="0"/>
    <body name="rim" mass="20" com="{x} 0.7 2" inertia="0.6 1 0.6"/>
    <joint name="spin" type="revolute" a="chassis" b="rim" point="{x} 0.7 2" axis="0 1 0" velocity="{w}"/>
    <wheel name="wheel" body="chassis" rim="rim" centre="{x} 0.7 2" axis="0 1 0" radius="0.3"
           stiffness="2e5"/>
    <brake name="brake" wheel="wheel" torque="1500" input="pedal"/>
    <hub_torque name="hub" wheel="wheel" input="push"/>
  </template>
  <input name="pedal"/> <input name="push"/> <input name="throttle"/> <input name="gear" value="1"/>
  <use template="corner" name="fl"><with name="x" value="1.2"/><with name="w" value="{spin}"/></use>
  <use template="corner" name="fr" mirror="yes"><with name="x" value="1.2"/></use>
  <use template="corner" name="rl"><with name="x" value="-1.2"/></use>
  <use template="corner" name="rr" mirror="yes"><with name="x" value="-1.2"/></use>)";

const std::string kMotor = R"(
    <motor inertia="0.1" throttle="throttle"><full><point speed="0" torque="100"/></full></motor>)";
const std::string kRear =
    R"(<axle name="rear" wheels="wheel_rl wheel_rr" ratio="4" differential="open"/>)";
const std::string kFront = R"(<axle name="front" wheels="wheel_fl wheel_fr" ratio="4"/>)";
/// 100 N m, 0.1 kg m^2, geared by 8 to the rear wheels.
const std::string kDriveline = "<driveline name=\"driveline\">" + kMotor +
                               R"(<gearbox type="manual"><gear ratio="2"/></gearbox>)" + kRear +
                               "</driveline>";

Vehicle read(const std::string& content, double spin = 0.0) {
  return read_vehicle(
      write(".xml", "<vehicle name=\"rig\" version=\"1\">\n<parameter name=\"spin\" value=\"" +
                        std::to_string(spin) + "\"/>" + content + "</vehicle>"));
}

struct Bench {
  Bench(const Vehicle& vehicle, double h, const std::vector<std::pair<std::string, double>>& inputs,
        Formulation formulation = Formulation::hybrid)
      : drive(make_drive(vehicle, scenario(h, inputs), {.formulation = formulation})),
        ws(drive.model),
        state(start_drive(drive, ws)),
        recorder(drive.model, drive.recorder) {}

  static Scenario scenario(double h, const std::vector<std::pair<std::string, double>>& inputs) {
    Scenario s;
    s.step = h;
    s.until = 1.0;
    for (const auto& [name, value] : inputs) s.inputs.push_back({name, Curve::constant(value), {}});
    return s;
  }
  void advance(double until) {
    while (state.t < until - 0.5 * drive.settings.step.h) {
      const StepReport report = step(drive.model, drive.settings.step, state, ws);
      ASSERT_EQ(report.status, StepStatus::converged) << "t " << state.t;
      most_iterations = std::max(most_iterations, report.iterations);
    }
  }
  double value(const std::string& name) {
    std::vector<double> values;
    recorder.record(drive.model, state, ws, values);
    for (std::size_t k = 0; k < values.size(); ++k)
      if (recorder.channels()[k].name == name) return values[k];
    ADD_FAILURE() << "no channel " << name;
    return 0.0;
  }

  Drive drive;
  Workspace ws;
  State state;
  Recorder recorder;
  int most_iterations = 0;
};

TEST(DriveParts, ConstantTorqueAcceleratesAsTheSumOfInertiasInEveryFormulation) {
  const Vehicle vehicle = read(kRig + kDriveline);
  for (const Formulation formulation : all_formulations())
    for (const double h : {0.25e-3, 1e-3, 2e-3}) {
      if (formulation != Formulation::hybrid && h != 1e-3) continue;
      Bench bench(vehicle, h, {{"throttle", 1.0}}, formulation);
      bench.advance(1.0);
      // J w = T t at the wheels: J = 2 * 1 + 0.1 * 8^2 = 8.4 kg m^2, T = 800 N m
      const double w = 800.0 / 8.4;
      EXPECT_NEAR(bench.value("brake_rl.speed"), w, 1e-3 * w) << h;
      EXPECT_NEAR(bench.value("brake_rr.speed"), w, 1e-3 * w) << h;
      EXPECT_NEAR(bench.value("driveline.motor_speed"), 8.0 * w, 1e-3 * 8.0 * w) << h;
      EXPECT_NEAR(bench.value("brake_fl.speed"), 0.0, 1e-9) << h;
      EXPECT_EQ(bench.value("driveline.gear"), 1.0);
      if (formulation == Formulation::hybrid) {
        EXPECT_LE(bench.most_iterations, 5) << h;
      }
    }
}

TEST(DriveParts, AHubTorqueTurnsItsWheelForward) {
  Bench bench(read(kRig), 1e-3, {{"push", 30.0}});
  bench.advance(1.0);
  for (const char* name : {"fl", "fr", "rl", "rr"})
    EXPECT_NEAR(bench.value(std::string("brake_") + name + ".speed"), 30.0, 1e-9);  // T t / J
}

TEST(DriveParts, ABrakeStopsAWheelAndHoldsItWithoutCreep) {
  for (const double h : {0.25e-3, 1e-3, 2e-3}) {
    Bench bench(read(kRig, 20.0), h, {{"push", 300.0}, {"pedal", 1.0}});
    // (1500 - 300)/1 = 1200 rad/s^2 for 20 rad/s
    bench.advance(0.014);
    EXPECT_NEAR(bench.value("brake_fl.speed"), 20.0 - 1200.0 * 0.014, 1e-6) << h;
    EXPECT_NEAR(bench.value("brake_fl.torque"), -1500.0, 1e-9);
    bench.advance(0.3);
    EXPECT_NEAR(bench.value("brake_fl.speed"), 0.0, 1e-6) << h;
    EXPECT_NEAR(bench.value("brake_fl.torque"), -300.0, 1e-3) << h;
    const double held = bench.value("spin_fl.z");
    bench.advance(5.0);
    EXPECT_NEAR(bench.value("spin_fl.z"), held, 1e-8) << h;
  }
}

TEST(DriveParts, ABrakeAgainstATorqueBeyondItsCapacityLetsGo) {
  Bench bench(read(kRig), 1e-3, {{"push", 300.0}, {"pedal", 0.1}});
  bench.advance(1.0);
  // 300 - 150 N m on 1 kg m^2; the bristle's 0.01 rad cost less than 0.02 s
  EXPECT_NEAR(bench.value("brake_rl.speed"), 150.0, 3.0);
  EXPECT_NEAR(bench.value("brake_rl.torque"), -150.0, 1e-9);
}

TEST(DriveParts, AccountForTheirEnergy) {
  const std::string driveline = R"(<driveline name="driveline">
    <motor inertia="0.2" throttle="throttle" idle_speed="80" max_speed="500">
      <full><point speed="0" torque="150"/><point speed="300" torque="200"/><point speed="600" torque="120"/></full>
      <closed><point speed="0" torque="-10"/><point speed="600" torque="-40"/></closed>
    </motor>
    <coupling type="converter">
      <point speed_ratio="0" torque_ratio="2" capacity_factor="15"/>
      <point speed_ratio="0.85" torque_ratio="1" capacity_factor="20"/>
      <point speed_ratio="1" torque_ratio="1" capacity_factor="40"/>
    </coupling>
    <gearbox type="automatic" input="gear" reverse="3" efficiency="0.95" shift_time="0.05">
      <gear ratio="3" up="350"/><gear ratio="2" up="380" down="150"/><gear ratio="1.3" down="170"/>
    </gearbox>
    <axle name="front" wheels="wheel_fl wheel_fr" ratio="4"/>
    <axle name="rear" wheels="wheel_rl wheel_rr" ratio="4" differential="limited_slip" preload="30" bias="0.2"/>
    <centre share="0.4"/>
  </driveline>)";
  for (const double h : {0.25e-3, 1e-3}) {
    Bench bench(read(kRig + driveline), h, {{"throttle", 0.7}, {"pedal", 0.02}});
    bench.drive.settings.until = 3.0;
    const RunReport report = run(bench.drive.model, bench.drive.settings, bench.state, bench.ws);
    ASSERT_EQ(report.status, RunStatus::finished) << report.message;
    EXPECT_GT(bench.value("driveline.gear"), 1.0);
    const double work = report.end.input - report.start.input;
    EXPECT_GT(work, 1e4);
    EXPECT_LT(report.energy_error, (h < 5e-4 ? 1e-3 : 3e-3) * work) << h;
  }
}

TEST(DriveParts, ASessionRestoresInTheMiddleOfAShift) {
  const std::string driveline = "<driveline name=\"driveline\">" + kMotor + R"(
    <coupling type="clutch" capacity="250"/>
    <gearbox type="automatic" shift_time="0.1"><gear ratio="3" up="200"/><gear ratio="2" down="100"/></gearbox>)" +
                                kRear + "</driveline>";
  const Vehicle vehicle = read(kRig + driveline);
  const Scenario scenario = Bench::scenario(1e-3, {{"throttle", 1.0}});
  Session session(vehicle, scenario);
  const int gear = session.find_output("driveline.gear");
  std::vector<double> values(session.outputs().size());
  int steps = 0;
  do {
    ASSERT_EQ(session.step(), StepStatus::converged);
    session.read_outputs(values.data());
  } while (values[static_cast<std::size_t>(gear)] != 0.0 && ++steps < 5000);
  ASSERT_LT(steps, 5000) << "never shifted";
  for (int k = 0; k < 30; ++k) ASSERT_EQ(session.step(), StepStatus::converged);
  std::vector<std::byte> saved(session.saved_size());
  session.save(saved.data());
  const auto end_of = [&](Session& which) {
    for (int k = 0; k < 300; ++k) EXPECT_EQ(which.step(), StepStatus::converged);
    std::vector<std::byte> bytes(which.saved_size());
    which.save(bytes.data());
    which.read_outputs(values.data());
    EXPECT_EQ(values[static_cast<std::size_t>(gear)], 2.0);
    return bytes;
  };
  const std::vector<std::byte> gone_on = end_of(session);
  Session other(vehicle, scenario);
  ASSERT_EQ(other.restore(saved.data(), saved.size()), RestoreStatus::restored);
  EXPECT_EQ(end_of(other), gone_on);
}

TEST(DriveParts, StepsTakeNoHeap) {
  if (!HeapGuard::works()) GTEST_SKIP() << "the sanitizer brings its own malloc";
  Session session(read(kRig + kDriveline + R"(
      <aero name="air" body="chassis" point="0 0 2" area="2" drag="0.3" lift_rear="-0.2"/>
      <sensor name="imu" body="chassis" point="0 0 2.2"/>)"),
                  Bench::scenario(1e-3, {{"throttle", 0.5}, {"pedal", 0.01}}));
  std::vector<double> values(session.outputs().size());
  session.set_controller({[](void*, Session& car, const double* outputs) noexcept {
                            car.set_input(0, outputs[0] < 0.5 ? 0.1 : 0.0);
                          },
                          nullptr});
  const HeapGuard guard;
  for (int k = 0; k < 1000; ++k) session.step();
  session.read_outputs(values.data());
  EXPECT_EQ(guard.calls(), 0);
}

// air

const std::string kSled = R"(
  <body name="sled" mass="800" com="0 0 1" inertia="200 900 1000"/>
  <joint name="slide" type="prismatic" a="ground" b="sled" point="0 0 1" axis="1 0 0" velocity="{spin}"/>)";

TEST(DriveParts, AirBrakesACoastingBodyAsTheClosedForm) {
  Bench bench(
      read(
          kSled +
              R"(<aero name="air" body="sled" point="0.2 0 1" area="2.2" drag="0.32" density="1.2"/>)",
          50.0),
      0.01, {});
  bench.advance(10.0);
  // v = v_0 / (1 + k v_0 t), k = density area drag / (2 m)
  const double k = 0.5 * 1.2 * 2.2 * 0.32 / 800.0;
  EXPECT_NEAR(bench.state.zd[0], 50.0 / (1.0 + k * 50.0 * 10.0), 1e-5);
  EXPECT_LE(bench.most_iterations, 3);
}

TEST(DriveParts, AirPushesSidewaysAndLiftsAtItsPlaces) {
  Bench bench(read(kSled + R"(
      <input name="wx"/><input name="wy"/>
      <aero name="air" body="sled" point="0 0 1" area="2" drag="0.5" side="1.5" density="1.2" lift_front="-0.1"
            lift_rear="-0.3" front_point="1 0 1" rear_point="-1 0 1" wind_x="wx" wind_y="wy"/>)"),
              0.01, {{"wx", -30.0}, {"wy", 40.0}});
  // the air comes with (-30, 40), the body goes through it with (30, -40), 50 m/s
  const double q = 0.5 * 1.2 * 2.0 * 50.0;
  EXPECT_NEAR(bench.value("air.speed"), 50.0, 1e-12);
  EXPECT_NEAR(bench.value("air.drag"), q * 0.5 * 50.0, 1e-9);
  EXPECT_NEAR(bench.value("air.side"), q * 1.5 * 40.0, 1e-9);  // with the wind, to the left
  EXPECT_NEAR(bench.value("air.lift_front"), -0.1 * q * 50.0, 1e-9);
  EXPECT_NEAR(bench.value("air.lift_rear"), -0.3 * q * 50.0, 1e-9);
  bench.advance(0.01);
  // along the guide only drag counts: -q drag v_x
  EXPECT_NEAR(bench.state.zdd[0], -q * 0.5 * 30.0 / 800.0, 1e-3);
}

// sensors

TEST(DriveParts, ASensorFeelsGravityAndCentripetalAcceleration) {
  Bench bench(
      read(kRig + R"(<sensor name="imu" body="chassis" point="0.4 0 2.5" rotation="0 0.1 0"/>
                             <sensor name="rim" body="rim_fl" point="1.4 0.7 2"/>)",
           20.0),
      1e-3, {});
  EXPECT_NEAR(bench.value("imu.x"), 0.4, 1e-12);
  EXPECT_NEAR(bench.value("imu.z"), 2.5, 1e-12);
  // at rest a seismic mass feels +g upwards; pitched by 0.1 rad its x axis looks down
  EXPECT_NEAR(bench.value("imu.ax_body"), 0.0, 1e-9);
  EXPECT_NEAR(bench.value("imu.ax_felt"), -9.81 * std::sin(0.1), 1e-9);
  EXPECT_NEAR(bench.value("imu.az_felt"), 9.81 * std::cos(0.1), 1e-9);
  bench.advance(0.2);
  // 0.2 m from the axle, 20 rad/s: v = w r, a = w^2 r inwards along the rim's own x
  EXPECT_NEAR(bench.value("rim.wy"), 20.0, 1e-9);
  EXPECT_NEAR(bench.value("rim.vz_body"), -20.0 * 0.2, 1e-6);
  EXPECT_NEAR(bench.value("rim.ax_body"), -400.0 * 0.2, 1e-3);
  const double turned = 20.0 * 0.2;
  EXPECT_NEAR(bench.value("rim.ax_felt"), -80.0 - 9.81 * std::sin(turned), 1e-2);
}

// the controller

/// Load times a curve that falls beyond its peak.
class FallingLaw final : public TyreLaw {
 public:
  double unloaded_radius() const override { return 0.3; }
  double nominal_load() const override { return 3000.0; }
  TyreLoad load(double deflection, double rate, double /*omega*/) const override {
    return {2e5 * deflection + 2e3 * rate, 2e5, 2e3};
  }
  double effective_radius(double /*load*/, double /*omega*/) const override { return 0.295; }
  double relaxation_x(double /*load*/, double /*gamma*/) const override { return 0.2; }
  double relaxation_y(double /*load*/, double /*gamma*/) const override { return 0.4; }
  TyreForces forces(const TyreSlip& slip) const override {
    const double s = std::hypot(slip.kappa, slip.tan_alpha);
    const double angle = 1.7 * std::atan(12.0 * s);
    const double size = slip.load * std::sin(angle);
    const double slope = slip.load * std::cos(angle) * 1.7 * 12.0 / (1.0 + 144.0 * s * s);
    const double secant = s > 1e-9 ? size / s : slope;
    TyreForces F;
    F.Fx = secant * slip.kappa;
    F.Fy = -secant * slip.tan_alpha;
    F.Fx_kappa = slope;
    F.Fy_tan_alpha = -secant;
    return F;
  }
  void put_into(Fingerprint& fingerprint) const override { fingerprint("falling"); }
};

Vehicle make_car() {
  Vehicle car = read(R"(
  <body name="chassis" chassis="yes" mass="1200" com="0 0 0.5" inertia="400 1800 2000"/>
  <joint name="free" type="free" a="ground" b="chassis"/>
  <template name="corner">
    <argument name="x"/>
    <body name="rim" mass="20" com="{x} 0.75 0.285" inertia="0.6 1 0.6"/>
    <joint name="spin" type="revolute" a="chassis" b="rim" point="{x} 0.75 0.285" axis="0 1 0"/>
    <wheel name="wheel" body="chassis" rim="rim" centre="{x} 0.75 0.285" axis="0 1 0" radius="0.3"
           stiffness="2e5"/>
    <input name="pressure"/>
    <brake name="brake" wheel="wheel" torque="3000" input="pressure"/>
  </template>
  <use template="corner" name="fl"><with name="x" value="1.3"/></use>
  <use template="corner" name="fr" mirror="yes"><with name="x" value="1.3"/></use>
  <use template="corner" name="rl"><with name="x" value="-1.3"/></use>
  <use template="corner" name="rr" mirror="yes"><with name="x" value="-1.3"/></use>
  <sensor name="speed" body="chassis" point="0 0 0.5"/>)");
  for (Wheel& wheel : car.wheels) wheel.law = std::make_shared<FallingLaw>();
  return car;
}

/// Brakes each wheel as hard as its slip allows.
struct SlipController {
  std::array<int, 4> input{}, spin{};
  int speed = 0;
  double target = 0.1;
  std::array<double, 4> pressure{0.5, 0.5, 0.5, 0.5};
  double least = 1.0, most = 0.0;  ///< slip seen from 0.5 s on, above 5 m/s

  static void call(void* user, Session& session, const double* outputs) noexcept {
    auto& self = *static_cast<SlipController*>(user);
    const double v = outputs[self.speed];
    for (std::size_t j = 0; j < 4; ++j) {
      const double slip = 1.0 - 0.295 * outputs[self.spin[j]] / std::max(v, 0.5);
      if (session.time() > 0.5 && v > 5.0) {
        self.least = std::min(self.least, slip);
        self.most = std::max(self.most, slip);
      }
      // integrates towards the target, with some lead
      const double error = self.target - slip;
      self.pressure[j] = std::clamp(self.pressure[j] + 0.01 * error, 0.0, 1.0);
      session.set_input(self.input[j], std::clamp(self.pressure[j] + 1.0 * error, 0.0, 1.0));
    }
  }
};

TEST(Controller, KeepsTheSlipOfFourWheelsNearItsTarget) {
  const Vehicle car = make_car();
  Scenario scenario;
  scenario.name = "stop";
  scenario.until = 10.0;
  scenario.speed = 30.0;
  scenario.start = StartMode::equilibrium;
  const std::array<const char*, 4> corners{"fl", "fr", "rl", "rr"};
  const auto stop = [&](SlipController* controller) {
    Session session(car, scenario);
    const int vx = session.find_output("speed.vx_body");
    const int x = session.find_output("speed.x");
    if (controller != nullptr) {
      controller->speed = vx;
      for (std::size_t j = 0; j < 4; ++j) {
        controller->input[j] = session.find_input(std::string("pressure_") + corners[j]);
        controller->spin[j] = session.find_output(std::string("brake_") + corners[j] + ".speed");
      }
      session.set_controller({SlipController::call, controller});
    } else {
      for (const char* corner : corners)
        session.set_input(session.find_input(std::string("pressure_") + corner), 1.0);
    }
    std::vector<double> values(session.outputs().size());
    session.read_outputs(values.data());
    const double begin = values[static_cast<std::size_t>(x)];
    do {
      EXPECT_EQ(session.step(), StepStatus::converged);
      session.read_outputs(values.data());
    } while (values[static_cast<std::size_t>(vx)] > 1.0 && session.time() < 20.0);
    const double w = values[static_cast<std::size_t>(session.find_output("brake_fl.speed"))];
    return std::pair(values[static_cast<std::size_t>(x)] - begin, w);
  };
  SlipController controller;
  const auto [controlled, rolling] = stop(&controller);
  const auto [locked, blocked] = stop(nullptr);
  EXPECT_GT(controller.least, 0.05);
  EXPECT_LT(controller.most, 0.2);
  EXPECT_GT(rolling, 1.0);
  EXPECT_NEAR(blocked, 0.0, 1e-3);
  // v^2/(2 mu g) with the law's own friction: 0.999 at the target, sin(1.7 atan 12) at slip 1; the
  // controller's rise takes up to 0.1 s at 30 m/s on top
  EXPECT_NEAR(controlled, 900.0 / (2.0 * 9.81 * 0.999), 3.0);
  EXPECT_NEAR(locked, 900.0 / (2.0 * 9.81 * std::sin(1.7 * std::atan(12.0))), 3.0);
  EXPECT_LT(controlled, locked - 10.0);
}

TEST(Controller, IsCalledOnceAStepAndCanBeTakenAway) {
  Session session(read(kRig), Bench::scenario(1e-3, {}));
  std::vector<double> times;
  times.reserve(100);
  session.set_controller({[](void* user, Session& car, const double* outputs) noexcept {
                            static_cast<std::vector<double>*>(user)->push_back(outputs[0]);
                            car.set_input(car.find_input("push"), 10.0);
                          },
                          &times});
  for (int k = 0; k < 5; ++k) session.step();
  session.rehearse();
  session.set_controller({});
  session.step();
  EXPECT_THAT(times, testing::ElementsAre(0.0, 0.001, 0.002, 0.003, 0.004));
  EXPECT_TRUE(session.state().live[static_cast<std::size_t>(session.find_input("push"))].given);
}

// reading

TEST(DriveParts, AreReadWithTheirDefaults) {
  const Vehicle vehicle = read(kRig + kDriveline);
  ASSERT_EQ(vehicle.drivelines.size(), 1U);
  const Driveline& d = vehicle.drivelines[0];
  EXPECT_EQ(d.coupling.type, CouplingType::rigid);
  EXPECT_EQ(d.axles[0].wheels, (std::vector<int>{2, 3}));
  EXPECT_EQ(d.axles[0].body, vehicle.chassis);
  EXPECT_EQ(d.axles[0].shaft_stiffness, 8000.0);
  ASSERT_EQ(vehicle.brakes.size(), 4U);
  EXPECT_EQ(vehicle.brakes[3].name, "brake_rr");
  EXPECT_EQ(vehicle.brakes[3].wheel, 3);
  EXPECT_EQ(vehicle.wheels[3].rim, vehicle.wheels[2].rim + 1);
}

TEST(DriveParts, TellTheUnitsOfTheirInputs) {
  Session session(read(kRig + kDriveline), Bench::scenario(1e-3, {}));
  EXPECT_EQ(find_input_unit(session, session.find_input("pedal")), "1");
  EXPECT_EQ(find_input_unit(session, session.find_input("throttle")), "1");
  EXPECT_EQ(find_input_unit(session, session.find_input("push")), "N m");
}

TEST(DriveParts, OfOtherNumbersHaveAnotherFingerprint) {
  Session session(read(kRig + kDriveline), Bench::scenario(1e-3, {}));
  std::vector<std::byte> saved(session.saved_size());
  session.save(saved.data());
  Vehicle changed = read(kRig + kDriveline);
  changed.drivelines[0].axles[0].shaft_damping = 61.0;
  Session other(changed, Bench::scenario(1e-3, {}));
  EXPECT_EQ(other.restore(saved.data(), saved.size()), RestoreStatus::other_model);
}

TEST(DriveParts, SayInOneLineWhatIsWrong) {
  const auto driveline = [](const std::string& inside) {
    return "<driveline name=\"d\">" + inside + "</driveline>";
  };
  const auto gearbox = [&](const std::string& text) { return driveline(kMotor + text + kRear); };
  const std::vector<std::pair<std::string, std::string>> table{
      {driveline(kRear), "has no <motor>"},
      {driveline(kMotor), "has no <axle>"},
      {driveline(kMotor + kRear + kFront + kRear), "is a third <axle>"},
      {driveline(kMotor + kRear + kRear), "drives a wheel twice"},
      {driveline(kMotor + kMotor + kRear), "second <motor>"},
      {driveline(kMotor + kRear + "<centre/>"), "shares the torque of one axle"},
      {driveline(kMotor + R"(<axle name="a" wheels="wheel_rl wheel_r" ratio="4"/>)"),
       "refers to 'wheel_r', which is no wheel, expected a wheel, nearest known name is 'wheel_"},
      {driveline(kMotor + R"(<axle name="a" wheels="wheel_rl wheel_rr wheel_fl" ratio="4"/>)"),
       "more than two wheels"},
      {driveline(kMotor + R"(<axle name="a" wheels=" " ratio="4"/>)"), "is empty"},
      {driveline(kMotor + R"(<axle name="a" wheels="wheel_rl wheel_rr" ratio="0"/>)"),
       "above zero"},
      {driveline(kMotor + R"(<axle name="a" wheels="wheel_rl wheel_rr" ratio="4" bias="0.3"/>)"),
       "limited_slip"},
      {driveline(kMotor + R"(<axle name="a" wheels="wheel_rl wheel_rr" ratio="4" body="rim_rl"/>)"),
       "as its body"},
      {driveline(
           kMotor +
           R"(<axle name="a" wheels="wheel_rl wheel_rr" ratio="4" differential="limited_slip"/>)"),
       "without 'preload' and 'bias'"},
      {driveline(kMotor + R"(<axle name="a" wheels="wheel_rl" ratio="4" differential="locked"/>)"),
       "stands on an axle of one wheel"},
      {driveline(kMotor + kRear + kFront + R"(<centre differential="locked" share="0.4"/>)"),
       "beside a locked centre"},
      {gearbox(R"(<gearbox type="automatic" reverse="3"><gear ratio="2"/></gearbox>)"),
       "nobody puts into reverse"},
      {driveline(R"(<motor inertia="0" throttle="throttle"/>)" + kRear), "above zero"},
      {driveline(R"(<motor inertia="1" throttle="throttle"/>)" + kRear), "has no <full>"},
      {driveline(R"(<motor inertia="1" throttle="throttle"><full/></motor>)" + kRear), "no point"},
      {driveline(
           R"(<motor inertia="1" throttle="throttle" power="3"><full><point speed="0" torque="1"/></full></motor>)" +
           kRear),
       "expected it in an electric one"},
      {driveline(
           R"(<motor inertia="1" throttle="throttle"><full><point speed="3" torque="1"/><point speed="3" torque="2"/></full></motor>)" +
           kRear),
       "does not ascend"},
      {gearbox(R"(<coupling type="rope"/>)"), "is 'rope', expected rigid, clutch or converter"},
      {gearbox(R"(<coupling type="clutch"/>)"), "attribute 'capacity' of <coupling> is missing"},
      {gearbox(R"(<coupling type="converter"/>)"), "has 0 points"},
      {gearbox(
           R"(<coupling type="rigid"><point speed_ratio="0" torque_ratio="1" capacity_factor="2"/></coupling>)"),
       "no converter"},
      {gearbox(R"(<gearbox type="manual"/>)"), "has no <gear>"},
      {gearbox(R"(<gearbox type="manual"><gear ratio="2"/><gear ratio="1"/></gearbox>)"),
       "attribute 'input' of <gearbox> is missing"},
      {gearbox(R"(<gearbox type="manual" efficiency="2"><gear ratio="2"/></gearbox>)"), "above 1"},
      {gearbox(
           R"(<gearbox type="automatic"><gear ratio="3" up="300"/><gear ratio="1" down="200"/></gearbox>)"),
       "shifts down again"},
      {gearbox(R"(<gearbox type="automatic"><gear ratio="1"/><gear ratio="2"/></gearbox>)"),
       "not below that of the gear before"},
      {R"(<brake name="b" wheel="rim_fl" torque="1" input="pedal"/>)", "which is no wheel"},
      {R"(<brake name="b" wheel="wheel_fl" torque="-1" input="pedal"/>)", "above zero"},
      {R"(<brake name="b" wheel="wheel_fl" torque="1" input="brak"/>)", "refers to 'brak'"},
      {R"(<body name="r" mass="1" com="0 0 3" inertia="1 1 1"/><joint name="j" type="fixed" a="chassis" b="r" point="0 0 3"/>
          <wheel name="still" body="r" centre="0 0 3" axis="0 1 0" radius="0.3" stiffness="1e5"/>
          <hub_torque name="h" wheel="still" input="push"/>)",
       "does not spin"},
      {R"(<wheel name="w" body="chassis" rim="chassis" centre="0 0 3" axis="0 1 0" radius="0.3" stiffness="1e5"/>)",
       "expected the body that spins"},
      {R"(<aero name="a" body="ground" point="0 0 0" area="1"/>)", "is the ground"},
      {R"(<aero name="a" body="chassis" point="0 0 0" area="1" drag="nan"/>)", "drag"},
      {R"(<sensor name="s" body="chassi" point="0 0 0"/>)", "nearest known name is 'chassis'"}};
  for (const auto& [text, words] : table) {
    try {
      const Vehicle vehicle = read(kRig + text);
      make_drive(vehicle, Bench::scenario(1e-3, {}));
      ADD_FAILURE() << "accepted: " << text;
    } catch (const ModelError& error) {
      const std::string what = error.what();
      EXPECT_THAT(what, testing::HasSubstr(words)) << text;
      EXPECT_THAT(what, testing::HasSubstr("element '")) << text;
      EXPECT_EQ(what.find('\n'), std::string::npos) << what;
    }
  }
}

}  // namespace
}  // namespace semirec::test
