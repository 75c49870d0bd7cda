#include "vehicles/analysis/kc/kingpin.hpp"

#include <cmath>

#include <Eigen/LU>

#include "topology/indices.hpp"

namespace semirec {

namespace {

constexpr double kSteers = 1e-6;       // rad of a wheel for one of the steering wheel
constexpr double kSpringMoves = 0.05;  // m of a spring for one of the wheel

/// The spring that goes most with one wheel; -1 where none goes with it.
int spring_of(const Rig& rig, const Reading& rate) {
  int best = -1;
  double most = kSpringMoves;
  for (std::size_t k = 0; k < rig.lengths.size(); ++k) {
    if (rig.lengths[k].turns || std::abs(rate.lengths[k]) <= most) continue;
    most = std::abs(rate.lengths[k]);
    best = static_cast<int>(k);
  }
  return best;
}

Kingpin make_kingpin(const Vector6& twist, const WheelReading& wheel, double side) {
  const Eigen::Vector3d w = twist.tail<3>();
  Kingpin kingpin;
  kingpin.direction = w.z() < 0.0 ? Eigen::Vector3d(-w.normalized()) : w.normalized();
  const Eigen::Vector3d& k = kingpin.direction;
  const Eigen::Vector3d nearest = w.cross(Eigen::Vector3d(twist.head<3>())) / w.squaredNorm();
  const auto at_height = [&](double z) -> Eigen::Vector3d {
    return nearest + (z - nearest.z()) / k.z() * k;
  };
  kingpin.point = at_height(wheel.contact.z());
  kingpin.caster = std::atan2(-k.x(), k.z());
  kingpin.inclination = std::atan2(-side * k.y(), k.z());
  const Eigen::Vector3d forward(std::cos(wheel.steer), std::sin(wheel.steer), 0.0);
  const Eigen::Vector3d outward(-side * forward.y(), side * forward.x(), 0.0);
  const Eigen::Vector3d ground = wheel.contact - kingpin.point;
  const Eigen::Vector3d centre = wheel.centre - at_height(wheel.centre.z());
  kingpin.scrub_radius = ground.dot(outward);
  kingpin.trail = -ground.dot(forward);
  kingpin.offset_at_centre = centre.dot(outward);
  kingpin.caster_offset = -centre.dot(forward);
  return kingpin;
}

}  // namespace

std::optional<std::pair<Kingpin, Kingpin>> find_kingpins(const RigPoint& point, const Axle& axle,
                                                         Workspace& ws) {
  const Rig& rig = *point.rig;
  if (rig.steering == kNoInput) return std::nullopt;
  const Reading steered = rate_of(point, steering_rate(rig), ws);
  if (std::abs(steered.wheels[at(axle.left)].steer) < kSteers ||
      std::abs(steered.wheels[at(axle.right)].steer) < kSteers)
    return std::nullopt;
  // travel of both wheels at which both springs keep their lengths
  const Reading left = rate_of(point, lift(rig, axle, 1.0, 0.0), ws);
  const Reading right = rate_of(point, lift(rig, axle, 0.0, 1.0), ws);
  const int spring_left = spring_of(rig, left);
  const int spring_right = spring_of(rig, right);
  Eigen::Vector2d travel = Eigen::Vector2d::Zero();
  const bool locked = spring_left >= 0 && spring_right >= 0 && spring_left != spring_right;
  if (locked) {
    Eigen::Matrix2d lengths;
    Eigen::Vector2d steering;
    const std::size_t l = at(spring_left);
    const std::size_t r = at(spring_right);
    lengths << left.lengths[l], right.lengths[l], left.lengths[r], right.lengths[r];
    steering << steered.lengths[l], steered.lengths[r];
    travel = -(lengths.inverse() * steering);
  }
  RigCommand rate = lift(rig, axle, travel[0], travel[1]);
  rate.steering = 1.0;
  const RigResponse response = response_of(point, rate, ws);
  const auto kingpin = [&](int wheel, double side) {
    Kingpin made = make_kingpin(find_twist(rig, point.state, response, wheel, ws),
                                point.reading.wheels[at(wheel)], side);
    made.spring_locked = locked;
    return made;
  };
  return std::pair{kingpin(axle.left, 1.0), kingpin(axle.right, -1.0)};
}

}  // namespace semirec
