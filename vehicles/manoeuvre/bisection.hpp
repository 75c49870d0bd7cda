#pragma once

#include <functional>
#include <limits>

namespace semirec {

/// Where something that goes well at `low` and badly at `high` turns, to `width`.
struct Bracket {
  double good = 0.0, bad = 0.0;  ///< good < bad unless all went one way
  bool all_good = false;         ///< also at `high`: bad = high
  bool all_bad = false;          ///< also at `low`: good = low
  int tries = 0;
  /// The lowest that went badly at first and well in a second look; NaN: none.
  double learned = std::numeric_limits<double>::quiet_NaN();
};

/// Tries the ends, then halves. What goes well above something bad is not looked for.
Bracket bisect(double low, double high, double width, const std::function<bool(double)>& goes_well);

/// A second look where what goes well depends on what the earlier tries have taught: from `bad` on
/// upwards, in steps of the bracket's width that double, to `high`, until something goes badly.
/// Then the bracket is the last step. Where `bad` goes badly again it stays as it is.
void look_again(Bracket& bracket, double high, const std::function<bool(double)>& goes_well);

}  // namespace semirec
