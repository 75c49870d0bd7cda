#include "vehicles/manoeuvre/bisection.hpp"

#include <algorithm>

namespace semirec {

Bracket bisect(double low, double high, double width,
               const std::function<bool(double)>& goes_well) {
  Bracket bracket{low, high};
  const auto test = [&](double value) {
    ++bracket.tries;
    return goes_well(value);
  };
  if (!test(low)) {
    bracket.all_bad = true;
    return bracket;
  }
  if (test(high)) {
    bracket.all_good = true;
    bracket.good = high;
    return bracket;
  }
  while (bracket.bad - bracket.good > width) {
    const double middle = 0.5 * (bracket.good + bracket.bad);
    (test(middle) ? bracket.good : bracket.bad) = middle;
  }
  return bracket;
}

void look_again(Bracket& bracket, double high, const std::function<bool(double)>& goes_well) {
  if (bracket.all_good || bracket.all_bad) return;
  double step = bracket.bad - bracket.good;
  for (++bracket.tries; goes_well(bracket.bad); ++bracket.tries) {
    if (!(bracket.learned <= bracket.bad)) bracket.learned = bracket.bad;
    bracket.good = bracket.bad;
    if (bracket.good >= high) {
      bracket.all_good = true;
      return;
    }
    bracket.bad = std::min(high, bracket.good + step);
    step *= 2.0;
  }
}

}  // namespace semirec
