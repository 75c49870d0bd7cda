#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <Eigen/Geometry>
#include <nlohmann/json.hpp>

namespace semirec::report {

/// The one buffer of a glTF 2.0 file and what lies in it: fills `bufferViews`, `accessors` and
/// `buffers` of the file, which must outlive it.
class GltfBuffer {
 public:
  explicit GltfBuffer(nlohmann::ordered_json& file);
  /// Index of an accessor over 32-bit floats, `size` (1, 3 or 4) an element; with least and largest
  /// values. vertices: they are positions or normals of a mesh.
  int add(const std::vector<float>& numbers, int size, bool vertices = false);
  /// Index of an accessor over corners of triangles.
  int add_indices(const std::vector<std::uint32_t>& indices);

  /// The file as text, the buffer in it as base64.
  std::string text();
  /// The file as binary glTF (.glb).
  std::string binary();

 private:
  int view(const char* bytes, std::size_t size, int target);

  nlohmann::ordered_json& file_;
  std::string bytes_;
};

/// Behind the others, in 32 bits.
void put(std::vector<float>& numbers, const Eigen::Vector3d& v);
/// x y z w.
void put(std::vector<float>& numbers, const Eigen::Quaterniond& q);

/// A node that turns z up, as here, to y up, as in glTF, around its children.
nlohmann::ordered_json upright_node(const std::string& name,
                                    const std::vector<std::size_t>& children);

}  // namespace semirec::report
