#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>

#include <Eigen/Geometry>

#include "topology/principal_axes.hpp"
#include "topology/spanning_tree.hpp"
#include "vehicles/description/units.hpp"
#include "vehicles/drawing/drawing.hpp"
#include "vehicles/drawing/hull_edges.hpp"

namespace semirec {

namespace {

using Eigen::Vector3d;

constexpr double kLinkOfExtent = 0.012, kLinkOfWheel = 0.04, kLinkOfLength = 0.08;
constexpr double kCoil = 4.0, kCoilOfLength = 0.2;
constexpr double kTube = 1.8, kTubeOfLength = 0.1;
constexpr double kRod = 0.8;
constexpr double kDrawnWidth = 0.6, kRimRadius = 0.62;  // of the wheel's radius
constexpr double kStiff = 1e6;                          // N/m, of a spring that stands for a rod
constexpr double kAlong = 0.999;                        // cosine of directions that are one
constexpr double kLeastBox = 0.01, kMostBox = 0.6;      // of the extent

/// A place where something holds a body.
struct Hold {
  Vector3d point, axis;
  bool turns = false;   ///< a joint that turns about the axis
  bool slides = false;  ///< a joint that slides along it
};

bool does_nothing(const Curve& curve) {
  const auto zero = [](const Curve::Piece& piece) {
    return std::all_of(piece.c.begin(), piece.c.end(), [](double c) { return c == 0.0; });
  };
  return curve.sines().empty() && curve.function() == nullptr &&
         std::all_of(curve.pieces().begin(), curve.pieces().end(), zero);
}

class Draughtsman {
 public:
  explicit Draughtsman(const Vehicle& vehicle)
      : vehicle_(vehicle),
        mechanism_(vehicle.mechanism),
        holds_(vehicle.mechanism.bodies.size()),
        role_(vehicle.mechanism.bodies.size(), Role::plain) {
    find_holds();
    measure();
  }

  Drawing draw() {
    find_roles();
    for (std::size_t b = 0; b < mechanism_.bodies.size(); ++b) draw_body(static_cast<BodyIndex>(b));
    for (const Constraint& constraint : mechanism_.constraints) draw_constraint(constraint);
    for (const SpringDamper& spring : mechanism_.springs) draw_spring(spring);
    for (const RotationalSpringDamper& spring : mechanism_.rotational_springs) draw_bar(spring);
    for (const Wheel& wheel : vehicle_.wheels) draw_wheel(wheel);
    draw_joints();
    for (const Bushing& bushing : mechanism_.bushings)
      add(BushingShape{bushing.a.body, bushing.a.X_BF.p, bushing.a.X_BF.A.col(2)}, bushing.name,
          bushing.source);
    for (const SolidShape& shape : vehicle_.shapes) draw_solid(shape);
    return std::move(drawing_);
  }

 private:
  enum class Role { plain, carrier, rim, frame, bar };

  Role& role_of(BodyIndex body) { return role_[static_cast<std::size_t>(body)]; }
  const Body& body_of(BodyIndex body) const {
    return mechanism_.bodies[static_cast<std::size_t>(body)];
  }
  Vector3d in_world(const BodyPoint& at) const {
    return at.body == kGround
               ? at.point
               : (body_of(at.body).X_WB * Frame{Eigen::Matrix3d::Identity(), at.point}).p;
  }
  static BodyPoint place(const Marker& marker) { return {marker.body, marker.X_BF.p}; }

  void add(ShapeForm form, const std::string& of, const Source& source) {
    drawing_.shapes.push_back({std::move(form), of, source});
  }

  void hold(const Marker& marker, bool turns = false, bool slides = false) {
    if (marker.body == kGround) return;
    holds_[static_cast<std::size_t>(marker.body)].push_back(
        {marker.X_BF.p, marker.X_BF.A.col(2), turns, slides});
  }

  void find_holds() {
    for (const Joint& joint : mechanism_.joints) {
      if (joint.type == JointType::free) continue;
      const bool both = joint.type == JointType::cylindrical;
      for (const Marker* marker : {&joint.a, &joint.b})
        hold(*marker, both || joint.type == JointType::revolute,
             both || joint.type == JointType::prismatic);
    }
    for (const Constraint& constraint : mechanism_.constraints)
      for (const Marker* marker : {&constraint.a, &constraint.b}) hold(*marker);
    for (const SpringDamper& spring : mechanism_.springs)
      for (const Marker* marker : {&spring.a, &spring.b}) hold(*marker);
    for (const Bushing& bushing : mechanism_.bushings)
      for (const Marker* marker : {&bushing.a, &bushing.b}) hold(*marker);
    for (const Wheel& wheel : vehicle_.wheels) hold(wheel.centre);
  }

