#include "vehicles/files/chrono/suspensions.hpp"

namespace semirec::chrono {

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

/// A link with a universal joint at the chassis and a ball joint at the upright, or bushings.
void add_link(Car& car, const Json& part, const Side& side, const std::string& link,
              const std::string& upright, const Matrix3d& A) {
  const std::string name = join(link, side.suffix);
  add_part(car, part, name, side.point(part.at("COM").vector()), A);
  if (part.has("Bushing Data")) add_free_joint(car, name);
  // Chrono fixes the axis "Chassis" in the link and the axis "Link" in the chassis
  add_cross(car, part, "Bushing Data", join(link + "_joint", side.suffix), "chassis", name,
            side.point(part.at("Location Chassis").vector()),
            side.direction(unit(part.at("Universal Joint Axis Link"))),
            side.direction(unit(part.at("Universal Joint Axis Chassis"))));
  add_ball(car, part, "Bushing Data", join(link + "_ball", side.suffix), name, upright,
           side.point(part.at("Location Upright").vector()));
}

}  // namespace

Axle add_multilink(Car& car, const Json& file, const AxlePlace& place) {
  Axle axle;
  for (std::size_t s = 0; s < 2; ++s) {
    const Side& side = place.sides[s];
    const std::string upright = join("upright", side.suffix);
    const Json body = file.at("Upright");
    add_part(car, body, upright, side.point(body.at("COM").vector()));
    axle[s] = add_spindle(car, file, side, upright);

    add_wishbone(car, file.at("Upper Arm"), side, "upper_arm", upright);

    const Json lateral = file.at("Lateral");
    const Json trailing = file.at("Trailing Link");
    const Vector3d trailing_end = side.point(trailing.at("Location Upright").vector());
    const Vector3d spring_foot = side.point(file.at("Spring").at("Location Link").vector());
    add_link(car, lateral, side, "lateral", upright,
             link_axes(lateral, side.point(lateral.at("Location Upright").vector()),
                       side.point(lateral.at("Location Chassis").vector()), trailing_end));
    add_link(car, trailing, side, "trailing_link", upright,
             link_axes(trailing, trailing_end, side.point(trailing.at("Location Chassis").vector()),
                       spring_foot));

    add_tierod(car, file, place, side, upright);
    const std::string link = join("trailing_link", side.suffix);
    add_spring_and_shock(car, file, side, link, "Location Link");
    axle[s].antiroll_body = link;
  }
  return axle;
}

}  // namespace semirec::chrono
