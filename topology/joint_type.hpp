#pragma once

#include <array>
#include <string>
#include <vector>

namespace semirec {

/// Joint frames are those of the joint's two markers; with all coordinates zero they coincide. z is
/// the main axis, coordinates count side b relative to side a:
///   revolute     turn about z
///   prismatic    slide along z
///   cylindrical  slide along z, turn about z
///   universal    turn about z of a, then about x of b
///   spherical    rotational triad
///   planar       slide along x and y of a, turn about z
///   free         slide along x, y, z of a, rotational triad
///   translational  slide along x, y, z of a, without turning
enum class JointType {
  fixed,
  revolute,
  prismatic,
  cylindrical,
  universal,
  spherical,
  planar,
  free,
  translational
};

inline constexpr std::array kAllJointTypes{
    JointType::fixed,       JointType::revolute,  JointType::prismatic,
    JointType::cylindrical, JointType::universal, JointType::spherical,
    JointType::planar,      JointType::free,      JointType::translational};

/// The motions that joints are made of: a displacement along an axis (m), an angle about an axis
/// (rad), a rotation about three axes (three coordinates without angles, rad).
enum class MotionKind { slide, turn, triad };

/// One motion of a joint. The axis (0 x, 1 y, 2 z) is that of the joint frame as the motions before
/// it leave it; it has no meaning for a triad.
struct JointStep {
  MotionKind kind = MotionKind::turn;
  int axis = 2;
};

/// The motions of a joint in their order from side a to side b.
std::vector<JointStep> steps_of(JointType type);
/// Number of coordinates of a joint (0 to 6).
int degrees_of_freedom(JointType type);
/// What coordinate k of a joint belongs to.
MotionKind kind_of_coordinate(JointType type, int k);
/// Whether coordinate k of a joint is a rotation, rad; otherwise it is a displacement, m.
bool coordinate_turns(JointType type, int k);
/// Words for the coordinates in files, `angle` or `x`; coordinates of a triad have none.
std::vector<std::string> coordinate_names(JointType type);
/// `revolute`, ...
const char* name_of(JointType type);
/// The names of all types in the order of the enum.
std::vector<std::string> joint_type_names();

}  // namespace semirec