  /// Extent, tolerance and radius of links.
  void measure() {
    Vector3d low = Vector3d::Constant(1e300);
    Vector3d high = -low;
    const auto see = [&](const Vector3d& point, double radius = 0.0) {
      low = low.cwiseMin(point - Vector3d::Constant(radius));
      high = high.cwiseMax(point + Vector3d::Constant(radius));
    };
    for (std::size_t b = 0; b < holds_.size(); ++b) {
      const auto body = static_cast<BodyIndex>(b);
      see(in_world({body, body_of(body).com}));
      for (const Hold& hold : holds_[b]) see(in_world({body, hold.point}));
    }
    double wheels = 0.0;
    for (const Wheel& wheel : vehicle_.wheels) {
      see(in_world(place(wheel.centre)), wheel.radius);
      wheels += wheel.radius / static_cast<double>(vehicle_.wheels.size());
    }
    double extent = (high - low).maxCoeff();
    // one body that nothing holds: as large as itself
    for (const Body& body : mechanism_.bodies)
      extent = std::max(extent, std::sqrt(6.0 * std::fmax(0.0, body.inertia.trace()) / body.mass));
    if (!(extent > 0.0 && std::isfinite(extent))) extent = 1.0;
    drawing_.extent = extent;
    tolerance_ = std::min(1e-4 * extent, 1e-3);
    link_ = kLinkOfExtent * extent;
    if (wheels > 0.0) link_ = std::min(link_, kLinkOfWheel * wheels);
  }

  void find_roles() {
    for (const RotationalSpringDamper& spring : mechanism_.rotational_springs)
      if (const auto ends = find_bar(spring))
        for (const BodyPoint& end : *ends)
          if (end.body != kGround) role_of(end.body) = Role::bar;
    for (const Wheel& wheel : vehicle_.wheels) {
      role_of(wheel.centre.body) = Role::carrier;
      if (wheel.rim != kGround) role_of(wheel.rim) = Role::rim;
    }
    if (vehicle_.chassis == kGround) return;
    role_of(vehicle_.chassis) = Role::frame;
    for (const Unit& unit : find_units(vehicle_))
      if (unit.frame != kGround) role_of(unit.frame) = Role::frame;
  }

  /// At most `share` of the length where there is one.
  static double bounded(double radius, double share, double length) {
    return length > 0.0 ? std::min(radius, share * length) : radius;
  }

  void draw_body(BodyIndex index) {
    const Body& body = body_of(index);
    const std::vector<Hold>& holds = holds_[static_cast<std::size_t>(index)];
    std::vector<Vector3d> points;
    for (const Hold& hold : holds) points.push_back(hold.point);
    points = distinct_points(points, tolerance_);
    const Role role = role_of(index);
    if (role == Role::rim) return;
    if (role == Role::frame) return draw_frame(index, points);
    if (points.empty() || (points.size() == 1 && (points[0] - body.com).norm() < tolerance_))
      return draw_inertia(index);
    if (points.size() == 1) {
      add_link(index, points[0], body.com);
      add(SphereShape{index, body.com, bounded(2.5 * link_, 0.2, (points[0] - body.com).norm())},
          body.name, body.source);
      return;
    }
    const std::pair<Vector3d, Vector3d> ends = farthest(points);
    const Vector3d along = (ends.second - ends.first).normalized();
    const bool on_a_line = std::all_of(points.begin(), points.end(), [&](const Vector3d& point) {
      return along.cross(point - ends.first).norm() < tolerance_;
    });
    if (on_a_line)
      add_link(index, ends.first, ends.second);
    else
      add(HullShape{index, points, role == Role::carrier}, body.name, body.source);
  }

  /// The pair of points that is farthest apart, in the order in which they stand.
  static std::pair<Vector3d, Vector3d> farthest(const std::vector<Vector3d>& points) {
    std::pair<std::size_t, std::size_t> ends{0, 1};
    double most = -1.0;
    for (std::size_t i = 0; i < points.size(); ++i)
      for (std::size_t j = i + 1; j < points.size(); ++j)
        if (const double length = (points[i] - points[j]).norm(); length > most) {
          most = length;
          ends = {i, j};
        }
    return {points[ends.first], points[ends.second]};
  }

