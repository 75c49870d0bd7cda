#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "integrator/model.hpp"
#include "integrator/state.hpp"
#include "integrator/workspace.hpp"
#include "topology/mechanism.hpp"

namespace semirec::test {

/// Numbers that are the same with every compiler and library (those of <random>'s distributions are
/// not).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15ULL + 0x1234567ULL) {}
  /// Uniform in [low, high).
  double number(double low, double high);
  /// Uniform in 0 .. n - 1.
  int index(int n);
  /// Entries uniform in [-size, size).
  Eigen::Vector3d vector(double size);
  Eigen::VectorXd values(Eigen::Index n, double size);
  Eigen::Vector3d unit();
  Eigen::Matrix3d rotation();
  /// Any rotation, origin within `size`.
  Frame frame(double size);
  /// A positive definite inertia that some body has, kg m^2.
  Eigen::Matrix3d inertia(double scale);

 private:
  std::uint64_t next();
  std::uint64_t state_;
};

/// All joint types.
const std::vector<JointType>& joint_types();

/// A body of about 1 kg and 1 m.
Body make_random_body(Random& random, const std::string& name);

/// A joint of random frames that carries `child` on `parent`; reversed: written from child to
/// parent.
Joint make_random_joint(Random& random, JointType type, BodyIndex parent, BodyIndex child,
                        bool reversed, const std::string& name);

/// A tree of 16 bodies with every joint type forward and reversed; the free ones on the ground.
Mechanism make_tree_of_all_joints(std::uint64_t seed);

/// Random positions of about 1 rad and 1 m (triads with random reference rotations, increments
/// zero) and random rates of about 1 rad/s and 1 m/s; loops are not closed.
State make_random_state(const Model& model, std::uint64_t seed);

/// A flying base with two closed spatial loops that share links, and every force element of the
/// engine.
///   base -spherical- l1 -revolute- l2 -universal- l3 -spherical- base
///   l1 -revolute- l4 -spherical- l5 -universal- l3
///   base -revolute- wheel, base -cylindrical- piston
/// A rod ties l4 to the base; the piston's slide is driven with a soft start. In the design
/// position all joint frames coincide and the whole moves like one rigid body, so that the same
/// motion starts from zero coordinates whatever joints are cut. The free joint is `flight`, from
/// the ground to the base.
Mechanism make_loop_mechanism(std::uint64_t seed);

/// The same mechanism in a world that was turned and shifted by X: bodies, attachments to the
/// ground, gravity and loads in world axes; the start by the coordinates of the joints of type
/// free.
Mechanism move_world(const Mechanism& mechanism, const Frame& X);

/// World poses of the bodies of the description, by BodyIndex, at a state.
std::vector<Frame> find_body_poses(const Model& model, const State& state, Workspace& ws);

/// The body of that name. Throws std::out_of_range.
BodyIndex find_body(const Mechanism& mechanism, const std::string& name);
/// The joint of that name. Throws std::out_of_range.
JointIndex find_joint(const Mechanism& mechanism, const std::string& name);

}  // namespace semirec::test
