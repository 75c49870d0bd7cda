#pragma once

#include <string>

#include "vehicles/session.hpp"

namespace semirec {

/// The unit in which the first element that reads an input takes it: `m`, `rad`, `m/s`, `N`, `N m`,
/// or `1` for pedals and levers; empty when nothing reads it.
std::string find_input_unit(const Session& session, int input);

}  // namespace semirec
