#pragma once

#include <memory>
#include <string>
#include <vector>

#include <pybind11/pybind11.h>

#include "integrator/outputs/recorder.hpp"
#include "vehicles/session/drive.hpp"

namespace semirec::python {

/// A run as its driver sees it between two steps: what is there, and inputs for the coming step.
class Driven {
 public:
  /// `scratch` is used to evaluate outputs. All of them live until end() is called.
  Driven(const Drive& drive, const Recorder& recorder, State& state, Workspace& scratch);

  /// Calls `driver` with `driven`, before a step. False where it raised, which current_trouble()
  /// has.
  static bool ask(const std::shared_ptr<Driven>& driven, const pybind11::object& driver);
  /// The run is over. A driver may have kept the object, whose functions throw std::runtime_error
  /// but while ask() calls it.
  void end() noexcept { run_.reset(); }

  double time() const;
  /// Of the state, which inputs that are set for the coming step do not touch. Throws
  /// pybind11::key_error for a name that there is not.
  double output(const std::string& name);
  /// The value at the end of the coming step, held from then on; NaN: the input's own curve again.
  /// Its rate is the difference from the value at the state, also where it is set more than once.
  /// Throws pybind11::key_error, pybind11::value_error.
  void set_input(const std::string& name, double value);

 private:
  struct Run {
    const Drive& drive;
    const Recorder& recorder;
    State& state;
    Workspace& scratch;
  };
  /// Throws std::runtime_error outside of the driver's call.
  Run& run() const;
  void begin_step();

  std::unique_ptr<Run> run_;  ///< none when the run is over
  std::vector<double> row_;
  std::vector<CurveValue> values_;  ///< [input] at the state
  std::vector<LiveInput> coming_;   ///< [input] at the end of the coming step
  bool is_asking_ = false;  ///< between two calls the state is halfway; needs the lock of Python
  bool evaluated_ = false;  ///< row_ is that of the state
};

void bind_driven(pybind11::module_& module);

}  // namespace semirec::python
