#include "apps/python/bindings/driven.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "apps/python/bindings/trouble.hpp"
#include "integrator/formulation/evaluate.hpp"

namespace semirec::python {

namespace py = pybind11;

namespace {

/// True to the end of the block.
struct Raised {
  explicit Raised(bool& up) : flag(up) { flag = true; }
  ~Raised() { flag = false; }
  Raised(const Raised&) = delete;
  Raised& operator=(const Raised&) = delete;
  bool& flag;
};

}  // namespace

Driven::Driven(const Drive& drive, const Recorder& recorder, State& state, Workspace& scratch)
    : run_(new Run{drive, recorder, state, scratch}) {}

Driven::Run& Driven::run() const {
  if (run_ == nullptr) throw std::runtime_error("the run is over");
  if (!is_asking_)
    throw std::runtime_error("the car of a run is its driver's, as long as that is called");
  return *run_;
}

bool Driven::ask(const std::shared_ptr<Driven>& driven, const py::object& driver) {
  driven->begin_step();
  const auto call = [&] {
    const Raised asking(driven->is_asking_);
    driver(driven);
  };
  if (!ask_python(call)) return false;
  driven->run_->state.live = driven->coming_;
  return true;
}

void Driven::begin_step() {
  const Mechanism& mechanism = run_->drive.model.mechanism;
  const State& state = run_->state;
  evaluated_ = false;
  coming_ = state.live;
  coming_.resize(mechanism.inputs.size());
  values_.resize(mechanism.inputs.size());
  // what is held has no rate
  for (LiveInput& live : coming_) live.value.fd = live.value.fdd = 0.0;
  evaluate_inputs(mechanism, coming_, state.t, values_);
}

double Driven::time() const { return run().state.t; }

double Driven::output(const std::string& name) {
  const auto& [drive, recorder, state, scratch] = run();
  const std::vector<Channel>& channels = recorder.channels();
  const auto found = std::find_if(channels.begin(), channels.end(),
                                  [&](const Channel& channel) { return channel.name == name; });
  if (found == channels.end()) throw py::key_error("there is no output '" + name + "'");
  if (!evaluated_) recorder.record(drive.model, state, scratch, row_);
  evaluated_ = true;
  return row_[static_cast<std::size_t>(found - channels.begin())];
}

void Driven::set_input(const std::string& name, double value) {
  const auto& [drive, recorder, state, scratch] = run();
  const std::vector<Input>& inputs = drive.model.mechanism.inputs;
  const auto found = std::find_if(inputs.begin(), inputs.end(),
                                  [&](const Input& input) { return input.name == name; });
  if (found == inputs.end()) throw py::key_error("there is no input '" + name + "'");
  if (found->computed)
    throw py::value_error("the input '" + name + "' is computed by the vehicle's equations");
  if (std::isinf(value)) throw py::value_error("the input '" + name + "' is to be infinite");
  const auto place = static_cast<std::size_t>(found - inputs.begin());
  LiveInput& live = coming_[place];
  if (std::isnan(value)) {
    live.given = false;
    return;
  }
  live = {true, {value, (value - values_[place].f) / drive.settings.step.h, 0.0}};
}

void bind_driven(py::module_& module) {
  py::class_<Driven, std::shared_ptr<Driven>>(module, "_Driven")
      .def_property_readonly("time", &Driven::time)
      .def("output", &Driven::output)
      .def("set_input", &Driven::set_input);
}

}  // namespace semirec::python
