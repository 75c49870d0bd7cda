// Outputs that follow inputs before the next step, and their derivatives by inputs, in both
// versions of the standard: against closed forms, and against differences that the importer takes
// itself.

#include <algorithm>
#include <cmath>
#include <type_traits>

#include <gtest/gtest.h>

#include "tests/fmi/importer.hpp"
#include "tests/support/heap_guard.hpp"

namespace semirec::test {
namespace {

/// Round-off of a linear solve with numbers of ordinary size, relative.
constexpr double kSolve = 1e-10;

template <typename Version>
class FmuAtOnce : public testing::Test {
 protected:
  static constexpr int kVersion = Version::value;
  using Car = Importer<kVersion>;

  static const UnpackedFmu& fmu_of(const char* vehicle, const char* scenario) {
    return shared_fmu(kVersion, vehicle, scenario);
  }
  static const UnpackedFmu& rotor() {
    return fmu_of("tests/data/rotor.xml", "tests/data/catch_and_let_go.xml");
  }
  static const UnpackedFmu& pushed() {
    return fmu_of("tests/data/pushed_mass.xml", "tests/data/pushed_mass_run.xml");
  }
  static const UnpackedFmu& sedan() {
    return fmu_of("vehicles/models/sedan.xml", "vehicles/scenarios/step_steer.xml");
  }
  static const UnpackedFmu& shaken() {
    return fmu_of("vehicles/models/sedan.xml", "tests/data/shaken_wheel.xml");
  }

