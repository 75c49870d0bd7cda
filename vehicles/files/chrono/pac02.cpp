#include <algorithm>
#include <array>

#include "vehicles/files/chrono/parts.hpp"

namespace semirec::chrono {

namespace {

struct TirGroup {
  const char* json;
  const char* section;
};

/// Groups whose keys have the names of property files.
constexpr std::array<TirGroup, 6> kTirGroups{
    {{"Scaling Factors", "SCALING_COEFFICIENTS"},
     {"Longitudinal Coefficients", "LONGITUDINAL_COEFFICIENTS"},
     {"Overturning Coefficients", "OVERTURNING_COEFFICIENTS"},
     {"Lateral Coefficients", "LATERAL_COEFFICIENTS"},
     {"Rolling Coefficients", "ROLLING_COEFFICIENTS"},
     {"Aligning Coefficients", "ALIGNING_COEFFICIENTS"}}};

/// Keys in words and their names in property files.
constexpr std::array<TirGroup, 9> kTirWords{{{"Unloaded Radius", "UNLOADED_RADIUS"},
                                             {"Width", "WIDTH"},
                                             {"Aspect Ratio", "ASPECT_RATIO"},
                                             {"Rim Radius", "RIM_RADIUS"},
                                             {"Rim Width", "RIM_WIDTH"},
                                             {"Vertical Stiffness", "VERTICAL_STIFFNESS"},
                                             {"Vertical Damping", "VERTICAL_DAMPING"},
                                             {"Nominal Wheel Load", "FNOMIN"},
                                             {"Tire Mass", "TYRE_MASS"}}};

/// Of the pressure: Chrono takes zero for these unless both pressures are given.
constexpr std::array<const char*, 12> kPressureKeys{"PPX1", "PPX2", "PPX3", "PPX4",
                                                    "PPY1", "PPY2", "PPY3", "PPY4",
                                                    "QSY1", "QSY2", "QSY8", "QPFZ1"};

std::string tir_name(const std::string& key) {
  for (const TirGroup& word : kTirWords)
    if (key == word.json) return word.section;
  return as_name(key, "KEY");
}

std::string tir_line(const std::string& key, const std::string& value) {
  return key + " = " + value + "\n";
}

/// All numbers of a group as a section.
std::string tir_section(const Json& group, const std::string& section, bool with_pressure) {
  std::string text = "[" + section + "]\n";
  for (const auto& [key, value] : group.members()) {
    const std::string name = tir_name(key);
    double number = value.number();
    const bool of_pressure =
        std::find(kPressureKeys.begin(), kPressureKeys.end(), name) != kPressureKeys.end();
    if (of_pressure && !with_pressure)
      number = 0.0;
    else if (name == "QSY1" && number <= 0.0)
      number = 0.01;  // Chrono's least rolling resistance
    // mass is the spindle's
    if (name != "TYRE_MASS") text += tir_line(name, in_words(number));
  }
  return text;
}

}  // namespace

std::string property_text_of(Car& car, const Json& file) {
  const auto conditions = file.find("Tire Conditions");
  const bool with_pressure = conditions && conditions->has("Inflation Pressure") &&
                             conditions->has("Nominal Inflation Pressure");
  std::string text =
      "[MDI_HEADER]\nFILE_TYPE = 'tir'\nFILE_FORMAT = 'ASCII'\n"
      "[UNITS]\nLENGTH = 'meter'\nFORCE = 'newton'\nANGLE = 'radians'\nMASS = 'kg'\n"
      "TIME = 'second'\n[MODEL]\nPROPERTY_FILE_FORMAT = 'PAC2002'\n";
  const auto mode = file.find("Use Mode");
  text += tir_line("USE_MODE", in_words(mode ? mode->index(4) : 4));
  const auto type = file.find("FITTYP");
  text += tir_line("FITTYP", in_words(type ? type->index(1000) : 6));
  for (const char* key : {"VXLOW", "LONGVL"})
    if (const auto value = file.find(key)) text += tir_line(key, in_words(value->number()));
  const auto side = file.find("Tire Side");
  text += tir_line("TYRESIDE", side && side->text() == "right" ? "'RIGHT'" : "'LEFT'");
  if (const auto ellipse = file.find("Friction Ellipsis Mode"); ellipse && ellipse->flag())
    car.important.push_back(ellipse->note(
        "not covered: Friction Ellipsis Mode; combined slip is that of the coefficients"));
  if (with_pressure) {
    text += "[OPERATING_CONDITIONS]\n";
    text += tir_line("INFLPRES", in_words(conditions->at("Inflation Pressure").positive()));
    text += tir_line("NOMPRES", in_words(conditions->at("Nominal Inflation Pressure").positive()));
  }
  text += tir_section(file.at("Dimension"), "DIMENSION", with_pressure);
  text += tir_section(file.at("Vertical"), "VERTICAL", with_pressure);
  for (const TirGroup& group : kTirGroups) {
    const bool scales = std::string(group.json) == "Scaling Factors";
    const auto part = scales ? file.find(group.json) : std::optional<Json>(file.at(group.json));
    if (part) text += tir_section(*part, group.section, with_pressure);
  }
  return text;
}

}  // namespace semirec::chrono
