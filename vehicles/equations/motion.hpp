#pragma once

#include <string>
#include <vector>

#include "recursive/forces/force_input.hpp"
#include "recursive/forces/spring_line.hpp"
#include "vehicles/parts/sensor.hpp"

namespace semirec {

/// A position or a velocity that equations read at the motion at hand.
struct Motion {
  enum class Kind {
    position,      ///< of a point along a world axis, m
    velocity,      ///< the same, m/s
    own_velocity,  ///< of a point along an axis of its frame, m/s
    turning_rate,  ///< about an axis of the frame, rad/s
    roll,          ///< of the frame, R = Rz(yaw) Ry(pitch) Rx(roll), rad
    pitch,
    yaw,
    coordinate,       ///< of a joint, m or rad
    coordinate_rate,  ///< m/s or rad/s
    length,           ///< of a spring, m
    length_rate       ///< m/s
  };
  Kind kind = Kind::position;
  Attachment at;  ///< of a point, with the frame's axes
  int axis = 0;
  int coordinate = 0;  ///< of TreeModel::use_coordinate()
  SpringLine line;     ///< of a spring
  /// Unless zero: the axis of `own_velocity` or `turning_rate`, in the world.
  Eigen::Vector3d fixed{0, 0, 0};
  std::string unit;

  double evaluate(const ForceInput& in) const;
  /// Whether its rate is line . (Z_b - Z_a) of a connection (a position), or it is that itself (a
  /// velocity). Angles of a frame and what stands in joint coordinates have no line.
  bool has_line() const;
  bool is_velocity() const;
  Vector6 line_of(const ForceInput& in) const;
  /// Whether it is one of the joint coordinate.
  bool acts_in_coordinate(int k) const;
  /// Whether both lines are between the same two bodies.
  bool moves_like(const Motion& other) const;
  /// Adds the bodies that it reads.
  void add_bodies(std::vector<TreeIndex>& bodies) const;

 private:
  bool is_spring() const { return kind == Kind::length || kind == Kind::length_rate; }
  Eigen::Vector3d own_axis(const ForceInput& in) const;
};

/// What the names of motions may begin with.
struct MovingParts {
  const Mechanism& mechanism;
  BodyIndex chassis = kGround;  ///< is called `chassis`, too
  const std::vector<Sensor>& sensors;
};

/// The motion of the name:
///   BODY.{x,y,z,vx,vy,vz,roll,pitch,yaw,wx,wy,wz}   its centre of mass; turning rates in its axes
///   SENSOR.{x,y,z,vx,vy,vz,vx_body,vy_body,vz_body,wx,wy,wz}, MARKER.{x,y,z,vx,vy,vz}
///   JOINT.{z,rate}; of several coordinates JOINT.{z,rate}.k, k from 0
///   SPRING.{length,rate}
/// as the channels of results. False where there is none. Build time, while force elements bind.
bool find_motion(const MovingParts& parts, const std::string& name, TreeModel& model,
                 Motion& motion);
/// All names that there are, for messages.
std::vector<std::string> motion_names(const MovingParts& parts);

}  // namespace semirec
