#pragma once

#include <string>
#include <utility>
#include <vector>

#include <pybind11/pybind11.h>

#include "vehicles/description/drive_description.hpp"

namespace semirec::python {

void bind_car(pybind11::module_& module);
void bind_batch(pybind11::module_& module);
void bind_run(pybind11::module_& module);
void bind_answers(pybind11::module_& module);

/// Numbers of the scenario that a caller replaces; each NaN or 0: the file's.
struct ScenarioChanges {
  double step = 0.0, until = 0.0, record = 0.0;
  int iterations = 0;
};

/// Reads a vehicle and a scenario (empty: none) and replaces `element.attribute=value`.
DriveDescription read(const std::string& vehicle, const std::string& scenario,
                      const std::vector<std::string>& overrides);

}  // namespace semirec::python
