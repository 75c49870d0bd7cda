// FMI 3.0's Event Mode and early return on a mechanism that is caught and let go, against the same
// engine steps one by one.

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "apps/fmi/fmi3.hpp"
#include "tests/fmi/importer.hpp"

namespace semirec::test {
namespace {

/// A function of the FMU's library.
#define FUNCTION(name) (look_up<decltype(&name)>(fmu.library(), #name))

/// Steps from event to event as the standard's state machine has it.
class FmuEvents : public testing::Test {
 protected:
  /// An instance after its initialization.
  fmi3Instance make(bool event_mode, bool early) const {
    const std::string place = fmu.folder() + "/resources/";
    fmi3Instance car = FUNCTION(fmi3InstantiateCoSimulation)(
        "car", fmu.description().token.c_str(), place.c_str(), false, true, event_mode, early,
        nullptr, 0, nullptr, nullptr, nullptr);
    EXPECT_NE(car, nullptr);
    EXPECT_EQ(FUNCTION(fmi3EnterInitializationMode)(car, false, 0.0, 0.0, false, 0.0), kOk);
    EXPECT_EQ(FUNCTION(fmi3ExitInitializationMode)(car), kOk);
    return car;
  }
  struct Answer {
    int status = 0;
    bool event = false, early = false;
    double time = 0.0;
  };
  Answer step(fmi3Instance car, double point, double length) const {
    Answer answer;
    bool terminate = true;
    answer.status = FUNCTION(fmi3DoStep)(car, point, length, true, &answer.event, &terminate,
                                         &answer.early, &answer.time);
    if (answer.status == kOk) EXPECT_FALSE(terminate);
    return answer;
  }
  int update(fmi3Instance car) const {
    bool needed = true, terminate = true, nominals = true, states = true, next = true;
    double time = 0.0;
    const int status = FUNCTION(fmi3UpdateDiscreteStates)(car, &needed, &terminate, &nominals,
                                                          &states, &next, &time);
    if (status == kOk) EXPECT_FALSE(needed || terminate || nominals || states || next);
    return status;
  }
  std::vector<double> read(fmi3Instance car) const {
    const auto outputs = fmu.description().references("output");
    std::vector<double> values(outputs.size());
    EXPECT_EQ(
        FUNCTION(fmi3GetFloat64)(car, outputs.data(), outputs.size(), values.data(), values.size()),
        kOk);
    return values;
  }
  void free(fmi3Instance car) const { FUNCTION(fmi3FreeInstance)(car); }