  void add_link(BodyIndex index, const Vector3d& a, const Vector3d& b) {
    const Vector3d along = (b - a).normalized();
    LinkRole role = role_of(index) == Role::bar ? LinkRole::bar : LinkRole::link;
    for (const Hold& hold : holds_[static_cast<std::size_t>(index)]) {
      if (role != LinkRole::link || std::abs(hold.axis.dot(along)) < kAlong) continue;
      const bool on_line = along.cross(hold.point - a).norm() < tolerance_;
      if (hold.turns && on_line) role = LinkRole::shaft;
      if (hold.slides) role = LinkRole::rack;
    }
    add(LinkShape{index, a, b, bounded(link_, kLinkOfLength, (b - a).norm()), role},
        body_of(index).name, body_of(index).source);
  }

  void draw_frame(BodyIndex index, std::vector<Vector3d> points) {
    const Body& body = body_of(index);
    // too few to span a space: the centre of mass is one, too
    if (points.size() < 4) points.push_back(body.com);
    const std::vector<Vector3d> lines = find_hull_edges(points, tolerance_);
    if (lines.empty())
      draw_inertia(index);
    else
      add(OutlineShape{index, lines}, body.name, body.source);
    add(CentreShape{index, body.com}, body.name, body.source);
  }

  /// The homogeneous box of the body's mass and moments: 12 J_x / m = y^2 + z^2, ...
  void draw_inertia(BodyIndex index) {
    const Body& body = body_of(index);
    const PrincipalAxes principal = find_principal_axes(body.inertia);
    BoxShape box;
    box.body = index;
    box.frame = {principal.axes, body.com};
    if (box.frame.A.determinant() < 0.0) box.frame.A.col(0) = -box.frame.A.col(0);
    const double trace = principal.moments.sum();
    for (int k = 0; k < 3; ++k) {
      const double square = 6.0 * (trace - 2.0 * principal.moments[k]) / body.mass;
      box.size[k] = std::clamp(std::sqrt(std::fmax(0.0, square)), kLeastBox * drawing_.extent,
                               kMostBox * drawing_.extent);
    }
    add(std::move(box), body.name, body.source);
  }

  void draw_constraint(const Constraint& constraint) {
    const BodyPoint a = place(constraint.a);
    const BodyPoint b = place(constraint.b);
    if (constraint.type == ConstraintType::rod) {
      const double length = (in_world(b) - in_world(a)).norm();
      add(BetweenShape{BetweenRole::rod, a, b, bounded(kRod * link_, kLinkOfLength, length)},
          constraint.name, constraint.source);
      return;
    }
    add(JointShape{constraint.type == ConstraintType::point_on_line ? "point_on_line"
                                                                    : "point_in_plane",
                   a.body, a.point, constraint.a.X_BF.A.col(2), true},
        constraint.name, constraint.source);
  }

  /// Whether nothing of this role is drawn between these points yet.
  bool is_new(BetweenRole role, const BodyPoint& a, const BodyPoint& b) {
    std::array<long long, 6> rounded{};
    for (int k = 0; k < 3; ++k) {
      rounded[static_cast<std::size_t>(k)] = std::llround(a.point[k] / tolerance_);
      rounded[static_cast<std::size_t>(3 + k)] = std::llround(b.point[k] / tolerance_);
    }
    return drawn_.emplace(std::tuple(role, a.body, b.body, rounded), true).second;
  }

  void draw_spring(const SpringDamper& spring) {
    const BodyPoint a = place(spring.a);
    const BodyPoint b = place(spring.b);
    const Vector3d between = in_world(b) - in_world(a);
    const double length = between.norm();
    const auto draw = [&](BetweenRole role, double radius, double share) {
      if (is_new(role, a, b))
        add(BetweenShape{role, a, b, bounded(radius, share, length)}, spring.name, spring.source);
    };
    if (!does_nothing(spring.spring)) {
      if (!spring.along_axis && spring.spring.evaluate(length).fd > kStiff)
        return draw(BetweenRole::rod, kRod * link_, kLinkOfLength);
      draw(BetweenRole::spring, kCoil * link_, kCoilOfLength);
    }
    if (!does_nothing(spring.damper)) draw(BetweenRole::damper, kTube * link_, kTubeOfLength);
  }

