#include "vehicles/files/xml/reader.hpp"

namespace semirec {

DriveDescription read_drive(const std::string& vehicle, const std::string& scenario,
                            const std::vector<Override>& overrides) {
  DriveDescription read;
  if (!scenario.empty()) read.scenario = read_scenario(scenario);
  std::vector<Override> all = read.scenario.overrides;
  all.insert(all.end(), overrides.begin(), overrides.end());
  read.vehicle = read_vehicle(vehicle, all);
  return read;
}

}  // namespace semirec
