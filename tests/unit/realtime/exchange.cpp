#include "apps/realtime/exchange.hpp"

#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <limits>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "topology/mechanism.hpp"

namespace semirec::realtime {
namespace {

std::string own_name() { return "semirec_unit_" + std::to_string(getpid()); }

ExchangeLayout layout(std::size_t inputs, std::size_t outputs) {
  ExchangeLayout layout;
  for (std::size_t k = 0; k < inputs; ++k)
    layout.inputs.push_back({"in_" + std::to_string(k), "m"});
  for (std::size_t k = 0; k < outputs; ++k)
    layout.outputs.push_back({"out_" + std::to_string(k), "N"});
  layout.period = 1'000'000;
  layout.input_timeout = 5;
  layout.vehicle = "cart";
  return layout;
}

bool exists(const std::string& name) {
  const int file = shm_open(("/" + name).c_str(), O_RDWR, 0);
  if (file >= 0) close(file);
  return file >= 0;
}

/// What making the exchange complains about; empty when it is made.
std::string complaint(const std::string& name) {
  try {
    const Exchange exchange(name, layout(1, 1));
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

TEST(Ring, TwoThreadsNeverSeeATornOrAnOlderRecord) {
  constexpr std::uint64_t kWords = 61;
  std::uint64_t latest = 0;
  std::vector<std::uint64_t> ring(semirec_ring_bytes(kWords) / 8);
  std::atomic<bool> done{false};
  std::thread writer([&] {
    for (std::uint64_t value = 1; !done.load(std::memory_order_relaxed); ++value) {
      std::uint64_t* payload = semirec_ring_begin(&latest, ring.data(), kWords);
      for (std::uint64_t k = 0; k < kWords; ++k) semirec_store(payload, k, value + k);
      semirec_ring_end(&latest, ring.data(), kWords);
    }
  });
  std::vector<std::uint64_t> copy(kWords);
  std::uint64_t last = 0, taken = 0, torn = 0, wrong = 0, overtaken = 0;
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  while (std::chrono::steady_clock::now() < until) {
    const std::uint64_t n =
        semirec_ring_read(&latest, ring.data(), kWords, last, copy.data(), &overtaken);
    if (n == 0) continue;
    ++taken;
    for (std::uint64_t k = 0; k < kWords; ++k) torn += copy[k] != copy[0] + k;
    wrong += copy[0] != n || n <= last;  // the writer's values are the records' numbers
    last = n;
  }
  done = true;
  writer.join();
  EXPECT_EQ(torn, 0U);
  EXPECT_EQ(wrong, 0U);
  EXPECT_GT(taken, 1U);
}

TEST(Ring, AWriterThatDiedHalfwayLeavesTheLastRecordAndTheNextGoesOnFromIt) {
  std::uint64_t latest = 0;
  std::vector<std::uint64_t> ring(semirec_ring_bytes(2) / 8);
  const auto begin = [&](std::uint64_t value) {
    std::uint64_t* payload = semirec_ring_begin(&latest, ring.data(), 2);
    semirec_store(payload, 0, value);
    return payload;
  };
  std::uint64_t copy[2] = {0, 0};
  for (std::uint64_t value = 1; value <= 10; ++value) {
    std::uint64_t* payload = begin(value);
    semirec_store(payload, 1, value);
    semirec_ring_end(&latest, ring.data(), 2);
    begin(999);  // of a client that is killed here
    EXPECT_EQ(semirec_ring_read(&latest, ring.data(), 2, value - 1, copy, nullptr), value);
    EXPECT_EQ(copy[0], value);
    EXPECT_EQ(copy[1], value);
    EXPECT_EQ(semirec_ring_read(&latest, ring.data(), 2, value, copy, nullptr), 0U);
  }
}

TEST(Ring, AnyNumberInTheClientsWordsIsAtMostNoRecord) {
  std::uint64_t overtaken = 0;
  std::vector<std::uint64_t> ring(semirec_ring_bytes(3) / 8);
  std::uint64_t copy[3];
  for (const std::uint64_t garbage :
       {std::uint64_t{1}, std::uint64_t{7}, UINT64_MAX, UINT64_MAX / 2})
    EXPECT_EQ(semirec_ring_read(&garbage, ring.data(), 3, 0, copy, &overtaken), 0U) << garbage;
  EXPECT_EQ(overtaken, 4U * SEMIREC_EXCHANGE_TRIES);
}

TEST(Exchange, ShowsNamesUnitsAndOutputsAndTakesInputs) {
  const std::string name = own_name();
  Exchange exchange(name, layout(2, 3));
  semirec_client client;
  EXPECT_STREQ(semirec_client_open(&client, name.c_str(), 1), "not ready: being made, or ended");
  exchange.mark_ready();
  ASSERT_EQ(semirec_client_open(&client, name.c_str(), 1), nullptr);
  EXPECT_EQ(client.exchange->input_count, 2U);
  EXPECT_EQ(client.exchange->period_ns, 1'000'000);
  EXPECT_STREQ(client.exchange->vehicle, "cart");
  EXPECT_EQ(semirec_find(client.outputs, 3, "out_2"), 2);
  EXPECT_EQ(semirec_find(client.inputs, 2, "in_2"), -1);
  EXPECT_STREQ(client.outputs[1].unit, "N");

  EXPECT_FALSE(exchange.take_inputs());
  const int how[2] = {SEMIREC_INPUT_CURVE, SEMIREC_INPUT_VALUE};
  const double values[2] = {1.0, -0.25};
  semirec_client_write(&client, 42, how, values);
  EXPECT_TRUE(exchange.take_inputs());
  EXPECT_FALSE(exchange.take_inputs());
  EXPECT_FALSE(exchange.given(0));
  EXPECT_TRUE(exchange.given(1));
  EXPECT_EQ(exchange.value(1), -0.25);
  EXPECT_EQ(exchange.client_heartbeat(), 1U);

  const double outputs[3] = {1.0, 2.0, 3.0};
  exchange.publish(9, 12345, 0, true, outputs);
  std::uint64_t record[SEMIREC_OUTPUT_HEAD_WORDS + 3];
  EXPECT_EQ(semirec_client_read(&client, 0, record), 1U);
  EXPECT_EQ(record[0], 9U);
  EXPECT_EQ(record[1], 12345U);
  EXPECT_EQ(record[2], 42U);  // the token is back
  EXPECT_EQ(record[3], 1U);
  EXPECT_EQ(record[4], 0U);
  EXPECT_EQ(record[5], 1U);  // settled
  EXPECT_EQ(semirec_double(record[SEMIREC_OUTPUT_HEAD_WORDS + 2]), 3.0);
  EXPECT_EQ(semirec_client_read(&client, 1, record), 0U);

  semirec_client second;
  EXPECT_STREQ(semirec_client_open(&second, name.c_str(), 1), "another client writes the inputs");
  EXPECT_EQ(semirec_client_open(&second, name.c_str(), 0), nullptr);  // looking is free
  semirec_client_close(&second);
  semirec_client_close(&client);
  EXPECT_EQ(semirec_client_open(&second, name.c_str(), 1), nullptr);
  semirec_client_close(&second);
}

TEST(Exchange, AClientThatWritesWhereItMayNotDoesNotReachTheRunner) {
  const std::string name = own_name();
  Exchange exchange(name, layout(1, 1));
  exchange.mark_ready();
  semirec_client client;
  ASSERT_EQ(semirec_client_open(&client, name.c_str(), 1), nullptr);
  std::memset(static_cast<void*>(client.exchange), 0xff, client.size);
  EXPECT_FALSE(exchange.take_inputs());
  const double output = 7.0;
  exchange.publish(1, 1, 0, false, &output);
  EXPECT_EQ(client.exchange->output_latest.word, 1U);
  munmap(client.exchange, client.size);
  close(client.file);
}

// The kernel gives the right back, whether anybody has taken note of the death or not.
TEST(Exchange, AClientThatWasKilledLeavesTheRightToWriteAtOnce) {
  const std::string name = own_name();
  Exchange exchange(name, layout(1, 1));
  exchange.mark_ready();
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    semirec_client client;
    const char good = semirec_client_open(&client, name.c_str(), 1) == nullptr ? 1 : 0;
    if (::write(ready[1], &good, 1) == 1) pause();
    _exit(0);
  }
  char good = 0;
  ASSERT_EQ(::read(ready[0], &good, 1), 1);
  ASSERT_EQ(good, 1);
  semirec_client second;
  EXPECT_STREQ(semirec_client_open(&second, name.c_str(), 1), "another client writes the inputs");
  kill(child, SIGKILL);
  siginfo_t info{};
  ASSERT_EQ(waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT),
            0);  // stays a zombie
  EXPECT_EQ(semirec_client_open(&second, name.c_str(), 1), nullptr);
  semirec_client_close(&second);
  waitpid(child, nullptr, 0);
  close(ready[0]);
  close(ready[1]);
}

TEST(Exchange, IsTakenAwayAtItsEndAndTellsItsClients) {
  const std::string name = own_name();
  semirec_client client;
  {
    Exchange exchange(name, layout(1, 1));
    exchange.mark_ready();
    ASSERT_EQ(semirec_client_open(&client, name.c_str(), 0), nullptr);
    EXPECT_EQ(semirec_client_running(&client), 1);
  }
  EXPECT_EQ(semirec_client_running(&client), 0);
  EXPECT_FALSE(exists(name));
  semirec_client_close(&client);
}

TEST(Exchange, LeavesAloneWhatTookItsNameAfterSomebodyRemovedIt) {
  const std::string name = own_name();
  {
    Exchange first(name, layout(1, 1));
    shm_unlink(first.name().c_str());
    const int file = shm_open(first.name().c_str(), O_CREAT | O_EXCL | O_RDWR, 0600);
    ASSERT_GE(file, 0);
    close(file);
  }
  EXPECT_TRUE(exists(name));
  shm_unlink(("/" + name).c_str());
}

TEST(Exchange, OfARunningProcessIsRefusedAndOfADeadOneReplaced) {
  const std::string name = own_name();
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    Exchange exchange(name, layout(1, 1));
    exchange.mark_ready();
    if (write(ready[1], "r", 1) == 1) pause();
    _exit(1);
  }
  char r = 0;
  ASSERT_EQ(read(ready[0], &r, 1), 1);
  const std::string refused = complaint(name);
  EXPECT_NE(refused.find("belongs to a running process, " + std::to_string(child)),
            std::string::npos)
      << refused;
  semirec_client client;
  ASSERT_EQ(semirec_client_open(&client, name.c_str(), 0), nullptr);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_TRUE(exists(name));
  EXPECT_EQ(complaint(name), "");
  EXPECT_EQ(semirec_client_running(&client), 0);  // who still looks at the old one learns it
  semirec_client_close(&client);
  EXPECT_FALSE(exists(name));
  close(ready[0]);
  close(ready[1]);
}

TEST(Exchange, AnObjectThatIsNoneIsRefusedAndLeftAlone) {
  const std::string name = own_name();
  for (const std::size_t size : {std::size_t{0}, std::size_t{10}, std::size_t{100000}}) {
    const int file = shm_open(("/" + name).c_str(), O_CREAT | O_EXCL | O_RDWR, 0600);
    ASSERT_GE(file, 0);
    ASSERT_EQ(ftruncate(file, static_cast<off_t>(size)), 0);
    if (size > 0) {
      ASSERT_EQ(pwrite(file, "foreign", 7, 0), 7);
    }
    const std::string refused = complaint(name);
    EXPECT_NE(refused.find("is no exchange"), std::string::npos) << refused;
    EXPECT_NE(refused.find("/dev/shm/" + name), std::string::npos) << refused;
    semirec_client client;
    EXPECT_NE(semirec_client_open(&client, name.c_str(), 1), nullptr);
    EXPECT_EQ(client.exchange, nullptr);
    struct stat info {};
    fstat(file, &info);
    EXPECT_EQ(static_cast<std::size_t>(info.st_size), size);
    char text[8] = "";
    if (size > 0) {
      EXPECT_EQ(pread(file, text, 7, 0), 7);
      EXPECT_STREQ(text, "foreign");
    }
    close(file);
    shm_unlink(("/" + name).c_str());
  }
}

TEST(Exchange, RefusesNamesThatAreNone) {
  for (const std::string name : {"", "/", "a/b", ".", "../x", "with space", "ä"})
    EXPECT_NE(complaint(name).find("is no name"), std::string::npos) << name;
  EXPECT_NE(complaint(std::string(300, 'x')).find("is no name"), std::string::npos);
  EXPECT_EQ(complaint("/" + own_name()), "");
}

TEST(ClientWatch, CountsSilenceFromTheTimeoutOnAndOnlyAfterAFirstBeat) {
  ClientWatch watch(3);
  using News = ClientWatch::News;
  for (int k = 0; k < 10; ++k) EXPECT_EQ(watch.look(0), News::none);
  EXPECT_FALSE(watch.heard());
  EXPECT_EQ(watch.look(1), News::none);
  EXPECT_TRUE(watch.heard());
  EXPECT_EQ(watch.look(1), News::none);
  EXPECT_EQ(watch.look(1), News::none);
  EXPECT_EQ(watch.look(1), News::fell_silent);  // the third period without
  EXPECT_EQ(watch.look(1), News::none);
  EXPECT_EQ(watch.look(1), News::none);
  EXPECT_TRUE(watch.silent());
  EXPECT_EQ(watch.look(5), News::is_back);
  EXPECT_FALSE(watch.silent());
  EXPECT_EQ(watch.timeouts(), 1U);
  EXPECT_EQ(watch.silent_periods(), 2U);
}

}  // namespace
}  // namespace semirec::realtime
