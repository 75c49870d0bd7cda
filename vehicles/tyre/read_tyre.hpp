#pragma once

#include <memory>
#include <string>
#include <vector>

#include "vehicles/tyre/magic_parameters.hpp"
#include "vehicles/tyre/tyre_law.hpp"

namespace semirec {

/// Reads a tyre property file (.tir) with a Magic Formula tyre: PAC2002, MF_05, or FITTYP 5, 6, 51,
/// 52, 60, 61, 62. A tyre measured for the other side of the car is mirrored. `notes`, if given,
/// receives a line for each key, section or mode that is not honoured.
///
/// Throws ModelError with one line: `file:line: element 'KEY': what is wrong, what was expected`.
std::shared_ptr<const TyreLaw> read_tyre_file(const std::string& path, Side mounted,
                                              std::vector<std::string>* notes = nullptr);

/// The same from text; `file` is named in messages.
std::shared_ptr<const TyreLaw> read_tyre_text(const std::string& text, const std::string& file,
                                              Side mounted,
                                              std::vector<std::string>* notes = nullptr);

}  // namespace semirec
