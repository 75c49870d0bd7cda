// libsemirec_core.so holds the engine for several kinds of processors: which of them is used, and
// that all compute the same.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/capi/semirec.h"
#include "tests/capi/cars.hpp"

namespace semirec::test {
namespace {

namespace fs = std::filesystem;

/// Those of the library that this processor has, from the oldest on.
std::vector<std::string> sets_of_processor() {
  std::vector<std::string> sets;
  std::istringstream built(SEMIREC_SETS);
  for (std::string set; built >> set;)
    if (set == "x86-64" || (set == "x86-64-v3" && __builtin_cpu_supports("x86-64-v3") != 0) ||
        (set == "x86-64-v4" && __builtin_cpu_supports("x86-64-v4") != 0))
      sets.push_back(set);
  return sets;
}

/// The library, loaded once more from a file of its own while the environment asks for `asked`;
/// what it prints meanwhile.
class Loaded {
 public:
  explicit Loaded(const std::string& asked) {
    const fs::path folder(testing::TempDir());
    const std::string number = std::to_string(getpid()) + "_" + std::to_string(count_++);
    file_ = folder / ("core_" + number + ".so");
    fs::copy_file(SEMIREC_CORE, file_);
    const char* const before = std::getenv("SEMIREC_INSTRUCTIONS");
    const std::string kept = before != nullptr ? before : "";
    setenv("SEMIREC_INSTRUCTIONS", asked.c_str(), 1);
    testing::internal::CaptureStderr();
    handle_ = dlopen(file_.c_str(), RTLD_NOW | RTLD_LOCAL);
    printed = testing::internal::GetCapturedStderr();
    setenv("SEMIREC_INSTRUCTIONS", kept.c_str(), 1);
    EXPECT_NE(handle_, nullptr) << dlerror();
  }
  ~Loaded() {
    if (handle_ != nullptr) dlclose(handle_);
    fs::remove(file_);
  }
  Loaded(const Loaded&) = delete;
  Loaded& operator=(const Loaded&) = delete;

  template <typename Function>
  Function* function(Function* /*declared*/, const char* name) const {
    return reinterpret_cast<Function*>(dlsym(handle_, name));
  }
  std::string instructions() const {
    return function(&semirec_instructions, "semirec_instructions")();
  }

  std::string printed;

 private:
  static int count_;
  fs::path file_;
  void* handle_ = nullptr;
};
int Loaded::count_ = 0;
#define CALL(library, name) ((library).function(&name, #name))

TEST(InstructionSets, AreChosenWhenTheLibraryIsLoaded) {
  const std::vector<std::string> sets = sets_of_processor();
  EXPECT_EQ(Loaded("").instructions(), sets.back());
  for (const std::string& asked : sets) {
    const Loaded library(asked);
    EXPECT_EQ(library.instructions(), asked);
    EXPECT_EQ(library.printed, "");
  }
}

TEST(InstructionSets, ThatNobodyKnowsAreReported) {
  const Loaded library("x86-64-v9");
  std::string all;
  for (const std::string& set : sets_of_processor()) all += (all.empty() ? "" : " or ") + set;
  EXPECT_EQ(library.printed, "semirec: SEMIREC_INSTRUCTIONS is 'x86-64-v9', expected " + all +
                                 ": " + sets_of_processor().back() + " is used\n");
  EXPECT_EQ(library.instructions(), sets_of_processor().back());
}

/// A car of a library.
class CarOfLibrary {
 public:
  CarOfLibrary(const Loaded& library, const std::string& vehicle, const std::string& scenario)
      : library_(library) {
    EXPECT_EQ(CALL(library, semirec_create)(vehicle.c_str(), scenario.c_str(), nullptr, &car_),
              SEMIREC_OK)
        << CALL(library, semirec_create_error)();
  }
  ~CarOfLibrary() { CALL(library_, semirec_destroy)(car_); }
  CarOfLibrary(const CarOfLibrary&) = delete;
  CarOfLibrary& operator=(const CarOfLibrary&) = delete;

  void step(double rack) {
    CALL(library_, semirec_set_input)
    (car_, CALL(library_, semirec_find_input)(car_, "rack"), rack);
    EXPECT_EQ(CALL(library_, semirec_step)(car_), SEMIREC_OK);
  }
  std::vector<double> outputs() const {
    std::vector<double> values(
        static_cast<std::size_t>(CALL(library_, semirec_output_count)(car_)));
    CALL(library_, semirec_get_outputs)(car_, values.data(), static_cast<int>(values.size()));
    return values;
  }
  std::string name(std::size_t output) const {
    return CALL(library_, semirec_output_name)(car_, static_cast<int>(output));
  }

 private:
  const Loaded& library_;
  semirec_car* car_ = nullptr;
};

/// Two of a library's engines drive the same, steered to and fro.
void expect_same_drive(const std::string& one, const std::string& another,
                       const std::string& vehicle, const std::string& scenario) {
  SCOPED_TRACE(one + " and " + another);
  const Loaded first(one);
  const Loaded second(another);
  CarOfLibrary driven(second, vehicle, scenario);
  CarOfLibrary other(first, vehicle, scenario);
  const std::size_t count = driven.outputs().size();
  ASSERT_GT(count, 100U);
  std::vector<double> size(count);
  std::vector<double> difference(count);
  for (int k = 0; k < 1000; ++k) {
    const double rack = 0.02 * std::sin(0.02 * k);
    driven.step(rack);
    other.step(rack);
    const std::vector<double> expected = driven.outputs();
    const std::vector<double> got = other.outputs();
    for (std::size_t i = 0; i < count; ++i) {
      size[i] = std::max(size[i], std::abs(expected[i]));
      difference[i] = std::max(difference[i], std::abs(got[i] - expected[i]));
    }
  }
  // motion agrees to some 1e-12; accelerations and loads follow from it through stiff springs and
  // closures, and a lone car differs from itself by as much when its tangent is stored another way
  // (tests/slow/cars_side_by_side.cpp)
  std::vector<double> relative;
  for (std::size_t i = 0; i < count; ++i)
    if (size[i] > 1e-12) relative.push_back(difference[i] / size[i]);
  std::sort(relative.begin(), relative.end());
  EXPECT_GT(relative.back(), 0.0) << "two sets that round the same are one";
  EXPECT_LT(relative[relative.size() / 2], 1e-11);
  EXPECT_LT(relative[relative.size() * 9 / 10], 1e-10);
  EXPECT_LT(relative.back(), 1e-8);
}

// the same drive, steered to and fro, with each; every output is held against the largest that it
// has been
TEST(InstructionSets, ComputeTheSame) {
  const std::vector<std::string> sets = sets_of_processor();
  if (sets.size() < 2) GTEST_SKIP() << "this processor has one of the sets";
  const fs::path folder = fs::path(testing::TempDir()) / ("sets_" + std::to_string(getpid()));
  ASSERT_EQ(
      std::system((std::string(SEMIREC_PROGRAM) + " export car " + kShipped + "models/sedan.xml " +
                   kShipped + "scenarios/step_steer.xml --out " + folder.string() + " > /dev/null")
                      .c_str()),
      0);
  const std::string vehicle = (folder / "models/sedan.xml").string();
  const std::string scenario = (folder / "scenarios/step_steer.xml").string();
  for (std::size_t later = 1; later < sets.size(); ++later)
    expect_same_drive(sets[0], sets[later], vehicle, scenario);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace semirec::test
