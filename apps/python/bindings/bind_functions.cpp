#include <array>
#include <cmath>
#include <deque>
#include <string>

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "apps/python/bindings/bind.hpp"
#include "apps/python/bindings/trouble.hpp"
#include "vehicles/tyre/foreign_registry.hpp"

namespace semirec::python {

namespace {

namespace py = pybind11;

/// A tyre of the caller's; vehicles point to it, so that it is kept to the end.
struct PythonTyre {
  std::string name;
  py::object function;
};

bool is_finite(const ForeignTyreState& s) {
  return std::isfinite(s.load) && std::isfinite(s.kappa) && std::isfinite(s.tan_alpha) &&
         std::isfinite(s.gamma) && std::isfinite(s.turn_slip) && std::isfinite(s.speed) &&
         std::isfinite(s.friction);
}

int call_tyre(const ForeignTyreState* s, ForeignTyreForces* f, void* user) {
  const auto& tyre = *static_cast<const PythonTyre*>(user);
  const bool answered = ask_python([&] {
    const py::object told = tyre.function(s->load, s->kappa, s->tan_alpha, s->gamma, s->turn_slip,
                                          s->speed, s->friction);
    const std::vector<double> numbers =
        numbers_of(told, "tyre '" + tyre.name + "'", 2, 5, "Fx, Fy, or Fx, Fy, Mx, My, Mz");
    const std::array<double*, 5> places{&f->Fx, &f->Fy, &f->Mx, &f->My, &f->Mz};
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      // what a step that goes astray asks is the step's affair
      if (!std::isfinite(numbers[k]) && is_finite(*s))
        throw py::value_error("tyre '" + tyre.name + "' answers a number that is not finite");
      *places[k] = numbers[k];
    }
  });
  return answered ? 0 : 1;
}

void register_tyre(const std::string& name, const py::object& function) {
  if (function.is_none()) return register_foreign_tyre(name, nullptr, nullptr);
  // never destroyed: vehicles may outlive what Python destroys at its end
  static auto* const kept = new std::deque<PythonTyre>;
  kept->push_back({name, function});
  register_foreign_tyre(name, call_tyre, &kept->back());
  expect_python_functions();
}

}  // namespace

void bind_functions(py::module_& module) { module.def("_register_tyre", register_tyre); }

}  // namespace semirec::python
