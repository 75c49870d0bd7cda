#pragma once

#include <string>

#include "topology/mechanism.hpp"

namespace semirec::realtime {

/// The unit of an input by what reads it (the first user counts): `m`, `rad`, `N`, `N m`; "" where
/// nobody does.
std::string input_unit(const Mechanism& mechanism, InputIndex input);

}  // namespace semirec::realtime
