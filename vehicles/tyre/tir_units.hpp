#pragma once

#include <string>

#include "vehicles/tyre/tir_file.hpp"

namespace semirec {

/// Sets the factor of one line of [UNITS]. False if the unit is unknown; keys that are no
/// quantities of ours (TEMPERATURE, ...) are passed over.
bool set_unit(const std::string& key, const std::string& unit, TirUnits& units);

/// Units that set_unit() knows for this key, for messages.
std::string known_units(const std::string& key);

/// What the number of this key is multiplied by to be SI; 1 for coefficients.
double factor_of(const std::string& key, const TirUnits& units);

}  // namespace semirec
