#pragma once

#include <optional>

#include "vehicles/chrono/car.hpp"

// Chassis, steering, anti-roll bar, wheels and tyres. All throw ModelError.

namespace semirec::chrono {

/// The rigid chassis: one body `chassis` of its components; those that are "Void" are taken off.
/// Returns its centre of mass in the chassis frame.
Eigen::Vector3d add_chassis(Car& car, const Json& file);

/// Rack and pinion or Pitman arm at a place of the chassis with an orientation; returns the body
/// that carries the tie rods. `suffix` is empty for the first steering. Positive input is positive
/// steering in Chrono, which is to the left for the tie rods that its templates have in mind.
std::string add_steering(Car& car, const Json& file, const Json& place, const std::string& suffix);

/// Anti-roll bar of two arms with a torsion spring between, hung on both corners.
void add_antirollbar(Car& car, const Json& file, const Eigen::Vector3d& location, const Axle& axle,
                     const std::string& suffix);

/// What a tyre file says.
struct Tyre {
  Rolling rolling;
  double radius = 0.0;         ///< unloaded, m
  double stiffness = 0.0;      ///< vertical at the nominal load, N/m; 0 if not known
  double damping = 0.0;        ///< vertical, N s/m
  std::optional<XmlNode> law;  ///< `<tyre>` of a tyre that rolls; none if its law is not covered
};
/// TMeasyTire, FialaTire, RigidTire (which does not roll here) or Pac02Tire. `xml_folder`: of the
/// file to be written, for the path of a .tir file.
Tyre read_tyre(Car& car, const Json& file, const JsonFolder& folder, const std::string& xml_folder);

/// Whether a path ends in .tir.
bool is_property_file(const std::string& path);
/// A tyre property file of a Magic Formula, as read_tyre_file() takes it; `path` as it stands, else
/// below the folder. `brings_mass`: mass and inertia are those of its [INERTIA].
Tyre read_property_file(Car& car, const JsonFolder& folder, const std::string& path,
                        const std::string& xml_folder, bool brings_mass);

/// Mass and inertia of a wheel file.
Rolling read_wheel(const Json& file);

/// The torque limit of a brake file.
double read_brake(Car& car, const Json& file);

/// Engine, transmission and driveline as one `<driveline>`; `axles` are those that are driven, in
/// the order of Chrono: front before rear.
void add_driveline(Car& car, const Json& driveline, const Json& engine, const Json& transmission,
                   const std::vector<std::pair<std::string, Axle>>& axles);

/// An `<input>` of a name, once.
void add_input(Car& car, const std::string& name);

}  // namespace semirec::chrono
