#include "vehicles/manoeuvre/bisection.hpp"

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

}  // namespace semirec
