// Is a session allowed in a control loop? With inputs, outputs, events, saving and restoring it
// takes no memory, and makes no system call at all.

#include "vehicles/session/session.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>
#include <linux/seccomp.h>

#include "tests/support/heap_guard.hpp"
#include "tests/support/sessions.hpp"
#include "tests/support/strict_mode.hpp"

namespace semirec::test {
namespace {

constexpr int kSteps = 10000;

/// A session on files of this repository, by path from its root.
struct CarAndRoad {
  const char* name;
  const char* vehicle;
  const char* scenario;
  const char* input;  ///< given live in every step; null: none
  double step;
  int events;  ///< that happen within the steps, at least
  Formulation formulation = Formulation::hybrid;
};
std::ostream& operator<<(std::ostream& out, const CarAndRoad& subject) {
  return out << subject.name;
}

/// Counts switches that have changed.
class EventCount {
 public:
  explicit EventCount(const Session& session) : session_(session), attached_(now()) {}
  int look() {
    int changed = 0;
    for (std::size_t s = 0; s < attached_.size(); ++s) {
      const bool attached = session_.state().switches[s].attached;
      changed += attached != static_cast<bool>(attached_[s]) ? 1 : 0;
      attached_[s] = attached ? 1 : 0;
    }
    return changed;
  }

 private:
  std::vector<char> now() const {
    std::vector<char> attached;
    for (const ClosureSwitch& change : session_.state().switches)
      attached.push_back(change.attached ? 1 : 0);
    return attached;
  }
  const Session& session_;
  std::vector<char> attached_;
};

class Sessions : public testing::TestWithParam<CarAndRoad> {
 protected:
  Sessions()
      : session(make_session(GetParam().vehicle, GetParam().scenario, GetParam().step,
                             GetParam().formulation)) {
    if (GetParam().input != nullptr) input = session->find_input(GetParam().input);
  }
  /// One turn of a control loop; false when the step failed.
  bool turn(int k) {
    if (input >= 0 && session->set_input(input, 1e-4 * (k % 7)) != InputStatus::accepted)
      return false;
    session->rehearse();
    if (session->step() != StepStatus::converged) return false;
    session->read_outputs(outputs.data());
    session->read_outputs(choice, chosen.data());
    return true;
  }
  /// Every ninth output.
  OutputChoice choose() const {
    std::vector<std::size_t> places;
    for (std::size_t k = 0; k < session->outputs().size(); k += 9) places.push_back(k);
    return session->choose_outputs(places);
  }

  std::unique_ptr<Session> session;
  int input = -1;
  std::vector<double> outputs = std::vector<double>(session->outputs().size());
  OutputChoice choice = choose();
  std::vector<double> chosen = std::vector<double>(choice.channels.size());
  std::vector<std::byte> saved = std::vector<std::byte>(session->saved_size());
};

INSTANTIATE_TEST_SUITE_P(
    All, Sessions,
    testing::Values(CarAndRoad{"iltis", "vehicles/models/iltis.xml",
                               "vehicles/scenarios/ramp_and_stairs.xml", "rack", 1e-3, 0},
                    CarAndRoad{"car26", "vehicles/models/car26.xml",
                               "vehicles/scenarios/shaker.xml", "excitation_wheel_fl", 1e-3, 0},
                    CarAndRoad{"iltis_suspension", "vehicles/models/iltis_suspension.xml",
                               "vehicles/scenarios/kerb_7s.xml", nullptr, 1e-3, 0},
                    CarAndRoad{"puma", "vehicles/models/puma.xml",
                               "vehicles/scenarios/puma_manoeuvre.xml", "torque_1", 1e-3, 2},
                    CarAndRoad{"catch_and_let_go", "tests/data/rotor.xml",
                               "tests/data/catch_and_let_go.xml", nullptr, 1e-3, 22},
                    CarAndRoad{"catch_and_let_go_recursive", "tests/data/rotor.xml",
                               "tests/data/catch_and_let_go.xml", nullptr, 1e-3, 22,
                               Formulation::recursive}),
    [](const auto& test) { return std::string(test.param.name); });

TEST_P(Sessions, TakeNoMemoryWithInputsOutputsAndEvents) {
  if (!HeapGuard::works()) GTEST_SKIP() << "this build has a malloc of its own";
  ASSERT_EQ(input >= 0, GetParam().input != nullptr);
  EventCount count(*session);
  int events = 0;
  int failed = 0;
  long calls = 0;
  long bytes = 0;
  bool restored = true;
  {
    const HeapGuard guard;
    for (int k = 0; k < kSteps; ++k) {
      failed += turn(k) ? 0 : 1;
      events += count.look();
      if (k % 100 != 0) continue;
      session->save(saved.data());
      restored =
          session->restore(saved.data(), saved.size()) == RestoreStatus::restored && restored;
    }
    calls = guard.calls();
    bytes = guard.bytes();
  }
  EXPECT_EQ(failed, 0) << "the last at " << session->time() << " s";
  EXPECT_TRUE(restored);
  EXPECT_GE(events, GetParam().events);
  EXPECT_EQ(calls, 0) << bytes << " bytes in " << kSteps << " steps";
}

TEST_P(Sessions, MakeNoSystemCall) {
  if (kSanitized) GTEST_SKIP() << "sanitizers make system calls of their own";
  const int status = run_in_strict_mode([&] {
    bool good = true;
    for (int k = 0; k < kSteps && good; ++k) {
      good = turn(k);
      if (k % 100 != 0) continue;
      session->save(saved.data());
      good = session->restore(saved.data(), saved.size()) == RestoreStatus::restored && good;
    }
    return good;
  });
  if (status == -1) GTEST_SKIP() << "the kernel has no strict mode";
  ASSERT_TRUE(WIFEXITED(status)) << "killed by signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(StrictMode, KillsAtTheFirstSystemCall) {
  if (kSanitized) GTEST_SKIP() << "sanitizers make system calls of their own";
  const int status = run_in_strict_mode([] { return getppid() > 0; });
  if (status == -1) GTEST_SKIP() << "the kernel has no strict mode";
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGKILL);
}

}  // namespace
}  // namespace semirec::test
