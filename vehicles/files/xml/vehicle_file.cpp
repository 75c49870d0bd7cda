#include <memory>
#include <mutex>

#include "vehicles/files/xml/expanded_file.hpp"
#include "vehicles/files/xml/reader.hpp"
#include "vehicles/files/xml/vehicle_xml.hpp"

namespace semirec {

namespace {

/// The file without overrides; where it cannot be read so, nothing.
Document load_plain_document(const ExpandedFile& file) {
  try {
    return file.load({});
  } catch (const ModelError&) {
    return {};
  }
}

/// Puts the laws of the wheels onto the shelf, as far as they can be read.
void fill(TyreShelf& tyres, const Document& document) {
  if (document.elements.empty()) return;
  try {
    static_cast<void>(make_vehicle(document, {}, tyres));
  } catch (const ModelError&) {
    // an override may mend it
  }
}

}  // namespace

/// What the cars of a file share: constant but for the scenario.
struct VehicleFile::Shared {
  explicit Shared(const std::string& path)
      : file(path, vehicle_roots()), plain(load_plain_document(file)), tyres(plain.elements) {
    fill(tyres, plain);
  }
  /// The scenario is kept until another one is asked for.
  std::shared_ptr<const Scenario> find_scenario(const std::string& path) {
    const std::lock_guard<std::mutex> lock(mutex);
    if (!scenario || scenario_path != path) {
      scenario = std::make_shared<const Scenario>(read_scenario(path));
      scenario_path = path;
    }
    return scenario;
  }

  const ExpandedFile file;
  const Document plain;  ///< whose elements the shelf looks at
  TyreShelf tyres;
  std::mutex mutex;  ///< of the scenario and its path
  std::string scenario_path;
  std::shared_ptr<const Scenario> scenario;
};

VehicleFile::VehicleFile(const std::string& path) : shared_(std::make_shared<Shared>(path)) {}

Vehicle VehicleFile::read(const std::vector<Override>& overrides) const {
  const Document document = shared_->file.load(overrides);
  TyreShelf tyres(document.elements, &shared_->tyres);
  return make_vehicle(document, overrides, tyres);
}

DriveDescription VehicleFile::read_drive(const std::string& scenario,
                                         const std::vector<Override>& overrides) const {
  DriveDescription both;
  if (!scenario.empty()) both.scenario = *shared_->find_scenario(scenario);
  std::vector<Override> all = both.scenario.overrides;
  all.insert(all.end(), overrides.begin(), overrides.end());
  both.vehicle = read(all);
  return both;
}

}  // namespace semirec
