// A vehicle and its scenario are read together, and a scenario that asks for another vehicle than
// it is given is refused.

#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "vehicles/files/xml/reader.hpp"
#include "vehicles/files/xml/written_numbers.hpp"
#include "vehicles/session/fingerprint.hpp"
#include "vehicles/session/session.hpp"

namespace semirec::test {
namespace {

using testing::HasSubstr;

constexpr const char* kCart =
    R"(<vehicle name="cart" version="1">
  <body name="box" chassis="yes" mass="100" com="0 0 0.5" inertia="10 10 10"/>
  <joint name="free" type="free" a="ground" b="box"/>
</vehicle>)";

std::string write_file(const std::string& name, const std::string& text) {
  const auto path =
      std::filesystem::path(testing::TempDir()) /
      (std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) + name);
  std::ofstream(path) << text;
  return path.string();
}

std::string scenario_with(const std::string& set) {
  return "<scenario name=\"heavier\" version=\"1\">\n<run step=\"0.001\" until=\"1\"/>\n" + set +
         "\n</scenario>";
}

double mass_of(const DriveDescription& read) { return read.vehicle.mechanism.bodies.at(0).mass; }

TEST(ReadDrive, GivesTheVehicleWhatTheScenarioReplaces) {
  const std::string cart = write_file(".xml", kCart);
  const std::string scenario = write_file(
      "_scenario.xml", scenario_with(R"(<set element="box" attribute="mass" value="150"/>)"));
  EXPECT_EQ(mass_of(read_drive(cart, scenario)), 150.0);
  // the caller's come after the scenario's
  EXPECT_EQ(mass_of(read_drive(cart, scenario, {{"box", "mass", "*2", {}}})), 300.0);
  EXPECT_EQ(mass_of(read_drive(cart, scenario, {{"box", "mass", "90", {}}})), 90.0);
  EXPECT_EQ(read_drive(cart, scenario).scenario.name, "heavier");
  EXPECT_EQ(mass_of(read_drive(cart, "")), 100.0);
}

TEST(ReadDrive, IsWhatDrivesAndSessionsAreMadeOf) {
  const std::string cart = write_file(".xml", kCart);
  const std::string scenario = write_file(
      "_scenario.xml", scenario_with(R"(<set element="box" attribute="mass" value="150"/>)"));
  const DriveDescription read = read_drive(cart, scenario, {{"box", "mass", "90", {}}});
  EXPECT_EQ(make_drive(read).model.mechanism.bodies.at(0).mass, 90.0);
  EXPECT_EQ(Session(read).drive().model.mechanism.bodies.at(0).mass, 90.0);
}

TEST(ReadDrive, AVehicleReadWithoutTheScenariosReplacementsIsRefused) {
  const std::string cart = write_file(".xml", kCart);
  const std::string path = write_file(
      "_scenario.xml", scenario_with(R"(<set element="box" attribute="mass" value="150"/>)"));
  const Scenario scenario = read_scenario(path);
  const auto complaint = [&](const Vehicle& vehicle) -> std::string {
    try {
      make_drive(vehicle, scenario);
    } catch (const ModelError& error) {
      return error.what();
    }
    return "";
  };
  const std::string line = complaint(read_vehicle(cart));
  EXPECT_THAT(line, HasSubstr(path + ":3: element 'box': is to get mass=\"150\""));
  EXPECT_THAT(line, HasSubstr("read_drive()"));
  EXPECT_EQ(line.find('\n'), std::string::npos);
  EXPECT_THAT(complaint(read_vehicle(cart, {{"box", "mass", "151", {}}})), HasSubstr("'box'"));
  EXPECT_EQ(complaint(read_vehicle(cart, scenario.overrides)), "");
  EXPECT_THROW(Session(read_vehicle(cart), scenario), ModelError);
}

TEST(ReadDrive, TheIltisOnItsStairsIsRefusedWithItsLeafStops) {
  const std::string folder = std::string(SEMIREC_SOURCE_DIR) + "/vehicles/";
  const std::string model = folder + "models/iltis.xml";
  const std::string stairs = folder + "scenarios/ramp_and_stairs.xml";
  EXPECT_THROW(make_drive(read_vehicle(model), read_scenario(stairs)), ModelError);
  EXPECT_NO_THROW(make_drive(read_drive(model, stairs)));
}

/// What a vehicle is, in a number or in the words of what is wrong with it.
template <typename Read>
std::string outcome_of(const Read& read) {
  try {
    const Vehicle vehicle = read();
    std::string all = std::to_string(fingerprint(vehicle, {}, make_drive(vehicle, {})));
    for (const std::string& note : vehicle.notes) all += "; " + note;
    return all;
  } catch (const ModelError& error) {
    return error.what();
  }
}

// numbers of every shipped file, parameters and elements, one after another and in pairs
TEST(VehicleFiles, ReadOnceGiveWhatReadingAnewGives) {
  const std::filesystem::path folder = std::string(SEMIREC_SOURCE_DIR) + "/vehicles/models";
  int files = 0, parameters = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".xml") continue;
    const std::string path = entry.path().string();
    const VehicleFile file(path);
    const auto check = [&](const std::vector<Override>& overrides) {
      EXPECT_EQ(outcome_of([&] { return file.read(overrides); }),
                outcome_of([&] { return read_vehicle(path, overrides); }))
          << path << ": " << (overrides.empty() ? "" : overrides[0].element);
    };
    check({});
    check({{"no_such", "mass", "1", {}}});
    std::vector<WrittenNumbers> written;
    try {
      written = find_written_numbers({path, {}, {}});
    } catch (const ModelError&) {
      continue;  // a part that other files include
    }
    ++files;
    const std::size_t stride = 1 + written.size() / 12;
    for (std::size_t k = 0; k < written.size(); k += stride) {
      const Override one = parse_override(written[k].name + "=*1.01");
      const Override other = parse_override(written[(k + 5) % written.size()].name + "=*-3");
      parameters += one.attribute == "value" ? 1 : 0;
      check({one});
      check({one, other});
    }
  }
  EXPECT_GT(files, 20);
  EXPECT_GT(parameters, 20);
}

