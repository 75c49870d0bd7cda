#include "vehicles/files/mesh/mesh_file.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <filesystem>
#include <numeric>

#include "vehicles/files/mesh/mesh_kinds.hpp"
#include "vehicles/road/road_text.hpp"

namespace semirec {

namespace {

constexpr double kFarthestInFile = 1e6;  // of a corner, in the unit of the file

std::string ending_of(const std::string& path) {
  return lower_case(std::filesystem::path(path).extension().string());
}

/// Each corner of several that are equal by the first of them, and only those that are used.
TriangleMesh welded(const TriangleMesh& mesh) {
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    const Eigen::Vector3d& p = mesh.corners[a];
    const Eigen::Vector3d& q = mesh.corners[b];
    return std::array{p.x(), p.y(), p.z()} < std::array{q.x(), q.y(), q.z()};
  };
  std::vector<std::uint32_t> order(mesh.corners.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), before);
  std::vector<std::uint32_t> first(order.size());
  for (std::size_t k = 0; k < order.size(); ++k)
    first[order[k]] = k > 0 && mesh.corners[order[k - 1]] == mesh.corners[order[k]]
                          ? first[order[k - 1]]
                          : order[k];

  TriangleMesh out;
  constexpr std::uint32_t kNone = ~0U;
  std::vector<std::uint32_t> place(mesh.corners.size(), kNone);
  for (std::size_t k = 0; k + 2 < mesh.indices.size(); k += 3) {
    std::array<std::uint32_t, 3> face{};
    for (std::size_t i = 0; i < 3; ++i) face[i] = first[mesh.indices[k + i]];
    if (face[0] == face[1] || face[1] == face[2] || face[2] == face[0]) continue;
    for (const std::uint32_t corner : face) {
      if (place[corner] == kNone) {
        place[corner] = static_cast<std::uint32_t>(out.corners.size());
        out.corners.push_back(mesh.corners[corner]);
      }
      out.indices.push_back(place[corner]);
    }
  }
  return out;
}

}  // namespace

void fail_mesh(const std::string& path, int line, const std::string& message) {
  throw ModelError(Source{path, line}, "mesh", message);
}

void check_triangle_count(std::size_t count, const std::string& path, int line) {
  if (count > kMostMeshTriangles)
    fail_mesh(path, line,
              "has more than " + std::to_string(kMostMeshTriangles) +
                  " triangles, expected fewer: a picture needs some thousands");
}

std::uint32_t word_at(std::string_view bytes, std::size_t at) {
  std::uint32_t word = 0;
  for (std::size_t k = 0; k < 4; ++k)
    word |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at + k])) << (8 * k);
  return word;
}

float float_at(std::string_view bytes, std::size_t at) {
  return std::bit_cast<float>(word_at(bytes, at));
}

bool mesh_is_in_metres(const std::string& path) {
  const std::string ending = ending_of(path);
  return ending == ".glb" || ending == ".gltf";
}

TriangleMesh read_mesh(const std::string& bytes, const std::string& path) {
  const std::string ending = ending_of(path);
  TriangleMesh mesh;
  if (ending == ".stl")
    mesh = read_stl(bytes, path);
  else if (ending == ".obj")
    mesh = read_obj(bytes, path);
  else if (mesh_is_in_metres(path))
    mesh = read_gltf(bytes, path);
  else
    fail_mesh(path, 0, "ends on '" + shown(ending) + "', expected .stl, .obj, .glb or .gltf");
  for (const Eigen::Vector3d& corner : mesh.corners)
    if (!(corner.cwiseAbs().maxCoeff() <= kFarthestInFile))
      fail_mesh(path, 0,
                "has a corner that is not finite or beyond 1e6, expected one that can be drawn");
  mesh = welded(mesh);
  if (mesh.indices.empty()) fail_mesh(path, 0, "has no triangle, expected one at least");
  return mesh;
}

TriangleMesh read_mesh_file(const std::string& path) {
  return read_mesh(read_bytes(path, "mesh", kMostMeshBytes), path);
}

}  // namespace semirec
