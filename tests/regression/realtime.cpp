// `semirec realtime` as its users meet it. Time never decides: rates are far below or far above
// what any machine holds.
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <functional>
#include <sstream>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>
#include <linux/capability.h>
#include <nlohmann/json.hpp>

#include "apps/exchange/semirec_exchange.h"
#include "tests/regression/program.hpp"

namespace semirec::test {
namespace {

using Json = nlohmann::json;

const std::string kRig = "vehicles/models/car26.xml vehicles/scenarios/shaker.xml ";
const std::string kIltis = "vehicles/models/iltis.xml vehicles/scenarios/rest.xml ";
// 5 ms for a step of some 20 us, and every period is run, however late
const std::string kFlow = "--rate 200 --max-overruns 100 --policy catch-up --catch-up 1000000 ";

class Realtime : public ProgramTest {
 protected:
  void TearDown() override {
    if (runner_ > 0) end(SIGKILL);
    shm_unlink(("/" + exchange_).c_str());
    ProgramTest::TearDown();
  }

  Result call(const std::string& arguments) const { return call_program("realtime " + arguments); }
  Result call_client(const std::string& arguments) const {
    const std::string client = fs::path(SEMIREC_PROGRAM).parent_path() / "exchange_client";
    const std::string error = (folder_ / "client_stderr").string();
    const std::string out = (folder_ / "client_stdout").string();
    const int status = std::system(
        ("'" + client + "' " + arguments + " >'" + out + "' 2>'" + error + "'").c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, text_of(out), text_of(error)};
  }

  std::string file() const { return (folder_ / "realtime.json").string(); }
  Json report() const { return Json::parse(text_of(file())); }

