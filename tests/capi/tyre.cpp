// A tyre in C under a car: registered, named by a file, and the same as the library's own.

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "apps/capi/semirec.h"
#include "tests/capi/cars.hpp"

namespace semirec::test {
namespace {

namespace fs = std::filesystem;

// more iterations than the tangent needs: slopes by differences must not show
constexpr semirec_options kTyreOptions{sizeof(semirec_options), 1e-3, 4, 0};

struct Linear {
  double slip, cornering, camber, trail;  // N, N, N/rad, m, at the nominal load of 4000 N
};

/// The law that docs/theory.md writes for <linear>; the torque fades in up to 0.5 m/s.
extern "C" int linear_in_c(void* user, const semirec_tyre_state* s, semirec_tyre_forces* f) {
  const Linear* law = static_cast<const Linear*>(user);
  const double share = s->load / 4000.0;
  const double pace = s->speed * 2.0;
  const double direction = pace >= 1.0    ? 1.0
                           : pace <= -1.0 ? -1.0
                                          : std::sin(std::acos(0.0) * pace);
  const double by_slip = -law->cornering * share * s->tan_alpha;
  f->Fx = law->slip * share * s->kappa;
  f->Fy = by_slip - law->camber * share * s->gamma;
  f->Mz = -law->trail * direction * by_slip;
  return 0;
}

extern "C" int no_answer(void* /*user*/, const semirec_tyre_state* /*state*/,
                         semirec_tyre_forces* f) {
  f->Fx = std::numeric_limits<double>::quiet_NaN();
  return 0;
}

class CTyre : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "semirec_ctyre_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    fs::copy(kRoot + "vehicles/models", folder_ / "models", fs::copy_options::recursive);
    // from the design position: the search for an equilibrium ends within its own bounds only
    std::ofstream(folder_ / "turn.xml") << R"(<scenario name="turn" version="1">
      <run step="0.001" until="2"/><start from="design" speed="20"/>
      <input name="gear"><constant value="1"/></input>
      <input name="steering"><ramp from="0" to="0.6" start="0.2" end="0.35"/></input>
      </scenario>)";
  }
  void TearDown() override {
    fs::remove_all(folder_);
    EXPECT_EQ(semirec_register_tyre("mine", nullptr, nullptr), SEMIREC_OK);
  }

  /// The sedan on tyres of this law.
  std::string sedan(const std::string& law) const {
    std::ifstream file(folder_ / "models/sedan.xml");
    std::string text((std::istreambuf_iterator<char>(file)), {});
    const std::string own = "<tyre name=\"touring\" file=\"tyres/touring_225.tir\"/>";
    const std::size_t at = text.find(own);
    EXPECT_NE(at, std::string::npos);
    const std::string path = (folder_ / "models" / ("car" + std::to_string(count_++) + ".xml"));
    std::ofstream(path) << text.replace(at, own.size(),
                                        "<tyre name=\"touring\">" + law + "</tyre>");
    return path;
  }

  int create(const std::string& vehicle, Car& car) const {
    semirec_car* made = nullptr;
    const int status =
        semirec_create(vehicle.c_str(), (folder_ / "turn.xml").c_str(), &kTyreOptions, &made);
    car.reset(made);
    return status;
  }

  fs::path folder_;
  mutable int count_ = 0;
};

const std::string kRadial =
    "radius=\"0.32\" stiffness=\"220000\" damping=\"100\" nominal_load=\"4000\"";
const std::string kLinear = "<linear " + kRadial +
                            " slip_stiffness=\"90000\" cornering_stiffness=\"70000\" "
                            "camber_stiffness=\"3000\" trail=\"0.03\"/>";
const std::string kMine = "<foreign function=\"mine\" " + kRadial + "/>";

/// What is large for an output: the weight of the car, gravity; all else is of size one.
double scale(const semirec_car* car, int output) {
  const std::string unit = semirec_output_unit(car, output);
  if (unit == "m/s^2" || unit == "rad/s^2") return 10.0;
  return unit == "N" || unit == "N m" ? 15000.0 : 1.0;
}

