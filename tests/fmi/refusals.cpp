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

#include "apps/fmi/instance.hpp"
#include "tests/fmi/importer.hpp"

namespace semirec::test {
namespace {

/// States of the standards' machines of co-simulation: Instantiated, Initialization Mode, Step Mode
/// (3.0) or stepComplete (2.0), Terminated, and after an error (Terminated in 3.0, error in 2.0).
enum State { kInstantiated, kInitialization, kStepping, kTerminated, kFailed, kStates };

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
  using Tested = typename TestFixture::Car;
  constexpr bool three = TestFixture::kVersion == 3;
  const Description& description = this->rotor().description();
  const std::uint32_t input = description.reference("torque");
  const std::uint32_t parameter = description.reference("start.speed");
  const std::uint32_t output = description.references("output").at(0);
  struct Row {
    const char* name;
    std::array<bool, kStates> allowed;  ///< in the order of State
    std::function<int(Tested&)> call;
  };
  double value = 0.0;
  const std::vector<Row> rows{
      {"enter", {true, false, false, false, false}, [](Tested& car) { return car.enter(); }},
      {"exit", {false, true, false, false, false}, [](Tested& car) { return car.exit(); }},
      {"step", {false, false, true, false, false}, [](Tested& car) { return car.step(0.0, 1e-3); }},
      {"terminate",
       {false, false, true, false, false},
       [](Tested& car) { return car.terminate(); }},
      {"reset", {true, true, true, true, true}, [](Tested& car) { return car.reset(); }},
      {"set an input",
       {true, true, true, false, false},
       [&](Tested& car) { return car.set(input, 1.0); }},
      {"set a parameter",
       {true, true, false, false, false},
       [&](Tested& car) { return car.set(parameter, 1.0); }},
      {"set an output",
       {false, false, false, false, false},
       [&](Tested& car) { return car.set(output, 1.0); }},
      // 3.0 lets start values be read before the initialization, 2.0 does not
      {"get", {three, true, true, true, true}, [&](Tested& car) { return car.get(output, value); }},
      {"derive",
       {false, true, true, true, true},
       [&](Tested& car) { return car.derive_into({output}, {input}, {1.0}, &value); }},
      {"save",
       {true, true, true, true, true},
       [](Tested& car) { return car.saved().empty() ? kError : kOk; }},
      {"restore",
       {true, true, true, true, true},
       [](Tested& car) { return car.restore(car.saved()); }},
      {"set logging",
       {true, true, true, true, true},
       [](Tested& car) { return car.set_logging(true, {"logStatusError"}); }},
  };
  for (const Row& row : rows)
    for (int state = 0; state < kStates; ++state) {
      Tested car(this->rotor());
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
  using Tested = typename TestFixture::Car;
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
  const std::vector<std::function<int(Tested&)>> calls{
      [&](Tested& car) { return car.get(nobody, value); },
      [&](Tested& car) { return car.set(nobody, 1.0); },
      [&](Tested& car) { return car.get(nullptr, 1, &value); },
      [&](Tested& car) { return car.get(&input, 1, nullptr); },
      [&](Tested& car) { return car.set(nullptr, 1, &value); },
      [&](Tested& car) { return car.set(&input, 1, nullptr); },
      [&](Tested& car) { return car.set(input, kNan); },
      [&](Tested& car) { return car.set(input, HUGE_VAL); },
      [&](Tested& car) { return car.set(twice, 2, pair); },
      [&](Tested& car) { return car.set(one_of_none, 2, pair); },
      [&](Tested& car) { return car.get_integer(&input, 1, &whole); },
      [&](Tested& car) { return car.step(0.0, 0.0); },
      [&](Tested& car) { return car.step(0.0, -1e-3); },
      [&](Tested& car) { return car.step(0.0, kNan); },
      [&](Tested& car) { return car.step(kNan, 1e-3); },
      [&](Tested& car) { return car.step(0.0, HUGE_VAL); },
      [&](Tested& car) { return car.step(0.0, 1e300); },
      [&](Tested& car) { return car.step(0.5e-3, 1e-3); },
      [&](Tested& car) { return car.get_state(nullptr); },
      [&](Tested& car) { return car.get_state(&foreign); },
      [&](Tested& car) { return car.set_state(nullptr); },
      [&](Tested& car) { return car.set_state(&value); },
      [&](Tested& car) { return car.free_state(&foreign); },
      [&](Tested& car) {
        std::size_t size = 0;
        return car.find_size(nullptr, &size);
      },
      [&](Tested& car) { return car.deserialize(nullptr, 8, &foreign); },
      [&](Tested& car) {
        void* none = nullptr;
        return car.deserialize("", 0, &none);
      },
      [&](Tested& car) { return car.set_logging(true, {"no such category"}); },
      [&](Tested& car) { return car.set_logging(true, {nullptr}); },
  };
  for (std::size_t k = 0; k < calls.size(); ++k) {
    Tested car(this->rotor());
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
  using Tested = typename TestFixture::Car;
  const UnpackedFmu fmu(TestFixture::kVersion, "tests/data/rotor.xml",
                        "tests/data/catch_and_let_go.xml");
  const auto refused = [](const Tested& car, const char* words) {
    EXPECT_EQ(car.instance(), nullptr);
    ASSERT_EQ(car.log().size(), 1U);
    EXPECT_EQ(car.log()[0].status, kError);
    EXPECT_NE(car.log()[0].message.find(words), std::string::npos) << car.log()[0].message;
    EXPECT_EQ(car.log()[0].message.find('\n'), std::string::npos);
  };
  // said whether logging is on or not
  refused(Tested(fmu, false, "another token"), "expected 'semirec-");
  refused(Tested(fmu, true, nullptr, "/no/such/folder"), "cannot be read");
  refused(Tested(fmu, true, nullptr, "http://example.org/car"), "no path and no URI");
  // a file that has been changed
  const std::string file = fmu.folder() + "/resources/rotor.xml";
  std::ofstream(file, std::ios::app) << "\n";
  refused(Tested(fmu), "the instantiation token is");
  std::filesystem::remove(file);
  refused(Tested(fmu), "cannot be read");
  std::ofstream(fmu.folder() + "/resources/semirec.txt") << "semirec package 1\nvehicle\nzebra 1\n";
  refused(Tested(fmu), "semirec.txt:3");
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

// what the importer's handle held before does not matter: bytes become a state of their own
TYPED_TEST(FmuRefusals, ReadBytesIntoAHandleThatWasNeverSet) {
  typename TestFixture::Car car(this->rotor());
  this->bring(car, kStepping);
  const std::string saved = car.saved();
  int anything = 0;
  void* state = &anything;
  ASSERT_EQ(car.deserialize(saved.data(), saved.size(), &state), kOk);
  EXPECT_NE(state, &anything);
  EXPECT_EQ(car.set_state(state), kOk);
  EXPECT_EQ(car.free_state(&state), kOk);
}

// `#n#` in a message is a variable, `##` the sign
TEST(FmuMessages, HaveTheSignOfAReferenceTwice) {
  EXPECT_EQ(semirec::fmi::without_references("/a#1/b: #"), "/a##1/b: ##");
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

/// The library of a version.
void* library_of(int version) {
  static const UnpackedFmu three(3, "tests/data/rotor.xml", "");
  static const UnpackedFmu two(2, "tests/data/rotor.xml", "");
  return (version == 3 ? three : two).library();
}

#define CALL3(name, ...) (look_up<decltype(&name)>(library_of(3), #name)(__VA_ARGS__))
#define CALL2(name, ...) (look_up<decltype(&name)>(library_of(2), #name)(__VA_ARGS__))

TEST(FmuAbsent, FunctionsOfVersionThreeAnswerAnError) {
  const std::uint32_t reference = 0;
  std::size_t size = 0;
  fmi3Binary binary = nullptr;
  bool flag = false;
  float single = 0.0F;
  double number = 0.0;
  std::uint64_t counter = 0;
  std::int32_t order = 1;
  const char* text = "";
  std::uint8_t byte = 0;
  fmi3IntervalQualifier qualifier{};
  fmi3DependencyKind kind{};
  // each row: with `n` things asked for
  using Call = std::function<int(void*, std::size_t)>;
  const std::vector<Call> of_variables{
      [&](void* c, std::size_t n) { return CALL3(fmi3GetFloat32, c, &reference, n, &single, n); },
      [&](void* c, std::size_t n) { return CALL3(fmi3SetFloat32, c, &reference, n, &single, n); },
      [&](void* c, std::size_t n) { return CALL3(fmi3GetInt32, c, &reference, n, &order, n); },
      [&](void* c, std::size_t n) { return CALL3(fmi3SetInt32, c, &reference, n, &order, n); },
      [&](void* c, std::size_t n) { return CALL3(fmi3GetUInt8, c, &reference, n, &byte, n); },
      [&](void* c, std::size_t n) { return CALL3(fmi3SetUInt8, c, &reference, n, &byte, n); },
      [&](void* c, std::size_t n) { return CALL3(fmi3GetUInt64, c, &reference, n, &counter, n); },
      [&](void* c, std::size_t n) { return CALL3(fmi3SetUInt64, c, &reference, n, &counter, n); },
      [&](void* c, std::size_t n) { return CALL3(fmi3GetBoolean, c, &reference, n, &flag, n); },
      [&](void* c, std::size_t n) { return CALL3(fmi3SetBoolean, c, &reference, n, &flag, n); },
      [&](void* c, std::size_t n) { return CALL3(fmi3GetString, c, &reference, n, &text, n); },
      [&](void* c, std::size_t n) { return CALL3(fmi3SetString, c, &reference, n, &text, n); },
      [&](void* c, std::size_t n) {
        return CALL3(fmi3GetBinary, c, &reference, n, &size, &binary, n);
      },
      [&](void* c, std::size_t n) {
        return CALL3(fmi3SetBinary, c, &reference, n, &size, &binary, n);
      },
      [&](void* c, std::size_t n) { return CALL3(fmi3GetClock, c, &reference, n, &flag); },
      [&](void* c, std::size_t n) { return CALL3(fmi3SetClock, c, &reference, n, &flag); },
      [&](void* c, std::size_t n) {
        return CALL3(fmi3GetIntervalDecimal, c, &reference, n, &number, &qualifier);
      },
      [&](void* c, std::size_t n) {
        return CALL3(fmi3GetIntervalFraction, c, &reference, n, &counter, &counter, &qualifier);
      },
      [&](void* c, std::size_t n) { return CALL3(fmi3GetShiftDecimal, c, &reference, n, &number); },
      [&](void* c, std::size_t n) {
        return CALL3(fmi3GetShiftFraction, c, &reference, n, &counter, &counter);
      },
      [&](void* c, std::size_t n) {
        return CALL3(fmi3SetIntervalDecimal, c, &reference, n, &number);
      },
      [&](void* c, std::size_t n) {
        return CALL3(fmi3SetIntervalFraction, c, &reference, n, &counter, &counter);
      },
      [&](void* c, std::size_t n) { return CALL3(fmi3SetShiftDecimal, c, &reference, n, &number); },
      [&](void* c, std::size_t n) {
        return CALL3(fmi3SetShiftFraction, c, &reference, n, &counter, &counter);
      },
      [&](void* c, std::size_t n) {
        return CALL3(fmi3GetOutputDerivatives, c, &reference, n, &order, &number, n);
      },
  };
  const std::vector<Call> never{
      [&](void* c, std::size_t) { return CALL3(fmi3EnterEventMode, c); },
      [&](void* c, std::size_t) { return CALL3(fmi3EnterStepMode, c); },
      [&](void* c, std::size_t) { return CALL3(fmi3EnterConfigurationMode, c); },
      [&](void* c, std::size_t) { return CALL3(fmi3ExitConfigurationMode, c); },
      [&](void* c, std::size_t) { return CALL3(fmi3EvaluateDiscreteStates, c); },
      [&](void* c, std::size_t) {
        return CALL3(fmi3UpdateDiscreteStates, c, &flag, &flag, &flag, &flag, &flag, &number);
      },
      [&](void* c, std::size_t n) {
        return CALL3(fmi3GetAdjointDerivative, c, &reference, n, &reference, n, &number, n, &number,
                     n);
      },
      [&](void* c, std::size_t) {
        return CALL3(fmi3GetNumberOfVariableDependencies, c, reference, &size);
      },
      [&](void* c, std::size_t) {
        std::uint32_t other = 0;
        return CALL3(fmi3GetVariableDependencies, c, reference, &size, &other, &size, &kind, 1);
      },
  };
  const UnpackedFmu fmu(3, "tests/data/rotor.xml", "");
  Importer<3> car(fmu);
  ASSERT_EQ(car.enter(), kOk);
  ASSERT_EQ(car.exit(), kOk);
  const std::string start = car.saved();
  const auto expect = [&](const Call& call, std::size_t asked, int status) {
    ASSERT_EQ(car.restore(start), kOk);
    car.clear_log();
    EXPECT_EQ(call(car.instance(), asked), status);
    EXPECT_EQ(car.log().size(), status == kOk ? 0U : 1U);
    EXPECT_EQ(call(nullptr, asked), kError);
  };
  for (std::size_t k = 0; k < of_variables.size(); ++k) {
    SCOPED_TRACE(k);
    expect(of_variables[k], 0, kOk);
    expect(of_variables[k], 1, kError);
  }
  for (std::size_t k = 0; k < never.size(); ++k) {
    SCOPED_TRACE(k);
    expect(never[k], 1, kError);
  }
  Log log;
  const auto note = [](void* environment, fmi3Status status, const char* category,
                       const char* message) {
    static_cast<Log*>(environment)->push_back({status, category, message});
  };
  const std::string token = fmu.description().token;
  const std::string place = fmu.folder() + "/resources/";
  EXPECT_EQ(CALL3(fmi3InstantiateModelExchange, "car", token.c_str(), place.c_str(), false, true,
                  &log, note),
            nullptr);
  EXPECT_EQ(CALL3(fmi3InstantiateScheduledExecution, "car", token.c_str(), place.c_str(), false,
                  true, &log, note, nullptr, nullptr, nullptr),
            nullptr);
  // intermediate variables are not there to be used
  EXPECT_EQ(CALL3(fmi3InstantiateCoSimulation, "car", token.c_str(), place.c_str(), false, true,
                  false, false, &reference, 1, &log, note, nullptr),
            nullptr);
  EXPECT_EQ(log.size(), 3U);
  for (const char* name : {"", static_cast<const char*>(nullptr)})
    EXPECT_EQ(CALL3(fmi3InstantiateCoSimulation, name, token.c_str(), place.c_str(), false, true,
                    false, false, nullptr, 0, nullptr, nullptr, nullptr),
              nullptr);
  EXPECT_EQ(CALL3(fmi3InstantiateCoSimulation, "car", nullptr, nullptr, false, true, false, false,
                  nullptr, 0, nullptr, nullptr, nullptr),
            nullptr);
  EXPECT_STREQ(CALL3(fmi3GetVersion), "3.0");
}

TEST(FmuAbsent, FunctionsOfVersionTwoAnswerAnErrorOrDiscard) {
  const std::uint32_t reference = 0;
  int whole = 1;
  double number = 0.0;
  const char* text = "";
  fmi2Status status{};
  constexpr int kDiscard = 2;
  using Call = std::function<int(void*, std::size_t)>;
  struct Row {
    Call call;
    int asked, nothing;  ///< answers with one thing asked for, and with none
  };
  const std::vector<Row> rows{
      {[&](void* c, std::size_t n) { return CALL2(fmi2GetInteger, c, &reference, n, &whole); },
       kError, kOk},
      {[&](void* c, std::size_t n) { return CALL2(fmi2SetInteger, c, &reference, n, &whole); },
       kError, kOk},
      {[&](void* c, std::size_t n) { return CALL2(fmi2GetBoolean, c, &reference, n, &whole); },
       kError, kOk},
      {[&](void* c, std::size_t n) { return CALL2(fmi2SetBoolean, c, &reference, n, &whole); },
       kError, kOk},
      {[&](void* c, std::size_t n) { return CALL2(fmi2GetString, c, &reference, n, &text); },
       kError, kOk},
      {[&](void* c, std::size_t n) { return CALL2(fmi2SetString, c, &reference, n, &text); },
       kError, kOk},
      {[&](void* c, std::size_t n) {
         return CALL2(fmi2SetRealInputDerivatives, c, &reference, n, &whole, &number);
       },
       kError, kOk},
      {[&](void* c, std::size_t n) {
         return CALL2(fmi2GetRealOutputDerivatives, c, &reference, n, &whole, &number);
       },
       kError, kOk},
      {[&](void* c, std::size_t) { return CALL2(fmi2CancelStep, c); }, kError, kError},
      {[&](void* c, std::size_t n) {
         return CALL2(fmi2GetStatus, c, fmi2DoStepStatus, n == 0 ? nullptr : &status);
       },
       kDiscard, kError},
      {[&](void* c, std::size_t n) {
         return CALL2(fmi2GetRealStatus, c, fmi2LastSuccessfulTime, n == 0 ? nullptr : &number);
       },
       kOk, kError},
      {[&](void* c, std::size_t n) {
         return CALL2(fmi2GetBooleanStatus, c, fmi2Terminated, n == 0 ? nullptr : &whole);
       },
       kOk, kError},
      {[&](void* c, std::size_t n) {
         return CALL2(fmi2GetIntegerStatus, c, fmi2PendingStatus, n == 0 ? nullptr : &whole);
       },
       kDiscard, kError},
      {[&](void* c, std::size_t n) {
         return CALL2(fmi2GetStringStatus, c, fmi2PendingStatus, n == 0 ? nullptr : &text);
       },
       kDiscard, kError},
  };
  const UnpackedFmu fmu(2, "tests/data/rotor.xml", "");
  Importer<2> car(fmu);
  ASSERT_EQ(car.enter(2.0), kOk);
  ASSERT_EQ(car.exit(), kOk);
  ASSERT_EQ(car.step(2.0, 0.5), kOk);
  const std::string start = car.saved();
  for (std::size_t k = 0; k < rows.size(); ++k) {
    EXPECT_EQ(rows[k].call(car.instance(), 1), rows[k].asked) << "row " << k;
    ASSERT_EQ(car.restore(start), kOk);
    EXPECT_EQ(rows[k].call(car.instance(), 0), rows[k].nothing) << "row " << k;
    ASSERT_EQ(car.restore(start), kOk);
    EXPECT_EQ(rows[k].call(nullptr, 1), kError) << "row " << k;
  }
  EXPECT_DOUBLE_EQ(number, 2.5) << "the last successful time";
  EXPECT_EQ(whole, 0) << "not terminated by itself";
  EXPECT_STREQ(CALL2(fmi2GetVersion), "2.0");
  EXPECT_STREQ(CALL2(fmi2GetTypesPlatform), "default");
  EXPECT_EQ(CALL2(fmi2Instantiate, "car", fmi2CoSimulation, "", "", nullptr, 0, 0), nullptr);
}

}  // namespace
}  // namespace semirec::test
