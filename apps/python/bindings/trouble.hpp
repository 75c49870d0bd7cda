#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <string>
#include <vector>

#include <pybind11/pybind11.h>

namespace semirec::python {

/// What a Python function raised that the engine had called. The engine knows no exceptions inside
/// of a step: whoever began it looks here afterwards and raises it.
class Trouble {
 public:
  Trouble() = default;
  /// What has been raised stays with whom it was raised to.
  Trouble(const Trouble& /*other*/) {}
  Trouble& operator=(const Trouble&) = delete;
  ~Trouble();

  /// Takes over what Python raised just now; the first one counts. Needs the lock of Python.
  void keep(pybind11::error_already_set& raised) noexcept;
  bool happened() const noexcept { return happened_.load(std::memory_order_acquire); }
  /// Throws it, if there is any, and forgets it. Needs the lock of Python.
  void raise();

 private:
  std::atomic<bool> happened_{false};
  PyObject* type_ = nullptr;
  PyObject* value_ = nullptr;
  PyObject* trace_ = nullptr;
};

/// To whom functions that this thread calls tell their trouble: to the scope around. Null outside
/// of any.
Trouble* current_trouble() noexcept;

/// From here to the end of the block `trouble` is told. Threads of a call's own begin one with that
/// of the call, which several threads may tell.
class TroubleScope {
 public:
  explicit TroubleScope(Trouble& trouble) noexcept;
  ~TroubleScope();
  TroubleScope(const TroubleScope&) = delete;
  TroubleScope& operator=(const TroubleScope&) = delete;

 private:
  Trouble* before_;
};

/// Tells current_trouble() what Python raised just now; outside of any scope it is written to
/// stderr. Needs the lock of Python.
void tell(pybind11::error_already_set& raised) noexcept;

/// The numbers that a function of `who` answered. Raises a ValueError unless there are `few` or
/// `many` of them, in words `expected`.
std::vector<double> numbers_of(const pybind11::object& answer, const std::string& who,
                               std::size_t few, std::size_t many, const char* expected);

/// Calls a function that asks Python, with its lock. False where that raised, which
/// current_trouble() then has, and at once where something had been raised before.
template <typename Ask>
bool ask_python(const Ask& ask) noexcept {
  const Trouble* trouble = current_trouble();
  if (trouble != nullptr && trouble->happened()) return false;
  const pybind11::gil_scoped_acquire python;
  try {
    ask();
    return true;
  } catch (pybind11::error_already_set& raised) {
    tell(raised);
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_ValueError, error.what());
    pybind11::error_already_set raised;
    tell(raised);
  }
  return false;
}

/// Calls the function without the lock of Python, and raises what Python functions inside of it
/// have raised; that goes before what the engine throws of it.
template <typename Function>
void without_lock(const Function& function) {
  Trouble trouble;
  std::exception_ptr thrown;
  {
    const pybind11::gil_scoped_release others_may_run;
    const TroubleScope scope(trouble);
    try {
      function();
    } catch (...) {
      thrown = std::current_exception();
    }
  }
  trouble.raise();
  if (thrown) std::rethrow_exception(thrown);
}

/// Python functions may be called inside of steps of this process: some were handed over.
void expect_python_functions() noexcept;
bool expects_python_functions() noexcept;

}  // namespace semirec::python
