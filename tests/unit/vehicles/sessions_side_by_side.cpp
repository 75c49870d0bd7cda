// Sessions side by side against the same sessions stepped one by one.

#include "vehicles/fleet/sessions_side_by_side.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/heap_guard.hpp"
#include "tests/support/random_mechanism.hpp"
#include "vehicles/files/xml/reader.hpp"

namespace semirec::test {
namespace {

using testing::HasSubstr;

std::unique_ptr<Session> make_sedan(double mass, const SessionSettings& settings = {}) {
  const std::string root = std::string(SEMIREC_SOURCE_DIR) + "/vehicles/";
  return std::make_unique<Session>(
      read_drive(root + "models/sedan.xml", root + "scenarios/step_steer.xml",
                 {parse_override("chassis.mass=" + std::to_string(mass))}),
      settings);
}

struct Sessions {
  std::vector<std::unique_ptr<Session>> own;

  explicit Sessions(int count) {
    Random random(3);
    for (int k = 0; k < count; ++k) own.push_back(make_sedan(random.number(1200.0, 1500.0)));
  }
  std::vector<Session*> all() const {
    std::vector<Session*> list;
    for (const auto& session : own) list.push_back(session.get());
    return list;
  }
};

std::vector<double> outputs_of(Session& session) {
  std::vector<double> values(session.outputs().size());
  session.read_outputs(values.data());
  return values;
}

std::vector<std::byte> saved(const Session& session) {
  std::vector<std::byte> bytes(session.saved_size());
  session.save(bytes.data());
  return bytes;
}

// Inputs that move and are held, by steps that come one by one and many at once.
TEST(SessionsSideBySide, EqualThoseSteppedOneByOne) {
  Sessions alone(9);
  Sessions together(9);
  SessionsSideBySide beside(together.all());
  std::vector<StepStatus> status(9, StepStatus::converged);
  const int steering = alone.own.front()->find_input("steering");
  std::vector<double> size(alone.own.front()->outputs().size(), 0.0);
  std::vector<double> distance(size);
  for (int row = 0; row < 60; ++row) {
    const int steps = 1 + row % 10;
    for (std::size_t k = 0; k < 9; ++k) {
      const double angle =
          alone.own[k]->input_value(steering) + 1e-4 * (1.0 + 0.2 * static_cast<double>(k)) * steps;
      for (Session* session : {alone.own[k].get(), together.own[k].get()})
        ASSERT_EQ(session->set_input(steering, angle), InputStatus::accepted);
      for (int n = 0; n < steps; ++n) ASSERT_EQ(alone.own[k]->step(), StepStatus::converged);
    }
    beside.step(steps, status.data());
    for (std::size_t k = 0; k < 9; ++k) {
      ASSERT_EQ(status[k], StepStatus::converged);
      EXPECT_EQ(together.own[k]->time(), alone.own[k]->time());
      EXPECT_EQ(together.own[k]->report().iterations, alone.own[k]->report().iterations);
      EXPECT_EQ(together.own[k]->input_value(steering), alone.own[k]->input_value(steering));
      const std::vector<double> a = outputs_of(*alone.own[k]);
      const std::vector<double> b = outputs_of(*together.own[k]);
      for (std::size_t i = 0; i < a.size(); ++i) {
        size[i] = std::max(size[i], std::abs(a[i]));
        distance[i] = std::max(distance[i], std::abs(a[i] - b[i]));
      }
    }
  }
  const std::vector<Channel>& channels = alone.own.front()->outputs();
  // the car's vertical acceleration on a level road is a hundredth of what its parts are given
  for (std::size_t i = 0; i < size.size(); ++i) {
    const double least = channels[i].unit.ends_with("s^2") ? 1.0 : 1e-3;
    EXPECT_LE(distance[i], 1e-9 * std::max(size[i], least)) << channels[i].name;
  }
}

// t + h is one digit below the time of the grid at 0.035 s (steps of 5 ms): a leap at that time is
// met by the step that ends there, as by a car alone.
TEST(SessionsSideBySide, MeetALeapOfAnInputWhereACarAloneDoes) {
  ASSERT_LT(0.03 + 0.005, 0.035);
  const std::string root = std::string(SEMIREC_SOURCE_DIR) + "/vehicles/";
  const std::string scenario = testing::TempDir() + "leap.xml";
  std::ofstream(scenario) << R"(<scenario name="leap" version="1">
  <run step="0.005" until="1" record="0.01"/>
  <start from="equilibrium" speed="22.222"/>
  <contact contact="point"/>
  <input name="gear"><constant value="1"/></input>
  <input name="steering"><table><point t="0" value="0"/><point t="0.035" value="0"/>
    <point t="0.035" value="0.2"/><point t="1" value="0.2"/></table></input>
</scenario>)";
  const auto make = [&] {
    SessionSettings settings;
    settings.step = 0.005;
    return std::make_unique<Session>(read_drive(root + "models/sedan.xml", scenario, {}), settings);
  };
  const auto alone = make();
  const auto first = make();
  const auto second = make();
  SessionsSideBySide beside({first.get(), second.get()});
  std::vector<StepStatus> status(2, StepStatus::converged);
  const int yaw_rate = alone->find_output("chassis.wz");
  for (int k = 1; k <= 10; ++k) {
    ASSERT_EQ(alone->step(), StepStatus::converged);
    beside.step(1, status.data());
    ASSERT_EQ(first->time(), alone->time());
    const double expected = outputs_of(*alone)[at(yaw_rate)];
    for (const auto& session : {first.get(), second.get()})
      EXPECT_NEAR(outputs_of(*session)[at(yaw_rate)], expected, 1e-9) << k;
  }
  ASSERT_EQ(alone->time(), 0.05);
  EXPECT_GT(std::abs(outputs_of(*alone)[at(yaw_rate)]), 1e-4) << "nothing leaps";
}

TEST(SessionsSideBySide, DoNotDependOnOneAnotherToTheBit) {
  Sessions together(5);
  SessionsSideBySide beside(together.all());
  std::vector<StepStatus> status(5, StepStatus::converged);
  beside.step(30, status.data());
  // one goes back to its start, one fails
  Sessions others(5);
  const std::vector<std::byte> start = saved(*others.own[1]);
  ASSERT_EQ(together.own[1]->restore(start.data(), start.size()), RestoreStatus::restored);
  const int steering = together.own.front()->find_input("steering");
  ASSERT_EQ(together.own[3]->set_input(steering, 1e300), InputStatus::accepted);
  const std::vector<std::byte> before = saved(*together.own[3]);
  beside.step(20, status.data());
  EXPECT_NE(status[3], StepStatus::converged);
  EXPECT_EQ(together.own[3]->report().status, status[3]);
  EXPECT_TRUE(saved(*together.own[3]) == before) << "at t = " << together.own[3]->time();
  for (std::size_t k = 0; k < 5; ++k) {
    if (k == 3) continue;
    EXPECT_EQ(status[k], StepStatus::converged);
    SessionsSideBySide one({others.own[k].get()});
    StepStatus own = StepStatus::converged;
    one.step(k == 1 ? 20 : 50, &own);
    EXPECT_EQ(saved(*others.own[k]), saved(*together.own[k])) << "car " << k;
  }
}

// What a register still holds of a car counts only while nobody else has moved it: with registers
// that are made anew for every step, and so hold nothing, the bits are the same.
TEST(SessionsSideBySide, GoOnFromWhatHappensToThemInBetween) {
  constexpr int kCars = 10;
  Sessions kept(kCars);
  Sessions anew(kCars);
  SessionsSideBySide registers(kept.all());
  SessionsSideBySide pair({kept.own[2].get(), kept.own[9].get()});
  std::vector<StepStatus> status(kCars, StepStatus::converged);
  std::vector<StepStatus> own_status(status);
  const int steering = kept.own.front()->find_input("steering");
  std::vector<std::vector<std::byte>> earlier;
  for (const auto& session : kept.own) earlier.push_back(saved(*session));
  const std::vector<LiveInput> free(kept.own.front()->inputs().size());
  Random random(11);
  for (int row = 0; row < 80; ++row) {
    const auto with_both = [&](std::size_t car, const auto& act) {
      act(*kept.own[car]);
      act(*anew.own[car]);
    };
    const auto car = static_cast<std::size_t>(random.index(kCars));
    switch (random.index(8)) {
      case 0:
        with_both(car, [&](Session& session) {
          ASSERT_EQ(session.restore(earlier[car].data(), earlier[car].size()),
                    RestoreStatus::restored);
        });
        break;
      case 1:
        with_both(car, [](Session& session) { session.step(); });
        break;
      case 2:
        with_both(car, [&](Session& session) { session.start_again(free); });
        break;
      case 3:  // one fails
        with_both(car, [&](Session& session) { session.set_input(steering, 1e300); });
        break;
      case 4:
        with_both(car, [&](Session& session) { session.release_input(steering); });
        break;
      case 5: {
        const double angle = random.number(-0.1, 0.1);
        with_both(car, [&](Session& session) { session.set_input(steering, angle); });
        break;
      }
      case 6: {
        std::vector<StepStatus> of_pair(2, StepStatus::converged);
        pair.step(1, of_pair.data());
        SessionsSideBySide other({anew.own[2].get(), anew.own[9].get()});
        other.step(1, of_pair.data());
        break;
      }
      case 7:
        earlier[car] = saved(*kept.own[car]);
        break;
    }
    const int steps = 1 + random.index(3);
    registers.step(steps, status.data());
    SessionsSideBySide(anew.all()).step(steps, own_status.data());
    for (std::size_t k = 0; k < kCars; ++k) {
      ASSERT_EQ(status[k], own_status[k]) << "row " << row << ", car " << k;
      ASSERT_EQ(saved(*kept.own[k]), saved(*anew.own[k])) << "row " << row << ", car " << k;
      if (status[k] == StepStatus::converged) continue;
      with_both(k, [&](Session& session) { session.release_input(steering); });
      status[k] = own_status[k] = StepStatus::converged;
    }
  }
}

TEST(SessionsSideBySide, WithAControllerGoByThemselves) {
  Sessions together(2);
  Sessions alone(2);
  struct Driver {
    int input;
    static void steer(void* user, Session& session, const double* /*outputs*/) noexcept {
      static_cast<void>(
          session.set_input(static_cast<Driver*>(user)->input, 0.1 * std::sin(session.time())));
    }
  } driver{together.own.front()->find_input("steering")};
  for (Sessions* sessions : {&together, &alone})
    sessions->own[0]->set_controller({Driver::steer, &driver});
  SessionsSideBySide beside(together.all());
  std::vector<StepStatus> status(2, StepStatus::converged);
  beside.step(25, status.data());
  for (int n = 0; n < 25; ++n) ASSERT_EQ(alone.own[0]->step(), StepStatus::converged);
  EXPECT_EQ(saved(*together.own[0]), saved(*alone.own[0]));
}

// A session that has traded its car for another one steps that one, beside nobody.
TEST(SessionsSideBySide, WithAnotherCarGoByThemselves) {
  Sessions together(3);
  Sessions alone(3);
  SessionsSideBySide beside(together.all());
  for (Sessions* sessions : {&together, &alone}) {
    const auto heavy = make_sedan(1700.0);
    ASSERT_TRUE(sessions->own[0]->trade_cars(*heavy));
  }
  std::vector<StepStatus> status(3, StepStatus::converged);
  beside.step(4, status.data());
  for (int n = 0; n < 4; ++n) ASSERT_EQ(alone.own[0]->step(), StepStatus::converged);
  EXPECT_EQ(saved(*together.own[0]), saved(*alone.own[0]));
  SessionsSideBySide one({alone.own[2].get()});
  StepStatus own = StepStatus::converged;
  one.step(4, &own);
  EXPECT_EQ(saved(*together.own[2]), saved(*alone.own[2]));
}

TEST(SessionsSideBySide, StepWithoutHeap) {
  if (!HeapGuard::works()) GTEST_SKIP() << "the sanitizer brings its own malloc";
  Sessions together(3);
  SessionsSideBySide beside(together.all());
  std::vector<StepStatus> status(3, StepStatus::converged);
  const HeapGuard guard;
  beside.step(1, status.data());
  beside.step(5, status.data());
  EXPECT_EQ(guard.calls(), 0);
}

TEST(SessionsSideBySide, RefuseWhatDoesNotFit) {
  const auto fault_of = [](const std::vector<Session*>& sessions) -> std::string {
    try {
      const SessionsSideBySide beside(sessions);
    } catch (const ModelError& error) {
      return error.what();
    }
    return {};
  };
  const auto sedan = make_sedan(1300.0);
  const auto longer = make_sedan(1300.0, {.step = 2e-3});
  const auto twice = make_sedan(1300.0, {.iterations = 2, .factorizations = 1});
  EXPECT_THAT(fault_of({}), HasSubstr("there is none"));
  EXPECT_THAT(fault_of({sedan.get(), longer.get()}),
              HasSubstr("car 1: its steps have another length"));
  EXPECT_THAT(fault_of({sedan.get(), twice.get()}), HasSubstr("serves several iterations"));
  EXPECT_THAT(fault_of({sedan.get(), sedan.get()}), HasSubstr("car 1: it is car 0"));
  EXPECT_EQ(fault_of({sedan.get()}), "");
  const std::string root = std::string(SEMIREC_SOURCE_DIR) + "/vehicles/";
  DriveDescription read =
      read_drive(root + "models/sedan.xml", root + "scenarios/step_steer.xml", {});
  read.scenario.projection = false;
  Session unprojected(read);
  EXPECT_THAT(fault_of({sedan.get(), &unprojected}), HasSubstr("projection than those of"));
  EXPECT_EQ(fault_of({&unprojected}), "");
}

}  // namespace
}  // namespace semirec::test
