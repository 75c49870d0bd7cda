#pragma once

#include <string>
#include <vector>

#include "vehicles/description/scenario.hpp"
#include "vehicles/driver/driver.hpp"
#include "vehicles/driver/path.hpp"

namespace semirec {

class DriveStepper;
class DriveWatcher;

/// A number of a manoeuvre: what --with replaces.
struct ManoeuvreValue {
  std::string name;
  double value = 0.0;  ///< NaN: taken from the vehicle
  std::string unit;
  std::string about;
  Source source;
};

/// A manoeuvre file as read, complete: every value its method reads is there.
struct Manoeuvre {
  std::string name, method, standard, about;
  std::vector<ManoeuvreValue> values;
  double step = 1e-3;    ///< s
  double record = 0.01;  ///< interval of the history, s
  Scenario scenario;     ///< road, contact, inputs, excitations, overrides, outputs
  bool has_road = false;
  Path path;  ///< empty where the file has none
  DriverSettings driver;
  std::vector<std::string> notes;   ///< on names that are called otherwise now
  DriveWatcher* watcher = nullptr;  ///< of its drives (drive_watcher.hpp); null: none
  DriveStepper* stepper = nullptr;  ///< takes their steps (drive_stepper.hpp); null: they do
  std::vector<std::string>* start_notes = nullptr;  ///< gathers what its starts say; null: none
  Source source;

  /// Of a value that the method declared.
  double value(const std::string& name) const;
  const ManoeuvreValue& find(const std::string& name) const;
  /// The value, or `of_vehicle` where it is taken from the vehicle.
  double value_or(const std::string& name, double of_vehicle) const;
};

/// A replacement of the command line, `speed=20`.
struct ManoeuvreChange {
  std::string name;
  std::string value;
};

/// Parses it. Throws ModelError.
ManoeuvreChange parse_change(const std::string& text);

/// Reads a manoeuvre file and replaces values. Throws ModelError on all that a scenario file may do
/// wrong, on an unknown method, on values that the method does not read or that are out of range.
Manoeuvre read_manoeuvre(const std::string& path, const std::vector<ManoeuvreChange>& changes = {});
/// The same from the text of a file; `path` is its name in messages.
Manoeuvre read_manoeuvre_text(const std::string& text, const std::string& path,
                              const std::vector<ManoeuvreChange>& changes = {});

}  // namespace semirec
