#include "topology/mechanism.hpp"

#include <cmath>
#include <set>
#include <sstream>

#include "topology/message_text.hpp"
#include "topology/place_text.hpp"
#include "topology/principal_axes.hpp"

namespace semirec {

Mechanism::Mechanism() = default;
Mechanism::Mechanism(const Mechanism&) = default;
Mechanism::Mechanism(Mechanism&&) noexcept = default;
Mechanism& Mechanism::operator=(const Mechanism&) = default;
Mechanism& Mechanism::operator=(Mechanism&&) noexcept = default;
Mechanism::~Mechanism() = default;

bool Bushing::turns_back() const {
  return (stiffness.tail<3>().array() != 0.0).any() ||
         (relaxing_stiffness.tail<3>().array() != 0.0).any();
}

namespace {

std::string one_line(const Source& source, const std::string& element, const std::string& message) {
  std::string text = place_text(source);
  if (!element.empty()) text += "element '" + element + "': ";
  return text + message;
}

/// Names are unique over the whole description, so that outputs and messages are.
class Names {
 public:
  void add(const Source& source, const std::string& name, const char* kind) {
    if (name.empty()) throw ModelError(source, kind, "has no name, expected a unique one");
    if (!seen_.insert(name).second)
      throw ModelError(source, name, "this name is used twice, expected a unique one");
  }

