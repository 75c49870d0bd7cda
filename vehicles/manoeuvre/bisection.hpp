#pragma once

#include <functional>

namespace semirec {

/// Where something that goes well at `low` and badly at `high` turns, to `width`.
struct Bracket {
  double good = 0.0, bad = 0.0;  ///< good < bad unless all went one way
  bool all_good = false;         ///< also at `high`: bad = high
  bool all_bad = false;          ///< also at `low`: good = low
  int tries = 0;
};

/// Tries the ends, then halves. What goes well above something bad is not looked for.
Bracket bisect(double low, double high, double width, const std::function<bool(double)>& goes_well);

}  // namespace semirec
