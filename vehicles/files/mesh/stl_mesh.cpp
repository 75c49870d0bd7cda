#include <cmath>

#include "vehicles/files/mesh/mesh_kinds.hpp"
#include "vehicles/files/mesh/words.hpp"
#include "vehicles/road/road_text.hpp"

namespace semirec {

namespace {

// a binary file: 80 bytes of anything, the number of triangles, for each a normal, three corners
// and two bytes more
constexpr std::size_t kStlHead = 84, kStlTriangle = 50, kStlNormal = 12;

TriangleMesh read_binary_stl(const std::string& bytes, const std::string& path) {
  const std::size_t count = word_at(bytes, 80);
  check_triangle_count(count, path, 0);
  TriangleMesh mesh;
  for (std::size_t k = 0; k < count; ++k)
    for (std::size_t corner = 0; corner < 3; ++corner) {
      const std::size_t at = kStlHead + kStlTriangle * k + kStlNormal + 12 * corner;
      mesh.indices.push_back(static_cast<std::uint32_t>(mesh.corners.size()));
      mesh.corners.emplace_back(float_at(bytes, at), float_at(bytes, at + 4),
                                float_at(bytes, at + 8));
    }
  return mesh;
}

TriangleMesh read_ascii_stl(const std::string& bytes, const std::string& path) {
  TriangleMesh mesh;
  Lines lines(bytes);
  std::string_view line;
  std::size_t corners = 0;  // of the loop that is open
  bool in_loop = false;
  while (lines.next(line)) {
    const std::vector<std::string_view> words = words_of(line);
    if (words.empty()) continue;
    const std::string word = lower_case(words[0]);
    if (word == "outer") {
      if (in_loop) fail_mesh(path, lines.number(), "opens a loop in a loop, expected 'endloop'");
      in_loop = true;
      corners = 0;
    } else if (word == "vertex") {
      if (!in_loop || ++corners > 3)
        fail_mesh(path, lines.number(), "has a vertex too many, expected three in a loop");
      mesh.indices.push_back(static_cast<std::uint32_t>(mesh.corners.size()));
      mesh.corners.push_back(point_of(words, path, lines.number()));
    } else if (word == "endloop") {
      if (!in_loop || corners != 3)
        fail_mesh(path, lines.number(),
                  "closes a loop of " + std::to_string(corners) + " vertices, expected three");
      in_loop = false;
      check_triangle_count(mesh.indices.size() / 3, path, lines.number());
    } else if (word != "solid" && word != "facet" && word != "endfacet" && word != "endsolid") {
      fail_mesh(path, lines.number(),
                "has the word '" + shown(words[0]) + "', expected one of ASCII STL");
    }
  }
  if (in_loop) fail_mesh(path, lines.number(), "ends within a loop, expected 'endloop'");
  return mesh;
}

}  // namespace

TriangleMesh read_stl(const std::string& bytes, const std::string& path) {
  // binary files may begin with `solid`, too: their length tells
  if (bytes.size() >= kStlHead &&
      bytes.size() == kStlHead + kStlTriangle * std::size_t{word_at(bytes, 80)})
    return read_binary_stl(bytes, path);
  if (lower_case(trimmed(std::string_view(bytes).substr(0, 6))).rfind("solid", 0) == 0)
    return read_ascii_stl(bytes, path);
  fail_mesh(path, 0,
            "has " + std::to_string(bytes.size()) +
                " bytes and does not begin with 'solid', expected ASCII STL, or binary STL of 84 "
                "bytes and 50 for each triangle that it counts");
}

}  // namespace semirec
