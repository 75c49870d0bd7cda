#include "vehicles/session/session.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "integrator/event.hpp"
#include "tests/support/sessions.hpp"
#include "vehicles/files/xml/reader.hpp"
#include "vehicles/road/obstacles.hpp"
#include "vehicles/tyre/linear_tyre.hpp"

namespace semirec::test {
namespace {

using Bytes = std::vector<std::byte>;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::unique_ptr<Session> make_iltis(double step = 1e-3,
                                    Formulation formulation = Formulation::hybrid) {
  return make_session("vehicles/models/iltis.xml", "vehicles/scenarios/bump_5.xml", step,
                      formulation);
}

std::unique_ptr<Session> make_rotor(Formulation formulation = Formulation::hybrid) {
  return make_session("tests/data/rotor.xml", "tests/data/catch_and_let_go.xml", 1e-3, formulation);
}

/// A session on a scenario that was read and then changed.
template <typename Change>
Session make_changed(const std::string& vehicle, const std::string& scenario,
                     const Change& change) {
  const std::string root = std::string(SEMIREC_SOURCE_DIR) + "/";
  DriveDescription read = read_drive(root + vehicle, root + scenario);
  SessionSettings settings;
  change(read.vehicle, read.scenario, settings);
  return Session(read, settings);
}

Bytes saved(const Session& session) {
  Bytes bytes(session.saved_size());
  session.save(bytes.data());
  return bytes;
}

void advance(Session& session, int steps) {
  for (int k = 0; k < steps; ++k)
    ASSERT_EQ(session.step(), StepStatus::converged) << "step " << k << ", t " << session.time();
}

double output(Session& session, const std::string& name) {
  std::vector<double> values(session.outputs().size());
  session.read_outputs(values.data());
  const int index = session.find_output(name);
  return index < 0 ? kNan : values[static_cast<std::size_t>(index)];
}

// inputs

TEST(SessionInputs, AreFoundByNameAndOthersAreNot) {
  const auto iltis = make_iltis();
  EXPECT_GE(iltis->find_input("rack"), 0);
  EXPECT_EQ(iltis->find_input("rak"), -1);
  EXPECT_EQ(iltis->find_output("time"), 0);
  EXPECT_EQ(iltis->find_output(""), -1);
}

TEST(SessionInputs, ThatAreNoNumbersOrHaveNoIndexAreRefusedAndChangeNothing) {
  const auto iltis = make_iltis();
  const int rack = iltis->find_input("rack");
  ASSERT_EQ(iltis->set_input(rack, 0.01), InputStatus::accepted);
  const Bytes before = saved(*iltis);
  for (const double bad : {kNan, kInfinity, -kInfinity, 1e308}) {
    EXPECT_EQ(iltis->set_input(rack, bad), InputStatus::not_finite);
    EXPECT_EQ(iltis->set_input(rack, {0.0, bad == 1e308 ? kNan : bad, 0.0}),
              InputStatus::not_finite);
    EXPECT_EQ(iltis->set_input(rack, {0.0, 0.0, bad == 1e308 ? kNan : bad}),
              InputStatus::not_finite);
  }
  const int size = static_cast<int>(iltis->inputs().size());
  for (const int index : {-1, size, std::numeric_limits<int>::max()}) {
    EXPECT_EQ(iltis->set_input(index, 0.0), InputStatus::unknown);
    EXPECT_EQ(iltis->set_input(index, CurveValue{}), InputStatus::unknown);
    EXPECT_EQ(iltis->release_input(index), InputStatus::unknown);
    EXPECT_TRUE(std::isnan(iltis->input_value(index)));
  }
  for (const double length : {0.0, -1e-3, kNan})
    EXPECT_EQ(iltis->set_input(rack, 0.02, length), InputStatus::not_finite) << length;
  EXPECT_EQ(saved(*iltis), before);
}

TEST(SessionInputs, MoveTheRotorAsTheirTorqueOverItsInertia) {
  Session session = make_changed("tests/data/rotor.xml", "tests/data/two_seconds.xml",
                                 [](Vehicle&, Scenario&, SessionSettings&) {});
  const int torque = session.find_input("torque");
  ASSERT_EQ(session.set_input(torque, 2.0), InputStatus::accepted);
  // at rest the torque is zero at the start of the first step: the trapezoidal rule takes its mean
  advance(session, 1000);
  // J = m L^2/3 = 2/3 kg m^2: 3 rad/s^2
  EXPECT_NEAR(output(session, "pin.z"), 0.5 * 3.0, 2e-3);
  ASSERT_EQ(session.release_input(torque), InputStatus::accepted);
  const double before = output(session, "pin.z");
  advance(session, 1000);
  // coasts at 3 rad/s
  EXPECT_NEAR(output(session, "pin.z") - before, 3.0, 5e-3);
}

TEST(SessionInputs, HaveTheRateOfTheirDifferenceForOneStepAndThenNone) {
  const auto iltis = make_iltis();
  const int rack = iltis->find_input("rack");
  const auto live = [&] { return iltis->state().live[static_cast<std::size_t>(rack)]; };
  // the second call replaces the first: the rate counts from the last step
  iltis->set_input(rack, 0.5);
  iltis->set_input(rack, 1e-4);
  EXPECT_FALSE(live().given) << "the state is that of the last step";
  advance(*iltis, 1);
  EXPECT_TRUE(live().given);
  EXPECT_DOUBLE_EQ(live().value.f, 1e-4);
  EXPECT_DOUBLE_EQ(live().value.fd, 1e-4 / 1e-3);
  advance(*iltis, 1);
  EXPECT_DOUBLE_EQ(live().value.f, 1e-4);
  EXPECT_EQ(live().value.fd, 0.0);
  iltis->set_input(rack, 3e-4);
  advance(*iltis, 1);
  EXPECT_DOUBLE_EQ(live().value.fd, (3e-4 - 1e-4) / 1e-3);
  iltis->release_input(rack);
  advance(*iltis, 1);
  EXPECT_FALSE(live().given);
}

// A state that is the same has the same bytes, whatever was set and taken back.
TEST(SessionInputs, LeaveNothingBehindThatIsReleased) {
  const auto iltis = make_iltis();
  const Bytes before = saved(*iltis);
  const int rack = iltis->find_input("rack");
  ASSERT_EQ(iltis->set_input(rack, 0.5), InputStatus::accepted);
  ASSERT_EQ(iltis->release_input(rack), InputStatus::accepted);
  EXPECT_EQ(saved(*iltis), before);
}

// steps

TEST(SessionSteps, LieOnTheGridHoweverMany) {
  const auto rotor = make_rotor();
  for (int k = 1; k <= 10000; ++k) {
    ASSERT_EQ(rotor->step(), StepStatus::converged);
    ASSERT_EQ(rotor->time(), 1e-3 * k);
  }
}

// A constant torque on a rotor at rest: the trapezoidal rule in closed form, 3 rad/s^2 at the end
// of each step and none at the begin of the first.
TEST(SessionSteps, MayHaveALengthOfTheirOwn) {
  Session session = make_changed("tests/data/rotor.xml", "tests/data/two_seconds.xml",
                                 [](Vehicle&, Scenario&, SessionSettings&) {});
  const int torque = session.find_input("torque");
  constexpr double kAcceleration = 3.0;  // 2 N m over m L^2/3 = 2/3 kg m^2
  constexpr double kRounding = 1e-14;
  double t = 0.0, rate = 0.0, angle = 0.0, before = 0.0;
  for (const double h : {0.4e-3, 0.6e-3, 1e-3, 0.123e-3, 1e-3, 0.7e-3, 0.177e-3, 1e-3}) {
    ASSERT_EQ(session.set_input(torque, 2.0, h), InputStatus::accepted);
    ASSERT_EQ(session.step(h), StepStatus::converged);
    const double rate_before = rate;
    rate += 0.5 * h * (before + kAcceleration);
    angle += 0.5 * h * (rate_before + rate);
    before = kAcceleration;
    t += h;
    EXPECT_NEAR(session.time(), t, kRounding);
    EXPECT_NEAR(output(session, "pin.rate"), rate, kRounding);
    EXPECT_NEAR(output(session, "pin.z"), angle, kRounding);
  }
  // the lengths make 5 ms: back on the grid, and on it from there
  EXPECT_EQ(session.time(), 5e-3);
  advance(session, 995);
  EXPECT_EQ(session.time(), 1.0);
  for (const double bad : {0.0, -1e-3, 1.1e-3, kNan, kInfinity}) {
    EXPECT_EQ(session.step(bad), StepStatus::non_finite);
    EXPECT_EQ(session.time(), 1.0);
  }
}

TEST(SessionInputs, HaveTheRateOfTheirDifferenceOverTheLengthOfTheStep) {
  const auto iltis = make_iltis();
  const int rack = iltis->find_input("rack");
  ASSERT_EQ(iltis->set_input(rack, 1e-4, 0.5e-3), InputStatus::accepted);
  ASSERT_EQ(iltis->step(0.5e-3), StepStatus::converged);
  EXPECT_DOUBLE_EQ(iltis->state().live[static_cast<std::size_t>(rack)].value.fd, 1e-4 / 0.5e-3);
}

TEST(SessionSteps, ThatFailLeaveTheStateAndMayBeTakenAgain) {
  const auto iltis = make_iltis();
  const auto other = make_iltis();
  advance(*iltis, 100);
  advance(*other, 100);
  const int rack = iltis->find_input("rack");
  // a rack of 1e200 m: squares of it are no numbers
  ASSERT_EQ(iltis->set_input(rack, 1e200), InputStatus::accepted);
  const State before = iltis->state();
  EXPECT_NE(iltis->step(), StepStatus::converged);
  EXPECT_NE(iltis->report().status, StepStatus::converged);
  EXPECT_EQ(iltis->time(), before.t);
  EXPECT_EQ(iltis->state().z, before.z);
  EXPECT_EQ(iltis->state().zd, before.zd);
  EXPECT_EQ(iltis->state().lambda, before.lambda);
  EXPECT_EQ(iltis->state().live[static_cast<std::size_t>(rack)].given, false);
  // with a good input it goes on as if nothing had been
  iltis->release_input(rack);
  other->set_input(rack, CurveValue{1e200, 0.0, 0.0});
  other->release_input(rack);
  advance(*iltis, 100);
  advance(*other, 100);
  EXPECT_EQ(iltis->state().z, other->state().z);
}

TEST(SessionSteps, MayBeRehearsedWithoutATrace) {
  for (const bool with_events : {false, true}) {
    const auto plain = with_events ? make_rotor() : make_iltis();
    const auto rehearsed = with_events ? make_rotor() : make_iltis();
    for (int k = 0; k < 500; ++k) {
      rehearsed->rehearse();
      advance(*plain, 1);
      advance(*rehearsed, 1);
      rehearsed->rehearse();
    }
    EXPECT_EQ(saved(*rehearsed), saved(*plain));
  }
}

TEST(SessionSettingsOutOfRange, AreRefusedInOneLine) {
  for (const double step : {0.0, -1e-3, 1.5, kNan, kInfinity})
    EXPECT_THROW(make_session("tests/data/rotor.xml", "tests/data/two_seconds.xml", step),
                 ModelError);
  for (const int iterations : {-1, 101})
    EXPECT_THROW(make_changed("tests/data/rotor.xml", "tests/data/two_seconds.xml",
                              [&](Vehicle&, Scenario&, SessionSettings& settings) {
                                settings.iterations = iterations;
                              }),
                 ModelError);
}

// events

TEST(SessionEvents, HappenAtTheFirstGridTimeFromTheirOwn) {
  // timed: 0.0105 s lies between two grid times
  Session session = make_changed("tests/data/rotor.xml", "tests/data/catch_and_let_go.xml",
                                 [](Vehicle&, Scenario& scenario, SessionSettings&) {
                                   for (ScenarioEvent& event : scenario.events)
                                     if (event.name == "hold") event.time = 0.0105;
                                 });
  const auto strut = static_cast<std::size_t>(find_switch(session.drive().model, "strut"));
  advance(session, 10);
  EXPECT_FALSE(session.state().switches[strut].attached);
  advance(session, 1);
  EXPECT_TRUE(session.state().switches[strut].attached);
  // the gap is closed: the strut has its length
  EXPECT_NEAR(output(session, "pin.z"), 0.0, 1e-9);
  advance(session, 88);
  EXPECT_TRUE(session.state().switches[strut].attached);
  advance(session, 1);
  EXPECT_FALSE(session.state().switches[strut].attached) << session.time();
}

TEST(SessionEvents, OfAConditionHappenAtTheEndOfTheStepThatCrossedAndRepeat) {
  const auto rotor = make_rotor();
  const auto grip = static_cast<std::size_t>(find_switch(rotor->drive().model, "grip"));
  std::vector<double> caught;
  std::vector<double> freed;
  bool before = false;
  double x = 1.0;
  for (int k = 0; k < 10000; ++k) {
    const double x_before = x;
    advance(*rotor, 1);
    x = output(*rotor, "tip.x");
    const bool now = rotor->state().switches[grip].attached;
    if (now && !before) {
      caught.push_back(rotor->time());
      EXPECT_GE(x_before, 0.0);
      EXPECT_LT(x, 0.0);
    }
    if (!now && before) freed.push_back(rotor->time());
    before = now;
  }
  // run() finds them between the grid times: at 0.336655, 1.31819, 2.31819, ... and 0.503981, ... s
  ASSERT_EQ(caught.size(), 10U) << testing::PrintToString(caught) << testing::PrintToString(freed);
  ASSERT_EQ(freed.size(), 10U);
  EXPECT_NEAR(caught[0], 0.337, 1e-3 + 1e-9);
  for (std::size_t k = 1; k < caught.size(); ++k)
    EXPECT_NEAR(caught[k], 0.3185 + static_cast<double>(k), 2e-3);
  for (std::size_t k = 0; k < freed.size(); ++k)
    EXPECT_NEAR(freed[k], 0.504 + static_cast<double>(k), 1e-9);
}

TEST(SessionEvents, ThatAreImpossibleLeaveTheStateAsItWasBeforeTheStep) {
  // at 0.09 s the strut's gap is far above 1 mm
  Session session = make_changed("tests/data/rotor.xml", "tests/data/catch_and_let_go.xml",
                                 [](Vehicle&, Scenario& scenario, SessionSettings&) {
                                   for (ScenarioEvent& event : scenario.events)
                                     if (event.name == "hold") event.time = 0.09;
                                 });
  advance(session, 89);
  const Bytes before = saved(session);
  for (int k = 0; k < 2; ++k) {
    EXPECT_EQ(session.step(), StepStatus::event_impossible);
    EXPECT_GT(session.report().Phi, 1e-3);
    EXPECT_EQ(saved(session), before);
  }
}

// saving

struct Resumed {
  const char* name;
  std::unique_ptr<Session> (*make)(Formulation);
  const char* input;
  int steps;  ///< before saving, then again as many
};
std::ostream& operator<<(std::ostream& out, const Resumed& resumed) { return out << resumed.name; }

class SavedSessions : public testing::TestWithParam<std::tuple<Formulation, Resumed>> {
 protected:
  std::unique_ptr<Session> make() const {
    return std::get<1>(GetParam()).make(std::get<0>(GetParam()));
  }
  void drive(Session& session, int from, int to) const {
    const int input = session.find_input(std::get<1>(GetParam()).input);
    for (int k = from; k < to; ++k) {
      // now given, now held
      if (k % 3 != 0) session.set_input(input, amplitude * std::sin(0.1 * k));
      ASSERT_EQ(session.step(), StepStatus::converged) << k;
    }
  }
  const double amplitude = 1e-3;
};

INSTANTIATE_TEST_SUITE_P(
    All, SavedSessions,
    testing::Combine(testing::ValuesIn(all_formulations()),
                     testing::Values(Resumed{"iltis",
                                             [](Formulation f) { return make_iltis(1e-3, f); },
                                             "rack", 200},
                                     Resumed{"puma",
                                             [](Formulation f) {
                                               return make_session(
                                                   "vehicles/models/puma.xml",
                                                   "vehicles/scenarios/puma_manoeuvre.xml", 0.01,
                                                   f);
                                             },
                                             "torque_6", 300})),
    [](const auto& test) {
      return std::string(name_of(std::get<0>(test.param))) + "_" + std::get<1>(test.param).name;
    });

TEST_P(SavedSessions, GoOnBitForBit) {
  const int steps = std::get<1>(GetParam()).steps;
  const auto session = make();
  drive(*session, 0, steps);
  // an input that is given, but not yet used, is part of it
  const int input = session->find_input(std::get<1>(GetParam()).input);
  session->set_input(input, 0.5 * amplitude);
  const Bytes middle = saved(*session);
  drive(*session, steps, 2 * steps);
  const Bytes end = saved(*session);
  ASSERT_NE(middle, end);

  ASSERT_EQ(session->restore(middle.data(), middle.size()), RestoreStatus::restored);
  EXPECT_EQ(saved(*session), middle);
  drive(*session, steps, 2 * steps);
  EXPECT_EQ(saved(*session), end) << "in the same session";

  const auto other = make();
  ASSERT_EQ(other->restore(middle.data(), middle.size()), RestoreStatus::restored);
  drive(*other, steps, 2 * steps);
  EXPECT_EQ(saved(*other), end) << "in another session";
}

// The oracle is a session that was never copied.
TEST_P(SavedSessions, CopiesGoOnBitForBitEachByItself) {
  const int steps = std::get<1>(GetParam()).steps;
  const auto straight = make();
  drive(*straight, 0, 2 * steps);
  const Bytes end = saved(*straight);

  auto session = make();
  drive(*session, 0, steps);
  const int input = session->find_input(std::get<1>(GetParam()).input);
  session->set_input(input, 0.5 * amplitude);
  Session copy(*session);
  const Bytes middle = saved(*session);
  EXPECT_EQ(saved(copy), middle);
  // what one does the other does not see; the model outlives the session that has made it
  drive(copy, steps, 2 * steps);
  EXPECT_EQ(saved(*session), middle);
  drive(*session, steps, 2 * steps);
  const Bytes of_first = saved(*session);
  session.reset();
  EXPECT_EQ(saved(copy), of_first);
  advance(copy, 3);

  Session another(*straight);
  EXPECT_EQ(saved(another), end);
}

TEST(SavedRotor, CopiesRememberWhatHasHappenedAndWhatTheyWatch) {
  for (const int steps : {5, 50, 400, 800, 337}) {
    const auto straight = make_rotor();
    advance(*straight, steps);
    Session copy(*straight);
    advance(*straight, 3000);
    advance(copy, 3000);
    EXPECT_EQ(saved(copy), saved(*straight)) << "copied after " << steps << " steps";
  }
}

TEST(SavedRotor, RemembersWhatHasHappenedAndWhatItWatches) {
  const auto rotor = make_rotor();
  // before the strut, while it holds, while caught, while free, and at the very catch
  for (const int steps : {5, 50, 400, 800, 337}) {
    const auto straight = make_rotor();
    advance(*straight, steps);
    const Bytes middle = saved(*straight);
    advance(*straight, 3000);
    ASSERT_EQ(rotor->restore(middle.data(), middle.size()), RestoreStatus::restored);
    advance(*rotor, 3000);
    EXPECT_EQ(saved(*rotor), saved(*straight)) << "saved after " << steps << " steps";
  }
}

TEST(SavedState, WithAnyByteChangedIsRefusedAndChangesNothing) {
  const auto rotor = make_rotor();
  advance(*rotor, 50);
  Bytes bytes = saved(*rotor);
  advance(*rotor, 10);
  const Bytes before = saved(*rotor);
  for (std::size_t k = 0; k < bytes.size(); ++k) {
    for (const unsigned flip : {0x01U, 0x80U, 0xffU}) {
      const std::byte good = bytes[k];
      bytes[k] ^= static_cast<std::byte>(flip);
      const RestoreStatus status = rotor->restore(bytes.data(), bytes.size());
      EXPECT_EQ(status, k < 16 ? RestoreStatus::not_a_state : RestoreStatus::corrupt)
          << "byte " << k;
      bytes[k] = good;
    }
  }
  EXPECT_EQ(saved(*rotor), before);
  EXPECT_EQ(rotor->restore(bytes.data(), bytes.size()), RestoreStatus::restored);
}

TEST(SavedState, OfAnotherSizeIsRefused) {
  const auto rotor = make_rotor();
  Bytes bytes = saved(*rotor);
  bytes.resize(bytes.size() + 8);
  for (const std::size_t size : {std::size_t{0}, std::size_t{7}, bytes.size() - 9, bytes.size()})
    EXPECT_EQ(rotor->restore(bytes.data(), size), RestoreStatus::wrong_size) << size;
  EXPECT_EQ(rotor->restore(nullptr, bytes.size() - 8), RestoreStatus::wrong_size);
  EXPECT_EQ(rotor->restore(bytes.data(), bytes.size() - 8), RestoreStatus::restored);
}

/// FNV-1a as published (http://www.isthe.com/chongo/tech/comp/fnv), so that a forged state passes
/// the checksum.
void seal(Bytes& bytes) {
  std::uint64_t hash = 14695981039346656037U;
  for (std::size_t k = 0; k + 8 < bytes.size(); ++k)
    hash = (hash ^ std::to_integer<std::uint64_t>(bytes[k])) * 1099511628211U;
  for (std::size_t k = 0; k < 8; ++k)
    bytes[bytes.size() - 8 + k] = static_cast<std::byte>(hash >> (8 * k));
}

TEST(SavedState, WithNumbersThatAreNoneIsRefusedThoughItsChecksumFits) {
  const auto rotor = make_rotor();
  const Bytes good = saved(*rotor);
  Bytes sealed = good;
  seal(sealed);
  ASSERT_EQ(sealed, good);
  int refused = 0;
  for (std::size_t word = 3; word + 1 < good.size() / 8; ++word) {
    Bytes bytes = good;
    std::memcpy(bytes.data() + 8 * word, &kNan, 8);
    seal(bytes);
    EXPECT_EQ(rotor->restore(bytes.data(), bytes.size()), RestoreStatus::corrupt) << word;
    ++refused;
  }
  EXPECT_GT(refused, 30);
  EXPECT_EQ(saved(*rotor), good);
}

TEST(SavedState, OfAnEarlierLayoutIsRefusedThoughItsChecksumFits) {
  const auto rotor = make_rotor();
  Bytes bytes = saved(*rotor);
  // the second word is the version of the layout: 5 since the jerk is part of it
  EXPECT_EQ(bytes[8], std::byte{5});
  bytes[8] = std::byte{4};
  seal(bytes);
  EXPECT_EQ(rotor->restore(bytes.data(), bytes.size()), RestoreStatus::not_a_state);
}

// a cart of 4 kg at a spring of 200 N/m, pushed: its acceleration balances what the outputs say,
// and is not the mean over the step, which lags by half of it
TEST(SessionOutputs, OfASchemeWithoutIterationsBalanceTheForces) {
  for (const Closing closing : {Closing::multipliers, Closing::independent}) {
    SCOPED_TRACE(name_of(closing));
    Session cart = make_changed("tests/data/pushed_mass.xml", "tests/data/pushed_mass_run.xml",
                                [&](Vehicle&, Scenario& s, SessionSettings& settings) {
                                  settings.step = 5e-3;
                                  settings.iterations = 1;
                                  s.scheme = choose_scheme("linearly_implicit_euler", {});
                                  s.closing = closing;
                                });
    const double rest = output(cart, "nose.x");
    double most = 0.0;
    for (int k = 0; k < 200; ++k) {
      advance(cart, 1);
      const Bytes before = saved(cart);
      const double pull = 200.0 * (output(cart, "nose.x") - rest - output(cart, "place.value"));
      EXPECT_NEAR(output(cart, "nose.ax"), (output(cart, "push.value") - pull) / 4.0, 1e-9);
      EXPECT_EQ(saved(cart), before);
      most = std::max(most, std::abs(output(cart, "nose.ax") - cart.state().zdd[0]));
    }
    EXPECT_GT(most, 0.05);  // of some 5 m/s^2
  }
}

// Where nothing is said: as the scheme needs, one where it does not iterate.
TEST(SessionSteps, IterateAsOftenAsTheSchemeNeeds) {
  for (const auto& [scheme, closing, expected] :
       {std::tuple("trapezoid", Closing::penalty, 2), std::tuple("hht", Closing::penalty, 2),
        std::tuple("linearly_implicit_euler", Closing::independent, 1)}) {
    Session cart = make_changed("tests/data/pushed_mass.xml", "tests/data/pushed_mass_run.xml",
                                [&](Vehicle&, Scenario& s, SessionSettings& settings) {
                                  settings.iterations = 0;
                                  s.scheme = choose_scheme(scheme, {});
                                  s.closing = closing;
                                });
    EXPECT_EQ(cart.settings().iterations, expected) << scheme;
    advance(cart, 1);
    EXPECT_EQ(cart.report().iterations, expected) << scheme;
  }
}

TEST(SessionNotes, SayWhatOfTheScenarioIsNotFollowed) {
  const auto notes_of = [](int of_scenario, int asked) {
    return make_changed("tests/data/pushed_mass.xml", "tests/data/pushed_mass_run.xml",
                        [&](Vehicle&, Scenario& s, SessionSettings& settings) {
                          s.iterations = of_scenario;
                          settings.iterations = asked;
                        })
        .notes();
  };
  const auto holds_note = [](const std::vector<std::string>& notes) {
    return std::count_if(notes.begin(), notes.end(), [](const std::string& note) {
             return note.find("iterations of 5 are not followed: here steps make ") !=
                    std::string::npos;
           }) == 1;
  };
  EXPECT_TRUE(holds_note(notes_of(5, 0)));
  EXPECT_TRUE(holds_note(notes_of(5, 3)));
  // until converged, or those that are made
  EXPECT_TRUE(notes_of(0, 0).empty());
  EXPECT_TRUE(notes_of(2, 0).empty());
  EXPECT_TRUE(notes_of(5, 5).empty());
}

// whatever has moved the state, or the car under it
TEST(SessionOutputs, OfASchemeWithoutIterationsAreThoseOfTheStateAtHand) {
  const auto make = [](double mass) {
    return make_changed("tests/data/pushed_mass.xml", "tests/data/pushed_mass_run.xml",
                        [&](Vehicle& v, Scenario& s, SessionSettings& settings) {
                          settings.iterations = 1;
                          s.scheme = choose_scheme("linearly_implicit_euler", {});
                          s.closing = Closing::independent;
                          v.mechanism.bodies[0].mass = mass;
                        });
  };
  Session cart = make(4.0);
  const double rest = output(cart, "nose.x");
  const auto force = [&] {
    const double pull = 200.0 * (output(cart, "nose.x") - rest - output(cart, "place.value"));
    return output(cart, "push.value") - pull;
  };
  advance(cart, 50);
  const double then = output(cart, "nose.ax");
  const Bytes bytes = saved(cart);
  advance(cart, 50);
  EXPECT_NE(output(cart, "nose.ax"), then);
  ASSERT_EQ(cart.restore(bytes.data(), bytes.size()), RestoreStatus::restored);
  EXPECT_EQ(output(cart, "nose.ax"), then);
  // read in another order than before: the copy knows them as well
  Session copy(cart);
  EXPECT_EQ(output(copy, "nose.ax"), then);
  // a controller reads what is read from outside
  const auto ax = static_cast<std::size_t>(cart.find_output("nose.ax"));
  struct Seen {
    std::size_t ax;
    double value;
  } seen{ax, 0.0};
  cart.set_controller({[](void* user, Session&, const double* outputs) noexcept {
                         auto& at = *static_cast<Seen*>(user);
                         at.value = outputs[at.ax];
                       },
                       &seen});
  advance(cart, 1);
  EXPECT_EQ(seen.value, then);
  cart.set_controller({});
  // twice the mass under the same force
  EXPECT_NEAR(output(cart, "nose.ax"), force() / 4.0, 1e-9);
  Session heavier = make(8.0);
  ASSERT_TRUE(cart.trade_cars(heavier));
  EXPECT_NEAR(output(cart, "nose.ax"), force() / 8.0, 1e-9);
}

TEST(SavedState, HoldsWhatASchemeRemembers) {
  for (const char* scheme : {"hht", "generalized_alpha", "nstiff"}) {
    SCOPED_TRACE(scheme);
    const auto make = [&] {
      return make_changed(
          "tests/data/rotor.xml", "tests/data/two_seconds.xml",
          [&](Vehicle&, Scenario& s, SessionSettings&) { s.scheme = choose_scheme(scheme, {}); });
    };
    Session one = make();
    advance(one, 30);
    const Bytes bytes = saved(one);
    Session other = make();
    advance(other, 7);
    ASSERT_EQ(other.restore(bytes.data(), bytes.size()), RestoreStatus::restored);
    advance(one, 30);
    advance(other, 30);
    EXPECT_EQ(saved(one), saved(other));
  }
}

struct Remembering {
  const char* scheme;
  Closing closing;
  Formulation formulation;
};

// before the first step no pivots are known; a state has its size all the same
TEST(SavedState, FillsItsBytesAndNoMoreWithEveryClosing) {
  using enum Closing;
  for (const auto& [scheme, closing, formulation] :
       {Remembering{"trapezoid", multipliers, Formulation::hybrid},
        Remembering{"hht", multipliers, Formulation::cartesian},
        Remembering{"nstiff_si2", multipliers, Formulation::hybrid},
        Remembering{"hht_si2", multipliers, Formulation::cartesian},
        Remembering{"hht_add", multipliers, Formulation::hybrid},
        Remembering{"linearly_implicit_euler", multipliers, Formulation::global},
        Remembering{"linearly_implicit_euler", multipliers, Formulation::cartesian},
        Remembering{"linearly_implicit_euler", independent, Formulation::hybrid}}) {
    SCOPED_TRACE(std::string(scheme) + " " + name_of(closing) + " " + name_of(formulation));
    const auto make = [&] {
      return make_changed("tests/data/pushed_mass.xml", "tests/data/pushed_mass_run.xml",
                          [&](Vehicle&, Scenario& s, SessionSettings& settings) {
                            s.scheme = choose_scheme(scheme, {});
                            if (s.scheme.family->kind == StepKind::linearly_implicit)
                              settings.iterations = 1;
                            s.closing = closing;
                            settings.compile.formulation = formulation;
                          });
    };
    const auto saved_in_front = [](const Session& session) {
      constexpr auto kGuard = std::byte{0xab};
      Bytes bytes(session.saved_size() + 4096, kGuard);
      session.save(bytes.data());
      for (std::size_t k = session.saved_size(); k < bytes.size(); ++k)
        EXPECT_EQ(bytes[k], kGuard) << k - session.saved_size() << " bytes behind the end";
      bytes.resize(session.saved_size());
      return bytes;
    };
    Session one = make();
    const Bytes start = saved_in_front(one);
    advance(one, 20);
    const Bytes middle = saved_in_front(one);
    advance(one, 20);
    const Bytes end = saved_in_front(one);
    Session other = make();
    advance(other, 7);
    ASSERT_EQ(other.restore(middle.data(), middle.size()), RestoreStatus::restored);
    advance(other, 20);
    EXPECT_EQ(saved(other), end);
    ASSERT_EQ(other.restore(start.data(), start.size()), RestoreStatus::restored);
    advance(other, 40);
    EXPECT_EQ(saved(other), end);
  }
}

TEST(SavedState, OfAnotherModelIsRefused) {
  const auto rotor = make_rotor();
  const Bytes bytes = saved(*rotor);
  const auto restore = [&](const auto& change) {
    Session other = make_changed("tests/data/rotor.xml", "tests/data/catch_and_let_go.xml", change);
    return other.restore(bytes.data(), bytes.size());
  };
  EXPECT_EQ(restore([](Vehicle&, Scenario&, SessionSettings&) {}), RestoreStatus::restored);
  EXPECT_EQ(restore([](Vehicle&, Scenario&, SessionSettings& s) { s.step = 2e-3; }),
            RestoreStatus::other_model);
  EXPECT_EQ(restore([](Vehicle&, Scenario&, SessionSettings& s) { s.iterations = 3; }),
            RestoreStatus::other_model);
  EXPECT_EQ(restore([](Vehicle&, Scenario& s, SessionSettings&) {
              s.scheme = choose_scheme("newmark", {{"gamma", 0.6}});
            }),
            RestoreStatus::other_model);
  EXPECT_EQ(restore([](Vehicle& v, Scenario&, SessionSettings&) {
              v.mechanism.bodies[0].mass = std::nextafter(v.mechanism.bodies[0].mass, 3.0);
            }),
            RestoreStatus::other_model);
  EXPECT_EQ(
      restore([](Vehicle& v, Scenario&, SessionSettings&) { v.mechanism.bodies[0].name = "wing"; }),
      RestoreStatus::other_model);
  EXPECT_EQ(restore([](Vehicle&, Scenario& s, SessionSettings&) { s.events[0].time = 0.011; }),
            RestoreStatus::other_model);
  EXPECT_EQ(restore([](Vehicle&, Scenario& s, SessionSettings&) {
              s.inputs[0].curve = Curve::constant(1.0);
            }),
            RestoreStatus::other_model);
  // what is recorded does not matter
  EXPECT_EQ(restore([](Vehicle&, Scenario& s, SessionSettings&) { s.reactions.clear(); }),
            RestoreStatus::restored);
}

TEST(SavedState, OfAnotherRoadTyreOrSpeedIsRefused) {
  const auto iltis = make_iltis();
  const Bytes bytes = saved(*iltis);
  const auto restore = [&](const auto& change) {
    Session other =
        make_changed("vehicles/models/iltis.xml", "vehicles/scenarios/bump_5.xml", change);
    return other.restore(bytes.data(), bytes.size());
  };
  EXPECT_EQ(restore([](Vehicle&, Scenario&, SessionSettings&) {}), RestoreStatus::restored);
  EXPECT_EQ(
      restore([](Vehicle&, Scenario& s, SessionSettings&) { s.road.left = Curve::constant(0.0); }),
      RestoreStatus::other_model);
  EXPECT_EQ(restore([](Vehicle& v, Scenario&, SessionSettings&) { v.wheels[0].stiffness += 1.0; }),
            RestoreStatus::other_model);
  EXPECT_EQ(restore([](Vehicle&, Scenario& s, SessionSettings&) { s.lateral = !s.lateral; }),
            RestoreStatus::other_model);
}

// Surfaces and laws that are made in C++, by nobody's file.
TEST(SavedState, OfAnotherSurfaceOrTyreLawIsRefused) {
  const auto level = [](double height) {
    return std::make_shared<InclinedPlane>(height, 0.0, 0.0);
  };
  const auto law = [](double stiffness) {
    LinearTyreParameters p;
    p.radial.radius = 0.3;
    p.cornering_stiffness = stiffness;
    return std::make_shared<LinearTyre>(p);
  };
  const auto make = [&](double height, double stiffness) {
    return make_changed("vehicles/models/sedan.xml", "vehicles/scenarios/bump_5.xml",
                        [&](Vehicle& v, Scenario& s, SessionSettings&) {
                          s.start = StartMode::design;
                          s.speed = 0.0;
                          s.surface = level(height);
                          for (Wheel& wheel : v.wheels) wheel.law = law(stiffness);
                        });
  };
  const Bytes bytes = saved(make(0.0, 9e4));
  EXPECT_EQ(make(0.0, 9e4).restore(bytes.data(), bytes.size()), RestoreStatus::restored);
  EXPECT_EQ(make(-0.01, 9e4).restore(bytes.data(), bytes.size()), RestoreStatus::other_model);
  EXPECT_EQ(make(0.0, 9.1e4).restore(bytes.data(), bytes.size()), RestoreStatus::other_model);
}

}  // namespace
}  // namespace semirec::test
