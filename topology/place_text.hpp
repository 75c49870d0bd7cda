#pragma once

#include <string>

#include "topology/mechanism.hpp"

namespace semirec {

/// What a message or a note begins with: `car.xml:12: `, `car.xml: ` where the line is not known,
/// nothing where the file is not.
std::string place_text(const Source& place);

}  // namespace semirec
