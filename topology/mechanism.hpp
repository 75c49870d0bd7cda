#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "topology/curve.hpp"
#include "topology/frame.hpp"
#include "topology/indices.hpp"
#include "topology/joint_type.hpp"

namespace semirec {

/// Where an element of the description was written; empty for a mechanism built in code.
struct Source {
  std::string file;
  int line = 0;
};

/// A description that cannot be simulated. what() is one line, or one for each error of a file:
/// `file:line: element 'name': what is wrong, what was expected` (the place is left out if
/// unknown), as message_text() shows it.
class ModelError : public std::runtime_error {
 public:
  ModelError(const Source& source, const std::string& element, const std::string& message);
  explicit ModelError(const std::string& message);
};

/// A place on a body: frame F in the body's own frame B.
struct Marker {
  BodyIndex body = kGround;
  Frame X_BF;
  std::string name;  ///< empty unless it is to be reported by name
  Source source;
};

/// A rigid body of positive mass. Zero principal inertias (point masses, slender rods) are legal as
/// long as the mass matrix of the whole is positive definite.
struct Body {
  std::string name;
  double mass = 0.0;                              ///< kg
  Eigen::Vector3d com = Eigen::Vector3d::Zero();  ///< centre of mass in B, m
  Eigen::Matrix3d inertia =
      Eigen::Matrix3d::Zero();  ///< about the centre of mass, axes of B, kg m^2
  Frame X_WB;                   ///< pose in the design position
  Source source;
};

/// Whether a joint may be cut when the tree is chosen.
enum class Placement { automatic, tree, cut };

/// In the design position the frames of the two markers need not coincide; with all joint
/// coordinates zero they do.
struct Joint {
  std::string name;
  JointType type = JointType::revolute;
  Marker a, b;
  Placement placement = Placement::automatic;
  std::vector<double>
      position;  ///< initial coordinates (m, rad; triads as rotation vector), empty = 0
  std::vector<double> velocity;  ///< initial rates, empty = 0
  bool held = false;             ///< position assembly keeps the given coordinates
  /// Written: an event may attach and release this joint, which starts so. It is always cut.
  std::optional<bool> attached;
  Source source;
};

/// Where the tree may have the joint: one that events switch is always cut.
inline Placement placement_of(const Joint& joint) {
  return joint.attached ? Placement::cut : joint.placement;
}

/// Closures written as such. Cut joints become closures of their own type.
///   rod             |r_b - r_a| = length: a massless link between two ball joints
///   point_on_line   b stays on the z axis of a
///   point_in_plane  (r_b - r_a) . z_a = offset
enum class ConstraintType { rod, point_on_line, point_in_plane };

struct Constraint {
  std::string name;
  ConstraintType type = ConstraintType::rod;
  Marker a, b;
  double length = 0.0;                 ///< rod: length; point_in_plane: offset, m
  InputIndex length_input = kNoInput;  ///< added to `length` over time
  /// End a may be driven along an axis of its body: a rack without a body of its own.
  Eigen::Vector3d slide_axis = Eigen::Vector3d::Zero();  ///< in B of a
  InputIndex slide_input = kNoInput;                     ///< displacement, m
  std::optional<bool> attached;  ///< written: events may switch it, and it starts so
  Source source;
};

/// A joint coordinate prescribed over time: z = input(t). World position for a free joint.
struct PrescribedMotion {
  std::string name;
  JointIndex joint = 0;
  int coordinate = 0;
  InputIndex input = kNoInput;
  Source source;
};

/// A signal over time: prescribed motions, applied forces, road inputs read it. A caller may
/// overwrite it.
struct Input {
  std::string name;
  Curve curve;
  Source source;
  /// A ratio: factor times this input of a lower index comes on top of the curve.
  InputIndex of = kNoInput;
  double factor = 1.0;
  /// A force element computes it from the motion (ForceElement::compute_inputs()); nobody sets it,
  /// and nothing may follow it over time: a prescribed motion needs its rates.
  bool computed = false;
};

/// Whether nothing but its own curve gives the input its value, so that it can be set.
inline bool is_free(const Input& input) { return input.of == kNoInput && !input.computed; }

/// Spring and damper on a line; forces are positive in tension.
///   between points   s = |r_b - r_a|
///   along an axis    s = u . (r_b - r_a), u fixed in body a; the end on a slides across u with b
/// f(s, sd) = spring_factor spring(s) + damper_factor damper(sd) + applied; a stop is a spring law
/// that is zero over part of its range, an actuator has no laws. The factors are 1 and the applied
/// force 0 where no input gives them.
struct SpringDamper {
  std::string name;
  Marker a, b;
  bool along_axis = false;
  Eigen::Vector3d axis = Eigen::Vector3d::Zero();  ///< unit, in B of a
  Curve spring;                                    ///< m to N
  Curve damper;                                    ///< m/s to N
  InputIndex spring_factor = kNoInput;
  InputIndex damper_factor = kNoInput;
  InputIndex applied = kNoInput;  ///< N
  bool active = true;
  Source source;
};

/// Torque about the z axis that a and b share, on the angle of b against a: spring(angle) +
/// damper(rate) pulls the angle back.
struct RotationalSpringDamper {
  std::string name;
  Marker a, b;
  Curve spring;  ///< rad to N m
  Curve damper;  ///< rad/s to N m
  Source source;
};

/// Six-axis bushing in the axes of marker a, diagonal; the force acts at marker b on both bodies.
struct Bushing {
  std::string name;
  Marker a, b;
  Eigen::Matrix<double, 6, 1> stiffness = Eigen::Matrix<double, 6, 1>::Zero();  ///< N/m, N m/rad
  Eigen::Matrix<double, 6, 1> damping = Eigen::Matrix<double, 6, 1>::Zero();  ///< N s/m, N m s/rad
  /// What a fast motion finds on top of the stiffness and a lasting one does not; N/m, N m/rad.
  Eigen::Matrix<double, 6, 1> relaxing_stiffness = Eigen::Matrix<double, 6, 1>::Zero();
  double relaxation_time =
      0.0;                    ///< s, in which it falls by e; above 0 where there is such stiffness
  template <typename = void>  // decision 0047
  bool relaxes() const {
    return (relaxing_stiffness.array() != 0.0).any();
  }
  /// Whether it turns its bodies back: its law takes their rotation.
  bool turns_back() const;
  Source source;
};

/// Force at a point, or torque on a body, of an input's size along a fixed direction.
struct AppliedLoad {
  std::string name;
  Marker at;
  bool torque = false;
  bool body_axes = false;                    ///< direction turns with the body
  Eigen::Vector3d direction{1.0, 0.0, 0.0};  ///< unit
  InputIndex input = kNoInput;               ///< N or N m
  Source source;
};

/// Force in one joint coordinate: Q = applied(t) - spring(z) - damper(zd), and beyond a limit
/// - stiffness (z - limit) - stop_damping zd.
struct CoordinateForce {
  std::string name;
  JointIndex joint = 0;
  int coordinate = 0;
  Curve spring;
  Curve damper;
  InputIndex applied = kNoInput;
  double lower = -1e300;
  double upper = 1e300;
  double stop_stiffness = 0.0;
  double stop_damping = 0.0;
  Source source;
};

/// Plain description of a mechanism: names and SI numbers, no derived data. World axes z up.
struct Mechanism {
  // compiled once, in mechanism.cpp, not in every source that copies or destroys one
  Mechanism();
  Mechanism(const Mechanism&);
  Mechanism(Mechanism&&) noexcept;
  Mechanism& operator=(const Mechanism&);
  Mechanism& operator=(Mechanism&&) noexcept;
  ~Mechanism();

  std::string name;
  Eigen::Vector3d gravity{0.0, 0.0, -9.81};  ///< m/s^2
  std::vector<Body> bodies;
  std::vector<Joint> joints;
  std::vector<Constraint> constraints;
  std::vector<PrescribedMotion> motions;
  std::vector<Input> inputs;
  std::vector<SpringDamper> springs;
  std::vector<RotationalSpringDamper> rotational_springs;
  std::vector<Bushing> bushings;
  std::vector<AppliedLoad> loads;
  std::vector<CoordinateForce> coordinate_forces;
  std::vector<Marker> markers;  ///< named places to report
};

/// Throws ModelError at the first element that breaks a rule of the description: empty or repeated
/// name, dangling reference, number that is not finite, negative mass, inertia that is not positive
/// semidefinite, axis of no length.
void check(const Mechanism& mechanism);

/// One line for each body that passes check() and is still worth a look: principal moments of
/// inertia that break the triangle inequality, which no distribution of positive mass has. The
/// equations of motion hold for them as for any other.
std::vector<std::string> find_doubtful_bodies(const Mechanism& mechanism);

}  // namespace semirec
