#include "vehicles/files/mesh/words.hpp"

#include "vehicles/files/mesh/mesh_kinds.hpp"
#include "vehicles/road/road_text.hpp"

namespace semirec {

std::vector<std::string_view> words_of(std::string_view line) {
  constexpr std::string_view kBlanks = " \t";
  std::vector<std::string_view> words;
  for (std::size_t at = line.find_first_not_of(kBlanks); at < line.size();) {
    const std::size_t end = std::min(line.find_first_of(kBlanks, at), line.size());
    words.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(kBlanks, end);
  }
  return words;
}

Eigen::Vector3d point_of(const std::vector<std::string_view>& words, const std::string& path,
                         int line) {
  Eigen::Vector3d point;
  for (std::size_t k = 0; k < 3; ++k) {
    const auto number = k + 1 < words.size() ? number_of(words[k + 1]) : std::nullopt;
    if (!number)
      fail_mesh(path, line,
                "has a vertex with '" +
                    (k + 1 < words.size() ? shown(words[k + 1]) : std::string()) +
                    "', expected three numbers");
    point[static_cast<Eigen::Index>(k)] = *number;
  }
  return point;
}

}  // namespace semirec
