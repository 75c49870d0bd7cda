#include <pybind11/eigen.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "apps/python/bindings/answer_tuple.hpp"
#include "apps/python/bindings/bind.hpp"
#include "apps/python/bindings/trouble.hpp"
#include "vehicles/analysis/kc/kc.hpp"
#include "vehicles/analysis/modes.hpp"
#include "vehicles/files/xml/reader.hpp"
#include "vehicles/manoeuvre/method.hpp"

namespace semirec::python {

namespace {

namespace py = pybind11;

SpeedHold parse_hold(const std::string& hold) {
  if (hold == "force") return SpeedHold::force;
  if (hold == "throttle") return SpeedHold::throttle;
  throw ModelError("hold is '" + hold + "', expected force or throttle");
}

/// What the files ask for and do not get comes before what the answer notes.
void put_first(const std::vector<std::string>& notes, Answer& answer) {
  answer.notes.insert(answer.notes.begin(), notes.begin(), notes.end());
}
void put_first(const DriveDescription& read, Answer& answer) {
  put_first(read.scenario.road_notes, answer);
  put_first(read.vehicle.notes, answer);
}

py::tuple equilibrium(const Described& vehicle, const Described& scenario, double speed,
                      const std::vector<double>& lateral_accelerations, const std::string& hold) {
  Answer answer;
  without_lock([&] {
    const DriveDescription both = read_drive(vehicle, scenario);
    answer =
        analyse_steady_state(both.vehicle, both.scenario,
                             {speed, lateral_accelerations, parse_hold(hold)}, until_interrupted());
    put_first(both, answer);
  });
  return to_python(answer);
}

py::tuple modes(const Described& vehicle, const Described& scenario, double speed,
                double lateral_acceleration, const std::string& hold,
                const std::vector<std::string>& inputs, const std::vector<std::string>& outputs) {
  Answer answer;
  CarModes found;
  without_lock([&] {
    const DriveDescription both = read_drive(vehicle, scenario);
    ModesOptions options;
    options.speed = speed;
    options.lateral_acceleration = lateral_acceleration;
    options.hold = parse_hold(hold);
    options.inputs = inputs;
    options.outputs = outputs;
    SteadyCar car(both.vehicle, both.scenario, options.hold);
    answer = analyse_modes(car, options, until_interrupted(), &found);
    put_first(both, answer);
  });
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

py::tuple kinematics_and_compliance(const Described& vehicle, const std::string& position,
                                    double travel, double steering, double load, int points,
                                    const std::string& unit, const std::string& axle,
                                    const std::vector<std::string>& tests) {
  if (position != "drawn" && position != "rest")
    throw ModelError("position is '" + position + "', expected drawn or rest");
  Answer answer;
  without_lock([&] {
    const Vehicle read = read_vehicle(vehicle);
    KcOptions options;
    options.position = position == "rest" ? KcPosition::rest : KcPosition::drawn;
    options.travel = travel;
    options.steering = steering;
    options.load = load;
    options.points = points;
    options.unit = unit;
    options.axle = axle;
    options.tests = tests;
    answer = find_kinematics_and_compliance(read, options, until_interrupted());
    put_first(read.notes, answer);
  });
  return to_python(answer);
}

py::tuple manoeuvre(const Described& vehicle, const std::string& file,
                    const std::vector<std::string>& changes, bool quick) {
  Answer answer;
  without_lock([&] {
    std::vector<ManoeuvreChange> parsed;
    for (const std::string& text : changes) parsed.push_back(parse_change(text));
    const Manoeuvre asked = read_manoeuvre(file, parsed);
    std::vector<Override> all = asked.scenario.overrides;
    all.insert(all.end(), vehicle.overrides.begin(), vehicle.overrides.end());
    const Vehicle read = read_vehicle(Described{vehicle.path, vehicle.text, all});
    answer = run_manoeuvre(read, asked, {quick}, until_interrupted());
    put_first(asked.scenario.road_notes, answer);
    put_first(asked.notes, answer);
    put_first(read.notes, answer);
  });
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
