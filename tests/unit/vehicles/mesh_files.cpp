// Meshes from STL, OBJ and glTF files, and the shapes made of them.

#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "vehicles/drawing/drawing.hpp"
#include "vehicles/files/mesh/mesh_file.hpp"
#include "vehicles/files/xml/reader.hpp"

namespace semirec {
namespace {

using Eigen::Vector3d;

const std::string kMeshes = std::string(SEMIREC_SOURCE_DIR) + "/tests/data/meshes/";

// the wedge of the files: right triangle of 2 m and 0.5 m in the plane y = 0, 1 m wide
constexpr double kWedgeVolume = 0.5 * 2.0 * 0.5 * 1.0;
const Vector3d kWedgeCentroid(2.0 / 3.0, 0.5, 0.5 / 3.0);
constexpr double kSingle = 1e-6;  // m: binary files hold 24 bits

std::string mesh_bytes(const std::string& file) {
  std::ifstream in(kMeshes + file, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

/// By the divergence theorem, over triangles whose outside is seen counter-clockwise.
struct Enclosed {
  double volume = 0.0;
  Vector3d centroid = Vector3d::Zero();
};
Enclosed enclosed_by(const TriangleMesh& mesh, double scale = 1.0) {
  Enclosed out;
  for (std::size_t k = 0; k < mesh.indices.size(); k += 3) {
    const Vector3d a = scale * mesh.corners[mesh.indices[k]];
    const Vector3d b = scale * mesh.corners[mesh.indices[k + 1]];
    const Vector3d c = scale * mesh.corners[mesh.indices[k + 2]];
    const double volume = a.dot(b.cross(c)) / 6.0;
    out.volume += volume;
    out.centroid += volume * (a + b + c) / 4.0;
  }
  out.centroid /= out.volume;
  return out;
}

void expect_wedge(const Enclosed& found, const Vector3d& centroid, const std::string& what) {
  EXPECT_NEAR(found.volume, kWedgeVolume, kSingle) << what;
  EXPECT_NEAR((found.centroid - centroid).norm(), 0.0, kSingle) << what;
}

TEST(MeshFiles, OfEachKindHoldTheSameWedgeWithItsOutsideOutside) {
  for (const auto& [file, scale] : {std::pair("wedge.obj", 1.0), std::pair("wedge.stl", 1e-3),
                                    std::pair("wedge_binary.stl", 1e-3),
                                    std::pair("wedge.glb", 1.0), std::pair("wedge.gltf", 1.0)}) {
    const TriangleMesh mesh = read_mesh_file(kMeshes + file);
    EXPECT_EQ(mesh.corners.size(), 6U) << file;
    EXPECT_EQ(mesh.indices.size(), 3U * 8U) << file;
    expect_wedge(enclosed_by(mesh, scale), kWedgeCentroid, file);
  }
}

TEST(MeshFiles, StripsFansAndMirroredNodesKeepTheOutsideOut) {
  // a tetrahedron of corners 0, x, y, z in the axes of glTF: strip a b c d turns every second
  // triangle round; 0 2 1 3 0 2 is closed
  const std::string head = R"({"asset": {"version": "2.0"}, "scenes": [{"nodes": [0]}],
    "nodes": [{"mesh": 0, "scale": [1, 1, )";
  const std::string middle = R"(]}], "meshes": [{"primitives": [{"attributes": {"POSITION": 0},
    "indices": 1, "mode": 5}]}], "accessors": [
    {"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"},
    {"bufferView": 0, "byteOffset": 48, "componentType": 5121, "count": 6, "type": "SCALAR"}],
    "bufferViews": [{"buffer": 0, "byteLength": 54}], "buffers": [{"byteLength": 54, "uri":
    "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AAIBAwAC"}]})";
  for (const double side : {1.0, -1.0}) {
    const TriangleMesh mesh = read_mesh(head + (side > 0.0 ? "1" : "-1") + middle, "strip.gltf");
    const Enclosed found = enclosed_by(mesh);
    EXPECT_NEAR(found.volume, 1.0 / 6.0, kSingle);
    // x, y, z of glTF are x, z, -y
    EXPECT_NEAR((found.centroid - Vector3d(0.25, -0.25 * side, 0.25)).norm(), 0.0, kSingle);
  }
}

