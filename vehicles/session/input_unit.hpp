#pragma once

#include <string>

#include "vehicles/session/session.hpp"

namespace semirec {

/// The unit in which the first element that reads an input takes it: `m`, `rad`, `m/s`, `N`, `N m`,
/// or `1` for pedals and levers; empty where nothing but equations reads it, which name no unit of
/// what they read. An input that others follow (`of`) has theirs, but for one that moves a length
/// by a factor that is not 1 or -1: the steering (and what stands between it and the rack) is in
/// rad, its factor in m/rad; of others the unit is not known.
std::string find_input_unit(const Drive& drive, int input);
std::string find_input_unit(const Session& session, int input);

/// The same of a drive that is being made, before its recorder knows; `steering`: Controls'.
std::string work_out_input_unit(const Drive& drive, int input, const std::string& steering);

}  // namespace semirec
