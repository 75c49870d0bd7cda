#include "vehicles/files/chrono/suspensions.hpp"

// Rigid axles on springs: those that a guide or a push pipe leads, with knuckles or without.

namespace semirec::chrono {

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

std::string add_tube(Car& car, const Json& file, const AxlePlace& place) {
  std::string tube = join("axle_tube", place.suffix);
  const Json part = file.at("Axle Tube");
  if (const auto portal = part.find("Portal Offset"); portal && portal->number() != 0.0)
    portal->fail("is not zero, which is not covered, expected hubs in line with the axle tube");
  add_part(car, part, tube, place.location + part.at("COM").vector());
  return tube;
}

/// Leaf springs in Chrono lead the axle without elasticity: its middle slides up and down in the
/// chassis, and it rolls about the car's x axis.
std::string add_led_tube(Car& car, const Json& file, const AxlePlace& place) {
  std::string tube = add_tube(car, file, place);
  const Vector3d middle = place.location + file.at("Axle Tube").at("COM").vector();
  add_axial(car, "planar", join("axle_guide", place.suffix), "chassis", tube, middle,
            Vector3d::UnitX());
  add_point_in_plane(car, join("axle_slot", place.suffix), tube, "chassis", middle,
                     Vector3d::UnitY());
  return tube;
}

/// A ball joint at the chassis, to which a pipe leads, and a rod that holds the axle sideways. In
/// Chrono the rod has two ball joints; a universal joint takes away its idle turning about itself.
std::string add_pushed_tube(Car& car, const Json& file, const AxlePlace& place) {
  std::string tube = add_tube(car, file, place);
  const Json connector = file.at("Axle Tube").at("Location Connector Chassis");
  add_spherical(car, join("push_pipe_ball", place.suffix), "chassis", tube,
                place.location + connector.vector());
  const Json part = file.at("Panhard Rod");
  const Vector3d on_chassis = place.location + part.at("Location Connector Chassis").vector();
  const Vector3d on_axle = place.location + part.at("Location Connector Axle").vector();
  const std::string rod = join("panhard_rod", place.suffix);
  const Matrix3d A = rod_axes(part, on_chassis, on_axle);
  add_part(car, part, rod, 0.5 * (on_chassis + on_axle));
  add_universal(car, part, join("panhard_joint", place.suffix), "chassis", rod, on_chassis,
                A.col(0), A.col(1));
  add_spherical(car, join("panhard_ball", place.suffix), rod, tube, on_axle);
  return tube;
}

Axle add_dead_ends(Car& car, const Json& file, const AxlePlace& place, const std::string& tube) {
  Axle axle;
  for (std::size_t s = 0; s < 2; ++s) {
    axle[s] = add_spindle(car, file, place.sides[s], tube);
    add_axle_springs(car, file, place.sides[s], tube);
  }
  return axle;
}

/// Knuckles, the tie rod between them and the drag link from the steering arm to one of them: to
/// the left one where its point has y > 0, else to the right one.
Axle add_steered_ends(Car& car, const Json& file, const AxlePlace& place, const std::string& tube) {
  Axle axle;
  for (std::size_t s = 0; s < 2; ++s) {
    const Side& side = place.sides[s];
    axle[s] =
        add_spindle(car, file, side, add_knuckle(car, file, side, tube, Matrix3d::Identity()));
    axle[s].antiroll_body = tube;
    add_axle_springs(car, file, side, tube);
  }
  (void)add_toe_bar(car, file, place);
  const Vector3d given = file.at("Knuckle").at("Location Draglink").vector();
  const std::string knuckle = join("knuckle", place.sides[given.y() > 0.0 ? 0 : 1].suffix);
  const Json part = file.at("Draglink");
  const Vector3d steered = place.location + given;
  const Vector3d steering = place.location + part.at("Location Chassis").vector();
  const std::string link = join("draglink", place.suffix);
  Matrix3d A = level_axes(part, steering, steered);
  A << A.col(1), A.col(2), Vector3d(A.col(0));
  add_part(car, part, link, 0.5 * (steered + steering), A);
  add_spherical(car, join("draglink_ball", place.suffix), place.tierod_body, link, steering);
  add_universal(car, part, join("draglink_joint", place.suffix), link, knuckle, steered, A.col(0),
                A.col(1));
  return axle;
}

}  // namespace

std::string add_knuckle(Car& car, const Json& file, const Side& side, const std::string& tube,
                        const Matrix3d& A) {
  std::string knuckle = join("knuckle", side.suffix);
  const Json part = file.at("Knuckle");
  const Vector3d low = side.point(part.at("Location Lower").vector());
  const Vector3d high = side.point(part.at("Location Upper").vector());
  add_part(car, part, knuckle, side.point(part.at("COM").vector()), A);
  add_revolute(car, join("kingpin", side.suffix), tube, knuckle, 0.5 * (low + high),
               direction(part, low, high));
  return knuckle;
}

void add_axle_springs(Car& car, const Json& file, const Side& side, const std::string& tube) {
  for (const auto& [key, name] : {std::pair("Spring", "spring"), std::pair("Shock", "shock")}) {
    const Json spring = file.at(key);
    add_spring(car, spring, join(name, side.suffix), "chassis", tube,
               side.point(spring.at("Location Chassis").vector()),
               side.point(spring.at("Location Axle").vector()));
  }
}

std::string add_toe_bar(Car& car, const Json& file, const AxlePlace& place) {
  const Side& left = place.sides[0];
  const Side& right = place.sides[1];
  std::string tierod = join("tierod", place.suffix);
  const Json rod = file.at("Tierod");
  const Vector3d left_end = left.point(rod.at("Location Knuckle").vector());
  const Vector3d right_end = right.point(rod.at("Location Knuckle").vector());
  add_part(car, rod, tierod, 0.5 * (left_end + right_end));
  add_spherical(car, join("tierod_ball", left.suffix), join("knuckle", left.suffix), tierod,
                left_end);
  add_universal(car, rod, join("tierod_joint", right.suffix), tierod, join("knuckle", right.suffix),
                right_end, Vector3d::UnitX(), Vector3d::UnitZ());
  return tierod;
}

Axle add_leafspring_axle(Car& car, const Json& file, const AxlePlace& place) {
  return add_dead_ends(car, file, place, add_led_tube(car, file, place));
}

Axle add_toe_bar_leafspring_axle(Car& car, const Json& file, const AxlePlace& place) {
  return add_steered_ends(car, file, place, add_led_tube(car, file, place));
}

Axle add_push_pipe_axle(Car& car, const Json& file, const AxlePlace& place) {
  return add_dead_ends(car, file, place, add_pushed_tube(car, file, place));
}

Axle add_toe_bar_push_pipe_axle(Car& car, const Json& file, const AxlePlace& place) {
  return add_steered_ends(car, file, place, add_pushed_tube(car, file, place));
}

}  // namespace semirec::chrono
