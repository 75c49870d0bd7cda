#pragma once

#include <string>
#include <vector>

#include "vehicles/files/xml/document.hpp"

namespace semirec {

class OverrideSet;

/// Follows includes, evaluates parameters (after `changes`) and writes out each use of a template.
/// Throws ModelError.
/// With `text` the first file is read from there and `path` is only its name.
Document expand_file(const std::string& path, const std::vector<std::string>& roots,
                     OverrideSet& changes, const std::string* text = nullptr);

}  // namespace semirec
