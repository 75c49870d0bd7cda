#include "apps/python/bindings/answer_tuple.hpp"

#include <algorithm>

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

namespace semirec::python {

namespace py = pybind11;

Progress until_interrupted() {
  return [](double, const std::string&) {
    const py::gil_scoped_acquire python;
    return PyErr_CheckSignals() == 0;
  };
}

std::pair<std::vector<std::string>, std::vector<std::string>> names_and_units(
    const std::vector<Channel>& channels) {
  std::pair<std::vector<std::string>, std::vector<std::string>> both;
  for (const Channel& channel : channels) {
    both.first.push_back(channel.name);
    both.second.push_back(channel.unit);
  }
  return both;
}

py::tuple to_python(const Answer& answer) {
  py::list quantities, tables;
  for (const Quantity& q : answer.quantities)
    quantities.append(py::make_tuple(q.name, q.value, q.unit, q.uncertainty, q.about));
  for (const Table& table : answer.tables) {
    const auto [names, units] = names_and_units(table.columns);
    py::array_t<double> rows({static_cast<py::ssize_t>(table.rows.size()),
                              static_cast<py::ssize_t>(table.columns.size())});
    double* out = rows.mutable_data();
    for (const std::vector<double>& row : table.rows) out = std::copy(row.begin(), row.end(), out);
    tables.append(py::make_tuple(table.name, names, units, rows, table.labels));
  }
  return py::make_tuple(answer.title, quantities, tables, answer.notes);
}

}  // namespace semirec::python
