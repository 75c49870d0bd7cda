// Calls that the standards forbid: every function in every state, null pointers, references that
// nobody has, numbers that are none, files of another FMU. None ends the process.

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <type_traits>

#include <gtest/gtest.h>

#include "tests/fmi/importer.hpp"

namespace semirec::test {
namespace {

/// States of the standards' machines of co-simulation: Instantiated, Initialization Mode, Step Mode
/// (3.0) or stepComplete (2.0), Terminated, and after an error (Terminated in 3.0, error in 2.0).
enum State { kInstantiated, kInitialization, kStepping, kTerminated, kFailed, kStates };
constexpr int kOk = 0, kError = 3;

template <typename Version>
class FmuRefusals : public testing::Test {
 protected:
  static constexpr int kVersion = Version::value;
  using Car = Importer<kVersion>;

  static const UnpackedFmu& rotor() {
    static const UnpackedFmu fmu(kVersion, "tests/data/rotor.xml",
                                 "tests/data/catch_and_let_go.xml");
    return fmu;
  }
  /// Brings a new instance into a state.
  static void bring(Car& car, State state) {
    ASSERT_NE(car.instance(), nullptr);
    if (state == kInstantiated) return;
    ASSERT_EQ(car.enter(), kOk);
    if (state == kInitialization) return;
    ASSERT_EQ(car.exit(), kOk);
    if (state == kStepping) return;
    if (state == kTerminated) {
      ASSERT_EQ(car.terminate(), kOk);
      return;
    }
    ASSERT_EQ(car.step(-1.0, 1e-3), kError);
  }
};

using Versions = testing::Types<std::integral_constant<int, 3>, std::integral_constant<int, 2>>;
TYPED_TEST_SUITE(FmuRefusals, Versions);

TYPED_TEST(FmuRefusals, AnswerEachFunctionInEachStateAsTheStandardDoes) {
  using Car = typename TestFixture::Car;
  constexpr bool three = TestFixture::kVersion == 3;
  const Description& description = this->rotor().description();
  const std::uint32_t input = description.reference("torque");
  const std::uint32_t parameter = description.reference("start.speed");
  const std::uint32_t output = description.references("output").at(0);
  struct Row {
    const char* name;
    std::array<bool, kStates> allowed;  ///< in the order of State
    std::function<int(Car&)> call;
  };
  double value = 0.0;
  const std::vector<Row> rows{
      {"enter", {true, false, false, false, false}, [](Car& car) { return car.enter(); }},
      {"exit", {false, true, false, false, false}, [](Car& car) { return car.exit(); }},
      {"step", {false, false, true, false, false}, [](Car& car) { return car.step(0.0, 1e-3); }},
      {"terminate", {false, false, true, false, false}, [](Car& car) { return car.terminate(); }},
      {"reset", {true, true, true, true, true}, [](Car& car) { return car.reset(); }},
      {"set an input",
       {true, true, true, false, false},
       [&](Car& car) { return car.set(input, 1.0); }},
      {"set a parameter",
       {true, true, false, false, false},
       [&](Car& car) { return car.set(parameter, 1.0); }},
      {"set an output",
       {false, false, false, false, false},
       [&](Car& car) { return car.set(output, 1.0); }},
      // 3.0 lets start values be read before the initialization, 2.0 does not
      {"get", {three, true, true, true, true}, [&](Car& car) { return car.get(output, value); }},
      {"save",
       {true, true, true, true, true},
       [](Car& car) { return car.saved().empty() ? kError : kOk; }},
      {"restore",
       {true, true, true, true, true},
       [](Car& car) { return car.restore(car.saved()); }},
      {"set logging",
       {true, true, true, true, true},
       [](Car& car) { return car.set_logging(true, {"logStatusError"}); }},
  };
  for (const Row& row : rows)
    for (int state = 0; state < kStates; ++state) {
      Car car(this->rotor());
      this->bring(car, static_cast<State>(state));
      car.clear_log();
      const bool allowed = row.allowed[static_cast<std::size_t>(state)];
      EXPECT_EQ(row.call(car), allowed ? kOk : kError) << row.name << " in state " << state;
      EXPECT_EQ(car.log().empty(), allowed) << row.name << " in state " << state;
      if (allowed) continue;
      EXPECT_EQ(car.log().back().status, kError);
      EXPECT_EQ(car.log().back().category, "logStatusError");
      // an error ends the run; a reset begins another one
      EXPECT_EQ(car.step(0.0, 1e-3), kError);
      EXPECT_EQ(car.reset(), kOk);
      EXPECT_EQ(car.enter(), kOk);
      EXPECT_EQ(car.exit(), kOk);
      EXPECT_EQ(car.step(0.0, 1e-3), kOk);
    }
}

TYPED_TEST(FmuRefusals, AnswerWrongArgumentsAndSetNothing) {
  using Car = typename TestFixture::Car;
  const Description& description = this->rotor().description();
  const std::uint32_t input = description.reference("torque");
  const std::uint32_t nobody = 1000000;
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  double value = 0.0;
  int whole = 0;
  void* foreign = &value;
  const double pair[] = {5.0, kNan};
  const std::uint32_t twice[] = {input, input};
  const std::uint32_t one_of_none[] = {input, nobody};
  const std::vector<std::function<int(Car&)>> calls{
      [&](Car& car) { return car.get(nobody, value); },
      [&](Car& car) { return car.set(nobody, 1.0); },
      [&](Car& car) { return car.get(nullptr, 1, &value); },
      [&](Car& car) { return car.get(&input, 1, nullptr); },
      [&](Car& car) { return car.set(nullptr, 1, &value); },
      [&](Car& car) { return car.set(&input, 1, nullptr); },
      [&](Car& car) { return car.set(input, kNan); },
      [&](Car& car) { return car.set(input, HUGE_VAL); },
      [&](Car& car) { return car.set(twice, 2, pair); },
      [&](Car& car) { return car.set(one_of_none, 2, pair); },
      [&](Car& car) { return car.get_integer(&input, 1, &whole); },
      [&](Car& car) { return car.step(0.0, 0.0); },
      [&](Car& car) { return car.step(0.0, -1e-3); },
      [&](Car& car) { return car.step(0.0, kNan); },
      [&](Car& car) { return car.step(kNan, 1e-3); },
      [&](Car& car) { return car.step(0.0, HUGE_VAL); },
      [&](Car& car) { return car.step(0.0, 1e300); },
      [&](Car& car) { return car.step(0.5e-3, 1e-3); },
      [&](Car& car) { return car.get_state(nullptr); },
      [&](Car& car) { return car.get_state(&foreign); },
      [&](Car& car) { return car.set_state(nullptr); },
      [&](Car& car) { return car.set_state(&value); },
      [&](Car& car) { return car.free_state(&foreign); },
      [&](Car& car) {
        std::size_t size = 0;
        return car.find_size(nullptr, &size);
      },
      [&](Car& car) { return car.deserialize(nullptr, 8, &foreign); },
      [&](Car& car) { return car.set_logging(true, {"no such category"}); },
      [&](Car& car) { return car.set_logging(true, {nullptr}); },
  };
  for (std::size_t k = 0; k < calls.size(); ++k) {
    Car car(this->rotor());
    this->bring(car, kStepping);
    const std::string before = car.saved();
    car.clear_log();
    EXPECT_EQ(calls[k](car), kError) << "call " << k;
    ASSERT_EQ(car.log().size(), 1U) << "call " << k;
    EXPECT_EQ(car.log()[0].message.find('\n'), std::string::npos);
    ASSERT_EQ(car.restore(before), kOk);
    EXPECT_EQ(car.saved(), before) << "call " << k;
    EXPECT_EQ(car.step(0.0, 1e-3), kOk) << "call " << k;
  }
}

TYPED_TEST(FmuRefusals, AnswerANullInstanceWithAnError) {
  typename TestFixture::Car car(this->rotor());
  car.free();
  double value = 0.0;
  void* state = nullptr;
  const std::uint32_t reference = 0;
  EXPECT_EQ(car.enter(), kError);
  EXPECT_EQ(car.exit(), kError);
  EXPECT_EQ(car.step(0.0, 1e-3), kError);
  EXPECT_EQ(car.get(reference, value), kError);
  EXPECT_EQ(car.set(reference, value), kError);
  EXPECT_EQ(car.terminate(), kError);
  EXPECT_EQ(car.reset(), kError);
  EXPECT_EQ(car.get_state(&state), kError);
  EXPECT_EQ(car.set_logging(true, {}), kError);
  car.free();
}

TYPED_TEST(FmuRefusals, RefuseSavedStatesThatAreDamagedOrOfOthers) {
  typename TestFixture::Car car(this->rotor());
  this->bring(car, kStepping);
  const std::string good = car.saved();
  ASSERT_GT(good.size(), 200U);
  void* state = nullptr;
  for (std::size_t at = 0; at < good.size(); at += 7) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x10);
    ASSERT_EQ(car.deserialize(bad.data(), bad.size(), &state), kError) << at;
    ASSERT_EQ(state, nullptr);
  }
  for (std::size_t size = 0; size < good.size(); size += 5)
    ASSERT_EQ(car.deserialize(good.data(), size, &state), kError) << size;
  const UnpackedFmu other(TestFixture::kVersion, "tests/data/rotor.xml",
                          "tests/data/catch_and_let_go.xml", {"blade.mass=3"});
  typename TestFixture::Car heavier(other);
  this->bring(heavier, kStepping);
  EXPECT_EQ(heavier.restore(good), kError);
  // a buffer that is too small
  typename TestFixture::Car third(this->rotor());
  ASSERT_EQ(third.get_state(&state), kOk);
  std::string small(8, '\0');
  EXPECT_EQ(third.serialize(state, small.data(), small.size()), kError);
}

