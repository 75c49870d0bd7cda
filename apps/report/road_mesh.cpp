#include "apps/report/road_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "vehicles/road/profile_surface.hpp"

namespace semirec::report {

namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

constexpr double kBefore = 5.0, kBeyond = 15.0;  // m of road beside the course's ends
constexpr double kPathStep = 0.3;                // m between points that give a direction
constexpr double kFinest = 0.01, kAcross = 0.2;  // m between places that are asked
constexpr double kMostStations = 2500.0;
constexpr double kHeight = 2e-3, kPlan = 0.02;  // m by which a line may be off
constexpr double kFriction = 0.01;
constexpr std::size_t kMostCorners = 6000;

/// A place of the course and the direction across it, to the left.
struct Station {
  Vector2d place, left;
};

Vector2d across(const Vector2d& along) { return {-along.y(), along.x()}; }

const RoadSurface& road_of(const Scenario& scenario, const ProfileSurface& profile) {
  return scenario.surface ? *scenario.surface : static_cast<const RoadSurface&>(profile);
}

/// The course with straight ends, at equal distances.
std::vector<Station> make_stations(const DrivenCourse& course) {
  std::vector<Vector2d> path{course.points.front()};
  for (const Vector2d& point : course.points)
    if ((point - path.back()).norm() >= kPathStep) path.push_back(point);
  const Vector2d begin = path.size() > 1 ? (path[1] - path[0]).normalized() : course.heading;
  const Vector2d end =
      path.size() > 1 ? (path.back() - path[path.size() - 2]).normalized() : course.heading;
  path.insert(path.begin(), path.front() - kBefore * begin);
  path.push_back(path.back() + kBeyond * end);
  std::vector<double> lengths{0.0};
  for (std::size_t k = 1; k < path.size(); ++k)
    lengths.push_back(lengths.back() + (path[k] - path[k - 1]).norm());
  const double step = std::max(kFinest, lengths.back() / kMostStations);
  std::vector<Station> stations;
  const auto direction = [&](std::size_t k) -> Vector2d {
    const Vector2d chord = path[std::min(k + 1, path.size() - 1)] - path[k == 0 ? 0 : k - 1];
    return chord.norm() > 1e-9 ? Vector2d(chord.normalized()) : begin;
  };
  std::size_t k = 0;
  const auto count = static_cast<std::size_t>(std::ceil(lengths.back() / step));
  for (std::size_t i = 0; i <= count; ++i) {
    const double s = std::min(step * static_cast<double>(i), lengths.back());
    while (k + 2 < path.size() && lengths[k + 1] < s) ++k;
    const double part = (s - lengths[k]) / (lengths[k + 1] - lengths[k]);
    const Vector2d along = (1.0 - part) * direction(k) + part * direction(k + 1);
    stations.push_back({path[k] + part * (path[k + 1] - path[k]),
                        across(along.norm() > 1e-9 ? Vector2d(along.normalized()) : begin)});
  }
  return stations;
}

/// Which of `count` rows are needed: between the kept ones no row lies farther than 1 off the
/// straight line, in units of `off(row, from, to)` (Douglas and Peucker).
std::vector<std::size_t> keep_rows(
    std::size_t count,
    const std::function<double(std::size_t row, std::size_t from, std::size_t to)>& off) {
  std::vector<char> kept(count, 0);
  kept.front() = kept.back() = 1;
  std::vector<std::pair<std::size_t, std::size_t>> open{{0, count - 1}};
  while (!open.empty()) {
    const auto [from, to] = open.back();
    open.pop_back();
    std::size_t worst = from;
    double most = 1.0;
    for (std::size_t k = from + 1; k < to; ++k)
      if (const double own = off(k, from, to); own > most) {
        most = own;
        worst = k;
      }
    if (worst == from) continue;
    kept[worst] = 1;
    open.emplace_back(from, worst);
    open.emplace_back(worst, to);
  }
  std::vector<std::size_t> rows;
  for (std::size_t k = 0; k < count; ++k)
    if (kept[k] != 0) rows.push_back(k);
  return rows;
}

/// Heights and friction at all stations and all distances across.
struct Grid {
  std::vector<Station> stations;
  std::vector<double> offsets;
  std::vector<Vector3d> corners;
  std::vector<double> friction;
  std::size_t index(std::size_t station, std::size_t column) const {
    return station * offsets.size() + column;
  }
  /// How far the corner `at` is off the line from `a` to `b`, in units of what is allowed.
  double off(std::size_t at, std::size_t a, std::size_t b, double part, double allowed) const {
    const Vector3d from_line = corners[at] - corners[a] - part * (corners[b] - corners[a]);
    const double by_friction = friction[at] - friction[a] - part * (friction[b] - friction[a]);
    return std::max({std::abs(from_line.z()) / allowed,
                     from_line.head<2>().norm() * kHeight / (kPlan * allowed),
                     std::abs(by_friction) / kFriction});
  }
};

double part_of(std::size_t row, std::size_t from, std::size_t to) {
  return static_cast<double>(row - from) / static_cast<double>(to - from);
}

RoadMesh mesh_of(const Grid& grid, const std::vector<std::size_t>& rows,
                 const std::vector<std::size_t>& columns) {
  RoadMesh mesh;
  bool grippy = true;
  for (const std::size_t row : rows)
    for (const std::size_t column : columns) {
      mesh.corners.push_back(grid.corners[grid.index(row, column)]);
      mesh.friction.push_back(grid.friction[grid.index(row, column)]);
      grippy = grippy && mesh.friction.back() == 1.0;
    }
  if (grippy) mesh.friction.clear();
  const auto corner = [&](std::size_t i, std::size_t j) {
    return static_cast<std::uint32_t>(i * columns.size() + j);
  };
  // columns run from right to left
  for (std::size_t i = 0; i + 1 < rows.size(); ++i)
    for (std::size_t j = 0; j + 1 < columns.size(); ++j)
      for (const std::uint32_t index : {corner(i, j), corner(i + 1, j), corner(i, j + 1),
                                        corner(i, j + 1), corner(i + 1, j), corner(i + 1, j + 1)})
        mesh.indices.push_back(index);
  return mesh;
}

/// The triangles of a mesh over the grid that it was made from.
class DrawnRoad {
 public:
  DrawnRoad(const Grid& grid, const std::vector<std::size_t>& rows,
            const std::vector<std::size_t>& columns)
      : grid_(grid), rows_(rows), columns_(columns) {}

