#include "apps/report/gltf_run.hpp"

#include <array>
#include <cmath>
#include <map>
#include <numbers>

#include "apps/report/gltf_buffer.hpp"
#include "vehicles/drawing/hull_edges.hpp"

namespace semirec::report {

namespace {

using Json = nlohmann::ordered_json;
using Eigen::Quaterniond;
using Eigen::Vector3d;

constexpr int kSides = 24, kSpokes = 5;

/// The shortest turn of the z axis onto a direction, of any length but 0: half the angle is that
/// between z and the middle of both.
Quaterniond turn_from_z(const Vector3d& direction) {
  const Vector3d d = direction.normalized();
  const Vector3d middle = d + Vector3d::UnitZ();
  if (middle.norm() < 1e-12) return Quaterniond(0.0, 1.0, 0.0, 0.0);
  const Vector3d m = middle.normalized();
  return Quaterniond(m.z(), -m.y(), m.x(), 0.0);
}

/// A mesh with normals: corners are not shared between faces that meet at an edge.
struct Solid {
  std::vector<float> corners, normals;
  std::vector<std::uint32_t> indices;

  std::uint32_t add(const Vector3d& corner, const Vector3d& normal) {
    put(corners, corner);
    put(normals, normal);
    return static_cast<std::uint32_t>(corners.size() / 3) - 1;
  }
  void face(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    indices.insert(indices.end(), {a, b, c});
  }
};

/// Radius 1 about z, from z = 0 to 1, closed. `inner`: radius of a hole through it; 0: none.
Solid make_cylinder(double inner = 0.0) {
  Solid solid;
  const auto around = [](int k) -> Vector3d {
    const double angle = 2.0 * std::numbers::pi * k / kSides;
    return {std::cos(angle), std::sin(angle), 0.0};
  };
  const Vector3d up = Vector3d::UnitZ();
  for (int k = 0; k < kSides; ++k) {
    const Vector3d a = around(k);
    const Vector3d b = around(k + 1);
    const auto wall = [&](double radius, double sign) {
      const std::uint32_t first = solid.add(radius * a, sign * a);
      solid.add(radius * b, sign * b);
      solid.add(radius * a + up, sign * a);
      solid.add(radius * b + up, sign * b);
      const std::uint32_t low = sign > 0.0 ? 0 : 1;
      const std::uint32_t high = 1 - low;
      solid.face(first + low, first + high, first + 2 + low);
      solid.face(first + 2 + low, first + high, first + 2 + high);
    };
    wall(1.0, 1.0);
    if (inner > 0.0) wall(inner, -1.0);
    for (const double z : {0.0, 1.0}) {
      const Vector3d normal = z > 0.0 ? up : Vector3d(-up);
      const Vector3d lift = z * up;
      const std::uint32_t outer_a = solid.add(a + lift, normal);
      const std::uint32_t outer_b = solid.add(b + lift, normal);
      const std::uint32_t inner_a = solid.add(inner * a + lift, normal);
      const std::array<std::uint32_t, 3> face{outer_a, outer_b, inner_a};
      solid.face(face[0], face[z > 0.0 ? 1 : 2], face[z > 0.0 ? 2 : 1]);
      if (inner == 0.0) continue;
      const std::uint32_t inner_b = solid.add(inner * b + lift, normal);
      const std::array<std::uint32_t, 3> other{inner_a, outer_b, inner_b};
      solid.face(other[0], other[z > 0.0 ? 1 : 2], other[z > 0.0 ? 2 : 1]);
    }
  }
  return solid;
}

/// Sides of 1 about the origin.
Solid make_box() {
  Solid solid;
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {-0.5, 0.5}) {
      const Vector3d normal = 2.0 * side * Vector3d::Unit(axis);
      const Vector3d u = Vector3d::Unit((axis + 1) % 3);
      const Vector3d v = normal.cross(u);
      const std::uint32_t first = solid.add(0.5 * (normal - u - v), normal);
      solid.add(0.5 * (normal + u - v), normal);
      solid.add(0.5 * (normal - u + v), normal);
      solid.add(0.5 * (normal + u + v), normal);
      solid.face(first, first + 1, first + 2);
      solid.face(first + 2, first + 1, first + 3);
    }
  return solid;
}

/// Radius 1 about the origin.
Solid make_sphere() {
  Solid solid;
  constexpr int kRings = 10;
  for (int ring = 0; ring <= kRings; ++ring)
    for (int k = 0; k <= kSides; ++k) {
      const double polar = std::numbers::pi * ring / kRings;
      const double angle = 2.0 * std::numbers::pi * k / kSides;
      const Vector3d at(std::sin(polar) * std::cos(angle), std::sin(polar) * std::sin(angle),
                        std::cos(polar));
      solid.add(at, at);
    }
  const auto corner = [](int ring, int k) {
    return static_cast<std::uint32_t>(ring * (kSides + 1) + k);
  };
  for (int ring = 0; ring < kRings; ++ring)
    for (int k = 0; k < kSides; ++k) {
      // at the poles one of the two has no area
      if (ring > 0) solid.face(corner(ring, k), corner(ring + 1, k), corner(ring, k + 1));
      if (ring + 1 < kRings)
        solid.face(corner(ring, k + 1), corner(ring + 1, k), corner(ring + 1, k + 1));
    }
  return solid;
}

/// Each triangle with the normal of its own; those without an area are left out.
Solid make_faces(const std::vector<Vector3d>& corners, const std::vector<std::uint32_t>& indices) {
  Solid solid;
  for (std::size_t k = 0; k + 2 < indices.size(); k += 3) {
    std::array<Vector3d, 3> at;
    for (std::size_t i = 0; i < 3; ++i) at[i] = corners[indices[k + i]];
    const Vector3d normal = (at[1] - at[0]).cross(at[2] - at[0]);
    if (normal.norm() < 1e-12) continue;
    std::array<std::uint32_t, 3> face{};
    for (std::size_t i = 0; i < 3; ++i) face[i] = solid.add(at[i], normal.normalized());
    solid.face(face[0], face[1], face[2]);
  }
  return solid;
}

enum class Paint { steel, spring, damper, tyre, rim, body, road };
constexpr std::array<std::array<double, 4>, 7> kPaints{{{0.45, 0.48, 0.52, 1.0},
                                                        {0.80, 0.35, 0.10, 1.0},
                                                        {0.20, 0.45, 0.70, 1.0},
                                                        {0.08, 0.08, 0.09, 1.0},
                                                        {0.70, 0.72, 0.75, 1.0},
                                                        {0.25, 0.45, 0.65, 0.35},
                                                        {0.45, 0.45, 0.43, 1.0}}};

class Scene {
 public:
  explicit Scene(const Report& report)
      : motion_(report.motions.front()), bodies_(report.model.bodies.size() + 1), buffer_(file_) {
    file_["asset"] = {{"version", "2.0"}, {"generator", "semirec"}};
    file_["scene"] = 0;
    file_["scenes"] = Json::array({{{"nodes", {0}}}});
    nodes_.emplace_back();  // turned upright at the end
    times_ = add_times();
    children_.resize(bodies_);
    for (const Shape& shape : report.model.drawing.shapes)
      std::visit([&](const auto& form) { draw(form, shape.of); }, shape.form);
    for (const RoadMesh& mesh : report.road) add_road(mesh);
    add_bodies(report);
    nodes_[0] = upright_node(report.title, top_);
    write_lists();
  }
  std::string binary() { return buffer_.binary(); }

