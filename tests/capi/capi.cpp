// The C interface: what it answers, that it computes what a Session computes, and that it is fit
// for a control loop.

#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <limits>
#include <memory>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "apps/capi/semirec.h"
#include "tests/capi/cars.hpp"
#include "tests/support/heap_guard.hpp"
#include "tests/support/sessions.hpp"
#include "tests/support/strict_mode.hpp"

namespace semirec::test {
namespace {

const std::string kIltis = kRoot + "vehicles/models/iltis.xml";
const std::string kBump = kRoot + "vehicles/scenarios/bump_5.xml";
const std::string kRotor = kRoot + "tests/data/rotor.xml";
const std::string kCatch = kRoot + "tests/data/catch_and_let_go.xml";

constexpr semirec_options kOptions{sizeof(semirec_options), 1e-3, 2, 0};

Car make_car(const std::string& vehicle, const std::string& scenario,
             const semirec_options& options = kOptions) {
  semirec_car* car = nullptr;
  EXPECT_EQ(semirec_create(vehicle.c_str(), scenario.c_str(), &options, &car), SEMIREC_OK)
      << semirec_create_error();
  return Car(car);
}

double steer(int k) { return 0.01 * std::sin(0.003 * k); }

TEST(CInterface, ComputesTheBitsOfASession) {
  const Car car = make_car(kIltis, kBump);
  const auto session = make_session("vehicles/models/iltis.xml", "vehicles/scenarios/bump_5.xml");
  const int rack = semirec_find_input(car.get(), "rack");
  ASSERT_EQ(rack, session->find_input("rack"));
  for (int k = 0; k < 2000; ++k) {
    ASSERT_EQ(semirec_set_input(car.get(), rack, steer(k)), SEMIREC_OK);
    ASSERT_EQ(semirec_step(car.get()), SEMIREC_OK);
    session->set_input(rack, steer(k));
    session->step();
  }
  std::vector<double> expected(session->outputs().size());
  session->read_outputs(expected.data());
  EXPECT_EQ(outputs(car.get()), expected);
  EXPECT_EQ(semirec_time(car.get()), session->time());
  for (std::size_t k = 0; k < expected.size(); ++k) {
    const int index = static_cast<int>(k);
    double value = 0.0;
    ASSERT_EQ(semirec_get_output(car.get(), index, &value), SEMIREC_OK);
    EXPECT_EQ(value, expected[k]);
    EXPECT_EQ(semirec_output_name(car.get(), index), session->outputs()[k].name);
    EXPECT_EQ(semirec_output_unit(car.get(), index), session->outputs()[k].unit);
    EXPECT_EQ(semirec_find_output(car.get(), semirec_output_name(car.get(), index)), index);
  }
  std::vector<std::byte> bytes(session->saved_size());
  session->save(bytes.data());
  const std::vector<unsigned char> own = saved(car.get());
  ASSERT_EQ(own.size(), bytes.size());
  EXPECT_EQ(std::memcmp(own.data(), bytes.data(), own.size()), 0);
}

TEST(CInterface, GivesChosenOutputsTheBitsOfAll) {
  const Car car = make_car(kIltis, kBump);
  ASSERT_EQ(semirec_steps(car.get(), 300), SEMIREC_OK);
  const std::vector<double> all = outputs(car.get());
  const int count = semirec_output_count(car.get());
  const std::vector<int> chosen{count - 1, 0, 17, count / 2, 17};
  ASSERT_EQ(semirec_choose_outputs(car.get(), chosen.data(), 5), SEMIREC_OK);
  std::vector<double> values(chosen.size());
  ASSERT_EQ(semirec_get_chosen_outputs(car.get(), values.data(), 5), SEMIREC_OK);
  for (std::size_t k = 0; k < chosen.size(); ++k)
    EXPECT_EQ(values[k], all[static_cast<std::size_t>(chosen[k])]) << k;
  // what is refused leaves the choice as it was
  const int beyond[] = {0, count};
  EXPECT_EQ(semirec_choose_outputs(car.get(), beyond, 2), SEMIREC_NO_SUCH_INDEX);
  EXPECT_EQ(semirec_choose_outputs(car.get(), nullptr, 1), SEMIREC_NULL_ARGUMENT);
  EXPECT_EQ(semirec_choose_outputs(car.get(), chosen.data(), -1), SEMIREC_WRONG_SIZE);
  EXPECT_EQ(semirec_choose_outputs(nullptr, chosen.data(), 5), SEMIREC_NULL_ARGUMENT);
  EXPECT_EQ(semirec_get_chosen_outputs(car.get(), values.data(), 4), SEMIREC_WRONG_SIZE);
  EXPECT_EQ(semirec_get_chosen_outputs(car.get(), nullptr, 5), SEMIREC_NULL_ARGUMENT);
  EXPECT_EQ(semirec_get_chosen_outputs(nullptr, values.data(), 5), SEMIREC_NULL_ARGUMENT);
  EXPECT_EQ(semirec_get_chosen_outputs(car.get(), values.data(), 5), SEMIREC_OK);
}

TEST(CInterface, GivesInputsTheUnitOfWhatReadsThem) {
  const auto unit = [](const Car& car, const char* name) {
    const char* text = semirec_input_unit(car.get(), semirec_find_input(car.get(), name));
    return std::string(text == nullptr ? "none" : text);
  };
  const Car iltis = make_car(kIltis, kRoot + "vehicles/scenarios/ramp_and_stairs.xml");
  EXPECT_EQ(unit(iltis, "rack"), "m");
  EXPECT_EQ(unit(iltis, "speed_hold_x"), "m");
  const Car car26 =
      make_car(kRoot + "vehicles/models/car26.xml", kRoot + "vehicles/scenarios/shaker.xml");
  EXPECT_EQ(unit(car26, "excitation_wheel_fl"), "m");
  const Car rotor = make_car(kRotor, kCatch);
  EXPECT_EQ(unit(rotor, "torque"), "N m");
}

TEST(CInterface, AnswersNullAndWrongArgumentsWithAStatus) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  double value = 0.0;
  semirec_report report{};
  report.size = sizeof(report);
  unsigned char byte = 0;
  // no handle
  EXPECT_EQ(semirec_input_count(nullptr), -1);
  EXPECT_EQ(semirec_output_count(nullptr), -1);
  EXPECT_EQ(semirec_input_name(nullptr, 0), nullptr);
  EXPECT_EQ(semirec_input_unit(nullptr, 0), nullptr);
  EXPECT_EQ(semirec_output_name(nullptr, 0), nullptr);
  EXPECT_EQ(semirec_output_unit(nullptr, 0), nullptr);
  EXPECT_EQ(semirec_find_input(nullptr, "rack"), -1);
  EXPECT_EQ(semirec_find_output(nullptr, "time"), -1);
  EXPECT_EQ(semirec_set_input(nullptr, 0, 0.0), SEMIREC_NULL_ARGUMENT);
  EXPECT_EQ(semirec_set_input_rates(nullptr, 0, 0.0, 0.0, 0.0), SEMIREC_NULL_ARGUMENT);
  EXPECT_EQ(semirec_release_input(nullptr, 0), SEMIREC_NULL_ARGUMENT);
  EXPECT_EQ(semirec_set_controller(nullptr, nullptr, nullptr), SEMIREC_NULL_ARGUMENT);
  EXPECT_EQ(semirec_step(nullptr), SEMIREC_NULL_ARGUMENT);
  EXPECT_EQ(semirec_steps(nullptr, 1), SEMIREC_NULL_ARGUMENT);
  EXPECT_TRUE(std::isnan(semirec_time(nullptr)));
  EXPECT_TRUE(std::isnan(semirec_step_size(nullptr)));
  EXPECT_EQ(semirec_get_report(nullptr, &report), SEMIREC_NULL_ARGUMENT);
  EXPECT_EQ(semirec_get_outputs(nullptr, &value, 1), SEMIREC_NULL_ARGUMENT);
  EXPECT_EQ(semirec_get_output(nullptr, 0, &value), SEMIREC_NULL_ARGUMENT);
  EXPECT_EQ(semirec_saved_size(nullptr), 0U);
  EXPECT_EQ(semirec_save(nullptr, &byte, 1), SEMIREC_NULL_ARGUMENT);
  EXPECT_EQ(semirec_restore(nullptr, &byte, 1), SEMIREC_NULL_ARGUMENT);
  EXPECT_NE(semirec_last_error(nullptr), nullptr);
  EXPECT_EQ(semirec_note_count(nullptr), -1);
  EXPECT_EQ(semirec_note(nullptr, 0), nullptr);
  semirec_destroy(nullptr);

