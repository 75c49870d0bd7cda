// Tyres of imported cars: property files, Fiala, rigid.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/chrono_walk.hpp"
#include "vehicles/files/chrono/import.hpp"
#include "vehicles/files/xml/reader.hpp"

namespace semirec {
namespace {

namespace fs = std::filesystem;

const std::string kTests = std::string(SEMIREC_SOURCE_DIR) + "/tests/";

/// The little car in a folder of its own, with one tyre more.
class ChronoTyre : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "semirec_tyres_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    fs::copy(kTests + "data/chrono", folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
  /// An invented PAC2002 tyre, with more lines at its end.
  void write_property_file(const std::string& more = "") const {
    write("some.tir", test::text_of_file(kTests + "fuzz/corpus/tir/pac2002.tir") + "\n" + more);
  }
  chrono::ImportedVehicle import(const std::string& tyre, bool with_drive = true) const {
    chrono::ImportOptions options;
    options.vehicle = "car.json";
    options.tyre = tyre;
    options.engine = "engine.json";
    options.transmission = "gearbox.json";
    options.xml_folder = folder_.string();
    options.with_drive = with_drive;
    return chrono::import_vehicle(chrono::JsonFolder(folder_.string()), options);
  }
  Vehicle read(const chrono::ImportedVehicle& car) const {
    write("car.xml", car.xml);
    return read_vehicle((folder_ / "car.xml").string());
  }

  fs::path folder_;
};

const Body& body(const Vehicle& vehicle, const std::string& name) {
  const auto& bodies = vehicle.mechanism.bodies;
  return *std::find_if(bodies.begin(), bodies.end(),
                       [&](const Body& one) { return one.name == name; });
}

bool noted(const chrono::ImportedVehicle& car, const std::string& words) {
  return std::any_of(car.notes.begin(), car.notes.end(), [&](const std::string& note) {
    return note.find(words) != std::string::npos;
  });
}

TEST_F(ChronoTyre, PropertyFileBringsItsLawAndItsMass) {
  write_property_file("[INERTIA]\nMASS = 9\nIXX = 0.3\nIYY = 0.5\n");
  const Vehicle car = read(import("some.tir"));
  for (const Wheel& wheel : car.wheels) {
    ASSERT_NE(wheel.law, nullptr);
    EXPECT_DOUBLE_EQ(wheel.law->unloaded_radius(), 0.3284);  // UNLOADED_RADIUS
    EXPECT_DOUBLE_EQ(wheel.law->nominal_load(), 4500.0);     // FNOMIN
  }
  // spindle, wheel and tyre; spindle, wheel, tyre and shaft
  EXPECT_NEAR(body(car, "spindle_rl").mass, 2 + 8 + 9, 1e-12);
  EXPECT_NEAR(body(car, "spindle_rl").inertia(1, 1), 0.003 + 0.2 + 0.5 + 0.1, 1e-12);
  EXPECT_EQ(car.drivelines.size(), 1U);
}

TEST_F(ChronoTyre, PropertyFileInOtherUnitsIsTheSameTyre) {
  std::string text = test::text_of_file(kTests + "fuzz/corpus/tir/pac2002.tir");
  const auto change = [&](const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos);
    text.replace(at, from.size(), to);
  };
  change("'meter'", "'mm'");
  change("UNLOADED_RADIUS = 0.3284", "UNLOADED_RADIUS = 328.4");
  change("VERTICAL_STIFFNESS = 220000", "VERTICAL_STIFFNESS = 220");
  change("VERTICAL_DAMPING   = 60", "VERTICAL_DAMPING   = 0.06");
  for (const char* key : {"WIDTH           = 0.225", "RIM_RADIUS      = 0.2159"}) change(key, "");
  change("= 16.5 ", "= 16500 ");
  change("VXLOW                = 1.0", "VXLOW = 1000");
  change("'kg'", "'gram'");
  write("MM.TIR", text + "\n[INERTIA]\nMASS = 9000\nIXX = 3e8\nIYY = 5e8\n");
  const Vehicle car = read(import("MM.TIR", /*with_drive=*/false));
  EXPECT_NEAR(body(car, "spindle_rl").mass, 19.0, 1e-9);
  EXPECT_NEAR(body(car, "spindle_rl").inertia(1, 1), 0.803, 1e-9);
  // without its law: FNOMIN, radius and stiffness
  EXPECT_NEAR(car.wheels[0].radius, 0.3284, 1e-9);
  EXPECT_NEAR(car.wheels[0].stiffness, 220000.0, 1.0);
  EXPECT_NEAR(car.wheels[0].damping, 60.0, 1e-6);
}

TEST_F(ChronoTyre, PropertyFileWithoutMassSaysSo) {
  write_property_file();
  const auto result = import("some.tir");
  EXPECT_TRUE(noted(result, "some.tir: has no MASS in [INERTIA]"));
  EXPECT_NEAR(body(read(result), "spindle_rl").mass, 2 + 8, 1e-12);
}