  /// Where the two bodies of a torsion spring are hinged on its axis, if these are two places.
  std::optional<std::array<BodyPoint, 2>> find_bar(const RotationalSpringDamper& spring) const {
    std::array<BodyPoint, 2> ends;
    std::size_t k = 0;
    for (const Marker* marker : {&spring.a, &spring.b}) {
      if (marker->body == kGround) return {};
      const Vector3d axis = marker->X_BF.A.col(2);
      const Hold* found = nullptr;
      for (const Hold& hold : holds_[static_cast<std::size_t>(marker->body)])
        if (found == nullptr && hold.turns && std::abs(hold.axis.dot(axis)) > kAlong &&
            axis.cross(hold.point - marker->X_BF.p).norm() < tolerance_)
          found = &hold;
      if (found == nullptr) return {};
      ends[k++] = {marker->body, found->point};
    }
    if ((in_world(ends[0]) - in_world(ends[1])).norm() < tolerance_) return {};
    return ends;
  }

  void draw_bar(const RotationalSpringDamper& spring) {
    const auto ends = find_bar(spring);
    if (!ends) return;
    const double length = (in_world((*ends)[0]) - in_world((*ends)[1])).norm();
    add(BetweenShape{BetweenRole::bar, (*ends)[0], (*ends)[1],
                     bounded(link_, kLinkOfLength, length)},
        spring.name, spring.source);
  }

  void draw_wheel(const Wheel& wheel) {
    WheelShape shape;
    shape.body = wheel.rim == kGround ? wheel.centre.body : wheel.rim;
    const Frame X_WF = body_of(wheel.centre.body).X_WB * wheel.centre.X_BF;
    const Frame X_BF = inverse(body_of(shape.body).X_WB) * X_WF;
    shape.centre = X_BF.p;
    shape.axis = X_BF.A.col(1);
    shape.radius = wheel.radius;
    shape.width = wheel.size.width > 0.0 ? wheel.size.width : kDrawnWidth * wheel.radius;
    const double rim = wheel.size.rim_radius;
    shape.rim_radius = rim > 0.0 && rim < wheel.radius ? rim : kRimRadius * wheel.radius;
    add(shape, wheel.name, wheel.source);
  }

  void draw_joints() {
    const SpanningTree tree = make_spanning_tree(mechanism_);
    for (std::size_t j = 0; j < mechanism_.joints.size(); ++j) {
      const Joint& joint = mechanism_.joints[j];
      if (joint.type == JointType::free) continue;
      add(JointShape{name_of(joint.type), joint.a.body, joint.a.X_BF.p, joint.a.X_BF.A.col(2),
                     tree.branch_of_joint[j] < 0},
          joint.name, joint.source);
    }
  }

  void draw_solid(const SolidShape& solid) {
    const BodyIndex body = solid.at.body;
    const Frame& frame = solid.at.X_BF;
    const Vector3d half = 0.5 * solid.length * frame.A.col(2);
    switch (solid.kind) {
      case SolidKind::box:
        return add(BoxShape{body, frame, solid.size, true}, solid.name, solid.source);
      case SolidKind::cylinder:
        return add(LinkShape{body, frame.p - half, frame.p + half, solid.radius, LinkRole::solid},
                   solid.name, solid.source);
      case SolidKind::sphere:
        return add(SphereShape{body, frame.p, solid.radius, true}, solid.name, solid.source);
      case SolidKind::mesh:
        return add(MeshShape{body, frame, solid.mesh}, solid.name, solid.source);
    }
  }

  const Vehicle& vehicle_;
  const Mechanism& mechanism_;
  std::vector<std::vector<Hold>> holds_;  ///< [body]
  std::vector<Role> role_;                ///< [body]
  std::map<std::tuple<BetweenRole, BodyIndex, BodyIndex, std::array<long long, 6>>, bool> drawn_;
  double tolerance_ = 1e-3;  ///< m
  double link_ = 0.01;       ///< radius of a link, m
  Drawing drawing_;
};

}  // namespace

Drawing make_drawing(const Vehicle& vehicle) { return Draughtsman(vehicle).draw(); }

}  // namespace semirec
