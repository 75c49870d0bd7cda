#include <cmath>
#include <filesystem>
#include <map>
#include <optional>

#include <Eigen/Geometry>

#include "vehicles/files/json_file.hpp"
#include "vehicles/files/mesh/mesh_file.hpp"
#include "vehicles/files/mesh/mesh_kinds.hpp"
#include "vehicles/road/road_text.hpp"

namespace semirec {

namespace {

using Eigen::Matrix4d;
using Eigen::Vector3d;
using json::Json;

constexpr std::size_t kGlbHead = 12, kChunkHead = 8;
constexpr std::uint32_t kGlb = 0x46546C67, kJsonChunk = 0x4E4F534A, kBinaryChunk = 0x004E4942;
constexpr int kMostGltfBytes = 1'000'000'000, kMostListed = 1'000'000;
constexpr std::size_t kMostCorners = 300'000;
constexpr int kDeepestNode = 200;
constexpr int kTriangles = 4, kStrip = 5, kFan = 6;

/// Extensions that change how a mesh looks, not where its corners are.
bool is_of_looks(const std::string& extension) {
  for (const char* begin : {"KHR_materials_", "KHR_texture_", "EXT_texture_", "KHR_lights_"})
    if (extension.rfind(begin, 0) == 0) return true;
  return false;
}

std::string decoded_base64(const Json& uri, std::string_view text) {
  std::string bytes;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    if (c == '=') break;
    const int digit = c >= 'A' && c <= 'Z'   ? c - 'A'
                      : c >= 'a' && c <= 'z' ? c - 'a' + 26
                      : c >= '0' && c <= '9' ? c - '0' + 52
                      : c == '+'             ? 62
                      : c == '/'             ? 63
                                             : -1;
    if (digit < 0) uri.fail("has bytes that are no base64, expected base64");
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(static_cast<unsigned char>(bits >> count));
  }
  return bytes;
}

class GltfScene {
 public:
  GltfScene(const json::JsonFile& file, std::optional<std::string> binary, const std::string& path)
      : root_(file), binary_(std::move(binary)), path_(path) {
    const Json version = root_.at("asset").at("version");
    if (version.text().rfind("2.", 0) != 0)
      version.fail("is '" + json::printable(version.text()) + "', expected 2.0");
    if (const auto extensions = root_.find("extensionsRequired"))
      for (const Json& extension : extensions->items())
        if (!is_of_looks(extension.text()))
          extension.fail("is '" + json::printable(extension.text()) +
                         "', which is not read, expected a mesh without it");
    nodes_ = list("nodes");
    meshes_ = list("meshes");
    accessors_ = list("accessors");
    views_ = list("bufferViews");
    buffers_ = list("buffers");
    visited_.resize(nodes_.size());
  }

  TriangleMesh read() {
    const std::vector<Json> scenes = list("scenes");
    if (scenes.empty()) root_.fail("has no scene, expected one");
    const auto chosen = root_.find("scene");
    const Json& scene = chosen ? one_of(scenes, *chosen, "scenes") : scenes.front();
    if (const auto top = scene.find("nodes"))
      for (const Json& node : top->items()) add_node(node, Matrix4d::Identity(), 0);
    return std::move(mesh_);
  }

 private:
  std::vector<Json> list(const char* name) const {
    const auto found = root_.find(name);
    return found ? found->items() : std::vector<Json>{};
  }
  static const Json& one_of(const std::vector<Json>& all, const Json& index, const char* what) {
    const double number = index.number();
    if (!(number >= 0.0 && number < static_cast<double>(all.size())) ||
        number != std::floor(number))
      index.fail("is none of the " + std::to_string(all.size()) + " " + what + ", expected one");
    return all[static_cast<std::size_t>(number)];
  }
  static int whole(const Json& object, const char* key, int fallback, int limit) {
    const auto found = object.find(key);
    return found ? found->index(limit) : fallback;
  }

  static std::vector<double> numbers(const Json& json, std::size_t count) {
    const std::vector<Json> parts = json.items();
    if (parts.size() != count)
      json.fail("has " + std::to_string(parts.size()) + " entries, expected " +
                std::to_string(count));
    std::vector<double> values;
    for (const Json& part : parts) values.push_back(part.number());
    return values;
  }

  /// From the axes of a node to those of the one above.
  static Matrix4d placed(const Json& node) {
    if (const auto matrix = node.find("matrix"))
      return Eigen::Map<const Matrix4d>(numbers(*matrix, 16).data());
    Matrix4d place = Matrix4d::Identity();
    if (const auto turn = node.find("rotation")) {
      const std::vector<double> q = numbers(*turn, 4);
      const Eigen::Quaterniond rotation(q[3], q[0], q[1], q[2]);
      if (!(std::abs(rotation.norm() - 1.0) < 1e-2))
        turn->fail("is not of length 1, expected a unit quaternion");
      place.topLeftCorner<3, 3>() = rotation.normalized().toRotationMatrix();
    }
    if (const auto scale = node.find("scale")) {
      const Vector3d by = scale->vector();
      for (int k = 0; k < 3; ++k) place.col(k) *= by[k];
    }
    if (const auto move = node.find("translation")) place.topRightCorner<3, 1>() = move->vector();
    return place;
  }

