// The first motion of a report as binary glTF.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

#include <Eigen/Geometry>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "apps/report/gltf_run.hpp"
#include "apps/report/model_section.hpp"
#include "apps/report/recorded_run.hpp"
#include "apps/report/report_json.hpp"
#include "tests/unit/report/decode.hpp"
#include "vehicles/files/xml/reader.hpp"

namespace semirec::report {
namespace {

using Json = nlohmann::ordered_json;

const std::string kVehicleFiles = std::string(SEMIREC_SOURCE_DIR) + "/vehicles/";

Report report_of(const std::string& model, const std::string& scenario, double until) {
  DriveDescription description =
      read_drive(kVehicleFiles + "models/" + model, kVehicleFiles + "scenarios/" + scenario);
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
      // of wheels more, where they turn far
      const std::vector<float> keys = glb.numbers(sampler["input"]);
      EXPECT_GE(keys.size(), frames);
      for (std::size_t k = 1; k < keys.size(); ++k) EXPECT_LT(keys[k - 1], keys[k]);
      EXPECT_EQ(glb.json["accessors"][sampler["output"].get<std::size_t>()]["count"], keys.size());
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

/// The attitude that a list of keyframes gives at a time, as glTF 2.0 says of LINEAR rotations.
Eigen::Quaterniond attitude_at(double t, const std::vector<float>& times,
                               const std::vector<float>& turns) {
  const auto quaternion = [&](std::size_t k) {
    return Eigen::Quaterniond(turns[4 * k + 3], turns[4 * k], turns[4 * k + 1], turns[4 * k + 2]);
  };
  std::size_t k = 0;
  while (k + 2 < times.size() && times[k + 1] < t) ++k;
  const double part = std::clamp((t - times[k]) / (times[k + 1] - times[k]), 0.0, 1.0);
  return quaternion(k).slerp(part, quaternion(k + 1));
}

// Frames 0.2 s and more apart, between which a wheel at 20 m/s goes around more than once, against
// the attitudes at all steps.
TEST(Gltf, TurnsWheelsAsFarAsTheyTurn) {
  constexpr double kShown = 120.0;  // s, that a page is made for
  constexpr double kBetween = 0.1;  // rad: rates of wheels that change within a frame
  const DriveDescription description =
      read_drive(kVehicleFiles + "models/sedan.xml", kVehicleFiles + "scenarios/step_steer.xml");
  Drive drive = make_drive(description);
  drive.settings.until = 2.0;
  drive.settings.record = 0.0;
  const Recorder recorder(drive.model, drive.recorder);
  Workspace ws(drive.model), scratch(drive.model);
  State state = start_drive(drive, ws);
  MotionRecorder motion(drive, recorder.channels(), state.t, kShown, drive.settings.step.h);
  std::vector<double> values, times, poses;
  RunObserver observer;
  observer.record = [&](const State& at, const Energy& /*energy*/) {
    recorder.record(drive.model, at, scratch, values);
    motion.see(at, values, scratch);
    times.push_back(at.t);
    append_poses(drive.model, at, scratch, poses);
    return true;
  };
  run(drive.model, drive.settings, state, ws, observer);
  motion.see_last(state, values, scratch);
  Report report;
  report.title = "sedan";
  report.model = make_model_section(description.vehicle, "sedan.xml");
  report.motions.push_back(motion.finish());
  const Motion& seen = report.motions[0];
  ASSERT_GT(seen.frame_times.size(), 3U);
  ASSERT_EQ(seen.spins.size(), 4U);
  const Glb glb(make_glb(report));
  const std::size_t size = 7 * (report.model.bodies.size() + 1);
  int wheels = 0;
  for (const Json& channel : glb.json["animations"][0]["channels"]) {
    if (channel["target"]["path"] != "rotation") continue;
    const Json& node = glb.json["nodes"][channel["target"]["node"].get<std::size_t>()];
    const auto spin = std::find_if(seen.spins.begin(), seen.spins.end(), [&](const Spin& one) {
      return node["name"] == report.model.bodies[static_cast<std::size_t>(one.body - 1)].name;
    });
    if (spin == seen.spins.end()) continue;
    ++wheels;
    EXPECT_GT(spin->angles[1] - spin->angles[0], 2.0 * std::numbers::pi);
    const Json& sampler =
        glb.json["animations"][0]["samplers"][channel["sampler"].get<std::size_t>()];
    const std::vector<float> keys = glb.numbers(sampler["input"]);
    const std::vector<float> turns = glb.numbers(sampler["output"]);
    ASSERT_EQ(turns.size(), 4 * keys.size());
    for (std::size_t k = 0; k < times.size(); ++k) {
      const double* pose = poses.data() + k * size + 7 * static_cast<std::size_t>(spin->body);
      const Eigen::Quaterniond q(pose[6], pose[3], pose[4], pose[5]);
      ASSERT_LT(q.angularDistance(attitude_at(times[k], keys, turns)), kBetween)
          << node["name"] << " at " << times[k];
    }
  }
  EXPECT_EQ(wheels, 4);
  // as many angles as frames stand in the page
  const Json data = json_of(report);
  for (const Json& spin : data["runs"][0]["spins"])
    EXPECT_EQ(test::numbers_of(spin["angles"]).size(), seen.frame_times.size());
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