 private:
  std::size_t frames() const { return motion_.frame_times.size(); }
  Vector3d place(std::size_t frame, std::size_t body) const {
    const double* pose = motion_.poses.data() + 7 * (frame * bodies_ + body);
    return {pose[0], pose[1], pose[2]};
  }
  Quaterniond turn(std::size_t frame, std::size_t body) const {
    const double* pose = motion_.poses.data() + 7 * (frame * bodies_ + body);
    return Quaterniond(pose[6], pose[3], pose[4], pose[5]).normalized();
  }

  float time_of(double t) const { return static_cast<float>(t - motion_.frame_times.front()); }
  int add_times() {
    std::vector<float> times;
    for (const double t : motion_.frame_times) times.push_back(time_of(t));
    return frames() > 1 ? buffer_.add(times, 1) : -1;
  }
  /// Of a body; null: it does not spin.
  const Spin* find_spin(std::size_t body) const {
    for (const Spin& spin : motion_.spins)
      if (static_cast<std::size_t>(spin.body) == body) return &spin;
    return nullptr;
  }

  /// A mesh of a kind of solid in a paint, made once.
  std::size_t mesh_of(const std::string& kind, const Solid& solid, Paint paint) {
    const auto [found, fresh] = meshes_.emplace(std::pair(kind, paint), mesh_list_.size());
    if (!fresh) return found->second;
    const auto geometry = geometries_.find(kind);
    std::array<int, 3> accessors{};
    if (geometry != geometries_.end()) {
      accessors = geometry->second;
    } else {
      accessors = {buffer_.add(solid.corners, 3, true), buffer_.add(solid.normals, 3, true),
                   buffer_.add_indices(solid.indices)};
      geometries_[kind] = accessors;
    }
    const auto [material, new_paint] = materials_.emplace(paint, materials_.size());
    if (new_paint) add_material(paint);
    Json primitive = {{"attributes", {{"POSITION", accessors[0]}, {"NORMAL", accessors[1]}}},
                      {"indices", accessors[2]},
                      {"material", material->second}};
    mesh_list_.push_back({{"name", kind}, {"primitives", Json::array({primitive})}});
    return found->second;
  }