  void add_node(const Json& index, const Matrix4d& above, int depth) {
    const Json& node = one_of(nodes_, index, "nodes");
    auto seen = visited_.begin() + static_cast<std::ptrdiff_t>(index.number());
    if (*seen) index.fail("names a node a second time, expected a tree of nodes");
    *seen = true;
    if (depth > kDeepestNode) index.fail("lies deeper than 200 nodes, expected a flatter tree");
    const Matrix4d place = above * placed(node);
    if (const auto mesh = node.find("mesh")) {
      if (const auto skin = node.find("skin"))
        skin->fail("bends the mesh, expected a mesh without a skin");
      for (const Json& part : one_of(meshes_, *mesh, "meshes").at("primitives").items())
        add_part(part, place);
    }
    if (const auto below = node.find("children"))
      for (const Json& child : below->items()) add_node(child, place, depth + 1);
  }

  void add_part(const Json& part, const Matrix4d& place) {
    const int mode = whole(part, "mode", kTriangles, kFan);
    const auto positions = part.at("attributes").find("POSITION");
    // points and lines are not drawn
    if (mode < kTriangles || !positions) return;
    const auto first = static_cast<std::uint32_t>(mesh_.corners.size());
    for (const Vector3d& corner : corners(one_of(accessors_, *positions, "accessors"))) {
      const Eigen::Vector4d at = place * corner.homogeneous();
      mesh_.corners.emplace_back(at.x(), -at.z(), at.y());
    }
    const auto count = static_cast<std::uint32_t>(mesh_.corners.size()) - first;
    std::vector<std::uint32_t> order;
    if (const auto own = part.find("indices")) {
      const Json& accessor = one_of(accessors_, *own, "accessors");
      order = indices(accessor);
      for (const std::uint32_t index : order)
        if (index >= count)
          accessor.fail("has the corner " + std::to_string(index) + ", expected one of the " +
                        std::to_string(count) + " of its mesh");
    } else {
      for (std::uint32_t k = 0; k < count; ++k) order.push_back(k);
    }
    // a mirrored place turns the faces inside out
    const bool mirrored = place.topLeftCorner<3, 3>().determinant() < 0.0;
    const auto face = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
      if (mirrored) std::swap(b, c);
      mesh_.indices.insert(mesh_.indices.end(), {first + a, first + b, first + c});
    };
    for (std::size_t k = 0; k + 2 < order.size(); k += mode == kTriangles ? 3 : 1) {
      const bool odd = mode == kStrip && k % 2 == 1;
      face(mode == kFan ? order[0] : order[k], order[k + (odd ? 2 : 1)], order[k + (odd ? 1 : 2)]);
    }
    check_triangle_count(mesh_.indices.size() / 3, path_, part.source().line);
  }

  /// The bytes of an accessor's elements of `size` bytes, and how far apart they lie.
  struct Elements {
    std::string_view bytes;
    std::size_t count = 0, stride = 0;
  };
  Elements elements(const Json& accessor, std::size_t size) {
    if (const auto sparse = accessor.find("sparse"))
      sparse->fail("is not read, expected an accessor that is full");
    const Json& view = one_of(views_, accessor.at("bufferView"), "bufferViews");
    const std::string& buffer = bytes_of(view.at("buffer"));
    const auto begin = static_cast<std::size_t>(whole(view, "byteOffset", 0, kMostGltfBytes));
    const auto length = static_cast<std::size_t>(view.at("byteLength").index(kMostGltfBytes));
    if (begin + length > buffer.size())
      view.fail("ends behind its buffer of " + std::to_string(buffer.size()) +
                " bytes, expected a view within");
    const auto offset = static_cast<std::size_t>(whole(accessor, "byteOffset", 0, kMostGltfBytes));
    Elements out;
    out.count = static_cast<std::size_t>(accessor.at("count").index(kMostListed));
    out.stride = static_cast<std::size_t>(whole(view, "byteStride", static_cast<int>(size), 252));
    if (out.count == 0) return out;
    if (out.stride < size || offset + (out.count - 1) * out.stride + size > length)
      accessor.fail("ends behind its view of " + std::to_string(length) +
                    " bytes, expected one within");
    out.bytes = std::string_view(buffer).substr(begin + offset, length - offset);
    return out;
  }

  std::vector<Vector3d> corners(const Json& accessor) {
    constexpr int kFloat = 5126;
    if (accessor.at("componentType").index(kMostListed) != kFloat ||
        accessor.at("type").text() != "VEC3")
      accessor.fail("holds no VEC3 of floats (5126), expected such positions");
    const Elements found = elements(accessor, 12);
    if (found.count + mesh_.corners.size() > kMostCorners)
      accessor.fail("brings more than " + std::to_string(kMostCorners) +
                    " corners, expected fewer");
    std::vector<Vector3d> out;
    for (std::size_t k = 0; k < found.count; ++k) {
      const std::size_t at = k * found.stride;
      out.emplace_back(float_at(found.bytes, at), float_at(found.bytes, at + 4),
                       float_at(found.bytes, at + 8));
    }
    return out;
  }

