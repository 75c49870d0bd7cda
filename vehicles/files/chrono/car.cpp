#include "vehicles/files/chrono/car.hpp"

#include <cmath>
#include <numbers>

#include <Eigen/Geometry>

#include "topology/principal_axes.hpp"

namespace semirec::chrono {

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double kShortest = 1e-9;  // m; nearer points are one

XmlNode joint(Car& car, const std::string& type, const std::string& name, const std::string& a,
              const std::string& b, const Vector3d& point) {
  XmlNode node = element("joint");
  node.set("name", name).set("type", type).set("a", a).set("b", b);
  node.set("point", Vector3d(car.origin + point));
  return node;
}

}  // namespace

void refuse_template(const Json& name, const std::vector<std::string>& covered) {
  std::string all;
  for (const std::string& one : covered) all += (all.empty() ? "" : ", ") + one;
  name.fail("is '" + printable(name.text()) + "', which is not covered, expected " +
            (covered.size() > 1 ? "one of " : "") + all);
}

Vector3d direction(const Json& part, const Vector3d& from, const Vector3d& to) {
  const Vector3d line = to - from;
  if (!(line.norm() > kShortest)) part.fail("has two equal points, expected a distance");
  return line.normalized();
}

Vector3d normal(const Json& part, const Vector3d& u, const Vector3d& v) {
  const Vector3d w = u.cross(v);
  if (!(w.norm() > 1e-9 * u.norm() * v.norm()) || !(w.norm() > kShortest * kShortest))
    part.fail("has points or axes on one line, expected them to span a plane");
  return w.normalized();
}

Vector3d unit(const Json& value) {
  const Vector3d v = value.vector();
  if (std::abs(v.norm() - 1.0) > 0.01) value.fail("is not of length 1, expected a unit vector");
  return v.normalized();
}

Matrix3d arm_axes(const Json& part, const Vector3d& front, const Vector3d& back,
                  const Vector3d& outer) {
  Matrix3d A;
  A.col(2) = normal(part, back - outer, front - outer);
  A.col(0) = direction(part, back, front);
  A.col(1) = A.col(2).cross(A.col(0));
  return A;
}

Matrix3d link_axes(const Json& part, const Vector3d& from, const Vector3d& to,
                   const Vector3d& third) {
  Matrix3d A;
  A.col(1) = normal(part, from - third, to - third);
  A.col(2) = direction(part, from, to);
  A.col(0) = A.col(1).cross(A.col(2));
  return A;
}

Matrix3d rod_axes(const Json& part, const Vector3d& from, const Vector3d& to) {
  Matrix3d A;
  A.col(2) = direction(part, from, to);
  A.col(1) = normal(part, A.col(2), Vector3d::UnitX());
  A.col(0) = A.col(1).cross(A.col(2));
  return A;
}

Matrix3d level_axes(const Json& part, const Vector3d& from, const Vector3d& to) {
  Matrix3d A;
  A.col(0) = direction(part, from, to);
  A.col(1) = normal(part, Vector3d::UnitZ(), A.col(0));
  A.col(2) = A.col(0).cross(A.col(1));
  return A;
}

Matrix3d spindle_axes(const Json& suspension, const Side& side) {
  const auto angle = [&](const char* key) {
    const auto value = suspension.find(key);
    const double degrees = value ? value->number() : 0.0;
    if (std::abs(degrees) > 45.0) value->fail("is beyond 45 degrees, expected a wheel that stands");
    return degrees * std::numbers::pi / 180.0;
  };
  // positive: top outward, toe in
  const double sign = -side.sign;
  return (Eigen::AngleAxisd(sign * angle("Toe Angle (deg)"), Vector3d::UnitZ()) *
          Eigen::AngleAxisd(sign * angle("Camber Angle (deg)"), Vector3d::UnitX()))
      .toRotationMatrix();
}

Matrix3d inertia_of(const Json& part, const Matrix3d& A) {
  const auto plain = part.find("Inertia");
  const Json moments = plain ? *plain : part.at("Moments of Inertia");
  const Vector3d diagonal = moments.vector();
  if (!(diagonal.minCoeff() >= 0.0)) moments.fail("is negative, expected moments of inertia");
  Matrix3d J = diagonal.asDiagonal();
  if (const auto products = part.find(plain ? "Inertia Products" : "Products of Inertia")) {
    const Vector3d p = products->vector();
    J(0, 1) = J(1, 0) = p.x();
    J(0, 2) = J(2, 0) = p.y();
    J(1, 2) = J(2, 1) = p.z();
    if (find_principal_axes(J).moments[0] < -1e-9 * diagonal.maxCoeff())
      products->fail("give a negative principal moment, expected those of a body");
  }
  return A * J * A.transpose();
}

