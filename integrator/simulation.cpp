#include "integrator/simulation.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>

#include "integrator/run_in_progress.hpp"

namespace semirec {

double energy_added_by_scheme(const RunReport& report) {
  return std::max(0.0, report.start.scheme - report.end.scheme);
}

bool is_balance_broken(const RunReport& report) {
  const auto largest = [](const Energy& e) {
    return std::abs(e.kinetic) + std::abs(e.potential) + std::abs(e.elastic);
  };
  // of a motion that turns over nothing, as of a body that flies and spins, what a step leaves
  constexpr double kSmall = 1e-6;
  const double small =
      kSmall * (largest(report.start) + largest(report.end)) + report.energy_of_rest;
  const double most = kBalanceShare * report.energy_turned_over + small;
  return !(report.energy_error <= most && energy_added_by_scheme(report) <= most);
}

double step_quantile(const RunReport& report, double p) {
  if (report.step_us.empty()) return 0.0;
  std::vector<float> sorted = report.step_us;
  const auto rank =
      static_cast<std::ptrdiff_t>(std::min(static_cast<double>(sorted.size()) - 1.0,
                                           std::floor(p * static_cast<double>(sorted.size()))));
  std::nth_element(sorted.begin(), sorted.begin() + rank, sorted.end());
  return static_cast<double>(sorted[static_cast<std::size_t>(rank)]);
}

double times_real_time(const RunReport& report) {
  return report.step_time > 0.0 ? (report.end_time - report.start_time) / report.step_time : 0.0;
}

RunReport run(const Model& model, const RunSettings& settings, State& state, Workspace& ws,
              const RunObserver& observer) {
  const std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
  const std::clock_t cpu_start = std::clock();
  RunInProgress going(model, settings, state, ws, observer);
  while (going.goes_on()) going.take_step();
  RunReport report = going.finish();
  report.wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  report.step_cpu = static_cast<double>(std::clock() - cpu_start) / CLOCKS_PER_SEC;
  return report;
}

}  // namespace semirec
