// Cars side by side against the same cars one after the other: step() shares the equations with the
// batch, but neither its order of operations, its storage of the tangent nor its factor.

#include "integrator/batch/batch.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <set>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "integrator/compile.hpp"
#include "integrator/statics/initial_conditions.hpp"
#include "integrator/step.hpp"
#include "tests/support/drives.hpp"
#include "tests/support/fleet.hpp"
#include "tests/support/heap_guard.hpp"
#include "tests/support/random_mechanism.hpp"
#include "tests/support/state_numbers.hpp"
#include "topology/indices.hpp"
#include "vehicles/files/xml/reader.hpp"
#include "vehicles/tyre/magic_tyre.hpp"

namespace semirec::test {
namespace {

using testing::HasSubstr;

/// Largest |a - b| over the largest |a|, of positions, rates and accelerations the worst.
struct Distance {
  double z = 0.0, zd = 0.0, zdd = 0.0, x = 0.0;
  double z_size = 0.0, zd_size = 0.0, zdd_size = 0.0, x_size = 0.0;

  void add(const State& a, const State& b) {
    const auto take = [](const Eigen::VectorXd& left, const Eigen::VectorXd& right, double& size,
                         double& distance) {
      ASSERT_EQ(left.size(), right.size());
      if (left.size() == 0) return;
      size = std::max(size, left.cwiseAbs().maxCoeff());
      distance = std::max(distance, (left - right).cwiseAbs().maxCoeff());
    };
    // places of the free joint count from an origin of their own
    Eigen::VectorXd left = a.z;
    Eigen::VectorXd right = b.z;
    left.conservativeResize(left.size() + 3);
    right.conservativeResize(right.size() + 3);
    left.tail<3>() = a.origin;
    right.tail<3>() = b.origin;
    take(left, right, z_size, z);
    take(a.zd, b.zd, zd_size, zd);
    take(a.zdd, b.zdd, zdd_size, zdd);
    take(a.x, b.x, x_size, x);
  }
  /// `of_accelerations`: what round-off alone makes of them.
  void expect_below(double bound, double of_accelerations) const {
    EXPECT_LE(z, bound * std::max(z_size, 1e-6));
    EXPECT_LE(zd, bound * std::max(zd_size, 1e-6));
    EXPECT_LE(zdd, of_accelerations * std::max(zdd_size, 1e-6));
    EXPECT_LE(x, bound * std::max(x_size, 1e-6));
  }
};

Distance run_beside(Fleet& fleet, Batch& batch, int steps) {
  Distance distance;
  State from_batch = fleet.cars.front().state;
  for (int k = 0; k < steps; ++k) {
    batch.step(fleet.settings);
    for (std::size_t c = 0; c < fleet.cars.size(); ++c) {
      ShippedDrive& car = fleet.cars[c];
      const StepReport alone = step(car.drive.model, fleet.settings, car.state, car.ws);
      const StepReport& beside = batch.report(static_cast<int>(c));
      EXPECT_EQ(alone.status, StepStatus::converged);
      EXPECT_EQ(beside.status, alone.status);
      EXPECT_EQ(beside.iterations, alone.iterations);
      EXPECT_EQ(beside.settled, alone.settled);
      EXPECT_NEAR(beside.Phi, alone.Phi, 1e-12 + 1e-6 * alone.Phi);
      EXPECT_NEAR(beside.correction, alone.correction, 1e-12 + 1e-6 * alone.correction);
      batch.take(static_cast<int>(c), from_batch);
      EXPECT_NEAR(from_batch.t, car.state.t, 1e-12);
      distance.add(car.state, from_batch);
    }
    if (testing::Test::HasFailure()) break;
  }
  return distance;
}

class BatchOfShippedCars : public testing::TestWithParam<int> {};

TEST_P(BatchOfShippedCars, EqualsSingleCarsOnAShaker) {
  Fleet fleet("car26.xml", "shaker.xml", 5, numbers_of_car26);
  Batch batch = fleet.make_batch(GetParam());
  run_beside(fleet, batch, 2000).expect_below(1e-11, 1e-11);
}

TEST_P(BatchOfShippedCars, EqualsSingleCarsWithTyresDrivelineAndSteering) {
  Fleet fleet("sedan.xml", "step_steer.xml", 5, numbers_of_sedan);
  Batch batch = fleet.make_batch(GetParam());
  // accelerations of the single car with its tangent stored along the tree differ by 1.3e-11 from
  // those with lanes, with a dense one by 1.7e-11
  run_beside(fleet, batch, 1500).expect_below(1e-11, 1e-10);
}

// One of them goes into neutral and back into drive: from the first gear up to the third, each
// shift with its time without torque.
TEST_P(BatchOfShippedCars, EqualsSingleCarsThatShiftGears) {
  Fleet fleet("sedan.xml", "step_steer.xml", 5, numbers_of_sedan);
  Batch batch = fleet.make_batch(GetParam());
  const auto select_gear = [&](double gear) {
    fleet.give(1, "gear", gear);
    batch.put(1, fleet.cars[1].state);
  };
  const auto gear_now = [&] { return channel(fleet.cars[1], "driveline.gear"); };
  run_beside(fleet, batch, 20).expect_below(1e-11, 1e-10);
  EXPECT_EQ(gear_now(), 3.0);
  select_gear(0.0);
  run_beside(fleet, batch, 50).expect_below(1e-11, 1e-10);
  EXPECT_EQ(gear_now(), 0.0);
  select_gear(1.0);
  run_beside(fleet, batch, 100).expect_below(1e-11, 1e-10);
  EXPECT_EQ(gear_now(), 0.0);
  run_beside(fleet, batch, 1000).expect_below(1e-11, 1e-10);
  EXPECT_EQ(gear_now(), 3.0);
}

// Cars whose equations hold other numbers, one of which has a number twice that the others have
// once (2000 stands elsewhere in the file, too): each goes by its own.
TEST_P(BatchOfShippedCars, EqualsSingleCarsWithEquationsOfTheirOwn) {
  int car = 0;
  Fleet fleet("sedan_skyhook.xml", "step_steer.xml", 5, [&](Random& /*random*/) {
    const double value = std::array{500.0, 1500.0, 2000.0, 6000.0, 3000.0}[at(car++)];
    std::vector<std::string> numbers;
    for (const char* damper : {"sky_fl", "sky_fr", "sky_rl", "sky_rr"})
      numbers.push_back(set(std::string(damper) + ".value", value));
    return numbers;
  });
  Batch batch = fleet.make_batch(GetParam());
  run_beside(fleet, batch, 500).expect_below(1e-11, 1e-10);
  // they do not go alike
  const double first = channel(fleet.cars.front(), "chassis.vz");
  EXPECT_GT(std::abs(channel(fleet.cars[3], "chassis.vz") - first), 1e-4);
}

TEST_P(BatchOfShippedCars, EqualsSingleCarsWithPowerSteeringsOfTheirOwn) {
  Fleet fleet("sedan_eps.xml", "step_steer.xml", 5, [](Random& random) {
    return std::vector<std::string>{set("pinion.value", random.number(0.006, 0.012))};
  });
  Batch batch = fleet.make_batch(GetParam());
  // teeth of 1e7 N/m against a rack of 2.5 kg: round-off of 1e-15 m is 4e-9 m/s^2, of 13 m/s^2
  run_beside(fleet, batch, 500).expect_below(1e-11, 1e-9);
}

TEST_P(BatchOfShippedCars, EqualsSingleCarsOnStairs) {
  Fleet fleet("iltis.xml", "ramp_and_stairs.xml", 3, [](Random& random) {
    return std::vector<std::string>{set("chassis.mass", random.number(1100.0, 1400.0))};
  });
  Batch batch = fleet.make_batch(GetParam());
  run_beside(fleet, batch, 1500).expect_below(1e-11, 1e-11);
}

// Dropped by some centimetres on tyres with dampers, which set in as they touch down.
TEST_P(BatchOfShippedCars, EqualsSingleCarsThatTouchDown) {
  Fleet fleet("iltis.xml", "shaker.xml", 3, [](Random& random) {
    return std::vector<std::string>{set("wheel_*.damping", random.number(1000.0, 4000.0)),
                                    "chassis_joint.position=0 0 0.62 0 0 0"};
  });
  Batch batch = fleet.make_batch(GetParam());
  EXPECT_EQ(channel(fleet.cars.front(), "wheel_fl.Fz"), 0.0);
  run_beside(fleet, batch, 400).expect_below(1e-11, 1e-11);
}

// Brakes of some cars lock the wheels, others coast, one steers on a slippery tyre.
TEST_P(BatchOfShippedCars, EqualsSingleCarsWithLockedWheels) {
  Fleet fleet("sedan.xml", "step_steer.xml", 6, numbers_of_tyres, change_speed);
  for (std::size_t car = 0; car < 4; ++car)
    fleet.give(car, "brake", 0.3 * static_cast<double>(car));
  fleet.give(1, "throttle", 0.4);
  Batch batch = fleet.make_batch(GetParam());
  run_beside(fleet, batch, 1000).expect_below(1e-10, 1e-9);
  EXPECT_LT(std::abs(channel(fleet.cars[3], "wheel_fl.omega")), 0.5);
  EXPECT_GT(channel(fleet.cars[5], "wheel_fl.omega"), 20.0);
}

// The wheels leave the ground behind a bump, which each car meets by itself.
TEST_P(BatchOfShippedCars, EqualsSingleCarsThatLiftOff) {
  Fleet fleet(
      "sedan.xml", "bump_10.xml", 5, numbers_of_tyres,
      [](Random& random, Scenario& scenario) { scenario.speed = random.number(9.0, 14.0); });
  Batch batch = fleet.make_batch(GetParam());
  bool lifted = false;
  for (int part = 0; part < 8; ++part) {
    run_beside(fleet, batch, 100).expect_below(1e-10, 1e-9);
    for (ShippedDrive& car : fleet.cars) lifted = lifted || channel(car, "wheel_fl.Fz") == 0.0;
  }
  EXPECT_TRUE(lifted);
}

// Laws of one wheel by other versions of the formula have nothing in common: they are asked car by
// car.
TEST_P(BatchOfShippedCars, EqualsSingleCarsOnOtherTyres) {
  int car = 0;
  Fleet fleet("sedan.xml", "step_steer.xml", 5, [&](Random& random) {
    std::vector<std::string> numbers = numbers_of_sedan(random);
    if (car++ % 2 == 1) numbers.emplace_back("touring.file=tyres/touring_pac2002.tir");
    return numbers;
  });
  Batch batch = fleet.make_batch(GetParam());
  run_beside(fleet, batch, 800).expect_below(1e-11, 1e-10);
}
TEST_P(BatchOfShippedCars, EqualsSingleCarsOnTyresOfTheOlderFormula) {
  Fleet fleet("sedan.xml", "step_steer.xml", 5, [](Random& random) {
    std::vector<std::string> numbers = numbers_of_tyres(random);
    numbers.emplace_back("touring.file=tyres/touring_pac2002.tir");
    return numbers;
  });
  Batch batch = fleet.make_batch(GetParam());
  run_beside(fleet, batch, 800).expect_below(1e-11, 1e-10);
}

/// The cornering stiffness of a wheel's tyre is `share` of what it was.
void soften(Wheel& wheel, double share) {
  MagicParameters parameters = dynamic_cast<const MagicTyre&>(*wheel.law).parameters();
  parameters.c.PKY1 *= share;
  wheel.law = std::make_shared<MagicTyre>(parameters);
}
ShippedDrive start(const DriveDescription& read) {
  Drive drive = make_drive(read, {.formulation = Formulation::hybrid});
  Workspace ws(drive.model);
  State state = start_drive(drive, ws);
  return {std::move(drive), std::move(ws), std::move(state)};
}

/// The sedan, its left front tyre `share` as stiff in a turn as the others.
ShippedDrive start_on_uneven_tyres(double share, const std::vector<std::string>& numbers) {
  const std::string folder = std::string(SEMIREC_SOURCE_DIR) + "/vehicles/";
  std::vector<Override> parsed;
  for (const std::string& text : numbers) parsed.push_back(parse_override(text));
  DriveDescription read =
      read_drive(folder + "models/sedan.xml", folder + "scenarios/step_steer.xml", parsed);
  soften(read.vehicle.wheels.front(), share);
  return start(read);
}

/// A kart that is heavier on one side: both rear tyres, and four twins beside them, on one axle
/// that spins. `shares`: of each tyre's stiffness, front, rear, twins.
ShippedDrive start_kart(const std::array<double, 8>& shares) {
  std::string text =
      R"(<vehicle name="kart" version="1"><tyre name="own" file="tyres/touring_225.tir"/>
      <body name="chassis" chassis="yes" mass="800" com="0 0.07 0.4" inertia="100 400 400"/>
      <joint name="chassis_joint" type="free" a="ground" b="chassis"/>
      <body name="fl" mass="20" com="1 0.6 0.3" inertia="0.6 1 0.6"/>
      <joint name="spin_fl" type="revolute" a="chassis" b="fl" point="1 0.6 0.3" axis="0 1 0"/>
      <body name="fr" mass="20" com="1 -0.6 0.3" inertia="0.6 1 0.6"/>
      <joint name="spin_fr" type="revolute" a="chassis" b="fr" point="1 -0.6 0.3" axis="0 1 0"/>
      <body name="axle" mass="40" com="-1 0 0.3" inertia="10 2 10"/>
      <joint name="spin" type="revolute" a="chassis" b="axle" point="-1 0 0.3" axis="0 1 0"/>)";
  const auto add = [&](const char* name, const char* rim, const char* place) {
    text += std::string("<wheel name=\"") + name + "\" body=\"chassis\" rim=\"" + rim +
            "\" centre=\"" + place + " 0.3\" axis=\"0 1 0\" tyre=\"own\"/>";
  };
  add("w_fl", "fl", "1 0.6");
  add("w_rl", "axle", "-1 0.6");
  add("w_rr", "axle", "-1 -0.6");
  add("w_fr", "fr", "1 -0.6");
  add("twin_rl", "axle", "-1 0.35");
  add("twin_rr", "axle", "-1 -0.35");
  add("third_rl", "axle", "-1 0.1");
  add("third_rr", "axle", "-1 -0.1");
  DriveDescription read;
  read.vehicle = read_vehicle_text(text + "</vehicle>",
                                   std::string(SEMIREC_SOURCE_DIR) + "/vehicles/models/kart.xml");
  read.scenario = read_scenario_text(
      "<scenario name=\"roll\" version=\"1\"><run step=\"0.001\" until=\"4\"/>"
      "<start from=\"equilibrium\" speed=\"15\"/></scenario>",
      "roll.xml");
  for (std::size_t k = 0; k < shares.size(); ++k) soften(read.vehicle.wheels[k], shares[k]);
  return start(read);
}

// Two wheels of the same tyres are worked out together, the two others alone.
TEST_P(BatchOfShippedCars, EqualsSingleCarsOnUnevenTyres) {
  Fleet fleet("sedan.xml", "step_steer.xml", 5, numbers_of_tyres);
  Random random(11);
  for (ShippedDrive& car : fleet.cars)
    car = start_on_uneven_tyres(random.number(0.5, 0.9), numbers_of_tyres(random));
  Batch batch = fleet.make_batch(GetParam());
  run_beside(fleet, batch, 800).expect_below(1e-11, 1e-10);
}
// What several wheels press on one rim is added in one order, whoever is paired with whom.
TEST_P(BatchOfShippedCars, DoesNotDependOnANeighbourWhoseWheelsTurnAsOne) {
  const ShippedDrive own = start_kart({1, 1, 1, 1, 1, 1, 1, 1});
  const auto drive_beside = [&](const ShippedDrive& other) {
    Batch batch({&own.drive.model, &other.drive.model}, GetParam());
    batch.put(0, own.state);
    batch.put(1, other.state);
    StepSettings settings = own.drive.settings.step;
    settings.h = 1e-3;
    settings.iterations = 2;
    for (int n = 0; n < 800; ++n) batch.step(settings);
    State end = own.state;
    batch.take(0, end);
    return end;
  };
  const State among_equals = drive_beside(own);
  for (const std::array<double, 8>& shares : {std::array<double, 8>{1, 0.9, 1, 1, 1, 0.9, 1, 1},
                                              {0.9, 1, 0.8, 1, 0.9, 0.8, 1, 0.9},
                                              {1, 1, 0.9, 0.9, 1, 0.9, 0.8, 0.8},
                                              {0.9, 0.8, 0.7, 0.6, 1, 0.95, 0.85, 0.75}})
    EXPECT_TRUE(same_bits(drive_beside(start_kart(shares)), among_equals));
}

/// Expects of sedans that a car among them changes no bit of theirs.
void expect_no_bit_of(const ShippedDrive& stranger, int lanes) {
  Fleet fleet("sedan.xml", "step_steer.xml", 4, numbers_of_tyres);
  Batch among_equals = fleet.make_batch(lanes);
  std::vector<const Model*> models = fleet.models();
  models[2] = &stranger.drive.model;
  Batch beside(models, lanes);
  for (int c = 0; c < 4; ++c)
    beside.put(c, c == 2 ? stranger.state : fleet.cars[static_cast<std::size_t>(c)].state);
  for (int n = 0; n < 800; ++n) {
    among_equals.step(fleet.settings);
    beside.step(fleet.settings);
  }
  State a = fleet.cars.front().state;
  State b = a;
  for (const int c : {0, 1, 3}) {
    among_equals.take(c, a);
    beside.take(c, b);
    EXPECT_TRUE(same_bits(a, b)) << "car " << c;
  }
}
// Which wheels of a car are worked out together, and by which formula, is its own affair.
TEST_P(BatchOfShippedCars, DoesNotDependOnANeighbourOnUnevenTyres) {
  Random random(11);
  expect_no_bit_of(start_on_uneven_tyres(0.6, numbers_of_tyres(random)), GetParam());
}
TEST_P(BatchOfShippedCars, DoesNotDependOnANeighbourOnOtherTyres) {
  Random random(11);
  std::vector<std::string> numbers = numbers_of_tyres(random);
  numbers.emplace_back("touring.file=tyres/touring_pac2002.tir");
  expect_no_bit_of(start_shipped("sedan.xml", "step_steer.xml", numbers), GetParam());
}
TEST_P(BatchOfShippedCars, DoesNotDependOnANeighbourOnAnotherRoad) {
  Random random(11);
  const ShippedDrive stranger =
      start_shipped("sedan.xml", "step_steer.xml", numbers_of_tyres(random), [](Scenario& own) {
        own.surface = read_scenario_text(
                          "<scenario name=\"rough\" version=\"1\"><road>"
                          "<iso8608 class=\"B\" seed=\"3\"/></road>"
                          "<run until=\"1\" step=\"0.001\"/></scenario>",
                          "rough.xml")
                          .surface;
      });
  expect_no_bit_of(stranger, GetParam());
}
TEST_P(BatchOfShippedCars, DoesNotDependOnANeighbourWithOtherCurves) {
  Random random(11);
  const ShippedDrive stranger =
      start_shipped("sedan.xml", "step_steer.xml", numbers_of_tyres(random), [](Scenario& own) {
        // more pieces than the step of the others has
        for (Input& input : own.inputs)
          input.curve =
              Curve::smooth_table({{0.0, 0.0}, {0.1, 0.01}, {0.2, 0.02}, {0.3, 0.01}, {0.4, 0.0}});
      });
  expect_no_bit_of(stranger, GetParam());
}

TEST_P(BatchOfShippedCars, EqualsSingleCarsOnBushings) {
  Fleet fleet("sedan.xml", "step_steer.xml", 3, [](Random& random) {
    std::vector<std::string> numbers = numbers_of_sedan(random);
    numbers.emplace_back("form.value=bushing");
    numbers.push_back(set("dynamic.value", random.number(1.2, 1.6)));
    return numbers;
  });
  Batch batch = fleet.make_batch(GetParam());
  // 1.2e7 N/m against 5 kg: round-off of 1e-14 m is 1e-7 m/s^2
  run_beside(fleet, batch, 800).expect_below(1e-10, 1e-8);
}

TEST_P(BatchOfShippedCars, EqualsSingleMechanismsWithEveryJoint) {
  // three mechanisms of one topology at random: every kind of joint and force element, driven loops
  std::vector<Mechanism> mechanisms;
  for (int k = 0; k < 3; ++k) {
    mechanisms.push_back(make_loop_mechanism(3));
    Random random(static_cast<std::uint64_t>(20 + k));
    for (Body& body : mechanisms.back().bodies) body.mass *= random.number(0.9, 1.1);
  }
  StepSettings settings;
  settings.h = 1e-3;
  settings.iterations = 3;
  std::vector<std::unique_ptr<Model>> models;
  std::vector<const Model*> all;
  std::vector<State> states;
  for (const Mechanism& mechanism : mechanisms) {
    models.push_back(std::make_unique<Model>(compile(mechanism)));
    all.push_back(models.back().get());
    Workspace ws(*models.back());
    states.push_back(make_initial_state(*models.back()));
    initialize(*models.back(), settings, states.back(), ws);
  }
  Batch batch(all, GetParam());
  for (std::size_t k = 0; k < states.size(); ++k) batch.put(static_cast<int>(k), states[k]);
  Distance distance;
  State beside = states.front();
  for (std::size_t k = 0; k < states.size(); ++k) {
    Workspace ws(*models[k]);
    Batch one(all, GetParam());
    for (std::size_t c = 0; c < states.size(); ++c) one.put(static_cast<int>(c), states[c]);
    State alone = states[k];
    for (int n = 0; n < 500; ++n) {
      ASSERT_EQ(step(*models[k], settings, alone, ws).status, StepStatus::converged);
      one.step(settings);
      one.take(static_cast<int>(k), beside);
      distance.add(alone, beside);
    }
  }
  distance.expect_below(1e-10, 1e-10);
}

TEST_P(BatchOfShippedCars, DoesNotDependOnNeighboursToTheBit) {
  Fleet fleet("sedan.xml", "step_steer.xml", 6, numbers_of_tyres, change_speed);
  fleet.give(3, "brake", 1.0);
  fleet.give(4, "throttle", 0.6);
  Batch batch = fleet.make_batch(GetParam());
  // the same cars in the reverse order, and a car that breaks among them
  std::vector<const Model*> reversed = fleet.models();
  std::reverse(reversed.begin(), reversed.end());
  reversed.insert(reversed.begin() + 2, reversed.front());
  Batch other(reversed, GetParam());
  for (int k = 0; k < 7; ++k) {
    const int car = k < 2 ? 5 - k : (k == 2 ? 5 : 6 - k);
    State state = fleet.cars[static_cast<std::size_t>(car)].state;
    if (k == 2) state.zd[0] = std::nan("");
    other.put(k, state);
  }
  for (int n = 0; n < 400; ++n) {
    batch.step(fleet.settings);
    other.step(fleet.settings);
  }
  EXPECT_EQ(other.report(2).status, StepStatus::non_finite);
  State a = fleet.cars.front().state;
  State b = a;
  for (int k = 0; k < 7; ++k) {
    if (k == 2) continue;
    const int car = k < 2 ? 5 - k : 6 - k;
    batch.take(car, a);
    other.take(k, b);
    EXPECT_TRUE(same_bits(a, b)) << "car " << car;
  }
}

// Iterations until convergence: step() alone decides how many each car takes.
TEST_P(BatchOfShippedCars, ConvergesAsSingleCars) {
  Fleet fleet("sedan.xml", "step_steer.xml", 6, numbers_of_tyres, change_speed);
  fleet.settings.iterations = 0;
  fleet.settings.h = 2e-3;
  for (std::size_t car = 0; car < 4; ++car)
    fleet.give(car, "brake", 0.3 * static_cast<double>(car));
  Batch batch = fleet.make_batch(GetParam());
  // an iteration ends at 1e-8 m or rad
  run_beside(fleet, batch, 500).expect_below(1e-10, 1e-9);
}
TEST_P(BatchOfShippedCars, ConvergesAsSingleCarsOnStairs) {
  Fleet fleet("iltis.xml", "ramp_and_stairs.xml", 3, [](Random& random) {
    return std::vector<std::string>{set("chassis.mass", random.number(1100.0, 1400.0))};
  });
  fleet.settings.iterations = 0;
  Batch batch = fleet.make_batch(GetParam());
  run_beside(fleet, batch, 1500).expect_below(1e-11, 1e-11);
}

// A car that is done waits for others that iterate on: what comes out of it are the bits of a pack
// in which it is alone.
TEST_P(BatchOfShippedCars, WaitsWithoutAnotherBit) {
  Fleet fleet(
      "sedan.xml", "bump_10.xml", 8, numbers_of_tyres,
      [](Random& random, Scenario& scenario) { scenario.speed = random.number(3.0, 25.0); });
  fleet.settings.iterations = 0;
  fleet.settings.h = 2e-3;
  fleet.give(2, "brake", 0.5);
  fleet.give(5, "throttle", 0.7);
  Batch batch = fleet.make_batch(GetParam());
  std::vector<Batch> alone;
  for (const ShippedDrive& car : fleet.cars) {
    alone.emplace_back(std::vector<const Model*>{&car.drive.model}, GetParam());
    alone.back().put(0, car.state);
  }
  int waits = 0;
  State a = fleet.cars.front().state;
  State b = a;
  for (int n = 0; n < 300; ++n) {
    batch.step(fleet.settings);
    int least = 100;
    int most = 0;
    for (int k = 0; k < 8; ++k) {
      Batch& own = alone[static_cast<std::size_t>(k)];
      own.step(fleet.settings);
      ASSERT_EQ(batch.report(k).status, StepStatus::converged) << name_of(batch.report(k).status);
      ASSERT_EQ(batch.report(k).iterations, own.report(0).iterations);
      least = std::min(least, batch.report(k).iterations);
      most = std::max(most, batch.report(k).iterations);
      batch.take(k, a);
      own.take(0, b);
      ASSERT_TRUE(same_bits(a, b)) << "car " << k << " at step " << n;
    }
    if (least < most) ++waits;
  }
  EXPECT_GT(waits, 20);
}

TEST_P(BatchOfShippedCars, SaysWhichCarHasNotConverged) {
  Fleet fleet("sedan.xml", "step_steer.xml", 3, numbers_of_sedan);
  fleet.settings.iterations = 0;
  Batch batch = fleet.make_batch(GetParam());
  for (int n = 0; n < 10; ++n) batch.step(fleet.settings);
  State torn = fleet.cars.front().state;
  batch.take(1, torn);
  torn.z[8] += 0.05;  // a loop is open: one iteration does not close it
  batch.put(1, torn);
  fleet.settings.max_iterations = 2;
  batch.step(fleet.settings);
  const StepReport alone = step(fleet.cars[1].drive.model, fleet.settings, torn, fleet.cars[1].ws);
  EXPECT_EQ(alone.status, StepStatus::iteration_limit);
  EXPECT_EQ(batch.report(1).status, StepStatus::iteration_limit);
  EXPECT_EQ(batch.report(1).worst_row, alone.worst_row);
  EXPECT_NEAR(batch.report(1).Phi, alone.Phi, 1e-9 * alone.Phi);
  EXPECT_EQ(batch.report(0).status, StepStatus::converged);
  EXPECT_EQ(batch.report(2).status, StepStatus::converged);
}

// One is left out for a step of its own and comes back.
TEST_P(BatchOfShippedCars, LeavesOutACarUntilItComesBack) {
  Fleet fleet("car26.xml", "shaker.xml", 3, numbers_of_car26);
  Batch batch = fleet.make_batch(GetParam());
  Batch whole = fleet.make_batch(GetParam());
  batch.step(fleet.settings);
  whole.step(fleet.settings);
  batch.leave_out(1);
  batch.step(fleet.settings);
  State state = fleet.cars.front().state;
  State other = state;
  batch.take(1, state);
  whole.take(1, other);
  EXPECT_TRUE(same_bits(state, other));
  whole.step(fleet.settings);
  whole.take(1, other);
  batch.put(1, other);
  batch.step(fleet.settings);
  whole.step(fleet.settings);
  for (int k = 0; k < 3; ++k) {
    batch.take(k, state);
    whole.take(k, other);
    EXPECT_TRUE(same_bits(state, other)) << "car " << k;
  }
}

TEST_P(BatchOfShippedCars, LeavesACarThatFailsAtTheBeginOfItsStep) {
  Fleet fleet("car26.xml", "shaker.xml", 3, numbers_of_car26);
  Batch batch = fleet.make_batch(GetParam());
  for (int n = 0; n < 100; ++n) batch.step(fleet.settings);
  State good = fleet.cars.front().state;
  batch.take(1, good);
  State broken = good;
  broken.zdd[6] = std::numeric_limits<double>::infinity();
  batch.put(1, broken);
  for (int n = 0; n < 3; ++n) batch.step(fleet.settings);
  EXPECT_EQ(batch.report(1).status, StepStatus::non_finite);
  EXPECT_EQ(batch.report(0).status, StepStatus::converged);
  State after = good;
  batch.take(1, after);
  EXPECT_EQ(after.t, good.t);
  EXPECT_EQ(after.zd, good.zd);
  // and goes on from a state that is whole
  batch.put(1, good);
  batch.step(fleet.settings);
  EXPECT_EQ(batch.report(1).status, StepStatus::converged);
  batch.take(1, after);
  EXPECT_GT(after.t, good.t);
}

TEST_P(BatchOfShippedCars, TakesManyStepsAtOnceAsOneByOne) {
  Fleet fleet("sedan.xml", "step_steer.xml", 9, numbers_of_sedan);
  Batch one_by_one = fleet.make_batch(GetParam());
  Batch at_once = fleet.make_batch(GetParam());
  for (int n = 0; n < 40; ++n) one_by_one.step(fleet.settings);
  at_once.step(fleet.settings, 40);
  State a = fleet.cars.front().state;
  State b = a;
  for (int k = 0; k < 9; ++k) {
    one_by_one.take(k, a);
    at_once.take(k, b);
    EXPECT_TRUE(same_bits(a, b)) << "car " << k;
  }
}

TEST_P(BatchOfShippedCars, StepsWithoutHeap) {
  if (!HeapGuard::works()) GTEST_SKIP() << "the sanitizer brings its own malloc";
  Fleet fleet("sedan.xml", "step_steer.xml", 5, numbers_of_sedan);
  Batch batch = fleet.make_batch(GetParam());
  batch.step(fleet.settings);
  const HeapGuard guard;
  for (int n = 0; n < 50; ++n) batch.step(fleet.settings);
  EXPECT_EQ(guard.calls(), 0);
}

INSTANTIATE_TEST_SUITE_P(Lanes, BatchOfShippedCars, testing::ValuesIn(find_lanes()));

// The moving origin follows the heaviest body that floats: of two of like mass one or the other.
TEST_P(BatchOfShippedCars, EqualsSingleCarsWhoseOriginsFollowOtherBodies) {
  int car = 0;
  Fleet fleet("rear_multilink.xml", "square_bump.xml", 6,
              [&](Random&) { return std::vector{set("subframe.mass", 21.0 + car++)}; });
  std::set<TreeIndex> followed;
  for (const ShippedDrive& own : fleet.cars) followed.insert(own.drive.model.tree.reference_body);
  ASSERT_EQ(followed.size(), 2U);
  Batch batch = fleet.make_batch(GetParam());
  run_beside(fleet, batch, 200).expect_below(1e-10, 1e-8);
}

// Five cars in a register of four and a second one: all at once is what each by itself is.
TEST(Batch, PutsAndTakesAllCarsAtOnceAsOneByOne) {
  const ShippedDrive car = start_shipped("sedan.xml", "step_steer.xml");
  StepSettings settings = car.drive.settings.step;
  settings.iterations = 2;
  for (const int lanes : {4, cars_side_by_side()}) {
    const std::vector<const Model*> models(5, &car.drive.model);
    Batch one_by_one(models, lanes);
    Batch at_once(models, lanes);
    std::vector<State> a(5, car.state);
    for (std::size_t k = 0; k < a.size(); ++k) a[k].zd *= 1.0 + 1e-3 * static_cast<double>(k);
    std::vector<State> b = a;
    std::vector<State*> all;
    for (State& state : b) all.push_back(&state);
    for (int round = 0; round < 3; ++round) {
      // car 1 stays as it is in the second round
      if (round == 1) all[1] = nullptr;
      for (int k = 0; k < 5; ++k)
        if (all[at(k)] != nullptr) one_by_one.put(k, a[at(k)]);
      at_once.put(all);
      one_by_one.step(settings, 2);
      at_once.step(settings, 2);
      for (int k = 0; k < 5; ++k)
        if (all[at(k)] != nullptr) one_by_one.take(k, a[at(k)]);
      at_once.take(all);
      for (std::size_t k = 0; k < a.size(); ++k) {
        EXPECT_EQ(a[k].z, b[k].z) << "car " << k;
        EXPECT_EQ(a[k].zdd, b[k].zdd) << "car " << k;
        EXPECT_EQ(a[k].multipliers, b[k].multipliers) << "car " << k;
        EXPECT_EQ(a[k].x, b[k].x) << "car " << k;
        EXPECT_EQ(a[k].t, b[k].t) << "car " << k;
      }
      all[1] = &b[1];
    }
    all.pop_back();
    EXPECT_THROW(at_once.put(all), std::out_of_range);
    EXPECT_THROW(at_once.take(all), std::out_of_range);
  }
}

TEST(Batch, HasNoOtherCarsThanItsOwn) {
  const ShippedDrive car = start_shipped("car26.xml", "shaker.xml");
  Batch batch({&car.drive.model});
  State state = car.state;
  for (const int other : {-1, 1, 13}) {
    EXPECT_THROW(batch.put(other, car.state), std::out_of_range);
    EXPECT_THROW(batch.take(other, state), std::out_of_range);
    EXPECT_THROW(static_cast<void>(batch.report(other)), std::out_of_range);
  }
}

TEST(Batch, RefusesWhatDoesNotFit) {
  const ShippedDrive car = start_shipped("car26.xml", "shaker.xml");
  const ShippedDrive sedan = start_shipped("sedan.xml", "step_steer.xml");
  const ShippedDrive global = start_shipped("car26.xml", "shaker.xml", {}, {}, Formulation::global);
  const auto fault_of = [](const std::vector<const Model*>& cars, int lanes = 4) -> std::string {
    try {
      const Batch batch(cars, lanes);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return {};
  };
  EXPECT_EQ(fault_of({}), "a batch has no cars, expected at least one");
  EXPECT_EQ(fault_of({&car.drive.model, &sedan.drive.model}),
            "car 1 of the batch: it has other bodies, or carries them otherwise than the first car "
            "of the batch");
  EXPECT_EQ(fault_of({&global.drive.model}),
            "car 0 of the batch: it is in the global formulation, expected hybrid");
  EXPECT_THAT(fault_of({&car.drive.model}, 5), HasSubstr("5, expected 4, 8"));
  EXPECT_EQ(fault_of({&car.drive.model}, 4), "");
  EXPECT_EQ(fault_of({&car.drive.model}, 8).empty(), lanes_fault(8).empty());
  StepSettings settings;
  settings.error_tolerance = 1e-6;
  EXPECT_THAT(batch_fault(settings), HasSubstr("an error tolerance"));
  settings.error_tolerance = 0.0;
  EXPECT_EQ(batch_fault(settings), "");
  settings.iterations = 2;
  EXPECT_EQ(batch_fault(settings), "");
  settings.factorizations = 1;
  EXPECT_THAT(batch_fault(settings), HasSubstr("serves several"));
  Batch batch({&car.drive.model});
  batch.put(0, car.state);
  batch.step(settings);
  EXPECT_EQ(batch.report(0).status, StepStatus::closing_unfit);
  State after = car.state;
  batch.take(0, after);
  EXPECT_EQ(after.t, car.state.t);
  settings.factorizations = 0;
  batch.step(settings);
  EXPECT_EQ(batch.report(0).status, StepStatus::converged);
  settings.closing = Closing::multipliers;
  EXPECT_THAT(batch_fault(settings), HasSubstr("not 'penalty'"));
  settings.closing = Closing::penalty;
  for (const char* name : {"hht", "nstiff", "linearly_implicit_euler"}) {
    settings.scheme = choose_scheme(name, {});
    EXPECT_THAT(batch_fault(settings), HasSubstr("expected 'trapezoid'")) << name;
  }
}

}  // namespace
}  // namespace semirec::test
