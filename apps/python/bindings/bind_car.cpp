#include <cmath>
#include <optional>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "apps/python/bindings/batch.hpp"
#include "apps/python/bindings/bind.hpp"
#include "apps/python/bindings/car.hpp"
#include "apps/python/bindings/python_force.hpp"
#include "apps/python/bindings/trouble.hpp"
#include "vehicles/session/input_unit.hpp"

namespace semirec::python {

namespace {

namespace py = pybind11;
using Array = py::array_t<double>;

/// Memory of `owner`, which lives as long as the array.
Array view(double* begin, std::vector<py::ssize_t> shape, py::handle owner) {
  return Array(std::move(shape), begin, owner);
}

void expect_steps(int steps) {
  if (steps < 0)
    throw py::value_error("steps is " + std::to_string(steps) + ", expected 0 or more");
}

/// Raises semirec.StepError of a step that has failed.
[[noreturn]] void raise_step_error(const std::string& what, double time) {
  const py::object type = py::module_::import("semirec._errors").attr("StepError");
  const py::object error = type(what, time);
  PyErr_SetObject(type.ptr(), error.ptr());
  throw py::error_already_set();
}

/// Throws where another thread, or a function that is called inside of a step, is at work with the
/// car or batch; created and ended under the lock of Python.
class AtWork {
 public:
  explicit AtWork(Car& car) : AtWork(car.at_work(), "car") {}
  explicit AtWork(Batch& batch) : AtWork(batch.at_work(), "batch") {}
  ~AtWork() { at_work_ = false; }
  AtWork(const AtWork&) = delete;
  AtWork& operator=(const AtWork&) = delete;

 private:
  AtWork(bool& at_work, const std::string& what) : at_work_(at_work) {
    if (at_work_)
      throw std::runtime_error("the " + what +
                               " is stepped by another thread or is in a step, "
                               "expected one at a time");
    at_work_ = true;
  }

  bool& at_work_;
};

/// Lets others be at work with the car meanwhile: handlers of signals.
class Rest {
 public:
  explicit Rest(Car& car) : at_work_(car.at_work()) { at_work_ = false; }
  ~Rest() { at_work_ = true; }
  Rest(const Rest&) = delete;
  Rest& operator=(const Rest&) = delete;

