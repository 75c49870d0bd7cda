// The loop of `semirec realtime` uses no heap and asks the system for the time and for sleep only.
#include "apps/realtime/runner.hpp"

#include <csignal>
#include <cstddef>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>

#include "apps/realtime/exchange_link.hpp"
#include "tests/support/heap_guard.hpp"
#include "vehicles/files/xml/reader.hpp"

namespace semirec::realtime {
namespace {

constexpr std::int64_t kMillisecond = 1'000'000;

Session make_session(const std::string& vehicle, const std::string& scenario) {
  const std::string folder = std::string(SEMIREC_SOURCE_DIR) + "/vehicles/";
  return Session(read_drive(folder + "models/" + vehicle, folder + "scenarios/" + scenario));
}

/// 200 periods of 1 ms, whatever the machine does meanwhile.
RunnerSettings short_run() {
  RunnerSettings settings;
  settings.schedule.policy = Policy::catch_up;
  settings.schedule.most_in_a_row = 1'000'000;
  settings.schedule.window = INT64_MAX;
  settings.duration = 200 * kMillisecond;
  return settings;
}

ExchangeLayout layout_of(const Session& session) {
  ExchangeLayout layout;
  for (const Input& input : session.inputs()) layout.inputs.push_back({input.name, ""});
  layout.outputs = session.outputs();
  return layout;
}

std::string own_name() { return "semirec_realtime_" + std::to_string(getpid()); }

TEST(Runner, UsesNoHeap) {
  if (!test::HeapGuard::works()) GTEST_SKIP() << "this build brings its own malloc";
  for (const char* vehicle : {"car26.xml", "iltis.xml"}) {
    Session session =
        make_session(vehicle, std::string(vehicle) == "car26.xml" ? "shaker.xml" : "rest.xml");
    Exchange exchange(own_name(), layout_of(session));
    exchange.mark_ready();
    semirec_client client;
    ASSERT_EQ(semirec_client_open(&client, exchange.name().c_str(), 1), nullptr);
    std::vector<int> how(session.inputs().size(), SEMIREC_INPUT_VALUE);
    std::vector<double> values(session.inputs().size(), 0.0);
    semirec_client_write(&client, 1, how.data(), values.data());
    ExchangeLink link(exchange, session, 100, OnTimeout::hold);
    Runner runner(session, short_run(), &link);
    const std::atomic<int> stop{0};
    const test::HeapGuard guard;
    runner.run(stop);
    const long calls = guard.calls();
    EXPECT_EQ(calls, 0) << vehicle;
    EXPECT_EQ(runner.report().steps, 200U);
    EXPECT_EQ(runner.report().client.input_records, 1U);
    semirec_client_close(&client);
  }
}

TEST(Runner, DoesWhatASessionDoesThatIsSteppedByHand) {
  RunnerSettings settings = short_run();
  settings.baseline = true;  // blocks of the baseline in between change nothing
  settings.block = 50 * kMillisecond;
  settings.schedule.least_periods = 1;
  settings.rounds = 0.1;
  settings.duration = 400 * kMillisecond;
  // blocks end by the clock: on a loaded machine a few steps more or less are made, or, where it
  // stands still for longer than a block, none of the baseline; then once more
  std::uint64_t baseline_periods = 0;
  for (int attempt = 0; attempt < 50 && baseline_periods == 0; ++attempt) {
    Session paced = make_session("car26.xml", "shaker.xml");
    Runner runner(paced, settings, nullptr);
    const std::atomic<int> stop{0};
    runner.run(stop);
    Session same = make_session("car26.xml", "shaker.xml");
    for (std::uint64_t k = 0; k < runner.report().steps; ++k)
      ASSERT_EQ(same.step(), StepStatus::converged);
    EXPECT_GT(runner.report().steps, 0U);
    EXPECT_EQ(paced.time(), same.time());
    EXPECT_TRUE(paced.state().z == same.state().z);
    EXPECT_TRUE(paced.state().zd == same.state().zd);
    baseline_periods = runner.baseline_schedule().periods();
  }
  EXPECT_GT(baseline_periods, 0U);
}

/// Everything but these calls kills the process from here on.
bool allow_only_time() {
  const auto allow = [](unsigned call, unsigned char skip) {
    return sock_filter BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, skip, 0);
  };
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      allow(SYS_clock_nanosleep, 4),
      allow(SYS_clock_gettime, 3),
      allow(SYS_getrusage, 2),  // before and after the loop
      allow(SYS_exit_group, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program{static_cast<unsigned short>(std::size(filter)), filter};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

constexpr int kNoFilter = 99;

/// How a child ended that may only ask for time.
int status_of(const std::function<int()>& body) {
  const pid_t child = fork();
  if (child == 0) {
    if (!allow_only_time()) _exit(kNoFilter);
    _exit(body());
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

TEST(Runner, AsksTheSystemForTimeAndSleepOnly) {
  Session session = make_session("iltis.xml", "rest.xml");
  Exchange exchange(own_name(), layout_of(session));
  ExchangeLink link(exchange, session, 100, OnTimeout::hold);
  Runner runner(session, short_run(), &link);
  const std::atomic<int> stop{0};
  const int forbidden = status_of([] { return getppid() > 0 ? 0 : 1; });
  if (WIFEXITED(forbidden) && WEXITSTATUS(forbidden) == kNoFilter)
    GTEST_SKIP() << "system calls cannot be filtered here";
  ASSERT_TRUE(WIFSIGNALED(forbidden) && WTERMSIG(forbidden) == SIGSYS) << "the filter lets through";
  const int status = status_of([&] { return runner.run(stop).steps == 200 ? 0 : 1; });
  EXPECT_FALSE(WIFSIGNALED(status)) << "killed by signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(Runner, StopsAtASilentClientWhenAskedAndGoesBackToCurvesWhenAsked) {
  for (const OnTimeout reaction : {OnTimeout::hold, OnTimeout::curve, OnTimeout::stop}) {
    Session session = make_session("iltis.xml", "rest.xml");
    const int rack = session.find_input("rack");
    ASSERT_GE(rack, 0);
    Exchange exchange(own_name(), layout_of(session));
    exchange.mark_ready();
    semirec_client client;
    ASSERT_EQ(semirec_client_open(&client, exchange.name().c_str(), 1), nullptr);
    std::vector<int> how(session.inputs().size(), SEMIREC_INPUT_CURVE);
    std::vector<double> values(session.inputs().size(), 0.0);
    how[static_cast<std::size_t>(rack)] = SEMIREC_INPUT_VALUE;
    values[static_cast<std::size_t>(rack)] = 1e-4;
    semirec_client_write(&client, 1, how.data(), values.data());
    ExchangeLink link(exchange, session, 50, reaction);
    Runner runner(session, short_run(), &link);
    const std::atomic<int> stop{0};
    const RunnerReport& report = runner.run(stop);
    EXPECT_EQ(report.client.timeouts, 1U);
    EXPECT_NEAR(report.client.first_timeout, 0.050,
                1e-9);  // beat in the first period, then 50 without
    const LiveInput& live = session.state().live[static_cast<std::size_t>(rack)];
    switch (reaction) {
      case OnTimeout::hold:
        EXPECT_EQ(report.steps, 200U);
        EXPECT_TRUE(live.given);
        EXPECT_EQ(live.value.f, 1e-4);
        EXPECT_EQ(live.value.fd, 0.0);  // held: it does not move
        break;
      case OnTimeout::curve:
        EXPECT_EQ(report.steps, 200U);
        EXPECT_FALSE(live.given);
        break;
      case OnTimeout::stop:
        EXPECT_EQ(report.stop, RunnerStop::client_silent);
        EXPECT_EQ(report.steps, 50U);
        break;
    }
    semirec_client_close(&client);
  }
}

}  // namespace
}  // namespace semirec::realtime
