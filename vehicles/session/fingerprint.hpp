#pragma once

#include <cstdint>

#include "vehicles/description/scenario.hpp"
#include "vehicles/session/drive.hpp"

namespace semirec {

/// One number for everything that the motion of a drive depends on: names, sizes and numbers of the
/// mechanism with its inputs, wheels, road, speed, events, formulation, settings of the step.
/// Drives of the same files and settings have the same; two that differ have the same by chance
/// only; of force elements that the caller adds, names and numbers of states count, and what their
/// forces depend on does not. What is recorded does not count. `scenario` is the one that the drive
/// was made of.
std::uint64_t fingerprint(const Drive& drive, const Scenario& scenario);

}  // namespace semirec
