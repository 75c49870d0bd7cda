#include "vehicles/files/chrono/suspensions.hpp"

namespace semirec::chrono {

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

void add_axle_link(Car& car, const Json& part, const Side& side, const std::string& name,
                   const std::string& tube, const Matrix3d& A) {
  const std::string link = join(name, side.suffix);
  add_part(car, part, link, side.point(part.at("COM").vector()), A);
  add_universal(car, part, join(name + "_joint", side.suffix), "chassis", link,
                side.point(part.at("Location Chassis").vector()), A.col(0), A.col(1));
  add_spherical(car, join(name + "_ball", side.suffix), tube, link,
                side.point(part.at("Location Axle").vector()));
}

/// Knuckle, links and springs of one side.
Corner add_side(Car& car, const Json& file, const Side& side, const std::string& tube) {
  const std::string knuckle = add_knuckle(car, file, side, tube, spindle_axes(file, side));
  Corner corner = add_spindle(car, file, side, knuckle);

  const Json upper = file.at("Upper Link");
  const Json lower = file.at("Lower Link");
  const Vector3d upper_axle = side.point(upper.at("Location Axle").vector());
  const Vector3d lower_axle = side.point(lower.at("Location Axle").vector());
  add_axle_link(
      car, upper, side, "upper_link", tube,
      link_axes(upper, upper_axle, side.point(upper.at("Location Chassis").vector()), lower_axle));
  add_axle_link(
      car, lower, side, "lower_link", tube,
      link_axes(lower, side.point(lower.at("Location Chassis").vector()), lower_axle, upper_axle));
  add_axle_springs(car, file, side, tube);
  return corner;
}

/// Drag link and bell crank, on the left, and the tie rod between the knuckles that they push.
void add_steering(Car& car, const Json& file, const AxlePlace& place, const std::string& tube) {
  const Side& left = place.sides[0];
  const std::string tierod = add_toe_bar(car, file, place);

  const Json drag = file.at("Draglink");
  const Json crank = file.at("Bell Crank");
  const Vector3d drag_front = left.point(drag.at("Location Chassis").vector());
  const Vector3d drag_crank = left.point(drag.at("Location Bell Crank").vector());
  const Vector3d crank_axle = left.point(crank.at("Location Axle").vector());
  const Vector3d crank_tierod = left.point(crank.at("Location Tierod").vector());
  const Vector3d lower_axle = left.point(file.at("Lower Link").at("Location Axle").vector());
  const Matrix3d A = link_axes(drag, drag_crank, drag_front, lower_axle);
  const std::string draglink = join("draglink", place.suffix);
  const std::string bellcrank = join("bellcrank", place.suffix);
  add_part(car, drag, draglink, 0.5 * (drag_front + drag_crank), A);
  add_part(car, crank, bellcrank, (drag_crank + crank_axle + crank_tierod) / 3.0, A);
  add_spherical(car, join("draglink_ball", place.suffix), place.tierod_body, draglink, drag_front);
  add_universal(car, drag, join("draglink_joint", place.suffix), draglink, bellcrank, drag_crank,
                A.col(0), A.col(1));
  add_revolute(car, join("bellcrank_joint", place.suffix), tube, bellcrank, crank_axle,
               Vector3d::UnitZ());
  add_point_in_plane(car, join("bellcrank_slot", place.suffix), tierod, bellcrank, crank_tierod,
                     Vector3d::UnitY());
}

/// The bar that holds the axle sideways. In Chrono it has two ball joints; a universal joint at the
/// chassis takes away its idle turning about itself.
void add_trackbar(Car& car, const Json& file, const AxlePlace& place, const std::string& tube) {
  const auto part = file.find("Trackbar");
  if (!part) return;
  const Vector3d on_axle = place.location + part->at("Location Axle").vector();
  const Vector3d on_chassis = place.location + part->at("Location Chassis").vector();
  const std::string bar = join("trackbar", place.suffix);
  add_part(car, *part, bar, 0.5 * (on_axle + on_chassis));
  const Matrix3d A = level_axes(*part, on_chassis, on_axle);
  add_universal(car, *part, join("trackbar_joint", place.suffix), "chassis", bar, on_chassis,
                A.col(1), A.col(2));
  add_spherical(car, join("trackbar_ball", place.suffix), tube, bar, on_axle);
}

}  // namespace

Axle add_solid_axle(Car& car, const Json& file, const AxlePlace& place) {
  const std::string tube = join("axle_tube", place.suffix);
  const Json part = file.at("Axle Tube");
  add_part(car, part, tube, place.location + part.at("COM").vector());
  Axle axle{add_side(car, file, place.sides[0], tube), add_side(car, file, place.sides[1], tube)};
  add_steering(car, file, place, tube);
  add_trackbar(car, file, place, tube);
  return axle;
}

}  // namespace semirec::chrono
