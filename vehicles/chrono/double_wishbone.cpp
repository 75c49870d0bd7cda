#include "vehicles/chrono/suspensions.hpp"

namespace semirec::chrono {

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

/// A wishbone on its hinge, with the ball joint at the upright.
void add_arm(Car& car, const Json& part, const Side& side, const std::string& arm,
             const std::string& upright, bool vehicle_frame) {
  const Vector3d front = side.point(part.at("Location Chassis Front").vector());
  const Vector3d back = side.point(part.at("Location Chassis Back").vector());
  const Vector3d outer = side.point(part.at("Location Upright").vector());
  const Matrix3d A = arm_axes(part, front, back, outer);
  const std::string name = join(arm, side.suffix);
  add_part(car, part, name, side.point(part.at("COM").vector()),
           vehicle_frame ? Matrix3d::Identity() : A);
  add_revolute(car, join(arm + "_joint", side.suffix), "chassis", name, 0.5 * (front + back),
               A.col(0));
  add_spherical(car, join(arm + "_ball", side.suffix), name, upright, outer);
  note_bushing(car, part);
}

}  // namespace

Axle add_double_wishbone(Car& car, const Json& file, const AxlePlace& place) {
  const auto flag = file.find("Vehicle-Frame Inertia");
  const bool vehicle_frame = flag && flag->flag();
  Axle axle;
  for (std::size_t s = 0; s < 2; ++s) {
    const Side& side = place.sides[s];
    const std::string upright = join("upright", side.suffix);
    const Json body = file.at("Upright");
    add_part(car, body, upright, side.point(body.at("COM").vector()));
    axle[s] = add_spindle(car, file, side, upright);
    add_arm(car, file.at("Upper Control Arm"), side, "uca", upright, vehicle_frame);
    add_arm(car, file.at("Lower Control Arm"), side, "lca", upright, vehicle_frame);
    add_tierod(car, file, place, side, upright);
    const std::string lower = join("lca", side.suffix);
    for (const auto& [key, name] : {std::pair("Spring", "spring"), std::pair("Shock", "shock")}) {
      const Json part = file.at(key);
      add_spring(car, part, join(name, side.suffix), "chassis", lower,
                 side.point(part.at("Location Chassis").vector()),
                 side.point(part.at("Location Arm").vector()));
    }
    axle[s].antiroll_body = lower;
  }
  return axle;
}

}  // namespace semirec::chrono
