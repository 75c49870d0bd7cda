#pragma once

#include <string>

#include "vehicles/session.hpp"

namespace semirec {

/// The unit in which the first element that reads an input takes it: `m`, `rad`, `N` or `N m`;
/// empty when nothing reads it.
std::string find_input_unit(const Session& session, int input);

}  // namespace semirec