TEST(MeshFiles, ThatAreHostileAreRefusedInOneLine) {
  const auto refusal = [](const std::string& bytes, const std::string& name) -> std::string {
    try {
      (void)read_mesh(bytes, name);
    } catch (const ModelError& error) {
      return error.what();
    }
    return "read";
  };
  const auto gltf = [&](const std::string& rest) {
    return refusal("{\"asset\": {\"version\": \"2.0\"},\n" + rest + "}", "m.gltf");
  };
  const auto of_obj = [&](const std::string& text) { return refusal(text, "m.obj"); };
  EXPECT_EQ(refusal("", "m.ply"),
            "m.ply: element 'mesh': ends on '.ply', expected .stl, .obj, .glb or .gltf");
  EXPECT_EQ(of_obj("v 0 0 0\nv 1 0 0\nf 1 2 3\n"),
            "m.obj:3: element 'mesh': has a face with the vertex '3', expected one of the 2 before "
            "it");
  EXPECT_EQ(of_obj("v 0 0 0\n\nv 1 nan 0\n"),
            "m.obj:3: element 'mesh': has a vertex with 'nan', expected three numbers");
  EXPECT_EQ(of_obj("v 0 0 0\nf 1 1 1\n"),
            "m.obj: element 'mesh': has no triangle, expected one at least");
  EXPECT_EQ(of_obj("v 0 0 0\nv 2e6 0 0\nv 0 1 0\nf 1 2 3\n"),
            "m.obj: element 'mesh': has a corner that is not finite or beyond 1e6, expected one "
            "that can be drawn");
  EXPECT_EQ(of_obj("<script>\n"),
            "m.obj:1: element 'mesh': has the word '<script>', expected one of Wavefront OBJ");
  std::string many = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf";
  for (std::size_t k = 0; k <= kMostMeshTriangles + 2; ++k) many += " 1";
  EXPECT_NE(of_obj(many).find("m.obj:4: element 'mesh': has more than 100000 triangles"),
            std::string::npos);
  EXPECT_EQ(refusal("solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nendloop\n", "m.stl"),
            "m.stl:5: element 'mesh': closes a loop of 1 vertices, expected three");
  const std::string binary = mesh_bytes("wedge_binary.stl");
  EXPECT_NE(refusal(binary.substr(0, binary.size() - 1).replace(0, 5, "hello"), "m.stl")
                .find("expected ASCII STL, or binary STL of 84 bytes and 50 for each triangle"),
            std::string::npos);
  EXPECT_NE(refusal(mesh_bytes("wedge.glb").substr(0, 600), "m.glb").find("expected a whole file"),
            std::string::npos);
  EXPECT_EQ(gltf("\"scenes\": [{\"nodes\": [0]}],\n\"nodes\": [{\"children\": [0]}]"),
            "m.gltf:3: element 'nodes[0]/children[0]': names a node a second time, expected a tree "
            "of nodes");
  EXPECT_EQ(gltf("\"extensionsRequired\": [\"KHR_draco_mesh_compression\"]"),
            "m.gltf:2: element 'extensionsRequired[0]': is 'KHR_draco_mesh_compression', which is "
            "not read, expected a mesh without it");
  const std::string one_mesh =
      "\"scenes\": [{\"nodes\": [0]}], \"nodes\": [{\"mesh\": 0}], \"meshes\": [{\"primitives\": "
      "[{\"attributes\": {\"POSITION\": 0}}]}],\n";
  EXPECT_EQ(gltf(one_mesh +
                 "\"accessors\": [{\"bufferView\": 0, \"componentType\": 5126, \"type\": \"VEC3\", "
                 "\"count\": 1000000}], \"bufferViews\": [{\"buffer\": 0, \"byteLength\": 3}],\n"
                 "\"buffers\": [{\"byteLength\": 3, \"uri\": \"data:;base64,AAAA\"}]"),
            "m.gltf:3: element 'accessors[0]': ends behind its view of 3 bytes, expected one "
            "within");
  for (const std::string uri : {"../secret.bin", "/etc/passwd", "http://there/x.bin"})
    EXPECT_EQ(
        gltf(one_mesh +
             "\"accessors\": [{\"bufferView\": 0, \"componentType\": 5126, \"type\": \"VEC3\", "
             "\"count\": 3}], \"bufferViews\": [{\"buffer\": 0, \"byteLength\": 36}],\n"
             "\"buffers\": [{\"byteLength\": 36, \"uri\": \"" +
             uri + "\"}]"),
        "m.gltf:4: element 'buffers[0]/uri': is '" + uri +
            "', expected a file beside or below this one");
}

