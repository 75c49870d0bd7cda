#pragma once

#include <string>
#include <vector>

#include <pybind11/pybind11.h>

#include "vehicles/files/xml/reader.hpp"

namespace semirec::python {

void bind_files(pybind11::module_& module);
void bind_car(pybind11::module_& module);
void bind_batch(pybind11::module_& module);
void bind_run(pybind11::module_& module);
void bind_functions(pybind11::module_& module);
void bind_answers(pybind11::module_& module);
void bind_studies(pybind11::module_& module);

/// Numbers of the scenario that a caller replaces; each NaN or 0: the file's.
struct ScenarioChanges {
  double step = 0.0, until = 0.0, record = 0.0;
  int iterations = 0;
};

}  // namespace semirec::python
