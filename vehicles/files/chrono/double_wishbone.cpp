#include "vehicles/files/chrono/suspensions.hpp"

namespace semirec::chrono {

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
    add_wishbone(car, file.at("Upper Control Arm"), side, "uca", upright, vehicle_frame);
    const std::string lower =
        add_wishbone(car, file.at("Lower Control Arm"), side, "lca", upright, vehicle_frame);
    add_tierod(car, file, place, side, upright);
    add_spring_and_shock(car, file, side, lower, "Location Arm");
    axle[s].antiroll_body = lower;
  }
  return axle;
}

}  // namespace semirec::chrono
