#include "apps/fmi/icon.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string_view>
#include <vector>

#include "apps/results/crc32.hpp"
#include "topology/indices.hpp"
#include "vehicles/drawing/drawing.hpp"
#include "vehicles/drawing/hull_edges.hpp"

namespace semirec::fmi {

namespace {

constexpr int kWidth = 192, kHeight = 144;
constexpr double kMargin = 6.0, kHalfLine = 0.9;  // points
constexpr int kLevels = 16;                       // of opacity

using Line = std::array<Eigen::Vector2d, 2>;

/// The vehicle's lines as they are seen, x to the right and y up, m.
class Lines {
 public:
  explicit Lines(const Mechanism& mechanism) : mechanism_(mechanism) {
    constexpr double kTurn = 0.65, kDown = 0.30;  // rad, of the eye: to the front, to the ground
    right_ = {-std::sin(kTurn), std::cos(kTurn), 0.0};
    const Eigen::Vector3d to_eye(std::cos(kTurn) * std::cos(kDown),
                                 std::sin(kTurn) * std::cos(kDown), std::sin(kDown));
    up_ = to_eye.cross(right_);
  }

  void operator()(const LinkShape& link) { add(link.body, link.a, link.body, link.b); }
  void operator()(const BetweenShape& between) {
    add(between.a.body, between.a.point, between.b.body, between.b.point);
  }
  void operator()(const HullShape& hull) {
    constexpr double kTolerance = 1e-6;  // m
    add_pairs(hull.body, find_hull_edges(hull.points, kTolerance));
  }
  void operator()(const OutlineShape& outline) { add_pairs(outline.body, outline.lines); }
  void operator()(const BoxShape& box) {
    std::vector<Eigen::Vector3d> edges = box_edges(-0.5 * box.size, 0.5 * box.size);
    for (Eigen::Vector3d& end : edges) end = box.frame.p + box.frame.A * end;
    add_pairs(box.body, edges);
  }
  void operator()(const WheelShape& wheel) {
    const Eigen::Vector3d e = wheel.axis.unitOrthogonal();
    for (const double side : {-0.5, 0.5})
      for (const double radius : {wheel.radius, wheel.rim_radius})
        add_circle(wheel.body, wheel.centre + side * wheel.width * wheel.axis, radius * e,
                   radius * wheel.axis.cross(e));
  }
  template <typename Other>
  void operator()(const Other& /*joints, bushings, centres, spheres and meshes are left out*/) {}

  const std::vector<Line>& lines() const { return lines_; }

 private:
  Eigen::Vector2d seen(BodyIndex body, const Eigen::Vector3d& point) const {
    Eigen::Vector3d place = point;
    if (body != kGround) {
      const Frame& X = mechanism_.bodies[at(body)].X_WB;
      place = X.p + X.A * point;
    }
    return {right_.dot(place), up_.dot(place)};
  }
  void add(BodyIndex a, const Eigen::Vector3d& from, BodyIndex b, const Eigen::Vector3d& to) {
    lines_.push_back({seen(a, from), seen(b, to)});
  }
  void add_pairs(BodyIndex body, const std::vector<Eigen::Vector3d>& ends) {
    for (std::size_t k = 0; k + 1 < ends.size(); k += 2) add(body, ends[k], body, ends[k + 1]);
  }
  void add_circle(BodyIndex body, const Eigen::Vector3d& centre, const Eigen::Vector3d& u,
                  const Eigen::Vector3d& v) {
    constexpr int kSides = 40;
    const auto point = [&](int k) -> Eigen::Vector3d {
      const double angle = 2.0 * std::numbers::pi * k / kSides;
      return centre + std::cos(angle) * u + std::sin(angle) * v;
    };
    for (int k = 0; k < kSides; ++k) add(body, point(k), body, point(k + 1));
  }

