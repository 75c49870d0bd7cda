#include "tests/support/chrono_walk.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <utility>
#include <vector>

#include <Eigen/Dense>
#include <nlohmann/json.hpp>

#include "tests/support/eigen_system.hpp"

namespace semirec::test {

namespace {

namespace fs = std::filesystem;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using Json = nlohmann::json;

constexpr double kGravity = 9.81;  // m/s^2

Json open(const fs::path& root, const std::string& name) {
  // comments are allowed
  return Json::parse(text_of_file(root / name), nullptr, true, true);
}

Vector3d vector_of(const Json& list) {
  return {list[0].get<double>(), list[1].get<double>(), list[2].get<double>()};
}

Matrix3d rotation_of(const Json& list) {
  return Eigen::Quaterniond(list[0].get<double>(), list[1].get<double>(), list[2].get<double>(),
                            list[3].get<double>())
      .normalized()
      .toRotationMatrix();
}

/// Newton with differences; throws where it does not end.
VectorXd solve(const std::function<VectorXd(const VectorXd&)>& residual, VectorXd x, double step,
               double enough) {
  for (int k = 0; k < 60; ++k) {
    const VectorXd r = residual(x);
    if (r.cwiseAbs().maxCoeff() < enough) return x;
    Eigen::MatrixXd J(r.size(), x.size());
    for (Eigen::Index j = 0; j < x.size(); ++j) {
      VectorXd low = x;
      VectorXd high = x;
      low[j] -= step;
      high[j] += step;
      J.col(j) = (residual(high) - residual(low)) / (2.0 * step);
    }
    VectorXd dx = solve_fully_pivoted(J, r);
    const double most = dx.cwiseAbs().maxCoeff();
    if (most > 0.02) dx *= 0.02 / most;
    x -= dx;
  }
  throw std::runtime_error("the stand of the JSON car was not found");
}

/// Axes of three points.
Matrix3d axes_of(const Vector3d& a, const Vector3d& b, const Vector3d& c) {
  Matrix3d A;
  A.col(0) = (b - a).normalized();
  A.col(2) = A.col(0).cross(c - a).normalized();
  A.col(1) = A.col(2).cross(A.col(0));
  return A;
}

/// A rigid motion that takes three points to three others.
struct RigidMotion {
  RigidMotion(const std::array<Vector3d, 3>& from, const std::array<Vector3d, 3>& to)
      : A(axes_of(to[0], to[1], to[2]) * axes_of(from[0], from[1], from[2]).transpose()),
        p(to[0] - A * from[0]) {}
  Vector3d operator()(const Vector3d& point) const { return A * point + p; }
  Matrix3d A;
  Vector3d p;
};

struct Lump {
  double mass;
  Vector3d place;
};

/// The left half of a double wishbone in the chassis frame.
class Wishbones {
 public:
  Wishbones(const Json& file, const Vector3d& location, double rolling_mass)
      : file_(file), location_(location), rolling_(rolling_mass) {
    upper_ = point("Upper Control Arm", "Location Upright");
    lower_ = point("Lower Control Arm", "Location Upright");
    tierod_ = point("Tierod", "Location Upright");
    const Json& spring = file["Spring"];
    free_ = spring["Free Length"].get<double>();
    if (spring.contains("Minimum Length")) least_ = spring["Minimum Length"].get<double>();
    if (spring.contains("Maximum Length")) most_ = spring["Maximum Length"].get<double>();
  }

  struct Place {
    std::vector<Lump> lumps;
    double spring;  ///< length, m
    Vector3d centre, axle;
  };

