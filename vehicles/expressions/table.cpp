#include "vehicles/expressions/table.hpp"

#include <cmath>
#include <stdexcept>

#include "topology/fingerprint.hpp"

namespace semirec {

Curve table_curve(const std::vector<std::pair<double, double>>& points, bool smooth,
                  bool extrapolate) {
  for (const auto& [x, f] : points)
    if (!std::isfinite(x) || !std::isfinite(f))
      throw std::invalid_argument("a number of a table is not finite");
  return smooth ? Curve::smooth_table(points, extrapolate) : Curve::table(points, extrapolate);
}

void LookUpTable::put_into(Fingerprint& fingerprint) const {
  if (const Surface* surface = std::get_if<Surface>(&function_))
    surface->put_into(fingerprint);
  else
    fingerprint(*std::get_if<Curve>(&function_));
}

}  // namespace semirec
