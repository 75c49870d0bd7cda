#include "vehicles/files/chrono/suspensions.hpp"

namespace semirec::chrono {

using Eigen::Matrix3d;
using Eigen::Vector3d;

/// One arm a side: it swings about the car's x axis at the chassis and carries the upright, which
/// turns about the vertical at its end. "Shock" holds spring and damper.
Axle add_single_wishbone(Car& car, const Json& file, const AxlePlace& place) {
  Axle axle;
  for (std::size_t s = 0; s < 2; ++s) {
    const Side& side = place.sides[s];
    const std::string upright = join("upright", side.suffix);
    const std::string arm = join("control_arm", side.suffix);
    const Json body = file.at("Upright");
    add_part(car, body, upright, side.point(body.at("COM").vector()));
    axle[s] = add_spindle(car, file, side, upright);

    const Json part = file.at("Control Arm");
    const Vector3d inner = side.point(part.at("Location Chassis").vector());
    const Vector3d outer = side.point(part.at("Location Upright").vector());
    // y along the arm, x level
    Matrix3d A;
    A.col(1) = direction(part, inner, outer);
    A.col(0) = normal(part, A.col(1), Vector3d::UnitZ());
    A.col(2) = A.col(0).cross(A.col(1));
    add_part(car, part, arm, side.point(part.at("COM").vector()), A);
    Matrix3d hinge;
    hinge << Vector3d::UnitY(), Vector3d::UnitZ(), Vector3d::UnitX();
    add_hinge(car, part, join("control_arm_joint", side.suffix), arm, inner, hinge);
    add_revolute(car, join("kingpin", side.suffix), arm, upright, outer, Vector3d::UnitZ());

    add_tierod(car, file, place, side, upright);
    const Json shock = file.at("Shock");
    const Vector3d top = side.point(shock.at("Location Chassis").vector());
    const Vector3d foot = side.point(shock.at("Location Arm").vector());
    add_spring(car, shock, join("shock", side.suffix), "chassis", arm, top, foot);
    // files of the first versions hold the free length and a spring of its own
    if (const auto spring = file.find("Spring"); spring && spring->has("Spring Coefficient"))
      add_spring(car, *spring, join("spring", side.suffix), "chassis", arm, top, foot);
    axle[s].antiroll_body = arm;
  }
  return axle;
}

}  // namespace semirec::chrono
