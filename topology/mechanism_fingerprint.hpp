#pragma once

#include "topology/fingerprint.hpp"
#include "topology/mechanism.hpp"

namespace semirec {

/// All that a mechanism's motion depends on and its elements' names; without the lines of the file
/// in which they were written.
void put_into(Fingerprint& fingerprint, const Mechanism& mechanism);
/// The body and the pose, without the name.
void put_into(Fingerprint& fingerprint, const Marker& marker);

}  // namespace semirec
