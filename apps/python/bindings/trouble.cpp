#include "apps/python/bindings/trouble.hpp"

#include <utility>

#include <pybind11/stl.h>

namespace semirec::python {

namespace {

namespace py = pybind11;

thread_local Trouble* told = nullptr;
std::atomic<bool> functions_expected{false};

}  // namespace

Trouble::~Trouble() {
  if (!happened() || Py_IsInitialized() == 0) return;
  const py::gil_scoped_acquire python;
  Py_XDECREF(type_);
  Py_XDECREF(value_);
  Py_XDECREF(trace_);
}

void Trouble::keep(py::error_already_set& raised) noexcept {
  raised.restore();
  if (happened()) {
    PyErr_Clear();
    return;
  }
  PyErr_Fetch(&type_, &value_, &trace_);
  happened_.store(true, std::memory_order_release);
}

void Trouble::raise() {
  if (!happened()) return;
  PyErr_Restore(std::exchange(type_, nullptr), std::exchange(value_, nullptr),
                std::exchange(trace_, nullptr));
  happened_.store(false, std::memory_order_release);
  throw py::error_already_set();
}

std::vector<double> numbers_of(const py::object& answer, const std::string& who, std::size_t few,
                               std::size_t many, const char* expected) {
  std::vector<double> numbers;
  try {
    numbers = answer.cast<std::vector<double>>();
  } catch (const py::cast_error&) {
    throw py::value_error(who + " answers what is no row of numbers, expected " + expected);
  }
  if (numbers.size() != few && numbers.size() != many)
    throw py::value_error(who + " answers " + std::to_string(numbers.size()) +
                          " numbers, expected " + expected);
  return numbers;
}

Trouble* current_trouble() noexcept { return told; }

TroubleScope::TroubleScope(Trouble& trouble) noexcept : before_(told) { told = &trouble; }
TroubleScope::~TroubleScope() { told = before_; }

void tell(py::error_already_set& raised) noexcept {
  if (told != nullptr)
    told->keep(raised);
  else
    raised.discard_as_unraisable("semirec");
}

void expect_python_functions() noexcept { functions_expected = true; }
bool expects_python_functions() noexcept { return functions_expected; }

}  // namespace semirec::python
