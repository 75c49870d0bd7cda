#pragma once

#include <optional>

#include "vehicles/files/chrono/car.hpp"

// Chassis, steering, anti-roll bar, wheels and tyres. All throw ModelError.

namespace semirec::chrono {

/// The rigid chassis: one body `chassis` of its components; those that are "Void" are taken off.
/// Returns its centre of mass in the chassis frame.
Eigen::Vector3d add_chassis(Car& car, const Json& file);

/// Rack and pinion or Pitman arm at a place of the chassis with an orientation; returns the body
/// that carries the tie rods. `suffix` is empty for the first steering. Positive input is positive
/// steering in Chrono, which is to the left for the tie rods that its templates have in mind.
std::string add_steering(Car& car, const Json& file, const Json& place, const std::string& suffix);

/// Templates that add_steering() covers.
const std::vector<std::string>& steering_templates();

/// Anti-roll bar of two arms with a torsion spring between, hung on both corners.
void add_antirollbar(Car& car, const Json& file, const Eigen::Vector3d& location, const Axle& axle,
                     const std::string& suffix);

/// What a tyre file says.
struct Tyre {
  Rolling rolling;
  double radius = 0.0;         ///< unloaded, m
  double stiffness = 0.0;      ///< vertical at the nominal load, N/m; 0 if not known
  double damping = 0.0;        ///< vertical, N s/m
  std::string property_text;   ///< of a .tir file to be written beside the vehicle file, or empty
  std::optional<XmlNode> law;  ///< `<tyre>` of a tyre that rolls; none if its law is not covered
};
/// TMeasyTire, FialaTire, RigidTire (which does not roll here) or Pac02Tire. `xml_folder`: of the
/// file to be written, for the path of a .tir file; `property_file`: name of one beside it that a
/// Pac02Tire without a file of its own needs.
Tyre read_tyre(Car& car, const Json& file, const JsonFolder& folder, const std::string& xml_folder,
               const std::string& property_file);

/// Templates that read_tyre() covers.
const std::vector<std::string>& tyre_templates();

/// TMeasyTire: the law of its parameters, or Chrono's guess from what the tyre may carry.
Tyre read_tmeasy_tyre(Car& car, const Json& file);

/// Pac02Tire whose numbers stand in the JSON file: the text of a .tir file with the same numbers.
std::string property_text_of(Car& car, const Json& file);

/// Whether a path ends in .tir.
bool is_property_file(const std::string& path);
/// A tyre property file of a Magic Formula, as read_tyre_file() takes it; `path` as it stands, else
/// below the folder. `brings_mass`: mass and inertia are those of its [INERTIA].
Tyre read_property_file(Car& car, const JsonFolder& folder, const std::string& path,
                        const std::string& xml_folder, bool brings_mass);
/// The same of a text that will stand in a file of a name beside the vehicle file.
Tyre read_property_text(Car& car, const std::string& text, const std::string& name);

/// Mass and inertia under two keys of a part.
Rolling read_rolling(const Json& part, const char* mass, const char* inertia);

/// Mass and inertia of a wheel file; its template is Wheel.
Rolling read_wheel(const Json& file);

/// Templates that read_brake() covers.
const std::vector<std::string>& brake_templates();
/// The torque limit of a brake file, N m; 0: no brake, with a note.
double read_brake(Car& car, const Json& file);

/// Templates that add_driveline() covers.
const std::vector<std::string>& engine_templates();
const std::vector<std::string>& transmission_templates();
const std::vector<std::string>& driveline_templates();
/// Engine, transmission and driveline as one `<driveline>`; `axles` are those that are driven, in
/// the order of Chrono: front before rear.
void add_driveline(Car& car, const Json& driveline, const Json& engine, const Json& transmission,
                   const std::vector<std::pair<std::string, Axle>>& axles);

/// An `<input>` of a name, once.
void add_input(Car& car, const std::string& name);

}  // namespace semirec::chrono