 private:
  bool& at_work_;
};

int check_signals(Car& car) {
  const Rest rest(car);
  return PyErr_CheckSignals();
}

void advance(Car& car, int steps, bool read) {
  constexpr int kUntilSignals = 1000;
  expect_steps(steps);
  const AtWork at_work(car);
  const bool takes_steps = steps > 0;
  // what ends the steps before their number leaves the outputs of the state that was reached
  const auto read_what_there_is = [&] {
    if (read) car.read_outputs_quietly();
  };
  do {
    const int now = std::min(steps, kUntilSignals);
    StepStatus status = StepStatus::converged;
    {
      const py::gil_scoped_release others_may_run;
      status = car.advance(now);
    }
    if (car.trouble().happened()) read_what_there_is();
    car.trouble().raise();
    if (car.bad_input() >= 0) {
      const Input& input = car.session().inputs()[static_cast<std::size_t>(car.bad_input())];
      if (input.computed)
        throw py::value_error("input '" + input.name +
                              "' is computed by an equation of the vehicle, expected NaN there");
      throw py::value_error("input '" + input.name +
                            "' is infinite, or changes too fast for a number, "
                            "expected a number, or NaN for its own curve");
    }
    if (status != StepStatus::converged) {
      read_what_there_is();
      raise_step_error(std::string("the step failed: ") + name_of(status), car.session().time());
    }
    steps -= now;
    if (check_signals(car) != 0) {
      const py::error_already_set pressed;
      read_what_there_is();
      throw py::error_already_set(pressed);
    }
  } while (steps > 0);
  if (!read) return;
  if (!(takes_steps ? car.read_outputs_after_step() : car.read_outputs()))
    car.read_outputs_quietly();
  car.trouble().raise();
}

/// (iterations, correction, closure error, settled)
py::tuple report(const Car& car) {
  const StepReport last = car.report();
  return py::make_tuple(last.iterations, last.correction, last.Phi, last.has_settled());
}

void restore(Car& car, const py::bytes& bytes) {
  const AtWork at_work(car);
  const auto text = static_cast<std::string_view>(bytes);
  const RestoreStatus status =
      car.restore(reinterpret_cast<const std::byte*>(text.data()), text.size());
  const char* why = nullptr;
  switch (status) {
    case RestoreStatus::restored:
      return car.trouble().raise();
    case RestoreStatus::wrong_size:
      why = "its size is wrong: cut short, or of another model";
      break;
    case RestoreStatus::not_a_state:
      why = "it is no saved state of this version";
      break;
    case RestoreStatus::other_model:
      why = "it is of another vehicle, scenario or setting, or of another instruction set";
      break;
    case RestoreStatus::corrupt:
      why = "it is damaged";
      break;
  }
  throw py::value_error(std::string("the state is not restored: ") + why);
}

std::vector<std::string> output_list(const Car& car, bool units) {
  std::vector<std::string> list;
  for (const std::size_t k : car.chosen())
    list.push_back(units ? car.session().outputs()[k].unit : car.session().outputs()[k].name);
  return list;
}

std::vector<std::string> input_list(const Car& car, bool units) {
  std::vector<std::string> list;
  for (std::size_t k = 0; k < car.session().inputs().size(); ++k)
    list.push_back(units ? find_input_unit(car.session(), static_cast<int>(k))
                         : car.session().inputs()[k].name);
  return list;
}

/// What Python functions raised in the cars: the first of it, the rest is forgotten.
void raise_first_trouble(Batch& batch) {
  std::exception_ptr first;
  for (int k = 0; k < batch.size(); ++k) {
    try {
      batch.car(k).trouble().raise();
    } catch (...) {
      if (!first) first = std::current_exception();
    }
  }
  if (first) std::rethrow_exception(first);
}

/// Throws for rows of inputs with a number that a car does not take, before a step is taken.
void check_inputs(Batch& batch, int car, const double* inputs, std::size_t rows) {
  const std::vector<Input>& known = batch.car(car).session().inputs();
  const double step = batch.car(car).session().settings().h;
  const auto of_car = [&] { return batch.size() > 1 ? " of car " + std::to_string(car) : ""; };
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t k = 0; k < known.size(); ++k) {
      const double value = inputs[row * known.size() + k];
      if (known[k].computed && !std::isnan(value))
        throw py::value_error("the input '" + known[k].name + "'" + of_car() +
                              " is computed by the vehicle's equations, expected nan");
      // with room for the one before it, from which its rate over a step is counted
      if (!std::isnan(value) && std::isinf(2.0 * value / step))
        throw py::value_error("input '" + known[k].name + "'" + of_car() +
                              " is infinite, or changes too fast for a number, expected a number, "
                              "or NaN for its own curve");
    }
}

/// Takes steps of a batch without the lock of Python until they are done, or until Ctrl-C ends
/// them: that is raised, and what Python functions have raised is forgotten.
template <typename Steps>
void step_until_pressed(Batch& batch, const Steps& steps) {
  const AtWork at_work(batch);
  std::optional<py::error_already_set> pressed;
  {
    const py::gil_scoped_release others_may_run;
    steps([&] {
      const py::gil_scoped_acquire lock;
      if (PyErr_CheckSignals() != 0) pressed.emplace();
      return !pressed;
    });
  }
  if (!pressed) return raise_first_trouble(batch);
  try {
    raise_first_trouble(batch);
  } catch (...) {
    // Ctrl-C comes first
  }
  throw py::error_already_set(*pressed);
}

Array rollout(Batch& batch,
              const py::array_t<double, py::array::c_style | py::array::forcecast>& controls,
              int every) {
  if (every < 1)
    throw py::value_error("every is " + std::to_string(every) + ", expected 1 or more");
  const bool own = controls.ndim() == 3;
  if (controls.ndim() != 2 && !own)
    throw py::value_error("controls has " + std::to_string(controls.ndim()) +
                          " dimensions, expected (rows, inputs) or (cars, rows, inputs)");
  if (controls.shape(controls.ndim() - 1) != batch.input_count() ||
      (own && controls.shape(0) != batch.size()))
    throw py::value_error("controls has a shape of other numbers, expected (rows, " +
                          std::to_string(batch.input_count()) + ") or (" +
                          std::to_string(batch.size()) + ", rows, " +
                          std::to_string(batch.input_count()) + ")");
  const auto rows = static_cast<int>(controls.shape(controls.ndim() - 2));
  Array outputs({static_cast<py::ssize_t>(batch.size()), static_cast<py::ssize_t>(rows),
                 static_cast<py::ssize_t>(batch.output_count())});
  const double* in = controls.data();
  double* out = outputs.mutable_data();
  const std::size_t numbers =
      static_cast<std::size_t>(rows) * static_cast<std::size_t>(batch.input_count());
  for (int car = 0; car < batch.size(); ++car)
    check_inputs(batch, car, in + (own ? numbers * static_cast<std::size_t>(car) : 0),
                 static_cast<std::size_t>(rows));
  step_until_pressed(batch, [&](const Batch::GoesOn& goes_on) {
    batch.rollout(in, rows, own, every, out, goes_on);
  });
  return outputs;
}

void expect_car(const Batch& batch, int car) {
  if (car < 0 || car >= batch.size())
    throw py::index_error("there is no car " + std::to_string(car) + ", expected 0 to " +
                          std::to_string(batch.size() - 1));
}

}  // namespace

