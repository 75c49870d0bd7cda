#include "apps/report/gltf_buffer.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "apps/report/numbers.hpp"

namespace semirec::report {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kFloat = 5126, kUnsigned = 5125;
constexpr int kVertices = 34962, kIndices = 34963;

void put_word(std::string& bytes, std::size_t word) {
  for (std::size_t k = 0; k < 4; ++k)
    bytes += static_cast<char>(static_cast<unsigned char>(word >> (8 * k)));
}

/// A chunk of a .glb: length, kind, content, filled up to whole words.
void put_chunk(std::string& file, const char* kind, std::string content, char filler) {
  content.resize((content.size() + 3) / 4 * 4, filler);
  put_word(file, content.size());
  file.append(kind, 4);
  file += content;
}

}  // namespace

GltfBuffer::GltfBuffer(Json& file) : file_(file) {
  file_["bufferViews"] = Json::array();
  file_["accessors"] = Json::array();
}

int GltfBuffer::view(const char* bytes, std::size_t size, int target) {
  Json own = {{"buffer", 0}, {"byteOffset", bytes_.size()}, {"byteLength", size}};
  if (target != 0) own["target"] = target;
  file_["bufferViews"].push_back(std::move(own));
  bytes_.append(bytes, size);
  return static_cast<int>(file_["bufferViews"].size()) - 1;
}

int GltfBuffer::add(const std::vector<float>& numbers, int size, bool vertices) {
  const int own_view = view(reinterpret_cast<const char*>(numbers.data()),
                            numbers.size() * sizeof(float), vertices ? kVertices : 0);
  std::vector<float> least(static_cast<std::size_t>(size), 1e30f);
  std::vector<float> most(static_cast<std::size_t>(size), -1e30f);
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    const std::size_t i = k % static_cast<std::size_t>(size);
    least[i] = std::min(least[i], numbers[k]);
    most[i] = std::max(most[i], numbers[k]);
  }
  const char* const types[] = {"", "SCALAR", "", "VEC3", "VEC4"};
  file_["accessors"].push_back({{"bufferView", own_view},
                                {"componentType", kFloat},
                                {"count", numbers.size() / static_cast<std::size_t>(size)},
                                {"type", types[size]},
                                {"min", least},
                                {"max", most}});
  return static_cast<int>(file_["accessors"].size()) - 1;
}

int GltfBuffer::add_indices(const std::vector<std::uint32_t>& indices) {
  const int own_view = view(reinterpret_cast<const char*>(indices.data()),
                            indices.size() * sizeof(std::uint32_t), kIndices);
  file_["accessors"].push_back({{"bufferView", own_view},
                                {"componentType", kUnsigned},
                                {"count", indices.size()},
                                {"type", "SCALAR"}});
  return static_cast<int>(file_["accessors"].size()) - 1;
}

std::string GltfBuffer::text() {
  file_["buffers"] = Json::array();
  file_["buffers"].push_back({{"byteLength", bytes_.size()},
                              {"uri", "data:application/octet-stream;base64," + base64(bytes_)}});
  return file_.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string GltfBuffer::binary() {
  file_["buffers"] = Json::array();
  file_["buffers"].push_back({{"byteLength", bytes_.size()}});
  std::string chunks;
  put_chunk(chunks, "JSON", file_.dump(-1, ' ', false, Json::error_handler_t::replace), ' ');
  put_chunk(chunks, "BIN\0", bytes_, '\0');
  constexpr std::size_t kVersion = 2, kHeader = 12;
  std::string file = "glTF";
  put_word(file, kVersion);
  put_word(file, kHeader + chunks.size());
  return file + chunks;
}

void put(std::vector<float>& numbers, const Eigen::Vector3d& v) {
  for (int k = 0; k < 3; ++k) numbers.push_back(static_cast<float>(v[k]));
}

void put(std::vector<float>& numbers, const Eigen::Quaterniond& q) {
  for (const double c : {q.x(), q.y(), q.z(), q.w()}) numbers.push_back(static_cast<float>(c));
}

Json upright_node(const std::string& name, const std::vector<std::size_t>& children) {
  const double half = std::sqrt(0.5);
  return {{"name", name}, {"rotation", {-half, 0.0, 0.0, half}}, {"children", children}};
}

}  // namespace semirec::report