TEST(VehicleFiles, ThatOnlyAnOverrideMakesGoodAreReadWithIt) {
  std::string text = kCart;
  text.insert(text.find("<body"), "<parameter name=\"heavy\" value=\"{2/0}\"/>\n  ");
  text.replace(text.find("mass=\"100\""), 10, "mass=\"{heavy}\"");
  const VehicleFile file(write_file(".xml", text));
  EXPECT_THROW(static_cast<void>(file.read({})), ModelError);
  EXPECT_EQ(file.read({{"heavy", "value", "70", {}}}).mechanism.bodies.at(0).mass, 70.0);
}

TEST(VehicleFiles, ShareLawsOfTyresThatStayTheSame) {
  std::string text = kCart;
  text.insert(text.find("</vehicle>"), R"(
  <parameter name="grip" value="0.9"/>
  <tyre name="soft">
    <fiala radius="0.3" stiffness="2e5" damping="100" nominal_load="4000" slip_stiffness="1e5" cornering_stiffness="8e4"
           friction="{grip}" contact_half_length="0.1" relaxation_x="0.2" relaxation_y="0.4"/>
  </tyre>
  <body name="rim" mass="10" com="0 0.7 0.3" inertia="1 1 1"/>
  <joint name="axle" type="revolute" a="box" b="rim" point="0 0.7 0.3" axis="0 1 0"/>
  <wheel name="wheel" body="box" rim="rim" centre="0 0.7 0.3" axis="0 1 0" tyre="soft"/>
)");
  const std::string path = write_file(".xml", text);
  const VehicleFile file(path);
  const auto law = [&](const std::vector<Override>& overrides) {
    const Vehicle vehicle = file.read(overrides);
    EXPECT_EQ(outcome_of([&] { return vehicle; }),
              outcome_of([&] { return read_vehicle(path, overrides); }));
    return vehicle.wheels.at(0).law;
  };
  const auto plain = law({});
  EXPECT_EQ(law({{"box", "mass", "90", {}}}), plain);
  EXPECT_NE(law({{"grip", "value", "0.8", {}}}), plain);
  EXPECT_NE(law({{"soft", "stiffness", "*1.1", {}}}), plain);
  EXPECT_EQ(law({}), plain);
}

TEST(VehicleFiles, KeepTheScenarioThatWasAskedForLast) {
  const VehicleFile file(write_file(".xml", kCart));
  const std::string heavy = write_file(
      "_heavy.xml", scenario_with(R"(<set element="box" attribute="mass" value="150"/>)"));
  const std::string light = write_file(
      "_light.xml", scenario_with(R"(<set element="box" attribute="mass" value="50"/>)"));
  for (const auto& [path, mass] : {std::pair(heavy, 150.0),
                                   {heavy, 150.0},
                                   {light, 50.0},
                                   {heavy, 150.0},
                                   {std::string(), 100.0}}) {
    EXPECT_EQ(mass_of(file.read_drive(path, {})), mass);
    EXPECT_EQ(mass_of(file.read_drive(path, {{"box", "mass", "70", {}}})), 70.0);
  }
  EXPECT_THROW(static_cast<void>(file.read_drive("no_such.xml", {})), ModelError);
  EXPECT_EQ(mass_of(file.read_drive(heavy, {})), 150.0);
}

TEST(VehicleFiles, AreReadByThreadsAtOnce) {
  const std::string folder = std::string(SEMIREC_SOURCE_DIR) + "/vehicles/";
  const std::string model = folder + "models/sedan.xml";
  const std::string scenario = folder + "scenarios/step_steer.xml";
  const VehicleFile file(model);
  const auto overrides = [](int car) -> std::vector<Override> {
    return {{"damping_f*", "value", "*" + std::to_string(1.0 + 0.1 * car), {}},
            {"front_axle", "value", "1.2" + std::to_string(car) + " 0 0", {}},
            {"chassis", "mass", std::to_string(1300 + car), {}}};
  };
  constexpr int kThreads = 4, kCars = 6;
  std::array<std::array<std::string, kCars>, kThreads> seen;
  std::vector<std::thread> threads;
  for (auto& of_thread : seen)
    threads.emplace_back([&] {
      for (int car = 0; car < kCars; ++car)
        of_thread[static_cast<std::size_t>(car)] =
            outcome_of([&] { return file.read_drive(scenario, overrides(car)).vehicle; });
    });
  for (std::thread& thread : threads) thread.join();
  for (int car = 0; car < kCars; ++car) {
    const std::string alone = outcome_of([&] { return read_vehicle(model, overrides(car)); });
    for (const auto& of_thread : seen) EXPECT_EQ(of_thread[static_cast<std::size_t>(car)], alone);
  }
}

}  // namespace
}  // namespace semirec::test
