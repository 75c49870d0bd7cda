#include "apps/python/bindings/python_force.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include "apps/python/bindings/trouble.hpp"
#include "topology/ascii.hpp"
#include "topology/centre_marker.hpp"
#include "topology/fingerprint.hpp"
#include "topology/nearest.hpp"

namespace semirec::python {

namespace py = pybind11;

PythonForce::PythonForce(const py::object& force)
    : ForceElement(force.attr("name").cast<std::string>(), {}),
      force_(new py::object(force),
             [](py::object* held) {
               if (Py_IsInitialized() == 0) return;
               const py::gil_scoped_acquire python;
               delete held;
             }),
      body_(force.attr("body").cast<std::string>()) {
  const py::object point = force.attr("point");
  if (!point.is_none()) {
    const auto numbers = point.cast<std::vector<double>>();
    if (numbers.size() != 3)
      throw ModelError({}, name(), "has a point of other than 3 numbers, expected x, y, z");
    point_ = Eigen::Vector3d(numbers[0], numbers[1], numbers[2]);
    if (!point_.allFinite())
      throw ModelError({}, name(), "has a point that is not finite, expected 3 numbers, m");
  }
}

void PythonForce::bind(const Mechanism& mechanism, TreeModel& model) {
  std::vector<std::string> known;
  Marker marker;
  for (std::size_t k = 0; k < mechanism.bodies.size(); ++k) {
    known.push_back(mechanism.bodies[k].name);
    if (known.back() != body_) continue;
    marker = centre_marker(mechanism, static_cast<BodyIndex>(k));
    marker.X_BF.p += marker.X_BF.A * point_;
  }
  if (marker.body == kGround)
    throw ModelError(
        {}, name(),
        "acts on a body '" + body_ + "' that there is not" + nearest_hint(body_, known));
  at_ = model.attach(marker);
}

Vector6 PythonForce::ask(const ForceInput& in) const {
  Vector6 answer = Vector6::Constant(std::numeric_limits<double>::quiet_NaN());
  const Eigen::Vector3d r = in.position_of(at_);
  const Vector6& Z = in.velocity_of(at_.body);
  const Eigen::Vector3d position = in.origin() + r;
  const Eigen::Matrix3d rotation = in.axes_of(at_);
  const Eigen::Vector3d velocity = velocity_at(Z, r);
  const Eigen::Vector3d turning = Z.tail<3>();
  ask_python([&] {
    const py::object told = force_->attr("force")(in.time(), position, rotation, velocity, turning);
    const std::vector<double> numbers =
        numbers_of(told, "force '" + name() + "'", 3, 6, "3 of a force, or 6 with the moment");
    for (const double number : numbers)
      if (!std::isfinite(number))
        throw py::value_error("force '" + name() + "' answers a number that is not finite");
    answer.setZero();
    for (std::size_t k = 0; k < numbers.size(); ++k) answer[static_cast<int>(k)] = numbers[k];
  });
  return answer;
}

Vector6 PythonForce::about_origin(const ForceInput& in, const Vector6& at_point) const {
  const Eigen::Vector3d force = at_point.head<3>();
  return make_six(force, at_point.tail<3>() + in.position_of(at_).cross(force));
}

void PythonForce::add_forces(const ForceInput& in, ForceSink& out) const {
  out.add_wrench(at_.body, about_origin(in, ask(in)));
}

ForcePower PythonForce::report(const ForceInput& in, double* values) const {
  const Vector6 answer = ask(in);
  if (values != nullptr)
    for (int k = 0; k < 6; ++k) values[k] = answer[k];
  return {0.0, 0.0, about_origin(in, answer).dot(in.velocity_of(at_.body))};
}

std::vector<Channel> PythonForce::channels() const {
  std::vector<Channel> channels;
  for (const char* axis : {"Fx", "Fy", "Fz"}) channels.push_back({name() + "." + axis, "N"});
  for (const char* axis : {"Mx", "My", "Mz"}) channels.push_back({name() + "." + axis, "N m"});
  return channels;
}

bool PythonForce::add_reported_bodies(std::vector<TreeIndex>& bodies) const {
  bodies.push_back(at_.body);
  return true;
}

void PythonForce::put_into(Fingerprint& fingerprint) const { fingerprint(body_, point_); }

namespace {

/// The rule for names in files.
bool is_name(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return ascii::is_letter_or_digit(c) || c == '_' || c == '-' || c == '.';
  });
}

}  // namespace

std::vector<std::unique_ptr<ForceElement>> make_python_forces(const py::list& forces) {
  std::vector<std::unique_ptr<ForceElement>> elements;
  std::set<std::string> names;
  for (const py::handle& force : forces) {
    auto element = std::make_unique<PythonForce>(py::reinterpret_borrow<py::object>(force));
    const std::string& name = element->name();
    if (!is_name(name))
      throw ModelError("the name of a force is '" + name +
                       "', expected letters, digits, underscores, hyphens and points only");
    if (!names.insert(name).second)
      throw ModelError("two forces have the name '" + name + "', expected a name for each");
    elements.push_back(std::move(element));
    expect_python_functions();
  }
  return elements;
}

std::vector<std::string> names_of(const std::vector<std::unique_ptr<ForceElement>>& elements) {
  std::vector<std::string> names;
  for (const auto& element : elements) names.push_back(element->name());
  return names;
}

void expect_own_names(const std::vector<std::string>& forces, const Mechanism& mechanism,
                      const std::vector<Channel>& outputs) {
  constexpr std::ptrdiff_t kOwn = 6;
  for (const std::string& force : forces) {
    const bool is_body = std::any_of(mechanism.bodies.begin(), mechanism.bodies.end(),
                                     [&](const Body& body) { return body.name == force; });
    const auto begin_so = std::count_if(outputs.begin(), outputs.end(), [&](const Channel& output) {
      return output.name.size() > force.size() + 1 && output.name.starts_with(force) &&
             output.name.find_last_of('.') == force.size();
    });
    if (is_body || begin_so > kOwn || force == "ground")
      throw ModelError({}, force,
                       "is a force with the name of another part of the vehicle, expected one of "
                       "its own");
  }
}

}  // namespace semirec::python
