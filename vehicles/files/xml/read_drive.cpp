#include "vehicles/files/xml/reader.hpp"

namespace semirec {

DriveDescription read_drive(const std::string& vehicle, const std::string& scenario,
                            const std::vector<Override>& overrides) {
  return read_drive(Described{vehicle, {}, overrides}, Described{scenario, {}, {}});
}

namespace {

/// `read_with`: the vehicle with overrides.
template <typename ReadWith>
DriveDescription read_both(const Described& scenario, const std::vector<Override>& overrides,
                           const ReadWith& read_with) {
  DriveDescription read;
  if (scenario.text)
    read.scenario = read_scenario_text(*scenario.text, scenario.path, scenario.overrides);
  else if (!scenario.path.empty())
    read.scenario = read_scenario(scenario.path, scenario.overrides);
  std::vector<Override> all = read.scenario.overrides;
  all.insert(all.end(), overrides.begin(), overrides.end());
  read.vehicle = read_with(all);
  return read;
}

}  // namespace

DriveDescription read_drive(const Described& vehicle, const Described& scenario) {
  return read_both(scenario, vehicle.overrides, [&](const std::vector<Override>& all) {
    return read_vehicle(Described{vehicle.path, vehicle.text, all});
  });
}

DriveDescription VehicleFile::read_drive(const std::string& scenario,
                                         const std::vector<Override>& overrides) const {
  return read_both(Described{scenario, {}, {}}, overrides,
                   [&](const std::vector<Override>& all) { return read(all); });
}

Vehicle read_vehicle(const Described& vehicle) {
  return vehicle.text ? read_vehicle_text(*vehicle.text, vehicle.path, vehicle.overrides)
                      : read_vehicle(vehicle.path, vehicle.overrides);
}

}  // namespace semirec
