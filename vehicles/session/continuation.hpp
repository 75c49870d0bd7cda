#pragma once

#include <algorithm>

namespace semirec {

/// Solves a problem for the whole of a parameter, in steps from below where it does not go at once.
/// `solve(share)`, 0 < share <= 1, begins from its own last solution, keeps it where it fails, and
/// returns whether it succeeded. Returns whether solve(1) did. At most some forty attempts.
template <typename Solve>
bool solve_in_steps(Solve solve) {
  constexpr double kFirstShare = 1.0 / 8.0;
  constexpr double kSmallestShare = 1.0 / 256.0;
  if (solve(1.0)) return true;
  double reached = 0.0;
  for (double step = kFirstShare; step >= kSmallestShare;) {
    const double next = std::min(1.0, reached + step);
    if (solve(next)) {
      reached = next;
      if (reached == 1.0) return true;
      step *= 2.0;
    } else {
      step *= 0.5;
    }
  }
  return false;
}

}  // namespace semirec