void add_body(Car& car, const std::string& name, double mass, const Vector3d& com,
              const Matrix3d& inertia, bool chassis) {
  XmlNode node = element("body");
  node.set("name", name).set("mass", mass).set("com", Vector3d(car.origin + com));
  node.set("inertia", Vector3d(inertia.diagonal()));
  const Vector3d products(inertia(0, 1), inertia(0, 2), inertia(1, 2));
  // what rounding leaves of a product is none
  if (products.cwiseAbs().maxCoeff() > 1e-14 * inertia.trace()) node.set("products", products);
  if (chassis) node.set("chassis", "yes");
  car.elements.push_back(std::move(node));
  car.mass += mass;
}

void add_part(Car& car, const Json& part, const std::string& name, const Vector3d& com,
              const Matrix3d& A) {
  add_body(car, name, part.at("Mass").positive(), com, inertia_of(part, A));
}

void add_axial(Car& car, const std::string& type, const std::string& name, const std::string& a,
               const std::string& b, const Vector3d& point, const Vector3d& axis) {
  car.elements.push_back(joint(car, type, name, a, b, point).set("axis", axis));
}

void add_revolute(Car& car, const std::string& name, const std::string& a, const std::string& b,
                  const Vector3d& point, const Vector3d& axis) {
  add_axial(car, "revolute", name, a, b, point, axis);
}

void add_spherical(Car& car, const std::string& name, const std::string& a, const std::string& b,
                   const Vector3d& point) {
  car.elements.push_back(joint(car, "spherical", name, a, b, point));
}

void add_universal(Car& car, const Json& part, const std::string& name, const std::string& a,
                   const std::string& b, const Vector3d& point, const Vector3d& axis_a,
                   const Vector3d& axis_b) {
  const Vector3d w = normal(part, axis_a, axis_b);
  const Vector3d square = w.cross(axis_a.normalized());
  if (square.dot(axis_b.normalized()) < 0.999)
    part.fail("has a universal joint whose axes are not perpendicular, expected a right angle");
  car.elements.push_back(joint(car, "universal", name, a, b, point)
                             .set("axis", Vector3d(axis_a.normalized()))
                             .set("axis_b", square));
}

void add_rod(Car& car, const Json& part, const std::string& name, const std::string& a,
             const std::string& b, const Vector3d& point_a, const Vector3d& point_b) {
  (void)direction(part, point_a, point_b);
  XmlNode node = element("rod");
  node.set("name", name).set("a", a).set("b", b);
  node.set("point_a", Vector3d(car.origin + point_a));
  node.set("point_b", Vector3d(car.origin + point_b));
  car.elements.push_back(std::move(node));
}

void add_point_in_plane(Car& car, const std::string& name, const std::string& a,
                        const std::string& b, const Vector3d& point, const Vector3d& axis) {
  XmlNode node = element("point_in_plane");
  node.set("name", name).set("a", a).set("b", b);
  node.set("point", Vector3d(car.origin + point)).set("axis", axis);
  car.elements.push_back(std::move(node));
}

Corner add_spindle(Car& car, const Json& suspension, const Side& side, const std::string& carrier) {
  const Json part = suspension.at("Spindle");
  const Matrix3d A = spindle_axes(suspension, side);
  Corner corner;
  corner.suffix = side.suffix;
  corner.carrier = carrier;
  corner.spindle = join("spindle", side.suffix);
  corner.antiroll_body = carrier;
  corner.centre = side.point(part.at("COM").vector());
  corner.axis = A.col(1);
  // Chrono's axle shaft turns with the spindle about its y axis
  const double shaft = suspension.at("Axle").at("Inertia").not_negative();
  const Vector3d more = side.rolling.inertia + Vector3d(0.0, shaft, 0.0);
  const Matrix3d J = inertia_of(part, A) + A * more.asDiagonal() * A.transpose();
  add_body(car, corner.spindle, part.at("Mass").positive() + side.rolling.mass, corner.centre, J);
  add_revolute(car, join("spin", side.suffix), carrier, corner.spindle, corner.centre, corner.axis);
  return corner;
}

