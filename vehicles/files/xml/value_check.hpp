#pragma once

#include "vehicles/files/xml/element.hpp"
#include "vehicles/files/xml/faults.hpp"

namespace semirec {

/// Holds an element and those inside it against the table, before a reader asks: attributes that
/// are missing, and values that are not of their kind or out of their range.
void check_values(const Element& element, Faults& faults);

}  // namespace semirec
