#pragma once

#include <string>

namespace semirec {

/// Adds a name in quotes to a list of such, with a comma before it where it is not the first.
inline void add_quoted(std::string& list, const std::string& name) {
  list += (list.empty() ? "'" : ", '") + name + "'";
}

}  // namespace semirec
