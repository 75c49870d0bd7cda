// A communication step of 1 ms through the FMU's library, with two inputs set before and twenty
// outputs read after it, beside the same step and outputs of a Session: what the interface adds.
// Both take their turns in one loop, on the same state; the percentiles are of single turns.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "apps/fmi/export.hpp"
#include "apps/fmi/fmi3.hpp"
#include "apps/fmi/package.hpp"
#include "apps/fmi/parameters.hpp"
#include "apps/fmi/variables.hpp"
#include "tests/bench/steps.hpp"
#include "vehicles/files/xml/reader.hpp"
#include "vehicles/session/session.hpp"

namespace semirec::timing {
namespace {

using Clock = std::chrono::steady_clock;
namespace fs = std::filesystem;

/// The FMU of the sedan, and a Session of the same files.
class SedanTwice {
 public:
  SedanTwice() {
    const std::string vehicle = kVehicles + "models/sedan.xml";
    const std::string scenario = kVehicles + "scenarios/step_steer.xml";
    session = std::make_unique<Session>(read_drive(vehicle, scenario));

    std::string folder = (fs::temp_directory_path() / "semirec-bench-XXXXXX").string();
    if (mkdtemp(folder.data()) == nullptr) throw std::runtime_error("there is no room");
    folder_ = folder;
    fmi::ExportSettings settings;
    settings.vehicle = vehicle;
    settings.scenario = scenario;
    settings.library = SEMIREC_FMU_LIBRARY;
    const fmi::Fmu fmu = fmi::make_fmu(settings);
    for (const auto& [name, bytes] : fmu.files) {
      fs::create_directories((fs::path(folder_) / name).parent_path());
      std::ofstream(fs::path(folder_) / name, std::ios::binary) << bytes;
    }
    // the session's own instruction set, or the last bits differ
    setenv("SEMIREC_INSTRUCTIONS", SEMIREC_OWN_SET, 0);
    library_ = dlopen(SEMIREC_FMU_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (library_ == nullptr) throw std::runtime_error(dlerror());
    set_ = look_up<decltype(&fmi3SetFloat64)>("fmi3SetFloat64");
    get_ = look_up<decltype(&fmi3GetFloat64)>("fmi3GetFloat64");
    step_ = look_up<decltype(&fmi3DoStep)>("fmi3DoStep");
    get_state_ = look_up<decltype(&fmi3GetFMUState)>("fmi3GetFMUState");
    set_state_ = look_up<decltype(&fmi3SetFMUState)>("fmi3SetFMUState");
    const std::string resources = folder_ + "/resources/";
    instance_ = look_up<decltype(&fmi3InstantiateCoSimulation)>("fmi3InstantiateCoSimulation")(
        "car", fmu.token.c_str(), resources.c_str(), false, false, false, false, nullptr, 0,
        nullptr, nullptr, nullptr);
    const auto enter =
        look_up<decltype(&fmi3EnterInitializationMode)>("fmi3EnterInitializationMode");
    const auto exit = look_up<decltype(&fmi3ExitInitializationMode)>("fmi3ExitInitializationMode");
    if (instance_ == nullptr || enter(instance_, false, 0.0, 0.0, false, 0.0) != fmi3OK ||
        exit(instance_) != fmi3OK)
      throw std::runtime_error("the FMU does not start");
    const fmi::Package package = fmi::read_package(folder_ + "/resources");
    variables_ =
        fmi::make_variables(*session, fmi::find_parameters(package, folder_ + "/resources"));
  }
  ~SedanTwice() {
    look_up<decltype(&fmi3FreeInstance)>("fmi3FreeInstance")(instance_);
    dlclose(library_);
    std::error_code error;
    fs::remove_all(folder_, error);
  }
  SedanTwice(const SedanTwice&) = delete;
  SedanTwice& operator=(const SedanTwice&) = delete;

  fmi3ValueReference reference_of(const std::string& name) const {
    for (std::size_t k = 0; k < variables_.size(); ++k)
      if (variables_[k].name == name) return static_cast<fmi3ValueReference>(k);
    throw std::runtime_error("the sedan has no variable " + name);
  }
  void set(const std::vector<fmi3ValueReference>& references, const double* values) {
    expect(set_(instance_, references.data(), references.size(), values, references.size()));
  }
  void get(const std::vector<fmi3ValueReference>& references, double* values) {
    expect(get_(instance_, references.data(), references.size(), values, references.size()));
  }
  void step(double point) {
    bool event = false, terminate = false, early = false;
    double last = 0.0;
    expect(step_(instance_, point, 1e-3, true, &event, &terminate, &early, &last));
  }
  void keep() { expect(get_state_(instance_, &kept_)); }
  void go_back() { expect(set_state_(instance_, kept_)); }

  std::unique_ptr<Session> session;

 private:
  template <typename Function>
  Function look_up(const char* name) const {
    return reinterpret_cast<Function>(dlsym(library_, name));
  }
  static void expect(fmi3Status status) {
    if (status != fmi3OK) throw std::runtime_error("a function of the FMU fails");
  }

  std::string folder_;
  void* library_ = nullptr;
  fmi3Instance instance_ = nullptr;
  fmi3FMUState kept_ = nullptr;
  decltype(&fmi3SetFloat64) set_ = nullptr;
  decltype(&fmi3GetFloat64) get_ = nullptr;
  decltype(&fmi3DoStep) step_ = nullptr;
  decltype(&fmi3GetFMUState) get_state_ = nullptr;
  decltype(&fmi3SetFMUState) set_state_ = nullptr;
  std::vector<fmi::Variable> variables_;
};

constexpr const char* kSteps = "step, then outputs";
constexpr const char* kOutputsAtOnce = "outputs between set and step, too";

void fmi_step(benchmark::State& bench, const std::vector<std::string>& more,
              const std::string& order) {
  auto& sedan = kept<SedanTwice>("sedan", [] { return std::make_unique<SedanTwice>(); });
  Session& session = *sedan.session;
  std::vector<std::string> names{"chassis.x",   "chassis.y",    "chassis.z",     "chassis.vx",
                                 "chassis.vy",  "chassis.vz",   "chassis.ax",    "chassis.ay",
                                 "chassis.az",  "chassis.wx",   "chassis.wy",    "chassis.wz",
                                 "chassis.yaw", "chassis.roll", "chassis.pitch", "throttle.value"};
  names.insert(names.end(), more.begin(), more.end());
  std::vector<fmi3ValueReference> outputs;
  std::vector<std::size_t> places;
  for (const std::string& name : names) {
    outputs.push_back(sedan.reference_of(name));
    places.push_back(static_cast<std::size_t>(session.find_output(name)));
  }
  const std::vector<fmi3ValueReference> inputs{sedan.reference_of("steering"),
                                               sedan.reference_of("throttle")};
  const int own_inputs[] = {session.find_input("steering"), session.find_input("throttle")};
  const OutputChoice choice = session.choose_outputs(places);
  std::vector<double> values(names.size()), own(names.size());
  std::vector<std::byte> start(session.saved_size());
  session.save(start.data());
  sedan.keep();

  const auto nanoseconds = [](Clock::time_point from, Clock::time_point to) {
    return std::chrono::duration<double, std::nano>(to - from).count();
  };
  std::vector<double> through, direct;
  int k = 0;
  const double begin = session.time();
  for (auto _ : bench) {
    const double given[] = {0.1 * std::sin(0.01 * k), 0.3 + 0.2 * std::sin(0.02 * k)};
    const auto a = Clock::now();
    session.set_input(own_inputs[0], given[0]);
    session.set_input(own_inputs[1], given[1]);
    benchmark::DoNotOptimize(session.step());
    session.read_outputs(choice, own.data());
    const auto b = Clock::now();
    sedan.set(inputs, given);
    if (order == kOutputsAtOnce) sedan.get(outputs, values.data());
    sedan.step(begin + 1e-3 * k);
    sedan.get(outputs, values.data());
    const auto c = Clock::now();
    direct.push_back(nanoseconds(a, b));
    through.push_back(nanoseconds(b, c));
    bench.SetIterationTime(through.back() * 1e-9);
    if (++k == 500) {
      k = 0;
      session.restore(start.data(), start.size());
      sedan.go_back();
    }
  }
  if (own != values && k != 0) bench.SkipWithError("the FMU has other outputs than the session");
  session.restore(start.data(), start.size());
  sedan.go_back();
  const auto middle = [](std::vector<double>& spent) {
    std::nth_element(spent.begin(), spent.begin() + static_cast<long>(spent.size() / 2),
                     spent.end());
    return spent[spent.size() / 2];
  };
  bench.counters["p50_ns"] = middle(through);
  bench.counters["session_p50_ns"] = middle(direct);
  bench.counters["more_ns"] = middle(through) - middle(direct);
}
const std::vector<std::string> kSpeeds{"brake_fl.speed", "brake_fr.speed", "brake_rl.speed",
                                       "brake_rr.speed"};
const std::vector<std::string> kLoads{"wheel_fl.Fz", "wheel_fr.Fz", "wheel_rl.Fz", "wheel_rr.Fz"};
BENCHMARK_CAPTURE(fmi_step, motion_and_brakes, kSpeeds, kSteps)->UseManualTime();
BENCHMARK_CAPTURE(fmi_step, motion_and_tyres, kLoads, kSteps)->UseManualTime();
BENCHMARK_CAPTURE(fmi_step, motion_and_tyres_at_once, kLoads, kOutputsAtOnce)->UseManualTime();

}  // namespace
}  // namespace semirec::timing
