#include "vehicles/files/chrono/suspensions.hpp"

namespace semirec::chrono {

using Eigen::Matrix3d;
using Eigen::Vector3d;

Axle add_macpherson_strut(Car& car, const Json& file, const AxlePlace& place) {
  Axle axle;
  for (std::size_t s = 0; s < 2; ++s) {
    const Side& side = place.sides[s];
    const std::string upright = join("upright", side.suffix);
    const std::string strut = join("strut", side.suffix);

    const Json body = file.at("Upright");
    add_part(car, body, upright, side.point(body.at("COM").vector()));
    axle[s] = add_spindle(car, file, side, upright);

    const Json lower = file.at("Control Arm");
    const Vector3d back = side.point(lower.at("Location Chassis Back").vector());
    const std::string arm = add_wishbone(car, lower, side, "lca", upright);

    // the strut slides and turns in the upright and hangs on a universal joint of the chassis
    const Json spring = file.at("Spring");
    const Vector3d top = side.point(spring.at("Location Chassis").vector());
    const Vector3d foot = side.point(spring.at("Location Upright").vector());
    const Matrix3d B = link_axes(spring, foot, top, back);
    add_part(car, file.at("Strut"), strut, 0.5 * (top + foot));
    add_axial(car, "cylindrical", join("strut_guide", side.suffix), upright, strut, foot, B.col(2));
    add_universal(car, spring, join("strut_joint", side.suffix), "chassis", strut, top, B.col(0),
                  B.col(1));

    add_tierod(car, file, place, side, upright);
    add_spring_and_shock(car, file, side, upright, "Location Upright");
    axle[s].antiroll_body = arm;
  }
  return axle;
}

}  // namespace semirec::chrono
