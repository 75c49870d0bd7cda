// Terminals and icon of an FMU: what they name stands in the model description, by the rules of
// FMI 3.0, section 2.5; the picture against a reader of PNG of the test's own.

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <tinyxml2.h>

#include "apps/fmi/export.hpp"
#include "tests/fmi/importer.hpp"

namespace semirec::test {
namespace {

fmi::Fmu export_car(const char* vehicle, int version) {
  fmi::ExportSettings settings;
  settings.vehicle = std::string(SEMIREC_SOURCE_DIR) + "/vehicles/models/" + vehicle;
  settings.version = version;
  settings.library = SEMIREC_FMU_LIBRARY;
  return fmi::make_fmu(settings);
}

/// The bytes of a file of the archive; empty where there is none.
std::string file_of(const fmi::Fmu& fmu, const std::string& name) {
  for (const auto& [file, bytes] : fmu.files)
    if (file == name) return bytes;
  return {};
}

struct Read {
  std::map<std::string, std::string> variables;  ///< by `terminal/part/member`
  std::vector<std::string> faults;
};

void read_terminals(const tinyxml2::XMLElement& parent, const std::string& path, Read& read) {
  std::set<std::string> names;
  for (const auto* terminal = parent.FirstChildElement("Terminal"); terminal != nullptr;
       terminal = terminal->NextSiblingElement("Terminal")) {
    const std::string name = terminal->Attribute("name");
    if (!names.insert(name).second) read.faults.push_back(path + name + " stands twice");
    if (std::string(terminal->Attribute("matchingRule")) != "bus")
      read.faults.push_back(path + name + " has no rule");
    bool empty = terminal->FirstChildElement("Terminal") == nullptr;
    for (const auto* member = terminal->FirstChildElement("TerminalMemberVariable");
         member != nullptr; member = member->NextSiblingElement("TerminalMemberVariable")) {
      empty = false;
      const std::string key = path + name + "/" + member->Attribute("memberName");
      if (!read.variables.emplace(key, member->Attribute("variableName")).second)
        read.faults.push_back(key + " stands twice");
    }
    if (empty) read.faults.push_back(path + name + " is empty");
    read_terminals(*terminal, path + name + "/", read);
  }
}

class FmuTerminals : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Of, FmuTerminals,
                         testing::Values("sedan.xml", "sedan_abs_esc.xml", "truck.xml",
                                         "trailer.xml", "iltis.xml"));

TEST_P(FmuTerminals, NameVariablesOfTheDescriptionOnce) {
  const fmi::Fmu fmu = export_car(GetParam(), 3);
  const Description description = read_description(fmu.files.at(0).second, 3);
  std::map<std::string, std::string> causality;
  for (const DescribedVariable& variable : description.variables)
    causality[variable.name] = variable.causality;
  tinyxml2::XMLDocument document;
  ASSERT_EQ(document.Parse(file_of(fmu, "terminalsAndIcons/terminalsAndIcons.xml").c_str()),
            tinyxml2::XML_SUCCESS);
  const tinyxml2::XMLElement* root = document.FirstChildElement("fmiTerminalsAndIcons");
  ASSERT_NE(root, nullptr);
  EXPECT_STREQ(root->Attribute("fmiVersion"), "3.0");
  ASSERT_NE(root->FirstChildElement("Terminals"), nullptr);
  EXPECT_FALSE(file_of(fmu, "terminalsAndIcons/icon.png").empty());
  Read read;
  read_terminals(*root->FirstChildElement("Terminals"), "", read);
  EXPECT_TRUE(read.faults.empty()) << testing::PrintToString(read.faults);
  std::size_t contacts = 0;
  for (const auto& [member, variable] : read.variables) {
    EXPECT_TRUE(causality.count(variable) == 1) << member << ": " << variable;
    if (member.ends_with("contact/Fz")) ++contacts;
  }
  EXPECT_TRUE(causality[read.variables["steering/steering"]] == "input");
  // expected: what has a load and a camber is a wheel
  std::size_t loads = 0;
  for (const auto& [name, what] : causality)
    if (name.ends_with(".Fz") && causality.count(name.substr(0, name.size() - 2) + "gamma") == 1)
      ++loads;
  EXPECT_EQ(contacts, loads);
  EXPECT_GE(contacts, 4U);
}

TEST(FmuRoads, AreInputsOfTheContactsWhereTheScenarioAsksForIt) {
  fmi::ExportSettings settings;
  settings.vehicle = std::string(SEMIREC_SOURCE_DIR) + "/vehicles/models/sedan.xml";
  settings.scenario = std::string(SEMIREC_SOURCE_DIR) + "/tests/data/road_from_outside.xml";
  settings.version = 3;
  settings.library = SEMIREC_FMU_LIBRARY;
  const fmi::Fmu fmu = fmi::make_fmu(settings);
  std::map<std::string, DescribedVariable> variables;
  for (const DescribedVariable& variable : read_description(fmu.files.at(0).second, 3).variables)
    variables[variable.name] = variable;
  tinyxml2::XMLDocument document;
  ASSERT_EQ(document.Parse(file_of(fmu, "terminalsAndIcons/terminalsAndIcons.xml").c_str()),
            tinyxml2::XML_SUCCESS);
  Read read;
  read_terminals(
      *document.FirstChildElement("fmiTerminalsAndIcons")->FirstChildElement("Terminals"), "",
      read);
  const std::map<std::string, std::string> units{{"height", "m"},  {"x", "m"},
                                                 {"y", "m"},       {"slope_x", "1"},
                                                 {"slope_y", "1"}, {"friction", "1"}};
  for (const char* wheel : {"wheel_fl", "wheel_fr", "wheel_rl", "wheel_rr"})
    for (const auto& [member, unit] : units) {
      const std::string name = "road_" + member + "_" + wheel;
      EXPECT_EQ(read.variables[std::string(wheel) + "/contact/road_" + member], name);
      EXPECT_EQ(variables[name].causality, "input") << name;
      EXPECT_EQ(variables[name].unit, unit) << name;
      EXPECT_EQ(variables[name].start, member == "friction" ? 1.0 : 0.0) << name;
      EXPECT_EQ(variables[name].has_min, member == "friction") << name;
    }
}

std::uint32_t big_endian(const std::string& bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t k = 0; k < 4; ++k)
    value = value << 8 | static_cast<unsigned char>(bytes.at(at + k));
  return value;
}