TEST_F(ChronoTyre, BrokenPropertyFileGivesOneLine) {
  const auto complaint = [&](const std::string& tyre) -> std::string {
    try {
      (void)import(tyre);
    } catch (const ModelError& error) {
      return error.what();
    }
    return "";
  };
  write_property_file("[INERTIA]\nMASS = -9\n");
  EXPECT_NE(complaint("some.tir").find("element 'MASS': is '-9', expected a number from 0"),
            std::string::npos)
      << complaint("some.tir");
  write("empty.tir", "");
  EXPECT_NE(complaint("empty.tir").find("empty.tir:"), std::string::npos);
  EXPECT_EQ(complaint("empty.tir").find('\n'), std::string::npos);
  EXPECT_NE(complaint("none.tir").find("cannot be read"), std::string::npos);
}

const char* const kFiala = R"({
  "Name": "Fiala", "Type": "Tire", "Template": "FialaTire", "Mass": 9, "Inertia": [0.3, 0.5, 0.3],
  "Fiala Parameters": {
    "Unloaded Radius": 0.31, "Width": 0.2, "Vertical Stiffness": 300000, "Vertical Damping": 500,
    "Rolling Resistance": 0.004, "CSLIP": 90000, "CALPHA": 46000, "UMIN": 0.9, "UMAX": 1.0,
    "X Relaxation Length": 0.05, "Y Relaxation Length": 0.15 } })";

// Chrono's formulas (ChFialaTire, after Adams/Tire) with UMIN = UMAX: H = 1 - C |tan a| / (3 U F),
// Fy = -U F (1 - H^3), Mz = U F width (1 - H) H^3, all sliding where H would be below zero.
TEST_F(ChronoTyre, FialaSlipsSidewaysAsInChrono) {
  write("fiala.json", kFiala);
  const Vehicle car = read(import("fiala.json"));
  ASSERT_NE(car.wheels[0].law, nullptr);
  const TyreLaw& law = *car.wheels[0].law;
  for (const double load : {1000.0, 4000.0, 9000.0})
    for (const double angle : {-0.3, -0.05, 0.01, 0.1, 0.2}) {
      TyreSlip slip;
      slip.load = load;
      slip.tan_alpha = std::tan(angle);
      slip.speed = 20.0;
      const double H = std::max(0.0, 1.0 - 46000.0 * std::tan(std::abs(angle)) / (3.0 * load));
      const double sign = angle < 0.0 ? -1.0 : 1.0;
      const TyreForces forces = law.forces(slip);
      EXPECT_NEAR(forces.Fy, -sign * load * (1.0 - H * H * H), 1e-9 * load);
      EXPECT_NEAR(forces.Mz, sign * load * 0.2 * (1.0 - H) * H * H * H, 1e-9 * load);
      EXPECT_NEAR(forces.My, -0.004 * load, 1e-9 * load);
    }
  EXPECT_NEAR(law.load(0.01, 0.1, 0.0).load, 3000.0 + 50.0, 1e-9);
  // Chrono rolls on the radius under load
  EXPECT_NEAR(law.effective_radius(3000.0, 0.0), 0.31 - 0.01, 1e-12);
  EXPECT_EQ(law.relaxation_x(3000.0, 0.0), 0.05);
  EXPECT_EQ(law.relaxation_y(3000.0, 0.0), 0.15);
}

TEST_F(ChronoTyre, FialaSlipsForwardWithChronosStiffnessAndFriction) {
  write("fiala.json", kFiala);
  const Vehicle car = read(import("fiala.json"));
  const TyreLaw& law = *car.wheels[0].law;
  TyreSlip slip;
  slip.load = 4000.0;
  slip.speed = 20.0;
  slip.kappa = 1e-6;
  EXPECT_NEAR(law.forces(slip).Fx, 90000.0 * 1e-6, 1e-5);  // CSLIP
  slip.kappa = -1.0;
  EXPECT_NEAR(law.forces(slip).Fx, -4000.0, 1e-9);  // UMAX
}

TEST_F(ChronoTyre, FialaSaysWhatIsOtherwise) {
  write("fiala.json", kFiala);
  const auto result = import("fiala.json");
  EXPECT_TRUE(noted(result, "not covered: UMIN; friction does not fall with the slip, UMAX holds"));
  EXPECT_TRUE(noted(result, "FialaTire has no nominal load; 4650 N is taken"));  // 0.05 0.31 3e5
  EXPECT_TRUE(noted(result, "Chrono's two forces do not share their friction"));
  EXPECT_EQ(read(result).drivelines.size(), 1U);
}

TEST_F(ChronoTyre, RigidIsListedWithWhatStandsInItsPlace) {
  write("rigid.json", R"({"Name": "Rigid", "Type": "Tire", "Template": "RigidTire",
    "Radius": 0.31, "Width": 0.2, "Mass": 9, "Inertia": [0.3, 0.5, 0.3], "Contact Material": {
    "Coefficients": {"Normal Stiffness": 200000, "Normal Damping": 40}}})");
  const auto result = import("rigid.json");
  EXPECT_TRUE(noted(result,
                    "not covered: the contact of RigidTire; in its place stand wheels that "
                    "carry a vertical load only"));
  EXPECT_TRUE(noted(result, "not covered: Driveline"));
  const Vehicle car = read(result);
  EXPECT_EQ(car.wheels[0].law, nullptr);
  EXPECT_EQ(car.wheels[0].stiffness, 200000.0);
  // it spins with the car's speed, although nothing turns it
  EXPECT_EQ(car.mechanism.bodies[static_cast<std::size_t>(car.wheels[0].rim)].name, "spindle_fl");
}

}  // namespace
}  // namespace semirec
