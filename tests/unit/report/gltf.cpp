// The first motion of a report as binary glTF.

#include <cmath>
#include <cstring>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "apps/report/gltf_run.hpp"
#include "apps/report/model_section.hpp"
#include "apps/report/recorded_run.hpp"
#include "vehicles/files/xml/reader.hpp"

namespace semirec::report {
namespace {

using Json = nlohmann::ordered_json;

const std::string kVehicles = std::string(SEMIREC_SOURCE_DIR) + "/vehicles/";

Report report_of(const std::string& model, const std::string& scenario, double until) {
  DriveDescription description =
      read_drive(kVehicles + "models/" + model, kVehicles + "scenarios/" + scenario);
  Drive drive = make_drive(description);
  drive.settings.until = until;
  Report report;
  report.title = model;
  report.model = make_model_section(description.vehicle, model);
  ShownMotion shown = record_run(drive);
  report.motions.push_back(std::move(shown.motion));
  report.road = make_road_mesh(description.scenario, shown.course);
  return report;
}

std::size_t word(const std::string& bytes, std::size_t at) {
  std::size_t value = 0;
  for (std::size_t k = 0; k < 4; ++k)
    value |= static_cast<std::size_t>(static_cast<unsigned char>(bytes[at + k])) << (8 * k);
  return value;
}

/// A .glb taken apart as the specification of glTF 2.0, section 4.4, has it.
struct Glb {
  Json json;
  std::string buffer;

