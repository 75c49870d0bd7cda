#pragma once

#include <vector>

#include <Eigen/Core>
#include <Eigen/Geometry>

#include "natural_coords/closure.hpp"
#include "topology/curve.hpp"

namespace semirec {

/// A rotation as a unit quaternion, without alignment demands.
using Quaternion = Eigen::Quaternion<double, Eigen::DontAlign>;

/// An input that is given from outside instead of by its curve (Session::set_input()).
struct LiveInput {
  bool given = false;
  CurveValue value;  ///< at the end of the coming step
};

/// All that a simulation must keep to go on: copy it to restart, bit for bit.
struct State {
  double t = 0.0;              ///< s
  Eigen::VectorXd z, zd, zdd;  ///< n  relative coordinates and rates; m, rad, s
  /// n  change of zdd over the last step, a second; and the same of the coordinates that go on with
  /// it, zero for those whose jerk has changed. Steps to convergence alone keep them.
  Eigen::VectorXd jerk, trend;
  std::vector<Quaternion> A0;       ///< [triad] reference rotation; its z is zero between steps
  Eigen::Vector3d origin{0, 0, 0};  ///< reference point O in the world, m; slides of a free joint
                                    ///< on the ground count from here
  Eigen::VectorXd lambda;           ///< m  multiplier estimate lambda* carried from step to step
  Eigen::VectorXd multipliers;      ///< m  second-order multipliers for output; N or N m
  Eigen::VectorXd masses;           ///< m  effective masses that scale the penalty, frozen
  Eigen::VectorXd x, xd;            ///< first-order states of force elements and their rates
  std::vector<ClosureSwitch> switches;  ///< [switch] closures that events attach and release
  std::vector<LiveInput> live;          ///< [input]; empty: all follow their curves
  std::vector<int> independent;         ///< topological formulation: its coordinates, ascending
  /// Global formulation (z are its natural coordinates): the relative coordinates of the joints, so
  /// that angles beyond half a turn keep their count.
  Eigen::VectorXd angles;
  /// What a scheme keeps of earlier steps beyond zd and zdd, in the formulation's coordinates
  /// (SchemeHistory); empty where it keeps nothing.
  Eigen::VectorXd history;
  double jerk_step = 0.0;     ///< step that left jerk and trend, s; 0: they are void
  double history_step = 0.0;  ///< step that left the history, s; 0: it is void
  /// Multipliers as unknowns: the values of the matrix for which its pivots were chosen, so that
  /// every workspace goes on with the same ones; zeros or empty before the first step.
  Eigen::VectorXd pivots;
};

}  // namespace semirec
