#pragma once

#include <string>
#include <vector>

#include "vehicles/files/xml/document.hpp"

namespace semirec {

class OverrideSet;
struct ExpansionRecord;
struct XmlFile;

/// Follows includes, evaluates parameters (after `changes`) and writes out each use of a template.
/// Throws ModelError.
/// With `text` the first file is read from there and `path` is only its name.
Document expand_file(const std::string& path, const std::vector<std::string>& roots,
                     OverrideSet& changes, const std::string* text = nullptr);
/// The same with files that are parsed already; the others are opened.
Document expand_file(const std::string& path, const std::vector<std::string>& roots,
                     OverrideSet& changes, const std::vector<XmlFile>& files);
/// The same without overrides; `record` is filled as far as it goes, also where this throws.
Document expand_file(const std::string& path, const std::vector<std::string>& roots,
                     ExpansionRecord& record);

}  // namespace semirec