  /// With the lower ball joint lifted by `travel`, m.
  Place at(double travel) const {
    const std::vector<std::pair<Vector3d, int>> ends{
        {point("Lower Control Arm", "Location Chassis Front"), 0},
        {point("Lower Control Arm", "Location Chassis Back"), 0},
        {point("Upper Control Arm", "Location Chassis Front"), 1},
        {point("Upper Control Arm", "Location Chassis Back"), 1},
        {point("Tierod", "Location Chassis"), 2}};
    const std::array<Vector3d, 3> design{lower_, upper_, tierod_};
    const auto residual = [&](const VectorXd& x) {
      const std::array<Vector3d, 3> now{x.segment<3>(0), x.segment<3>(3), x.segment<3>(6)};
      VectorXd r(9);
      int row = 0;
      const auto keep = [&](double length, double as) { r[row++] = length - as; };
      for (const auto& [end, k] : ends) {
        const auto i = static_cast<std::size_t>(k);
        keep((now[i] - end).norm(), (design[i] - end).norm());
      }
      for (const auto& [i, j] : {std::pair(0U, 1U), std::pair(0U, 2U), std::pair(1U, 2U)})
        keep((now[i] - now[j]).norm(), (design[i] - design[j]).norm());
      keep(now[0].z() - lower_.z(), travel);
      return r;
    };
    VectorXd x(9);
    x << lower_, upper_, tierod_;
    x = solve(residual, x, 1e-6, 1e-14);
    const std::array<Vector3d, 3> now{x.segment<3>(0), x.segment<3>(3), x.segment<3>(6)};
    const RigidMotion upright(design, now);
    const RigidMotion lower({ends[0].first, ends[1].first, lower_},
                            {ends[0].first, ends[1].first, now[0]});
    const RigidMotion upper({ends[2].first, ends[3].first, upper_},
                            {ends[2].first, ends[3].first, now[1]});
    Place place;
    place.centre = upright(point("Spindle", "COM"));
    // camber and toe are zero in the files that are used here
    place.axle = upright.A.col(1);
    const auto add = [&](const char* part, const RigidMotion& motion, double more) {
      place.lumps.push_back({file_[part]["Mass"].get<double>() + more, motion(point(part, "COM"))});
    };
    add("Spindle", upright, rolling_);
    add("Upright", upright, 0.0);
    add("Upper Control Arm", upper, 0.0);
    add("Lower Control Arm", lower, 0.0);
    place.spring =
        (lower(point("Spring", "Location Arm")) - point("Spring", "Location Chassis")).norm();
    return place;
  }

  /// Tension of the spring with its stops at a length, N.
  double tension(double length) const {
    return spring_tension(length) + stop(length - most_) - stop(least_ - length);
  }

 private:
  /// Chrono's built-in stop: 1000 N at 10 mm, 2500 N at 20 mm. N at a way beyond, m.
  static double stop(double way) {
    if (way <= 0.0) return 0.0;
    if (way > 0.02) throw std::runtime_error("a spring stands far beyond its stop");
    return way < 0.01 ? 1e5 * way : 1000.0 + 1.5e5 * (way - 0.01);
  }

  double spring_tension(double length) const {
    const Json& spring = file_["Spring"];
    if (spring.contains("Spring Coefficient"))
      return spring["Spring Coefficient"].get<double>() * (length - free_);
    const Json& curve = spring["Spring Curve Data"];
    std::size_t i = 1;
    while (i + 1 < curve.size() && length - free_ > curve[i][0].get<double>()) ++i;
    const double x0 = curve[i - 1][0];
    const double x1 = curve[i][0];
    const double f0 = curve[i - 1][1];
    const double f1 = curve[i][1];
    return f0 + (f1 - f0) * (length - free_ - x0) / (x1 - x0);
  }

  Vector3d point(const char* part, const char* key) const {
    return location_ + vector_of(file_[part][key]);
  }

