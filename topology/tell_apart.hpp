#pragma once

#include <set>
#include <string>

namespace semirec {

/// A name of its own among those taken, to which it is added: `name`, or name#2, name#3 ...
inline std::string tell_apart(const std::string& name, std::set<std::string>& taken) {
  std::string own = name;
  for (int k = 2; !taken.insert(own).second; ++k) own = name + '#' + std::to_string(k);
  return own;
}

}  // namespace semirec
