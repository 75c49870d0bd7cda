// What stands in an archive: the model description against every rule of the standard that its
// schema does not hold, the zip against a reader of the test's own, the exported symbols.

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <type_traits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/fmi/unit.hpp"
#include "apps/fmi/variable_name.hpp"
#include "apps/fmi/variables.hpp"
#include "tests/fmi/importer.hpp"
#include "topology/mechanism.hpp"

namespace semirec::test {
namespace {

const std::string kRepository = std::string(SEMIREC_SOURCE_DIR) + "/";

fmi::Fmu make(int version, const char* vehicle, const char* scenario,
              const std::vector<std::string>& sets = {}) {
  fmi::ExportSettings settings;
  settings.vehicle = kRepository + vehicle;
  settings.scenario = *scenario == '\0' ? "" : kRepository + scenario;
  settings.sets = sets;
  settings.version = version;
  settings.library = SEMIREC_FMU_LIBRARY;
  return fmi::make_fmu(settings);
}

struct Example {
  const char *vehicle, *scenario;
};
constexpr std::array kExamples{
    Example{"vehicles/models/sedan.xml", "vehicles/scenarios/step_steer.xml"},
    Example{"vehicles/models/truck.xml", ""},
    Example{"vehicles/models/iltis.xml", "vehicles/scenarios/ramp_and_stairs.xml"},
    Example{"tests/data/rotor.xml", "tests/data/catch_and_let_go.xml"}};

class FmuDescription : public testing::TestWithParam<std::tuple<int, Example>> {
 protected:
  /// Made once for all tests.
  static const fmi::Fmu& made(int version, const Example& example) {
    static std::map<std::pair<int, std::string>, fmi::Fmu> all;
    const std::pair<int, std::string> key(version, example.vehicle);
    auto found = all.find(key);
    if (found == all.end())
      found = all.emplace(key, make(version, example.vehicle, example.scenario)).first;
    return found->second;
  }
  const int version = std::get<0>(GetParam());
  const fmi::Fmu& fmu = made(version, std::get<1>(GetParam()));
  const std::string& xml = fmu.files.at(0).second;
  const Description read = read_description(xml, version);
};

INSTANTIATE_TEST_SUITE_P(All, FmuDescription,
                         testing::Combine(testing::Values(3, 2), testing::ValuesIn(kExamples)));

TEST_P(FmuDescription, HasUniqueNamesInTheStructuredForm) {
  EXPECT_EQ(read.naming, "structured");
  // the grammar of the standard: identifiers or quoted names with dots between them, indices
  const std::string name =
      "(?:[A-Za-z_]\\w*|'(?:[^'\\\\\"]|\\\\['\\\\])+')(?:\\[\\d+(?:,\\d+)*\\])?";
  const std::regex grammar(name + "(?:\\." + name + ")*");
  std::set<std::string> names;
  for (const DescribedVariable& variable : read.variables) {
    EXPECT_TRUE(names.insert(variable.name).second) << variable.name << " stands twice";
    EXPECT_TRUE(std::regex_match(variable.name, grammar)) << variable.name;
    EXPECT_FALSE(variable.description.empty()) << variable.name;
  }
}

TEST_P(FmuDescription, HasUniqueReferences) {
  std::set<std::uint32_t> references;
  for (const DescribedVariable& variable : read.variables)
    EXPECT_TRUE(references.insert(variable.reference).second) << variable.name;
  EXPECT_EQ(references.count(0xffffffffU), 0U);
  EXPECT_GT(references.size(), 10U);
}

TEST_P(FmuDescription, PairsCausalityVariabilityAndStart) {
  int independent = 0;
  for (const DescribedVariable& variable : read.variables) {
    const bool parameter = variable.causality == "parameter";
    const bool input = variable.causality == "input";
    independent += variable.causality == "independent" ? 1 : 0;
    EXPECT_TRUE(parameter || input || variable.causality == "output" ||
                variable.causality == "independent")
        << variable.name << " is " << variable.causality;
    // of the table of causality and variability: (a) or (b) for parameters, (i) for the others
    EXPECT_EQ(variable.variability, !parameter                          ? "continuous"
                                    : variable.variability == "tunable" ? "tunable"
                                                                        : "fixed")
        << variable.name;
    // a start stands where initial is exact (parameters) and on inputs, and nowhere else here
    EXPECT_EQ(variable.has_start, parameter || input) << variable.name;
    EXPECT_EQ(variable.initial, "") << variable.name << ": the default of its pair is meant";
    if (variable.has_min && variable.has_start) {
      EXPECT_GE(variable.start, variable.min) << variable.name;
    }
    if (variable.has_max && variable.has_start) {
      EXPECT_LE(variable.start, variable.max) << variable.name;
    }
    if (variable.has_min && variable.has_max) {
      EXPECT_LT(variable.min, variable.max) << variable.name;
    }
    if (variable.causality == "independent") {
      EXPECT_EQ(variable.unit, "s");
    }
  }
  EXPECT_EQ(independent, 1);
}

TEST_P(FmuDescription, DefinesEveryUnitOnce) {
  const std::set<std::string> defined(read.units.begin(), read.units.end());
  EXPECT_EQ(defined.size(), read.units.size());
  std::set<std::string> used;
  for (const DescribedVariable& variable : read.variables)
    if (!variable.unit.empty()) used.insert(variable.unit);
  EXPECT_EQ(used, defined);
  // no channel of these cars is without
  for (const DescribedVariable& variable : read.variables) {
    if (variable.causality == "output") {
      EXPECT_FALSE(variable.unit.empty()) << variable.name;
    }
  }
}

TEST_P(FmuDescription, ListsAllOutputsInItsStructure) {
  std::vector<std::uint32_t> expected;
  for (std::size_t k = 0; k < read.variables.size(); ++k)
    if (read.variables[k].causality == "output")
      // version 2 counts variables from 1
      expected.push_back(version == 3 ? read.variables[k].reference
                                      : static_cast<std::uint32_t>(k + 1));
  EXPECT_EQ(read.outputs, expected);
  // outputs have no start: all are unknowns of the initialization
  EXPECT_EQ(read.initial_unknowns, expected);
  EXPECT_TRUE(std::is_sorted(expected.begin(), expected.end()));
}

TEST_P(FmuDescription, NamesTheLibraryAndTheFilesByForwardStrokes) {
  const std::string platform = version == 3 ? "x86_64-linux" : "linux64";
  std::set<std::string> names;
  for (const auto& [name, bytes] : fmu.files) {
    EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_EQ(name.find('\\'), std::string::npos) << name;
    EXPECT_EQ(name.find(".."), std::string::npos) << name;
    EXPECT_NE(name.front(), '/') << name;
  }
  EXPECT_EQ(fmu.files.front().first, "modelDescription.xml");
  EXPECT_EQ(names.count("binaries/" + platform + "/" + read.identifier + ".so"), 1U);
  EXPECT_TRUE(std::regex_match(read.identifier, std::regex("[A-Za-z]\\w*")));
  EXPECT_EQ(names.count("resources/semirec.txt"), 1U);
}

// What the licences of the library's parts demand wherever it goes.
TEST_P(FmuDescription, CarriesTheLicencesOfWhatIsCompiledIn) {
  const auto licences = std::find_if(fmu.files.begin(), fmu.files.end(), [](const auto& file) {
    return file.first == "documentation/licenses/license.txt";
  });
  ASSERT_NE(licences, fmu.files.end());
  for (const char* words :
       {"BSD 3-Clause License", "semirec developers", "Mozilla Public License 2.0",
        "2013-2022 Niels Lohmann", "shall be included in all copies"})
    EXPECT_NE(licences->second.find(words), std::string::npos) << words;
}

TEST(FmuUnit, TakesUnitsApart) {
  const auto exponents = [](const char* unit) -> std::vector<int> {
    const auto base = fmi::find_base_unit(unit);
    if (!base) return {};
    return {base->kg, base->m, base->s, base->rad};
  };
  using Exponents = std::vector<int>;
  // N = kg m/s^2
  EXPECT_EQ(exponents("N"), (Exponents{1, 1, -2, 0}));
  EXPECT_EQ(exponents("N m"), (Exponents{1, 2, -2, 0}));
  EXPECT_EQ(exponents("m/s^2"), (Exponents{0, 1, -2, 0}));
  EXPECT_EQ(exponents("rad/s^2"), (Exponents{0, 0, -2, 1}));
  EXPECT_EQ(exponents("N s/m"), (Exponents{1, 0, -1, 0}));
  EXPECT_EQ(exponents("1/m"), (Exponents{0, -1, 0, 0}));
  EXPECT_EQ(exponents("1"), (Exponents{0, 0, 0, 0}));
  EXPECT_EQ(exponents(""), Exponents{});
  EXPECT_EQ(exponents("furlong"), Exponents{});
  EXPECT_EQ(exponents("m^x"), Exponents{});
}

TEST(FmuName, QuotesWhatIsNoIdentifier) {
  EXPECT_EQ(fmi::structured_name("chassis.vx"), "chassis.vx");
  EXPECT_EQ(fmi::structured_name("chassis_joint.z[3]"), "chassis_joint.z[3]");
  EXPECT_EQ(fmi::structured_name("front-left.Fz"), "'front-left'.Fz");
  EXPECT_EQ(fmi::structured_name("2nd.Fz"), "'2nd'.Fz");
  EXPECT_EQ(fmi::structured_name("it's"), "'it\\'s'");
  EXPECT_EQ(fmi::structured_name("a..b"), "a.'_'.b");
  EXPECT_EQ(fmi::structured_name("z[x]"), "'z[x]'");
  EXPECT_EQ(fmi::model_identifier("my car 2"), "my_car_2");
  EXPECT_EQ(fmi::model_identifier("2cv"), "car2cv");
  EXPECT_EQ(fmi::model_identifier(""), "car");
}

TEST(FmuVariables, SayWhatAChannelIs) {
  EXPECT_EQ(fmi::describe_channel({"chassis.vx", "m/s"}), "chassis: velocity along x, world axes");
  EXPECT_EQ(fmi::describe_channel({"chassis_joint.z[2]", "m"}), "chassis_joint: coordinate");
  EXPECT_EQ(fmi::describe_channel({"hinge.z", "rad"}), "hinge: coordinate");
  EXPECT_EQ(fmi::describe_channel({"wheel_fl.z", "m"}), "wheel_fl: position along z, world axes");
  EXPECT_EQ(fmi::describe_channel({"driveline.wheel_rl", "N m"}), "driveline: torque on wheel_rl");
  EXPECT_EQ(fmi::describe_channel({"imu.ax_felt", "m/s^2"}),
            "imu: acceleration less gravity along x, axes of the sensor");
  EXPECT_EQ(fmi::describe_channel({"something", "1"}), "something");
}

// As results.md has them.
TEST(FmuVariables, SayWhatAChannelIsAmongThoseOfItsOwner) {
  const std::vector<std::string> words =
      fmi::describe_channels({{"slide.z", "m"},
                              {"car.ay", "m/s^2"},
                              {"chassis.ay", "m/s^2"},
                              {"chassis.az", "m/s^2"},
                              {"chassis.vz", "m/s"},
                              {"chassis.x", "m"},
                              {"chassis.z", "m"},
                              {"driver.steering_wheel", "rad"},
                              {"driver.steering_wheel_torque", "N m"},
                              {"driver.force", "N"},
                              {"spring.length", "m"},
                              {"spring.force", "N"}});
  EXPECT_EQ(words[0], "slide: coordinate");
  EXPECT_EQ(words[1], "car: acceleration to the left of the heading, horizontal");
  EXPECT_EQ(words[2], "chassis: acceleration along y, world axes");
  EXPECT_EQ(words[6], "chassis: position along z, world axes");
  EXPECT_EQ(words[8], "driver: torque on the steering wheel, positive to the left");
  EXPECT_EQ(words[9], "driver: force along the chassis, positive forward");
  EXPECT_EQ(words[11], "spring: force, positive in tension or in the direction of its coordinate");
}

/// CRC-32 by long division of the bits, as its definition has it.
std::uint32_t remainder_of(const std::string& bytes) {
  std::uint32_t rest = 0xffffffffU;
  for (const char c : bytes) {
    rest ^= static_cast<std::uint8_t>(c);
    for (int k = 0; k < 8; ++k) rest = (rest & 1U) != 0 ? (rest >> 1U) ^ 0xedb88320U : rest >> 1U;
  }
  return rest ^ 0xffffffffU;
}

std::uint32_t number_at(const std::string& bytes, std::size_t at, int size) {
  std::uint32_t value = 0;
  for (int k = 0; k < size; ++k)
    value |= static_cast<std::uint32_t>(static_cast<std::uint8_t>(bytes.at(at + k))) << (8 * k);
  return value;
}

TEST(FmuArchive, IsReadBackThroughItsDirectory) {
  const std::vector<fmi::ArchiveFile> files{{"modelDescription.xml", "<a/>"},
                                            {"empty", ""},
                                            {"folder/all", std::string("\0\xff\\\n", 4)}};
  const std::string zip = fmi::make_zip(files);
  // the end record has 22 bytes without a comment; APPNOTE 4.3.16
  const std::size_t end = zip.size() - 22;
  ASSERT_EQ(number_at(zip, end, 4), 0x06054b50U);
  ASSERT_EQ(number_at(zip, end + 10, 2), files.size());
  std::size_t at = number_at(zip, end + 16, 4);
  EXPECT_EQ(at + number_at(zip, end + 12, 4), end);
  for (const auto& [name, bytes] : files) {
    ASSERT_EQ(number_at(zip, at, 4), 0x02014b50U);  // 4.3.12
    EXPECT_EQ(number_at(zip, at + 10, 2), 0U) << "stored";
    EXPECT_EQ(number_at(zip, at + 16, 4), remainder_of(bytes));
    EXPECT_EQ(number_at(zip, at + 24, 4), bytes.size());
    ASSERT_EQ(number_at(zip, at + 28, 2), name.size());
    EXPECT_EQ(zip.substr(at + 46, name.size()), name);
    const std::size_t local = number_at(zip, at + 42, 4);
    ASSERT_EQ(number_at(zip, local, 4), 0x04034b50U);  // 4.3.7
    EXPECT_EQ(number_at(zip, local + 14, 4), remainder_of(bytes));
    EXPECT_EQ(zip.substr(local + 30, name.size()), name);
    EXPECT_EQ(zip.substr(local + 30 + name.size(), bytes.size()), bytes);
    at += 46 + name.size();
  }
  EXPECT_EQ(at, end);
}

// Forces and what is made of them are told a size: a tenth of the weight, 1.6 t of the sedan, as a
// power of ten.
TEST(FmuArchive, SaysTheSizeOfForces) {
  for (const int version : {2, 3}) {
    const std::string xml =
        make(version, kExamples[0].vehicle, kExamples[0].scenario).files.front().second;
    for (const auto& [name, nominal] :
         {std::pair("wheel_fl.Fz", true), std::pair("wheel_fl.Mz", true),
          std::pair("chassis.z", false)}) {
      const std::size_t at = xml.find("name=\"" + std::string(name) + "\"");
      ASSERT_NE(at, std::string::npos) << name;
      const std::string own = xml.substr(at, xml.find("/>", at) - at);
      EXPECT_EQ(own.find("nominal=\"1000\"") != std::string::npos, nominal) << own;
    }
  }
}

// A factor is not below zero.
TEST(FmuArchive, SaysWhatItsParametersTake) {
  const fmi::Fmu fmu = make(3, kExamples[0].vehicle, kExamples[0].scenario, {"chassis.mass=1400"});
  const Description description = read_description(fmu.files.front().second, 3);
  int factors = 0;
  for (const DescribedVariable& variable : description.variables) {
    if (!variable.name.ends_with("_scale")) continue;
    ++factors;
    EXPECT_TRUE(variable.has_min) << variable.name;
    EXPECT_EQ(variable.min, 0.0) << variable.name;
  }
  EXPECT_GT(factors, 4);
}

TEST(FmuArchive, SaysWhichInputItLeavesOut) {
  const auto notes = [](const Example& example) {
    return make(3, example.vehicle, example.scenario).notes;
  };
  EXPECT_THAT(notes(kExamples[2]), testing::Contains(testing::HasSubstr("'speed_hold_x'")));
  EXPECT_THAT(notes(kExamples[0]), testing::Each(testing::Not(testing::HasSubstr("speed_hold"))));
}

TEST(FmuArchive, IsTheSameForTheSameCar) {
  const Example& sedan = kExamples[0];
  const std::string once = fmi::make_zip(make(3, sedan.vehicle, sedan.scenario).files);
  EXPECT_EQ(fmi::make_zip(make(3, sedan.vehicle, sedan.scenario).files), once);
  // another value, another token
  const fmi::Fmu plain = make(3, sedan.vehicle, sedan.scenario);
  const fmi::Fmu other = make(3, sedan.vehicle, sedan.scenario, {"chassis.mass=1400"});
  EXPECT_NE(plain.token, other.token);
  EXPECT_EQ(other.parameters, plain.parameters + 1);
}

TEST(FmuArchive, HasOneParameterForAValueThatIsSetTwice) {
  const Example& rotor = kExamples[3];
  const fmi::Fmu fmu = make(3, rotor.vehicle, rotor.scenario, {"blade.mass=3", "blade.mass=4"});
  const Description read = read_description(fmu.files.at(0).second, 3);
  int masses = 0;
  for (const DescribedVariable& variable : read.variables) {
    if (variable.causality != "parameter" || variable.name == "start.speed") continue;
    EXPECT_EQ(variable.name, "blade.mass");
    EXPECT_EQ(variable.start, 4.0);
    ++masses;
  }
  EXPECT_EQ(masses, 1);
}

// The start is what all changes together leave, whatever they are written as.
TEST(FmuArchive, StartsWithWhatAllChangesHaveLeft) {
  const auto start_of = [](const std::vector<std::string>& sets, const std::string& name) {
    const fmi::Fmu fmu =
        make(3, "vehicles/models/sedan.xml", "vehicles/scenarios/step_steer.xml", sets);
    const Description read = read_description(fmu.files.at(0).second, 3);
    return read.variables[read.reference(name)].start;
  };
  EXPECT_DOUBLE_EQ(start_of({"chassis.mass=1400", "chassis.mass=*1.1"}, "chassis.mass"),
                   1.1 * 1400.0);
  EXPECT_EQ(start_of({"chassis.mass=1400", "chas*.mass=1500"}, "chassis.mass"), 1500.0);
  EXPECT_DOUBLE_EQ(start_of({"spring_fl.k=30000", "spring_f*.k=*1.2"}, "spring_fl.k"),
                   1.2 * 30000.0);
  // of an argument of a template, which is no element any more
  const auto of_argument = [](const std::vector<std::string>& sets) {
    const fmi::Fmu fmu =
        make(3, "vehicles/models/sedan_abs_esc.xml", "vehicles/scenarios/step_steer.xml", sets);
    const Description read = read_description(fmu.files.at(0).second, 3);
    return read.variables[read.reference("traction_gain_fl.value")].start;
  };
  EXPECT_EQ(of_argument({"traction_gain_fl.value=0.5", "traction_gain_f*.value=0.7"}), 0.7);
  EXPECT_EQ(of_argument({"traction_gain_fl.value=0.5", "traction_gain_fl.value=*2"}), 1.0);
  // an equation is no number
  const fmi::Fmu driven = make(3, "vehicles/models/sedan.xml", "vehicles/scenarios/step_steer.xml",
                               {"driveline.throttle=0.5", "drive*.throttle== 0.2*time"});
  EXPECT_EQ(driven.files.at(0).second.find("driveline.throttle\""), std::string::npos);
  EXPECT_EQ(start_of({"spring_fl.spring_scale=1.3", "spring_f*.spring_scale=2"},
                     "spring_fl.spring_scale"),
            2.0);
}

/// modelDescription.xml of a vehicle that is given as text.
std::string describe_text(const std::string& vehicle) {
  const TestFolder folder("fmu-text");
  fmi::ExportSettings settings;
  settings.vehicle = folder.path() + "/vehicle.xml";
  std::ofstream(settings.vehicle) << vehicle;
  settings.library = SEMIREC_FMU_LIBRARY;
  return fmi::make_fmu(settings).files.at(0).second;
}

// Expected: what the gearbox of the file has.
TEST(FmuVariables, LeverGoesAsFarAsTheGearbox) {
  for (const bool reverses : {true, false}) {
    const std::string reverse = reverses ? R"xml( reverse="3")xml" : "";
    const std::string text =
        describe_text(R"xml(<vehicle name="man" version="1">
  <body name="c" chassis="yes" mass="1000" com="0 0 1" inertia="500 500 500"/>
  <joint name="cj" type="fixed" a="ground" b="c" point="0 0 1"/>
  <body name="rim" mass="20" com="0 0.7 1" inertia="1 1 1"/>
  <joint name="spin" type="revolute" a="c" b="rim" point="0 0.7 1" axis="0 1 0"/>
  <wheel name="w" body="c" rim="rim" centre="0 0.7 1" axis="0 1 0" radius="0.3" stiffness="2e5"/>
  <input name="throttle"/><input name="gear" value="1"/>
  <driveline name="d">
    <motor type="combustion" inertia="0.2" throttle="throttle" idle_speed="80" max_speed="600">
      <full><point speed="0" torque="150"/><point speed="600" torque="200"/></full>
      <closed><point speed="0" torque="-10"/><point speed="600" torque="-60"/></closed>
    </motor>
    <coupling type="converter">
      <point speed_ratio="0" torque_ratio="2" capacity_factor="15"/>
      <point speed_ratio="1" torque_ratio="1" capacity_factor="40"/>
    </coupling>
    <gearbox type="manual" input="gear")xml" +
                      reverse + R"xml(><gear ratio="3"/><gear ratio="2"/></gearbox>
    <axle name="a" wheels="w" ratio="3"/>
  </driveline>
</vehicle>)xml");
    const std::string lever = text.substr(text.find("name=\"gear\""), 400);
    EXPECT_NE(lever.find(reverses ? "min=\"-1\"" : "min=\"0\""), std::string::npos) << lever;
    EXPECT_NE(lever.find("max=\"2\""), std::string::npos) << lever;
    EXPECT_EQ(lever.find("-1 reverse") != std::string::npos, reverses) << lever;
  }
}

TEST(FmuArchive, CarriesTyresIncludesAndRoads) {
  std::set<std::string> names;
  for (const auto& [name, bytes] : make(3, kExamples[0].vehicle, kExamples[0].scenario).files)
    names.insert(name);
  for (const char* file : {"models/sedan.xml", "models/templates/double_wishbone.xml",
                           "models/tyres/touring_225.tir", "scenarios/step_steer.xml"})
    EXPECT_EQ(names.count(std::string("resources/") + file), 1U) << file;
}

TEST(FmuLibrary, ExportsTheFunctionsOfBothVersionsAndNothingElse) {
  // co-simulation: the tables of functions of FMI 3.0 (common and co-simulation) and 2.0 (the same)
  std::istringstream words(
      "fmi3GetVersion fmi3SetDebugLogging fmi3InstantiateModelExchange fmi3InstantiateCoSimulation "
      "fmi3InstantiateScheduledExecution fmi3FreeInstance fmi3EnterInitializationMode "
      "fmi3ExitInitializationMode fmi3EnterEventMode fmi3Terminate fmi3Reset fmi3GetFloat32 "
      "fmi3GetFloat64 fmi3GetInt8 fmi3GetUInt8 fmi3GetInt16 fmi3GetUInt16 fmi3GetInt32 "
      "fmi3GetUInt32 fmi3GetInt64 fmi3GetUInt64 fmi3GetBoolean fmi3GetString fmi3GetBinary "
      "fmi3GetClock fmi3SetFloat32 fmi3SetFloat64 fmi3SetInt8 fmi3SetUInt8 fmi3SetInt16 "
      "fmi3SetUInt16 fmi3SetInt32 fmi3SetUInt32 fmi3SetInt64 fmi3SetUInt64 fmi3SetBoolean "
      "fmi3SetString fmi3SetBinary fmi3SetClock fmi3GetNumberOfVariableDependencies "
      "fmi3GetVariableDependencies fmi3GetFMUState fmi3SetFMUState fmi3FreeFMUState "
      "fmi3SerializedFMUStateSize fmi3SerializeFMUState fmi3DeserializeFMUState "
      "fmi3GetDirectionalDerivative fmi3GetAdjointDerivative fmi3EnterConfigurationMode "
      "fmi3ExitConfigurationMode fmi3GetIntervalDecimal fmi3GetIntervalFraction "
      "fmi3GetShiftDecimal "
      "fmi3GetShiftFraction fmi3SetIntervalDecimal fmi3SetIntervalFraction fmi3SetShiftDecimal "
      "fmi3SetShiftFraction fmi3EvaluateDiscreteStates fmi3UpdateDiscreteStates fmi3EnterStepMode "
      "fmi3GetOutputDerivatives fmi3DoStep "
      "fmi2GetTypesPlatform fmi2GetVersion fmi2SetDebugLogging fmi2Instantiate fmi2FreeInstance "
      "fmi2SetupExperiment fmi2EnterInitializationMode fmi2ExitInitializationMode fmi2Terminate "
      "fmi2Reset fmi2GetReal fmi2GetInteger fmi2GetBoolean fmi2GetString fmi2SetReal "
      "fmi2SetInteger fmi2SetBoolean fmi2SetString fmi2GetFMUstate fmi2SetFMUstate "
      "fmi2FreeFMUstate fmi2SerializedFMUstateSize fmi2SerializeFMUstate fmi2DeSerializeFMUstate "
      "fmi2GetDirectionalDerivative fmi2SetRealInputDerivatives fmi2GetRealOutputDerivatives "
      "fmi2DoStep fmi2CancelStep fmi2GetStatus fmi2GetRealStatus fmi2GetIntegerStatus "
      "fmi2GetBooleanStatus fmi2GetStringStatus");
  std::set<std::string> expected;
  for (std::string word; words >> word;) expected.insert(word);

  std::set<std::string> exported;
  FILE* pipe = popen("nm --dynamic --defined-only --format=posix '" SEMIREC_FMU_LIBRARY "'", "r");
  ASSERT_NE(pipe, nullptr);
  std::array<char, 4096> line{};
  while (fgets(line.data(), line.size(), pipe) != nullptr) {
    const std::string text = line.data();
    exported.insert(text.substr(0, text.find_first_of(" @")));
  }
  ASSERT_EQ(pclose(pipe), 0);
  EXPECT_EQ(exported, expected);
}

/// A folder with a scenario on a road of an OpenCRG file that refers to another one.
class FmuRoad : public testing::Test {
 protected:
  void put(const std::string& name, const std::string& text) const {
    const std::filesystem::path path = std::filesystem::path(folder_.path()) / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
  }
  /// Settings of a car on the road of this file.
  fmi::ExportSettings settings(const std::string& road) const {
    put("scenarios/on_road.xml",
        "<scenario name=\"on_road\" version=\"1\"><run step=\"0.001\" until=\"1\"/>"
        "<contact contact=\"point\"/><road><crg file=\"" +
            road + "\"/></road></scenario>");
    std::filesystem::create_directories(folder_.path() + "/roads/data");
    std::filesystem::copy_file(kRepository + "tests/data/roads/bend_bare.crg",
                               folder_.path() + "/roads/data/bend.crg",
                               std::filesystem::copy_options::overwrite_existing);
    put("roads/road.crg", "$ROAD_CRG_FILE\ndata/bend.crg\n$\n");
    fmi::ExportSettings settings;
    settings.vehicle = kRepository + kExamples[0].vehicle;
    settings.scenario = folder_.path() + "/scenarios/on_road.xml";
    settings.library = SEMIREC_FMU_LIBRARY;
    return settings;
  }
  const TestFolder folder_{"fmu-road"};
};

TEST_F(FmuRoad, IsCarriedWithTheFilesThatItRefersTo) {
  int roads = 0;
  for (const auto& [name, bytes] : fmi::make_fmu(settings("../roads/road.crg")).files) {
    const std::filesystem::path path(name);
    roads += path.filename() == "road.crg" || path.filename() == "bend.crg" ? 1 : 0;
  }
  EXPECT_EQ(roads, 2);
}

TEST_F(FmuRoad, IsRefusedByAnAbsolutePath) {
  try {
    static_cast<void>(fmi::make_fmu(settings(folder_.path() + "/roads/road.crg")));
    FAIL() << "was exported";
  } catch (const ModelError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("on_road.xml:1"));
    EXPECT_THAT(error.what(), testing::HasSubstr("expected a path relative to its file"));
  }
}