void add_tierod(Car& car, const Json& suspension, const AxlePlace& axle, const Side& side,
                const std::string& carrier) {
  const Json part = suspension.at("Tierod");
  const Vector3d inner = side.point(part.at("Location Chassis").vector());
  const Vector3d outer = side.point(part.at("Location Upright").vector());
  const std::string name = join("tierod", side.suffix);
  if (!part.has("Mass")) {
    add_rod(car, part, name, axle.tierod_body, carrier, inner, outer);
    return;
  }
  const Matrix3d A = rod_axes(part, inner, outer);
  add_part(car, part, name, 0.5 * (inner + outer), A);
  if (part.has("Bushing Data")) add_free_joint(car, name);
  add_cross(car, part, "Bushing Data", join("tierod_joint", side.suffix), axle.tierod_body, name,
            inner, A.col(0), A.col(1));
  add_ball(car, part, "Bushing Data", join("tierod_ball", side.suffix), name, carrier, outer);
}

std::string add_wishbone(Car& car, const Json& part, const Side& side, const std::string& arm,
                         const std::string& upright, bool vehicle_frame) {
  const Vector3d front = side.point(part.at("Location Chassis Front").vector());
  const Vector3d back = side.point(part.at("Location Chassis Back").vector());
  const Vector3d outer = side.point(part.at("Location Upright").vector());
  const Matrix3d A = arm_axes(part, front, back, outer);
  std::string name = join(arm, side.suffix);
  add_part(car, part, name, side.point(part.at("COM").vector()),
           vehicle_frame ? Matrix3d::Identity() : A);
  Matrix3d hinge;
  hinge << A.col(1), A.col(2), A.col(0);
  add_hinge(car, part, join(arm + "_joint", side.suffix), name, 0.5 * (front + back), hinge);
  add_spherical(car, join(arm + "_ball", side.suffix), name, upright, outer);
  return name;
}

void add_bushing(Car& car, const Json& data, BushedJoint kind, const std::string& name,
                 const std::string& a, const std::string& b, const Vector3d& point,
                 const Matrix3d& A) {
  const auto free = data.find("DOF");
  // rates of what the joint holds and of what it leaves free
  const auto six = [&](const char* linear, const char* rotational) {
    const double held = data.at(rotational).not_negative();
    double loose = 0.0;
    if (free) {
      // a joint that leaves no translation free has no use for its rate
      (void)free->find(linear);
      loose = free->at(rotational).not_negative();
    }
    const std::string across = in_words(kind == BushedJoint::revolute ? held : loose);
    const std::string about = in_words(kind == BushedJoint::universal ? held : loose);
    const std::string one = in_words(data.at(linear).not_negative());
    return one + " " + one + " " + one + " " + across + " " + across + " " + about;
  };
  XmlNode node = element("bushing");
  node.set("name", name).set("a", a).set("b", b).set("point", Vector3d(car.origin + point));
  node.set("axis", Vector3d(A.col(2))).set("axis_x", Vector3d(A.col(0)));
  node.set("stiffness", six("Stiffness Linear", "Stiffness Rotational"));
  node.set("damping", six("Damping Linear", "Damping Rotational"));
  car.elements.push_back(std::move(node));
}

void add_free_joint(Car& car, const std::string& body) {
  XmlNode node = element("joint");
  node.set("name", body + "_free").set("type", "free").set("a", "ground").set("b", body);
  car.elements.push_back(std::move(node));
}

bool add_ball(Car& car, const Json& part, const char* key, const std::string& name,
              const std::string& a, const std::string& b, const Vector3d& point) {
  const auto data = part.find(key);
  if (data)
    add_bushing(car, *data, BushedJoint::spherical, name, a, b, point, Matrix3d::Identity());
  else
    add_spherical(car, name, a, b, point);
  return data.has_value();
}

bool add_cross(Car& car, const Json& part, const char* key, const std::string& name,
               const std::string& a, const std::string& b, const Vector3d& point,
               const Vector3d& axis_a, const Vector3d& axis_b) {
  const auto data = part.find(key);
  if (!data) {
    add_universal(car, part, name, a, b, point, axis_a, axis_b);
    return false;
  }
  const Vector3d z = normal(part, axis_a, axis_b);
  Matrix3d A;
  A << axis_a.normalized(), z.cross(axis_a.normalized()), z;
  add_bushing(car, *data, BushedJoint::universal, name, a, b, point, A);
  return true;
}

void add_hinge(Car& car, const Json& part, const std::string& name, const std::string& arm,
               const Vector3d& point, const Matrix3d& A) {
  if (const auto data = part.find("Bushing Data")) {
    add_free_joint(car, arm);
    add_bushing(car, *data, BushedJoint::revolute, name, "chassis", arm, point, A);
    return;
  }
  add_revolute(car, name, "chassis", arm, point, A.col(2));
}

}  // namespace semirec::chrono
