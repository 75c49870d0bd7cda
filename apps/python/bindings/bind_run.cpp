#include <limits>

#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "apps/python/bindings/bind.hpp"
#include "apps/python/bindings/driven.hpp"
#include "apps/python/bindings/python_force.hpp"
#include "apps/python/bindings/trouble.hpp"
#include "integrator/formulation/evaluate.hpp"
#include "vehicles/session/drive.hpp"
#include "vehicles/session/end_notes.hpp"
#include "vehicles/session/input_watch.hpp"
#include "vehicles/session/run_notes.hpp"

namespace semirec::python {

namespace {

namespace py = pybind11;

/// What a run was and did.
struct Run {
  std::vector<Channel> channels;
  std::vector<double> rows;  ///< one after the other
  RunReport report;
  std::vector<std::string> notes;
};

/// Throws ModelError for numbers that no scenario may have; 0 is the file's.
void expect_in_range(const ScenarioChanges& changes) {
  const auto expect = [](const char* name, double value, double most, const char* what) {
    if (!(value >= 0.0 && value <= most))
      throw ModelError(
          fmt::format("{} is {:g}, expected {}, or 0 for the scenario's", name, value, what));
  };
  constexpr double kMost = std::numeric_limits<double>::max();
  expect("until", changes.until, kMost, "a time above 0 s");
  expect("step", changes.step, 1.0, "a step above 0 and of at most 1 s");
  expect("record", changes.record, kMost, "an interval above 0 s");
  expect("iterations", changes.iterations, 100.0, "1 to 100");
}

/// Takes from a driver, at the end of the block, what it may have kept.
struct EndOfRun {
  Driven& driven;
  ~EndOfRun() { driven.end(); }
};

Run run(const Described& vehicle, const Described& scenario, const ScenarioChanges& changes,
        const std::string& formulation, std::vector<std::unique_ptr<ForceElement>> forces,
        const py::object* driver) {
  expect_in_range(changes);
  DriveDescription read_in = read_drive(vehicle, scenario);
  Scenario& what = read_in.scenario;
  if (changes.step > 0.0) what.step = changes.step;
  if (changes.until > 0.0) what.until = changes.until;
  if (changes.record > 0.0) what.record = changes.record;
  if (changes.iterations > 0) what.iterations = changes.iterations;
  constexpr double kMostSteps = 1e9;
  if (what.until / what.step > kMostSteps)
    throw ModelError(
        fmt::format("until over step is {:g}, expected at most 1e9 steps", what.until / what.step));
  CompileSettings settings;
  const auto chosen = find_formulation(formulation);
  if (!chosen)
    throw ModelError("formulation is '" + formulation + "', expected " + formulation_names());
  settings.formulation = *chosen;
  const std::vector<std::string> names = names_of(forces);
  const Drive drive = make_drive(read_in, settings, std::move(forces));
  if (driver != nullptr && drive.settings.control.tolerance > 0.0)
    throw ModelError(
        "a driver acts once a step, at steps of one length, expected a scenario without an "
        "error tolerance");
  const Recorder recorder(drive.model, drive.recorder);
  expect_own_names(names, drive.model.mechanism, recorder.channels());
  Workspace ws(drive.model);
  Workspace scratch(drive.model);
  Run result;
  result.channels = recorder.channels();
  result.notes = read_in.vehicle.notes;
  result.notes.insert(result.notes.end(), what.road_notes.begin(), what.road_notes.end());
  const auto add_note = [&](std::string line) {
    if (!line.empty()) result.notes.push_back(std::move(line));
  };
  add_note(describe_scheme(drive.model, drive.settings.step));
  // steps of lengths of their own are recorded between their ends
  if (!(drive.settings.control.tolerance > 0.0))
    add_note(describe_uneven_rows(drive.settings.record, drive.settings.step.h));
  StartReport start;
  State state = start_drive(drive, ws, start);
  result.notes.insert(result.notes.end(), start.notes.begin(), start.notes.end());
  std::vector<double> row;
  double last = -1.0;
  const auto driven = std::make_shared<Driven>(drive, recorder, state, scratch);
  const EndOfRun ends{*driven};
  // before each step, so not at the end
  const auto ask_driver = [&] {
    return driver == nullptr || state.t >= what.until || Driven::ask(driven, *driver);
  };
  InputWatch inputs(drive.model);
  RunObserver observer;
  observer.record = [&](const State& now, const Energy&) {
    recorder.record(drive.model, now, scratch, row);
    result.rows.insert(result.rows.end(), row.begin(), row.end());
    const bool first = last < 0.0;
    last = now.t;
    return !first || ask_driver();
  };
  if (!inputs.is_empty())
    observer.see = [&](const State& now, const Energy&) {
      evaluate_state(drive.model, now, scratch);
      inputs.see(scratch, now.t);
    };
  long calls = 0;
  observer.keep_going = [&](double) {
    constexpr long kUntilSignals = 1000;
    if (current_trouble()->happened()) return false;
    if (!ask_driver()) return false;
    if (++calls % kUntilSignals != 0) return true;
    const py::gil_scoped_acquire python;
    return PyErr_CheckSignals() == 0;
  };
  result.report = semirec::run(drive.model, drive.settings, state, ws, observer);
  // the last state has a row, whatever the interval
  if (last < state.t) static_cast<void>(observer.record(state, result.report.end));
  for (std::string& note : find_run_notes(result.report, drive.settings.step))
    result.notes.push_back(std::move(note));
  for (std::string& note : find_end_notes(drive, what.surface.get(), result.report, state, scratch))
    result.notes.push_back(std::move(note));
  for (std::string& note : inputs.notes()) result.notes.push_back(std::move(note));
  return result;
}

py::dict energy_of(const Energy& energy) {
  py::dict parts;
  parts["kinetic"] = energy.kinetic;
  parts["potential"] = energy.potential;
  parts["elastic"] = energy.elastic;
  parts["dissipated"] = energy.dissipated;
  parts["input"] = energy.input;
  parts["scheme"] = energy.scheme;
  return parts;
}

}  // namespace

void bind_run(py::module_& module) {
  bind_driven(module);
  module.def("_run", [](const Described& vehicle, const Described& scenario, double until,
                        double step, double record, int iterations, const std::string& formulation,
                        const py::list& forces, const py::object& driver) {
    Run result;
    auto elements = make_python_forces(forces);
    without_lock([&] {
      result = run(vehicle, scenario, {step, until, record, iterations}, formulation,
                   std::move(elements), driver.is_none() ? nullptr : &driver);
    });
    if (PyErr_Occurred() != nullptr) throw py::error_already_set();
    const std::size_t columns = result.channels.size();
    std::vector<std::string> names, units;
    for (const Channel& channel : result.channels) {
      names.push_back(channel.name);
      units.push_back(channel.unit);
    }
    py::array_t<double> rows({static_cast<py::ssize_t>(result.rows.size() / columns),
                              static_cast<py::ssize_t>(columns)});
    std::copy(result.rows.begin(), result.rows.end(), rows.mutable_data());
    py::dict about;
    const RunReport& report = result.report;
    about["status"] = report.status == RunStatus::finished ? "finished"
                      : report.status == RunStatus::failed ? name_of(report.failure)
                                                           : "stopped";
    about["message"] = report.message;
    about["notes"] = result.notes;
    about["steps"] = report.steps;
    about["iterations"] = report.iterations_mean;
    about["closure"] = report.Phi;
    about["halved"] = report.halved;
    about["energy"] = energy_of(report.end);
    about["energy_error"] = report.energy_error;
    about["balance_broken"] = is_balance_broken(report);
    return py::make_tuple(names, units, rows, about);
  });
}

}  // namespace semirec::python
