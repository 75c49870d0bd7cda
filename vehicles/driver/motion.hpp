#pragma once

#include <cstddef>
#include <vector>

#include "recursive/forces/force_element.hpp"

namespace semirec {

/// How the car moves, in the words of ISO 8855: axes X forward along the heading, Y left, Z up,
/// X and Y horizontal (the intermediate frame). All at the chassis' centre of mass.
struct CarMotion {
  double t = 0.0;                             ///< s
  double x = 0.0, y = 0.0, z = 0.0;           ///< world, m
  double yaw = 0.0, pitch = 0.0, roll = 0.0;  ///< rad, -pi to pi
  double vx = 0.0, vy = 0.0;                  ///< along and across the heading, m/s
  double ax = 0.0, ay = 0.0;                  ///< the same, m/s^2
  double yaw_rate = 0.0;                      ///< rad/s

  double speed() const;
  double sideslip() const;   ///< from the heading to the velocity, positive to the left, rad
  double course() const;     ///< yaw + sideslip, rad
  double curvature() const;  ///< of the centre of mass' path in the ground plane, 1/m
};

/// Reads it from the recorder's channels `chassis.*` (integrator/outputs/recorder.hpp).
class MotionReader {
 public:
  /// Throws ModelError when a channel is missing.
  explicit MotionReader(const std::vector<Channel>& channels);
  CarMotion read(const double* values) const noexcept;
  /// Indices of those that it reads, ascending: the time, then the chassis.
  std::vector<std::size_t> channels() const;

 private:
  std::size_t time_ = 0, first_ = 0;
};

/// `car.{speed,vx,vy,ax,ay,yaw_rate,sideslip,roll,pitch,curvature}`.
const std::vector<Channel>& motion_channels();
/// One number a channel.
void write_motion(const CarMotion& motion, double* values) noexcept;

}  // namespace semirec