  void add_material(Paint paint) {
    const std::array<double, 4>& colour = kPaints[static_cast<std::size_t>(paint)];
    Json material = {
        {"pbrMetallicRoughness",
         {{"baseColorFactor", colour}, {"metallicFactor", 0.0}, {"roughnessFactor", 0.7}}}};
    if (colour[3] < 1.0) {
      material["alphaMode"] = "BLEND";
      material["doubleSided"] = true;
    }
    material_list_.push_back(std::move(material));
  }

  std::size_t add_node(Json node) {
    nodes_.push_back(std::move(node));
    return nodes_.size() - 1;
  }
  static Json list_of(const Vector3d& v) { return {v.x(), v.y(), v.z()}; }
  static Json list_of(const Quaterniond& q) { return {q.x(), q.y(), q.z(), q.w()}; }

  /// A solid that stands still on its body.
  void fix(BodyIndex body, const std::string& name, std::size_t mesh, const Vector3d& at,
           const Quaterniond& q, const Vector3d& scale) {
    children_[static_cast<std::size_t>(body + 1)].push_back(
        add_node({{"name", name},
                  {"mesh", mesh},
                  {"translation", list_of(at)},
                  {"rotation", list_of(q.normalized())},
                  {"scale", list_of(scale)}}));
  }
  void bar(BodyIndex body, const std::string& name, const Vector3d& a, const Vector3d& b,
           double radius, Paint paint) {
    const Vector3d along = b - a;
    if (along.norm() < 1e-9) return;
    fix(body, name, mesh_of("cylinder", cylinder_, paint), a, turn_from_z(along),
        Vector3d(radius, radius, along.norm()));
  }

