#include "apps/cli/mode_animation.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace semirec::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kFrames = 33;
constexpr double kSwing = 2.0;       // s
constexpr double kLargestWay = 0.1;  // m, of any body
constexpr int kFloat = 5126;
constexpr int kLines = 1;

std::string base64(const std::string& bytes) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    std::uint32_t three = 0;
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - k);
    for (std::size_t i = 0; i < 3; ++i)
      three = three << 8 | (i < count ? static_cast<unsigned char>(bytes[k + i]) : 0u);
    for (std::size_t i = 0; i < 4; ++i)
      text += i <= count ? digits[three >> (18 - 6 * i) & 63u] : '=';
  }
  return text;
}

/// The one buffer and what lies in it.
class Buffer {
 public:
  explicit Buffer(Json& file) : file_(file) {
    file_["bufferViews"] = Json::array();
    file_["accessors"] = Json::array();
  }
  /// An accessor of `size` numbers an element.
  int add(const std::vector<float>& numbers, int size) {
    const std::size_t begin = bytes_.size();
    bytes_.resize(begin + numbers.size() * sizeof(float));
    std::memcpy(bytes_.data() + begin, numbers.data(), numbers.size() * sizeof(float));
    file_["bufferViews"].push_back(
        {{"buffer", 0}, {"byteOffset", begin}, {"byteLength", bytes_.size() - begin}});
    std::vector<float> least(static_cast<std::size_t>(size), 1e30f);
    std::vector<float> most(static_cast<std::size_t>(size), -1e30f);
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      const std::size_t i = k % static_cast<std::size_t>(size);
      least[i] = std::min(least[i], numbers[k]);
      most[i] = std::max(most[i], numbers[k]);
    }
    const char* const types[] = {"", "SCALAR", "", "VEC3", "VEC4"};
    file_["accessors"].push_back({{"bufferView", file_["bufferViews"].size() - 1},
                                  {"componentType", kFloat},
                                  {"count", numbers.size() / static_cast<std::size_t>(size)},
                                  {"type", types[size]},
                                  {"min", least},
                                  {"max", most}});
    return static_cast<int>(file_["accessors"].size()) - 1;
  }
  void finish() {
    file_["buffers"] = Json::array();
    file_["buffers"].push_back({{"byteLength", bytes_.size()},
                                {"uri", "data:application/octet-stream;base64," + base64(bytes_)}});
  }

 private:
  Json& file_;
  std::string bytes_;
};

void put(std::vector<float>& numbers, const Eigen::Vector3d& v) {
  for (int k = 0; k < 3; ++k) numbers.push_back(static_cast<float>(v[k]));
}

void put(std::vector<float>& numbers, const Eigen::Quaterniond& q) {
  for (const double c : {q.x(), q.y(), q.z(), q.w()}) numbers.push_back(static_cast<float>(c));
}

}  // namespace

std::string animate_modes(SteadyCar& car, const CarModes& modes) {
  const std::vector<BodyLines> bodies = make_body_lines(car, modes.turn);
  const std::vector<ModeShape> shapes = find_mode_shapes(car, modes);
  Json file;
  file["asset"] = {{"version", "2.0"}, {"generator", "semirec"}};
  file["scene"] = 0;
  // z up to y up: a quarter turn about x, on a node above all
  const double half = std::sqrt(0.5);
  Json nodes = Json::array();
  Json children = Json::array();
  for (std::size_t b = 0; b < bodies.size(); ++b) children.push_back(b + 1);
  nodes.push_back({{"name", car.drive().model.mechanism.name},
                   {"rotation", {-half, 0.0, 0.0, half}},
                   {"children", children}});
  file["scenes"] = Json::array({{{"nodes", {0}}}});
  Json meshes = Json::array();
  Buffer buffer(file);
  for (const BodyLines& body : bodies) {
    Json node = {{"name", body.name},
                 {"translation", {body.place.x(), body.place.y(), body.place.z()}}};
    if (!body.lines.empty()) {
      std::vector<float> points;
      for (const Eigen::Vector3d& end : body.lines) put(points, end);
      const int accessor = buffer.add(points, 3);
      Json primitive = {{"attributes", {{"POSITION", accessor}}}, {"mode", kLines}};
      meshes.push_back({{"name", body.name}, {"primitives", Json::array({primitive})}});
      node["mesh"] = meshes.size() - 1;
    }
    nodes.push_back(node);
  }
  file["nodes"] = nodes;
  if (!meshes.empty()) file["meshes"] = meshes;

  std::vector<float> times;
  for (int k = 0; k < kFrames; ++k) times.push_back(static_cast<float>(kSwing * k / (kFrames - 1)));
  const int time = buffer.add(times, 1);
  Json animations = Json::array();
  for (std::size_t m = 0; m < shapes.size(); ++m) {
    Json channels = Json::array();
    Json samplers = Json::array();
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      std::vector<float> places;
      std::vector<float> turns;
      for (int k = 0; k < kFrames; ++k) {
        const std::complex<double> phase =
            kLargestWay * std::polar(1.0, 2.0 * M_PI * k / (kFrames - 1));
        const Eigen::Matrix<double, 6, 1> twist = (phase * shapes[m][b]).real();
        put(places, bodies[b].place + twist.head<3>());
        const Eigen::Vector3d turn = twist.tail<3>();
        const double angle = turn.norm();
        put(turns, Eigen::Quaterniond(Eigen::AngleAxisd(
                       angle, angle > 0.0 ? Eigen::Vector3d(turn / angle)
                                          : Eigen::Vector3d(Eigen::Vector3d::UnitX()))));
      }
      const int place = buffer.add(places, 3);
      const int rotation = buffer.add(turns, 4);
      for (const auto& [path, accessor] :
           {std::pair("translation", place), std::pair("rotation", rotation)}) {
        samplers.push_back({{"input", time}, {"output", accessor}, {"interpolation", "LINEAR"}});
        channels.push_back(
            {{"sampler", samplers.size() - 1}, {"target", {{"node", b + 1}, {"path", path}}}});
      }
    }
    const Mode& mode = modes.modes[m];
    animations.push_back(
        {{"name",
          fmt::format("{:02d} {} ({:.3g} Hz, damping {:.3g})", m + 1, mode.name,
                      mode.eigen.natural_frequency() / (2.0 * M_PI), mode.eigen.damping_ratio())},
         {"channels", channels},
         {"samplers", samplers}});
  }
  if (!animations.empty()) file["animations"] = animations;
  buffer.finish();
  return file.dump() + "\n";
}

}  // namespace semirec::cli