  explicit Glb(const std::string& file) {
    EXPECT_EQ(file.substr(0, 4), "glTF");
    EXPECT_EQ(word(file, 4), 2U);
    EXPECT_EQ(word(file, 8), file.size());
    const std::size_t length = word(file, 12);
    EXPECT_EQ(file.substr(16, 4), "JSON");
    EXPECT_EQ(length % 4, 0U);
    json = Json::parse(file.substr(20, length));
    EXPECT_EQ(file.substr(24 + length, 4), std::string("BIN\0", 4));
    buffer = file.substr(28 + length);
    EXPECT_EQ(word(file, 20 + length), buffer.size());
    EXPECT_GE(buffer.size(), json["buffers"][0]["byteLength"].get<std::size_t>());
  }
  std::vector<float> numbers(const Json& index) const {
    const Json& accessor = json["accessors"][index.get<std::size_t>()];
    const Json& view = json["bufferViews"][accessor["bufferView"].get<std::size_t>()];
    std::vector<float> values(view["byteLength"].get<std::size_t>() / sizeof(float));
    std::memcpy(values.data(), buffer.data() + view["byteOffset"].get<std::size_t>(),
                values.size() * sizeof(float));
    return values;
  }
};

TEST(Gltf, OfARunIsWhole) {
  for (const auto& [model, scenario] :
       {std::pair("sedan.xml", "step_steer.xml"), std::pair("iltis.xml", "ramp_and_stairs.xml"),
        std::pair("double_four_bar.xml", "free_10s.xml")}) {
    const Report report = report_of(model, scenario, 0.2);
    const Glb glb(make_glb(report));
    const std::size_t frames = report.motions[0].frame_times.size();
    for (const Json& view : glb.json["bufferViews"]) {
      EXPECT_LE(view["byteOffset"].get<std::size_t>() + view["byteLength"].get<std::size_t>(),
                glb.buffer.size());
      // numbers of 32 bits lie at multiples of their size
      EXPECT_EQ(view["byteOffset"].get<std::size_t>() % 4, 0U);
    }
    const Json& animation = glb.json["animations"][0];
    ASSERT_FALSE(animation["channels"].empty()) << model;
    for (const Json& sampler : animation["samplers"]) {
      EXPECT_EQ(glb.numbers(sampler["input"]).size(), frames);
      EXPECT_EQ(glb.json["accessors"][sampler["output"].get<std::size_t>()]["count"], frames);
    }
    for (const Json& channel : animation["channels"]) {
      const std::size_t node = channel["target"]["node"].get<std::size_t>();
      ASSERT_LT(node, glb.json["nodes"].size());
      const std::vector<float> values =
          glb.numbers(animation["samplers"][channel["sampler"].get<std::size_t>()]["output"]);
      if (channel["target"]["path"] != "rotation") continue;
      for (std::size_t k = 0; k + 3 < values.size(); k += 4)
        EXPECT_NEAR(std::hypot(std::hypot(values[k], values[k + 1]),
                               std::hypot(values[k + 2], values[k + 3])),
                    1.0, 1e-6);
    }
    // each node hangs on one other; the first one on none
    std::vector<int> parents(glb.json["nodes"].size(), 0);
    for (const Json& node : glb.json["nodes"])
      if (node.contains("children"))
        for (const Json& child : node["children"]) ++parents[child.get<std::size_t>()];
    EXPECT_EQ(parents[0], 0);
    for (std::size_t k = 1; k < parents.size(); ++k) EXPECT_EQ(parents[k], 1) << model << k;
  }
}

TEST(Gltf, HasBodiesWhereTheyAre) {
  const Report report = report_of("sedan.xml", "step_steer.xml", 0.2);
  const Motion& motion = report.motions[0];
  const Glb glb(make_glb(report));
  for (std::size_t index = 0; index < glb.json["nodes"].size(); ++index) {
    if (glb.json["nodes"][index]["name"] != "chassis") continue;
    if (!glb.json["nodes"][index].contains("children")) continue;
    for (const Json& channel : glb.json["animations"][0]["channels"]) {
      if (channel["target"]["node"] != index || channel["target"]["path"] != "translation")
        continue;
      const std::vector<float> places = glb.numbers(
          glb.json["animations"][0]["samplers"][channel["sampler"].get<std::size_t>()]["output"]);
      const std::size_t size = 7 * (report.model.bodies.size() + 1);
      for (std::size_t frame = 0; frame < motion.frame_times.size(); ++frame)
        for (std::size_t k = 0; k < 3; ++k)
          EXPECT_EQ(places[3 * frame + k], static_cast<float>(motion.poses[frame * size + 7 + k]));
      return;
    }
  }
  FAIL() << "no chassis that moves";
}

// The nose of the sled: a prism of 2 m, 1 m and 0.5 m from a file, at y = -0.5 m.
TEST(Gltf, HasTheMeshesOfFilesWithFlatFaces) {
  Report report;
  report.title = "sled";
  const std::string file = std::string(SEMIREC_SOURCE_DIR) + "/tests/data/meshes/sled.xml";
  report.model = make_model_section(read_vehicle(file), file);
  Motion standing;
  standing.frame_times = {0.0};
  for (std::size_t body = 0; body < report.model.bodies.size() + 1; ++body)
    standing.poses.insert(standing.poses.end(), {0, 0, 0, 0, 0, 0, 1});
  report.motions.push_back(standing);
  const Glb glb(make_glb(report));
  for (const Json& node : glb.json["nodes"]) {
    if (node["name"] != "nose") continue;
    const Json& part = glb.json["meshes"][node["mesh"].get<std::size_t>()]["primitives"][0];
    const std::vector<float> corners = glb.numbers(part["attributes"]["POSITION"]);
    const std::vector<float> normals = glb.numbers(part["attributes"]["NORMAL"]);
    // eight triangles with corners of their own
    ASSERT_EQ(corners.size(), 8U * 9U);
    double volume = 0.0;
    for (std::size_t k = 0; k < corners.size(); k += 9) {
      const auto corner = [&](const std::vector<float>& of, std::size_t i) {
        return Eigen::Vector3d(of[k + 3 * i], of[k + 3 * i + 1], of[k + 3 * i + 2]);
      };
      const Eigen::Vector3d a = corner(corners, 0), b = corner(corners, 1), c = corner(corners, 2);
      volume += a.dot(b.cross(c)) / 6.0;
      for (std::size_t i = 0; i < 3; ++i)
        EXPECT_NEAR(corner(normals, i).dot((b - a).cross(c - a).normalized()), 1.0, 1e-6);
    }
    EXPECT_NEAR(volume, 0.5 * 2.0 * 0.5 * 1.0, 1e-6);  // 24 bits
    return;
  }
  FAIL() << "no mesh on the nose";
}

}  // namespace
}  // namespace semirec::report