  const UnpackedFmu fmu{3, "tests/data/rotor.xml", "tests/data/catch_and_let_go.xml"};
};

TEST_F(FmuEvents, EndStepsEarlyAndLeadThroughEventMode) {
  fmi3Instance car = make(true, true);
  // after the initialization comes event mode
  EXPECT_EQ(update(car), kOk);
  ASSERT_EQ(FUNCTION(fmi3EnterStepMode)(car), kOk);
  std::vector<double> times;
  double time = 0.0;
  for (int k = 0; k < 1000 && time < 2.0 - 1e-9; ++k) {
    const double end = 0.1 * std::floor(time / 0.1 + 1.0 + 1e-6);
    const Answer answer = step(car, time, end - time);
    ASSERT_EQ(answer.status, kOk);
    // at its end there may be an event that ended nothing early
    if (answer.early) EXPECT_TRUE(answer.event);
    EXPECT_EQ(answer.early, answer.time < end - 1e-9);
    time = answer.time;
    if (!answer.event) continue;
    times.push_back(time);
    ASSERT_EQ(FUNCTION(fmi3EnterEventMode)(car), kOk);
    ASSERT_EQ(FUNCTION(fmi3EvaluateDiscreteStates)(car), kOk);
    ASSERT_EQ(update(car), kOk);
    ASSERT_EQ(FUNCTION(fmi3EnterStepMode)(car), kOk);
  }
  // the torque of 60 sin(4 pi t) N m rises above 3 at 0.00398 s; then come the scenario's two of
  // time
  ASSERT_GE(times.size(), 4U);
  EXPECT_NEAR(times[0], 0.004, 1e-9);
  EXPECT_NEAR(times[1], 0.01, 1e-9);
  EXPECT_NEAR(times[2], 0.1, 1e-9);
  // expected: the same engine steps one by one, in an instance that knows no event mode
  fmi3Instance plain = make(false, false);
  for (int k = 0; k < 2000; ++k) {
    const Answer answer = step(plain, 1e-3 * k, 1e-3);
    ASSERT_EQ(answer.status, kOk);
    EXPECT_FALSE(answer.event || answer.early);
  }
  EXPECT_EQ(read(car), read(plain));
  free(car);
  free(plain);
}

TEST_F(FmuEvents, DoNotEndAStepUnlessTheImporterAllowsIt) {
  fmi3Instance car = make(true, false);
  ASSERT_EQ(FUNCTION(fmi3EnterStepMode)(car), kOk);
  Answer answer = step(car, 0.0, 0.05);
  EXPECT_EQ(answer.status, kOk);
  EXPECT_TRUE(answer.event);
  EXPECT_FALSE(answer.early);
  EXPECT_NEAR(answer.time, 0.05, 1e-12);
  free(car);
  // early return without event mode: the step ends, and nothing is to be handled
  car = make(false, true);
  answer = step(car, 0.0, 0.05);
  EXPECT_TRUE(answer.early);
  EXPECT_FALSE(answer.event);
  EXPECT_NEAR(answer.time, 0.004, 1e-12);
  EXPECT_EQ(step(car, answer.time, 0.046).status, kOk);
  free(car);
}

TEST_F(FmuEvents, RefuseCallsOutOfTheirMode) {
  const auto fails = [&](const auto& call, bool event_mode, bool stepping) {
    fmi3Instance car = make(event_mode, true);
    if (event_mode && stepping) EXPECT_EQ(FUNCTION(fmi3EnterStepMode)(car), kOk);
    EXPECT_EQ(call(car), kError);
    free(car);
  };
  const auto enter = [&](fmi3Instance car) { return int(FUNCTION(fmi3EnterEventMode)(car)); };
  const auto leave = [&](fmi3Instance car) { return int(FUNCTION(fmi3EnterStepMode)(car)); };
  const auto evaluate = [&](fmi3Instance car) {
    return int(FUNCTION(fmi3EvaluateDiscreteStates)(car));
  };
  const auto advance = [&](fmi3Instance car) { return step(car, 0.0, 1e-3).status; };
  fails(enter, false, true);  // eventModeUsed = false
  fails(enter, true, false);  // it is there already
  fails(leave, true, true);
  fails(evaluate, true, true);
  fails([&](fmi3Instance car) { return update(car); }, true, true);
  fails(advance, true, false);  // a step in event mode
}

TEST_F(FmuEvents, AreSavedWithTheMode) {
  fmi3Instance car = make(true, true);
  ASSERT_EQ(FUNCTION(fmi3EnterStepMode)(car), kOk);
  const Answer first = step(car, 0.0, 0.05);
  ASSERT_EQ(FUNCTION(fmi3EnterEventMode)(car), kOk);
  fmi3FMUState state = nullptr;
  ASSERT_EQ(FUNCTION(fmi3GetFMUState)(car, &state), kOk);
  ASSERT_EQ(FUNCTION(fmi3EnterStepMode)(car), kOk);
  ASSERT_EQ(step(car, first.time, 0.02).status, kOk);
  const std::vector<double> went_on = read(car);
  ASSERT_EQ(FUNCTION(fmi3SetFMUState)(car, state), kOk);
  EXPECT_EQ(update(car), kOk);  // in event mode again
  ASSERT_EQ(FUNCTION(fmi3EnterStepMode)(car), kOk);
  ASSERT_EQ(step(car, first.time, 0.02).status, kOk);
  EXPECT_EQ(read(car), went_on);
  ASSERT_EQ(FUNCTION(fmi3FreeFMUState)(car, &state), kOk);
  free(car);
}

#undef FUNCTION

}  // namespace
}  // namespace semirec::test