TYPED_TEST(FmuRefusals, MakeNoInstanceOfAnotherFmu) {
  using Car = typename TestFixture::Car;
  const UnpackedFmu fmu(TestFixture::kVersion, "tests/data/rotor.xml",
                        "tests/data/catch_and_let_go.xml");
  const auto refused = [](const Car& car, const char* words) {
    EXPECT_EQ(car.instance(), nullptr);
    ASSERT_EQ(car.log().size(), 1U);
    EXPECT_EQ(car.log()[0].status, kError);
    EXPECT_NE(car.log()[0].message.find(words), std::string::npos) << car.log()[0].message;
    EXPECT_EQ(car.log()[0].message.find('\n'), std::string::npos);
  };
  // said whether logging is on or not
  refused(Car(fmu, false, "another token"), "expected 'semirec-");
  refused(Car(fmu, true, nullptr, "/no/such/folder"), "cannot be read");
  refused(Car(fmu, true, nullptr, "http://example.org/car"), "no path and no URI");
  // a file that has been changed
  const std::string file = fmu.folder() + "/resources/rotor.xml";
  std::ofstream(file, std::ios::app) << "\n";
  refused(Car(fmu), "the instantiation token is");
  std::filesystem::remove(file);
  refused(Car(fmu), "cannot be read");
  std::ofstream(fmu.folder() + "/resources/semirec.txt") << "semirec package 1\nvehicle\nzebra 1\n";
  refused(Car(fmu), "semirec.txt:3");
}

