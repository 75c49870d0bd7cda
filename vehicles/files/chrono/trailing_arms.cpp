#include <Eigen/Geometry>

#include "vehicles/files/chrono/suspensions.hpp"

namespace semirec::chrono {

using Eigen::Matrix3d;
using Eigen::Vector3d;

Axle add_semi_trailing_arm(Car& car, const Json& file, const AxlePlace& place) {
  Axle axle;
  for (std::size_t s = 0; s < 2; ++s) {
    const Side& side = place.sides[s];
    const Json part = file.at("Trailing Arm");
    const std::string arm = join("trailing_arm", side.suffix);
    const Vector3d outer = side.point(part.at("Location Chassis Outer").vector());
    const Vector3d inner = side.point(part.at("Location Chassis Inner").vector());
    const Vector3d spindle = side.point(part.at("Location Spindle").vector());
    // z normal to the plane of the arm, x along the hinge from the inner to the outer point
    const Matrix3d A = arm_axes(part, inner, outer, spindle);
    Matrix3d B;
    B << -A.col(0), -A.col(1), A.col(2);
    add_part(car, part, arm, side.point(part.at("COM").vector()), B);
    Matrix3d hinge;
    hinge << B.col(1), B.col(2), B.col(0);
    add_hinge(car, part, join("trailing_arm_joint", side.suffix), arm, 0.5 * (outer + inner),
              hinge);
    axle[s] = add_spindle(car, file, side, arm);
    add_spring_and_shock(car, file, side, arm, "Location Arm");
  }
  return axle;
}

Axle add_three_link(Car& car, const Json& file, const AxlePlace& place) {
  Axle axle;
  for (std::size_t s = 0; s < 2; ++s) {
    const Side& side = place.sides[s];
    const Json part = file.at("Trailing Arm");
    const std::string arm = join("trailing_arm", side.suffix);
    const Vector3d hinge = side.point(part.at("Location Chassis").vector());
    const Vector3d end = side.point(part.at("Location Spindle").vector());
    add_part(car, part, arm, side.point(part.at("COM").vector()), level_axes(part, end, hinge));
    bool held = !add_ball(car, part, "Bushing Data Chassis", join("trailing_arm_ball", side.suffix),
                          "chassis", arm, hinge);
    axle[s] = add_spindle(car, file, side, arm);
    for (const auto& [key, name] :
         {std::pair("Upper Link", "upper_link"), std::pair("Lower Link", "lower_link")}) {
      const Json rod = file.at(key);
      const std::string link = join(name, side.suffix);
      const Vector3d inner = side.point(rod.at("Location Chassis").vector());
      const Vector3d outer = side.point(rod.at("Location Arm").vector());
      add_part(car, rod, link, side.point(rod.at("COM").vector()), level_axes(rod, inner, outer));
      // the given axis is fixed in the link, the other one is as upright as that lets it
      const Vector3d u = side.direction(unit(rod.at("Universal Joint Axis")));
      const Vector3d v = normal(rod, u, Vector3d::UnitZ()).cross(u);
      const bool inner_gives =
          add_cross(car, rod, "Bushing Data Chassis",
                    join(std::string(name) + "_joint", side.suffix), "chassis", link, inner, v, u);
      const bool outer_gives =
          add_ball(car, rod, "Bushing Data Arm", join(std::string(name) + "_ball", side.suffix),
                   link, arm, outer);
      if (inner_gives && outer_gives) add_free_joint(car, link);
      held = held || (!inner_gives && !outer_gives);
    }
    // held by bushings alone, or through links that are
    if (!held) add_free_joint(car, arm);
    add_spring_and_shock(car, file, side, arm, "Location Arm");
  }
  return axle;
}

}  // namespace semirec::chrono
