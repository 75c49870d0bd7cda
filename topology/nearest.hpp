#pragma once

#include <string>
#include <vector>

namespace semirec {

/// The candidate that means the same as `word` (`k` for `stiffness`), otherwise the one with the
/// smallest edit distance to it, by the first hundred characters of each; empty without candidates.
std::string nearest(const std::string& word, const std::vector<std::string>& candidates);

/// ", nearest known name is 'x'", or ", none is known here" without candidates.
std::string nearest_hint(const std::string& word, const std::vector<std::string>& candidates);

}  // namespace semirec
