// Cars side by side through the C interface, against the same cars by themselves.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/capi/semirec.h"
#include "tests/capi/cars.hpp"
#include "tests/support/heap_guard.hpp"

namespace semirec::test {
namespace {

using testing::HasSubstr;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

struct DestroyCar {
  void operator()(semirec_car* car) const { semirec_destroy(car); }
};
struct DestroyBatch {
  void operator()(semirec_batch* batch) const { semirec_batch_destroy(batch); }
};
using OwnCar = std::unique_ptr<semirec_car, DestroyCar>;
using OwnBatch = std::unique_ptr<semirec_batch, DestroyBatch>;

OwnCar make_sedan(double mass, double step = 1e-3, int factorizations = 0) {
  const std::string text = "chassis.mass=" + std::to_string(mass);
  const char* overrides[] = {text.c_str()};
  const semirec_options options{sizeof(semirec_options), step, 2, factorizations, overrides, 1};
  semirec_car* car = nullptr;
  EXPECT_EQ(semirec_create((kShipped + "models/sedan.xml").c_str(),
                           (kShipped + "scenarios/step_steer.xml").c_str(), &options, &car),
            SEMIREC_OK)
      << semirec_create_error();
  return OwnCar(car);
}

struct CBatch : testing::Test {
  static constexpr int kCount = 10;
  std::vector<OwnCar> own;
  std::vector<semirec_car*> cars;
  OwnBatch batch;
  int steering = -1;
  std::array<int, 3> chosen{};

