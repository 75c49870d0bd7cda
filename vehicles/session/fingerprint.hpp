#pragma once

#include <cstdint>

#include "vehicles/session/drive.hpp"

namespace semirec {

/// One number for everything that the motion of a drive depends on: names, sizes and numbers of the
/// mechanism with its inputs, wheels with their tyre laws, road, speed, events, formulation,
/// settings of the step. Drives of the same descriptions and settings have the same; two that
/// differ have the same by chance only; of force elements that the caller adds, names and numbers
/// of states count, and what their forces depend on does not. What is recorded does not count.
/// `vehicle` and `scenario` are those that the drive was made of.
std::uint64_t fingerprint(const Vehicle& vehicle, const Scenario& scenario, const Drive& drive);

}  // namespace semirec
