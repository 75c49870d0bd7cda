#pragma once

#include <cmath>
#include <utility>
#include <variant>
#include <vector>

#include "topology/curve.hpp"
#include "vehicles/expressions/surface.hpp"

namespace semirec {

class Fingerprint;

/// A function of one or two numbers that expressions call by its name.
class LookUpTable {
 public:
  explicit LookUpTable(Curve curve) : function_(std::move(curve)) {}
  explicit LookUpTable(Surface surface) : function_(std::move(surface)) {}

  int arguments() const { return std::holds_alternative<Curve>(function_) ? 1 : 2; }

  /// Value and derivatives; `y` is not read where there is one argument. No heap use.
  SurfaceValue evaluate(double x, double y) const {
    if (const Surface* surface = std::get_if<Surface>(&function_)) return surface->evaluate(x, y);
    if (std::isnan(x)) return {x};
    const CurveValue v = std::get_if<Curve>(&function_)->evaluate(x);
    return {v.f, v.fd, 0.0, v.fdd, 0.0, 0.0};
  }

  /// Puts its numbers into a hash.
  void put_into(Fingerprint& fingerprint) const;

 private:
  std::variant<Curve, Surface> function_;
};

/// Through points (x, f): straight lines or, `smooth`, cubic (Curve::smooth_table); outside the end
/// values hold, or the end slopes where `extrapolate`. Throws std::invalid_argument as the makers
/// of Curve do, and where a number is not finite.
Curve table_curve(const std::vector<std::pair<double, double>>& points, bool smooth,
                  bool extrapolate);

}  // namespace semirec