// A parameter is tunable only if nothing moves at once when it changes, and something does later:
// bars of a linkage open its loops, a ratio moves the rack once the wheel is turned, the place of
// the start is past.
TEST(FmuExport, TunesNothingThatMovesAMechanism) {
  const auto variability_of = [](const fmi::Fmu& fmu, const std::string& name) {
    const Description read = read_description(fmu.files.at(0).second, 3);
    return read.variables[read.reference(name)].variability;
  };
  const fmi::Fmu linkage =
      make(3, "vehicles/models/seven_body.xml", "vehicles/scenarios/let_go.xml");
  for (const char* bar : {"d", "e", "zf", "rr", "ss", "zt", "u"})
    EXPECT_EQ(variability_of(linkage, bar), "fixed") << bar;
  const fmi::Fmu crank =
      make(3, "vehicles/models/slider_crank.xml", "vehicles/scenarios/let_go.xml");
  for (const char* name : {"angle", "rate"})
    EXPECT_EQ(variability_of(crank, name), "fixed") << name;
  EXPECT_EQ(variability_of(crank, "free_length"), "tunable");
  const fmi::Fmu sedan = make(3, "vehicles/models/sedan.xml", "vehicles/scenarios/step_steer.xml");
  EXPECT_EQ(variability_of(sedan, "pinion"), "fixed");
}