  const Mechanism& mechanism_;
  Eigen::Vector3d right_, up_;
  std::vector<Line> lines_;
};

/// Moves and scales the lines into the picture, y downwards.
void fit(std::vector<Line>& lines) {
  Eigen::Array2d low = lines.front()[0];
  Eigen::Array2d high = low;
  for (const Line& line : lines)
    for (const Eigen::Vector2d& end : line) {
      low = low.min(end.array());
      high = high.max(end.array());
    }
  const Eigen::Array2d room(kWidth - 2.0 * kMargin, kHeight - 2.0 * kMargin);
  constexpr double kLeast = 1e-9;  // m
  const double scale = (room / (high - low).max(kLeast)).minCoeff();
  const Eigen::Array2d middle = 0.5 * (low + high);
  for (Line& line : lines)
    for (Eigen::Vector2d& end : line) {
      const Eigen::Array2d place = scale * (end.array() - middle);
      end = {0.5 * kWidth + place.x(), 0.5 * kHeight - place.y()};
    }
}

double distance(const Eigen::Vector2d& point, const Line& line) {
  const Eigen::Vector2d way = line[1] - line[0];
  const double square = way.squaredNorm();
  const double part = square > 0.0 ? std::clamp(way.dot(point - line[0]) / square, 0.0, 1.0) : 0.0;
  return (point - line[0] - part * way).norm();
}

/// Opacity of the points, row by row: that of the nearest line.
std::vector<std::uint8_t> draw(const std::vector<Line>& lines) {
  std::vector<std::uint8_t> levels(static_cast<std::size_t>(kWidth) * kHeight, 0);
  for (const Line& line : lines) {
    const auto range = [&](int axis, int size) {
      const auto [low, high] = std::minmax(line[0][axis], line[1][axis]);
      return std::array{std::max(0, static_cast<int>(low - 2.0)),
                        std::min(size - 1, static_cast<int>(high + 2.0))};
    };
    const auto [left, right] = range(0, kWidth);
    const auto [top, bottom] = range(1, kHeight);
    for (int y = top; y <= bottom; ++y)
      for (int x = left; x <= right; ++x) {
        const double cover =
            std::clamp(kHalfLine + 0.5 - distance({x + 0.5, y + 0.5}, line), 0.0, 1.0);
        std::uint8_t& level =
            levels[static_cast<std::size_t>(y) * kWidth + static_cast<std::size_t>(x)];
        level = std::max(level, static_cast<std::uint8_t>(std::lround(cover * (kLevels - 1))));
      }
  }
  return levels;
}

// PNG: an indexed picture of 4 bits a point, its palette one colour at 16 opacities

void put_big_endian(std::string& out, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>((value >> shift) & 0xffU);
}

void put_chunk(std::string& png, std::string_view kind, const std::string& data) {
  put_big_endian(png, static_cast<std::uint32_t>(data.size()));
  results::Crc32 check;
  check.add(kind);
  check.add(data);
  png += kind;
  png += data;
  put_big_endian(png, check.value());
}

/// A zlib stream (RFC 1950) that stores the bytes as they are (RFC 1951, 3.2.4).
std::string stored(const std::string& bytes) {
  std::string stream("\x78\x01", 2);
  constexpr std::size_t kMost = 65535;
  for (std::size_t begin = 0; begin < bytes.size(); begin += kMost) {
    const std::size_t size = std::min(kMost, bytes.size() - begin);
    stream += static_cast<char>(begin + size == bytes.size() ? 1 : 0);
    for (const std::size_t word : {size, ~size})
      for (const int shift : {0, 8}) stream += static_cast<char>((word >> shift) & 0xffU);
    stream += bytes.substr(begin, size);
  }
  std::uint32_t a = 1;  // Adler-32
  std::uint32_t b = 0;
  for (const char c : bytes) {
    a = (a + static_cast<unsigned char>(c)) % 65521;
    b = (b + a) % 65521;
  }
  put_big_endian(stream, (b << 16) | a);
  return stream;
}

std::string png_of(const std::vector<std::uint8_t>& levels) {
  std::string png("\x89PNG\r\n\x1a\n", 8);
  std::string header;
  put_big_endian(header, kWidth);
  put_big_endian(header, kHeight);
  header += std::string("\x04\x03\x00\x00\x00", 5);  // 4 bits, palette, not interlaced
  put_chunk(png, "IHDR", header);
  std::string palette;
  std::string opacity;
  for (int k = 0; k < kLevels; ++k) {
    palette += std::string("\x1f\x4e\x8c", 3);
    opacity += static_cast<char>(255 * k / (kLevels - 1));
  }
  put_chunk(png, "PLTE", palette);
  put_chunk(png, "tRNS", opacity);
  std::string rows;
  for (std::size_t k = 0; k < levels.size(); k += 2) {
    if (k % kWidth == 0) rows += '\0';  // no filter
    rows += static_cast<char>((levels[k] << 4) | levels[k + 1]);
  }
  put_chunk(png, "IDAT", stored(rows));
  put_chunk(png, "IEND", {});
  return png;
}

}  // namespace

std::string car_icon(const Vehicle& vehicle) {
  Lines seen(vehicle.mechanism);
  for (const Shape& shape : make_drawing(vehicle).shapes) std::visit(seen, shape.form);
  std::vector<Line> lines = seen.lines();
  if (lines.empty()) return {};
  fit(lines);
  return png_of(draw(lines));
}

}  // namespace semirec::fmi
