// Steady states that are solved: what they must balance, what the bicycle model says, and where a
// long simulation ends.

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "integrator/simulation.hpp"
#include "tests/support/drives.hpp"
#include "vehicles/analysis/steady_state.hpp"
#include "vehicles/files/xml/reader.hpp"

namespace semirec::test {
namespace {

Vehicle shipped(const std::string& model, const std::vector<std::string>& overrides = {}) {
  std::vector<Override> all;
  for (const std::string& text : overrides) all.push_back(parse_override(text));
  return read_vehicle(std::string(SEMIREC_SOURCE_DIR) + "/vehicles/models/" + model, all);
}

Vehicle bicycle() {
  return read_vehicle(std::string(SEMIREC_SOURCE_DIR) + "/tests/data/bicycle.xml", {});
}

TEST(SteadyStates, LeaveNoForceOver) {
  struct Case {
    std::string model;
    std::vector<std::string> overrides;
    bool turns;
  };
  const std::vector<Case> cases{{"sedan.xml", {}, true},
                                {"sedan.xml", {"form.value=bushing"}, true},
                                {"iltis.xml", {}, true},
                                {"iltis_spinning.xml", {}, true},
                                {"car26.xml", {}, false}};
  for (const Case& each : cases) {
    SteadyCar car(shipped(each.model, each.overrides), {});
    // 1e-6 N: the bound that is promised; fill() evaluates it anew at the state that is returned
    EXPECT_LT(car.rest().residual, 1e-6) << each.model;
    EXPECT_LT(car.turn(15.0, 0.0).residual, 1e-6) << each.model;
    if (!each.turns) continue;
    const SteadyTurn turn = car.turn(15.0, 3.0);
    EXPECT_LT(turn.residual, 1e-6) << each.model;
    EXPECT_LT(turn.closure, 1e-10) << each.model;
    EXPECT_DOUBLE_EQ(turn.yaw_rate, 3.0 / 15.0) << each.model;
    EXPECT_GT(turn.steering_wheel, 0.0) << each.model;  // to the left
    // the whole is carried round by its wheels and by what holds its speed
    double mass = 0.0;
    for (const Body& body : car.drive().model.mechanism.bodies) mass += body.mass;
    double lateral = turn.drive_force * 0.0;
    for (const SteadyWheel& wheel : turn.wheels) lateral += wheel.lateral;
    // the centre of mass of the whole is some cm from the chassis', air pushes: 3 %
    EXPECT_NEAR(lateral, mass * 3.0 * std::cos(turn.sideslip), 0.03 * mass * 3.0) << each.model;
  }
}

// The same turn, asked for alone and behind others: the list found a bicycle on its rear wheel,
// where there is a balance, too.
TEST(SteadyStates, OfAListAreThoseThatAreAskedAlone) {
  for (const auto& [k, cs] : {std::pair{"1e5", "1e6"}, std::pair{"1e5", "2e4"}}) {
    const Vehicle soft =
        read_vehicle(std::string(SEMIREC_SOURCE_DIR) + "/tests/data/whipple_bicycle.xml",
                     {{"k", "value", k, {}}, {"cs", "value", cs, {}}});
    SteadyOptions options;
    options.speed = 8.0;
    options.lateral_accelerations = {0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0};
    const Answer list = analyse_steady_state(soft, {}, options);
    const Table& table = list.tables.front();
    const auto column = [&](const std::string& name) {
      for (std::size_t c = 0; c < table.columns.size(); ++c)
        if (table.columns[c].name == name) return c;
      ADD_FAILURE() << name;
      return std::size_t{0};
    };
    ASSERT_EQ(table.rows.size(), 10U);
    for (const std::vector<double>& row : table.rows) {
      SteadyCar car(soft, {});
      const SteadyTurn alone = car.turn(8.0, row[0]);
      EXPECT_NEAR(row[column("roll")], alone.roll, 1e-6) << row[0];
      EXPECT_NEAR(row[column("wf.Fz")], alone.wheels[1].load, 1e-3) << row[0];
      EXPECT_GT(alone.wheels[1].load, 250.0) << row[0];
    }
    // a torque has no ratio to the angle of the fork
    EXPECT_EQ(find_quantity(list, "steering_ratio"), -1);
    EXPECT_EQ(find_quantity(list, "understeer_gradient"), -1);
    EXPECT_EQ(table.columns[column("steering_wheel")].unit, "N m");
  }
}

// Newton's method also finds turns in which the car goes backwards, at a sideslip of 2.7 rad (one
// request in 70, of curvatures of 0.32 to 0.46 1/m). The sideslip of a car that rolls on a circle
// is about the distance of its centre of mass from the rear axle, a metre, times the curvature.
TEST(SteadyStates, GrowOutOfStraightDrivingAtAWalk) {
  for (const char* model : {"iltis.xml", "iltis_spinning.xml"})
    for (const double speed : {0.05, 1.0}) {
      SteadyCar car(shipped(model), {});
      for (int k = 0; k <= 28; ++k) {
        const double curvature = 0.32 + 0.005 * k;
        const SteadyTurn turn = car.turn(speed, curvature * speed * speed);
        EXPECT_GT(turn.steering_wheel, 7.0) << model << " " << speed << " " << curvature;
        EXPECT_NEAR(turn.sideslip, 1.05 * curvature, 0.05) << model << " " << speed;
      }
    }
}

double quantity(const Answer& answer, const std::string& name) {
  for (const Quantity& quantity : answer.quantities)
    if (quantity.name == name) return quantity.value;
  return std::nan("");
}

// Against differences of turns that are solved by themselves.
TEST(SteadyStates, HaveGradientsAtAWalkAndNearTheLimit) {
  const Vehicle sedan = shipped("sedan.xml");
  SteadyOptions options;
  const auto answer = [&](double speed, std::vector<double> asked) {
    options.speed = speed;
    options.lateral_accelerations = std::move(asked);
    return analyse_steady_state(sedan, {}, options);
  };
  const auto slope = [&](double speed, double from, double to) {
    SteadyCar car(sedan, {});
    return (car.turn(speed, to).roll - car.turn(speed, from).roll) / (to - from);
  };
  EXPECT_NEAR(quantity(answer(0.8, {0.0, 0.01}), "roll_gradient"), slope(0.8, -1e-3, 1e-3), 1e-5);
  EXPECT_NEAR(quantity(answer(0.5, {0.01, 0.02}), "roll_gradient"), slope(0.5, 0.0095, 0.0105),
              1e-5);
  const Answer near_limit = answer(20.0, {9.4, 9.51});
  ASSERT_EQ(near_limit.tables.size(), 1U);
  EXPECT_EQ(near_limit.tables.front().rows.size(), 2U);
  EXPECT_NEAR(quantity(near_limit, "roll_gradient"), slope(20.0, 9.39, 9.41), 1e-4);
}

TEST(SteadyStates, TurnToTheRightIsTheMirrorImage) {
  SteadyCar car(shipped("sedan.xml"), {});
  const SteadyTurn left = car.turn(20.0, 4.0);
  const SteadyTurn right = car.turn(20.0, -4.0);
  // 1e-8: both are solved to 1e-7 N
  EXPECT_NEAR(right.steering_wheel, -left.steering_wheel, 1e-8);
  EXPECT_NEAR(right.sideslip, -left.sideslip, 1e-8);
  EXPECT_NEAR(right.roll, -left.roll, 1e-8);
  EXPECT_NEAR(right.wheels[1].load, left.wheels[0].load, 1e-3);
}

// m = 1500, I_z = 2500, a = 1.2, b = 1.5, C_f = 80000, C_r = 90000, V = 20. Closed form for a
// steer angle of 0.02: yaw rate 0.10246679316888, lateral velocity -0.149905123339658, understeer
// gradient m/l (b/C_f - a/C_r) = 0.00300925925925926.
TEST(SteadyStates, MeetTheBicycleModelInItsLimit) {
  SteadyCar car(bicycle(), {});
  // a thousandth of that turn: the closed form is linear
  constexpr double kPart = 1e-3;
  const double yaw_rate = kPart * 0.10246679316888;
  const SteadyTurn turn = car.turn(20.0, 20.0 * yaw_rate);
  // 1e-5: wheels of 10 g, a track of 0.2 m
  EXPECT_NEAR(turn.steering_wheel / (kPart * 0.02), 1.0, 1e-5);
  EXPECT_NEAR(20.0 * std::sin(turn.sideslip) / (kPart * -0.149905123339658), 1.0, 1e-5);
  SteadyOptions options;
  options.speed = 20.0;
  options.lateral_accelerations = {0.0, 0.5};
  const Answer answer = analyse_steady_state(bicycle(), {}, options);
  const auto value = [&](const std::string& name) {
    const int k = find_quantity(answer, name);
    EXPECT_GE(k, 0) << name;
    return answer.quantities.at(static_cast<std::size_t>(k)).value;
  };
  EXPECT_NEAR(value("understeer_gradient") / 0.00300925925925926, 1.0, 1e-4);
  EXPECT_NEAR(value("steering_ratio"), 1.0, 1e-6);
  // l/V^2
  EXPECT_NEAR(value("ackermann_gradient"), 2.7 / 400.0, 1e-12);
}

// A turn that is driven until nothing changes any more, its steering and speed then solved for.
TEST(SteadyStates, AreWhereALongSimulationEnds) {
  Scenario scenario;
  scenario.start = StartMode::equilibrium;
  scenario.speed = 22.222;
  scenario.speed_mode = SpeedMode::control;
  scenario.step = 2e-3;
  scenario.until = 40.0;
  scenario.inputs.push_back({"steering", Curve::table({{0.5, 0.0}, {2.5, 0.7}}, false), {}});
  const Vehicle sedan = shipped("sedan.xml");
  const Drive drive = make_drive(sedan, scenario);
  Workspace ws(drive.model);
  State state = start_drive(drive, ws);
  RunSettings settings = drive.settings;
  settings.audit = false;
  ASSERT_EQ(run(drive.model, settings, state, ws).status, RunStatus::finished);
  const Recorder recorder(drive.model, drive.recorder);
  std::vector<double> values;
  recorder.record(drive.model, state, ws, values);
  const auto simulated = [&](const std::string& name) {
    for (std::size_t k = 0; k < values.size(); ++k)
      if (recorder.channels()[k].name == name) return values[k];
    ADD_FAILURE() << name;
    return 0.0;
  };
  const double vx = simulated("chassis.vx");
  const double vy = simulated("chassis.vy");
  const double speed = std::hypot(vx, vy);
  // a turn about the vertical: rates of body axes laid back on it
  const double yaw_rate = std::hypot(simulated("chassis.wx"),
                                     std::hypot(simulated("chassis.wy"), simulated("chassis.wz")));
  SteadyCar car(sedan, {});
  const SteadyTurn turn = car.turn(speed, speed * yaw_rate);
  constexpr double kClose = 1e-4;  // asked for; relative
  EXPECT_NEAR(turn.steering_wheel, 0.7, kClose * 0.7);
  const double sideslip = std::remainder(std::atan2(vy, vx) - simulated("chassis.yaw"), 2.0 * M_PI);
  EXPECT_NEAR(turn.sideslip, sideslip, kClose * std::abs(sideslip));
  EXPECT_NEAR(turn.roll, simulated("chassis.roll"), kClose * std::abs(turn.roll));
  EXPECT_NEAR(turn.drive_force, simulated("speed_control.force"), kClose * turn.drive_force);
  for (const SteadyWheel& wheel : turn.wheels)
    EXPECT_NEAR(wheel.load, simulated(wheel.name + ".Fz"), kClose * wheel.load);
}

TEST(SteadyStates, HoldASpeedByTheThrottle) {
  SteadyCar car(shipped("sedan.xml"), {}, SpeedHold::throttle);
  const SteadyTurn turn = car.turn(25.0, 0.0);
  EXPECT_LT(turn.residual, 1e-6);
  EXPECT_GT(turn.throttle, 0.0);
  EXPECT_LT(turn.throttle, 1.0);
  EXPECT_EQ(turn.drive_force, 0.0);
  // what the wheels push is what air takes, balance along the road by hand; lift leans with the
  // body
  const std::vector<double> values = car.channels(turn);
  double ahead = 0.0;
  double drag = 0.0;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const std::string& name = car.recorder().channels()[k].name;
    if (name.starts_with("wheel_") && name.ends_with(".Fx")) ahead += values[k];
    if (name == "aero.drag") drag += values[k];
    if (name.starts_with("aero.lift")) drag -= values[k] * std::sin(turn.pitch);
  }
  EXPECT_NEAR(ahead, drag, 1e-6 * drag);
  EXPECT_THROW(car.turn(90.0, 0.0), AnalysisError);  // a hundred and fifty horses are not enough
}

double value_in(SteadyCar& car, const SteadyTurn& turn, const std::string& name) {
  const std::vector<double> values = car.channels(turn);
  for (std::size_t k = 0; k < values.size(); ++k)
    if (car.recorder().channels()[k].name == name) return values[k];
  ADD_FAILURE() << name;
  return 0.0;
}

// Where the capacity factor is one number, the motor's speed hangs on itself and the throttle
// alone: it was left at its start, 85 rad/s, and the half shafts twisted on.
TEST(SteadyStates, FindAMotorThatNothingButItselfSlowsDown) {
  constexpr double kFactor = 16.0;
  Vehicle sedan = shipped("sedan.xml");
  sedan.drivelines.front().coupling.capacity_factor = Curve::constant(kFactor);
  Scenario scenario;
  scenario.inputs.push_back({"gear", Curve::constant(1.0), {}});
  scenario.inputs.push_back({"throttle", Curve::constant(0.5), {}});
  SteadyCar car(sedan, scenario);
  for (const double speed : {1.0, 2.0}) {
    const SteadyTurn turn = car.turn(speed, 0.0);
    const double w = value_in(car, turn, "driveline.motor_speed");
    // closed form: the converter takes (w/K)^2 below its coupling point
    EXPECT_NEAR(value_in(car, turn, "driveline.motor_torque"), w * w / (kFactor * kFactor), 1e-5)
        << speed;
    // no half shaft twists on: its wheels turn as the gearbox' output has them
    const double wheels =
        0.5 * (value_in(car, turn, "wheel_fl.omega") + value_in(car, turn, "wheel_fr.omega"));
    EXPECT_NEAR(value_in(car, turn, "driveline.output_speed"),
                wheels * sedan.drivelines.front().axles.front().ratio, 1e-5)
        << speed;
  }
  // in neutral it turns as fast as its limiter lets it: no torque is left
  Scenario neutral;
  neutral.inputs.push_back({"throttle", Curve::constant(0.3), {}});
  SteadyCar idle(shipped("sedan.xml"), neutral);
  EXPECT_NEAR(value_in(idle, idle.turn(20.0, 0.0), "driveline.motor_torque"), 0.0, 1e-6);
  // and at rest, without throttle, as at the start of a run: it idles without torque
  SteadyCar rests(shipped("sedan.xml"), {});
  const SteadyTurn rest = rests.rest();
  EXPECT_EQ(value_in(rests, rest, "driveline.motor_speed"),
            shipped("sedan.xml").drivelines.front().motor.idle_speed);
  EXPECT_NEAR(value_in(rests, rest, "driveline.motor_torque"), 0.0, 1e-9);
}

// From a closed throttle Newton's way led beyond the full one, where nothing changes: 0.75 and more
// were refused, with newtons missing that were too many.
TEST(SteadyStates, HoldASpeedByTheSameThrottleWhereverItBegins) {
  for (const double speed : {30.0, 50.0, 55.0, 58.9}) {
    double first = -1.0;
    for (const double begin : {0.0, 0.5, 1.0}) {
      Scenario scenario;
      scenario.inputs.push_back({"throttle", Curve::constant(begin), {}});
      SteadyCar car(shipped("sedan.xml"), scenario, SpeedHold::throttle);
      const SteadyTurn turn = car.turn(speed, 0.0);
      EXPECT_LT(turn.residual, 1e-6) << speed;
      EXPECT_EQ(turn.drive_force, 0.0) << speed;
      if (first < 0.0) first = turn.throttle;
      EXPECT_NEAR(turn.throttle, first, 1e-9) << speed << " from " << begin;
    }
  }
  const auto complaint = [](SteadyCar& car, double speed, double lateral_acceleration) {
    try {
      static_cast<void>(car.turn(speed, lateral_acceleration));
    } catch (const AnalysisError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  SteadyCar car(shipped("sedan.xml"), {}, SpeedHold::throttle);
  EXPECT_NE(complaint(car, 62.0, 0.0).find("N are missing"), std::string::npos);
  EXPECT_NE(complaint(car, 58.5, 6.0).find("beyond it full throttle leaves"), std::string::npos);
  Scenario storm;
  storm.inputs.push_back({"wind_x", Curve::constant(90.0), {}});
  SteadyCar driven(shipped("sedan.xml"), storm, SpeedHold::throttle);
  EXPECT_NE(complaint(driven, 20.0, 0.0).find("N are too many"), std::string::npos);
}

// A motor that takes power as well as it gives it, up to a limit above which the throttle changes
// nothing.
TEST(SteadyStates, HoldASpeedByAnElectricMotorAtItsPowerAndAgainstATailWind) {
  Vehicle electric = shipped("sedan.xml");
  Driveline& line = electric.drivelines.front();
  line.motor.type = MotorType::electric;
  line.motor.full = Curve::constant(300.0);
  line.motor.power = 60e3;
  line.motor.idle_speed = line.motor.max_speed = 0.0;
  line.coupling = {};
  line.coupling.type = CouplingType::rigid;
  line.gearbox.automatic = false;
  line.gearbox.selector = kNoInput;
  line.gearbox.gears.resize(1);
  const auto throttle_at = [&](double speed, double wind) {
    Scenario scenario;
    scenario.inputs.push_back({"wind_x", Curve::constant(wind), {}});
    SteadyCar car(electric, scenario, SpeedHold::throttle);
    const SteadyTurn turn = car.turn(speed, 0.0);
    EXPECT_LT(turn.residual, 1e-6) << speed;
    // what the motor gives or takes is all that the car needs: no force is left to hold it
    EXPECT_EQ(turn.drive_force, 0.0) << speed;
    return turn.throttle;
  };
  EXPECT_LT(throttle_at(20.0, 60.0), 0.0);
  EXPECT_GT(throttle_at(20.0, 60.0), -1.0);
  // just below the top speed, by halving it between the last that is held and the first that is not
  double held = 20.0;
  double too_fast = 120.0;
  while (too_fast - held > 1e-3) {
    const double middle = 0.5 * (held + too_fast);
    SteadyCar full(electric, [] {
      Scenario scenario;
      scenario.inputs.push_back({"throttle", Curve::constant(1.0), {}});
      return scenario;
    }());
    (full.turn(middle, 0.0).drive_force > 0.0 ? too_fast : held) = middle;
  }
  const double throttle = throttle_at(held, 0.0);
  EXPECT_GT(throttle, 0.0);
  EXPECT_LE(throttle, 1.0);
}

// A post that moves when the car is put on it: the tyre's damping was in the search, and not in
// what was answered. Expected: the weight, by the masses of the file.
TEST(SteadyStates, StandOnAPostThatBeginsToMove) {
  Scenario shaken;
  Excitation post;
  post.wheel = "wheel_rl";
  post.curve.add_sine({0.005, 75.4, 0.0, 0.0, 0.0, 1e9});
  shaken.excitations.push_back(post);
  SteadyCar car(shipped("sedan.xml"), shaken);
  const SteadyTurn rest = car.rest();
  EXPECT_LT(rest.residual, 1e-6);
  double weight = 0.0;
  for (const Body& body : car.drive().model.mechanism.bodies) weight += 9.81 * body.mass;
  double loads = 0.0;
  for (const SteadyWheel& wheel : rest.wheels) loads += wheel.load;
  EXPECT_NEAR(loads, weight, 1e-6 * weight);
}

// At a walk the closed throttle is too much already, and at full throttle there is no steady
// motion.
TEST(SteadyStates, SayThatAClosedThrottleIsTooMuchAtAWalk) {
  SteadyCar car(shipped("sedan.xml"), {}, SpeedHold::throttle);
  try {
    static_cast<void>(car.turn(1.0, 0.0));
    ADD_FAILURE();
  } catch (const AnalysisError& error) {
    EXPECT_NE(std::string(error.what()).find("N are too many"), std::string::npos) << error.what();
  }
}

// The car was turned back to a heading of nothing and the wind was not: 2 N were left over.
TEST(SteadyStates, GoStraightOnInASideWind) {
  Scenario gale;
  gale.inputs.push_back({"wind_y", Curve::constant(25.0), {}});
  SteadyCar car(shipped("sedan.xml", {"aero.lift_front=-1"}), gale);
  const SteadyTurn turn = car.turn(60.0, 0.0);
  EXPECT_LT(turn.residual, 1e-6);
  EXPECT_NEAR(value_in(car, turn, "chassis.yaw"), 0.0, 1e-12);
}

TEST(SteadyStates, SayWhatCannotBe) {
  const auto complaint = [](const auto& ask) -> std::string {
    try {
      ask();
    } catch (const std::exception& error) {
      return error.what();
    }
    return {};
  };
  SteadyCar sedan(shipped("sedan.xml"), {});
  const std::string far = complaint([&] { sedan.turn(22.0, 25.0); });
  EXPECT_NE(far.find("out of reach"), std::string::npos) << far;
  EXPECT_NE(far.find("the largest that was solved is"), std::string::npos) << far;
  SteadyCar floating(shipped("sedan.xml", {"tyre.value=none"}), {});
  const std::string across = complaint([&] { floating.turn(20.0, 2.0); });
  EXPECT_NE(across.find("no wheel of the vehicle has a tyre with a lateral force"),
            std::string::npos)
      << across;
  EXPECT_EQ(far.find("no wheel"), std::string::npos) << far;
  SteadyCar plain(shipped("car26.xml"), {});
  EXPECT_NE(complaint([&] { plain.turn(20.0, 1.0); }).find("no steering"), std::string::npos);
  EXPECT_NE(complaint([&] { sedan.turn(std::nan(""), 0.0); }).find("speed above 0"),
            std::string::npos);
  // a slope of one in ten, nobody on the brake
  Scenario slope;
  slope.road.left = slope.road.right = Curve::linear(0.1);
  SteadyCar rolls(shipped("sedan.xml"), slope);
  const std::string text = complaint([&] { rolls.rest(); });
  EXPECT_NE(text.find("along x on body 'chassis'"), std::string::npos) << text;
}

}  // namespace
}  // namespace semirec::test
