#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <regex>
#include <set>
#include <sstream>
#include <tuple>

#include <gtest/gtest.h>

#include "topology/spanning_tree.hpp"
#include "vehicles/files/xml/reader.hpp"
#include "vehicles/files/xml/schema.hpp"
#include "vehicles/files/xml/table.hpp"

namespace semirec {
namespace {

const std::string kVehicles = std::string(SEMIREC_SOURCE_DIR) + "/vehicles/";

std::vector<std::string> files(const std::string& folder) {
  std::vector<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator(kVehicles + folder))
    if (entry.path().extension() == ".xml") found.push_back(entry.path().string());
  return found;
}

Vehicle model(const std::string& name, const std::vector<Override>& overrides = {}) {
  return read_vehicle(kVehicles + "models/" + name + ".xml", overrides);
}

Scenario scenario(const std::string& name) {
  return read_scenario(kVehicles + "scenarios/" + name + ".xml");
}

Eigen::Vector3d place(const Mechanism& m, const Marker& marker) {
  if (marker.body == kGround) return marker.X_BF.p;
  return (m.bodies[static_cast<std::size_t>(marker.body)].X_WB * marker.X_BF).p;
}

double design_force(const Mechanism& m, const std::string& name) {
  for (const SpringDamper& spring : m.springs) {
    if (spring.name != name) continue;
    const Eigen::Vector3d line = place(m, spring.b) - place(m, spring.a);
    return spring.spring.value(spring.along_axis ? spring.axis.dot(line) : line.norm());
  }
  throw std::out_of_range("no spring is called " + name);
}

double mass(const Mechanism& m) {
  double sum = 0.0;
  for (const Body& body : m.bodies) sum += body.mass;
  return sum;
}

double design_load(const Vehicle& vehicle, const Wheel& wheel) {
  return wheel.stiffness * (wheel.radius - place(vehicle.mechanism, wheel.centre).z());
}

TEST(XmlModels, HaveTheCoordinatesAndCutsOfTheirSources) {
  const std::vector<std::tuple<std::string, int, std::size_t, std::size_t>> counts{
      {"iltis", 26, 4, 4},
      {"iltis_spinning", 30, 4, 4},
      {"iltis_suspension", 8, 2, 0},
      {"car26", 26, 4, 4},
      {"car21", 38, 8, 0},
      {"double_four_bar", 5, 2, 0},
      {"sedan", 30, 0, 16},
      {"sedan_eps", 33, 0, 16},
      {"sedan_driver", 33, 0, 16},
      {"sedan_active_anti_roll", 30, 0, 16},
      {"slider_crank", 2, 0, 1},
      {"slider_crank_haug", 2, 0, 1},
      {"double_pendulum", 2, 0, 0},
      {"double_pendulum_stiff", 2, 0, 0},
      {"seven_body", 7, 0, 3},
      {"heavy_top", 3, 0, 0},
      {"spinning_body", 6, 0, 0},
      {"free_body", 6, 0, 0},
      {"v8", 17, 0, 8},
      {"multilink_corner", 9, 2, 1},
      {"rear_multilink", 50, 1, 0}};
  for (const auto& [name, coordinates, cuts, rods] : counts) {
    const Vehicle vehicle = model(name);
    const SpanningTree tree = make_spanning_tree(vehicle.mechanism);
    EXPECT_EQ(tree.coordinates, coordinates) << name;
    EXPECT_EQ(tree.cuts.size(), cuts) << name;
    EXPECT_EQ(vehicle.mechanism.constraints.size(), rods) << name;
  }
}

// Nominal forces of the benchmark (vehicle at rest in the design position): leaf -2728.9 N, shock
// -128.0 N, tyres 3829.6 and 3593.6 N to a tenth; the geometry's own digits give 0.01 N.
TEST(XmlIltis, CarriesTheNominalForcesOfTheBenchmark) {
  for (const char* name : {"iltis", "iltis_spinning"}) {
    const Vehicle iltis = model(name);
    for (const char* corner : {"fl", "fr", "rl", "rr"}) {
      EXPECT_NEAR(design_force(iltis.mechanism, std::string("leaf_spring_") + corner), -2728.856,
                  0.01);
      EXPECT_NEAR(design_force(iltis.mechanism, std::string("shock_") + corner), -128.027, 0.01);
      EXPECT_EQ(design_force(iltis.mechanism, std::string("leaf_stop_") + corner), 0.0);
    }
    ASSERT_EQ(iltis.wheels.size(), 4U);
    for (const std::size_t i : {0U, 1U})
      EXPECT_NEAR(design_load(iltis, iltis.wheels[i]), 3829.50, 0.01);
    for (const std::size_t i : {2U, 3U})
      EXPECT_NEAR(design_load(iltis, iltis.wheels[i]), 3593.52, 0.01);
    EXPECT_EQ(iltis.wheels[1].name, "wheel_fr");
    EXPECT_TRUE(iltis.wheels[3].lateral.has_value());
    EXPECT_TRUE(iltis.wheels[0].unilateral);
    // 1260 + 4 x 63.35 kg and four leaf links of 0.01 kg
    EXPECT_NEAR(mass(iltis.mechanism), 1513.4 + 0.004, 1e-9);
  }
}

TEST(XmlIltis, ShockAndLeafFollowTheirPublishedLaws) {
  const Mechanism m = model("iltis").mechanism;
  const SpringDamper& shock = m.springs[2];
  ASSERT_EQ(shock.name, "shock_fl");
  EXPECT_NEAR(shock.spring.value(0.32), -59187.1, 0.1);
  EXPECT_NEAR(shock.spring.value(0.52), 47485.6, 0.1);
  EXPECT_NEAR(shock.damper.value(-1.0), -2260.7, 0.1);
  EXPECT_NEAR(shock.damper.value(-0.1), -634.7, 0.1);
  EXPECT_NEAR(shock.damper.value(0.2), 2235.7, 0.1);
  EXPECT_NEAR(shock.damper.value(1.0), 3553.9, 0.1);
  // leaf and stop together: 1e7 N/m below 0.006
  const auto leaf = [&](double l) {
    return m.springs[0].spring.value(l) + m.springs[1].spring.value(l);
  };
  EXPECT_NEAR(leaf(0.001), 35906.0 * (0.006 - 0.152) + 1e7 * (0.001 - 0.006), 1e-6);
  EXPECT_NEAR(leaf(0.100), 35906.0 * (0.100 - 0.152), 1e-9);
}

TEST(XmlIltis, RackSteersBothWheelsToTheSameSide) {
  const Mechanism m = model("iltis").mechanism;
  int steered = 0;
  for (const Constraint& rod : m.constraints) {
    EXPECT_NEAR(rod.length, 0.3842460149, 1e-10) << rod.name;
    if (rod.slide_input == kNoInput) continue;
    EXPECT_EQ(rod.slide_axis, Eigen::Vector3d::UnitY()) << rod.name;
    ++steered;
  }
  EXPECT_EQ(steered, 2);
}

TEST(XmlBenchCars, StandOnTheirTyresInTheDesignPosition) {
  for (const char* name : {"car26", "car21"}) {
    const Vehicle car = model(name);
    double load = 0.0;
    for (const Wheel& wheel : car.wheels) load += design_load(car, wheel);
    const double sprung_and_corners = 1300.0 + 4.0 * 44.0;
    EXPECT_NEAR(load, sprung_and_corners * 9.81, 1e-8) << name;
    // the massless tie rods of car26 keep their place in the tyre's load
    EXPECT_NEAR(mass(car.mechanism), std::string(name) == "car21" ? 1476.0 : 1472.0, 1e-9) << name;
    EXPECT_FALSE(car.wheels[0].unilateral);
  }
}

TEST(XmlScenarios, ShakerMovesEachWheelByItsPhase) {
  const Scenario shaker = scenario("shaker");
  ASSERT_EQ(shaker.excitations.size(), 4U);
  const double pi = std::numbers::pi;
  for (std::size_t i = 0; i < 4; ++i) {
    const auto phase = static_cast<double>(i);
    for (const double t : {0.1, 0.4, 1.234}) {
      const double w = t < 0.5 ? 0.5 * (1.0 - std::cos(2.0 * pi * t)) : 1.0;
      const double r = w * (0.02 * std::sin(4.0 * pi * t + 0.9 * phase) +
                            0.003 * std::sin(22.0 * pi * t + 1.8 * phase));
      EXPECT_NEAR(shaker.excitations[i].curve.value(t), r, 1e-15) << i << " at " << t;
    }
  }
}

// (where a joint turns the rim, its axis is what the wheel is held against)
TEST(XmlModels, AWheelThatRollsAskewIsSaid) {
  std::vector<Override> changes{{"wheel_fl", "rim", "none", {}}, {"wheel_fl", "axis", "1 0 0", {}}};
  const std::vector<std::string> notes = model("iltis", changes).notes;
  // expected: the angle between x and y
  ASSERT_EQ(std::count_if(
                notes.begin(), notes.end(),
                [](const std::string& note) {
                  return note.find("element 'wheel_fl': attribute 'axis' lies 1.5708 rad off") !=
                         std::string::npos;
                }),
            1);
  changes[1].value = "0.28 0.96 0";
  const std::vector<std::string> steered = model("iltis", changes).notes;
  EXPECT_EQ(std::count_if(
                steered.begin(), steered.end(),
                [](const std::string& note) { return note.find("'axis'") != std::string::npos; }),
            0);
}

TEST(XmlScenarios, OverridesOfTheStairsTakeTheLeafStopsOff) {
  const Scenario stairs = scenario("ramp_and_stairs");
  const Vehicle iltis = model("iltis", stairs.overrides);
  for (const SpringDamper& spring : iltis.mechanism.springs)
    EXPECT_EQ(spring.active, spring.name.rfind("leaf_stop", 0) != 0) << spring.name;
  EXPECT_DOUBLE_EQ(stairs.road.left.value(10.0), 1.0);
  EXPECT_DOUBLE_EQ(stairs.road.left.value(19.999), 2.0);
  EXPECT_DOUBLE_EQ(stairs.road.left.value(20.0), 1.7);
  EXPECT_DOUBLE_EQ(stairs.road.left.value(100.0), 0.5);
}

TEST(XmlScenarios, AllShippedOnesAreRead) {
  for (const std::string& file : files("scenarios")) EXPECT_NO_THROW(read_scenario(file)) << file;
}

bool has_xmllint() { return std::system("xmllint --version > /dev/null 2>&1") == 0; }

int validate(const std::string& schema, const std::string& file) {
  const std::string command = "xmllint --noout --schema '" + kVehicles + "schema/" + schema +
                              "' '" + file + "' > /dev/null 2>&1";
  return std::system(command.c_str());
}

TEST(XmlSchema, AllShippedFilesAreValid) {
  if (!has_xmllint()) GTEST_SKIP() << "xmllint is not installed";
  for (const char* folder : {"models", "models/templates"})
    for (const std::string& file : files(folder))
      EXPECT_EQ(validate("vehicle.xsd", file), 0) << file;
  for (const std::string& file : files("scenarios"))
    EXPECT_EQ(validate("scenario.xsd", file), 0) << file;
  for (const std::string& file : files("studies"))
    EXPECT_EQ(validate("study.xsd", file), 0) << file;
  for (const std::string& file : files("manoeuvres"))
    EXPECT_EQ(validate("manoeuvre.xsd", file), 0) << file;
}

TEST(XmlSchema, RefusesWhatTheReaderRefusesByGrammarAlone) {
  if (!has_xmllint()) GTEST_SKIP() << "xmllint is not installed";
  const std::string broken = std::string(SEMIREC_SOURCE_DIR) + "/tests/data/broken/";
  for (const char* name :
       {"unknown_element", "unknown_attribute", "unknown_child", "wrong_version", "missing_mass",
        "mass_with_unit", "decimal_comma", "mass_nan", "two_numbers_for_com", "unknown_joint_type",
        "flag_not_yes_or_no", "loose_text"})
    EXPECT_NE(validate("vehicle.xsd", broken + name + ".xml"), 0) << name;
  for (const char* name :
       {"scenario_step_nan", "scenario_until_missing", "scenario_unknown_start",
        "scenario_unknown_element", "scenario_empty_road", "scenario_one_sided_road"})
    EXPECT_NE(validate("scenario.xsd", broken + name + ".xml"), 0) << name;
}

std::string text_of(const std::string& file) {
  std::stringstream text;
  text << std::ifstream(std::string(SEMIREC_SOURCE_DIR) + "/" + file).rdbuf();
  return text.str();
}

// The files in the tree are what `scripts/schemas` writes.
TEST(XmlSchema, IsTheOneThatTheTableMakes) {
  for (const std::string& kind : schema_names())
    EXPECT_TRUE(make_schema(kind) == text_of("vehicles/schema/" + kind + ".xsd")) << kind;
}

TEST(XmlReferencePage, IsTheOneThatTheTableMakes) {
  EXPECT_TRUE(make_reference_page() == text_of("docs/reference/elements.md"));
}

// Each word of the table is in the schemas, and the other way round.
TEST(XmlSchema, SpeaksTheReadersWords) {
  std::set<std::string> in_schema;
  std::set<std::string> in_reader;
  for (const char* schema : {"vehicle.xsd", "scenario.xsd", "manoeuvre.xsd", "study.xsd"}) {
    std::stringstream text;
    text << std::ifstream(kVehicles + "schema/" + schema).rdbuf();
    const std::string all = text.str();
    const std::regex word("<xs:(element|attribute) name=\"([^\"]+)\"");
    for (std::sregex_iterator i(all.begin(), all.end(), word), end; i != end; ++i)
      in_schema.insert((*i)[1].str() + " " + (*i)[2].str());
  }
  for (const char* root : {"vehicle", "mechanism", "scenario", "manoeuvre", "study"})
    in_reader.insert(std::string("element ") + root);
  for (const ElementRow& row : all_rows()) {
    for (const std::string& name : row.attribute_names()) in_reader.insert("attribute " + name);
    for (const std::string& kind : row.child_kinds()) in_reader.insert("element " + kind);
  }
  EXPECT_EQ(in_schema, in_reader);
}

/// Text of `<xs:tag name="name"> ... </xs:tag>` in a schema; empty where there is none.
std::string block_of(const std::string& schema, const std::string& tag, const std::string& name) {
  const std::size_t begin = schema.find("<xs:" + tag + " name=\"" + name + "\"");
  if (begin == std::string::npos) return {};
  return schema.substr(begin, schema.find("</xs:" + tag + ">", begin) - begin);
}

void collect_required(const std::string& schema, const std::string& block,
                      std::set<std::string>& names) {
  const std::regex attribute("<xs:attribute name=\"([^\"]+)\"[^>]* use=\"required\"");
  for (std::sregex_iterator i(block.begin(), block.end(), attribute), end; i != end; ++i)
    names.insert((*i)[1].str());
  const std::regex part("<xs:(attributeGroup ref|extension base)=\"([^\"]+)\"");
  for (std::sregex_iterator i(block.begin(), block.end(), part), end; i != end; ++i) {
    const bool group = (*i)[1].str() == "attributeGroup ref";
    collect_required(
        schema, block_of(schema, group ? "attributeGroup" : "complexType", (*i)[2].str()), names);
  }
}

// What a condition leaves out is held against the table's required attributes.
TEST(XmlSchema, RequiresWhatTheReaderRequiresOfVehicles) {
  std::stringstream text;
  text << std::ifstream(kVehicles + "schema/vehicle.xsd").rdbuf();
  const std::string schema = text.str();
  int compared = 0;
  for (const ElementRow& row : all_rows()) {
    const std::string block = block_of(schema, "complexType", row.name);
    if (block.empty()) continue;
    std::set<std::string> names;
    collect_required(schema, block, names);
    std::set<std::string> required;
    for (const AttributeRow& attribute : row.attributes)
      if (attribute.required) required.insert(attribute.name);
    EXPECT_EQ(required, names) << row.name;
    ++compared;
  }
  EXPECT_GT(compared, 50);
}

}  // namespace
}  // namespace semirec
