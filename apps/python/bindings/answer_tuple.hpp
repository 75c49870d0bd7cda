#pragma once

#include <string>
#include <utility>
#include <vector>

#include <pybind11/pybind11.h>

#include "vehicles/analysis/answer.hpp"

namespace semirec::python {

/// Asks Python now and then whether Ctrl-C was pressed.
Progress until_interrupted();

std::pair<std::vector<std::string>, std::vector<std::string>> names_and_units(
    const std::vector<Channel>& channels);

/// (title, [(name, value, unit, uncertainty, about)], [(name, columns, units, rows, labels)],
/// notes)
pybind11::tuple to_python(const Answer& answer);

}  // namespace semirec::python