  /// Starts the program and goes on; `prepare` runs in the child before.
  void start(const std::string& arguments, const std::function<void()>& prepare = {}) {
    std::fflush(nullptr);
    runner_ = fork();
    if (runner_ != 0) return;
    std::vector<std::string> words = {"semirec", "realtime"};
    std::istringstream text(arguments);
    for (std::string word; text >> word;) words.push_back(word);
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    if (chdir(kSource.c_str()) != 0 ||
        freopen((folder_ / "stdout").c_str(), "w", stdout) == nullptr ||
        freopen((folder_ / "stderr").c_str(), "w", stderr) == nullptr)
      _exit(99);
    if (prepare) prepare();
    execv(SEMIREC_PROGRAM, pointers.data());
    _exit(99);
  }
  /// Sends the signal (0: none) and waits for the end of the program; its exit code, or minus the
  /// signal that killed it.
  int end(int signal) {
    if (signal != 0) kill(runner_, signal);
    int status = 0;
    waitpid(runner_, &status, 0);
    runner_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
  std::string errors() const { return text_of(folder_ / "stderr"); }

  /// Until the exchange is there.
  bool open(semirec_client& client, bool writes) const {
    for (int k = 0; k < 1000; ++k) {
      if (semirec_client_open(&client, exchange_.c_str(), writes ? 1 : 0) == nullptr) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }
  /// Waits for outputs that fulfil `wanted`, at most ten seconds. Empty: there were none.
  static std::vector<std::uint64_t> outputs(
      const semirec_client& client, const std::function<bool(const std::uint64_t*)>& wanted) {
    std::vector<std::uint64_t> record(client.exchange->output_words);
    for (int k = 0; k < 10000; ++k) {
      if (semirec_client_read(&client, 0, record.data()) != 0 && wanted(record.data()))
        return record;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return {};
  }
  static void write(semirec_client& client, std::uint64_t token, double value) {
    const std::vector<int> how(client.exchange->input_count, SEMIREC_INPUT_VALUE);
    const std::vector<double> values(client.exchange->input_count, value);
    semirec_client_write(&client, token, how.data(), values.data());
  }

  std::string exchange_ = "semirec_test_" + std::to_string(getpid());
  pid_t runner_ = 0;
};

TEST_F(Realtime, ARunHasTheStepsOfItsDurationWhereThePeriodIsRounded) {
  // 1e9/60 is 16666667 ns rounded up, 1e9/70 is 14285714 ns rounded down
  for (const auto& [rate, steps] : {std::pair{"60", 30}, std::pair{"70", 35}}) {
    const Result result =
        call(kRig + "--rate " + rate +
             " --duration 0.5 --max-overruns 100 --policy catch-up --catch-up 1000000 --overwrite "
             "--out " +
             file());
    ASSERT_EQ(result.code, 0) << result.error;
    EXPECT_EQ(report()["periods"]["run"], steps) << rate;
  }
}

TEST_F(Realtime, AShortRunWritesWhatItMeasuredAndWhatItRanOn) {
  const Result result = call(kRig + kFlow + "--duration 1 --out " + file());
  ASSERT_EQ(result.code, 0) << result.error;
  for (const char* words : {"car26 in shaker at 200 Hz: finished", "p99.99", "step, wall time",
                            "wake-up after its time", "overruns", "solver"})
    EXPECT_TRUE(holds(result.out, words)) << words;
  EXPECT_FALSE(holds(result.out, "baseline"));
  const Json json = report();
  EXPECT_EQ(json["model"], "car26");
  EXPECT_EQ(json["status"], "finished");
  EXPECT_EQ(json["settings"]["policy"], "catch-up");
  EXPECT_EQ(json["settings"]["step"], 0.005);
  const long steps = json["periods"]["steps"];
  EXPECT_EQ(json["periods"]["run"], steps);
  EXPECT_EQ(steps, 200);
  EXPECT_NEAR(json["time"]["model_end"].get<double>(), 1.0, 1e-9);
  EXPECT_EQ(json["time"]["lag"], 0.0);
  for (const char* row : {"lateness", "step", "step_cpu", "work", "response"}) {
    const Json& timing = json["timings_us"][row];
    EXPECT_EQ(timing["count"], steps) << row;
    double last = timing["min"];
    for (const char* column : {"p50", "p99", "p999", "p9999", "max"}) {
      EXPECT_GE(timing[column].get<double>(), last) << row << column;
      last = timing[column];
    }
  }
  EXPECT_GT(json["timings_us"]["step"]["min"].get<double>(), 0.0);
  EXPECT_FALSE(json["machine"]["kernel"].get<std::string>().empty());
  EXPECT_GT(json["machine"]["thread_clock_cost_ns"].get<double>(), 0.0);
  EXPECT_GT(json["privileges"].size(), 2U);
  // the engine's own bound on this car's closures at converged steps, tests/oracle/car26.cpp
  EXPECT_LT(json["solver"]["worst_closure"]["value"].get<double>(), 1e-8);
  EXPECT_EQ(json["solver"]["steps_over_bound"], 0);
  EXPECT_FALSE(json.contains("baseline_us"));
}

TEST_F(Realtime, StepsByTheSchemeThatItIsGiven) {
  const Result result =
      call(kRig + kFlow + "--duration 0.2 --scheme hht --alpha -0.1 --out " + file());
  ASSERT_EQ(result.code, 0) << result.error;
  const Json settings = report()["settings"];
  EXPECT_EQ(settings["scheme"]["name"], "hht");
  EXPECT_EQ(settings["scheme"]["alpha"], -0.1);
  EXPECT_EQ(settings["closing"], "penalty");
}

TEST_F(Realtime, TheBaselineRunsInBetweenAndStandsBeside) {
  const Result result =
      call(kRig + kFlow + "--duration 2.5 --baseline --core 0 --load 1 --json --no-thread-time");
  ASSERT_EQ(result.code, 0) << result.error;
  const Json json = Json::parse(result.out);
  EXPECT_GT(json["baseline_us"]["step"]["count"].get<long>(), 0);
  EXPECT_GT(json["baseline_us"]["step"]["p50"].get<double>(), 0.0);
  EXPECT_LT(json["periods"]["run"].get<long>(), 500);
  EXPECT_EQ(json["settings"]["load_threads"], 1);
  EXPECT_FALSE(json["timings_us"].contains("step_cpu"));
}

TEST_F(Realtime, NonsenseIsRefusedInOneLineAndNothingIsWritten) {
  struct Case {
    const char* arguments;
    const char* words;
  };
  for (const Case& bad : {
           Case{"--rate 0", "--rate is 0, expected 1 to 100000 Hz"},
           Case{"--rate 1e9", "--rate is 1e+09"},
           Case{"--rate nan", "--rate is nan"},
           Case{"--rate -1000", "--rate is -1000"},
           Case{"--duration -1", "--duration is -1"},
           Case{"--duration nan", "--duration is nan"},
           Case{"--duration inf", "--duration is inf"},
           Case{"--rate 100000 --duration 1e5", "at most 1e9 periods"},
           Case{"--iterations 101", "--iterations is 101, expected 1 to 100"},
           Case{"--core 5000", "--core is 5000, expected one of the"},
           Case{"--core -1", "--core is -1"},
           Case{"--priority 100", "--priority is 100"},
           Case{"--rehearse", "--rehearse needs --spin"},
           Case{"--spin -1", "--spin is -1"},
           Case{"--spin 1001", "--spin is 1001, expected 0 to the period"},
           Case{"--max-overruns 101", "--max-overruns is 101"},
           Case{"--catch-up 0", "--catch-up is 0"},
           Case{"--input-timeout 0", "--input-timeout is 0"},
           Case{"--policy hurry", "--policy is 'hurry', expected skip or catch-up"},
           Case{"--on-timeout guess", "--on-timeout is 'guess', expected hold, curve or stop"},
           Case{"--load 1", "--load needs --core"},
           Case{"--exchange a/b", "--exchange 'a/b' is no name"},
           Case{"--input rack", "--input 'rack' is not understood, expected NAME=NUMBER"},
           Case{"--input rack=left", "--input 'rack=left' is not understood"},
           Case{"--input rack=nan", "--input 'rack=nan' is not understood"},
           Case{"--input steering=1", "the vehicle has no input 'steering', expected rack"},
           Case{"--set nobody.mass=1", "nobody"},
           Case{"--scheme magic", "--scheme is 'magic', expected trapezoid"},
           Case{"--error-tolerance 1e-5",
                "--error-tolerance is given: realtime steps at a fixed rate"},
           Case{"--cut-contacts", "--cut-contacts is given: realtime steps at a fixed rate"},
       }) {
    const Result result = call(kIltis + bad.arguments + " --out " + file());
    EXPECT_EQ(result.code, 3) << bad.arguments;
    EXPECT_EQ(count(result.error, '\n'), 1) << result.error;
    EXPECT_TRUE(holds(result.error, bad.words)) << result.error;
    EXPECT_EQ(result.out, "") << bad.arguments;
    EXPECT_FALSE(fs::exists(file())) << bad.arguments;
    EXPECT_FALSE(fs::exists(file() + ".part")) << bad.arguments;
  }
  EXPECT_EQ(call(kIltis + "--rate fast").code, 2);
  EXPECT_EQ(call(kIltis + "--no-such-option").code, 2);
}

TEST_F(Realtime, AReportThatIsThereIsKeptUnlessAskedAndAFolderThatIsNotIsSaidAtOnce) {
  ASSERT_EQ(call(kRig + kFlow + "--duration 0.1 --out " + file()).code, 0);
  const std::string before = text_of(file());
  const Result refused = call(kRig + kFlow + "--duration 0.1 --out " + file());
  EXPECT_EQ(refused.code, 3);
  EXPECT_TRUE(holds(refused.error, "--overwrite")) << refused.error;
  EXPECT_EQ(text_of(file()), before);
  EXPECT_EQ(call(kRig + kFlow + "--duration 0.2 --overwrite --out " + file()).code, 0);
  EXPECT_NE(text_of(file()), before);
  EXPECT_EQ(call(kRig + "--duration 100 --out " + results() + "/nowhere/realtime.json").code, 3);
}

TEST_F(Realtime, ARateThatCannotBeHeldStopsWithItsReasonAndKeepsTheFigures) {
  // 100 iterations take far more than 10 us everywhere
  const Result result =
      call(kRig + "--rate 100000 --iterations 100 --duration 30 --priority 0 --out " + file());
  EXPECT_EQ(result.code, 4);
  EXPECT_TRUE(holds(result.error, "run stopped: the rate cannot be held: the mean work"))
      << result.error;
  const Json json = report();
  EXPECT_EQ(json["status"], "stopped: rate too high");
  EXPECT_EQ(json["periods"]["overruns"], json["periods"]["run"]);
  EXPECT_GT(json["periods"]["skipped"].get<long>(), 0);
  EXPECT_LT(json["time"]["wall"].get<double>(), 30.0);
  // model time is that of the steps made, no more
  EXPECT_NEAR(json["time"]["model_end"].get<double>(),
              1e-5 * json["periods"]["steps"].get<double>(), 1e-9);
}

TEST_F(Realtime, CatchingUpGivesUpAfterTheStatedNumber) {
  const Result result = call(kRig +
                             "--rate 100000 --iterations 100 --duration 30 --priority 0 --policy "
                             "catch-up --catch-up 7 --out " +
                             file());
  EXPECT_EQ(result.code, 4);
  EXPECT_TRUE(holds(result.error, "more than 7 periods in a row were late")) << result.error;
  EXPECT_EQ(report()["periods"]["run"], 8);
  EXPECT_EQ(report()["periods"]["skipped"], 0);
}

TEST_F(Realtime, ABrokenVehicleFileIsRefusedAsEverywhere) {
  const Result result =
      call("tests/data/broken/mass_with_unit.xml vehicles/scenarios/rest.xml --out " + file());
  EXPECT_EQ(result.code, 3);
  EXPECT_TRUE(holds(result.error, "tests/data/broken/mass_with_unit.xml:3: element 'bob'"))
      << result.error;
}

TEST_F(Realtime, GoesOnPastTheEndOfTheScenario) {
  const fs::path scenario = folder_ / "short.xml";
  std::ofstream(scenario) << R"(<scenario name="short" version="1"><run step="0.01" until="0.2"/>
    <start from="design"/><contact law="vertical" lateral="no"/></scenario>)";
  const Result past = call("vehicles/models/car26.xml " + scenario.string() + " " + kFlow +
                           "--duration 0.5 --json");
  ASSERT_EQ(past.code, 0) << past.error;
  EXPECT_NEAR(Json::parse(past.out)["time"]["model_end"].get<double>(), 0.5, 1e-9);
}

TEST_F(Realtime, CtrlCAndTerminationKeepTheReportAndTakeTheExchangeAway) {
  for (const int signal : {SIGINT, SIGTERM}) {
    start(kIltis + kFlow + "--duration 1000 --overwrite --exchange " + exchange_ + " --out " +
          file());
    semirec_client client;
    ASSERT_TRUE(open(client, false)) << errors();
    ASSERT_FALSE(outputs(client, [](const std::uint64_t* r) { return r[0] >= 10; }).empty());
    EXPECT_EQ(end(signal), 130);
    EXPECT_EQ(report()["status"], "interrupted");
    EXPECT_GE(report()["periods"]["steps"].get<long>(), 10);
    EXPECT_EQ(semirec_client_running(&client), 0);
    semirec_client_close(&client);
    EXPECT_STREQ(semirec_client_open(&client, exchange_.c_str(), 0),
                 "no exchange of this name: is the runner running?");
  }
}

TEST_F(Realtime, TheExchangeOfAKilledRunnerIsReplacedAndOfALivingOneRefused) {
  start(kIltis + kFlow + "--duration 1000 --exchange " + exchange_);
  semirec_client client;
  ASSERT_TRUE(open(client, false)) << errors();
  const Result second = call(kIltis + kFlow + "--duration 1 --exchange " + exchange_);
  EXPECT_EQ(second.code, 3);
  EXPECT_EQ(count(second.error, '\n'), 1) << second.error;
  EXPECT_TRUE(holds(second.error, "belongs to a running process, " + std::to_string(runner_)))
      << second.error;
  EXPECT_EQ(end(SIGKILL), -SIGKILL);
  const Result third = call(kIltis + kFlow + "--duration 0.1 --exchange " + exchange_);
  EXPECT_EQ(third.code, 0) << third.error;
  semirec_client_close(&client);
}

TEST_F(Realtime, AForeignObjectIsRefusedAndLeftAlone) {
  const int file = shm_open(("/" + exchange_).c_str(), O_CREAT | O_EXCL | O_RDWR, 0600);
  ASSERT_GE(file, 0);
  const std::string text(5000, 'x');
  ASSERT_EQ(pwrite(file, text.data(), text.size(), 0), static_cast<ssize_t>(text.size()));
  const Result result = call(kIltis + kFlow + "--duration 1 --exchange " + exchange_);
  EXPECT_EQ(result.code, 3);
  EXPECT_EQ(count(result.error, '\n'), 1) << result.error;
  EXPECT_TRUE(holds(result.error, "is no exchange")) << result.error;
  EXPECT_EQ(call_client(exchange_ + " --list").code, 3);
  std::string after(text.size(), ' ');
  ASSERT_EQ(pread(file, after.data(), after.size(), 0), static_cast<ssize_t>(after.size()));
  EXPECT_EQ(after, text);
  close(file);
}

TEST_F(Realtime, AClientKilledWhileItWritesNeitherBlocksNorCorruptsTheRun) {
  start(kIltis + kFlow + "--duration 1000 --input-timeout 20 --exchange " + exchange_ + " --out " +
        file());
  const pid_t child = fork();
  if (child == 0) {
    semirec_client client;
    if (!open(client, true)) _exit(1);
    write(client, 77, 2e-4);
    // the next record is begun and never completed
    std::uint64_t* payload = semirec_ring_begin(&client.exchange->input_latest.word,
                                                client.input_ring, client.exchange->input_words);
    semirec_store(payload, 0, 78);
    semirec_store_double(payload, SEMIREC_INPUT_HEAD_WORDS + 1, 1e9);
    kill(getpid(), SIGKILL);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  semirec_client client;
  ASSERT_TRUE(open(client, false));
  const std::uint32_t first = 1;  // any output but the time
  const auto at = outputs(client, [](const std::uint64_t* r) { return r[2] == 77; });
  ASSERT_FALSE(at.empty()) << "the whole record did not arrive";
  const auto later = outputs(client, [&](const std::uint64_t* r) { return r[0] >= at[0] + 40; });
  ASSERT_FALSE(later.empty()) << "the runner stands still";
  EXPECT_EQ(later[2], 77U);
  EXPECT_TRUE(std::isfinite(semirec_double(later[SEMIREC_OUTPUT_HEAD_WORDS + first])));
  semirec_client_close(&client);
  // the dead client's right to write goes to the next one
  ASSERT_TRUE(open(client, true));
  write(client, 79, 1e-4);
  EXPECT_FALSE(outputs(client, [](const std::uint64_t* r) { return r[2] == 79; }).empty());
  semirec_client_close(&client);
  EXPECT_EQ(end(SIGTERM), 130);
  const Json inputs = report()["inputs"];
  EXPECT_EQ(inputs["records"], 2);
  EXPECT_EQ(inputs["refused"], 0);
  EXPECT_GE(inputs["timeouts"].get<long>(), 1);
  EXPECT_GT(inputs["first_timeout"].get<double>(), 0.0);
}

TEST_F(Realtime, NumbersThatAreNotFiniteAreRefusedCountedAndNamed) {
  start(kIltis + kFlow + "--duration 1000 --exchange " + exchange_ + " --out " + file());
  semirec_client client;
  ASSERT_TRUE(open(client, true)) << errors();
  write(client, 1, 1e-4);
  ASSERT_FALSE(outputs(client, [](const std::uint64_t* r) { return r[2] == 1; }).empty());
  write(client, 2, std::nan(""));
  ASSERT_FALSE(outputs(client, [](const std::uint64_t* r) { return r[2] == 2; }).empty());
  write(client, 3, INFINITY);
  const auto at = outputs(client, [](const std::uint64_t* r) { return r[2] == 3; });
  ASSERT_FALSE(at.empty());
  for (std::uint32_t k = 0; k < client.exchange->output_count; ++k)
    EXPECT_TRUE(std::isfinite(semirec_double(at[SEMIREC_OUTPUT_HEAD_WORDS + k])))
        << client.outputs[k].name;
  const std::uint32_t values = client.exchange->input_count;  // write() fills the record
  // which stays the newest for some periods
  ASSERT_FALSE(
      outputs(client, [&](const std::uint64_t* r) { return r[0] >= at.front() + 5; }).empty());
  semirec_client_close(&client);
  EXPECT_EQ(end(SIGINT), 130);
  const Json inputs = report()["inputs"];
  EXPECT_EQ(inputs["refused"], 2 * values) << "the values, not the periods in which they stood";
  EXPECT_EQ(inputs["first_refused"]["input"], "rack");
  EXPECT_GT(inputs["first_refused"]["time"].get<double>(), 0.0);
}

TEST_F(Realtime, NumbersBeyondThoseThatActAreToldOnceForEachInput) {
  start("vehicles/models/sedan.xml vehicles/scenarios/rest.xml " + kFlow +
        "--duration 1000 --exchange " + exchange_ + " --out " + file());
  semirec_client client;
  ASSERT_TRUE(open(client, true)) << errors();
  const std::uint32_t inputs = client.exchange->input_count;
  std::vector<int> how(inputs, SEMIREC_INPUT_CURVE);
  const auto give = [&](const char* name) {
    const int k = semirec_find(client.inputs, inputs, name);
    if (k >= 0) how[static_cast<std::size_t>(k)] = SEMIREC_INPUT_VALUE;
  };
  give("throttle");
  give("brake");
  std::uint64_t token = 0;
  for (const double value : {0.0, 1.25, 1.5, 1.0}) {
    const std::vector<double> values(inputs, value);
    semirec_client_write(&client, ++token, how.data(), values.data());
    ASSERT_FALSE(outputs(client, [&](const std::uint64_t* r) { return r[2] == token; }).empty());
  }
  semirec_client_close(&client);
  EXPECT_EQ(end(SIGINT), 130);
  const Json told = report()["inputs"];
  EXPECT_EQ(told["refused"], 0);
  ASSERT_EQ(told["beyond"].size(), 2U) << told;
  const std::string of[2] = {told["beyond"][0], told["beyond"][1]};
  EXPECT_TRUE(holds(of[0] + of[1], "input 'throttle' is 1.5 at t = ")) << told;
  EXPECT_TRUE(holds(of[0] + of[1], "input 'brake' is 1.5 at t = ")) << told;
  for (const std::string& line : of) EXPECT_TRUE(holds(line, " s and acts as 1")) << line;
}

TEST_F(Realtime, ASilentClientStopsTheRunWhenAsked) {
  start(kIltis + kFlow + "--duration 1000 --input-timeout 5 --on-timeout stop --exchange " +
        exchange_ + " --out " + file());
  semirec_client client;
  ASSERT_TRUE(open(client, true)) << errors();
  write(client, 1, 0.0);
  EXPECT_EQ(end(0), 4);
  EXPECT_TRUE(holds(errors(), "the client was silent for 5 periods, at t = ")) << errors();
  EXPECT_EQ(report()["status"], "stopped: client silent");
  semirec_client_close(&client);
}

TEST_F(Realtime, TheClientInCShowsListsAndComplains) {
  start(kIltis + kFlow + "--duration 1000 --exchange " + exchange_);
  semirec_client client;
  ASSERT_TRUE(open(client, false)) << errors();
  const Result list = call_client(exchange_ + " --list");
  EXPECT_EQ(list.code, 0) << list.error;
  EXPECT_TRUE(holds(list.out, "  rack                             m\n")) << list.out;
  EXPECT_TRUE(holds(list.out, "wheel_fl.Fz")) << list.out;
  const Result drive = call_client(
      exchange_ + " --input rack --amplitude 0.001 --outputs time,wheel_fl.Fz --seconds 0.4");
  EXPECT_EQ(drive.code, 0) << drive.error;
  EXPECT_TRUE(holds(drive.out, "wheel_fl.Fz ")) << drive.out;
  EXPECT_TRUE(holds(drive.out, "round trip: ")) << drive.out;
  const Result unknown = call_client(exchange_ + " --input steering");
  EXPECT_EQ(unknown.code, 3);
  EXPECT_EQ(unknown.error, "there is no input 'steering'; --list shows what there is\n");
  EXPECT_EQ(call_client(exchange_ + " --outputs nothing").code, 3);
  EXPECT_EQ(call_client(exchange_ + " --amplitude big").code, 2);
  EXPECT_EQ(call_client("").code, 2);
  EXPECT_EQ(call_client(exchange_ + "_not").code, 3);
  semirec_client_close(&client);
  EXPECT_EQ(end(SIGTERM), 130);
}

/// Takes away what lets a process lock memory and schedule itself, also from root.
void drop_privileges() {
  const rlimit none{0, 0};
  setrlimit(RLIMIT_RTPRIO, &none);
  setrlimit(RLIMIT_MEMLOCK, &none);
  prctl(PR_CAPBSET_DROP, CAP_SYS_NICE, 0, 0, 0);
  prctl(PR_CAPBSET_DROP, CAP_IPC_LOCK, 0, 0, 0);
}

TEST_F(Realtime, MissingPrivilegesAreSaidAndTheRunGoesOnWithout) {
  start(kRig + kFlow + "--duration 0.2 --priority 50 --out " + file(), drop_privileges);
  EXPECT_EQ(end(0), 0);
  EXPECT_TRUE(holds(errors(), "not set: memory locked: ")) << errors();
  EXPECT_TRUE(holds(errors(), "CAP_IPC_LOCK, or a limit memlock")) << errors();
  EXPECT_TRUE(holds(errors(),
                    "not set: SCHED_FIFO at priority 50: Operation not permitted; needs "
                    "CAP_SYS_NICE, or a limit rtprio of at least 50 (now 0)\n"))
      << errors();
  int missing = 0;
  const Json json = report();
  for (const Json& entry : json["privileges"]) {
    if (entry["set"].get<bool>()) continue;
    ++missing;
    EXPECT_FALSE(entry["reason"].get<std::string>().empty());
  }
  EXPECT_GE(missing, 2);
  EXPECT_EQ(json["status"], "finished");
}

TEST_F(Realtime, StrictRunsDoNotBeginWithoutTheirPrivileges) {
  start(kRig + "--strict --duration 100 --exchange " + exchange_ + " --out " + file(),
        drop_privileges);
  EXPECT_EQ(end(0), 3);
  EXPECT_EQ(count(errors(), '\n'), 1) << errors();
  EXPECT_TRUE(holds(errors(), "--strict: not set: memory locked")) << errors();
  EXPECT_FALSE(fs::exists(file()));
  EXPECT_FALSE(fs::exists(file() + ".part"));
  semirec_client client;
  EXPECT_NE(semirec_client_open(&client, exchange_.c_str(), 0), nullptr);
}

}  // namespace
}  // namespace semirec::test