  /// An instance that has made `steps` steps of 1 ms.
  static void start(Car& car, int steps) {
    ASSERT_NE(car.instance(), nullptr);
    ASSERT_EQ(car.enter(), 0);
    ASSERT_EQ(car.exit(), 0);
    for (int k = 0; k < steps; ++k) ASSERT_EQ(car.step(k * 1e-3, 1e-3), 0);
  }
  static double value(Car& car, std::uint32_t reference) {
    double number = 0.0;
    EXPECT_EQ(car.get(reference, number), 0);
    return number;
  }
};

using Versions = testing::Types<std::integral_constant<int, 3>, std::integral_constant<int, 2>>;
TYPED_TEST_SUITE(FmuAtOnce, Versions);

// A rod of mass 2 and length 1 at rest, turned about its end: the tip is accelerated by
// torque length / (mass length^2 / 3) = 1.5 torque.
TYPED_TEST(FmuAtOnce, FollowsATorqueBeforeTheFirstStep) {
  const UnpackedFmu& fmu = this->rotor();
  const Description& names = fmu.description();
  typename TestFixture::Car car(fmu);
  ASSERT_EQ(car.enter(), 0);
  EXPECT_NEAR(this->value(car, names.reference("tip.ay")), 0.0, kSolve);
  for (const double torque : {10.0, -4.0}) {
    ASSERT_EQ(car.set(names.reference("torque"), torque), 0);
    EXPECT_NEAR(this->value(car, names.reference("tip.ay")), 1.5 * torque, kSolve * 15.0);
    EXPECT_EQ(this->value(car, names.reference("motor.force")), torque);
    EXPECT_EQ(this->value(car, names.reference("torque.value")), torque);
    EXPECT_EQ(this->value(car, names.reference("tip.y")), 0.0);
  }
}

// The strut holds the tip at the end of a lever of 1 m: it takes all of the torque.
TYPED_TEST(FmuAtOnce, FollowsWithReactions) {
  const UnpackedFmu& fmu = this->rotor();
  const Description& names = fmu.description();
  typename TestFixture::Car car(fmu);
  this->start(car, 50);
  const double before = this->value(car, names.reference("strut.Ry"));
  const double torque = this->value(car, names.reference("torque.value"));
  ASSERT_EQ(car.set(names.reference("torque"), torque + 30.0), 0);
  EXPECT_NEAR(this->value(car, names.reference("strut.Ry")), before - 30.0, 30.0 * 1e-8);
  std::vector<double> slope;
  ASSERT_EQ(car.derive({names.reference("strut.Ry")}, {names.reference("torque")}, {1.0}, slope),
            0);
  // beta of the solve leaves seven digits of a force of 40 N in a difference of 0.1 N
  EXPECT_NEAR(slope[0], -1.0, 1e-6);
}

// 4 kg under a force: 1/4 m/s^2 for each newton. A prescribed place acts on the step that goes
// there, and on nothing at once.
TYPED_TEST(FmuAtOnce, DerivesTheAccelerationOfAMassByTheForceOnIt) {
  const UnpackedFmu& fmu = this->pushed();
  const Description& names = fmu.description();
  const auto references = names.references("output");
  const std::uint32_t push = names.reference("push");
  const std::uint32_t place = names.reference("place");
  typename TestFixture::Car car(fmu);
  this->start(car, 100);
  std::vector<double> slopes;
  ASSERT_EQ(car.derive(references, {push}, {3.0}, slopes), 0);
  for (std::size_t k = 0; k < references.size(); ++k) {
    const std::string& name = names.variables[references[k]].name;
    const double expected = name == "nose.ax"                              ? 3.0 / 4.0
                            : name == "hand.force" || name == "push.value" ? 3.0
                                                                           : 0.0;
    EXPECT_NEAR(slopes[k], expected, 1e-9) << name;
  }
  ASSERT_EQ(car.derive(references, {place}, {1.0}, slopes), 0);
  for (std::size_t k = 0; k < references.size(); ++k) {
    const std::string& name = names.variables[references[k]].name;
    EXPECT_NEAR(slopes[k], name == "place.value" ? 1.0 : 0.0, 1e-6) << name;
  }
  // linear: the whole change, too
  const double before = this->value(car, names.reference("nose.ax"));
  ASSERT_EQ(car.set(push, this->value(car, push) + 100.0), 0);
  EXPECT_NEAR(this->value(car, names.reference("nose.ax")), before + 25.0, 1e-9);
}

// Several knowns at once: by the seeds, as the standard has it.
TYPED_TEST(FmuAtOnce, SumsKnownsBySeeds) {
  const UnpackedFmu& fmu = this->pushed();
  const Description& names = fmu.description();
  typename TestFixture::Car car(fmu);
  this->start(car, 10);
  std::vector<double> slopes;
  ASSERT_EQ(car.derive({names.reference("push.value"), names.reference("nose.ax")},
                       {names.reference("push"), names.reference("place"), names.reference("push")},
                       {2.0, 5.0, -0.5}, slopes),
            0);
  EXPECT_NEAR(slopes[0], 1.5, 1e-9);
  EXPECT_NEAR(slopes[1], 1.5 / 4.0, 1e-9);
}

TYPED_TEST(FmuAtOnce, LeavesTheBitsOfTheStepsThatFollow) {
  const UnpackedFmu& fmu = this->sedan();
  const Description& names = fmu.description();
  const auto outputs = names.references("output");
  const auto inputs = names.references("input");
  typename TestFixture::Car car(fmu), other(fmu);
  this->start(car, 0);
  this->start(other, 0);
  std::vector<double> slopes;
  for (int k = 0; k < 300; ++k) {
    for (auto* each : {&car, &other}) {
      ASSERT_EQ(each->set(names.reference("steering"), 0.3 * std::sin(0.02 * k)), 0);
      ASSERT_EQ(each->set(names.reference("throttle"), 0.5 + 0.5 * std::sin(0.05 * k)), 0);
    }
    ASSERT_EQ(car.read(outputs).size(), outputs.size());
    if (k % 10 == 0) {
      ASSERT_EQ(car.derive(outputs, inputs, std::vector<double>(inputs.size(), 1.0), slopes), 0);
    }
    ASSERT_EQ(car.step(k * 1e-3, 1e-3), 0);
    ASSERT_EQ(other.step(k * 1e-3, 1e-3), 0);
  }
  EXPECT_EQ(car.saved(), other.saved());
  EXPECT_EQ(car.read(outputs), other.read(outputs));
  // nor does a derivative move the state where it stands, or the outputs
  const std::vector<double> before = car.read(outputs);
  const std::string state = car.saved();
  ASSERT_EQ(car.derive(outputs, inputs, std::vector<double>(inputs.size(), 1.0), slopes), 0);
  EXPECT_EQ(car.saved(), state);
  EXPECT_EQ(car.read(outputs), before);
}

TYPED_TEST(FmuAtOnce, HasTheBitsOfTheStateForInputsThatAreWhatTheyWere) {
  const UnpackedFmu& fmu = this->sedan();
  const Description& names = fmu.description();
  const auto outputs = names.references("output");
  typename TestFixture::Car car(fmu);
  this->start(car, 0);
  ASSERT_EQ(car.set(names.reference("throttle"), 0.4), 0);
  for (int k = 0; k < 600; ++k) ASSERT_EQ(car.step(k * 1e-3, 1e-3), 0);
  const std::vector<double> before = car.read(outputs);
  // one that was set, and one that follows its curve, on its ramp
  ASSERT_EQ(car.set(names.reference("throttle"), 0.4), 0);
  EXPECT_EQ(car.read(outputs), before);
  const double steering = this->value(car, names.reference("steering"));
  ASSERT_EQ(car.set(names.reference("steering"), steering), 0);
  EXPECT_EQ(car.read(outputs), before);
  // there and back again
  ASSERT_EQ(car.set(names.reference("throttle"), 0.9), 0);
  EXPECT_NE(car.read(outputs), before);
  ASSERT_EQ(car.set(names.reference("throttle"), 0.4), 0);
  EXPECT_EQ(car.read(outputs), before);
}

// An importer may write the start of every input, the same where it writes nothing: what follows
// the steering wheel is no input that it could hold.
TYPED_TEST(FmuAtOnce, StartsThatAreWrittenToInputsLeaveTheCarAsItIs) {
  const UnpackedFmu& fmu = this->sedan();
  const Description& names = fmu.description();
  typename TestFixture::Car car(fmu), written(fmu);
  this->start(car, 0);
  this->start(written, 0);
  for (const std::uint32_t input : names.references("input"))
    ASSERT_EQ(written.set(input, names.variables[input].start), 0);
  const auto outputs = names.references("output");
  for (int k = 0; k < 100; ++k) {
    for (auto* one : {&car, &written}) {
      ASSERT_EQ(one->set(names.reference("steering"), 1e-3 * k), 0);
      ASSERT_EQ(one->step(k * 1e-3, 1e-3), 0);
    }
  }
  EXPECT_NE(this->value(car, names.reference("rack.value")), 0.0);
  EXPECT_EQ(written.read(outputs), car.read(outputs));
}

// The buffer of 200 N/m is shorter by the 0.3 m of the prescribed place: with the 8 N of the push
// it drives the 4 kg by (200 * 0.3 + 8) / 4 = 17 m/s^2, and nothing moves yet.
TYPED_TEST(FmuAtOnce, BeginsWhereInputsOfTheInitializationPutIt) {
  const UnpackedFmu& fmu = this->pushed();
  const Description& names = fmu.description();
  for (const bool in_the_mode : {true, false}) {
    typename TestFixture::Car car(fmu);
    if (in_the_mode) ASSERT_EQ(car.enter(), 0);
    ASSERT_EQ(car.set(names.reference("place"), 0.3), 0);
    ASSERT_EQ(car.set(names.reference("push"), 8.0), 0);
    if (!in_the_mode) ASSERT_EQ(car.enter(), 0);
    EXPECT_NEAR(this->value(car, names.reference("nose.ax")), 17.0, 17.0 * kSolve);
    EXPECT_EQ(this->value(car, names.reference("nose.vx")), 0.0);
    // the last word counts
    ASSERT_EQ(car.set(names.reference("place"), 0.1), 0);
    ASSERT_EQ(car.exit(), 0);
    EXPECT_NEAR(this->value(car, names.reference("nose.ax")), 7.0, 17.0 * kSolve);
    // the cart swings with w^2 = 200 / 4; the trapezoidal rule errs by 7 w^2 h^3 / 12 = 3e-8
    ASSERT_EQ(car.step(0.0, 1e-3), 0);
    EXPECT_NEAR(this->value(car, names.reference("nose.vx")),
                7.0 * std::sin(std::sqrt(50.0) * 1e-3) / std::sqrt(50.0), 1e-7);
  }
}

// A car whose steering wheel was turned, or whose road was raised, in the initialization begins as
// one whose scenario says so, to the bit, and goes on so.
TYPED_TEST(FmuAtOnce, BeginsAsAScenarioOfTheSameInputs) {
  const UnpackedFmu& said =
      this->fmu_of("vehicles/models/sedan.xml", "tests/data/steered_start.xml");
  const UnpackedFmu& fmu =
      this->fmu_of("vehicles/models/sedan.xml", "tests/data/straight_start.xml");
  const Description& names = fmu.description();
  typename TestFixture::Car expected(said), car(fmu);
  ASSERT_EQ(expected.enter(), 0);
  ASSERT_EQ(car.enter(), 0);
  const auto outputs = names.references("output");
  const std::vector<double> straight = car.read(outputs);
  ASSERT_EQ(car.set(names.reference("steering"), 0.3), 0);
  ASSERT_EQ(car.set(names.reference("excitation_wheel_fl"), 0.01), 0);
  EXPECT_EQ(car.read(outputs), expected.read(outputs));
  EXPECT_NE(car.read(outputs), straight);
  ASSERT_EQ(car.exit(), 0);
  ASSERT_EQ(expected.exit(), 0);
  for (int k = 0; k < 50; ++k) {
    ASSERT_EQ(car.step(k * 1e-3, 1e-3), 0);
    ASSERT_EQ(expected.step(k * 1e-3, 1e-3), 0);
  }
  EXPECT_EQ(car.read(outputs), expected.read(outputs));
  // a reset forgets them
  ASSERT_EQ(car.reset(), 0);
  ASSERT_EQ(car.enter(), 0);
  EXPECT_EQ(car.read(outputs), straight);
}

TYPED_TEST(FmuAtOnce, GoesWithASavedState) {
  const UnpackedFmu& fmu = this->sedan();
  const Description& names = fmu.description();
  const auto outputs = names.references("output");
  typename TestFixture::Car car(fmu), other(fmu);
  this->start(car, 100);
  ASSERT_EQ(car.set(names.reference("throttle"), 0.9), 0);
  const std::vector<double> expected = car.read(outputs);
  this->start(other, 0);
  ASSERT_EQ(other.restore(car.saved()), 0);
  EXPECT_EQ(other.read(outputs), expected);
}

// The importer's own differences, through set and get, with another distance.
TYPED_TEST(FmuAtOnce, DerivesAsAnImporterWouldByItsOwnDifferences) {
  struct Case {
    const UnpackedFmu& fmu;
    int steps;
    const char* input;
    double value, distance;
    const char* moved;  ///< an output whose derivative is not small, so that something is compared
  };
  const std::vector<Case> cases{
      {this->sedan(), 400, "throttle", 0.5, 3e-4, "driveline.motor_torque"},
      {this->sedan(), 400, "brake", 0.3, 3e-4, "brake_fl.torque"},
      {this->sedan(), 580, "wind_y", 4.0, 1e-3, "chassis.ay"},
      {this->sedan(), 580, "steering", 0.3, 1e-3, "steering.value"},
      {this->rotor(), 150, "torque", 10.0, 3.0, "tip.ay"},
      {this->shaken(), 300, "excitation_wheel_fl", 0.002, 3e-6, "wheel_fl.Fz"},
  };
  for (const Case& each : cases) {
    const Description& names = each.fmu.description();
    const auto outputs = names.references("output");
    const std::uint32_t input = names.reference(each.input);
    typename TestFixture::Car car(each.fmu);
    this->start(car, 0);
    ASSERT_EQ(car.set(input, each.value), 0);
    for (int k = 0; k < each.steps; ++k) ASSERT_EQ(car.step(k * 1e-3, 1e-3), 0);
    std::vector<double> slopes;
    ASSERT_EQ(car.derive(outputs, {input}, {1.0}, slopes), 0);
    ASSERT_EQ(car.set(input, each.value + each.distance), 0);
    const std::vector<double> above = car.read(outputs);
    ASSERT_EQ(car.set(input, each.value - each.distance), 0);
    const std::vector<double> below = car.read(outputs);
    ASSERT_EQ(above.size(), outputs.size());
    double moved = 0.0;
    for (std::size_t k = 0; k < outputs.size(); ++k) {
      const std::string& name = names.variables[outputs[k]].name;
      const double expected = (above[k] - below[k]) / (2.0 * each.distance);
      // what a solve leaves of the output, taken apart by so little; the next term of the series
      const double rounding = 1e-11 * (1.0 + std::abs(above[k])) / each.distance;
      EXPECT_NEAR(slopes[k], expected, rounding + 1e-5 * std::abs(expected))
          << each.input << " " << name;
      if (name == each.moved) moved = std::abs(expected);
    }
    EXPECT_GT(moved, 0.01) << each.input;
  }
}

// In the initialization outputs are those of a start with the inputs, and so are derivatives.
TYPED_TEST(FmuAtOnce, DerivesOverStartsInTheInitialization) {
  const UnpackedFmu& fmu =
      this->fmu_of("vehicles/models/sedan.xml", "tests/data/straight_start.xml");
  const Description& names = fmu.description();
  const auto outputs = names.references("output");
  typename TestFixture::Car car(fmu);
  ASSERT_EQ(car.enter(), 0);
  for (const auto& [name, value, distance, moved] :
       {std::tuple{"steering", 0.1, 2e-3, "chassis.ay"},
        std::tuple{"excitation_wheel_fl", 0.004, 2e-5, "wheel_fl.Fz"}}) {
    const std::uint32_t input = names.reference(name);
    ASSERT_EQ(car.set(input, value), 0);
    const std::vector<double> before = car.read(outputs);
    std::vector<double> slopes;
    ASSERT_EQ(car.derive(outputs, {input}, {1.0}, slopes), 0);
    EXPECT_EQ(car.read(outputs), before) << name;
    ASSERT_EQ(car.set(input, value + distance), 0);
    const std::vector<double> above = car.read(outputs);
    ASSERT_EQ(car.set(input, value - distance), 0);
    const std::vector<double> below = car.read(outputs);
    ASSERT_EQ(car.set(input, value), 0);
    double largest = 0.0;
    for (std::size_t k = 0; k < outputs.size(); ++k) {
      const double expected = (above[k] - below[k]) / (2.0 * distance);
      // starts are found to a millionth of the weight
      EXPECT_NEAR(slopes[k], expected, 3e-3 * std::abs(expected) + 1e-4 / distance)
          << name << " " << names.variables[outputs[k]].name;
      if (names.variables[outputs[k]].name == moved) largest = std::abs(expected);
    }
    EXPECT_GT(largest, 1.0) << name;
  }
}

// A step of no length would end with the accelerations of the new inputs: one of 10 us comes near
// to it, taken by two instances, of which one gets the input.
TYPED_TEST(FmuAtOnce, FollowsAsAShortStepWould) {
  const UnpackedFmu& fmu = this->sedan();
  const Description& names = fmu.description();
  const std::vector<std::uint32_t> outputs{
      names.reference("chassis.ax"), names.reference("chassis.ay"), names.reference("chassis.az")};
  for (const auto& [input, given] : {std::pair{"wind_y", 15.0}, std::pair{"wind_x", -20.0}}) {
    typename TestFixture::Car car(fmu), other(fmu);
    this->start(car, 300);
    this->start(other, 300);
    const std::vector<double> before = car.read(outputs);
    ASSERT_EQ(car.set(names.reference(input), given), 0);
    const std::vector<double> at_once = car.read(outputs);
    ASSERT_EQ(car.step(0.3, 1e-5), 0);
    ASSERT_EQ(other.step(0.3, 1e-5), 0);
    const std::vector<double> with = car.read(outputs);
    const std::vector<double> without = other.read(outputs);
    double largest = 0.0;
    for (std::size_t k = 0; k < outputs.size(); ++k) {
      largest = std::max(largest, std::abs(at_once[k] - before[k]));
      // what the car moves in 10 us, and the digits that accelerations have in so short a step
      EXPECT_NEAR(at_once[k] - before[k], with[k] - without[k], 3e-4) << input << " " << k;
    }
    EXPECT_GT(largest, 0.1) << input;
  }
}

// At rest on its stop a pedal can go one way alone: the slope is that of this way.
TYPED_TEST(FmuAtOnce, DerivesFromInsideOfARange) {
  const UnpackedFmu& fmu = this->sedan();
  const Description& names = fmu.description();
  for (const auto& [input, output] :
       {std::pair{"brake", "brake_fl.torque"}, std::pair{"throttle", "driveline.motor_torque"}}) {
    const std::uint32_t pedal = names.reference(input);
    const DescribedVariable& described = names.variables[pedal];
    ASSERT_TRUE(described.has_min && described.has_max);
    for (const double side : {0.0, 1.0}) {
      typename TestFixture::Car car(fmu);
      this->start(car, 0);
      ASSERT_EQ(car.set(pedal, side), 0);
      for (int k = 0; k < 300; ++k) ASSERT_EQ(car.step(k * 1e-3, 1e-3), 0);
      std::vector<double> slope;
      ASSERT_EQ(car.derive({names.reference(output)}, {pedal}, {1.0}, slope), 0);
      // one-sided differences of the importer, extrapolated to the side
      constexpr double kDistance = 1e-3;
      const auto at = [&](double distance) {
        EXPECT_EQ(car.set(pedal, side + (side == 0.0 ? distance : -distance)), 0);
        return this->value(car, names.reference(output));
      };
      const double here = at(0.0), near = at(kDistance), far = at(2.0 * kDistance);
      const double inward = (-1.5 * here + 2.0 * near - 0.5 * far) / kDistance;
      const double expected = side == 0.0 ? inward : -inward;
      EXPECT_NEAR(slope[0], expected, 1e-4 * std::abs(expected) + 1e-6) << input << " " << side;
    }
  }
}

TYPED_TEST(FmuAtOnce, AgreesWithTheDependenciesOfTheDescription) {
  std::size_t independent = 0, echoed = 0, others = 0;
  for (const UnpackedFmu* fmu : {&this->sedan(), &this->shaken()}) {
    const Description& names = fmu->description();
    EXPECT_TRUE(names.derivatives);
    const auto inputs = names.references("input");
    ASSERT_EQ(names.dependencies.size(), names.outputs.size());
    const auto outputs = names.references("output");
    typename TestFixture::Car car(*fmu);
    this->start(car, 500);
    for (const std::uint32_t input : inputs) {
      std::vector<double> slopes;
      ASSERT_EQ(car.derive(outputs, {input}, {1.0}, slopes), 0);
      for (std::size_t k = 0; k < outputs.size(); ++k) {
        const auto& known = names.dependencies[k];
        if (!known) {
          ++others;
          continue;
        }
        const std::string& name = names.variables[outputs[k]].name;
        // version 2 counts variables from 1
        const std::uint32_t as_listed = input + (TestFixture::kVersion == 3 ? 0 : 1);
        const bool listed = std::find(known->begin(), known->end(), as_listed) != known->end();
        // an input's own value follows it as it is
        EXPECT_NEAR(slopes[k], listed ? 1.0 : 0.0, listed ? 1e-9 : 0.0) << name;
        ++(known->empty() ? independent : echoed);
        EXPECT_TRUE(std::is_sorted(known->begin(), known->end())) << name;
      }
    }
  }
  EXPECT_GT(independent, 0U);
  EXPECT_GT(echoed, 0U);
  EXPECT_GT(others, 0U);
  // positions and velocities of a body on none, its accelerations on all
  const Description& names = this->sedan().description();
  const auto outputs = names.references("output");
  const auto said = [&](const char* name) {
    const auto place = std::find(outputs.begin(), outputs.end(), names.reference(name));
    return names.dependencies[static_cast<std::size_t>(place - outputs.begin())];
  };
  for (const char* name : {"chassis.x", "chassis.vz", "chassis.yaw", "chassis.wz", "wheel_fl.z",
                           "wheel_rr.omega", "brake_fl.speed", "imu.x", "imu.vx_body", "imu.wz"})
    EXPECT_TRUE(said(name) && said(name)->empty()) << name;
  for (const char* name : {"chassis.ax", "chassis.az", "wheel_fl.Fz", "wheel_fl.road",
                           "imu.ax_body", "imu.az_felt", "driveline.motor_torque"})
    EXPECT_FALSE(said(name).has_value()) << name;
}

TYPED_TEST(FmuAtOnce, TakesNoMemoryAfterTheFirst) {
  if (!HeapGuard::works()) GTEST_SKIP() << "this build has a malloc of its own";
  const UnpackedFmu& fmu = this->sedan();
  const Description& names = fmu.description();
  const auto outputs = names.references("output");
  const std::vector<std::uint32_t> knowns{names.reference("throttle"), names.reference("brake")};
  const std::vector<double> seed{1.0, 1.0};
  typename TestFixture::Car car(fmu);
  this->start(car, 0);
  std::vector<double> values(outputs.size());
  int failed = 0;
  long calls = 0;
  const auto turn = [&](int k) {
    failed += car.set(knowns[0], 0.5 + 0.4 * std::sin(0.1 * k)) +
              car.get(outputs.data(), outputs.size(), values.data()) +
              car.derive_into(outputs, knowns, seed, values.data()) + car.step(k * 1e-3, 1e-3);
  };
  turn(0);
  {
    const HeapGuard guard;
    for (int k = 1; k <= 500; ++k) turn(k);
    calls = guard.calls();
  }
  EXPECT_EQ(failed, 0);
  EXPECT_EQ(calls, 0);
}

TYPED_TEST(FmuAtOnce, RefusesDerivativesOfWhatIsNoOutputByWhatIsNoInput) {
  const UnpackedFmu& fmu = this->pushed();
  const Description& names = fmu.description();
  const std::uint32_t input = names.reference("push");
  const std::uint32_t output = names.reference("nose.ax");
  const std::uint32_t parameter = names.reference("start.speed");
  const std::uint32_t time = names.reference("time");
  const std::uint32_t nobody = 1000000;
  struct Row {
    std::uint32_t unknown, known;
    double seed;
    const char* word;  ///< of the line in the log
  };
  const std::vector<Row> rows{
      {input, input, 1.0, "is no output"},     {parameter, input, 1.0, "is no output"},
      {time, input, 1.0, "is no output"},      {output, output, 1.0, "is no input"},
      {output, parameter, 1.0, "is no input"}, {output, time, 1.0, "is no input"},
      {nobody, input, 1.0, "value reference"}, {output, nobody, 1.0, "value reference"},
      {output, input, std::nan(""), "seed"},
  };
  for (const Row& row : rows) {
    typename TestFixture::Car car(fmu);
    this->start(car, 1);
    car.clear_log();
    std::vector<double> slopes;
    EXPECT_EQ(car.derive({row.unknown}, {row.known}, {row.seed}, slopes), 3);
    ASSERT_EQ(car.log().size(), 1U) << row.word;
    EXPECT_NE(car.log()[0].message.find(row.word), std::string::npos) << car.log()[0].message;
    // an error ends the run
    EXPECT_EQ(car.step(1e-3, 1e-3), 3);
  }
  typename TestFixture::Car car(fmu);
  this->start(car, 1);
  double number = 1.0;
  EXPECT_EQ(car.derive_into({output}, {input}, {1.0}, nullptr), 3);
  typename TestFixture::Car asked(fmu);
  std::vector<double> none;
  // not before the initialization
  EXPECT_EQ(asked.derive({output}, {input}, {1.0}, none), 3);
  typename TestFixture::Car idle(fmu);
  this->start(idle, 1);
  EXPECT_EQ(idle.derive({}, {}, {}, none), 0);
  EXPECT_EQ(idle.derive({}, {input}, {1.0}, none), 0);
  ASSERT_EQ(idle.derive_into({output}, {}, {}, &number), 0);
  // by nothing: none
  EXPECT_EQ(number, 0.0);
}

// Counts that do not fit; version 2 has one count for both.
TEST(FmuAtOnceThree, RefusesCountsThatDoNotFit) {
  const UnpackedFmu fmu(3, "tests/data/pushed_mass.xml", "");
  const std::uint32_t output = fmu.description().reference("hand.force");
  const std::uint32_t input = fmu.description().reference("push");
  const auto derive = look_up<decltype(&fmi3GetDirectionalDerivative)>(
      fmu.library(), "fmi3GetDirectionalDerivative");
  const double seed[] = {1.0, 1.0};
  double slopes[] = {0.0, 0.0};
  for (const bool seeds : {false, true}) {
    Importer<3> car(fmu);
    ASSERT_EQ(car.enter(), 0);
    EXPECT_EQ(
        derive(car.instance(), &output, 1, &input, 1, seed, seeds ? 2 : 1, slopes, seeds ? 1 : 2),
        fmi3Error);
    EXPECT_EQ(car.log().size(), 1U);
  }
}

}  // namespace
}  // namespace semirec::test
