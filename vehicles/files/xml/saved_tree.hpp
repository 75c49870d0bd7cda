#pragma once

#include <string>
#include <string_view>

#include "vehicles/files/xml/xml_tree.hpp"

namespace semirec {

/// Whether the bytes of a file are a tree that save_tree() wrote, of whatever version.
bool is_saved_tree(std::string_view bytes);

/// The tree in a form that is read without an XML parser: a first line with the form's version,
/// then the strings, each once, then the nodes from the root down, whole numbers in groups of seven
/// bits, the lowest first. The same tree makes the same bytes.
std::string save_tree(const XmlTree& tree);

/// Throws ModelError where the bytes are of another version or cut short. `path` is the file's name
/// in messages.
XmlTree load_tree(std::string_view bytes, const std::string& path);

}  // namespace semirec
