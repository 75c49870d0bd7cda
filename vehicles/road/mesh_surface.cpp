#include "vehicles/road/mesh_surface.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace semirec {

namespace {

constexpr std::size_t kMostInCell = 10'000;
/// A place this far outside of an edge, as a part of the triangle, still lies on it.
constexpr double kEdge = 1e-9;

}  // namespace

MeshSurface::MeshSurface(const std::vector<Eigen::Vector3d>& corners,
                         const std::vector<Triangle>& triangles) {
  lowest_ = 1e300;
  for (const Triangle& triangle : triangles) {
    const Eigen::Vector3d& p = corners[triangle.corners[0]];
    const Eigen::Vector3d a = corners[triangle.corners[1]] - p;
    const Eigen::Vector3d b = corners[triangle.corners[2]] - p;
    const double area = a.x() * b.y() - a.y() * b.x();
    const double size = std::max(a.head<2>().squaredNorm(), b.head<2>().squaredNorm());
    if (!(std::abs(area) > 1e-9 * size)) {
      ++left_out_;
      continue;
    }
    const double z_x = (a.z() * b.y() - a.y() * b.z()) / area;
    const double z_y = (a.x() * b.z() - a.z() * b.x()) / area;
    facets_.push_back(
        {p.x(), p.y(), p.z(), z_x, z_y, a.x(), a.y(), b.x(), b.y(), area, triangle.friction});
    for (const std::uint32_t corner : triangle.corners)
      lowest_ = std::min(lowest_, corners[corner].z());
  }
  if (facets_.empty()) throw std::invalid_argument("has no triangle that a wheel can stand on");
  make_grid();
}

void MeshSurface::make_grid() {
  struct Span {
    double low, high;
  };
  const auto span = [](double p, double a, double b) {
    return Span{p + std::min({0.0, a, b}), p + std::max({0.0, a, b})};
  };
  Span x{1e300, -1e300};
  Span y{1e300, -1e300};
  for (const Facet& f : facets_) {
    const Span fx = span(f.px, f.ax, f.bx);
    const Span fy = span(f.py, f.ay, f.by);
    x = {std::min(x.low, fx.low), std::max(x.high, fx.high)};
    y = {std::min(y.low, fy.low), std::max(y.high, fy.high)};
  }
  x_low_ = x.low;
  y_low_ = y.low;
  const double width = std::max(x.high - x.low, 1e-9);
  const double depth = std::max(y.high - y.low, 1e-9);
  const auto cell_of = [](double place, std::size_t cells) {
    return std::min(static_cast<std::size_t>(std::fmax(place, 0.0)), cells - 1);
  };
  // as many cells as triangles, fewer where large triangles would fill too many of them
  const auto wanted = static_cast<double>(std::min<std::size_t>(facets_.size(), 4'000'000));
  for (double share = 1.0;; share *= 0.25) {
    const double cells = std::max(share * wanted, 1.0);
    cells_x_ = static_cast<std::size_t>(
        std::clamp(std::round(std::sqrt(cells * width / depth)), 1.0, cells));
    cells_y_ = static_cast<std::size_t>(
        std::clamp(std::round(cells / static_cast<double>(cells_x_)), 1.0, cells));
    cell_x_ = width / static_cast<double>(cells_x_);
    cell_y_ = depth / static_cast<double>(cells_y_);
    const auto range = [&](const Facet& f, auto&& visit) {
      const Span fx = span(f.px, f.ax, f.bx);
      const Span fy = span(f.py, f.ay, f.by);
      const std::size_t x1 = cell_of((fx.high - x_low_) / cell_x_ + kEdge, cells_x_);
      const std::size_t y1 = cell_of((fy.high - y_low_) / cell_y_ + kEdge, cells_y_);
      for (std::size_t j = cell_of((fy.low - y_low_) / cell_y_ - kEdge, cells_y_); j <= y1; ++j)
        visit(cell_of((fx.low - x_low_) / cell_x_ - kEdge, cells_x_), x1, j);
    };
    std::size_t members = 0;
    for (const Facet& f : facets_) {
      range(f, [&](std::size_t from, std::size_t to, std::size_t) { members += to - from + 1; });
      if (members > 16 * facets_.size() + 1000) break;
    }
    if (members > 16 * facets_.size() + 1000 && cells_x_ * cells_y_ > 1) continue;

    starts_.assign(cells_x_ * cells_y_ + 1, 0);
    for (const Facet& f : facets_)
      range(f, [&](std::size_t from, std::size_t to, std::size_t j) {
        for (std::size_t i = from; i <= to; ++i) ++starts_[j * cells_x_ + i + 1];
      });
    for (const std::uint32_t count : starts_)
      if (count > kMostInCell)
        throw std::invalid_argument("has more than 10000 triangles over one place");
    for (std::size_t k = 1; k < starts_.size(); ++k) starts_[k] += starts_[k - 1];
    members_.resize(members);
    std::vector<std::uint32_t> next(starts_.begin(), starts_.end() - 1);
    for (std::size_t k = 0; k < facets_.size(); ++k)
      range(facets_[k], [&](std::size_t from, std::size_t to, std::size_t j) {
        for (std::size_t i = from; i <= to; ++i)
          members_[next[j * cells_x_ + i]++] = static_cast<std::uint32_t>(k);
      });
    return;
  }
}

RoadPoint MeshSurface::evaluate(double x, double y) const {
  RoadPoint point{lowest_, 0.0, 0.0, 1.0};
  static_cast<void>(find(x, y, point));
  return point;
}

bool MeshSurface::covers(double x, double y) const {
  RoadPoint point;
  return find(x, y, point);
}

bool MeshSurface::find(double x, double y, RoadPoint& point) const {
  const double column = std::floor((x - x_low_) / cell_x_ + kEdge);
  const double row = std::floor((y - y_low_) / cell_y_ + kEdge);
  // the far edges belong to the last cells
  if (!(column >= 0.0 && row >= 0.0 && column <= static_cast<double>(cells_x_) &&
        row <= static_cast<double>(cells_y_)))
    return false;
  const std::size_t cell = std::min(static_cast<std::size_t>(row), cells_y_ - 1) * cells_x_ +
                           std::min(static_cast<std::size_t>(column), cells_x_ - 1);
  bool found = false;
  for (std::uint32_t k = starts_[cell]; k < starts_[cell + 1]; ++k) {
    const Facet& f = facets_[members_[k]];
    const double dx = x - f.px;
    const double dy = y - f.py;
    const double a = (dx * f.by - dy * f.bx) / f.area;
    const double b = (f.ax * dy - f.ay * dx) / f.area;
    if (a < -kEdge || b < -kEdge || a + b > 1.0 + kEdge) continue;
    const double z = f.z + f.z_x * dx + f.z_y * dy;
    if (found && z <= point.z) continue;
    point = {z, f.z_x, f.z_y, f.friction};
    found = true;
  }
  return found;
}

bool MeshSurface::scales_friction() const {
  return std::any_of(facets_.begin(), facets_.end(),
                     [](const Facet& facet) { return facet.friction != 1.0; });
}

void MeshSurface::put_into(Fingerprint& fingerprint) const {
  // the grid follows from the facets
  fingerprint("mesh surface", lowest_, facets_.size());
  for (const auto& [px, py, z, z_x, z_y, ax, ay, bx, by, area, friction] : facets_)
    fingerprint(px, py, z, z_x, z_y, ax, ay, bx, by, area, friction);
}

}  // namespace semirec
