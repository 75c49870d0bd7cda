// FMUs stepped by an importer of the test's own, in both versions of the standard, against a
// Session.

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/wait.h>
#include <thread>
#include <type_traits>
#include <unistd.h>

#include <gtest/gtest.h>

#include "tests/fmi/importer.hpp"
#include "tests/support/heap_guard.hpp"
#include "tests/support/sessions.hpp"
#include "vehicles/files/xml/reader.hpp"

namespace semirec::test {
namespace {

const char* const kSedan = "vehicles/models/sedan.xml";
const char* const kStepSteer = "vehicles/scenarios/step_steer.xml";
const char* const kIltis = "vehicles/models/iltis.xml";
const char* const kBump = "vehicles/scenarios/bump_5.xml";
const char* const kRotor = "tests/data/rotor.xml";
const char* const kCatch = "tests/data/catch_and_let_go.xml";

double steer(int k) { return 0.3 * std::sin(0.004 * k); }

template <typename Version>
class FmuSteps : public testing::Test {
 protected:
  static constexpr int kVersion = Version::value;
  using Car = Importer<kVersion>;

  static const UnpackedFmu& fmu_of(const char* vehicle, const char* scenario) {
    return shared_fmu(kVersion, vehicle, scenario);
  }
  static const UnpackedFmu& sedan() { return fmu_of(kSedan, kStepSteer); }
  static const UnpackedFmu& iltis() { return fmu_of(kIltis, kBump); }
  static const UnpackedFmu& rotor() { return fmu_of(kRotor, kCatch); }