TEST(MeshFiles, CutShortOrDamagedAreReadOrRefusedInOneLine) {
  for (const std::string file :
       {"wedge.obj", "wedge.stl", "wedge_binary.stl", "wedge.glb", "wedge.gltf"}) {
    const std::string whole = mesh_bytes(file);
    const auto try_it = [&](const std::string& bytes, std::size_t at) {
      try {
        const TriangleMesh mesh = read_mesh(bytes, file);
        for (const std::uint32_t index : mesh.indices) ASSERT_LT(index, mesh.corners.size());
      } catch (const ModelError& error) {
        EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << file << ' ' << at;
      }
    };
    for (std::size_t at = 0; at < whole.size(); at += 7) {
      try_it(whole.substr(0, at), at);
      for (const unsigned flip : {1U, 0x80U, 0xffU}) {
        std::string damaged = whole;
        damaged[at] = static_cast<char>(static_cast<unsigned char>(damaged[at]) ^ flip);
        try_it(damaged, at);
      }
    }
  }
}

const MeshShape* mesh_called(const Drawing& drawing, const std::string& of) {
  for (const Shape& shape : drawing.shapes)
    if (const MeshShape* form = std::get_if<MeshShape>(&shape.form);
        form != nullptr && shape.of == of)
      return form;
  return nullptr;
}

TEST(MeshFiles, MakeShapesThatStandAndAreMirroredAsTheFileSays) {
  const Vehicle vehicle = read_vehicle(kMeshes + "sled.xml");
  const Drawing drawing = make_drawing(vehicle);
  const auto in_world = [&](const std::string& name) {
    const MeshShape* shape = mesh_called(drawing, name);
    TriangleMesh mesh = *shape->mesh;
    const Frame X_WB = shape->body == kGround
                           ? Frame{}
                           : vehicle.mechanism.bodies[static_cast<std::size_t>(shape->body)].X_WB;
    for (Vector3d& corner : mesh.corners)
      corner = (X_WB * shape->frame * Frame{Eigen::Matrix3d::Identity(), corner}).p;
    return enclosed_by(mesh);
  };
  ASSERT_NE(mesh_called(drawing, "nose"), nullptr);
  expect_wedge(in_world("nose"), kWedgeCentroid - Vector3d(0.0, 0.5, 0.0), "nose");
  // turned by half a turn about z, then moved
  expect_wedge(in_world("tail"), Vector3d(-2.0 / 3.0, 0.0, 0.5 / 3.0), "tail");
  expect_wedge(in_world("rail"), kWedgeCentroid - Vector3d(0.0, 0.5, 0.7), "rail");
  // of 0.2: the volume by the cube of it, the centroid turned about x by 0.2 rad
  const double y = 0.2 * 0.5, z = 0.2 * 0.5 / 3.0;
  const Vector3d skid(0.2 * 2.0 / 3.0, 0.6 + y * std::cos(0.2) - z * std::sin(0.2),
                      -0.1 + y * std::sin(0.2) + z * std::cos(0.2));
  for (const auto& [name, side] : {std::pair("skid_left", 1.0), std::pair("skid_right", -1.0)}) {
    const Enclosed found = in_world(name);
    EXPECT_NEAR(found.volume, 0.008 * kWedgeVolume, kSingle) << name;
    EXPECT_NEAR((found.centroid - Vector3d(skid.x(), side * skid.y(), skid.z())).norm(), 0.0,
                kSingle)
        << name;
  }
}

TEST(MeshFiles, WithoutAUnitNeedAScaleAndAreRefusedWithTheLineOfTheVehicle) {
  const auto refusal = [](const std::string& attributes) -> std::string {
    try {
      (void)read_vehicle_text(
          "<mechanism name='m' version='1'><body name='bob' mass='1' com='0 0 1' inertia='1 1 1'/>"
          "<joint name='free' type='free' a='ground' b='bob'/>\n"
          "<shape name='s' body='bob' type='mesh' point='0 0 0' " +
              attributes + "/></mechanism>",
          kMeshes + "bob.xml");
    } catch (const ModelError& error) {
      return std::string(error.what()).substr(kMeshes.size());
    }
    return "read";
  };
  const std::string at = "bob.xml:2: element 's': attribute ";
  EXPECT_EQ(refusal("file='wedge.obj'"),
            at + "'scale' is missing, expected metres per unit of 'wedge.obj', as STL and OBJ say "
                 "no unit");
  EXPECT_EQ(refusal("file='wedge.stl' scale='1'"),
            at + "'scale' puts a corner 2000 m away, expected metres per unit of the file");
  EXPECT_EQ(refusal("scale='1'"), at + "'file' is missing, expected it on a mesh");
  EXPECT_EQ(refusal("file='wedge.glb' radius='1'"),
            at + "'radius' stands on a mesh, expected a type that has it");
  EXPECT_EQ(refusal("file='none.glb'"), at + "'file' names no mesh that can be used: " + kMeshes +
                                            "none.glb: element 'mesh': cannot be read, expected a "
                                            "file that exists");
  EXPECT_EQ(refusal("file='wedge.glb'"), "read");
}

}  // namespace
}  // namespace semirec
