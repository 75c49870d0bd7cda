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
  if (!smooth || points.size() < 3) return Curve::table(points, extrapolate);
  Curve through = Curve::smooth_table(points);
  if (extrapolate) return through;
  // between its two ends, which a smooth table continues with their slopes
  const std::vector<Curve::Piece>& pieces = through.pieces();
  Curve held;
  held.add_piece(-1e300, points.front().first, {points.front().second});
  for (std::size_t k = 1; k + 1 < pieces.size(); ++k)
    held.add_piece(pieces[k].from, pieces[k].origin, pieces[k].c);
  held.add_piece(points.back().first, points.back().first, {points.back().second});
  return held;
}

void LookUpTable::put_into(Fingerprint& fingerprint) const {
  if (const Surface* surface = std::get_if<Surface>(&function_))
    surface->put_into(fingerprint);
  else
    fingerprint(*std::get_if<Curve>(&function_));
}

}  // namespace semirec