  /// An instance whose steps may begin.
  static void start(Car& car) {
    ASSERT_NE(car.instance(), nullptr);
    ASSERT_EQ(car.enter(), 0);
    ASSERT_EQ(car.exit(), 0);
  }
};

using Versions = testing::Types<std::integral_constant<int, 3>, std::integral_constant<int, 2>>;
TYPED_TEST_SUITE(FmuSteps, Versions);

// Two iterations a step: that they do not settle is said at the first and, with their number, at
// the end. Expected: the reports of a Session.
TYPED_TEST(FmuSteps, SayThatTheyDoNotSettle) {
  const UnpackedFmu& fmu = this->fmu_of(kIltis, "tests/data/long_steps.xml");
  typename TestFixture::Car car(fmu);
  this->start(car);
  car.clear_log();
  const auto session = make_session(kIltis, "tests/data/long_steps.xml", 0.02);
  int unsettled = 0;
  for (int k = 0; k < 60; ++k) {
    ASSERT_EQ(car.step(0.02 * k, 0.02), 0);
    ASSERT_EQ(session->step(), StepStatus::converged);
    unsettled += session->report().has_settled() ? 0 : 1;
    EXPECT_EQ(car.log().size(), unsettled > 0 ? 1U : 0U) << k;
  }
  ASSERT_GT(unsettled, 1);
  EXPECT_NE(car.log()[0].message.find("has not settled"), std::string::npos);
  EXPECT_EQ(car.log()[0].category, "logStatusWarning");
  EXPECT_EQ(car.terminate(), 0);
  ASSERT_EQ(car.log().size(), 2U);
  EXPECT_EQ(car.log()[1].message, std::to_string(unsettled) + " of 60 steps have not settled");
}

TYPED_TEST(FmuSteps, GivesTheBitsOfASessionAtEachStep) {
  const UnpackedFmu& fmu = this->sedan();
  typename TestFixture::Car car(fmu);
  this->start(car);
  const auto session = make_session(kSedan, kStepSteer);
  const std::uint32_t steering = fmu.description().reference("steering");
  const std::uint32_t throttle = fmu.description().reference("throttle");
  const std::vector<std::uint32_t> outputs = fmu.description().references("output");
  // all of a session's outputs but the time
  ASSERT_EQ(outputs.size() + 1, session->outputs().size());
  std::vector<double> expected(session->outputs().size());
  for (int k = 0; k < 600; ++k) {
    // the first 100 steps follow the curves of the scenario
    if (k >= 100) {
      ASSERT_EQ(car.set(steering, steer(k)), 0);
      ASSERT_EQ(car.set(throttle, 0.2), 0);
      session->set_input(session->find_input("steering"), steer(k));
      session->set_input(session->find_input("throttle"), 0.2);
    }
    ASSERT_EQ(car.step(k * 1e-3, 1e-3), 0);
    session->step();
    session->read_outputs(expected.data());
    ASSERT_EQ(car.read(outputs), std::vector<double>(expected.begin() + 1, expected.end())) << k;
  }
  double time = 0.0;
  ASSERT_EQ(car.get(fmu.description().reference("time"), time), 0);
  EXPECT_EQ(time, session->time());
  EXPECT_EQ(car.terminate(), 0);
}

TYPED_TEST(FmuSteps, GivesTheBitsOfASessionForOutputsThatAreReadOneAfterTheOther) {
  const UnpackedFmu& fmu = this->sedan();
  typename TestFixture::Car car(fmu);
  this->start(car);
  const auto session = make_session(kSedan, kStepSteer);
  const std::vector<std::uint32_t> outputs = fmu.description().references("output");
  std::vector<double> expected(session->outputs().size());
  // one more in each step, the newest first, from all over the list; the last few twice
  for (std::size_t k = 0; k < 40; ++k) {
    ASSERT_EQ(car.step(static_cast<double>(k) * 1e-3, 1e-3), 0);
    session->step();
    session->read_outputs(expected.data());
    for (std::size_t i = k + 1; i-- > 0;) {
      const std::size_t place = i * 31 % outputs.size();
      double value = 0.0;
      ASSERT_EQ(car.get(outputs[place], value), 0);
      ASSERT_EQ(value, expected[place + 1]) << session->outputs()[place + 1].name;
    }
  }
}

TYPED_TEST(FmuSteps, TakesSeveralEngineStepsInOneCommunicationStep) {
  const UnpackedFmu& fmu = this->rotor();
  typename TestFixture::Car car(fmu);
  this->start(car);
  const auto session = make_session(kRotor, kCatch);
  double point = 0.0;
  std::vector<double> expected(session->outputs().size());
  for (const int count : {1, 7, 20, 3, 100, 60}) {
    ASSERT_EQ(car.step(point, 1e-3 * count), 0);
    point += 1e-3 * count;
    for (int k = 0; k < count; ++k) session->step();
    session->read_outputs(expected.data());
    EXPECT_EQ(car.read(fmu.description().references("output")),
              std::vector<double>(expected.begin() + 1, expected.end()));
  }
}

// Half of the engine's step is the engine with half the step; a third of three halves is half.
TYPED_TEST(FmuSteps, DividesWhatIsNoWholeNumberOfEngineSteps) {
  const UnpackedFmu& fmu = this->sedan();
  // times off the grid of 1 ms are sums, on the other one products: the last digits of the time
  constexpr double kLastDigits = 1e-9;
  for (const double length : {0.5e-3, 1.5e-3}) {
    typename TestFixture::Car car(fmu);
    this->start(car);
    const double part = length == 0.5e-3 ? 0.5e-3 : 0.75e-3;
    const auto session = make_session(kSedan, kStepSteer, part);
    double point = 0.0;
    for (int k = 0; k < 200; ++k) {
      ASSERT_EQ(car.step(point, length), 0);
      point += length;
    }
    while (session->time() < point - 0.1 * part) session->step();
    std::vector<double> expected(session->outputs().size());
    session->read_outputs(expected.data());
    double time = 0.0;
    ASSERT_EQ(car.get(fmu.description().reference("time"), time), 0);
    EXPECT_NEAR(time, point, 1e-12);
    const std::vector<double> values = car.read(fmu.description().references("output"));
    ASSERT_EQ(values.size() + 1, expected.size());
    for (std::size_t k = 0; k < values.size(); ++k)
      EXPECT_NEAR(values[k], expected[k + 1], kLastDigits * (1.0 + std::abs(expected[k + 1])))
          << session->outputs()[k + 1].name;
  }
}

// Points that were summed up lie beside the grid by some digits; the steps are whole all the same.
TYPED_TEST(FmuSteps, TakesPointsThatHaveDrifted) {
  const UnpackedFmu& fmu = this->rotor();
  const auto outputs = fmu.description().references("output");
  typename TestFixture::Car car(fmu), other(fmu);
  this->start(car);
  this->start(other);
  for (int k = 0; k < 200; ++k) {
    ASSERT_EQ(car.step(1e-3 * k, 1e-3), 0);
    ASSERT_EQ(other.step(1e-3 * k + 5e-6 * std::sin(k), 1e-3 * (1.0 + 1e-7)), 0);
  }
  EXPECT_EQ(car.read(outputs), other.read(outputs));
  // 5 % of an engine step is another time
  EXPECT_EQ(other.step(0.2 + 0.05e-3, 1e-3), 3);
}

// steps that are a millionth longer than whole ones: the drift of 10 000 of them is that of a whole
// step
TYPED_TEST(FmuSteps, FollowsPointsThatDriftOneWay) {
  const UnpackedFmu& fmu = this->rotor();
  typename TestFixture::Car car(fmu);
  this->start(car);
  for (const double length : {1e-3 * (1.0 + 0.99e-6), 1e-3 * (1.0 - 0.99e-6)}) {
    double point = 0.0;
    ASSERT_EQ(car.get(fmu.description().reference("time"), point), 0);
    for (int k = 0; k < 12000; ++k) {
      ASSERT_EQ(car.step(point, length), 0) << k;
      point += length;
    }
    double time = 0.0;
    ASSERT_EQ(car.get(fmu.description().reference("time"), time), 0);
    EXPECT_NEAR(time, point, 1e-5);
  }
}

// `while (t < stop) doStep(t, min(dt, stop - t))`: what the sum leaves of 3 s is a step of 3e-13 s
TYPED_TEST(FmuSteps, TakesTheRestOfASumOfSteps) {
  for (const UnpackedFmu* fmu : {&this->rotor(), &this->sedan()})
    for (const double dt : {1e-3, 5e-3}) {
      typename TestFixture::Car car(*fmu);
      const double stop = 3.0;
      ASSERT_EQ(car.enter(0.0, true, stop), 0);
      ASSERT_EQ(car.exit(), 0);
      double t = 0.0;
      double shortest = dt;
      while (t < stop) {
        const double length = std::min(dt, stop - t);
        shortest = std::min(shortest, length);
        ASSERT_EQ(car.step(t, length), 0) << t << " " << length;
        t += length;
      }
      EXPECT_LT(shortest, 1e-12) << "the sum leaves nothing, the case is none";
      double time = 0.0;
      ASSERT_EQ(car.get(fmu->description().reference("time"), time), 0);
      EXPECT_NEAR(time, stop, 1e-9);
    }
}

// steps of less than a millionth of an engine step add up all the same
TYPED_TEST(FmuSteps, AddsUpTheShortestSteps) {
  const UnpackedFmu& fmu = this->rotor();
  typename TestFixture::Car car(fmu);
  this->start(car);
  double t = 0.0;
  for (int k = 0; k < 1000; ++k, t += 4e-10) ASSERT_EQ(car.step(t, 4e-10), 0) << k;
  ASSERT_EQ(car.step(t, 1e-3 - t), 0);
  double time = 0.0;
  ASSERT_EQ(car.get(fmu.description().reference("time"), time), 0);
  EXPECT_NEAR(time, 1e-3, 1e-12);
}

// seconds since 1970 have seven digits behind the point
TYPED_TEST(FmuSteps, CountsTimeFromAnEpoch) {
  const UnpackedFmu& fmu = this->rotor();
  typename TestFixture::Car car(fmu);
  const double start = 1.7e9;
  ASSERT_EQ(car.enter(start, false, 0.0), 0);
  ASSERT_EQ(car.exit(), 0);
  double point = start;
  for (int k = 0; k < 1000; ++k, point += 1e-3) ASSERT_EQ(car.step(point, 1e-3), 0) << k;
  EXPECT_EQ(car.step(point + 1.0, 1e-3), 3);
}

TYPED_TEST(FmuSteps, CountsItsTimeFromTheImportersStart) {
  const UnpackedFmu& fmu = this->rotor();
  typename TestFixture::Car car(fmu), other(fmu);
  this->start(car);
  ASSERT_EQ(other.enter(100.0, true, 100.1), 0);
  ASSERT_EQ(other.exit(), 0);
  for (int k = 0; k < 100; ++k) {
    ASSERT_EQ(car.step(1e-3 * k, 1e-3), 0);
    ASSERT_EQ(other.step(100.0 + 1e-3 * k, 1e-3), 0);
  }
  const auto outputs = fmu.description().references("output");
  EXPECT_EQ(car.read(outputs), other.read(outputs));
  double time = 0.0;
  ASSERT_EQ(other.get(fmu.description().reference("time"), time), 0);
  EXPECT_NEAR(time, 100.1, 1e-12);
  // a step behind the stop time is an error in both versions
  EXPECT_EQ(other.step(100.1, 1e-3), 3);
}

TYPED_TEST(FmuSteps, GoesOnFromASavedStateWithTheSameBits) {
  const UnpackedFmu& fmu = this->sedan();
  const auto outputs = fmu.description().references("output");
  const std::uint32_t steering = fmu.description().reference("steering");
  typename TestFixture::Car car(fmu);
  this->start(car);
  const auto drive = [&](auto& instance, int from, int to) {
    for (int k = from; k < to; ++k) {
      instance.set(steering, steer(k));
      if (instance.step(k * 1e-3, 1e-3) != 0) break;
    }
    return instance.read(outputs);
  };
  drive(car, 0, 150);
  // an input that waits for its step belongs to the state
  ASSERT_EQ(car.set(fmu.description().reference("throttle"), 0.5), 0);
  void* state = nullptr;
  ASSERT_EQ(car.get_state(&state), 0);
  const std::string bytes = car.saved();
  ASSERT_FALSE(bytes.empty());
  const std::vector<double> expected = drive(car, 150, 400);
  ASSERT_EQ(expected.size(), outputs.size());
  // the same instance, by its pointer
  ASSERT_EQ(car.set_state(state), 0);
  EXPECT_EQ(drive(car, 150, 400), expected);
  // after an error: a communication point that is not the instance's time
  EXPECT_EQ(car.step(9.0, 1e-3), 3);
  EXPECT_EQ(car.step(0.4, 1e-3), 3);
  ASSERT_EQ(car.set_state(state), 0);
  EXPECT_EQ(drive(car, 150, 400), expected);
  // after the end
  ASSERT_EQ(car.terminate(), 0);
  ASSERT_EQ(car.set_state(state), 0);
  EXPECT_EQ(drive(car, 150, 400), expected);
  EXPECT_EQ(car.free_state(&state), 0);
  EXPECT_EQ(state, nullptr);
  EXPECT_EQ(car.free_state(&state), 0);
  // another instance, from bytes, from wherever it stands
  typename TestFixture::Car other(fmu);
  ASSERT_EQ(other.restore(bytes), 0);
  EXPECT_EQ(drive(other, 150, 400), expected);
}

/// What the child process below writes: doubles as they lie in memory.
void write_numbers(const std::string& path, const std::vector<double>& numbers) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(numbers.data()),
             static_cast<std::streamsize>(numbers.size() * sizeof(double)));
}