TEST_F(CTyre, IsTheLibrarysOwnToTheLastDigits) {
  Linear law{90000.0, 70000.0, 3000.0, 0.03};
  ASSERT_EQ(semirec_register_tyre("mine", linear_in_c, &law), SEMIREC_OK);
  Car own;
  Car mine;
  ASSERT_EQ(create(sedan(kLinear), own), SEMIREC_OK) << semirec_create_error();
  ASSERT_EQ(create(sedan(kMine), mine), SEMIREC_OK) << semirec_create_error();
  const auto expect_same = [&](const char* when) {
    const std::vector<double> a = outputs(own.get());
    const std::vector<double> b = outputs(mine.get());
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t k = 0; k < a.size(); ++k)
      EXPECT_NEAR(b[k], a[k], 1e-12 * (scale(own.get(), static_cast<int>(k)) + std::abs(a[k])))
          << when << ": " << semirec_output_name(own.get(), static_cast<int>(k));
  };
  // the same law is the same start and the same motion
  expect_same("start");
  ASSERT_EQ(semirec_steps(own.get(), 100), SEMIREC_OK);
  ASSERT_EQ(semirec_steps(mine.get(), 100), SEMIREC_OK);
  expect_same("straight on");
  ASSERT_EQ(semirec_steps(own.get(), 1000), SEMIREC_OK);
  ASSERT_EQ(semirec_steps(mine.get(), 1000), SEMIREC_OK);
  expect_same("in the turn");
  // it is the file's function that pushes
  law.cornering = 0.0;
  ASSERT_EQ(semirec_steps(own.get(), 500), SEMIREC_OK);
  ASSERT_EQ(semirec_steps(mine.get(), 500), SEMIREC_OK);
  double pushes = 0.0;
  double leans = 0.0;
  const int side = semirec_find_output(own.get(), "wheel_fr.Wy");
  ASSERT_EQ(semirec_get_output(own.get(), side, &pushes), SEMIREC_OK);
  ASSERT_EQ(semirec_get_output(mine.get(), side, &leans), SEMIREC_OK);
  EXPECT_GT(std::abs(pushes), 1000.0);
  EXPECT_LT(std::abs(leans), 300.0);  // camber alone
}

TEST_F(CTyre, SavedStatesKnowTheTyreByItsName) {
  Linear law{90000.0, 70000.0, 3000.0, 0.03};
  ASSERT_EQ(semirec_register_tyre("mine", linear_in_c, &law), SEMIREC_OK);
  ASSERT_EQ(semirec_register_tyre("yours", linear_in_c, &law), SEMIREC_OK);
  Car own, mine, again, yours, softer;
  ASSERT_EQ(create(sedan(kLinear), own), SEMIREC_OK);
  ASSERT_EQ(create(sedan(kMine), mine), SEMIREC_OK);
  ASSERT_EQ(create(sedan(kMine), again), SEMIREC_OK);
  ASSERT_EQ(create(sedan("<foreign function=\"yours\" " + kRadial + "/>"), yours), SEMIREC_OK);
  ASSERT_EQ(create(sedan("<foreign function=\"mine\" radius=\"0.32\" stiffness=\"210000\" "
                         "damping=\"100\" nominal_load=\"4000\"/>"),
                   softer),
            SEMIREC_OK);
  ASSERT_EQ(semirec_steps(mine.get(), 700), SEMIREC_OK);
  const std::vector<unsigned char> bytes = saved(mine.get());
  EXPECT_EQ(semirec_restore(own.get(), bytes.data(), bytes.size()), SEMIREC_OTHER_MODEL);
  EXPECT_EQ(semirec_restore(yours.get(), bytes.data(), bytes.size()), SEMIREC_OTHER_MODEL);
  EXPECT_EQ(semirec_restore(softer.get(), bytes.data(), bytes.size()), SEMIREC_OTHER_MODEL);
  ASSERT_EQ(semirec_restore(again.get(), bytes.data(), bytes.size()), SEMIREC_OK);
  ASSERT_EQ(semirec_steps(mine.get(), 50), SEMIREC_OK);
  ASSERT_EQ(semirec_steps(again.get(), 50), SEMIREC_OK);
  EXPECT_EQ(outputs(mine.get()), outputs(again.get()));
  EXPECT_EQ(semirec_register_tyre("yours", nullptr, nullptr), SEMIREC_OK);
}

