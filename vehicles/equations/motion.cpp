#include "vehicles/equations/motion.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>

#include "topology/centre_marker.hpp"
#include "topology/indices.hpp"

namespace semirec {

namespace {

using Eigen::Vector3d;

struct MotionWord {
  std::string_view name;
  Motion::Kind kind;
  int axis;
  const char* unit;
};

constexpr std::array<MotionWord, 15> kPointWords{{{"x", Motion::Kind::position, 0, "m"},
                                                  {"y", Motion::Kind::position, 1, "m"},
                                                  {"z", Motion::Kind::position, 2, "m"},
                                                  {"vx", Motion::Kind::velocity, 0, "m/s"},
                                                  {"vy", Motion::Kind::velocity, 1, "m/s"},
                                                  {"vz", Motion::Kind::velocity, 2, "m/s"},
                                                  {"vx_body", Motion::Kind::own_velocity, 0, "m/s"},
                                                  {"vy_body", Motion::Kind::own_velocity, 1, "m/s"},
                                                  {"vz_body", Motion::Kind::own_velocity, 2, "m/s"},
                                                  {"wx", Motion::Kind::turning_rate, 0, "rad/s"},
                                                  {"wy", Motion::Kind::turning_rate, 1, "rad/s"},
                                                  {"wz", Motion::Kind::turning_rate, 2, "rad/s"},
                                                  {"roll", Motion::Kind::roll, 0, "rad"},
                                                  {"pitch", Motion::Kind::pitch, 0, "rad"},
                                                  {"yaw", Motion::Kind::yaw, 0, "rad"}}};

const MotionWord* find_point_word(std::string_view word) {
  const auto found = std::find_if(kPointWords.begin(), kPointWords.end(),
                                  [&](const MotionWord& w) { return w.name == word; });
  return found == kPointWords.end() ? nullptr : &*found;
}

/// The point that the name stands for: a body, the chassis, a sensor or a marker.
std::optional<Marker> find_point(const MovingParts& parts, const std::string& name) {
  const Mechanism& mechanism = parts.mechanism;
  for (std::size_t b = 0; b < mechanism.bodies.size(); ++b)
    if (mechanism.bodies[b].name == name)
      return centre_marker(mechanism, static_cast<BodyIndex>(b));
  for (const Sensor& sensor : parts.sensors)
    if (sensor.name == name) return sensor.at;
  for (const Marker& marker : mechanism.markers)
    if (marker.name == name) return marker;
  if (name == "chassis" && parts.chassis != kGround) return centre_marker(mechanism, parts.chassis);
  return {};
}

bool find_point_motion(const MovingParts& parts, const std::string& owner, const std::string& word,
                       const TreeModel& model, Motion& motion) {
  const MotionWord* known = find_point_word(word);
  if (known == nullptr) return false;
  const std::optional<Marker> point = find_point(parts, owner);
  if (!point) return false;
  motion.kind = known->kind;
  motion.axis = known->axis;
  motion.unit = known->unit;
  motion.at = model.attach(*point);
  return true;
}

bool find_spring_motion(const MovingParts& parts, const std::string& owner, const std::string& word,
                        TreeModel& model, Motion& motion) {
  if (word != "length" && word != "rate") return false;
  for (const SpringDamper& spring : parts.mechanism.springs) {
    if (spring.name != owner) continue;
    motion.kind = word == "rate" ? Motion::Kind::length_rate : Motion::Kind::length;
    motion.unit = word == "rate" ? "m/s" : "m";
    motion.line = SpringLine(spring, model);
    return true;
  }
  return false;
}

/// `z`, `rate`, `z.1`: which coordinate, or -1.
int coordinate_in(const std::string& word, const std::string& quantity, int count) {
  if (word == quantity) return count == 1 ? 0 : -1;
  if (count > 1 && word.size() == quantity.size() + 2 && word.rfind(quantity + ".", 0) == 0) {
    const int k = word.back() - '0';
    if (k >= 0 && k < count) return k;
  }
  return -1;
}

bool find_joint_motion(const MovingParts& parts, const std::string& name, TreeModel& model,
                       Motion& motion) {
  const Mechanism& mechanism = parts.mechanism;
  for (std::size_t j = 0; j < mechanism.joints.size(); ++j) {
    const Joint& joint = mechanism.joints[j];
    if (name.rfind(joint.name + ".", 0) != 0) continue;
    const std::string word = name.substr(joint.name.size() + 1);
    for (const bool rate : {false, true}) {
      const int k = coordinate_in(word, rate ? "rate" : "z", degrees_of_freedom(joint.type));
      if (k < 0 || kind_of_coordinate(joint.type, k) == MotionKind::triad) continue;
      motion.kind = rate ? Motion::Kind::coordinate_rate : Motion::Kind::coordinate;
      motion.coordinate =
          model.use_coordinate(mechanism, static_cast<JointIndex>(j), k, joint.source, joint.name);
      motion.unit = coordinate_turns(joint.type, k) ? "rad" : "m";
      if (rate) motion.unit += "/s";
      return true;
    }
  }
  return false;
}

}  // namespace

double Motion::evaluate(const ForceInput& in) const {
  const auto velocity = [&] { return velocity_at(in.velocity_of(at.body), in.position_of(at)); };
  switch (kind) {
    case Motion::Kind::position:
      return in.origin()[axis] + in.position_of(at)[axis];
    case Motion::Kind::velocity:
      return velocity()[axis];
    case Motion::Kind::own_velocity:
      return own_axis(in).dot(velocity());
    case Motion::Kind::turning_rate:
      return own_axis(in).dot(in.velocity_of(at.body).tail<3>());
    case Motion::Kind::roll: {
      const Eigen::Matrix3d R = in.axes_of(at);
      return std::atan2(R(2, 1), R(2, 2));
    }
    case Motion::Kind::pitch:
      return -std::asin(std::clamp(in.axis_of(at, 0).z(), -1.0, 1.0));
    case Motion::Kind::yaw: {
      const Vector3d x = in.axis_of(at, 0);
      return std::atan2(x.y(), x.x());
    }
    case Motion::Kind::coordinate:
      return in.coordinate(coordinate);
    case Motion::Kind::coordinate_rate:
      return in.coordinate_rate(coordinate);
    case Motion::Kind::length:
      return line.measure(in).length;
    case Motion::Kind::length_rate:
      return line.measure(in).rate;
  }
  return 0.0;
}

bool Motion::has_line() const {
  return kind != Motion::Kind::roll && kind != Motion::Kind::pitch && kind != Motion::Kind::yaw &&
         kind != Motion::Kind::coordinate && kind != Motion::Kind::coordinate_rate;
}

bool Motion::is_velocity() const {
  return kind == Motion::Kind::velocity || kind == Motion::Kind::own_velocity ||
         kind == Motion::Kind::turning_rate || kind == Motion::Kind::coordinate_rate ||
         kind == Motion::Kind::length_rate;
}

Vector6 Motion::line_of(const ForceInput& in) const {
  switch (kind) {
    case Motion::Kind::position:
    case Motion::Kind::velocity:
      return make_line(in.position_of(at), Vector3d::Unit(axis));
    case Motion::Kind::own_velocity:
      return make_line(in.position_of(at), own_axis(in));
    case Motion::Kind::turning_rate:
      return make_six(Vector3d::Zero(), own_axis(in));
    case Motion::Kind::length:
    case Motion::Kind::length_rate:
      return line.measure(in).line;
    default:
      return Vector6::Zero();
  }
}

Vector3d Motion::own_axis(const ForceInput& in) const {
  return fixed.isZero(0.0) ? in.axis_of(at, axis) : fixed;
}

bool Motion::acts_in_coordinate(int k) const {
  return (kind == Motion::Kind::coordinate || kind == Motion::Kind::coordinate_rate) &&
         coordinate == k;
}

bool Motion::moves_like(const Motion& other) const {
  if (is_spring() || other.is_spring())
    return is_spring() && other.is_spring() && line.connection == other.line.connection;
  return at.body == other.at.body;
}

void Motion::add_bodies(std::vector<TreeIndex>& bodies) const {
  if (is_spring()) bodies.insert(bodies.end(), {line.a.body, line.b.body});
  if (has_line() && !is_spring()) bodies.push_back(at.body);
  if (kind == Motion::Kind::roll || kind == Motion::Kind::pitch || kind == Motion::Kind::yaw)
    bodies.push_back(at.body);
}

bool find_motion(const MovingParts& parts, const std::string& name, TreeModel& model,
                 Motion& motion) {
  // names may hold points themselves: the word is what stands behind the last one
  const std::size_t point = name.rfind('.');
  if (point == std::string::npos) return false;
  const std::string owner = name.substr(0, point);
  const std::string word = name.substr(point + 1);
  return find_point_motion(parts, owner, word, model, motion) ||
         find_spring_motion(parts, owner, word, model, motion) ||
         find_joint_motion(parts, name, model, motion);
}

std::vector<std::string> motion_names(const MovingParts& parts) {
  const Mechanism& mechanism = parts.mechanism;
  std::vector<std::string> names;
  const auto add_point = [&](const std::string& owner) {
    for (const MotionWord& word : kPointWords)
      names.push_back(owner + "." + std::string(word.name));
  };
  for (const Body& body : mechanism.bodies) add_point(body.name);
  if (parts.chassis != kGround) add_point("chassis");
  for (const Sensor& sensor : parts.sensors) add_point(sensor.name);
  for (const Marker& marker : mechanism.markers) add_point(marker.name);
  for (const SpringDamper& spring : mechanism.springs)
    for (const char* word : {".length", ".rate"}) names.push_back(spring.name + word);
  for (const Joint& joint : mechanism.joints) {
    const int count = degrees_of_freedom(joint.type);
    for (int k = 0; k < count; ++k) {
      if (kind_of_coordinate(joint.type, k) == MotionKind::triad) continue;
      for (const char* word : {".z", ".rate"})
        names.push_back(joint.name + word + (count == 1 ? "" : "." + std::to_string(k)));
    }
  }
  return names;
}

}  // namespace semirec