 private:
  std::set<std::string> seen_;
};

/// False for numbers that are not finite too.
bool is_unit(const Eigen::Vector3d& axis) { return std::abs(axis.norm() - 1.0) <= 1e-9; }

/// Right-handed and orthonormal.
bool is_rotation(const Eigen::Matrix3d& A) {
  constexpr double kOff = 1e-6;
  return (A.transpose() * A - Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff() <= kOff &&
         A.determinant() > 0.0;
}

void check_body(const Body& body) {
  const auto fail = [&](const std::string& message) {
    throw ModelError(body.source, body.name, message);
  };
  if (!std::isfinite(body.mass) || body.mass <= 0.0)
    fail("mass is " + std::to_string(body.mass) + " kg, expected a positive number");
  if (!body.com.allFinite() || !body.inertia.allFinite() || !body.X_WB.A.allFinite() ||
      !body.X_WB.p.allFinite())
    fail("a number is not finite, expected finite numbers");
  if (!is_rotation(body.X_WB.A)) fail("its axes are no right-handed orthonormal frame");
  const Eigen::Matrix3d& J = body.inertia;
  const double scale = J.cwiseAbs().maxCoeff();
  if ((J - J.transpose()).cwiseAbs().maxCoeff() > 1e-9 * scale)
    fail("inertia is not symmetric, expected Ixy = Iyx");
  if (find_principal_axes(body.inertia).moments[0] < -1e-9 * scale)
    fail("inertia has a negative principal value, expected none below zero");
}

/// Whether a mechanism's parts are what they can be, in the order of its lists. Each function
/// throws ModelError.
class MechanismCheck {
 public:
  explicit MechanismCheck(const Mechanism& mechanism) : mechanism_(mechanism) {}

  void run() {
    if (mechanism_.bodies.empty())
      throw ModelError("mechanism '" + mechanism_.name + "' has no body, expected at least one");
    if (!mechanism_.gravity.allFinite())
      throw ModelError("mechanism '" + mechanism_.name +
                       "': gravity is not finite, expected three numbers");
    check_all(mechanism_.bodies);
    check_all(mechanism_.joints);
    check_all(mechanism_.constraints);
    for (std::size_t k = 0; k < mechanism_.inputs.size(); ++k)
      check(mechanism_.inputs[k], static_cast<int>(k));
    check_all(mechanism_.motions);
    check_all(mechanism_.springs);
    check_all(mechanism_.rotational_springs);
    check_all(mechanism_.bushings);
    check_all(mechanism_.loads);
    check_all(mechanism_.coordinate_forces);
    check_all(mechanism_.markers);
  }

 private:
  template <typename Parts>
  void check_all(const Parts& parts) {
    for (const auto& part : parts) check(part);
  }

  void check(const Body& body) {
    names_.add(body.source, body.name, "body");
    check_body(body);
  }
  void check(const Joint& joint) {
    names_.add(joint.source, joint.name, "joint");
    check_pair(joint);
    if (joint.attached && joint.placement == Placement::tree)
      throw ModelError(joint.source, joint.name,
                       "is attached and released by events and cannot stay in the tree, expected "
                       "no placement=\"tree\"");
    if (joint.attached && joint.type == JointType::free)
      throw ModelError(joint.source, joint.name,
                       "is a free joint, which holds nothing, expected another type of joint to "
                       "attach and release");
    const auto f = static_cast<std::size_t>(degrees_of_freedom(joint.type));
    for (const auto* values : {&joint.position, &joint.velocity}) {
      if (!values->empty() && values->size() != f)
        throw ModelError(joint.source, joint.name,
                         "has " + std::to_string(values->size()) + " initial values, expected " +
                             std::to_string(f) + " for a " + name_of(joint.type) + " joint");
      for (const double value : *values)
        if (!std::isfinite(value))
          throw ModelError(joint.source, joint.name, "an initial value is not finite");
    }
  }
  void check(const Constraint& constraint) {
    names_.add(constraint.source, constraint.name, "constraint");
    check_pair(constraint);
    check_input(constraint.length_input, constraint);
    check_input(constraint.slide_input, constraint);
    need_time(constraint.length_input, constraint);
    need_time(constraint.slide_input, constraint);
    if (constraint.type == ConstraintType::rod &&
        !(std::isfinite(constraint.length) && constraint.length > 0.0))
      throw ModelError(
          constraint.source, constraint.name,
          "length is " + std::to_string(constraint.length) + " m, expected a positive number");
    if (!std::isfinite(constraint.length))
      throw ModelError(constraint.source, constraint.name,
                       "offset is not finite, expected a number");
    if (constraint.slide_input != kNoInput && !is_unit(constraint.slide_axis))
      throw ModelError(constraint.source, constraint.name, "slide axis is not a unit vector");
  }
  void check(const Input& input, int index) {
    names_.add(input.source, input.name, "input");
    check_input(input.of, input);
    if (input.of != kNoInput && mechanism_.inputs[static_cast<std::size_t>(input.of)].computed)
      throw ModelError(input.source, input.name,
                       "follows an input that is computed while the vehicle moves, expected one "
                       "over time");
    if (input.of >= index)
      throw ModelError(input.source, input.name,
                       "follows an input that is not written above it, expected one that is");
    if (!std::isfinite(input.factor))
      throw ModelError(input.source, input.name, "factor is not finite, expected a number");
  }
  void check(const PrescribedMotion& motion) {
    names_.add(motion.source, motion.name, "motion");
    check_coordinate(motion);
    check_input(motion.input, motion);
    const Joint& joint = mechanism_.joints[static_cast<std::size_t>(motion.joint)];
    const bool turns_freely =
        kind_of_coordinate(joint.type, motion.coordinate) == MotionKind::triad;
    if (motion.input == kNoInput)
      throw ModelError(motion.source, motion.name, "reads no input, expected one over time");
    need_time(motion.input, motion);
    if (turns_freely)
      throw ModelError(motion.source, motion.name,
                       "drives a rotation of joint '" + joint.name +
                           "' that has no angle, expected a sliding or turning coordinate");
  }
  void check(const SpringDamper& spring) {
    names_.add(spring.source, spring.name, "spring");
    check_pair(spring);
    if (spring.along_axis && !is_unit(spring.axis))
      throw ModelError(spring.source, spring.name, "axis is not a unit vector");
    for (const InputIndex input : {spring.spring_factor, spring.damper_factor, spring.applied})
      check_input(input, spring);
  }
  void check(const RotationalSpringDamper& spring) {
    names_.add(spring.source, spring.name, "rotational spring");
    check_pair(spring);
  }
  void check(const Bushing& bushing) {
    names_.add(bushing.source, bushing.name, "bushing");
    check_pair(bushing);
    for (const auto& six : {bushing.stiffness, bushing.damping, bushing.relaxing_stiffness})
      if (!six.allFinite() || six.minCoeff() < 0.0)
        throw ModelError(bushing.source, bushing.name,
                         "has a stiffness or damping that is negative or not finite, expected "
                         "numbers of at least zero");
    if (bushing.relaxes() &&
        (!std::isfinite(bushing.relaxation_time) || bushing.relaxation_time <= 0.0))
      throw ModelError(bushing.source, bushing.name,
                       "relaxing stiffness without a relaxation time above zero");
  }
  void check(const AppliedLoad& load) {
    names_.add(load.source, load.name, "load");
    check_marker(load.at, load);
    check_input(load.input, load);
    if (load.input == kNoInput)
      throw ModelError(load.source, load.name, "reads no input, expected one over time");
    if (load.at.body == kGround)
      throw ModelError(load.source, load.name, "acts on the ground, expected a body");
    if (!is_unit(load.direction))
      throw ModelError(load.source, load.name, "direction is not a unit vector");
  }
  void check(const CoordinateForce& force) {
    names_.add(force.source, force.name, "coordinate force");
    check_coordinate(force);
    check_input(force.applied, force);
    if (!(force.lower <= force.upper))
      throw ModelError(force.source, force.name,
                       "lower limit is above the upper one, expected lower <= upper");
    if (!(force.stop_stiffness >= 0.0 && std::isfinite(force.stop_stiffness)) ||
        !(force.stop_damping >= 0.0 && std::isfinite(force.stop_damping)))
      throw ModelError(
          force.source, force.name,
          "stiffness and damping of the stop must be finite numbers, expected at least zero");
  }
  void check(const Marker& marker) {
    names_.add(marker.source, marker.name, "marker");
    check_marker(marker, marker);
  }

  template <typename Owner>
  void check_marker(const Marker& marker, const Owner& owner) const {
    if (marker.body < kGround || marker.body >= static_cast<int>(mechanism_.bodies.size()))
      throw ModelError(owner.source, owner.name, "is attached to a body that does not exist");
    if (!marker.X_BF.p.allFinite() || !marker.X_BF.A.allFinite())
      throw ModelError(owner.source, owner.name, "an attachment is not finite, expected numbers");
    if (!is_rotation(marker.X_BF.A))
      throw ModelError(owner.source, owner.name,
                       "the axes of an attachment are no right-handed orthonormal frame");
  }
  template <typename Element>
  void check_pair(const Element& element) const {
    check_marker(element.a, element);
    check_marker(element.b, element);
    if (element.a.body == element.b.body)
      throw ModelError(element.source, element.name,
                       "connects a body with itself, expected two different bodies");
  }
  template <typename Owner>
  void check_input(InputIndex input, const Owner& owner) const {
    if (input < kNoInput || input >= static_cast<int>(mechanism_.inputs.size()))
      throw ModelError(owner.source, owner.name, "reads an input that does not exist");
  }
  /// What holds a coordinate or a closure needs the rates of its input, too.
  template <typename Owner>
  void need_time(InputIndex input, const Owner& owner) const {
    if (input == kNoInput || !mechanism_.inputs[static_cast<std::size_t>(input)].computed) return;
    throw ModelError(owner.source, owner.name,
                     "is moved by '" + mechanism_.inputs[static_cast<std::size_t>(input)].name +
                         "', which is computed while the vehicle moves, expected an input over "
                         "time, or a force instead");
  }
  template <typename Element>
  void check_coordinate(const Element& element) const {
    if (element.joint < 0 || element.joint >= static_cast<int>(mechanism_.joints.size()))
      throw ModelError(element.source, element.name, "acts on a joint that does not exist");
    const Joint& joint = mechanism_.joints[static_cast<std::size_t>(element.joint)];
    if (element.coordinate < 0 || element.coordinate >= degrees_of_freedom(joint.type))
      throw ModelError(element.source, element.name,
                       "acts on coordinate " + std::to_string(element.coordinate) + " of joint '" +
                           joint.name + "', which has " +
                           std::to_string(degrees_of_freedom(joint.type)));
  }

  const Mechanism& mechanism_;
  Names names_;
};

}  // namespace

ModelError::ModelError(const Source& source, const std::string& element, const std::string& message)
    : std::runtime_error(message_text(one_line(source, element, message))) {}

ModelError::ModelError(const std::string& message) : std::runtime_error(message_text(message)) {}

void check(const Mechanism& mechanism) { MechanismCheck(mechanism).run(); }

std::vector<std::string> find_doubtful_bodies(const Mechanism& mechanism) {
  std::vector<std::string> lines;
  for (const Body& body : mechanism.bodies) {
    const Eigen::Vector3d J = find_principal_axes(body.inertia).moments;
    // 1e-6: benchmark data round a slender rod's zero axial inertia to six digits
    if (!(J[0] + J[1] < J[2] * (1.0 - 1e-6))) continue;
    std::ostringstream text;
    text << "inertia breaks the triangle inequality (" << J[0] << " + " << J[1] << " < " << J[2]
         << " kg m^2), which no body of positive density does; it is taken as written";
    lines.push_back(message_text(one_line(body.source, body.name, text.str())));
  }
  return lines;
}

}  // namespace semirec