  /// Height at a station and a distance across, counted in columns of the grid.
  double height(std::size_t station, double across) const {
    const std::size_t i = begin_of(rows_, static_cast<double>(station));
    const std::size_t j = begin_of(columns_, across);
    const double u = part_between(rows_, i, static_cast<double>(station));
    const double v = part_between(columns_, j, across);
    const auto z = [&](std::size_t row, std::size_t column) {
      return grid_.corners[grid_.index(rows_[row], columns_[column])].z();
    };
    // on which side of the diagonal
    if (u + v <= 1.0) return z(i, j) + u * (z(i + 1, j) - z(i, j)) + v * (z(i, j + 1) - z(i, j));
    return z(i + 1, j + 1) + (1.0 - u) * (z(i, j + 1) - z(i + 1, j + 1)) +
           (1.0 - v) * (z(i + 1, j) - z(i + 1, j + 1));
  }

 private:
  /// The kept one before a place, but the last one never.
  static std::size_t begin_of(const std::vector<std::size_t>& kept, double place) {
    const auto after =
        std::upper_bound(kept.begin(), kept.end() - 1, place,
                         [](double a, std::size_t b) { return a < static_cast<double>(b); });
    return static_cast<std::size_t>(std::max<std::ptrdiff_t>(after - kept.begin() - 1, 0));
  }
  static double part_between(const std::vector<std::size_t>& kept, std::size_t k, double place) {
    return (place - static_cast<double>(kept[k])) / static_cast<double>(kept[k + 1] - kept[k]);
  }

