#include "apps/results/foxglove.hpp"

#include <array>

#include "apps/results/json_text.hpp"

namespace semirec::results {

namespace {

void put_time_stamp(std::string& out, std::uint64_t time) {
  constexpr std::uint64_t kSecond = 1000000000;
  out += R"("timestamp":{"sec":)" + std::to_string(time / kSecond) + R"(,"nsec":)" +
         std::to_string(time % kSecond) + '}';
}

}  // namespace

const char* const kTransformsSchema =
    R"({"title":"foxglove.FrameTransforms","type":"object","properties":{"transforms":{"type":)"
    R"("array","items":{"title":"foxglove.FrameTransform","type":"object","properties":{)"
    R"("timestamp":{"type":"object","title":"time","properties":{"sec":{"type":"integer"},)"
    R"("nsec":{"type":"integer"}}},"parent_frame_id":{"type":"string"},"child_frame_id":{"type":)"
    R"("string"},"translation":{"type":"object","properties":{"x":{"type":"number"},"y":{"type":)"
    R"("number"},"z":{"type":"number"}}},"rotation":{"type":"object","properties":{"x":{"type":)"
    R"("number"},"y":{"type":"number"},"z":{"type":"number"},"w":{"type":"number"}}}}}}}})";

const char* const kSceneSchema =
    R"({"title":"foxglove.SceneUpdate","type":"object","properties":{"deletions":{"type":"array",)"
    R"("items":{"type":"object"}},"entities":{"type":"array","items":{"title":)"
    R"("foxglove.SceneEntity","type":"object","properties":{"timestamp":{"type":"object","title":)"
    R"("time","properties":{"sec":{"type":"integer"},"nsec":{"type":"integer"}}},"frame_id":{)"
    R"("type":"string"},"id":{"type":"string"},"lifetime":{"type":"object","title":"duration",)"
    R"("properties":{"sec":{"type":"integer"},"nsec":{"type":"integer"}}},"frame_locked":{"type":)"
    R"("boolean"},"triangles":{"type":"array","items":{"type":"object","properties":{"points":{)"
    R"("type":"array","items":{"type":"object","properties":{"x":{"type":"number"},"y":{"type":)"
    R"("number"},"z":{"type":"number"}}}},"indices":{"type":"array","items":{"type":)"
    R"("integer"}}}}}}}}}})";

void put_transforms(std::string& out, const std::vector<std::string>& bodies,
                    const std::vector<double>& poses, std::uint64_t time) {
  constexpr std::array<const char*, 7> kBefore{R"(,"translation":{"x":)",
                                               R"(,"y":)",
                                               R"(,"z":)",
                                               R"(},"rotation":{"x":)",
                                               R"(,"y":)",
                                               R"(,"z":)",
                                               R"(,"w":)"};
  out += R"({"transforms":[)";
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    out += b == 0 ? "{" : ",{";
    put_time_stamp(out, time);
    out += R"(,"parent_frame_id":"world","child_frame_id":)";
    put_quoted(out, bodies[b]);
    for (std::size_t k = 0; k < kBefore.size(); ++k) {
      out += kBefore[k];
      put_number(out, poses[kBefore.size() * b + k]);
    }
    out += "}}";
  }
  out += "]}";
}

void put_road(std::string& out, const Mesh& piece, std::size_t number, std::uint64_t time) {
  out += R"({"deletions":[],"entities":[{)";
  put_time_stamp(out, time);
  out += R"(,"frame_id":"world","id":"road )" + std::to_string(number) +
         R"(","lifetime":{"sec":0,"nsec":0},"frame_locked":false,"metadata":[],"arrows":[],)"
         R"("cubes":[],"spheres":[],"cylinders":[],"lines":[],"texts":[],"models":[],)"
         R"("triangles":[{"pose":{"position":{"x":0,"y":0,"z":0},"orientation":{"x":0,"y":0,)"
         R"("z":0,"w":1}},"color":{"r":0.5,"g":0.5,"b":0.5,"a":1},"colors":[],"points":[)";
  constexpr std::array<const char*, 3> kBefore{R"({"x":)", R"(,"y":)", R"(,"z":)"};
  for (std::size_t k = 0; k < piece.corners.size(); ++k) {
    if (k > 0 && k % 3 == 0) out += ',';
    out += kBefore[k % 3];
    put_number(out, piece.corners[k]);
    if (k % 3 == 2) out += '}';
  }
  out += R"(],"indices":[)";
  for (std::size_t k = 0; k < piece.indices.size(); ++k)
    out += (k == 0 ? "" : ",") + std::to_string(piece.indices[k]);
  out += "]}]}]}";
}

}  // namespace semirec::results