/// CRC of ISO 3309 bit by bit: annex D of the standard of PNG.
std::uint32_t check_of(const std::string& bytes) {
  std::uint32_t c = 0xffffffffU;
  for (const char byte : bytes) {
    c ^= static_cast<unsigned char>(byte);
    for (int k = 0; k < 8; ++k) c = (c & 1U) != 0 ? 0xedb88320U ^ (c >> 1) : c >> 1;
  }
  return ~c;
}

/// The chunks by their kind, each with a right check.
std::map<std::string, std::string> read_chunks(const std::string& png) {
  std::map<std::string, std::string> chunks;
  EXPECT_EQ(png.substr(0, 8), std::string("\x89PNG\r\n\x1a\n", 8));
  for (std::size_t at = 8; at < png.size();) {
    const std::uint32_t size = big_endian(png, at);
    const std::string kind = png.substr(at + 4, 4);
    EXPECT_EQ(big_endian(png, at + 8 + size), check_of(png.substr(at + 4, size + 4))) << kind;
    chunks[kind] = png.substr(at + 8, size);
    at += 12 + size;
  }
  return chunks;
}

TEST_P(FmuTerminals, BesideThemStandsAPictureOfTheCar) {
  // FMI 2.0, section 2.1.1: model.png
  const std::string png = file_of(export_car(GetParam(), 2), "model.png");
  std::map<std::string, std::string> chunks = read_chunks(png);
  EXPECT_EQ(big_endian(chunks["IHDR"], 0), 192U);
  EXPECT_EQ(big_endian(chunks["IHDR"], 4), 144U);
  EXPECT_EQ(chunks["PLTE"].size(), 3U * chunks["tRNS"].size());
  // zlib's head, blocks that are stored, Adler's sum
  const std::string& stream = chunks["IDAT"];
  ASSERT_GT(stream.size(), 6U);
  EXPECT_EQ(
      (static_cast<unsigned char>(stream[0]) * 256 + static_cast<unsigned char>(stream[1])) % 31,
      0);
  std::string rows;
  for (std::size_t at = 2; at + 4 < stream.size();) {
    const std::size_t size = static_cast<unsigned char>(stream[at + 1]) +
                             256U * static_cast<unsigned char>(stream[at + 2]);
    rows += stream.substr(at + 5, size);
    at += 5 + size;
  }
  constexpr std::size_t kRow = 1 + 192 / 2;
  ASSERT_EQ(rows.size(), 144 * kRow);
  std::uint32_t a = 1, b = 0;
  for (const char byte : rows) {
    a = (a + static_cast<unsigned char>(byte)) % 65521;
    b = (b + a) % 65521;
  }
  EXPECT_EQ(big_endian(stream, stream.size() - 4), b << 16 | a);
  // it fills the picture in one direction, and most of it is empty
  std::size_t drawn = 0;
  std::size_t left = 192, right = 0, top = 144, bottom = 0;
  for (std::size_t y = 0; y < 144; ++y)
    for (std::size_t x = 0; x < 192; ++x) {
      const auto two = static_cast<unsigned char>(rows[y * kRow + 1 + x / 2]);
      if ((x % 2 == 0 ? two >> 4 : two & 15) == 0) continue;
      ++drawn;
      left = std::min(left, x);
      right = std::max(right, x);
      top = std::min(top, y);
      bottom = std::max(bottom, y);
    }
  EXPECT_GT(drawn, 1000U);
  EXPECT_LT(drawn, 192U * 144U / 2U);
  EXPECT_TRUE(right - left > 175 || bottom - top > 127) << right - left << ' ' << bottom - top;
}

}  // namespace
}  // namespace semirec::test
