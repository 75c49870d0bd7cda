#pragma once

#include <vector>

#include "recursive/forces/evaluate_forces.hpp"

namespace semirec {

/// How the line of a force turns and moves: its derivatives by small displacements (of the body
/// point at O; rotation) of its two bodies, 6 x 6 each.
struct LineTurning {
  Matrix6 by_a = Matrix6::Zero();
  Matrix6 by_b = Matrix6::Zero();
};

/// A line through a point of b whose unit vector turns with body a or b as an axis of it.
LineTurning axis_turning(const Vector6& line, const Eigen::Vector3d& point, bool axis_on_b);
/// The line from point r_a of a to point r_b of b, `length` (m) apart.
LineTurning distance_turning(const Vector6& line, const Eigen::Vector3d& r_a,
                             const Eigen::Vector3d& r_b, double length);

class ForceDerivatives;

/// A force element that tells the derivatives of its wrenches beyond what it adds to the tangent.
/// Exact Newton matrices of formulations with the poses of all bodies take them; an element without
/// them costs such a Newton iterations, not accuracy.
class DerivableForce {
 public:
  virtual ~DerivableForce() = default;
  /// At the motion of `in`; neither allocates nor throws.
  virtual void add_derivatives(const ForceInput& in, ForceDerivatives& out) const = 0;

 protected:
  DerivableForce() = default;
  DerivableForce(const DerivableForce&) = default;
  DerivableForce(DerivableForce&&) = default;
  DerivableForce& operator=(const DerivableForce&) = default;
  DerivableForce& operator=(DerivableForce&&) = default;
};

/// Where force elements write the derivatives of their wrenches, beyond the symmetric part that
/// they add to the tangent: what turns with the bodies, negative slopes, unsymmetric parts. For
/// formulations that have the poses of all bodies as unknowns. An element that writes none keeps
/// the symmetric part alone.
class ForceDerivatives {
 public:
  /// The elements must live as long.
  ForceDerivatives(const TreeModel& model, const ForceElements& elements);

  /// Writes those of all elements at the motion in the workspace. No heap use.
  void compute(const TreeModel& model, const TreeWorkspace& ws);
  /// Whether any element tells its derivatives.
  bool empty() const { return elements_.empty(); }

  /// F is what ws.F has: a wrench about O that the element puts on body b of the connection, less.
  /// Body a has the opposite.
  struct Coupling {
    Matrix6 K_a = Matrix6::Zero();      ///< dF/d(displacement of a)
    Matrix6 K_b = Matrix6::Zero();      ///< dF/d(displacement of b)
    Matrix6 C = Matrix6::Zero();        ///< dF/d(Z_b - Z_a), all of it
    Matrix6 C_known = Matrix6::Zero();  ///< what of C the tangent has
    bool any = false;
  };
  std::vector<Coupling> couplings;  ///< [connection]; K_a and K_b beyond what the tangent has
  std::vector<Matrix6> K;           ///< [body] of loads: dF/d(its displacement)
  std::vector<char> loaded;         ///< [body] whether K has been written
  std::vector<Vector6> F;           ///< [body] of the elements that write derivatives

  /// As ForceSink::add_line_force(), with the line's turning. No heap use, as all
  /// below.
  void add_line_force(const ForceInput& in, int connection, const Vector6& line, double tension,
                      double stiffness, double damping, const LineTurning& turning);
  /// As ForceSink::add_coordinate_force(), in a measured coordinate.
  void add_coordinate_force(const ForceInput& in, int coordinate, double force, double stiffness,
                            double damping);
  /// A coupling of any kind and the wrench on body b.
  void add_coupling(int connection, const Vector6& wrench, const Coupling& coupling);
  /// A wrench on one body, and the derivative of it by the body's own displacement.
  void add_load(TreeIndex body, const Vector6& wrench, const Matrix6& by_displacement);

 private:
  struct Element {
    const ForceElement* element;
    const DerivableForce* derivable;
  };
  void set_zero();

  std::vector<Element> elements_;
  const TreeModel* model_ = nullptr;  ///< of compute()
  const TreeWorkspace* ws_ = nullptr;
};

/// Velocity of the point r for the motion of a body: [I, -tilde(r)].
Eigen::Matrix<double, 3, 6> point_velocity(const Eigen::Vector3d& r);

}  // namespace semirec
