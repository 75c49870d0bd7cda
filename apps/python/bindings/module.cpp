// The extension module semirec._core. What users see is documented in semirec/__init__.py.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "apps/python/bindings/bind.hpp"
#include "topology/mechanism.hpp"
#include "vehicles/analysis/answer.hpp"

PYBIND11_MODULE(_core, module) {
  using namespace semirec;
  namespace py = pybind11;
  module.attr("version") = SEMIREC_VERSION;
  py::register_exception<ModelError>(module, "_ModelError", PyExc_ValueError);
  py::register_exception<AnalysisError>(module, "AnalysisError", PyExc_RuntimeError);
  // pybind11 hands it over by value
  // NOLINTNEXTLINE(performance-unnecessary-value-param)
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const Interrupted&) {
      PyErr_SetNone(PyExc_KeyboardInterrupt);
    }
  });
  python::bind_files(module);
  python::bind_functions(module);
  python::bind_car(module);
  python::bind_batch(module);
  python::bind_run(module);
  python::bind_answers(module);
  python::bind_studies(module);
}