  void draw(const LinkShape& shape, const std::string& of) {
    bar(shape.body, of, shape.a, shape.b, shape.radius,
        shape.role == LinkRole::solid ? Paint::body : Paint::steel);
  }
  void draw(const HullShape& shape, const std::string& of) {
    double size = 0.0;
    for (const Vector3d& point : shape.points)
      size = std::fmax(size, (point - shape.points.front()).norm());
    const std::vector<Vector3d> lines = find_hull_edges(shape.points, 1e-3 * size);
    for (std::size_t k = 0; k + 1 < lines.size(); k += 2)
      bar(shape.body, of, lines[k], lines[k + 1], 0.03 * size, Paint::steel);
  }
  void draw(const OutlineShape& shape, const std::string& of) {
    double size = 0.0;
    for (const Vector3d& point : shape.lines)
      size = std::fmax(size, (point - shape.lines.front()).norm());
    for (std::size_t k = 0; k + 1 < shape.lines.size(); k += 2)
      bar(shape.body, of, shape.lines[k], shape.lines[k + 1], 0.002 * size, Paint::steel);
  }
  void draw(const WheelShape& shape, const std::string& of) {
    const Quaterniond q = turn_from_z(shape.axis);
    const Vector3d right = shape.centre - 0.5 * shape.width * shape.axis;
    const double hole = shape.rim_radius / shape.radius;
    fix(shape.body, of, mesh_of("tyre " + std::to_string(hole), make_cylinder(hole), Paint::tyre),
        right, q, Vector3d(shape.radius, shape.radius, shape.width));
    fix(shape.body, of + " hub", mesh_of("cylinder", cylinder_, Paint::rim),
        shape.centre - 0.2 * shape.width * shape.axis, q,
        Vector3d(0.2 * shape.rim_radius, 0.2 * shape.rim_radius, 0.4 * shape.width));
    for (int k = 0; k < kSpokes; ++k) {
      const Quaterniond spoke = q * Quaterniond(Eigen::AngleAxisd(
                                        2.0 * std::numbers::pi * k / kSpokes, Vector3d::UnitZ()));
      const Vector3d middle = 0.5 * shape.rim_radius * (spoke * Vector3d::UnitX());
      fix(shape.body, of + " spoke", mesh_of("box", box_, Paint::rim), shape.centre + middle, spoke,
          Vector3d(shape.rim_radius, 0.15 * shape.rim_radius, 0.2 * shape.width));
    }
  }
  void draw(const BoxShape& shape, const std::string& of) {
    fix(shape.body, of, mesh_of("box", box_, shape.solid ? Paint::body : Paint::steel),
        shape.frame.p, Quaterniond(shape.frame.A), shape.size);
  }
  void draw(const SphereShape& shape, const std::string& of) {
    fix(shape.body, of, mesh_of("sphere", sphere_, shape.solid ? Paint::body : Paint::steel),
        shape.centre, Quaterniond::Identity(), Vector3d::Constant(shape.radius));
  }
  void draw(const MeshShape& shape, const std::string& of) {
    const Solid solid = make_faces(shape.mesh->corners, shape.mesh->indices);
    if (solid.indices.empty()) return;
    fix(shape.body, of, mesh_of("mesh " + of, solid, Paint::body), shape.frame.p,
        Quaterniond(shape.frame.A), Vector3d::Ones());
  }
  void draw(const BetweenShape& shape, const std::string& of) {
    const Paint paint = shape.role == BetweenRole::spring   ? Paint::spring
                        : shape.role == BetweenRole::damper ? Paint::damper
                                                            : Paint::steel;
    std::vector<float> places, turns, scales;
    Quaterniond before = Quaterniond::Identity();
    for (std::size_t frame = 0; frame < frames(); ++frame) {
      const auto in_world = [&](const BodyPoint& end) -> Vector3d {
        const auto body = static_cast<std::size_t>(end.body + 1);
        return place(frame, body) + turn(frame, body) * end.point;
      };
      const Vector3d a = in_world(shape.a);
      const Vector3d along = in_world(shape.b) - a;
      Quaterniond q = before;
      if (along.norm() > 1e-9) q = turn_from_z(along);
      if (q.dot(before) < 0.0) q.coeffs() = -q.coeffs();
      before = q;
      put(places, a);
      put(turns, q.normalized());
      put(scales, Vector3d(shape.radius, shape.radius, std::fmax(along.norm(), 1e-6)));
    }
    Json node = {{"name", of}, {"mesh", mesh_of("cylinder", cylinder_, paint)}};
    top_.push_back(add_moved_node(std::move(node), places, turns, scales));
  }
  // glyphs of a page alone
  void draw(const CentreShape& /*shape*/, const std::string& /*of*/) {}
  void draw(const JointShape& /*shape*/, const std::string& /*of*/) {}
  void draw(const BushingShape& /*shape*/, const std::string& /*of*/) {}

  /// A node that stands as in the first frame, with channels for what changes after it.
  /// `turn_times`: of the turns, where they are not those of the frames.
  std::size_t add_moved_node(Json node, const std::vector<float>& places,
                             const std::vector<float>& turns, const std::vector<float>& scales,
                             int turn_times = -1) {
    const auto first = [](const std::vector<float>& numbers, std::size_t size) {
      return std::vector<float>(numbers.begin(),
                                numbers.begin() + static_cast<std::ptrdiff_t>(size));
    };
    node["translation"] = first(places, 3);
    node["rotation"] = first(turns, 4);
    if (!scales.empty()) node["scale"] = first(scales, 3);
    const std::size_t index = add_node(std::move(node));
    const auto move = [&](const char* path, const std::vector<float>& numbers, int size,
                          int times) {
      bool moves = false;
      for (std::size_t k = static_cast<std::size_t>(size); k < numbers.size(); ++k)
        moves = moves || numbers[k] != numbers[k - static_cast<std::size_t>(size)];
      if (!moves) return;
      samplers_.push_back(
          {{"input", times}, {"output", buffer_.add(numbers, size)}, {"interpolation", "LINEAR"}});
      channels_.push_back(
          {{"sampler", samplers_.size() - 1}, {"target", {{"node", index}, {"path", path}}}});
    };
    move("translation", places, 3, times_);
    move("rotation", turns, 4, turn_times >= 0 ? turn_times : times_);
    move("scale", scales, 3, times_);
    return index;
  }

