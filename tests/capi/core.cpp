// libsemirec_core.so, loaded at run time as a program on another machine does: it reads saved
// files, and computes what libsemirec.so computes from XML.
#include <cmath>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "apps/capi/semirec.h"
#include "tests/capi/cars.hpp"

namespace semirec::test {
namespace {

namespace fs = std::filesystem;

/// The functions of one library, its symbols seen by nobody else.
class Library {
 public:
  explicit Library(const std::string& path) : handle_(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    EXPECT_NE(handle_, nullptr) << dlerror();
  }
  ~Library() { dlclose(handle_); }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  template <typename Function>
  Function* function(Function* /*declared*/, const char* name) const {
    return reinterpret_cast<Function*>(dlsym(handle_, name));
  }

 private:
  void* handle_;
};
#define CALL(library, name) ((library).function(&name, #name))

/// Outputs of a car after 500 steps of a steered drive.
std::vector<double> drive(const Library& library, const std::string& vehicle,
                          const std::string& scenario) {
  semirec_car* car = nullptr;
  EXPECT_EQ(CALL(library, semirec_create)(vehicle.c_str(), scenario.c_str(), nullptr, &car),
            SEMIREC_OK)
      << CALL(library, semirec_create_error)();
  if (car == nullptr) return {};
  const int rack = CALL(library, semirec_find_input)(car, "rack");
  for (int k = 0; k < 500; ++k) {
    CALL(library, semirec_set_input)(car, rack, 0.01 * std::sin(0.01 * k));
    EXPECT_EQ(CALL(library, semirec_step)(car), SEMIREC_OK);
  }
  std::vector<double> values(static_cast<std::size_t>(CALL(library, semirec_output_count)(car)));
  CALL(library, semirec_get_outputs)(car, values.data(), static_cast<int>(values.size()));
  CALL(library, semirec_destroy)(car);
  return values;
}

class CoreLibrary : public testing::Test {
 protected:
  CoreLibrary() : folder_(fs::path(testing::TempDir()) / ("core_" + std::to_string(getpid()))) {
    fs::remove_all(folder_);
  }
  ~CoreLibrary() override { fs::remove_all(folder_); }

  /// `semirec export car`; the paths are below the folder of what is shipped.
  int save(const std::string& vehicle, const std::string& scenario, const std::string& more = "") {
    return std::system((std::string(SEMIREC_PROGRAM) + " export car " + kShipped + vehicle + " " +
                        kShipped + scenario + " --out " + folder_.string() + " " + more +
                        " > /dev/null 2> " + testing::TempDir() + "core_error")
                           .c_str());
  }
  std::string saved(const std::string& name) const { return (folder_ / name).string(); }

  const Library full{SEMIREC_LIBRARY};
  const Library core{SEMIREC_CORE};
  fs::path folder_;
};

// expected: libsemirec.so, whose bits are those of a Session (capi.cpp)
TEST_F(CoreLibrary, ComputesTheBitsOfTheOther) {
  ASSERT_EQ(save("models/sedan.xml", "scenarios/step_steer.xml"), 0);
  const std::vector<double> expected =
      drive(full, kShipped + "models/sedan.xml", kShipped + "scenarios/step_steer.xml");
  ASSERT_GT(expected.size(), 100U);
  EXPECT_EQ(drive(core, saved("models/sedan.xml"), saved("scenarios/step_steer.xml")), expected);
}

TEST_F(CoreLibrary, RefusesXmlInOneLine) {
  semirec_car* car = nullptr;
  const std::string vehicle = kShipped + "models/sedan.xml";
  EXPECT_EQ(CALL(core, semirec_create)(vehicle.c_str(), "", nullptr, &car), SEMIREC_BAD_INPUT);
  EXPECT_EQ(car, nullptr);
  EXPECT_EQ(std::string(CALL(core, semirec_create_error)()),
            vehicle +
                ":1: is text, expected a file saved by `semirec export car`: this library "
                "has no XML parser");
}

// damage is told as it is by every reader: exceptions are caught inside the library
TEST_F(CoreLibrary, RefusesAFileCutShort) {
  ASSERT_EQ(save("models/sedan.xml", "scenarios/step_steer.xml"), 0);
  fs::resize_file(saved("models/sedan.xml"), 1000);
  semirec_car* car = nullptr;
  EXPECT_EQ(CALL(core, semirec_create)(saved("models/sedan.xml").c_str(), "", nullptr, &car),
            SEMIREC_BAD_INPUT);
  EXPECT_EQ(std::string(CALL(core, semirec_create_error)()),
            saved("models/sedan.xml") + ":1: is a saved file cut short");
}

TEST_F(CoreLibrary, SourcesAreNotReplacedByTheirSavedForm) {
  const fs::path copy = folder_ / "models";
  fs::create_directories(copy);
  fs::copy_file(kShipped + "models/sedan.xml", copy / "sedan.xml");
  const auto size = fs::file_size(copy / "sedan.xml");
  EXPECT_EQ(WEXITSTATUS(save("models/sedan.xml", "scenarios/step_steer.xml")), 3);
  EXPECT_EQ(WEXITSTATUS(save("models/sedan.xml", "scenarios/step_steer.xml", "--overwrite")), 3);
  EXPECT_EQ(fs::file_size(copy / "sedan.xml"), size);
  EXPECT_FALSE(fs::exists(folder_ / "scenarios"));
}

}  // namespace
}  // namespace semirec::test
