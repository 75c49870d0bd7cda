#include "vehicles/files/xml/reader.hpp"

namespace semirec {

DriveDescription read_drive(const std::string& vehicle, const std::string& scenario,
                            const std::vector<Override>& overrides) {
  return read_drive(Described{vehicle, {}, overrides}, Described{scenario, {}, {}});
}

DriveDescription read_drive(const Described& vehicle, const Described& scenario) {
  DriveDescription read;
  if (scenario.text)
    read.scenario = read_scenario_text(*scenario.text, scenario.path, scenario.overrides);
  else if (!scenario.path.empty())
    read.scenario = read_scenario(scenario.path, scenario.overrides);
  std::vector<Override> all = read.scenario.overrides;
  all.insert(all.end(), vehicle.overrides.begin(), vehicle.overrides.end());
  read.vehicle = read_vehicle(Described{vehicle.path, vehicle.text, all});
  return read;
}

Vehicle read_vehicle(const Described& vehicle) {
  return vehicle.text ? read_vehicle_text(*vehicle.text, vehicle.path, vehicle.overrides)
                      : read_vehicle(vehicle.path, vehicle.overrides);
}

}  // namespace semirec