  void add_road(const RoadMesh& mesh) {
    const Solid solid = make_faces(mesh.corners, mesh.indices);
    if (solid.indices.empty()) return;
    top_.push_back(
        add_node({{"name", "road"},
                  {"mesh", mesh_of("road " + std::to_string(top_.size()), solid, Paint::road)}}));
  }

  /// Attitudes of a body that spins and their times: between two frames as many as it takes to turn
  /// by less than kMostTurn from each to the next.
  void put_spinning_turns(std::size_t body, const Spin& spin, std::vector<float>& times,
                          std::vector<float>& turns) const {
    constexpr double kMostTurn = 0.5 * std::numbers::pi;
    const auto about_axle = [&](double angle) {
      return Quaterniond(Eigen::AngleAxisd(angle, spin.axis));
    };
    // what the body does but for its spin
    const auto rest = [&](std::size_t frame) -> Quaterniond {
      return turn(frame, body) * about_axle(-spin.angles[frame]);
    };
    Quaterniond before = turn(0, body);
    const auto put_turn = [&](double t, Quaterniond q) {
      if (q.dot(before) < 0.0) q.coeffs() = -q.coeffs();
      before = q;
      times.push_back(time_of(t));
      put(turns, q.normalized());
    };
    put_turn(motion_.frame_times[0], before);
    for (std::size_t frame = 0; frame + 1 < frames(); ++frame) {
      const double by = spin.angles[frame + 1] - spin.angles[frame];
      const double parts = std::floor(std::abs(by) / kMostTurn) + 1.0;
      const double begin = motion_.frame_times[frame];
      const double step = motion_.frame_times[frame + 1] - begin;
      for (double part = 1.0; part < parts; part += 1.0)
        put_turn(begin + part / parts * step,
                 rest(frame).slerp(part / parts, rest(frame + 1)) *
                     about_axle(spin.angles[frame] + part / parts * by));
      put_turn(motion_.frame_times[frame + 1], turn(frame + 1, body));
    }
  }

  void add_bodies(const Report& report) {
    for (std::size_t body = 0; body < bodies_; ++body) {
      if (children_[body].empty()) continue;
      std::vector<float> places, turns, times;
      const Spin* spin = frames() > 1 ? find_spin(body) : nullptr;
      if (spin != nullptr) put_spinning_turns(body, *spin, times, turns);
      for (std::size_t frame = 0; frame < frames(); ++frame) {
        put(places, place(frame, body));
        if (spin == nullptr) put(turns, turn(frame, body));
      }
      Json node = {{"name", body == 0 ? "ground" : report.model.bodies[body - 1].name},
                   {"children", children_[body]}};
      const int turn_times = spin != nullptr ? buffer_.add(times, 1) : -1;
      top_.push_back(add_moved_node(std::move(node), places, turns, {}, turn_times));
    }
  }

  void write_lists() {
    file_["nodes"] = nodes_;
    if (!mesh_list_.empty()) file_["meshes"] = mesh_list_;
    if (!material_list_.empty()) file_["materials"] = material_list_;
    if (!channels_.empty())
      file_["animations"] =
          Json::array({{{"name", motion_.name}, {"channels", channels_}, {"samplers", samplers_}}});
  }

  const Motion& motion_;
  std::size_t bodies_;
  Json file_;
  GltfBuffer buffer_;
  std::vector<Json> nodes_;
  Json mesh_list_ = Json::array(), material_list_ = Json::array();
  Json samplers_ = Json::array(), channels_ = Json::array();
  std::vector<std::size_t> top_;                    ///< nodes below the first one
  std::vector<std::vector<std::size_t>> children_;  ///< [body of the page]
  std::map<std::pair<std::string, Paint>, std::size_t> meshes_;
  std::map<std::string, std::array<int, 3>> geometries_;
  std::map<Paint, std::size_t> materials_;
  const Solid cylinder_ = make_cylinder(), box_ = make_box(), sphere_ = make_sphere();
  int times_ = -1;
};

}  // namespace

std::string make_glb(const Report& report) { return Scene(report).binary(); }

}  // namespace semirec::report