TYPED_TEST(FmuRefusals, LogByCategory) {
  typename TestFixture::Car car(this->rotor(), false);
  ASSERT_NE(car.instance(), nullptr);
  car.step(0.0, 1e-3);
  EXPECT_TRUE(car.log().empty()) << "logging is off";
  ASSERT_EQ(car.set_logging(true, {"logStatusWarning"}), kOk);
  car.step(0.0, 1e-3);
  EXPECT_TRUE(car.log().empty()) << "errors are not asked for";
  for (const std::vector<const char*>& categories :
       {std::vector<const char*>{}, {"logAll"}, {"logStatusWarning", "logStatusError"}}) {
    car.clear_log();
    ASSERT_EQ(car.set_logging(true, categories), kOk);
    EXPECT_EQ(car.step(0.0, 1e-3), kError);
    EXPECT_EQ(car.log().size(), 1U);
  }
  for (const std::string& category : this->rotor().description().categories)
    EXPECT_EQ(car.set_logging(true, {category.c_str()}), kOk) << category;
}

// A step that fails keeps the instance alive: a saved state leads back.
TYPED_TEST(FmuRefusals, ReportAStepThatFails) {
  static const UnpackedFmu fmu(TestFixture::kVersion, "vehicles/models/iltis.xml",
                               "vehicles/scenarios/bump_5.xml");
  typename TestFixture::Car car(fmu);
  this->bring(car, kStepping);
  ASSERT_EQ(car.step(0.0, 0.01), kOk);
  const std::string before = car.saved();
  ASSERT_EQ(car.set(fmu.description().reference("rack"), 1e200), kOk);
  car.clear_log();
  EXPECT_EQ(car.step(0.01, 0.01), kError);
  ASSERT_EQ(car.log().size(), 1U);
  EXPECT_NE(car.log()[0].message.find("failed"), std::string::npos) << car.log()[0].message;
  EXPECT_EQ(car.step(0.01, 0.01), kError);
  ASSERT_EQ(car.restore(before), kOk);
  EXPECT_EQ(car.step(0.01, 0.01), kOk);
}

}  // namespace
}  // namespace semirec::test
