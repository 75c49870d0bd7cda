#include "vehicles/files/chrono/suspensions.hpp"

namespace semirec::chrono {

Axle add_rigid_pinned_axle(Car& car, const Json& file, const AxlePlace& place) {
  const std::string tube = join("axle_tube", place.suffix);
  const Json part = file.at("Tube");
  add_part(car, part, tube, place.location + part.at("COM").vector());
  add_revolute(car, join("axle_pin", place.suffix), "chassis", tube,
               place.location + part.at("Pin Location").vector(), Eigen::Vector3d::UnitX());
  return {add_spindle(car, file, place.sides[0], tube),
          add_spindle(car, file, place.sides[1], tube)};
}

Axle add_rigid_suspension(Car& car, const Json& file, const AxlePlace& place) {
  return {add_spindle(car, file, place.sides[0], "chassis"),
          add_spindle(car, file, place.sides[1], "chassis")};
}

}  // namespace semirec::chrono
