#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace semirec {

/// Times that are nearer to t, s, than this, s, are the same time: steps of `h`, s, tell them apart
/// by rounding alone (theory 14).
inline double closeness(double t, double h) {
  return std::max(1e-9 * h, 4.0 * std::numeric_limits<double>::epsilon() * std::abs(t));
}

/// Whether at the time t, s, of a run with steps of `h`, s, it is `due`, s. By the difference,
/// which is exact where the two are near.
inline bool has_come(double due, double t, double h) { return due - t <= closeness(t, h); }

}  // namespace semirec
