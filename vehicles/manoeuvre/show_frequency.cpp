#include "vehicles/manoeuvre/show_frequency.hpp"

#include <cmath>
#include <vector>

#include "vehicles/manoeuvre/open_loop.hpp"

namespace semirec {

namespace {

std::size_t chart_of(Answer& answer, const std::string& title, const std::string& y_label) {
  for (std::size_t k = 0; k < answer.charts.size(); ++k)
    if (answer.charts[k].title == title) return k;
  answer.charts.push_back({title, "frequency, Hz", y_label, true, false, {}});
  return answer.charts.size() - 1;
}

}  // namespace

void show_frequency_response(Answer& answer, const std::string& name, const std::string& unit,
                             const FrequencyResponse& response, double low,
                             const SteadyGain& steady) {
  const FrequencyMetrics metrics = find_frequency_metrics(response, low, steady);
  const std::string gain_unit = unit + "/rad";
  add_quantity(
      answer, name + ".steady_gain", metrics.steady_gain, gain_unit,
      std::isfinite(steady.value)
          ? "over steering wheel angle, of a steady turn, solved"
          : "over steering wheel angle, mean of the low frequencies: no steady turn is found",
      metrics.steady_error);
  add_quantity(answer, name + ".bandwidth", metrics.bandwidth, "Hz",
               "gain falls below steady/sqrt(2) for good", metrics.bandwidth_error);
  add_quantity(answer, name + ".peak_frequency", metrics.peak_frequency, "Hz",
               "of the largest gain", metrics.peak_frequency_error);
  add_quantity(answer, name + ".peak_ratio", metrics.peak_ratio, "1",
               "largest gain over the steady one", metrics.peak_ratio_error);
  add_quantity(answer, name + ".equivalent_time", metrics.equivalent_time, "s",
               "1/omega where the phase is -45 degrees", metrics.equivalent_time_error);
  const double at_one = gain_at(response, 1.0);
  add_quantity(answer, name + ".gain_1Hz", at_one, gain_unit, "at 1 Hz",
               gain_error_at(response, 1.0));
  add_quantity(answer, name + ".phase_1Hz", phase_at(response, 1.0), "rad",
               "at 1 Hz, below zero: behind the steering wheel", phase_error_at(response, 1.0));
  if (std::isnan(metrics.bandwidth))
    answer.notes.push_back("the gain of " + name +
                           " does not fall below steady/sqrt(2) within the range, so it has no "
                           "bandwidth");
  if (std::isnan(metrics.equivalent_time))
    answer.notes.push_back("the phase of " + name +
                           " does not fall through -45 degrees within the range, so it has no "
                           "equivalent_time");
  if (std::isnan(at_one))
    answer.notes.push_back("1 Hz is outside of the range of " + name +
                           ", so it has no gain_1Hz and phase_1Hz");
  if (std::isnan(metrics.peak_frequency))
    answer.notes.push_back("the gain of " + name + " has no peak within the range");

  Table table{"frequency_" + name,
              {{"frequency", "Hz"},
               {"gain", gain_unit},
               {"phase", "rad"},
               {"coherence", "1"},
               {"error", "1"}},
              {}};
  Series gain{name, {}, {}};
  Series phase{name, {}, {}};
  Series coherence{name, {}, {}};
  for (std::size_t k = 0; k < response.f.size(); ++k) {
    table.rows.push_back({response.f[k], response.gain[k], response.phase[k], response.coherence[k],
                          response.error[k]});
    for (Series* series : {&gain, &phase, &coherence}) series->x.push_back(response.f[k]);
    gain.y.push_back(response.gain[k] / metrics.steady_gain);
    phase.y.push_back(response.phase[k]);
    coherence.y.push_back(response.coherence[k]);
  }
  answer.tables.push_back(std::move(table));
  answer.charts[chart_of(answer, "gain over the steady gain", "1")].series.push_back(gain);
  answer.charts[chart_of(answer, "phase behind the steering wheel", "rad")].series.push_back(phase);
  answer.charts[chart_of(answer, "coherence", "1")].series.push_back(coherence);
}

}  // namespace semirec
