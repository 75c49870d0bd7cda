#pragma once

#include <memory>
#include <string>
#include <vector>

#include <pybind11/pybind11.h>

#include "recursive/forces/force_element.hpp"

namespace semirec::python {

/// A force and a moment on a body that a Python object works out: an object of semirec.Force, with
/// `name`, `body`, `point` (from the centre of mass, or None: there) and
///   force(time, position, rotation, velocity, angular_velocity) -> 3 numbers, or 6.
/// Nothing enters the tangent: the iteration takes the force as it finds it. What the function
/// raises goes to current_trouble(), and the force is then not a number, which ends the step.
/// Channels `<name>.{Fx,Fy,Fz}` (N), `.{Mx,My,Mz}` (N m), world axes.
class PythonForce final : public ForceElement {
 public:
  /// Needs the lock of Python, as all that follows but the members of ForceElement.
  explicit PythonForce(const pybind11::object& force);
  void bind(const Mechanism& mechanism, TreeModel& model) override;
  void add_forces(const ForceInput& in, ForceSink& out) const override;
  ForcePower report(const ForceInput& in, double* values) const override;
  std::vector<Channel> channels() const override;
  bool add_reported_bodies(std::vector<TreeIndex>& bodies) const override;
  void put_into(Fingerprint& fingerprint) const override;

 private:
  /// [force; moment about the point]
  Vector6 ask(const ForceInput& in) const;
  Vector6 about_origin(const ForceInput& in, const Vector6& at_point) const;

  std::shared_ptr<pybind11::object> force_;  ///< given back with the lock
  std::string body_;
  Eigen::Vector3d point_ = Eigen::Vector3d::Zero();  ///< from the centre of mass, body's axes, m
  Attachment at_;
};

/// Those of a list. Throws ModelError for a name that no file would have, and for one that two
/// have.
std::vector<std::unique_ptr<ForceElement>> make_python_forces(const pybind11::list& forces);

/// `outputs`: all those of a vehicle with these forces. Throws ModelError for a force that has the
/// name of a body, or of something else that has outputs.
void expect_own_names(const std::vector<std::string>& forces, const Mechanism& mechanism,
                      const std::vector<Channel>& outputs);
/// What the elements are called.
std::vector<std::string> names_of(const std::vector<std::unique_ptr<ForceElement>>& elements);

}  // namespace semirec::python
