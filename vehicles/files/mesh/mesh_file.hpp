#pragma once

#include <cstddef>
#include <string>

#include "vehicles/description/shape.hpp"

namespace semirec {

inline constexpr std::size_t kMostMeshBytes = 16'000'000;   ///< of a file
inline constexpr std::size_t kMostMeshTriangles = 100'000;  ///< of a mesh

/// Whether files that are called so are in metres by their own rule, as glTF's are.
bool mesh_is_in_metres(const std::string& path);

/// Triangles of a file: `.stl` (ASCII or binary), `.obj` (polygons, as fans), `.glb` or `.gltf`
/// (triangles of the meshes of its scene). Corners that are equal to the last bit are one,
/// triangles with two equal corners are left out. Colours, textures, normals and names are not
/// read.
///
/// Units: those of the file. Axes: those of the file; glTF, whose y axis points up, is turned to
/// z up: its x, y, z are x, z, -y.
///
/// Throws ModelError in one line, with the line of a text file: a file that cannot be read, is
/// larger than kMostMeshBytes, has more than kMostMeshTriangles or none, a corner that is not
/// finite or beyond 1e6, or is none of these.
TriangleMesh read_mesh_file(const std::string& path);

/// The same of the bytes of a file. `path` tells its kind and stands in messages; buffers of glTF
/// that lie in files are looked for beside it.
TriangleMesh read_mesh(const std::string& bytes, const std::string& path);

}  // namespace semirec
