#pragma once

#include <string>
#include <utility>
#include <vector>

namespace semirec::fmi {

/// A file of an archive: name with forward slashes, and its bytes.
using ArchiveFile = std::pair<std::string, std::string>;

/// The bytes of a zip archive that stores its files as they are, in their order; the date of all is
/// 1980-01-01, so that the same files give the same bytes. Layout: PKWARE APPNOTE 6.3.3,
/// version 2.0. Throws ModelError where a file or the whole has 4 GB or more, or more than 65 000
/// files.
std::string make_zip(const std::vector<ArchiveFile>& files);

}  // namespace semirec::fmi