// The samples of a delay are those of its time: with another time they would be read wrongly.
// Begins of states and holds are past, and what an input does by its curve may move a joint later
// on.
TEST(FmuExport, TunesNoDelayNoBeginAndNoCurveThatMovesAJoint) {
  const std::string text = describe_text(
      R"xml(<mechanism name="delayed" version="1" gravity="0 0 -9.81">
  <parameter name="wait" value="0.02"/>
  <parameter name="size" value="1"/>
  <parameter name="begin" value="0.1"/>
  <parameter name="lifted" value="0.1"/>
  <body name="mass" mass="2" com="0 0 0" inertia="0.1 0.1 0.1"/>
  <joint name="slide" type="prismatic" a="ground" b="mass" point="0 0 0" axis="0 0 1"/>
  <body name="table" mass="2" com="0 0 0" inertia="0.1 0.1 0.1"/>
  <joint name="rise" type="prismatic" a="ground" b="table" point="0 0 0" axis="0 0 1"/>
  <input name="lift"><sine amplitude="{lifted}" frequency="1"/></input>
  <motion name="lifts" joint="rise" coordinate="0" input="lift"/>
  <variable name="wave" unit="1" value="= {size}*sin(3*time)"/>
  <delay name="late" of="= wave" time="{wait}"/>
  <state name="lag" initial="{begin}" rate="= wave - lag"/>
  <hold name="seen" of="= wave" rate="100" initial="{begin}"/>
  <force name="push" body="mass" point="0 0 0" direction="0 0 1" input="= 19.62 + late + lag + seen"/>
</mechanism>)xml");
  const Description read = read_description(text, 3);
  for (const char* name : {"wait", "begin", "lifted"})
    EXPECT_EQ(read.variables[read.reference(name)].variability, "fixed") << name;
  EXPECT_EQ(read.variables[read.reference("size")].variability, "tunable");
}