TEST_F(CTyre, WithoutAnAnswerHasNoForceAndSaysSo) {
  ASSERT_EQ(semirec_register_tyre("mine", no_answer, nullptr), SEMIREC_OK);
  Car car;
  ASSERT_EQ(create(sedan(kMine), car), SEMIREC_OK) << semirec_create_error();
  ASSERT_EQ(semirec_steps(car.get(), 10), SEMIREC_OK);
  double value = 0.0;
  ASSERT_EQ(
      semirec_get_output(car.get(), semirec_find_output(car.get(), "wheel_fl.clamped"), &value),
      SEMIREC_OK);
  EXPECT_EQ(value, 16.0);
  ASSERT_EQ(semirec_get_output(car.get(), semirec_find_output(car.get(), "wheel_fl.Wx"), &value),
            SEMIREC_OK);
  EXPECT_EQ(value, 0.0);
}

TEST_F(CTyre, UnregisteredNameGivesOneLine) {
  Car car;
  EXPECT_EQ(create(sedan(kMine), car), SEMIREC_BAD_INPUT);
  EXPECT_EQ(car, nullptr);
  const std::string error = semirec_create_error();
  EXPECT_NE(
      error.find(
          "attribute 'function' of <foreign> is 'mine', which is not registered, expected a tyre "
          "that the program has registered before it reads the file"),
      std::string::npos)
      << error;
  EXPECT_EQ(error.find('\n'), std::string::npos);
  // one that nearly has the name is named
  ASSERT_EQ(semirec_register_tyre("mina", no_answer, nullptr), SEMIREC_OK);
  EXPECT_EQ(create(sedan(kMine), car), SEMIREC_BAD_INPUT);
  EXPECT_TRUE(std::strstr(semirec_create_error(), "nearest known name is 'mina'") != nullptr)
      << semirec_create_error();
  // and what is forgotten is not known
  ASSERT_EQ(semirec_register_tyre("mina", nullptr, nullptr), SEMIREC_OK);
  ASSERT_EQ(semirec_register_tyre("mine", no_answer, nullptr), SEMIREC_OK);
  ASSERT_EQ(semirec_register_tyre("mine", nullptr, nullptr), SEMIREC_OK);
  EXPECT_EQ(create(sedan(kMine), car), SEMIREC_BAD_INPUT);
}

TEST_F(CTyre, NamesAreChecked) {
  EXPECT_EQ(semirec_register_tyre(nullptr, no_answer, nullptr), SEMIREC_NULL_ARGUMENT);
  for (const std::string& name : {std::string(), std::string("a b"), std::string("<x>"),
                                  std::string(61, 'a'), std::string("a\nb")})
    EXPECT_EQ(semirec_register_tyre(name.c_str(), no_answer, nullptr), SEMIREC_BAD_INPUT) << name;
  // a file may have no number out of range beside the function
  Linear law{90000.0, 70000.0, 3000.0, 0.03};
  ASSERT_EQ(semirec_register_tyre("mine", linear_in_c, &law), SEMIREC_OK);
  Car car;
  EXPECT_EQ(create(sedan("<foreign function=\"mine\" radius=\"-1\" stiffness=\"1e5\" "
                         "nominal_load=\"4000\"/>"),
                   car),
            SEMIREC_BAD_INPUT);
  EXPECT_EQ(create(sedan("<foreign radius=\"0.3\" stiffness=\"1e5\" nominal_load=\"4000\"/>"), car),
            SEMIREC_BAD_INPUT);
  EXPECT_NE(std::strstr(semirec_create_error(), "'function'"), nullptr) << semirec_create_error();
}

}  // namespace
}  // namespace semirec::test
