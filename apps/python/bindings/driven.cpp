#include "apps/python/bindings/driven.hpp"

#include <algorithm>
#include <cmath>

#include "apps/python/bindings/trouble.hpp"

namespace semirec::python {

namespace py = pybind11;

Driven::Driven(const Drive& drive, const Recorder& recorder, State& state, Workspace& scratch)
    : drive_(drive), recorder_(recorder), state_(state), scratch_(scratch) {}

bool Driven::ask(const py::object& driver) {
  evaluated_ = false;
  state_.live.resize(drive_.model.mechanism.inputs.size());
  // what is held has no rate
  for (LiveInput& input : state_.live) input.value.fd = input.value.fdd = 0.0;
  return ask_python([&] { driver(py::cast(this, py::return_value_policy::reference)); });
}

double Driven::output(const std::string& name) {
  const std::vector<Channel>& channels = recorder_.channels();
  const auto found = std::find_if(channels.begin(), channels.end(),
                                  [&](const Channel& channel) { return channel.name == name; });
  if (found == channels.end()) throw py::key_error("there is no output '" + name + "'");
  if (!evaluated_) recorder_.record(drive_.model, state_, scratch_, row_);
  evaluated_ = true;
  return row_[static_cast<std::size_t>(found - channels.begin())];
}

void Driven::set_input(const std::string& name, double value) {
  const std::vector<Input>& inputs = drive_.model.mechanism.inputs;
  const auto found = std::find_if(inputs.begin(), inputs.end(),
                                  [&](const Input& input) { return input.name == name; });
  if (found == inputs.end()) throw py::key_error("there is no input '" + name + "'");
  if (found->computed)
    throw py::value_error("the input '" + name + "' is computed by the vehicle's equations");
  if (std::isinf(value)) throw py::value_error("the input '" + name + "' is to be infinite");
  LiveInput& live = state_.live[static_cast<std::size_t>(found - inputs.begin())];
  if (std::isnan(value)) {
    live.given = false;
    return;
  }
  const double before = live.given ? live.value.f : found->curve.value(state_.t);
  live = {true, {value, (value - before) / drive_.settings.step.h, 0.0}};
}

void bind_driven(py::module_& module) {
  py::class_<Driven>(module, "_Driven")
      .def_property_readonly("time", &Driven::time)
      .def("output", &Driven::output)
      .def("set_input", &Driven::set_input);
}

}  // namespace semirec::python
