#include <optional>

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "apps/python/bindings/bind.hpp"
#include "apps/python/bindings/trouble.hpp"
#include "vehicles/files/xml/written_numbers.hpp"
#include "vehicles/session/drive.hpp"
#include "vehicles/session/input_unit.hpp"

namespace semirec::python {

namespace {

namespace py = pybind11;

/// ([(input, unit)], [(output, unit)]) of a vehicle in a scenario; no start is looked for.
py::tuple describe_channels(const Described& vehicle, const Described& scenario) {
  std::vector<std::pair<std::string, std::string>> inputs, outputs;
  without_lock([&] {
    const Drive drive = make_drive(read_drive(vehicle, scenario));
    const auto& known = drive.model.mechanism.inputs;
    for (std::size_t k = 0; k < known.size(); ++k)
      inputs.emplace_back(known[k].name, find_input_unit(drive, static_cast<int>(k)));
    const Recorder recorder(drive.model, drive.recorder);
    for (const Channel& channel : recorder.channels())
      outputs.emplace_back(channel.name, channel.unit);
  });
  return py::make_tuple(inputs, outputs);
}

/// [(element.attribute, [numbers], unit, about)]
py::list describe_numbers(const Described& described) {
  py::list list;
  for (const WrittenNumbers& written : find_written_numbers(described))
    list.append(py::make_tuple(written.name, written.numbers, written.unit, written.about));
  return list;
}

}  // namespace

void bind_files(py::module_& module) {
  py::class_<Described>(module, "_File")
      .def(py::init([](std::string path, std::optional<std::string> text,
                       const std::vector<std::string>& overrides) {
        Described described{std::move(path), std::move(text), {}};
        for (const std::string& change : overrides)
          described.overrides.push_back(parse_override(change));
        return described;
      }));
  module.def("_describe_channels", describe_channels);
  module.def("_describe_numbers", describe_numbers);
}

}  // namespace semirec::python
