#pragma once

#include <array>
#include <filesystem>
#include <string>

namespace semirec::test {

/// Small cars of invented numbers in the JSON of Chrono::Vehicle.
std::filesystem::path chrono_folder();

std::string text_of_file(const std::filesystem::path& path);

/// Mass of a Chrono vehicle, kg, by a walk over its JSON files below `root` that knows nothing of
/// the importer: parts of a suspension come twice but for those of the whole axle. `tyre`: mass of
/// one tyre, kg.
double mass_in_json(const std::filesystem::path& root, const std::string& vehicle, double tyre);

/// How a Chrono car stands.
struct ChronoStand {
  double mass = 0.0;                     ///< kg
  double pitch = 0.0;                    ///< of the chassis, rad
  double height = 0.0;                   ///< of the chassis' centre of mass, m
  std::array<double, 2> load{};          ///< of one tyre in front and behind, N
  std::array<double, 2> wheel_height{};  ///< of their centres, m
};

/// The stand of a symmetric car with two axles of double wishbones, from its JSON files alone:
/// hardpoints on rigid arms by Newton, then the balance of virtual work in four coordinates (height
/// and pitch of the chassis, travel of both axles). `radius` and `stiffness` are those of its
/// tyres, m and N/m. Throws what the JSON library throws.
ChronoStand stand_of_json(const std::filesystem::path& root, const std::string& vehicle,
                          double tyre_mass, double radius, double stiffness);

}  // namespace semirec::test
