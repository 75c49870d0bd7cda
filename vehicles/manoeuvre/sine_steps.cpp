#include "vehicles/manoeuvre/sine_steps.hpp"

#include <cmath>
#include <numbers>

namespace semirec {

std::vector<ValueRule> sine_steps_values(double f_from, double f_to, double count) {
  return {
      {"f_from", f_from, "Hz", 0.01, 100.0, "first frequency"},
      {"f_to", f_to, "Hz", 0.01, 100.0, "last frequency"},
      {"count", count, "1", 1.0, 1000.0, "frequencies, at equal ratios; 1: the first alone", true},
      {"transient", 2.0, "s", 0.0, 600.0, "at each frequency, at least, until it counts"},
      {"periods", 3.0, "1", 1.0, 1000.0, "at each frequency that count", true}};
}

std::vector<SineStep> sine_steps_of(const Manoeuvre& manoeuvre, double start) {
  const double f_from = manoeuvre.value("f_from");
  const double f_to = manoeuvre.value("f_to");
  const double count = manoeuvre.value("count");
  if (count > 1.5 && f_to <= f_from)
    throw ModelError(manoeuvre.source, manoeuvre.name,
                     "f_to is not above f_from, expected a band such as 0.2 to 3 Hz");
  std::vector<double> frequencies;
  const auto n = static_cast<int>(std::lround(count));
  for (int k = 0; k < n; ++k)
    frequencies.push_back(n == 1 ? f_from : f_from * std::pow(f_to / f_from, k / (n - 1.0)));
  return sine_steps_at(frequencies, manoeuvre, start);
}

std::vector<SineStep> sine_steps_at(const std::vector<double>& frequencies,
                                    const Manoeuvre& manoeuvre, double start, double transients) {
  const double transient = transients * manoeuvre.value("transient");
  std::vector<SineStep> steps;
  double t = start;
  for (const double frequency : frequencies) {
    SineStep step;
    step.frequency = frequency;
    step.from = t;
    step.measured = t + std::ceil(transient * step.frequency) / step.frequency;
    step.end = step.measured + std::round(manoeuvre.value("periods")) / step.frequency;
    t = step.end;
    steps.push_back(step);
  }
  return steps;
}

Curve::Sine sine_of(const SineStep& step, double amplitude) {
  const double omega = 2.0 * std::numbers::pi * step.frequency;
  return {amplitude, omega, -omega * step.from, 0.0, step.from, step.end};
}

}  // namespace semirec
