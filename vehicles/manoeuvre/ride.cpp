#include "vehicles/manoeuvre/ride.hpp"

#include <cmath>

#include <Eigen/Dense>

#include "topology/centre_marker.hpp"
#include "vehicles/manoeuvre/car.hpp"

namespace semirec {

namespace {

constexpr const char* kSeat = "seat_of_manoeuvre";

Eigen::Matrix3d orientation(double roll, double pitch, double yaw) {
  return (Eigen::AngleAxisd(yaw, Eigen::Vector3d::UnitZ()) *
          Eigen::AngleAxisd(pitch, Eigen::Vector3d::UnitY()) *
          Eigen::AngleAxisd(roll, Eigen::Vector3d::UnitX()))
      .toRotationMatrix();
}

/// Three channels of a name and the chassis' orientation, row by row, in the chassis' axes.
std::vector<Eigen::Vector3d> in_chassis(const History& history, const std::string& x,
                                        const std::string& y, const std::string& z,
                                        bool from_centre) {
  const std::size_t at[] = {history.find(x), history.find(y), history.find(z)};
  const std::size_t turn[] = {history.find("chassis.roll"), history.find("chassis.pitch"),
                              history.find("chassis.yaw")};
  const std::size_t centre[] = {history.find("chassis.x"), history.find("chassis.y"),
                                history.find("chassis.z")};
  std::vector<Eigen::Vector3d> vectors;
  vectors.reserve(history.rows.size());
  for (const std::vector<double>& row : history.rows) {
    Eigen::Vector3d v(row[at[0]], row[at[1]], row[at[2]]);
    if (from_centre) v -= Eigen::Vector3d(row[centre[0]], row[centre[1]], row[centre[2]]);
    vectors.emplace_back(orientation(row[turn[0]], row[turn[1]], row[turn[2]]).transpose() * v);
  }
  return vectors;
}

}  // namespace

std::vector<ValueRule> seat_values() {
  return {{"seat_x", 0.0, "m", -20.0, 20.0, "where it is felt, before the chassis' centre of mass"},
          {"seat_y", 0.0, "m", -5.0, 5.0, "to its left"},
          {"seat_z", 0.0, "m", -5.0, 5.0, "above it"}};
}

SeatedCar with_seat(const Vehicle& vehicle, const Manoeuvre& manoeuvre) {
  measure_car(vehicle);  // throws where there is no chassis
  SeatedCar car{vehicle, manoeuvre};
  Marker seat = centre_marker(vehicle.mechanism, vehicle.chassis);
  seat.name = kSeat;
  seat.X_BF.p += seat.X_BF.A * Eigen::Vector3d(manoeuvre.value("seat_x"), manoeuvre.value("seat_y"),
                                               manoeuvre.value("seat_z"));
  car.vehicle.mechanism.markers.push_back(seat);
  car.manoeuvre.scenario.markers.emplace_back(kSeat);
  return car;
}

SeatAcceleration seat_acceleration(const History& history) {
  const std::string seat = kSeat;
  SeatAcceleration a;
  for (const Eigen::Vector3d& v :
       in_chassis(history, seat + ".ax", seat + ".ay", seat + ".az", false)) {
    a.x.push_back(v.x());
    a.y.push_back(v.y());
    a.z.push_back(v.z());
  }
  return a;
}

WeightedRide weigh_ride(const SeatAcceleration& a, double dt) {
  WeightedRide ride;
  ride.x = find_dose(weigh(a.x, dt, Weighting::Wd), dt);
  ride.y = find_dose(weigh(a.y, dt, Weighting::Wd), dt);
  ride.z = find_dose(weigh(a.z, dt, Weighting::Wk), dt);
  ride.total =
      std::sqrt(ride.x.rms * ride.x.rms + ride.y.rms * ride.y.rms + ride.z.rms * ride.z.rms);
  return ride;
}

std::vector<double> travel_of(const History& history, const std::string& wheel) {
  const std::vector<Eigen::Vector3d> places =
      in_chassis(history, wheel + ".x", wheel + ".y", wheel + ".z", true);
  std::vector<double> travel;
  travel.reserve(places.size());
  for (const Eigen::Vector3d& place : places) travel.push_back(place.z() - places.front().z());
  return travel;
}

}  // namespace semirec