  Json file_;
  Vector3d location_, upper_, lower_, tierod_;
  double rolling_, free_ = 0.0;
  double least_ = 0.0;
  double most_ = std::numeric_limits<double>::infinity();
};

/// What moves with the chassis: itself and the steering.
std::vector<Lump> on_chassis(const fs::path& root, const Json& car) {
  std::vector<Lump> lumps;
  const Json chassis = open(root, car["Chassis"]["Input File"]);
  for (const Json& part : chassis["Components"])
    lumps.push_back({part["Mass"].get<double>(), vector_of(part["Centroidal Frame"]["Location"])});
  for (const Json& place : car["Steering Subsystems"]) {
    const Json file = open(root, place["Input File"]);
    for (const auto& [key, part] : file.items()) {
      if (!part.is_object() || !part.contains("Mass")) continue;
      const Vector3d com = part["COM"].is_array() ? vector_of(part["COM"])
                                                  : Vector3d(0.0, part["COM"].get<double>(), 0.0);
      lumps.push_back({part["Mass"].get<double>(),
                       vector_of(place["Location"]) + rotation_of(place["Orientation"]) * com});
    }
  }
  return lumps;
}

}  // namespace

fs::path chrono_folder() { return fs::path(SEMIREC_SOURCE_DIR) / "tests/data/chrono"; }

std::string text_of_file(const fs::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

double mass_in_json(const fs::path& root, const std::string& vehicle, double tyre) {
  const auto sum = [](const Json& file, double times, const std::vector<std::string>& once) {
    double mass = 0.0;
    for (const auto& [key, part] : file.items())
      if (part.is_object() && part.contains("Mass"))
        mass += part["Mass"].get<double>() *
                (std::find(once.begin(), once.end(), key) != once.end() ? 1.0 : times);
    return mass;
  };
  const Json car = open(root, vehicle);
  double mass = 0.0;
  const Json chassis = open(root, car["Chassis"]["Input File"]);
  for (const Json& part : chassis["Components"]) mass += part["Mass"].get<double>();
  for (const Json& axle : car["Axles"]) {
    const Json suspension = open(root, axle["Suspension Input File"]);
    std::vector<std::string> once{"Axle Tube",  "Tube",     "Draglink",
                                  "Bell Crank", "Trackbar", "Panhard Rod"};
    // between both knuckles
    if (suspension.contains("Knuckle")) once.emplace_back("Tierod");
    mass += sum(suspension, 2.0, once);
    for (const auto& [key, wheel] : axle.items())
      if (key.find("Wheel Input File") != std::string::npos)
        mass += open(root, wheel)["Mass"].get<double>() + tyre;
    if (axle.contains("Antirollbar Input File"))
      mass += sum(open(root, axle["Antirollbar Input File"]), 2.0, {});
  }
  for (const Json& steering : car["Steering Subsystems"])
    mass += sum(open(root, steering["Input File"]), 1.0, {});
  return mass;
}

ChronoStand stand_of_json(const fs::path& root, const std::string& vehicle, double tyre_mass,
                          double radius, double stiffness) {
  const Json car = open(root, vehicle);
  std::vector<Wishbones> axles;
  for (const Json& axle : car["Axles"])
    axles.emplace_back(open(root, axle["Suspension Input File"]),
                       vector_of(axle["Suspension Location"]),
                       open(root, axle["Left Wheel Input File"])["Mass"].get<double>() + tyre_mass);
  const std::vector<Lump> chassis = on_chassis(root, car);

  struct Pose {
    double weight_height = 0.0;                       // sum of m g z, J
    std::array<double, 2> spring{}, centre{}, gap{};  // m; gap: of the unloaded tyre over the road
  };
  // x: height of the chassis frame, pitch, travel in front, travel behind
  const auto pose_at = [&](const VectorXd& x) {
    const Matrix3d A = Eigen::AngleAxisd(x[1], Vector3d::UnitY()).toRotationMatrix();
    const auto height = [&](const Vector3d& p) { return x[0] + (A * p).z(); };
    Pose pose;
    for (const Lump& lump : chassis)
      pose.weight_height += lump.mass * kGravity * height(lump.place);
    for (std::size_t i = 0; i < 2; ++i) {
      const Wishbones::Place place = axles[i].at(x[2 + static_cast<Eigen::Index>(i)]);
      for (const Lump& lump : place.lumps)
        pose.weight_height += 2.0 * lump.mass * kGravity * height(lump.place);
      pose.spring[i] = place.spring;
      pose.centre[i] = height(place.centre);
      // the lowest point of an inclined disc
      const double lean = (A * place.axle).z();
      pose.gap[i] = pose.centre[i] - radius * std::sqrt(1.0 - lean * lean);
    }
    return pose;
  };
  const auto residual = [&](const VectorXd& x) {
    const Pose now = pose_at(x);
    VectorXd work(4);
    for (Eigen::Index j = 0; j < 4; ++j) {
      constexpr double kStep = 1e-5;
      VectorXd low = x;
      VectorXd high = x;
      low[j] -= kStep;
      high[j] += kStep;
      const Pose a = pose_at(low);
      const Pose b = pose_at(high);
      work[j] = (b.weight_height - a.weight_height) / (2.0 * kStep);
      for (std::size_t i = 0; i < 2; ++i) {
        const double load = -stiffness * now.gap[i];
        work[j] += 2.0 *
                   (axles[i].tension(now.spring[i]) * (b.spring[i] - a.spring[i]) -
                    load * (b.gap[i] - a.gap[i])) /
                   (2.0 * kStep);
      }
    }
    return work;
  };
  VectorXd x(4);
  double lowest = std::numeric_limits<double>::infinity();
  for (const Wishbones& axle : axles) lowest = std::min(lowest, axle.at(0.0).centre.z());
  x << radius - lowest, 0.0, 0.0, 0.0;
  x = solve(residual, x, 1e-5, 1e-5);

  const Pose pose = pose_at(x);
  ChronoStand stand;
  stand.mass = mass_in_json(root, vehicle, tyre_mass);
  stand.pitch = x[1];
  const Matrix3d A = Eigen::AngleAxisd(x[1], Vector3d::UnitY()).toRotationMatrix();
  stand.height = x[0] + (A * chassis.front().place).z();
  for (std::size_t i = 0; i < 2; ++i) {
    stand.load[i] = -stiffness * pose.gap[i];
    stand.wheel_height[i] = pose.centre[i];
  }
  return stand;
}

}  // namespace semirec::test