  std::vector<std::uint32_t> indices(const Json& accessor) {
    static const std::map<int, std::size_t> kSizes{{5121, 1}, {5123, 2}, {5125, 4}};
    const auto size = kSizes.find(accessor.at("componentType").index(kMostListed));
    if (size == kSizes.end() || accessor.at("type").text() != "SCALAR")
      accessor.fail("holds no whole numbers (5121, 5123, 5125), expected such indices");
    const Elements found = elements(accessor, size->second);
    std::vector<std::uint32_t> out;
    for (std::size_t k = 0; k < found.count; ++k) {
      std::uint32_t index = 0;
      for (std::size_t i = 0; i < size->second; ++i)
        index |= static_cast<std::uint32_t>(
                     static_cast<unsigned char>(found.bytes[k * found.stride + i]))
                 << (8 * i);
      out.push_back(index);
    }
    return out;
  }

  const std::string& bytes_of(const Json& index) {
    const Json& buffer = one_of(buffers_, index, "buffers");
    const auto number = static_cast<std::size_t>(index.number());
    const auto known = bytes_.find(number);
    if (known != bytes_.end()) return known->second;
    std::string bytes;
    if (const auto uri = buffer.find("uri")) {
      bytes = named_bytes(*uri);
    } else {
      if (number != 0 || !binary_) buffer.fail("has no uri, expected one");
      bytes = *binary_;
    }
    const auto length = static_cast<std::size_t>(buffer.at("byteLength").index(kMostGltfBytes));
    if (bytes.size() < length)
      buffer.fail("has " + std::to_string(bytes.size()) + " bytes, expected the " +
                  std::to_string(length) + " of its byteLength");
    return bytes_.emplace(number, std::move(bytes)).first->second;
  }

  std::string named_bytes(const Json& uri) const {
    const std::string& text = uri.text();
    if (text.rfind("data:", 0) == 0) {
      constexpr std::string_view kBase64 = ";base64,";
      const std::size_t comma = text.find(kBase64);
      if (comma == std::string::npos) uri.fail("is data without base64, expected base64");
      return decoded_base64(uri, std::string_view(text).substr(comma + kBase64.size()));
    }
    const std::filesystem::path name(text);
    bool beside = !text.empty() && text.find(':') == std::string::npos &&
                  text.find('\0') == std::string::npos && !name.is_absolute();
    for (const auto& part : name) beside = beside && part != "..";
    if (!beside)
      uri.fail("is '" + json::printable(text) + "', expected a file beside or below this one");
    return read_bytes((std::filesystem::path(path_).parent_path() / name).string(), "mesh",
                      kMostMeshBytes);
  }

  Json root_;
  std::optional<std::string> binary_;
  std::string path_;
  std::vector<Json> nodes_, meshes_, accessors_, views_, buffers_;
  std::vector<bool> visited_;
  std::map<std::size_t, std::string> bytes_;
  TriangleMesh mesh_;
};

struct GlbChunks {
  std::string text;
  std::optional<std::string> binary;
};

GlbChunks open_glb(const std::string& bytes, const std::string& path) {
  if (bytes.size() < kGlbHead + kChunkHead || word_at(bytes, 0) != kGlb || word_at(bytes, 4) != 2)
    fail_mesh(path, 0, "does not begin as binary glTF 2.0 does, expected 'glTF' and version 2");
  GlbChunks chunks;
  std::size_t at = kGlbHead;
  for (int k = 0; at + kChunkHead <= bytes.size(); ++k) {
    const std::size_t length = word_at(bytes, at);
    const std::uint32_t kind = word_at(bytes, at + 4);
    at += kChunkHead;
    if (length > bytes.size() - at)
      fail_mesh(path, 0,
                "has a chunk of " + std::to_string(length) + " bytes where " +
                    std::to_string(bytes.size() - at) + " are left, expected a whole file");
    if (k == 0 && kind != kJsonChunk)
      fail_mesh(path, 0, "does not begin with a chunk of JSON, expected that");
    if (k == 0) chunks.text = bytes.substr(at, length);
    if (k == 1 && kind == kBinaryChunk) chunks.binary = bytes.substr(at, length);
    at += length;
  }
  return chunks;
}

}  // namespace

TriangleMesh read_gltf(const std::string& bytes, const std::string& path) {
  const std::string ending = lower_case(std::filesystem::path(path).extension().string());
  GlbChunks chunks = ending == ".glb" ? open_glb(bytes, path) : GlbChunks{bytes, {}};
  const json::JsonFile file = json::parse_json(chunks.text, path);
  return GltfScene(file, std::move(chunks.binary), path).read();
}

}  // namespace semirec
