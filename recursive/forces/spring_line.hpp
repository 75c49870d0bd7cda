#pragma once

#include "recursive/forces/force_derivatives.hpp"
#include "recursive/forces/force_input.hpp"

namespace semirec {

/// The line of a spring: between two points, or along an axis of body a.
struct SpringLine {
  Attachment a, b;
  int connection = -1;
  bool along_axis = false;
  Eigen::Vector3d axis{0, 0, 0};  ///< unit, in the compiled frame of a

  SpringLine() = default;
  /// Build time: reserves the entries of the tangent between the two bodies.
  SpringLine(const SpringDamper& spring, TreeModel& model);

  struct Measure {
    Vector6 line;         ///< about O: unit force on b in the direction of growing length
    double length = 0.0;  ///< m
    double rate = 0.0;    ///< m/s, line . (Z_b - Z_a)
  };
  Measure measure(const ForceInput& in) const;
  /// How the line turns with the two bodies where it is `m`.
  LineTurning turning(const ForceInput& in, const Measure& m) const;
};

/// Length of a spring in the design position, m.
double design_length(const Mechanism& mechanism, const SpringDamper& spring);

/// A length, or an angle, at which the spring's law is zero, on the side of `from` to which the
/// force falls off: from where what it stores counts. A law goes on below zero length. `from` where
/// none is found within 100 m or rad, as of a constant force.
double unloaded_length(const Curve& law, double from);

}  // namespace semirec
