#include "apps/report/suspects.hpp"

#include <array>
#include <map>
#include <set>

#include <fmt/format.h>

namespace semirec::report {

namespace {

using Eigen::Vector3d;

constexpr double kNoLength = 1e-4, kOff = 1e-3;  // m
constexpr double kMostPairs = 0.75;              // of all, that are mirrored

/// A point of the description by name: `rod tie_rod_fl, end a`.
struct NamedPoint {
  std::string element, part;
  Source source;
  BodyIndex body = kGround;
  Vector3d on_body, in_world;
  BodyIndex other = kGround;  ///< that it is joined to
};

std::vector<NamedPoint> list_points(const Vehicle& vehicle) {
  const Mechanism& mechanism = vehicle.mechanism;
  std::vector<NamedPoint> points;
  const auto add = [&](const auto& element, const char* part, const Marker& marker,
                       BodyIndex other) {
    Vector3d in_world = marker.X_BF.p;
    if (marker.body != kGround) in_world = (mechanism.bodies[at(marker.body)].X_WB * marker.X_BF).p;
    points.push_back(
        {element.name, part, element.source, marker.body, marker.X_BF.p, in_world, other});
  };
  for (const Joint& joint : mechanism.joints)
    if (joint.type != JointType::free) add(joint, "", joint.a, joint.b.body);
  const auto add_ends = [&](const auto& elements) {
    for (const auto& element : elements) {
      add(element, "end a", element.a, element.b.body);
      add(element, "end b", element.b, element.a.body);
    }
  };
  add_ends(mechanism.constraints);
  add_ends(mechanism.springs);
  for (const Bushing& bushing : mechanism.bushings) add(bushing, "", bushing.a, bushing.b.body);
  for (const Wheel& wheel : vehicle.wheels) add(wheel, "", wheel.centre, kGround);
  return points;
}

/// What the element on the right is called; empty where a name is not that of one on the left.
std::string right_name(const std::string& name) {
  static const std::array<std::pair<std::string, std::string>, 4> kEndings{
      {{"_fl", "_fr"}, {"_rl", "_rr"}, {"_l", "_r"}, {"left", "right"}}};
  for (const auto& [left, right] : kEndings) {
    if (name.size() > left.size() && name.ends_with(left))
      return name.substr(0, name.size() - left.size()) + right;
  }
  const std::size_t inside = name.find("_left_");
  return inside == std::string::npos ? std::string()
                                     : std::string(name).replace(inside, 6, "_right_");
}

void find_short_elements(const Vehicle& vehicle, std::vector<Suspect>& suspects) {
  const Mechanism& mechanism = vehicle.mechanism;
  const auto look = [&](const auto& element, const char* kind) {
    const auto in_world = [&](const Marker& marker) -> Vector3d {
      if (marker.body == kGround) return marker.X_BF.p;
      return (mechanism.bodies[at(marker.body)].X_WB * marker.X_BF).p;
    };
    const double length = (in_world(element.b) - in_world(element.a)).norm();
    if (length > kNoLength) return;
    suspects.push_back({fmt::format("{} '{}' (line {}) is {:.2g} mm long", kind, element.name,
                                    element.source.line, 1e3 * length),
                        element.a.body + 1, element.a.X_BF.p});
  };
  for (const Constraint& constraint : mechanism.constraints)
    if (constraint.type == ConstraintType::rod) look(constraint, "rod");
  for (const SpringDamper& spring : mechanism.springs)
    if (!spring.along_axis) look(spring, "spring");
}

void find_unmirrored_points(const Vehicle& vehicle, std::vector<Suspect>& suspects) {
  const std::vector<NamedPoint> points = list_points(vehicle);
  std::map<std::pair<std::string, std::string>, const NamedPoint*> by_name;
  for (const NamedPoint& point : points)
    by_name.emplace(std::pair(point.element, point.part), &point);
  std::set<std::string> bodies;
  for (const Body& body : vehicle.mechanism.bodies) bodies.insert(body.name);
  const auto is_on_left = [&](BodyIndex body) {
    return body != kGround && bodies.contains(right_name(vehicle.mechanism.bodies[at(body)].name));
  };
  std::vector<Suspect> off;
  std::size_t pairs = 0;
  for (const NamedPoint& left : points) {
    const std::string name = right_name(left.element);
    const auto found = by_name.find({name, left.part});
    if (name.empty() || found == by_name.end()) continue;
    const NamedPoint& right = *found->second;
    // a joint of the halves of an anti-roll bar bears the name of one side
    if (is_on_left(right.body) || is_on_left(right.other)) continue;
    ++pairs;
    const Vector3d mirrored(left.in_world.x(), -left.in_world.y(), left.in_world.z());
    const Vector3d difference = right.in_world - mirrored;
    if (difference.norm() <= kOff) continue;
    int axis = 0;
    const double most = difference.cwiseAbs().maxCoeff(&axis);
    // one coordinate with the wrong sign is the most frequent slip
    const bool sign = std::abs(right.in_world[axis] + mirrored[axis]) < kOff && most > kOff;
    off.push_back(
        {fmt::format("'{}'{}{} (line {}) is {:.4g} mm from the mirror image of '{}' (line {}){}",
                     right.element, right.part.empty() ? "" : ", ", right.part, right.source.line,
                     1e3 * difference.norm(), left.element, left.source.line,
                     sign ? fmt::format(": {} has the other sign", "xyz"[axis]) : std::string()),
         right.body + 1, right.on_body});
  }
  if (static_cast<double>(off.size()) > (1.0 - kMostPairs) * static_cast<double>(pairs)) return;
  suspects.insert(suspects.end(), off.begin(), off.end());
}

}  // namespace

std::vector<Suspect> find_suspects(const Vehicle& vehicle) {
  std::vector<Suspect> suspects;
  find_short_elements(vehicle, suspects);
  find_unmirrored_points(vehicle, suspects);
  return suspects;
}

}  // namespace semirec::report
