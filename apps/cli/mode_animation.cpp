#include "apps/cli/mode_animation.hpp"

#include <cmath>

#include <fmt/format.h>

#include "apps/report/gltf_buffer.hpp"

namespace semirec::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kFrames = 33;
constexpr double kSwing = 2.0;       // s
constexpr double kLargestWay = 0.1;  // m, of any body
constexpr int kLines = 1;

}  // namespace

std::string animate_modes(SteadyCar& car, const CarModes& modes) {
  const std::vector<BodyLines> bodies = make_body_lines(car, modes.turn);
  const std::vector<ModeShape> shapes = find_mode_shapes(car, modes);
  Json file;
  file["asset"] = {{"version", "2.0"}, {"generator", "semirec"}};
  file["scene"] = 0;
  Json nodes = Json::array();
  std::vector<std::size_t> children;
  for (std::size_t b = 0; b < bodies.size(); ++b) children.push_back(b + 1);
  nodes.push_back(report::upright_node(car.drive().model.mechanism.name, children));
  file["scenes"] = Json::array({{{"nodes", {0}}}});
  Json meshes = Json::array();
  report::GltfBuffer buffer(file);
  for (const BodyLines& body : bodies) {
    Json node = {{"name", body.name},
                 {"translation", {body.place.x(), body.place.y(), body.place.z()}}};
    if (!body.lines.empty()) {
      std::vector<float> points;
      for (const Eigen::Vector3d& end : body.lines) report::put(points, end);
      const int accessor = buffer.add(points, 3, true);
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
        report::put(places, bodies[b].place + twist.head<3>());
        const Eigen::Vector3d turn = twist.tail<3>();
        const double angle = turn.norm();
        report::put(turns, Eigen::Quaterniond(Eigen::AngleAxisd(
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
  return buffer.text();
}

}  // namespace semirec::cli
