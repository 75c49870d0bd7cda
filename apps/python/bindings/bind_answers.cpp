#include <pybind11/eigen.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "apps/python/bindings/bind.hpp"
#include "vehicles/analysis/kc/kc.hpp"
#include "vehicles/analysis/modes.hpp"
#include "vehicles/files/xml/reader.hpp"
#include "vehicles/manoeuvre/method.hpp"

namespace semirec::python {

namespace {

namespace py = pybind11;

/// Asks Python now and then whether Ctrl-C was pressed.
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

/// (title, [(name, value, unit, uncertainty, about)], [(name, columns, units, rows, labels)],
/// notes)
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

SpeedHold parse_hold(const std::string& hold) {
  if (hold == "force") return SpeedHold::force;
  if (hold == "throttle") return SpeedHold::throttle;
  throw ModelError("hold is '" + hold + "', expected force or throttle");
}

py::tuple equilibrium(const std::string& vehicle, const std::string& scenario,
                      const std::vector<std::string>& overrides, double speed,
                      const std::vector<double>& lateral_accelerations, const std::string& hold) {
  Answer answer;
  {
    const py::gil_scoped_release others_may_run;
    const DriveDescription both = read(vehicle, scenario, overrides);
    answer =
        analyse_steady_state(both.vehicle, both.scenario,
                             {speed, lateral_accelerations, parse_hold(hold)}, until_interrupted());
  }
  return to_python(answer);
}

py::tuple modes(const std::string& vehicle, const std::string& scenario,
                const std::vector<std::string>& overrides, double speed,
                double lateral_acceleration, const std::string& hold,
                const std::vector<std::string>& inputs, const std::vector<std::string>& outputs) {
  Answer answer;
  CarModes found;
  {
    const py::gil_scoped_release others_may_run;
    const DriveDescription both = read(vehicle, scenario, overrides);
    ModesOptions options;
    options.speed = speed;
    options.lateral_acceleration = lateral_acceleration;
    options.hold = parse_hold(hold);
    options.inputs = inputs;
    options.outputs = outputs;
    SteadyCar car(both.vehicle, both.scenario, options.hold);
    answer = analyse_modes(car, options, until_interrupted(), &found);
  }
  py::list list;
  for (const Mode& mode : found.modes)
    list.append(py::make_tuple(mode.name, mode.eigen.value, mode.uncertainty));
  const LinearSystem& system = found.system;
  py::dict matrices;
  matrices["A"] = system.A;
  matrices["B"] = system.B;
  matrices["C"] = system.C;
  matrices["D"] = system.D;
  matrices["states"] = names_and_units(system.states).first;
  matrices["inputs"] = names_and_units(system.inputs).first;
  matrices["outputs"] = names_and_units(system.outputs).first;
  return py::make_tuple(to_python(answer), list, matrices);
}

py::tuple kinematics_and_compliance(const std::string& vehicle,
                                    const std::vector<std::string>& overrides,
                                    const std::string& position, double travel, double steering,
                                    double load, int points, const std::string& unit,
                                    const std::string& axle,
                                    const std::vector<std::string>& tests) {
  if (position != "drawn" && position != "rest")
    throw ModelError("position is '" + position + "', expected drawn or rest");
  Answer answer;
  {
    const py::gil_scoped_release others_may_run;
    const DriveDescription both = read(vehicle, "", overrides);
    KcOptions options;
    options.position = position == "rest" ? KcPosition::rest : KcPosition::drawn;
    options.travel = travel;
    options.steering = steering;
    options.load = load;
    options.points = points;
    options.unit = unit;
    options.axle = axle;
    options.tests = tests;
    answer = find_kinematics_and_compliance(both.vehicle, options, until_interrupted());
  }
  return to_python(answer);
}

py::tuple manoeuvre(const std::string& vehicle, const std::string& file,
                    const std::vector<std::string>& overrides,
                    const std::vector<std::string>& changes, bool quick) {
  Answer answer;
  {
    const py::gil_scoped_release others_may_run;
    std::vector<ManoeuvreChange> parsed;
    for (const std::string& text : changes) parsed.push_back(parse_change(text));
    const Manoeuvre asked = read_manoeuvre(file, parsed);
    std::vector<Override> all = asked.scenario.overrides;
    for (const std::string& text : overrides) all.push_back(parse_override(text));
    answer = run_manoeuvre(read_vehicle(vehicle, all), asked, {quick}, until_interrupted());
  }
  return to_python(answer);
}

}  // namespace

void bind_answers(py::module_& module) {
  module.def("_equilibrium", equilibrium);
  module.def("_modes", modes);
  module.def("_kc", kinematics_and_compliance);
  module.def("_manoeuvre", manoeuvre);
}

}  // namespace semirec::python