  const Car owner = make_car(kRotor, kCatch);
  semirec_car* car = owner.get();
  ASSERT_EQ(semirec_steps(car, 20), SEMIREC_OK);
  EXPECT_STREQ(semirec_last_error(car), "");
  const std::vector<unsigned char> before = saved(car);
  // wrong indices
  for (const int index : {-1, semirec_input_count(car), std::numeric_limits<int>::min()}) {
    EXPECT_EQ(semirec_set_input(car, index, 0.0), SEMIREC_NO_SUCH_INDEX);
    EXPECT_EQ(semirec_set_input_rates(car, index, 0.0, 0.0, 0.0), SEMIREC_NO_SUCH_INDEX);
    EXPECT_EQ(semirec_release_input(car, index), SEMIREC_NO_SUCH_INDEX);
    EXPECT_EQ(semirec_input_name(car, index), nullptr);
    EXPECT_EQ(semirec_input_unit(car, index), nullptr);
  }
  for (const int index : {-1, semirec_output_count(car), std::numeric_limits<int>::max()}) {
    EXPECT_EQ(semirec_get_output(car, index, &value), SEMIREC_NO_SUCH_INDEX);
    EXPECT_EQ(semirec_output_name(car, index), nullptr);
    EXPECT_EQ(semirec_output_unit(car, index), nullptr);
  }
  // the grip holds the blade along itself, as its pin does
  ASSERT_EQ(semirec_note_count(car), 1);
  EXPECT_NE(std::string(semirec_note(car, 0)).find("one of many ways: 'grip'"), std::string::npos);
  for (const int index : {-1, 1, std::numeric_limits<int>::max()})
    EXPECT_EQ(semirec_note(car, index), nullptr);
  EXPECT_STREQ(semirec_last_error(car), semirec_status_text(SEMIREC_NO_SUCH_INDEX));
  // numbers that are none
  for (const double bad : {kNan, HUGE_VAL, -HUGE_VAL}) {
    EXPECT_EQ(semirec_set_input(car, 0, bad), SEMIREC_NOT_FINITE);
    EXPECT_EQ(semirec_set_input_rates(car, 0, 0.0, bad, 0.0), SEMIREC_NOT_FINITE);
    EXPECT_EQ(semirec_set_input_rates(car, 0, 0.0, 0.0, bad), SEMIREC_NOT_FINITE);
  }
  // names, buffers, sizes
  EXPECT_EQ(semirec_find_input(car, nullptr), -1);
  EXPECT_EQ(semirec_find_output(car, nullptr), -1);
  EXPECT_EQ(semirec_find_input(car, "no such"), -1);
  EXPECT_EQ(semirec_get_outputs(car, nullptr, semirec_output_count(car)), SEMIREC_NULL_ARGUMENT);
  EXPECT_EQ(semirec_get_outputs(car, &value, 1), SEMIREC_WRONG_SIZE);
  EXPECT_EQ(semirec_get_output(car, 0, nullptr), SEMIREC_NULL_ARGUMENT);
  EXPECT_EQ(semirec_get_report(car, nullptr), SEMIREC_NULL_ARGUMENT);
  report.size = 0;
  EXPECT_EQ(semirec_get_report(car, &report), SEMIREC_WRONG_SIZE);
  EXPECT_EQ(semirec_steps(car, -1), SEMIREC_WRONG_SIZE);
  EXPECT_EQ(semirec_steps(car, 0), SEMIREC_OK);
  EXPECT_EQ(semirec_save(car, nullptr, before.size()), SEMIREC_NULL_ARGUMENT);
  EXPECT_EQ(semirec_save(car, &byte, 1), SEMIREC_WRONG_SIZE);
  EXPECT_EQ(semirec_restore(car, nullptr, before.size()), SEMIREC_NULL_ARGUMENT);
  EXPECT_EQ(semirec_restore(car, before.data(), before.size() - 1), SEMIREC_WRONG_SIZE);
  // nothing of all this has changed the car
  EXPECT_EQ(saved(car), before);
}

TEST(CInterface, SaysInOneLineWhyACarCannotBeMade) {
  const auto refused = [](const std::string& vehicle, const std::string& scenario,
                          const semirec_options& options, const std::string& words) {
    semirec_car* car = reinterpret_cast<semirec_car*>(&car);
    EXPECT_EQ(semirec_create(vehicle.c_str(), scenario.c_str(), &options, &car), SEMIREC_BAD_INPUT);
    EXPECT_EQ(car, nullptr);
    const std::string text = semirec_create_error();
    EXPECT_NE(text.find(words), std::string::npos) << text;
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
  };
  refused(kRoot + "no_such.xml", kCatch, kOptions, "no_such.xml: cannot be read");
  refused(kRoot + "tests/data/broken/mass_with_unit.xml", kCatch, kOptions,
          "mass_with_unit.xml:3: element 'bob': attribute 'mass' is '12 kg'");
  for (const double step : {-1e-3, 2.0, std::numeric_limits<double>::quiet_NaN()})
    refused(kRotor, kCatch, {sizeof(semirec_options), step, 2, 0}, "expected a step above 0");
  refused(kRotor, kCatch, {sizeof(semirec_options), 1e-3, -1, 0}, "expected 1 to 100");

  semirec_car* car = nullptr;
  EXPECT_EQ(semirec_create(nullptr, kCatch.c_str(), nullptr, &car), SEMIREC_NULL_ARGUMENT);
  EXPECT_EQ(semirec_create(kRotor.c_str(), nullptr, nullptr, &car), SEMIREC_NULL_ARGUMENT);
  EXPECT_EQ(semirec_create(kRotor.c_str(), kCatch.c_str(), nullptr, nullptr),
            SEMIREC_NULL_ARGUMENT);
  const semirec_options no_size{0, 1e-3, 2, 0};
  EXPECT_EQ(semirec_create(kRotor.c_str(), kCatch.c_str(), &no_size, &car), SEMIREC_WRONG_SIZE);
  // each thread has its own
  EXPECT_STRNE(semirec_create_error(), "");
  std::string elsewhere = "not asked";
  std::thread([&] { elsewhere = semirec_create_error(); }).join();
  EXPECT_EQ(elsewhere, "");
  const Car good = make_car(kRotor, kCatch);
  EXPECT_STREQ(semirec_create_error(), "");
}

TEST(CInterface, TakesOptionsOfAnOlderHeaderAndTheDefaults) {
  // the scenario's own step is 0.001 s; a header that ended after `step` would give 16 bytes
  EXPECT_EQ(semirec_step_size(make_car(kRotor, kCatch, {sizeof(semirec_options), 0, 0, 0}).get()),
            1e-3);
  const Car old = make_car(kRotor, kCatch, {offsetof(semirec_options, iterations), 2e-3, 50, 0});
  EXPECT_EQ(semirec_step_size(old.get()), 2e-3);
  semirec_report report{};
  report.size = offsetof(semirec_report, correction);
  report.closure_error = 7.0;
  ASSERT_EQ(semirec_step(old.get()), SEMIREC_OK);
  ASSERT_EQ(semirec_get_report(old.get(), &report), SEMIREC_OK);
  EXPECT_EQ(report.iterations, 2);
  EXPECT_EQ(report.closure_error, 7.0) << "a member beyond the given size";
}

TEST(CInterface, ReportsAStepThatFailsAndKeepsTheState) {
  const Car owner = make_car(kIltis, kBump);
  semirec_car* car = owner.get();
  ASSERT_EQ(semirec_steps(car, 10), SEMIREC_OK);
  semirec_report report{};
  report.size = sizeof(report);
  ASSERT_EQ(semirec_get_report(car, &report), SEMIREC_OK);
  EXPECT_EQ(report.settled, 1);
  const int rack = semirec_find_input(car, "rack");
  const double time = semirec_time(car);
  const std::vector<double> before = outputs(car);
  ASSERT_EQ(semirec_set_input(car, rack, 1e200), SEMIREC_OK);
  const int status = semirec_steps(car, 5);
  EXPECT_GE(status, SEMIREC_NOT_POSITIVE_DEFINITE);
  EXPECT_LE(status, SEMIREC_STEP_FAILED);
  ASSERT_EQ(semirec_get_report(car, &report), SEMIREC_OK);
  EXPECT_EQ(report.status, status);
  EXPECT_EQ(report.settled, 0);
  EXPECT_STREQ(semirec_last_error(car), semirec_status_text(status));
  EXPECT_EQ(semirec_time(car), time);
  EXPECT_EQ(outputs(car), before);
  ASSERT_EQ(semirec_release_input(car, rack), SEMIREC_OK);
  EXPECT_EQ(semirec_steps(car, 10), SEMIREC_OK);
}

TEST(CInterface, CallsAControllerAtEveryStep) {
  const Car owner = make_car(kRotor, kCatch);
  const Car same = make_car(kRotor, kCatch);
  struct Seen {
    int calls = 0;
    int count = 0;
    double last = -1.0;
  } seen;
  const auto control = [](void* user, semirec_car* car, const double* outputs, int count) {
    auto* self = static_cast<Seen*>(user);
    ++self->calls;
    self->count = count;
    self->last = outputs[0];
    semirec_set_input(car, 0, 0.5);
  };
  ASSERT_EQ(semirec_set_controller(owner.get(), control, &seen), SEMIREC_OK);
  ASSERT_EQ(semirec_steps(owner.get(), 10), SEMIREC_OK);
  EXPECT_EQ(seen.calls, 10);
  EXPECT_EQ(seen.count, semirec_output_count(owner.get()));
  EXPECT_NEAR(seen.last, 0.009, 1e-12);  // the state at the last step's begin
  ASSERT_EQ(semirec_set_controller(owner.get(), nullptr, nullptr), SEMIREC_OK);
  ASSERT_EQ(semirec_steps(owner.get(), 10), SEMIREC_OK);
  EXPECT_EQ(seen.calls, 10);
  // the same inputs from outside give the same bits
  for (int k = 0; k < 20; ++k) {
    if (k < 10) {
      ASSERT_EQ(semirec_set_input(same.get(), 0, 0.5), SEMIREC_OK);
    }
    ASSERT_EQ(semirec_step(same.get()), SEMIREC_OK);
  }
  EXPECT_EQ(saved(owner.get()), saved(same.get()));
}

TEST(CInterface, RestoresASavedStateAndRefusesOthers) {
  const Car owner = make_car(kRotor, kCatch);
  semirec_car* car = owner.get();
  ASSERT_EQ(semirec_steps(car, 400), SEMIREC_OK);
  std::vector<unsigned char> middle = saved(car);
  ASSERT_EQ(semirec_steps(car, 400), SEMIREC_OK);
  const std::vector<unsigned char> end = saved(car);
  ASSERT_EQ(semirec_restore(car, middle.data(), middle.size()), SEMIREC_OK);
  ASSERT_EQ(semirec_steps(car, 400), SEMIREC_OK);
  EXPECT_EQ(saved(car), end);
  const Car other = make_car(kRotor, kCatch, {sizeof(semirec_options), 2e-3, 2, 0});
  EXPECT_EQ(semirec_restore(other.get(), middle.data(), middle.size()), SEMIREC_OTHER_MODEL);
  middle[100] ^= 1;
  EXPECT_EQ(semirec_restore(car, middle.data(), middle.size()), SEMIREC_CORRUPT);
  middle[0] ^= 1;
  EXPECT_EQ(semirec_restore(car, middle.data(), middle.size()), SEMIREC_NOT_A_STATE);
  EXPECT_EQ(saved(car), end);
}

TEST(CInterface, DrivesCarsInSeveralThreadsAsAlone) {
  const auto drive = [] {
    const Car car = make_car(kIltis, kBump);
    const int rack = semirec_find_input(car.get(), "rack");
    for (int k = 0; k < 1000; ++k) {
      semirec_set_input(car.get(), rack, steer(k));
      if (semirec_step(car.get()) != SEMIREC_OK) break;
    }
    return saved(car.get());
  };
  const std::vector<unsigned char> alone = drive();
  std::array<std::vector<unsigned char>, 4> together;
  std::vector<std::thread> threads;
  for (auto& result : together) threads.emplace_back([&] { result = drive(); });
  for (std::thread& thread : threads) thread.join();
  for (const auto& result : together) EXPECT_EQ(result, alone);
}

/// One turn of a control loop.
bool turn(semirec_car* car, int input, int k, std::vector<double>& values,
          std::vector<unsigned char>& bytes) {
  bool good =
      (input < 0 || semirec_set_input(car, input, steer(k)) == SEMIREC_OK) &&
      semirec_step(car) == SEMIREC_OK &&
      semirec_get_outputs(car, values.data(), static_cast<int>(values.size())) == SEMIREC_OK;
  // refusals too
  good = good && semirec_set_input(car, -1, 0.0) == SEMIREC_NO_SUCH_INDEX;
  if (k % 100 == 0)
    good = good && semirec_save(car, bytes.data(), bytes.size()) == SEMIREC_OK &&
           semirec_restore(car, bytes.data(), bytes.size()) == SEMIREC_OK;
  return good;
}

/// The Iltis steered, and the rotor with its events.
class CLoop : public testing::TestWithParam<const char*> {
 protected:
  const bool rotor = std::strcmp(GetParam(), "rotor") == 0;
  const Car car = rotor ? make_car(kRotor, kCatch) : make_car(kIltis, kBump);
  const int input = rotor ? -1 : semirec_find_input(car.get(), "rack");
  std::vector<double> values =
      std::vector<double>(static_cast<std::size_t>(semirec_output_count(car.get())));
  std::vector<unsigned char> bytes = saved(car.get());
};

INSTANTIATE_TEST_SUITE_P(All, CLoop, testing::Values("iltis", "rotor"),
                         [](const auto& test) { return std::string(test.param); });

TEST_P(CLoop, TakesNoMemory) {
  if (!HeapGuard::works()) GTEST_SKIP() << "this build has a malloc of its own";
  int failed = 0;
  long calls = 0;
  {
    const HeapGuard guard;
    for (int k = 0; k < 10000; ++k) failed += turn(car.get(), input, k, values, bytes) ? 0 : 1;
    calls = guard.calls();
  }
  EXPECT_EQ(failed, 0);
  EXPECT_EQ(calls, 0);
}

TEST_P(CLoop, MakesNoSystemCall) {
  if (kSanitized) GTEST_SKIP() << "sanitizers make system calls of their own";
  const int status = run_in_strict_mode([&] {
    bool good = true;
    for (int k = 0; k < 10000 && good; ++k) good = turn(car.get(), input, k, values, bytes);
    return good;
  });
  if (status == -1) GTEST_SKIP() << "the kernel has no strict mode";
  ASSERT_TRUE(WIFEXITED(status)) << "killed by signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(CHeapGuard, SeesWhatTheLibraryTakes) {
  if (!HeapGuard::works()) GTEST_SKIP() << "this build has a malloc of its own";
  long calls = 0;
  {
    const HeapGuard guard;
    const Car car = make_car(kRotor, kCatch);
    calls = guard.calls();
  }
  EXPECT_GT(calls, 100);
}

/// What a command prints.
std::string output_of(const std::string& command, int& code) {
  std::string text;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return {};
  std::array<char, 4096> part{};
  while (fgets(part.data(), part.size(), pipe) != nullptr) text += part.data();
  const int status = pclose(pipe);
  code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return text;
}

TEST(CLibrary, ExportsTheFunctionsOfItsHeaderAndNothingElse) {
  std::set<std::string> declared;
  std::ifstream file(kRoot + "apps/capi/semirec.h");
  std::stringstream header;
  header << file.rdbuf();
  const std::string text =
      std::regex_replace(header.str(), std::regex("/\\*[^*]*\\*+(?:[^/*][^*]*\\*+)*/"), "");
  const std::regex function("\\b(semirec_[a-z_]+)\\(");
  for (std::sregex_iterator it(text.begin(), text.end(), function), end; it != end; ++it)
    declared.insert((*it)[1]);
  EXPECT_GE(declared.size(), 25U);

  int code = -1;
  std::istringstream symbols(
      output_of("nm --dynamic --defined-only --format=posix '" SEMIREC_LIBRARY "'", code));
  ASSERT_EQ(code, 0);
  std::set<std::string> exported;
  for (std::string line; std::getline(symbols, line);) {
    const std::string name = line.substr(0, line.find_first_of(" @"));
    // the version's own name
    if (name != "SEMIREC_1") exported.insert(name);
  }
  EXPECT_EQ(exported, declared);
}

TEST(CExample, DrivesSavesAndRestoresWithTheSameBits) {
  int code = -1;
  const std::string text =
      output_of("'" SEMIREC_EMBED "' '" + kIltis + "' '" + kBump + "' 2>&1", code);
  EXPECT_EQ(code, 0) << text;
  EXPECT_NE(text.find("another car:        the same bits"), std::string::npos) << text;
  // docs/how_to/embed.md says how many bytes a state has
  std::ifstream file(kRoot + "docs/how_to/embed.md");
  const std::string page((std::istreambuf_iterator<char>(file)), {});
  std::smatch said;
  ASSERT_TRUE(std::regex_search(page, said, std::regex("\\(([0-9]+) for the Iltis\\)")));
  EXPECT_NE(text.find("a state of " + said[1].str() + " bytes"), std::string::npos) << text;
  output_of("'" SEMIREC_EMBED "' '" + kIltis + "' no_such.xml 2>&1", code);
  EXPECT_EQ(code, 3);
  output_of("'" SEMIREC_EMBED "' 2>&1", code);
  EXPECT_EQ(code, 2);
}

}  // namespace
}  // namespace semirec::test
