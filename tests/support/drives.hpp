#pragma once

#include <functional>
#include <string>
#include <vector>

#include "vehicles/session/drive.hpp"

namespace semirec::test {

/// A vehicle and a scenario of vehicles/models and vehicles/scenarios, read, joined and started.
struct ShippedDrive {
  Drive drive;
  Workspace ws;
  State state;
};

/// `change` may edit the scenario first; `overrides` act on the vehicle's file
/// ("element.attribute=value").
ShippedDrive start_shipped(const std::string& model, const std::string& scenario,
                           const std::vector<std::string>& overrides = {},
                           const std::function<void(Scenario&)>& change = {},
                           Formulation formulation = Formulation::hybrid);

/// The value of a recorder channel at the drive's state.
double channel(ShippedDrive& drive, const std::string& name);

/// Rows of numbers of a file in tests/data: lines that start with # and the two header lines are
/// passed.
std::vector<std::vector<double>> read_table(const std::string& name);

}  // namespace semirec::test