std::string file_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

template <int version>
void go_on_as_child(const std::string& folder) {
  const std::string token = file_bytes(folder + "/token");
  void* library = dlopen((folder + "/car.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  Importer<version> car(library, token, file_bytes(folder + "/resources_at"));
  ASSERT_NE(car.instance(), nullptr);
  ASSERT_EQ(car.restore(file_bytes(folder + "/state")), 0);
  const std::string asked = file_bytes(folder + "/references");
  std::vector<std::uint32_t> references(asked.size() / sizeof(std::uint32_t));
  std::memcpy(references.data(), asked.data(), asked.size());
  for (int k = 150; k < 400; ++k) ASSERT_EQ(car.step(k * 1e-3, 1e-3), 0);
  write_numbers(folder + "/numbers", car.read(references));
}

// The process that this test starts runs it again, and goes on from the bytes that it finds.
TYPED_TEST(FmuSteps, GoesOnInAnotherProcessWithTheSameBits) {
  if (const char* given = std::getenv("SEMIREC_FMU_CHILD"))
    return go_on_as_child<TestFixture::kVersion>(given);
  const UnpackedFmu& fmu = this->sedan();
  const auto outputs = fmu.description().references("output");
  typename TestFixture::Car car(fmu);
  this->start(car);
  ASSERT_EQ(car.set(fmu.description().reference("steering"), 0.2), 0);
  for (int k = 0; k < 150; ++k) ASSERT_EQ(car.step(k * 1e-3, 1e-3), 0);
  ASSERT_EQ(car.set(fmu.description().reference("brake"), 0.1), 0);

  const TestFolder folder("fmu-child");
  const auto put = [&](const char* name, const std::string& text) {
    std::ofstream(folder.path() + "/" + name, std::ios::binary) << text;
  };
  put("state", car.saved());
  put("token", fmu.description().token);
  put("resources_at", TestFixture::Car::place_of(fmu.folder()));
  put("references", std::string(reinterpret_cast<const char*>(outputs.data()),
                                outputs.size() * sizeof(std::uint32_t)));
  std::filesystem::copy_file(fmu.library_path(), folder.path() + "/car.so");
  const testing::TestInfo& self = *testing::UnitTest::GetInstance()->current_test_info();
  const std::string filter =
      std::string("--gtest_filter=") + self.test_suite_name() + "." + self.name();
  const pid_t child = fork();
  if (child == 0) {
    setenv("SEMIREC_FMU_CHILD", folder.path().c_str(), 1);
    execl("/proc/self/exe", "fmi", filter.c_str(), nullptr);
    _exit(99);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  ASSERT_EQ(WEXITSTATUS(status), 0);

  for (int k = 150; k < 400; ++k) ASSERT_EQ(car.step(k * 1e-3, 1e-3), 0);
  write_numbers(folder.path() + "/expected", car.read(outputs));
  const std::string expected = file_bytes(folder.path() + "/expected");
  EXPECT_EQ(expected.size(), outputs.size() * sizeof(double));
  EXPECT_TRUE(file_bytes(folder.path() + "/numbers") == expected);
}

TYPED_TEST(FmuSteps, DrivesTwoInstancesInTwoThreadsAsAlone) {
  const UnpackedFmu& fmu = this->iltis();
  const auto outputs = fmu.description().references("output");
  const std::uint32_t rack = fmu.description().reference("rack");
  const auto drive = [&](double factor) {
    typename TestFixture::Car car(fmu);
    bool good = car.enter() == 0 && car.exit() == 0;
    for (int k = 0; k < 1000 && good; ++k)
      good =
          car.set(rack, factor * 0.01 * std::sin(0.003 * k)) == 0 && car.step(k * 1e-3, 1e-3) == 0;
    return good ? car.read(outputs) : std::vector<double>();
  };
  const std::vector<double> left = drive(1.0);
  const std::vector<double> right = drive(-1.0);
  ASSERT_EQ(left.size(), outputs.size());
  EXPECT_NE(left, right);
  std::vector<double> first, second;
  std::thread one([&] { first = drive(1.0); });
  std::thread two([&] { second = drive(-1.0); });
  one.join();
  two.join();
  EXPECT_EQ(first, left);
  EXPECT_EQ(second, right);
}

TYPED_TEST(FmuSteps, TakesNoMemoryInTenThousandSteps) {
  if (!HeapGuard::works()) GTEST_SKIP() << "this build has a malloc of its own";
  for (const bool events : {false, true}) {
    const UnpackedFmu& fmu = events ? this->rotor() : this->iltis();
    typename TestFixture::Car car(fmu);
    this->start(car);
    const auto outputs = fmu.description().references("output");
    std::vector<double> values(outputs.size());
    const std::uint32_t input = fmu.description().reference(events ? "torque" : "rack");
    const double size = events ? 60.0 : 0.01;
    // what an importer reads for the first time is chosen from then on
    int failed = car.step(0.0, 1e-3) + car.get(outputs.data(), outputs.size(), values.data());
    long calls = 0;
    {
      const HeapGuard guard;
      for (int k = 1; k <= 10000; ++k) {
        failed += car.set(input, size * std::sin(0.003 * k)) + car.step(k * 1e-3, 1e-3) +
                  car.get(outputs.data(), outputs.size(), values.data());
      }
      calls = guard.calls();
    }
    EXPECT_EQ(failed, 0);
    EXPECT_EQ(calls, 0);
    // what the library takes would have been seen
    const HeapGuard guard;
    static_cast<void>(car.reset());
    EXPECT_GT(guard.calls(), 100);
  }
}

TYPED_TEST(FmuSteps, TakesParametersBeforeTheStartAndNoLonger) {
  const UnpackedFmu fmu(TestFixture::kVersion, kSedan, kStepSteer, {"chassis.mass=1400"});
  const Description& description = fmu.description();
  typename TestFixture::Car car(fmu);
  const std::uint32_t mass = description.reference("chassis.mass");
  const std::uint32_t speed = description.reference("start.speed");
  const std::uint32_t axle = description.reference("front_axle[1]");
  double value = 0.0;
  ASSERT_EQ(car.set(mass, 1500.0), 0);
  ASSERT_EQ(car.set(axle, 1.25), 0);
  ASSERT_EQ(car.enter(), 0);
  ASSERT_EQ(car.set(speed, 15.0), 0);
  ASSERT_EQ(car.get(mass, value), 0);
  EXPECT_EQ(value, 1500.0);
  ASSERT_EQ(car.exit(), 0);

  const std::string root = std::string(SEMIREC_SOURCE_DIR) + "/";
  DriveDescription read = read_drive(
      root + kSedan, root + kStepSteer,
      {parse_override("chassis.mass=1500"), parse_override("front_axle.value=1.25 0 0")});
  read.scenario.speed = 15.0;
  Session session(read);
  const auto outputs = description.references("output");
  std::vector<double> expected(session.outputs().size());
  for (int k = 0; k < 100; ++k) {
    session.step();
    ASSERT_EQ(car.step(k * 1e-3, 1e-3), 0);
  }
  session.read_outputs(expected.data());
  EXPECT_EQ(car.read(outputs), std::vector<double>(expected.begin() + 1, expected.end()));

  EXPECT_EQ(car.set(axle, 1.3), 3);
  ASSERT_EQ(car.reset(), 0);
  ASSERT_EQ(car.enter(), 0);
  ASSERT_EQ(car.get(mass, value), 0);
  EXPECT_EQ(value, 1400.0);
}

// importers write a tunable parameter at each step, mostly with the value that it has
TYPED_TEST(FmuSteps, MakesNothingAnewWhereAParameterKeepsItsValue) {
  if (!HeapGuard::works()) GTEST_SKIP() << "this build has a malloc of its own";
  const UnpackedFmu fmu(TestFixture::kVersion, kSedan, kStepSteer, {"chassis.mass=1400"});
  const std::uint32_t mass = fmu.description().reference("chassis.mass");
  typename TestFixture::Car car(fmu);
  this->start(car);
  ASSERT_EQ(car.step(0.0, 1e-3), 0);
  int failed = 0;
  long calls = 0;
  {
    const HeapGuard guard;
    for (int k = 1; k < 10; ++k) failed += car.set(mass, 1400.0) + car.step(k * 1e-3, 1e-3);
    calls = guard.calls();
  }
  EXPECT_EQ(failed, 0);
  EXPECT_EQ(calls, 0);
}

// expected: a session that trades cars between two steps
TYPED_TEST(FmuSteps, FollowsATunableParameterFromTheNextStepOn) {
  const UnpackedFmu fmu(TestFixture::kVersion, kSedan, kStepSteer,
                        {"chassis.mass=1400", "front_axle.value=1.2 0 0"});
  const Description& description = fmu.description();
  const std::uint32_t mass = description.reference("chassis.mass");
  EXPECT_EQ(description.variables[mass].variability, "tunable");
  // a place may not change while a car stands on it
  EXPECT_EQ(description.variables[description.reference("front_axle[1]")].variability, "fixed");
  EXPECT_EQ(description.variables[description.reference("start.speed")].variability, "fixed");
  const auto outputs = description.references("output");

  const std::string root = std::string(SEMIREC_SOURCE_DIR) + "/";
  const auto session_of = [&](const char* set) {
    return Session(read_drive(root + kSedan, root + kStepSteer,
                              {parse_override(set), parse_override("front_axle.value=1.2 0 0")}));
  };
  Session session = session_of("chassis.mass=1400");
  Session heavier = session_of("chassis.mass=1500");
  typename TestFixture::Car car(fmu);
  this->start(car);
  std::string bytes;
  for (int k = 0; k < 200; ++k) {
    if (k == 100) {
      ASSERT_EQ(car.set(mass, 1500.0), 0);
      ASSERT_TRUE(session.trade_cars(heavier));
    }
    session.step();
    ASSERT_EQ(car.step(k * 1e-3, 1e-3), 0);
    if (k == 150) bytes = car.saved();
  }
  std::vector<double> values(session.outputs().size());
  session.read_outputs(values.data());
  const std::vector<double> expected(values.begin() + 1, values.end());
  EXPECT_EQ(car.read(outputs), expected);
  double value = 0.0;
  ASSERT_EQ(car.get(mass, value), 0);
  EXPECT_EQ(value, 1500.0);

  // the number belongs to a saved state
  typename TestFixture::Car other(fmu);
  ASSERT_EQ(other.restore(bytes), 0);
  for (int k = 151; k < 200; ++k) ASSERT_EQ(other.step(k * 1e-3, 1e-3), 0);
  EXPECT_EQ(other.read(outputs), expected);

  // a number with which there is no car ends the run with a line
  ASSERT_EQ(car.set(mass, -1.0), 0);
  car.clear_log();
  EXPECT_EQ(car.step(0.2, 1e-3), 3);
  ASSERT_EQ(car.log().size(), 1U);
  EXPECT_NE(car.log()[0].message.find("mass"), std::string::npos) << car.log()[0].message;
  // and is not kept: the car has the one of before, and so has its state
  ASSERT_EQ(car.get(mass, value), 0);
  EXPECT_EQ(value, 1500.0);
  ASSERT_EQ(other.restore(car.saved()), 0);
  ASSERT_EQ(other.get(mass, value), 0);
  EXPECT_EQ(value, 1500.0);
}

TYPED_TEST(FmuSteps, FindsNothingOutsideOfItsFolder) {
  // the files that the car is made of go away before the instance reads
  const TestFolder copy("fmu-source");
  const std::string root = std::string(SEMIREC_SOURCE_DIR) + "/";
  std::filesystem::create_directories(copy.path() + "/vehicles");
  for (const char* part : {"models", "scenarios"})
    std::filesystem::copy(root + "vehicles/" + part, copy.path() + "/vehicles/" + part,
                          std::filesystem::copy_options::recursive);
  fmi::ExportSettings settings;
  settings.vehicle = copy.path() + "/vehicles/models/sedan.xml";
  settings.scenario = copy.path() + "/vehicles/scenarios/step_steer.xml";
  settings.version = TestFixture::kVersion;
  settings.library = SEMIREC_FMU_LIBRARY;
  const fmi::Fmu fmu = fmi::make_fmu(settings);
  std::filesystem::remove_all(copy.path() + "/vehicles");
  const TestFolder target("fmu with blanks");
  for (const auto& [name, bytes] : fmu.files) {
    const std::filesystem::path path = std::filesystem::path(target.path()) / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << bytes;
    EXPECT_EQ(bytes.find(copy.path()), std::string::npos) << name << " names the source's folder";
  }
  const std::string place = TestFixture::Car::place_of(target.path());
  typename TestFixture::Car car(this->sedan(), true, fmu.token.c_str(), place.c_str());
  ASSERT_NE(car.instance(), nullptr) << (car.log().empty() ? "" : car.log().back().message);
  this->start(car);
  EXPECT_EQ(car.step(0.0, 1e-3), 0);
}

}  // namespace
}  // namespace semirec::test
