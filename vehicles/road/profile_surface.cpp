#include "vehicles/road/profile_surface.hpp"

#include <utility>

namespace semirec {

namespace {

/// Value at 0 and slope of a curve that is one straight line.
std::optional<CurveValue> straight_line(const Curve& curve) {
  if (!curve.sines().empty()) return std::nullopt;
  CurveValue line;
  bool first = true;
  for (const Curve::Piece& piece : curve.pieces()) {
    const CurveValue own{piece.c[0] - piece.c[1] * piece.origin, piece.c[1], 0.0};
    if (piece.degree > 1 || (!first && (own.f != line.f || own.fd != line.fd))) return std::nullopt;
    line = own;
    first = false;
  }
  return line;
}

}  // namespace

ProfileSurface::ProfileSurface(Curve left, Curve right)
    : left_(std::move(left)), right_(std::move(right)) {
  const std::optional<CurveValue> a = straight_line(left_);
  const std::optional<CurveValue> b = straight_line(right_);
  if (a && b && a->f == b->f && a->fd == b->fd) plane_ = RoadPoint{a->f, a->fd, 0.0, 1.0};
}

RoadPoint ProfileSurface::evaluate(double x, double y) const {
  const CurveValue height = (y >= 0.0 ? left_ : right_).evaluate(x);
  return {height.f, height.fd, 0.0, 1.0};
}

void ProfileSurface::put_into(Fingerprint& fingerprint) const {
  fingerprint("profile surface", left_, right_);
}

}  // namespace semirec
