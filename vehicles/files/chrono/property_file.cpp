#include <algorithm>
#include <cmath>
#include <filesystem>

#include "vehicles/files/chrono/parts.hpp"
#include "vehicles/tyre/read_tyre.hpp"

namespace semirec::chrono {

namespace {

/// A number of [INERTIA], or zero.
double of_inertia(const TirFile& tir, const char* name) {
  double value = 0.0;
  for (const TirKey& key : tir.keys) {
    if (key.section != "INERTIA" || key.name != name || key.text.empty()) continue;
    if (!key.is_number || !(key.value >= 0.0) || !(key.value < 1e4))
      throw ModelError(Source{tir.file, key.line}, name,
                       "is '" + shown(key.text) + "', expected a number from 0 to 1e4");
    value = key.value;
  }
  return value;
}

/// Deflection under the nominal load, m: the law rises with it.
double standing_deflection(const TyreLaw& law) {
  double low = 0.0;
  double high = 0.9 * law.unloaded_radius();
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (low + high);
    (law.load(middle, 0.0, 0.0).load < law.nominal_load() ? low : high) = middle;
  }
  return low;
}

/// Radius, stiffness and damping of a law, and what its reader remarks.
Tyre standing_tyre(Car& car, const std::string& text, const std::string& file,
                   const std::string& name) {
  std::vector<std::string> remarks;
  const auto law = read_tyre_text(text, file, semirec::Side::left, &remarks);
  for (const std::string& remark : remarks) car.notes.push_back(name + ": " + remark);
  Tyre tyre;
  tyre.radius = law->unloaded_radius();
  const TyreLoad standing = law->load(standing_deflection(*law), 0.0, 0.0);
  tyre.stiffness = standing.stiffness;
  tyre.damping = standing.damping;
  return tyre;
}

}  // namespace

bool is_property_file(const std::string& path) {
  std::string end = std::filesystem::path(path).extension().string();
  for (char& c : end) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return end == ".tir";
}

Tyre read_property_file(Car& car, const JsonFolder& folder, const std::string& path,
                        const std::string& xml_folder, bool brings_mass) {
  const std::string found = folder.find_path(path);
  const std::string text = folder.text_of(found);
  const std::string name = printable(std::filesystem::path(path).filename().string());
  Tyre tyre = standing_tyre(car, text, found, name);
  if (brings_mass) {
    const TirFile tir = parse_tir(text, found);
    const double across = of_inertia(tir, "IXX");
    tyre.rolling.mass = of_inertia(tir, "MASS");
    tyre.rolling.inertia = {across, of_inertia(tir, "IYY"), across};
    if (tyre.rolling.mass == 0.0)
      car.notes.push_back(name +
                          ": has no MASS in [INERTIA]; the tyres add no mass and no inertia to "
                          "their wheels");
    else if (tyre.rolling.inertia.minCoeff() == 0.0)
      car.notes.push_back(name + ": has no IXX or no IYY in [INERTIA]; zero is taken");
  }
  std::error_code error;
  auto relative = std::filesystem::proximate(found, xml_folder.empty() ? "." : xml_folder, error);
  if (error) relative = found;
  tyre.law = element("tyre").set("name", "tyre").set("file", relative.generic_string());
  return tyre;
}

Tyre read_property_text(Car& car, const std::string& text, const std::string& name) {
  Tyre tyre = standing_tyre(car, text, name, name);
  tyre.property_text = text;
  tyre.law = element("tyre").set("name", "tyre").set("file", name);
  return tyre;
}

}  // namespace semirec::chrono
