#include <numbers>

#include "vehicles/files/chrono/parts.hpp"

namespace semirec::chrono {

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

struct Mounting {
  Vector3d p;
  Matrix3d A;
  Vector3d point(const Json& value) const { return p + A * value.vector(); }
  Vector3d axis(const Json& value) const { return A * unit(value); }
};

std::string with(const std::string& name, const std::string& suffix) {
  return suffix.empty() ? name : join(name, suffix);
}

/// Largest angle of the steering wheel, which these files do not have: a turn and a half.
constexpr double kSteeringWheelLock = 3.0 * std::numbers::pi;

/// The first steering is the driver's; `most`: its largest way or angle.
void add_steering_wheel(Car& car, const Json& file, const std::string& input, double most) {
  if (!car.steering.empty()) return;
  car.steering = input;
  car.steering_ratio = most / kSteeringWheelLock;
  car.important.push_back(
      file.note("has no steering wheel: 540 degrees of it are assumed for the largest "
                "angle of the steering"));
}

/// The joint follows the input.
void add_driver(Car& car, const std::string& input, const std::string& joint,
                const std::string& coordinate) {
  add_input(car, input);
  XmlNode driver = element("motion");
  driver.set("name", input + "_drive").set("joint", joint).set("coordinate", coordinate);
  car.elements.push_back(driver.set("input", input));
}

std::string add_rack(Car& car, const Json& file, const Mounting& frame, const std::string& suffix) {
  const Json link = file.at("Steering Link");
  std::string body = with("steering_link", suffix);
  const std::string joint = with("rack_joint", suffix);
  const std::string input = with("rack", suffix);
  const Vector3d place = frame.p + frame.A * Vector3d(0.0, link.at("COM").number(), 0.0);
  add_part(car, link, body, place, frame.A);
  // Chrono's positive steering moves the rack to the right, as tie rods behind the axle need it
  add_axial(car, "prismatic", joint, "chassis", body, place, -frame.A.col(1));
  add_driver(car, input, joint, "displacement");
  const Json pinion = file.at("Pinion");
  const double radius = pinion.at("Radius").positive();
  const double degrees = pinion.at("Maximum Angle (deg)").positive();
  add_steering_wheel(car, file, input, radius * degrees * std::numbers::pi / 180.0);
  car.elements.push_back(
      comment("input '" + input + "': displacement of the rack in m, positive steers to the left " +
              "with tie rods behind the axle;\npinion radius " + in_words(radius) + " m, at most " +
              in_words(degrees) + " degrees"));
  return body;
}

std::string add_pitman(Car& car, const Json& file, const Mounting& frame,
                       const std::string& suffix) {
  const auto flag = file.find("Vehicle-Frame Inertia");
  const Matrix3d axes = flag && flag->flag() ? Matrix3d::Identity() : frame.A;
  const Json link = file.at("Steering Link");
  const Json arm = file.at("Pitman Arm");
  const Json hinge = file.at("Revolute Joint");
  const Json cross = file.at("Universal Joint");
  const Json idler = file.at("Revolute-Spherical Joint");
  std::string body = with("steering_link", suffix);
  const std::string arm_name = with("pitman_arm", suffix);
  const std::string joint = with("pitman_joint", suffix);
  const std::string input = with("pitman", suffix);
  add_part(car, link, body, frame.point(link.at("COM")), axes);
  add_part(car, arm, arm_name, frame.point(arm.at("COM")), axes);
  // Chrono's positive steering turns the arm against the axis
  add_revolute(car, joint, "chassis", arm_name, frame.point(hinge.at("Location")),
               -frame.axis(hinge.at("Direction")));
  add_universal(car, cross, with("pitman_cross", suffix), arm_name, body,
                frame.point(cross.at("Location")), frame.axis(cross.at("Direction Arm")),
                frame.axis(cross.at("Direction Link")));
  // the idler arm has no mass: its length, and the plane in which it turns
  const Vector3d fixed = frame.point(idler.at("Location Chassis"));
  const Vector3d end = frame.point(idler.at("Location Link"));
  const Vector3d axis = frame.axis(idler.at("Direction"));
  if (std::abs(axis.dot(direction(idler, fixed, end))) > 1e-3)
    idler.fail(
        "has a direction that is not perpendicular to the idler arm, expected a right angle");
  add_rod(car, idler, with("idler_arm", suffix), "chassis", body, fixed, end);
  add_point_in_plane(car, with("idler_plane", suffix), "chassis", body, end, axis);
  add_driver(car, input, joint, "angle");
  const double degrees = hinge.at("Maximum Angle (deg)").positive();
  add_steering_wheel(car, file, input, degrees * std::numbers::pi / 180.0);
  car.elements.push_back(comment("input '" + input +
                                 "': angle of the Pitman arm in rad, positive is Chrono's positive "
                                 "steering, at most " +
                                 in_words(degrees) + " degrees"));
  return body;
}

/// An arm between a hinge at the chassis and the drag link of an axle.
std::string add_rotary_arm(Car& car, const Json& file, const Mounting& frame,
                           const std::string& suffix) {
  const Json arm = file.at("Pitman Arm");
  const auto flag = file.find("Vehicle-Frame Inertia");
  const Vector3d hinge = frame.point(arm.at("Point of Rotation"));
  const Vector3d end = frame.point(arm.at("Point to Draglink"));
  (void)direction(arm, hinge, end);
  std::string body = with("pitman_arm", suffix);
  const std::string joint = with("pitman_joint", suffix);
  const std::string input = with("pitman", suffix);
  add_part(car, arm, body, 0.5 * (hinge + end),
           flag && flag->flag() ? Matrix3d::Identity() : frame.A);
  // Chrono's positive steering turns the arm against the axis
  add_revolute(car, joint, "chassis", body, hinge, -frame.axis(arm.at("Axis of Rotation")));
  add_driver(car, input, joint, "angle");
  const double degrees = arm.at("Maximum Angle (deg)").positive();
  add_steering_wheel(car, file, input, degrees * std::numbers::pi / 180.0);
  car.elements.push_back(comment("input '" + input +
                                 "': angle of the rotary arm in rad, positive is Chrono's positive "
                                 "steering, at most " +
                                 in_words(degrees) + " degrees"));
  return body;
}

}  // namespace

const std::vector<std::string>& steering_templates() {
  static const std::vector<std::string> kNames{"RackPinion", "PitmanArm", "RotaryArm"};
  return kNames;
}

std::string add_steering(Car& car, const Json& file, const Json& place, const std::string& suffix) {
  const Mounting frame{place.at("Location").vector(), place.at("Orientation").rotation()};
  const Json name = file.at("Template");
  if (name.text() == "RackPinion") return add_rack(car, file, frame, suffix);
  if (name.text() == "PitmanArm") return add_pitman(car, file, frame, suffix);
  if (name.text() == "RotaryArm") return add_rotary_arm(car, file, frame, suffix);
  refuse_template(name, steering_templates());
}

}  // namespace semirec::chrono