void bind_car(py::module_& module) {
  py::class_<Car>(module, "_Car")
      .def(py::init([](const Described& vehicle, const Described& scenario, double step,
                       int iterations, const std::vector<std::string>& outputs,
                       const py::list& forces) {
        auto elements = make_python_forces(forces);
        const std::vector<std::string> names = names_of(elements);
        std::unique_ptr<Car> car;
        without_lock([&] {
          const DriveDescription description = read_drive(vehicle, scenario);
          SessionSettings settings;
          settings.step = step == 0.0 ? description.scenario.step : step;
          settings.iterations = iterations;
          car = std::make_unique<Car>(description, settings, outputs, std::move(elements));
          expect_own_names(names, car->session().drive().model.mechanism, car->session().outputs());
        });
        car->trouble().raise();
        return car;
      }))
      .def(py::init([](Car& other) {
        const AtWork at_work(other);
        return std::make_unique<Car>(other);
      }))
      .def("step", advance)
      .def("save",
           [](Car& car) {
             const AtWork at_work(car);
             const std::vector<std::byte> bytes = car.save();
             return py::bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size());
           })
      .def("restore", restore)
      .def_property_readonly("inputs",
                             [](const py::object& self) {
                               Car& car = self.cast<Car&>();
                               return view(
                                   car.inputs(),
                                   {static_cast<py::ssize_t>(car.session().inputs().size())}, self);
                             })
      .def_property_readonly("outputs",
                             [](const py::object& self) {
                               Car& car = self.cast<Car&>();
                               return view(car.outputs(),
                                           {static_cast<py::ssize_t>(car.chosen().size())}, self);
                             })
      .def_property_readonly("time", [](const Car& car) { return car.session().time(); })
      .def_property_readonly("step_size", [](const Car& car) { return car.session().settings().h; })
      .def_property_readonly("report", report)
      .def_property_readonly("unsettled_steps",
                             [](const Car& car) { return car.session().unsettled_steps(); })
      .def("_input_list", input_list)
      .def("_output_list", output_list)
      .def_property_readonly("notes", [](const Car& car) { return car.session().notes(); });
}

void bind_batch(py::module_& module) {
  py::class_<Batch>(module, "_Batch")
      .def(py::init([](const std::vector<Car*>& cars, int threads, bool side_by_side) {
        for (Car* car : cars) const AtWork is_free(*car);  // throws where it is not
        return std::make_unique<Batch>(std::vector<const Car*>(cars.begin(), cars.end()), threads,
                                       side_by_side);
      }))
      .def("__len__", &Batch::size)
      .def("step",
           [](Batch& batch, int steps) {
             expect_steps(steps);
             for (int car = 0; car < batch.size(); ++car)
               check_inputs(batch, car, batch.inputs() + car * batch.input_count(), 1);
             step_until_pressed(batch,
                                [&](const Batch::GoesOn& goes_on) { batch.step(steps, goes_on); });
           })
      .def("rollout", rollout)
      .def("reset",
           [](Batch& batch, const std::vector<int>& cars) {
             for (const int car : cars) expect_car(batch, car);
             const AtWork at_work(batch);
             for (const int car : cars) batch.reset(car);
             raise_first_trouble(batch);
           })
      .def_property_readonly(
          "inputs",
          [](const py::object& self) {
            auto& batch = self.cast<Batch&>();
            return view(batch.inputs(), {batch.size(), batch.input_count()}, self);
          })
      .def_property_readonly(
          "outputs",
          [](const py::object& self) {
            auto& batch = self.cast<Batch&>();
            return view(batch.outputs(), {batch.size(), batch.output_count()}, self);
          })
      .def_property_readonly("times",
                             [](Batch& batch) {
                               Array times(batch.size());
                               for (int k = 0; k < batch.size(); ++k)
                                 times.mutable_at(k) = batch.car(k).session().time();
                               return times;
                             })
      .def_property_readonly("settled",
                             [](Batch& batch) {
                               py::array_t<bool> settled(batch.size());
                               for (int k = 0; k < batch.size(); ++k)
                                 settled.mutable_at(k) =
                                     batch.status()[static_cast<std::size_t>(k)] ==
                                         StepStatus::converged &&
                                     batch.car(k).report().has_settled();
                               return settled;
                             })
      .def_property_readonly("unsettled_steps",
                             [](Batch& batch) {
                               py::array_t<std::int64_t> steps(batch.size());
                               for (int k = 0; k < batch.size(); ++k)
                                 steps.mutable_at(k) = static_cast<std::int64_t>(
                                     batch.car(k).session().unsettled_steps());
                               return steps;
                             })
      .def_property_readonly("status", [](const Batch& batch) {
        std::vector<std::string> words;
        for (const StepStatus status : batch.status())
          words.emplace_back(status == StepStatus::converged ? "" : name_of(status));
        return words;
      });
}

}  // namespace semirec::python
