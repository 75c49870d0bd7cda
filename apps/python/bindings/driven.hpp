#pragma once

#include <string>
#include <vector>

#include <pybind11/pybind11.h>

#include "integrator/outputs/recorder.hpp"
#include "vehicles/session/drive.hpp"

namespace semirec::python {

/// A run as its driver sees it between two steps: what is there, and inputs for the coming step.
class Driven {
 public:
  /// All of them outlive it; `scratch` is used to evaluate outputs.
  Driven(const Drive& drive, const Recorder& recorder, State& state, Workspace& scratch);

  /// Calls `driver` with this, before a step. False where it raised, which current_trouble() has.
  bool ask(const pybind11::object& driver);

  double time() const { return state_.t; }
  /// Throws pybind11::key_error for a name that there is not.
  double output(const std::string& name);
  /// The value at the end of the coming step, held from then on; NaN: the input's own curve again.
  /// Throws pybind11::key_error, pybind11::value_error.
  void set_input(const std::string& name, double value);

 private:
  const Drive& drive_;
  const Recorder& recorder_;
  State& state_;
  Workspace& scratch_;
  std::vector<double> row_;
  bool evaluated_ = false;  ///< row_ is that of the state
};

void bind_driven(pybind11::module_& module);

}  // namespace semirec::python
