#include "vehicles/analysis/kc/kingpin.hpp"

#include <cmath>
#include <vector>

#include <Eigen/LU>

#include "topology/indices.hpp"

namespace semirec {

namespace {

constexpr double kSteers = 1e-6;       // rad of a wheel for one of the steering wheel
constexpr double kSpringMoves = 0.05;  // m or rad of a spring for one m of the wheel
constexpr double kApart = 0.1;  // sine between the rates of two springs that tell wheels apart
constexpr double kNearlyAsFar = 0.95;  // of the largest of these sines: as good as it

/// Rates of a spring's length, angle or coordinate by the travel of the wheels, m/m or rad/m, and
/// by the steering wheel, m/rad or 1.
struct SpringRates {
  Eigen::Vector2d travel{0.0, 0.0};  ///< left, right
  double steering = 0.0;
};

struct RigRates {
  RigResponse response;
  Reading reading;
};

RigRates rates_of(const RigPoint& point, const RigCommand& command, Workspace& ws) {
  RigRates rates{response_of(point, command, ws), {}};
  rates.reading = read_rate(*point.rig, point.state, rates.response, ws, point.step);
  return rates;
}

/// Springs between points; with `all` those that turn or act in joints as well.
std::vector<SpringRates> find_springs(const Rig& rig, const RigRates& left, const RigRates& right,
                                      const RigRates& steered, bool all) {
  std::vector<SpringRates> springs;
  const auto add = [&](double by_left, double by_right, double by_steering) {
    if (std::hypot(by_left, by_right) > kSpringMoves)
      springs.push_back({{by_left, by_right}, by_steering});
  };
  for (std::size_t k = 0; k < rig.lengths.size(); ++k)
    if (all || !rig.lengths[k].turns)
      add(left.reading.lengths[k], right.reading.lengths[k], steered.reading.lengths[k]);
  if (!all) return springs;
  const Mechanism& mechanism = rig.model.mechanism;
  for (const CoordinateForce& force : mechanism.coordinate_forces) {
    if (force.spring.is_zero()) continue;
    const int z = rig.model.tree.coordinate(mechanism, force.joint, force.coordinate, force.source,
                                            force.name);
    add(left.response.z[z], right.response.z[z], steered.response.z[z]);
  }
  return springs;
}

/// Travel of the two wheels, for one rad of the steering wheel, at which two of the springs keep
/// what they measure. Of the pairs that tell the wheels apart nearly as well as any, the one that
/// moves most. Nothing where none do.
std::optional<Eigen::Vector2d> find_held_travel(const std::vector<SpringRates>& springs) {
  struct Pair {
    const SpringRates *a, *b;
    double apart, moves;
  };
  std::vector<Pair> pairs;
  double best = kApart;
  for (std::size_t a = 0; a < springs.size(); ++a)
    for (std::size_t b = a + 1; b < springs.size(); ++b) {
      Eigen::Matrix2d rates;
      rates << springs[a].travel.transpose(), springs[b].travel.transpose();
      const double moves = springs[a].travel.norm() * springs[b].travel.norm();
      const double apart = std::abs(rates.determinant()) / moves;
      pairs.push_back({&springs[a], &springs[b], apart, moves});
      best = std::max(best, apart);
    }
  const Pair* chosen = nullptr;
  for (const Pair& pair : pairs)
    if (pair.apart >= kNearlyAsFar * best && (chosen == nullptr || pair.moves > chosen->moves))
      chosen = &pair;
  if (chosen == nullptr) return std::nullopt;
  Eigen::Matrix2d rates;
  rates << chosen->a->travel.transpose(), chosen->b->travel.transpose();
  return -(rates.inverse() * Eigen::Vector2d(chosen->a->steering, chosen->b->steering));
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
  const RigRates steered = rates_of(point, steering_rate(rig), ws);
  if (std::abs(steered.reading.wheels[at(axle.left)].steer) < kSteers ||
      std::abs(steered.reading.wheels[at(axle.right)].steer) < kSteers)
    return std::nullopt;
  const RigRates left = rates_of(point, lift(rig, axle, 1.0, 0.0), ws);
  const RigRates right = rates_of(point, lift(rig, axle, 0.0, 1.0), ws);
  std::optional<Eigen::Vector2d> held =
      find_held_travel(find_springs(rig, left, right, steered, false));
  if (!held) held = find_held_travel(find_springs(rig, left, right, steered, true));
  const bool locked = held.has_value();
  const Eigen::Vector2d travel = held.value_or(Eigen::Vector2d::Zero());
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
