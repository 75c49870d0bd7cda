#pragma once

#include <string>

#include "topology/mechanism.hpp"

namespace semirec {

// Names that were called otherwise until the last release are read for one release more, with a
// note. Those of elements and attributes stand in their rows of the table (xml/table.hpp); here are
// those of manoeuvres, their methods and values, and of quantities and channels.

/// What a name that is not known any more is called now: `largest_steering_wheel` for
/// `largest_hand_wheel`. The word itself where it was never called otherwise. To be asked only
/// where the word is not known, so that names of a user's own keep their meaning.
std::string current_name(const std::string& word);

/// `car.xml:12: 'hand_wheel' is now called 'steering_wheel'; the old name is read until the next
/// release`, with the place as far as it is known.
std::string old_name_note(const Source& place, const std::string& old_name,
                          const std::string& name);

}  // namespace semirec
