#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>

namespace semirec {

/// Words of a line, by blanks and tabs.
std::vector<std::string_view> words_of(std::string_view line);
/// The three numbers behind the first word. Throws ModelError.
Eigen::Vector3d point_of(const std::vector<std::string_view>& words, const std::string& path,
                         int line);

}  // namespace semirec
