#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>

#include "apps/realtime/runner.hpp"
#include "apps/seat/seat_changes.hpp"
#include "apps/seat/seat_link.hpp"
#include "apps/seat/seat_scenario.hpp"
#include "tests/support/heap_guard.hpp"
#include "vehicles/files/xml/reader.hpp"
#include "vehicles/road/layered_surface.hpp"
#include "vehicles/road/profile_surface.hpp"

namespace semirec::seat {
namespace {

constexpr std::int64_t kMillisecond = 1'000'000;
const std::string kFolder = std::string(SEMIREC_SOURCE_DIR) + "/vehicles/";

DriveDescription read_sedan() { return {read_vehicle(kFolder + "models/sedan.xml"), open_area()}; }

/// The loop's thread and the page's in one, a period after another.
class Seat {
 public:
  explicit Seat(const DriveDescription& read)
      : session_(read), link_(session_, read.vehicle, kMillisecond, 10'000) {}

  realtime::Link::Act run(int periods) {
    realtime::Link::Act act = realtime::Link::Act::step;
    for (int k = 0; k < periods; ++k) {
      act = link_.begin_period(session_);
      if (act != realtime::Link::Act::step) continue;
      const StepStatus status = session_.step();
      EXPECT_EQ(status, StepStatus::converged) << session_.time();
      session_.read_outputs(outputs_.data());
      link_.end_period(session_, ++period_, status, outputs_.data());
    }
    return act;
  }
  double input(Control control) const {
    return session_.state().live[static_cast<std::size_t>(link_.inputs()[control])].value.f;
  }
  Session& session() { return session_; }
  SeatLink& link() { return link_; }
  const std::vector<double>& outputs() {
    session_.read_outputs(outputs_.data());
    return outputs_;
  }

 private:
  Session session_;
  SeatLink link_;
  std::vector<double> outputs_ = std::vector<double>(session_.outputs().size());
  std::uint64_t period_ = 0;
};

std::vector<std::byte> bits_of(const Session& session) {
  std::vector<std::byte> bits(session.saved_size());
  session.save(bits.data());
  return bits;
}

TEST(SeatLink, ControlsFollowTheDriverThroughTheLag) {
  const DriveDescription read = read_sedan();
  Seat seat(read);
  seat.run(10);
  EXPECT_EQ(seat.input(kThrottle), 0.0);
  seat.link().drive({0.5, 1.0, 0.0, 1.0});
  seat.run(20);
  // a first-order lag sampled each millisecond, 20 steps after the step of the driver
  const double share = 1.0 - std::exp(-20.0 * 1e-3 / SeatLink::kLag);
  EXPECT_NEAR(seat.input(kThrottle), share, 1e-12);
  EXPECT_NEAR(seat.input(kSteering), 0.5 * read.vehicle.controls.steering_ratio * share, 1e-12);
  EXPECT_EQ(seat.input(kBrake), 0.0);
  EXPECT_EQ(seat.input(kGear), 1.0);  // chosen at once
}

TEST(SeatLink, ADriverWhoFallsSilentLetsGoAndTheCarBrakes) {
  Seat seat(read_sedan());
  seat.run(1000);  // nobody has driven yet: nothing is silent
  ASSERT_TRUE(seat.link().take_frame());
  EXPECT_FALSE(seat.link().frame().silent);
  seat.link().drive({0.0, 1.0, 0.0, 1.0});
  seat.run(499);
  ASSERT_TRUE(seat.link().take_frame());
  EXPECT_FALSE(seat.link().frame().silent);
  EXPECT_EQ(seat.input(kBrake), 0.0);
  seat.run(200);
  ASSERT_TRUE(seat.link().take_frame());
  EXPECT_TRUE(seat.link().frame().silent);
  // at least 180 periods of the lag since it let go, from at most 1
  EXPECT_LT(seat.input(kThrottle), std::exp(-0.18 / SeatLink::kLag));
  EXPECT_GT(seat.input(kBrake), 1.0 - std::exp(-0.18 / SeatLink::kLag));
  seat.link().drive({0.0, 0.2, 0.0, 1.0});
  seat.run(17);
  ASSERT_TRUE(seat.link().take_frame());
  EXPECT_FALSE(seat.link().frame().silent);
}

std::int64_t clock_of_test = 0;

// periods that are skipped are wall time, too: one period is run in 0.6 s
TEST(SeatLink, SilenceIsWallTimeWherePeriodsAreSkipped) {
  const DriveDescription read = read_sedan();
  Session session(read);
  SeatLink link(session, read.vehicle, kMillisecond, 1000, []() noexcept { return clock_of_test; });
  std::vector<double> outputs(session.outputs().size());
  const auto run = [&] {
    EXPECT_EQ(link.begin_period(session), realtime::Link::Act::step);
    EXPECT_EQ(session.step(), StepStatus::converged);
    link.end_period(session, 1, StepStatus::converged, outputs.data());
  };
  const auto brake = [&] {
    return session.state().live[static_cast<std::size_t>(link.inputs()[kBrake])].value.f;
  };
  clock_of_test = 5000 * kMillisecond;
  run();
  link.drive({0.0, 1.0, 0.0, 1.0});
  run();
  clock_of_test += 400 * kMillisecond;
  run();
  EXPECT_EQ(brake(), 0.0);
  clock_of_test += 200 * kMillisecond;
  run();
  EXPECT_GT(brake(), 0.0);
}

TEST(SeatLink, SilenceIsWallTimeInSlowMotionToo) {
  Seat seat(read_sedan());
  seat.link().slow_down(0.1);
  EXPECT_EQ(seat.link().period(), 10 * kMillisecond);
  seat.link().drive({0.0, 1.0, 0.0, 1.0});
  seat.run(55);  // 0.55 s of wall time, 55 ms of model time
  ASSERT_TRUE(seat.link().take_frame());
  EXPECT_TRUE(seat.link().frame().silent);
  seat.link().slow_down(1e-9);
  EXPECT_EQ(seat.link().period(), 20 * kMillisecond);  // kSlowest
  seat.link().slow_down(7.0);
  EXPECT_EQ(seat.link().period(), kMillisecond);
}

TEST(SeatLink, APauseStandsAndAResetGoesBackToTheBit) {
  Seat seat(read_sedan());
  const std::vector<std::byte> start = bits_of(seat.session());
  seat.link().drive({0.3, 1.0, 0.0, 1.0});
  seat.run(100);
  EXPECT_EQ(seat.link().record().rows(), 101U);  // the start and 100 steps
  const std::vector<std::byte> there = bits_of(seat.session());
  EXPECT_NE(there, start);
  seat.link().pause(true);
  EXPECT_EQ(seat.run(100), realtime::Link::Act::wait);
  EXPECT_EQ(bits_of(seat.session()), there);
  ASSERT_TRUE(seat.link().take_frame());
  EXPECT_TRUE(seat.link().frame().paused);
  EXPECT_EQ(seat.link().frame().outputs, seat.outputs());
  EXPECT_FALSE(seat.link().is_resetting());
  seat.link().reset();
  EXPECT_TRUE(seat.link().is_resetting());
  // a frame of the pause
  seat.run(static_cast<int>(SeatLink::kFramePeriod / kMillisecond));
  ASSERT_TRUE(seat.link().take_frame());
  EXPECT_EQ(seat.link().frame().outputs, seat.outputs());
  EXPECT_FALSE(seat.link().is_resetting());
  EXPECT_EQ(bits_of(seat.session()), start);
  EXPECT_EQ(seat.link().record().rows(), 1U);
  seat.link().end();
  EXPECT_EQ(seat.run(1), realtime::Link::Act::end);
}

// A step that fails in a real loop: an event that closes a joint across a gap is impossible.
TEST(SeatLink, AStepThatFailedStandsUntilTheDriverGoesBack) {
  const std::string root = std::string(SEMIREC_SOURCE_DIR) + "/";
  DriveDescription read =
      read_drive(root + "tests/data/rotor.xml", root + "tests/data/catch_and_let_go.xml");
  read.scenario.events.clear();
  ScenarioEvent catch_it;
  catch_it.name = "catch";
  catch_it.time = 0.05;
  catch_it.actions.push_back({"grip", true, false, {}});
  read.scenario.events.push_back(catch_it);
  Session session(read);
  SeatLink link(session, read.vehicle, kMillisecond, 1000);
  const std::vector<std::byte> start = bits_of(session);
  realtime::RunnerSettings settings;
  settings.schedule.period = kMillisecond;
  settings.schedule.most_overruns = 1.0;
  constexpr std::int64_t kMost = 60'000;  // periods: however slow the machine is
  settings.duration = kMost * kMillisecond;
  realtime::Runner runner(session, settings, &link);
  // the page's thread ends the loop when it is told of the failure
  std::atomic<int> stop{0};
  std::thread page([&] {
    for (std::int64_t k = 0; k < kMost; ++k) {
      if (link.take_frame() && link.frame().status == StepStatus::event_impossible) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    stop = 1;
  });
  const realtime::RunnerReport& report = runner.run(stop);
  page.join();
  EXPECT_EQ(report.stop, realtime::RunnerStop::interrupted);
  EXPECT_EQ(report.failed_steps, 1U);
  EXPECT_EQ(report.failure, StepStatus::event_impossible);
  EXPECT_NEAR(session.time(), 0.049, 1e-12);  // the state before the event
  EXPECT_EQ(link.frame().status, StepStatus::event_impossible);
  EXPECT_GT(link.frame().closure, 1e-3);  // attach pulls gaps of up to 1 mm together
  EXPECT_EQ(link.record().rows(), 50U);
  link.reset();
  EXPECT_EQ(link.begin_period(session), realtime::Link::Act::step);
  EXPECT_EQ(bits_of(session), start);
}

TEST(SeatLink, UsesNoHeapInTheLoop) {
  if (!test::HeapGuard::works()) GTEST_SKIP() << "this build brings its own malloc";
  Seat seat(read_sedan());
  seat.link().drive({0.1, 0.5, 0.0, 1.0});
  seat.run(200);
  seat.link().reset();
  const test::HeapGuard guard;
  seat.run(200);
  EXPECT_EQ(guard.calls(), 0);
}

// A drive with changing controls, saved as a scenario file, read again and driven without a page:
// the same bits at the end.
TEST(SeatScenario, ARecordedDriveComesOutToTheBit) {
  const DriveDescription read = read_sedan();
  Seat seat(read);
  for (int k = 0; k < 40; ++k) {
    seat.link().drive({0.8 * std::sin(0.3 * k), k < 25 ? 0.8 : 0.0, k < 30 ? 0.0 : 0.6, 1.0});
    seat.run(50);
  }
  const Controls& controls = read.vehicle.controls;
  const DrivenScenario driven = write_driven_scenario(
      "", "drive_1", seat.session().settings().h,
      {controls.steering, controls.throttle, controls.brake, controls.gear}, seat.link().record());
  const std::filesystem::path file = std::filesystem::temp_directory_path() /
                                     ("semirec_drive_" + std::to_string(getpid()) + ".xml");
  std::ofstream(file) << driven.text;
  const DriveDescription again{read.vehicle, read_scenario(file.string())};
  std::filesystem::remove(file);
  EXPECT_EQ(again.scenario.until, driven.until);
  EXPECT_NEAR(again.scenario.until, 2.0, 1e-9);
  Session session(again);
  for (int k = 0; k < 2000; ++k) {
    follow_curves(session, seat.link().inputs());
    ASSERT_EQ(session.step(), StepStatus::converged);
  }
  EXPECT_EQ(session.time(), seat.session().time());
  EXPECT_TRUE(session.state().z == seat.session().state().z);
  EXPECT_TRUE(session.state().zd == seat.session().state().zd);
  EXPECT_TRUE(session.state().zdd == seat.session().state().zdd);
  EXPECT_TRUE(session.state().origin == seat.session().state().origin);
  EXPECT_GT(session.state().origin.x(), 0.5);  // it has gone somewhere
}

/// What the loop has made of an offer.
CarChange change_of(Seat& seat, const SeatCar& car, const std::vector<Override>& overrides) {
  EXPECT_EQ(seat.link().take_back(), &car);
  EXPECT_TRUE(car.taken);
  return {car.drive, car.at_start, car.time, overrides};
}

std::vector<Override> joined(std::vector<Override> all, const std::vector<Override>& more) {
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

TEST(SeatChanges, SlidersHoldWhatIsAlikeLeftAndRight) {
  const std::vector<Slider> sliders = make_sliders(read_sedan().vehicle);
  std::vector<std::string> found;
  for (const Slider& slider : sliders) {
    EXPECT_EQ(slider.elements.size(), slider.values.size());
    found.push_back(slider.attribute + ":");
    for (const std::string& name : slider.elements) found.back() += " " + name;
  }
  // as sedan.xml has them: springs with dampers at four corners, two anti-roll bars, four tyres
  for (const char* expected :
       {"spring_scale: spring_fl spring_fr", "damper_scale: spring_fl spring_fr",
        "spring_scale: spring_rl spring_rr", "damper_scale: spring_rl spring_rr",
        "spring_scale: torsion_front", "spring_scale: torsion_rear",
        "friction_scale: wheel_fl wheel_fr", "friction_scale: wheel_rl wheel_rr"})
    EXPECT_EQ(std::count(found.begin(), found.end(), expected), 1) << expected;
  const std::vector<Override> overrides = overrides_of(sliders.front(), 1.25);
  ASSERT_EQ(overrides.size(), sliders.front().elements.size());
  EXPECT_EQ(overrides.front().value, "1.25");
}

TEST(SeatChanges, OfOneNumberTheLastStays) {
  const std::vector<CarChange> changes{
      {0, true, 0.0, {{"a", "spring_scale", "2", {}}, {"b", "spring_scale", "3", {}}}},
      {0, false, 1.5, {{"a", "spring_scale", "4", {}}}},
      {1, false, 0.5, {{"a", "damper_scale", "5", {}}}}};
  const std::vector<Override> merged = merge_overrides(changes);
  ASSERT_EQ(merged.size(), 3U);
  EXPECT_EQ(merged[1].value, "4");
  // of the first drive: one at the start, one on the way
  std::vector<ScenarioEvent> events = events_of(changes, 0, {});
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(events[0].time, 0.0);
  EXPECT_EQ(events[1].time, 1.5);
  // of the second: all before in one
  events = events_of(changes, 1, {});
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(events[0].changes.size(), 2U);
  EXPECT_EQ(events[1].time, 0.5);
}

TEST(SeatChanges, WhatMultipliesStaysWithWhatItMultiplies) {
  std::vector<CarChange> changes{{0, true, 0.0, {{"a", "k", "2", {}}}},
                                 {0, false, 1.0, {{"a", "k", "*1.5", {}}}}};
  EXPECT_EQ(merge_overrides(changes).size(), 2U);
  changes.push_back({0, false, 2.0, {{"a", "k", "4", {}}}});
  ASSERT_EQ(merge_overrides(changes).size(), 1U);
  EXPECT_EQ(merge_overrides(changes)[0].value, "4");
}

// A change at the start that multiplies acts once in the cars of later changes, too.
TEST(SeatChanges, AFactorOfTheStartActsOnce) {
  const std::string vehicle = kFolder + "models/sedan.xml";
  ScenarioEvent start;
  start.changes = {{"chassis", "mass", "*1.2", {}}};
  const Vehicle own = read_vehicle(vehicle);
  const Vehicle read = read_vehicle(vehicle, overrides_at_start({}, {}, {start}));
  std::vector<Override> overrides = overrides_before_changes(read, {start});
  EXPECT_TRUE(overrides.empty());
  const std::vector<CarChange> changes{
      {0, true, 0.0, start.changes}, {0, false, 1.0, {{"wheel_f*", "friction_scale", "0.9", {}}}}};
  const Vehicle changed = read_vehicle(vehicle, joined(overrides, merge_overrides(changes)));
  const auto mass = [](const Vehicle& car) {
    return car.mechanism.bodies[static_cast<std::size_t>(car.chassis)].mass;
  };
  EXPECT_DOUBLE_EQ(mass(changed), 1.2 * mass(own));
}

TEST(SeatChanges, EventsOfADriveTakeNamesThatItsScenarioLeaves) {
  Scenario scenario;
  for (const char* name : {"set_up", "change_1", "change_2"}) {
    ScenarioEvent event;
    event.name = name;
    scenario.events.push_back(event);
  }
  const std::vector<CarChange> changes{{0, true, 0.0, {{"a", "k", "2", {}}}},
                                       {0, false, 1.0, {{"a", "k", "3", {}}}}};
  const std::vector<ScenarioEvent> events = events_of(changes, 0, scenario);
  ASSERT_EQ(events.size(), 2U);
  for (const ScenarioEvent& event : events)
    for (const ScenarioEvent& own : scenario.events) EXPECT_NE(event.name, own.name);
}

// What a scenario includes is written out: its <run>, its inputs and its changes are replaced
// wherever they stand.
TEST(SeatScenario, ADriveOfAScenarioWithIncludesCanBeDrivenAgain) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("semirec_includes_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder / "parts");
  std::ofstream(folder / "parts/inner.xml")
      << R"(<scenario name="inner" version="1"><run step="0.001" until="3"/></scenario>)";
  std::ofstream(folder / "parts/part.xml")
      << R"(<scenario name="part" version="1"><include file="inner.xml"/>
            <parameter name="v" value="5"/>
            <input name="steering"><constant value="0.2"/></input>
            <event name="more" time="0"><set element="chassis" attribute="mass" value="*1.2"/></event>
            </scenario>)";
  std::ofstream(folder / "outer.xml")
      << R"(<scenario name="outer" version="1"><parameter name="wet" value="0"/>
            <parameter name="v" value="10"/><include file="parts/part.xml"/>
            <include file="parts/inner.xml"/><include file="parts/wet.xml" when="{wet} = 1"/>
            <start from="equilibrium"/></scenario>)";
  std::ofstream(folder / "parts/wet.xml")
      << R"(<scenario name="wet" version="1"><set element="wheel_f*" attribute="friction_scale"
            value="0.3"/></scenario>)";
  const DriveDescription read = read_sedan();
  Seat seat(read);
  seat.link().drive({0.1, 0.5, 0.0, 1.0});
  seat.run(50);
  const Controls& controls = read.vehicle.controls;
  const DrivenScenario driven = write_driven_scenario(
      (folder / "outer.xml").string(), "drive_1", 0.001,
      {controls.steering, controls.throttle, controls.brake, controls.gear}, seat.link().record());
  const Scenario again = read_scenario_text(driven.text, (folder / "drive_1.xml").string());
  std::filesystem::remove_all(folder);
  EXPECT_EQ(again.until, driven.until);
  EXPECT_EQ(again.start, StartMode::equilibrium);
  EXPECT_TRUE(again.events.empty());
  EXPECT_TRUE(again.overrides.empty());  // it was dry
  EXPECT_EQ(again.inputs.size(), 4U);
}

// Springs are changed on the way, the drive begins anew with them, a bar and tyres are changed on
// the way: the file that keeps the second drive gives the same bits, and the loop needs no heap.
TEST(SeatChanges, ADriveWithOtherNumbersOnTheWayComesOutToTheBit) {
  const DriveDescription read = read_sedan();
  const std::string vehicle = kFolder + "models/sedan.xml";
  const std::vector<Override> springs{{"spring_f*", "spring_scale", "1.5", {}}};
  const std::vector<Override> others{{"torsion_front", "spring_scale", "0.25", {}},
                                     {"wheel_r*", "friction_scale", "0.7", {}}};
  Seat seat(read);
  std::vector<CarChange> changes;
  const auto drive = [&](int first, int last) {
    for (int k = first; k < last; ++k) {
      seat.link().drive({0.8 * std::sin(0.3 * k), 0.8, 0.0, 1.0});
      seat.run(50);
    }
  };
  const auto first = make_car(vehicle, springs, read.scenario, {});
  const auto second = make_car(vehicle, joined(springs, others), read.scenario, {});
  drive(0, 10);
  seat.link().offer(*first);
  {
    const test::HeapGuard guard;
    seat.run(1);
    if (test::HeapGuard::works()) EXPECT_EQ(guard.calls(), 0);
  }
  changes.push_back(change_of(seat, *first, springs));
  EXPECT_EQ(changes[0].drive, 0U);
  EXPECT_FALSE(changes[0].at_start);
  EXPECT_NEAR(changes[0].time, 0.5, 1e-12);
  drive(10, 15);
  seat.link().reset();
  drive(0, 20);
  seat.link().offer(*second);
  drive(20, 40);
  changes.push_back(change_of(seat, *second, others));
  EXPECT_EQ(changes[1].drive, 1U);

  const Controls& controls = read.vehicle.controls;
  const DrivenScenario driven =
      write_driven_scenario("", "drive_1", seat.session().settings().h,
                            {controls.steering, controls.throttle, controls.brake, controls.gear},
                            seat.link().record(), events_of(changes, seat.link().drives(), {}));
  const std::filesystem::path file = std::filesystem::temp_directory_path() /
                                     ("semirec_changes_" + std::to_string(getpid()) + ".xml");
  std::ofstream(file) << driven.text;
  DriveDescription again;
  again.scenario = read_scenario(file.string());
  EXPECT_THROW((void)make_drive(read.vehicle, again.scenario), ModelError);
  std::filesystem::remove(file);
  const std::vector<ScenarioEvent> events = take_changes(again.scenario);
  ASSERT_EQ(events.size(), 2U);
  EXPECT_TRUE(again.scenario.events.empty());
  again.vehicle = read_vehicle(vehicle, overrides_at_start(again.scenario, {}, events));
  Session session(again);
  std::vector<ComingCar> coming = make_coming_cars(vehicle, again, events, {}, session);
  std::size_t next = 0;
  for (int k = 0; k < 2000; ++k) {
    take_due_cars(session, coming, next);
    follow_curves(session, seat.link().inputs());
    ASSERT_EQ(session.step(), StepStatus::converged);
  }
  EXPECT_EQ(next, 1U);
  EXPECT_EQ(session.time(), seat.session().time());
  EXPECT_TRUE(session.state().z == seat.session().state().z);
  EXPECT_TRUE(session.state().zd == seat.session().state().zd);
  EXPECT_TRUE(session.state().zdd == seat.session().state().zdd);
  EXPECT_TRUE(session.state().x == seat.session().state().x);
  EXPECT_TRUE(session.state().origin == seat.session().state().origin);
  EXPECT_GT(session.state().origin.x(), 0.5);  // it has gone somewhere
}

// The springs of a standing car are made stiffer: it comes to rest where the equilibrium of the
// stiffer car lies, which another method finds. Its tyres only carry: those that roll would hold
// the track as it was.
TEST(SeatChanges, ACarComesToRestInTheEquilibriumOfItsNewSprings) {
  const std::string vehicle = kFolder + "models/sedan.xml";
  const std::vector<Override> tyres{{"tyre", "value", "none", {}}};
  const DriveDescription read{read_vehicle(vehicle, tyres), open_area()};
  Seat seat(read);
  const auto car = make_car(vehicle, joined(tyres, {{"spring_f*", "spring_scale", "1.5", {}}}),
                            read.scenario, {});
  const auto height = static_cast<std::size_t>(seat.session().find_output("chassis.z"));
  const double before = seat.outputs()[height];
  std::vector<double> at_rest(seat.outputs().size());
  car->session.read_outputs(at_rest.data());
  const double expected = at_rest[height];
  EXPECT_GT(expected - before, 0.01);  // half as much again of 6 kN lifts the front by centimetres
  seat.run(1);
  seat.link().offer(*car);
  seat.run(10'000);
  // heave and pitch at some 8 rad/s and a fifth of critical damping: e^-16 of 3 cm, and room
  EXPECT_NEAR(seat.outputs()[height], expected, 1e-6);
}

// Tyres of half their friction on a road, and tyres of all of it on a road of half the friction:
// full throttle, then full brakes, both beyond what the tyres hold.
TEST(SeatChanges, AScenarioWhoseCarWouldNotFitIsRefusedBeforeItIsDriven) {
  const DriveDescription read = read_sedan();
  Session session(read);
  const std::vector<std::byte> before = bits_of(session);
  ScenarioEvent event;
  event.name = "later";
  event.time = 0.1;
  event.changes.push_back({"links", "value", "body", {}});
  const std::string vehicle = kFolder + "models/sedan.xml";
  EXPECT_THROW((void)make_coming_cars(vehicle, read, {event}, {}, session), ModelError);
  // a rod of another length: 4000 m/s^2 in the next step
  event.changes.front() = {"tie_rod_fl", "length", "0.5", {}};
  EXPECT_THROW((void)make_coming_cars(vehicle, read, {event}, {}, session), ModelError);
  event.changes.front() = {"spring_fl", "spring_scale", "2", {}};
  EXPECT_EQ(make_coming_cars(vehicle, read, {event}, {}, session).size(), 1U);
  EXPECT_EQ(bits_of(session), before);
}

TEST(SeatChanges, TheFrictionScaleOfAWheelIsThatOfTheRoadBelowIt) {
  const std::string vehicle = kFolder + "models/sedan.xml";
  DriveDescription scaled{read_vehicle(vehicle, {{"wheel_*", "friction_scale", "0.25", {}}}),
                          open_area()};
  DriveDescription slippery = read_sedan();
  FrictionPatch everywhere;
  everywhere.friction = 0.25;
  const auto flat = std::make_shared<ProfileSurface>(Curve(), Curve());
  scaled.scenario.surface = std::make_shared<LayeredSurface>(
      std::vector<std::shared_ptr<const RoadSurface>>{flat}, std::vector<FrictionPatch>{});
  slippery.scenario.surface =
      std::make_shared<LayeredSurface>(std::vector<std::shared_ptr<const RoadSurface>>{flat},
                                       std::vector<FrictionPatch>{everywhere});
  Seat one(scaled), other(slippery), gripping(read_sedan());
  for (Seat* seat : {&one, &other, &gripping}) {
    seat->link().drive({0.2, 1.0, 0.0, 1.0});
    seat->run(400);
    seat->link().drive({0.2, 1.0, 0.0, 1.0});
    seat->run(400);
    seat->link().drive({0.2, 0.0, 1.0, 1.0});
    seat->run(300);
  }
  EXPECT_TRUE(one.session().state().z == other.session().state().z);
  EXPECT_TRUE(one.session().state().zd == other.session().state().zd);
  EXPECT_GT((one.session().state().origin - gripping.session().state().origin).norm(), 0.01);
}

TEST(SeatChanges, ACarOfOtherCoordinatesIsNotTaken) {
  const DriveDescription read = read_sedan();
  Seat seat(read);
  seat.run(10);
  const std::vector<std::byte> before = bits_of(seat.session());
  const auto car =
      make_car(kFolder + "models/sedan.xml", {{"links", "value", "body", {}}}, read.scenario, {});
  seat.link().offer(*car);
  seat.link().pause(true);
  seat.run(1);
  EXPECT_EQ(seat.link().take_back(), car.get());
  EXPECT_FALSE(car->taken);
  EXPECT_EQ(bits_of(seat.session()), before);
}

TEST(SeatScenario, NothingDrivenIsNothingToSave) {
  EXPECT_THROW(write_driven_scenario("", "drive_1", 1e-3, {"steering", "", "", ""},
                                     SeatRecord(10, kControls)),
               ModelError);
}

TEST(SeatRecord, KeepsWhatItHasWhenItIsFull) {
  SeatRecord record(2, 1);
  for (const double value : {1.0, 2.0, 3.0}) record.add(0.1 * value, &value);
  EXPECT_TRUE(record.full());
  EXPECT_EQ(record.rows(), 2U);
  EXPECT_EQ(record.value(1, 0), 2.0);
  record.clear();
  EXPECT_EQ(record.rows(), 0U);
}

}  // namespace
}  // namespace semirec::seat
