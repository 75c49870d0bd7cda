#include <cstdint>
#include <cstdlib>
#include <string>

#include "vehicles/files/mesh/mesh_file.hpp"

// A mesh file gives one line of complaint, or triangles between corners that can be drawn. The
// first byte tells what the rest is called.

namespace {

void expect(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const char* const names[] = {"fuzz.stl", "fuzz.obj", "fuzz.glb", "fuzz.gltf"};
  const std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    const semirec::TriangleMesh mesh = semirec::read_mesh(bytes, names[data[0] % 4]);
    expect(!mesh.indices.empty() && mesh.indices.size() % 3 == 0);
    for (const std::uint32_t index : mesh.indices) expect(index < mesh.corners.size());
    for (const Eigen::Vector3d& corner : mesh.corners) expect(corner.cwiseAbs().maxCoeff() <= 1e6);
  } catch (const semirec::ModelError& error) {
    expect(std::string(error.what()).find('\n') == std::string::npos);
  }
  return 0;
}
