#include <algorithm>
#include <array>
#include <cmath>

#include "vehicles/files/mesh/mesh_kinds.hpp"
#include "vehicles/files/mesh/words.hpp"
#include "vehicles/road/road_text.hpp"

namespace semirec {

namespace {

constexpr std::size_t kMostVertices = 300'000;
constexpr std::array<std::string_view, 13> kFreeForm{"vp",   "cstype", "deg",  "bmat", "step",
                                                     "curv", "curv2",  "surf", "parm", "trim",
                                                     "hole", "scrv",   "sp"};
constexpr std::array<std::string_view, 18> kWithoutTriangles{
    "vn",     "vt", "g", "o",   "s",     "mg",       "usemtl",   "mtllib",     "usemap",
    "maplib", "l",  "p", "lod", "bevel", "c_interp", "d_interp", "shadow_obj", "trace_obj"};

template <std::size_t n>
bool is_one_of(const std::array<std::string_view, n>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// `7`, `7/1`, `7//2`, `7/1/2` or the same from the end, `-1` the last vertex so far.
std::uint32_t vertex_of(std::string_view word, std::size_t count, const std::string& path,
                        int line) {
  const auto number = number_of(word.substr(0, word.find('/')));
  const double vertices = static_cast<double>(count);
  const double index = !number ? 0.0 : *number < 0.0 ? vertices + *number + 1.0 : *number;
  if (!(index >= 1.0 && index <= vertices && index == std::floor(index)))
    fail_mesh(path, line,
              "has a face with the vertex '" + shown(word) + "', expected one of the " +
                  std::to_string(count) + " before it");
  return static_cast<std::uint32_t>(index) - 1;
}

}  // namespace

TriangleMesh read_obj(const std::string& bytes, const std::string& path) {
  TriangleMesh mesh;
  Lines lines(bytes);
  std::string_view line;
  while (lines.next(line)) {
    const std::vector<std::string_view> words = words_of(line.substr(0, line.find('#')));
    if (words.empty()) continue;
    if (words[0] == "v") {
      if (mesh.corners.size() == kMostVertices)
        fail_mesh(path, lines.number(),
                  "has more than " + std::to_string(kMostVertices) + " vertices, expected fewer");
      mesh.corners.push_back(point_of(words, path, lines.number()));
    } else if (words[0] == "f") {
      if (words.size() < 4)
        fail_mesh(path, lines.number(), "has a face of fewer than three vertices, expected three");
      std::vector<std::uint32_t> face;
      for (std::size_t k = 1; k < words.size(); ++k)
        face.push_back(vertex_of(words[k], mesh.corners.size(), path, lines.number()));
      for (std::size_t k = 2; k < face.size(); ++k)
        mesh.indices.insert(mesh.indices.end(), {face[0], face[k - 1], face[k]});
      check_triangle_count(mesh.indices.size() / 3, path, lines.number());
    } else if (is_one_of(kFreeForm, words[0])) {
      fail_mesh(path, lines.number(),
                "has a curved surface ('" + shown(words[0]) + "'), expected faces alone");
    } else if (!is_one_of(kWithoutTriangles, words[0])) {
      fail_mesh(path, lines.number(),
                "has the word '" + shown(words[0]) + "', expected one of Wavefront OBJ");
    }
  }
  return mesh;
}

}  // namespace semirec