// A rod that an event attaches later, and the bends of a curve that drives a joint.
TEST(FmuExport, TunesNothingThatMovesTheCarLater) {
  const std::string text = describe_text(
      R"xml(<mechanism name="later" version="1" gravity="0 0 -9.81">
  <parameter name="L" value="0.5"/>
  <parameter name="t0" value="2"/>
  <parameter name="m" value="2"/>
  <body name="mass" mass="{m}" com="0.3 0 0" inertia="0.1 0.1 0.1"/>
  <joint name="slide" type="prismatic" a="ground" b="mass" point="0.3 0 0" axis="1 0 0"/>
  <rod name="bar" a="ground" b="mass" point_a="0 0 0.4" point_b="0.3 0 0" length="{L}" attached="no"/>
  <body name="table" mass="2" com="0 0 0" inertia="0.1 0.1 0.1"/>
  <joint name="turn" type="revolute" a="ground" b="table" point="0 0 0" axis="0 0 1"/>
  <input name="swing"><ramp from="0" to="0.3" start="{t0}" end="2.5"/></input>
  <motion name="turns" joint="turn" coordinate="angle" input="swing"/>
</mechanism>)xml");
  const Description read = read_description(text, 3);
  for (const char* name : {"L", "t0"})
    EXPECT_EQ(read.variables[read.reference(name)].variability, "fixed") << name;
  EXPECT_EQ(read.variables[read.reference("m")].variability, "tunable");
}

TEST(FmuExport, RefusesWhatIsNotThere) {
  fmi::ExportSettings settings;
  settings.vehicle = kRepository + kExamples[3].vehicle;
  settings.library = "missing.so";
  EXPECT_THROW(static_cast<void>(fmi::make_fmu(settings)), ModelError);
  settings.library = SEMIREC_FMU_LIBRARY;
  settings.scenario = "missing.xml";
  EXPECT_THROW(static_cast<void>(fmi::make_fmu(settings)), ModelError);
  settings.scenario.clear();
  settings.sets = {"blade.mass=1\n2"};
  EXPECT_THROW(static_cast<void>(fmi::make_fmu(settings)), ModelError);
}

}  // namespace
}  // namespace semirec::test