  void SetUp() override {
    for (int k = 0; k < kCount; ++k) {
      own.push_back(make_sedan(1200.0 + 30.0 * k));
      cars.push_back(own.back().get());
    }
    semirec_batch* made = nullptr;
    ASSERT_EQ(semirec_batch_create(cars.data(), kCount, &made), SEMIREC_OK)
        << semirec_create_error();
    batch.reset(made);
    steering = semirec_find_input(cars[0], "steering");
    const char* names[] = {"chassis.wz", "chassis.roll", "wheel_fl.Fz"};
    for (std::size_t k = 0; k < chosen.size(); ++k)
      chosen[k] = semirec_find_output(cars[0], names[k]);
    ASSERT_EQ(semirec_batch_choose_outputs(batch.get(), chosen.data(), 3), SEMIREC_OK);
  }
};

TEST_F(CBatch, ComputesWhatItsCarsDoByThemselves) {
  ASSERT_EQ(semirec_batch_size(batch.get()), kCount);
  double* angles = semirec_batch_inputs(batch.get(), steering);
  EXPECT_TRUE(std::isnan(angles[0]));
  for (int row = 0; row < 40; ++row) {
    for (int k = 0; k < kCount; ++k) {
      angles[k] = 0.02 * k * std::sin(0.1 * row);
      ASSERT_EQ(semirec_set_input(cars[k], steering, angles[k]), SEMIREC_OK);
      ASSERT_EQ(semirec_steps(cars[k], 10), SEMIREC_OK);
    }
    ASSERT_EQ(semirec_batch_step(batch.get(), 10), SEMIREC_OK);
  }
  const std::array<double, 3> sizes{0.1, 0.01, 1e3};
  for (int place = 0; place < 3; ++place) {
    const double* values = semirec_batch_outputs(batch.get(), place);
    for (int k = 0; k < kCount; ++k) {
      double alone = kNan;
      ASSERT_EQ(semirec_get_output(cars[k], chosen[place], &alone), SEMIREC_OK);
      EXPECT_NEAR(values[k], alone, 1e-9 * sizes[place]) << place << " of car " << k;
    }
    EXPECT_NE(values[0], values[1]);
  }
  for (int k = 0; k < kCount; ++k) {
    EXPECT_EQ(semirec_batch_times(batch.get())[k], semirec_time(cars[k]));
    EXPECT_EQ(semirec_batch_status(batch.get())[k], SEMIREC_OK);
  }
}

// in one call of many steps, too, of which a car's report knows the last alone
TEST(CBatchOfCoarseSteps, CountsStepsThatHaveNotSettled) {
  std::vector<OwnCar> own;
  std::vector<semirec_car*> cars;
  for (const double mass : {1200.0, 1300.0, 1400.0}) {
    own.push_back(make_sedan(mass, 0.01));
    cars.push_back(own.back().get());
  }
  semirec_batch* made = nullptr;
  ASSERT_EQ(semirec_batch_create(cars.data(), 3, &made), SEMIREC_OK) << semirec_create_error();
  const OwnBatch batch(made);
  const int steering = semirec_find_input(cars[0], "steering");
  for (int k = 1; k < 3; ++k) {
    semirec_batch_inputs(batch.get(), steering)[k] = 1.0 * k;
    ASSERT_EQ(semirec_set_input(cars[k], steering, 1.0 * k), SEMIREC_OK);
  }
  std::array<long long, 3> expected{};  // by the reports of single steps
  for (int n = 0; n < 100; ++n)
    for (int k = 0; k < 3; ++k) {
      ASSERT_EQ(semirec_step(cars[k]), SEMIREC_OK);
      semirec_report report{};
      report.size = sizeof(report);
      ASSERT_EQ(semirec_get_report(cars[k], &report), SEMIREC_OK);
      expected[k] += report.settled == 0 ? 1 : 0;
      EXPECT_EQ(report.unsettled_steps, expected[k]);
    }
  ASSERT_EQ(semirec_batch_step(batch.get(), 100), SEMIREC_OK);
  for (int k = 0; k < 3; ++k)
    EXPECT_EQ(semirec_batch_unsettled_steps(batch.get())[k], expected[k]) << k;
  EXPECT_GT(expected[2], 0);
  EXPECT_NE(expected[2], expected[0]);
  ASSERT_EQ(semirec_batch_reset(batch.get(), 2), SEMIREC_OK);
  EXPECT_EQ(semirec_batch_unsettled_steps(batch.get())[2], 0);
  EXPECT_EQ(semirec_batch_unsettled_steps(nullptr), nullptr);
}

TEST_F(CBatch, ResetsSomeAndGoesOnBesideThoseThatFail) {
  const double* yaw = semirec_batch_outputs(batch.get(), 0);
  const std::vector<double> start(yaw, yaw + kCount);
  double* angles = semirec_batch_inputs(batch.get(), steering);
  angles[2] = 1e300;
  angles[5] = std::numeric_limits<double>::infinity();
  EXPECT_NE(semirec_batch_step(batch.get(), 20), SEMIREC_OK);
  const int* status = semirec_batch_status(batch.get());
  const double* times = semirec_batch_times(batch.get());
  EXPECT_GE(status[2], SEMIREC_NOT_POSITIVE_DEFINITE);
  EXPECT_EQ(times[2], 0.0);
  EXPECT_TRUE(std::isnan(yaw[2]));
  EXPECT_EQ(status[5], SEMIREC_NOT_FINITE);
  EXPECT_EQ(yaw[5], start[5]);
  EXPECT_EQ(status[7], SEMIREC_OK);
  EXPECT_EQ(times[7], 0.02);
  // a number is enough for the one, the other is to be reset
  angles[5] = angles[2] = 0.0;
  EXPECT_GE(semirec_batch_step(batch.get(), 1), SEMIREC_NOT_POSITIVE_DEFINITE);
  EXPECT_EQ(times[2], 0.0);
  EXPECT_EQ(times[5], 0.001);
  EXPECT_EQ(semirec_batch_reset(batch.get(), 2), SEMIREC_OK);
  EXPECT_TRUE(std::isnan(angles[2]));
  EXPECT_EQ(yaw[2], start[2]);
  EXPECT_EQ(semirec_batch_step(batch.get(), 1), SEMIREC_OK);
  EXPECT_EQ(times[2], 0.001);
  EXPECT_EQ(semirec_batch_reset(batch.get(), -1), SEMIREC_OK);
  for (int k = 0; k < kCount; ++k) {
    EXPECT_EQ(times[k], 0.0);
    EXPECT_EQ(yaw[k], start[static_cast<std::size_t>(k)]);
  }
}

TEST_F(CBatch, TakesNoMemory) {
  if (!HeapGuard::works()) GTEST_SKIP() << "this build has a malloc of its own";
  const HeapGuard guard;
  int failed = 0;
  for (int k = 0; k < 50; ++k) {
    semirec_batch_inputs(batch.get(), steering)[k % kCount] = 1e-3 * k;
    failed += semirec_batch_step(batch.get(), 3) == SEMIREC_OK ? 0 : 1;
  }
  semirec_batch_reset(batch.get(), 3);
  const auto calls = guard.calls();
  EXPECT_EQ(failed, 0);
  EXPECT_EQ(calls, 0);
}

TEST_F(CBatch, SaysOfAnInputThatChangesTooFastThatItIsNoNumber) {
  double* values = semirec_batch_inputs(batch.get(), steering);
  values[3] = 1e308;  // a number, its difference over a millisecond is none
  EXPECT_EQ(semirec_batch_step(batch.get(), 1), SEMIREC_NOT_FINITE);
  EXPECT_EQ(semirec_batch_status(batch.get())[3], SEMIREC_NOT_FINITE);
  EXPECT_EQ(semirec_batch_times(batch.get())[3], 0.0);
  EXPECT_EQ(semirec_batch_step(batch.get(), 0), SEMIREC_NOT_FINITE);
  values[3] = 0.01;
  EXPECT_EQ(semirec_batch_step(batch.get(), 0), SEMIREC_OK);
  EXPECT_EQ(semirec_batch_step(batch.get(), 1), SEMIREC_OK);
  values[3] = 1e6;  // a steering wheel that far tears the car apart
  for (int k = 0; k < 50; ++k) semirec_batch_step(batch.get(), 1);
  const int failed = semirec_batch_status(batch.get())[3];
  ASSERT_NE(failed, SEMIREC_OK);
  EXPECT_EQ(semirec_batch_step(batch.get(), 0), failed);
}

TEST_F(CBatch, OutlivesItsCarsAndTakesOneSeveralTimes) {
  semirec_batch* made = nullptr;
  const std::vector<semirec_car*> same(3, cars[4]);
  ASSERT_EQ(semirec_batch_create(same.data(), 3, &made), SEMIREC_OK) << semirec_create_error();
  const OwnBatch copies(made);
  own.clear();
  EXPECT_EQ(semirec_batch_step(copies.get(), 5), SEMIREC_OK);
  EXPECT_EQ(semirec_batch_step(batch.get(), 5), SEMIREC_OK);
}

TEST_F(CBatch, AnswersWhatCannotBeUsed) {
  semirec_batch* made = batch.get();
  EXPECT_EQ(semirec_batch_create(nullptr, 1, &made), SEMIREC_NULL_ARGUMENT);
  EXPECT_EQ(made, nullptr);
  EXPECT_EQ(semirec_batch_create(cars.data(), 1, nullptr), SEMIREC_NULL_ARGUMENT);
  EXPECT_EQ(semirec_batch_create(cars.data(), 0, &made), SEMIREC_WRONG_SIZE);
  semirec_car* none[] = {cars[0], nullptr};
  EXPECT_EQ(semirec_batch_create(none, 2, &made), SEMIREC_NULL_ARGUMENT);
  const OwnCar slower = make_sedan(1300.0, 2e-3);
  semirec_car* other_step[] = {cars[0], slower.get()};
  EXPECT_EQ(semirec_batch_create(other_step, 2, &made), SEMIREC_BAD_INPUT);
  EXPECT_THAT(semirec_create_error(), HasSubstr("car 1: its steps have another length"));
  const OwnCar kept = make_sedan(1300.0, 1e-3, 1);
  semirec_car* other_factor[] = {kept.get()};
  EXPECT_EQ(semirec_batch_create(other_factor, 1, &made), SEMIREC_BAD_INPUT);
  EXPECT_THAT(semirec_create_error(), HasSubstr("car 0: a factor that serves several"));

  EXPECT_EQ(semirec_batch_size(nullptr), -1);
  EXPECT_EQ(semirec_batch_inputs(nullptr, 0), nullptr);
  EXPECT_EQ(semirec_batch_inputs(batch.get(), -1), nullptr);
  EXPECT_EQ(semirec_batch_inputs(batch.get(), 1000), nullptr);
  EXPECT_EQ(semirec_batch_outputs(batch.get(), 3), nullptr);
  EXPECT_EQ(semirec_batch_outputs(nullptr, 0), nullptr);
  EXPECT_EQ(semirec_batch_times(nullptr), nullptr);
  EXPECT_EQ(semirec_batch_status(nullptr), nullptr);
  const int beyond[] = {0, 100000};
  EXPECT_EQ(semirec_batch_choose_outputs(batch.get(), beyond, 2), SEMIREC_NO_SUCH_INDEX);
  EXPECT_EQ(semirec_batch_choose_outputs(batch.get(), nullptr, 2), SEMIREC_NULL_ARGUMENT);
  EXPECT_EQ(semirec_batch_choose_outputs(batch.get(), beyond, -1), SEMIREC_WRONG_SIZE);
  EXPECT_NE(semirec_batch_outputs(batch.get(), 2), nullptr);
  EXPECT_EQ(semirec_batch_step(nullptr, 1), SEMIREC_NULL_ARGUMENT);
  EXPECT_EQ(semirec_batch_step(batch.get(), -1), SEMIREC_WRONG_SIZE);
  EXPECT_EQ(semirec_batch_step(batch.get(), 0), SEMIREC_OK);
  EXPECT_EQ(semirec_batch_reset(nullptr, 0), SEMIREC_NULL_ARGUMENT);
  EXPECT_EQ(semirec_batch_reset(batch.get(), kCount), SEMIREC_NO_SUCH_INDEX);
  EXPECT_EQ(semirec_batch_reset(batch.get(), -2), SEMIREC_NO_SUCH_INDEX);
  semirec_batch_destroy(nullptr);
}

TEST(COverrides, ReplaceValuesOfTheVehicleOrAreRefused) {
  const auto status_with = [](const char* text, int count = 1) {
    const char* overrides[] = {text};
    const semirec_options options{sizeof(semirec_options), 1e-3, 2, 0, overrides, count};
    semirec_car* car = nullptr;
    const int status = semirec_create((kShipped + "models/iltis.xml").c_str(),
                                      (kShipped + "scenarios/bump_5.xml").c_str(), &options, &car);
    semirec_destroy(car);
    return status;
  };
  EXPECT_EQ(status_with("chassis.mass=1300"), SEMIREC_OK);
  EXPECT_EQ(status_with("chassis.mass=1300", 0), SEMIREC_OK);
  EXPECT_EQ(status_with("chasis.mass=1300"), SEMIREC_BAD_INPUT);
  EXPECT_THAT(semirec_create_error(), HasSubstr("chasis"));
  EXPECT_EQ(status_with("mass"), SEMIREC_BAD_INPUT);
  EXPECT_EQ(status_with(nullptr), SEMIREC_NULL_ARGUMENT);
  EXPECT_EQ(status_with("chassis.mass=1300", -1), SEMIREC_WRONG_SIZE);
  // options of an older header know no overrides
  const char* overrides[] = {"chasis.mass=1"};
  semirec_options older{offsetof(semirec_options, overrides), 1e-3, 2, 0, overrides, 1};
  semirec_car* car = nullptr;
  EXPECT_EQ(semirec_create((kShipped + "models/iltis.xml").c_str(),
                           (kShipped + "scenarios/bump_5.xml").c_str(), &older, &car),
            SEMIREC_OK);
  semirec_destroy(car);
}

}  // namespace
}  // namespace semirec::test