  const Grid& grid_;
  const std::vector<std::size_t>&rows_, &columns_;
};

/// How far the triangles are off the road.
void measure_off(const RoadSurface& road, const Grid& grid, const DrawnRoad& drawn,
                 RoadMesh& mesh) {
  for (std::size_t station = 0; station < grid.stations.size(); ++station)
    for (std::size_t column = 0; column < grid.offsets.size(); ++column) {
      const auto across = static_cast<double>(column);
      const Vector3d& corner = grid.corners[grid.index(station, column)];
      mesh.off = std::max(mesh.off, std::abs(drawn.height(station, across) - corner.z()));
      if (column + 1 == grid.offsets.size()) continue;
      const Vector3d& next = grid.corners[grid.index(station, column + 1)];
      const Vector2d middle = 0.5 * (corner + next).head<2>();
      mesh.off_between = std::max(
          mesh.off_between,
          std::abs(drawn.height(station, across + 0.5) - road.evaluate(middle.x(), middle.y()).z));
    }
}

}  // namespace

std::string describe_road(const std::vector<RoadMesh>& road) {
  double off = 0.0;
  double between = 0.0;
  for (const RoadMesh& mesh : road) {
    off = std::max(off, mesh.off);
    between = std::max(between, mesh.off_between);
  }
  // to the digits that are shown
  constexpr double kShown = 1.05;
  std::string words;
  if (off > kShown * kHeight) words = fmt::format("the road is drawn within {:.2g} mm", 1e3 * off);
  if (between > kShown * std::max(off, kHeight))
    words +=
        fmt::format("{} {:.2g} mm off between lines along the course that lie {:g} m apart",
                    words.empty() ? "the road is drawn up to" : ", up to", 1e3 * between, kAcross);
  return words;
}

std::vector<Vector3d> place_cones(const Scenario& scenario, const std::vector<Cone>& cones) {
  const ProfileSurface profile(scenario.road.left, scenario.road.right);
  const RoadSurface& road = road_of(scenario, profile);
  std::vector<Vector3d> feet;
  for (const Cone& cone : cones) feet.emplace_back(cone.x, cone.y, road.evaluate(cone.x, cone.y).z);
  return feet;
}

std::vector<RoadMesh> make_road_mesh(const Scenario& scenario, const DrivenCourse& course) {
  if (course.points.empty()) return {};
  const ProfileSurface profile(scenario.road.left, scenario.road.right);
  const RoadSurface& road = road_of(scenario, profile);
  const auto is_ground = [](const RoadPoint& point) {
    return point.z == 0.0 && point.z_x == 0.0 && point.z_y == 0.0 && point.friction == 1.0;
  };
  if (const RoadPoint* plane = road.plane(); plane != nullptr && is_ground(*plane)) return {};
  Grid grid;
  grid.stations = make_stations(course);
  const int lanes = static_cast<int>(std::ceil(course.half_width / kAcross));
  // beside the middle, where the profiles of left and right meet
  for (int k = -lanes; k < lanes; ++k) grid.offsets.push_back(kAcross * (k + 0.5));
  bool ground = true;
  for (const Station& station : grid.stations)
    for (const double offset : grid.offsets) {
      const Vector2d place = station.place + offset * station.left;
      const RoadPoint point = road.evaluate(place.x(), place.y());
      ground = ground && is_ground(point);
      grid.corners.emplace_back(place.x(), place.y(), point.z);
      grid.friction.push_back(point.friction);
    }
  if (ground) return {};
  for (double allowed = kHeight;; allowed *= 2.0) {
    const std::vector<std::size_t> columns =
        keep_rows(grid.offsets.size(), [&](std::size_t at, std::size_t from, std::size_t to) {
          double most = 0.0;
          for (std::size_t row = 0; row < grid.stations.size(); ++row)
            most = std::max(most, grid.off(grid.index(row, at), grid.index(row, from),
                                           grid.index(row, to), part_of(at, from, to), allowed));
          return most;
        });
    const std::vector<std::size_t> rows =
        keep_rows(grid.stations.size(), [&](std::size_t at, std::size_t from, std::size_t to) {
          double most = 0.0;
          for (const std::size_t column : columns)
            most = std::max(most, grid.off(grid.index(at, column), grid.index(from, column),
                                           grid.index(to, column), part_of(at, from, to), allowed));
          return most;
        });
    if (rows.size() * columns.size() > kMostCorners && allowed <= 1.0) continue;
    RoadMesh mesh = mesh_of(grid, rows, columns);
    measure_off(road, grid, {grid, rows, columns}, mesh);
    return {std::move(mesh)};
  }
}

}  // namespace semirec::report
