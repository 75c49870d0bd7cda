#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "vehicles/description/shape.hpp"

namespace semirec {

// The readers of each kind, for read_mesh(). Corners and triangles as the file has them. Throw
// ModelError.

TriangleMesh read_stl(const std::string& bytes, const std::string& path);
TriangleMesh read_obj(const std::string& bytes, const std::string& path);
/// `.glb` or `.gltf`.
TriangleMesh read_gltf(const std::string& bytes, const std::string& path);

[[noreturn]] void fail_mesh(const std::string& path, int line, const std::string& message);
/// Refuses a mesh that is larger than a picture needs.
void check_triangle_count(std::size_t count, const std::string& path, int line);

/// Little-endian, at a place that is there.
std::uint32_t word_at(std::string_view bytes, std::size_t at);
float float_at(std::string_view bytes, std::size_t at);

}  // namespace semirec
