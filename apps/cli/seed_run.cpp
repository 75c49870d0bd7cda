#include "apps/cli/seed_run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "integrator/statics/initial_conditions.hpp"
#include "topology/mechanism.hpp"

namespace semirec::cli {

namespace {

constexpr double kTimedFor = 0.1;  // s, short runs are repeated for so long
constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

double stored_energy(const Energy& energy) {
  return energy.kinetic + energy.potential + energy.elastic;
}

SeedSample take_sample(const Model& model, const SeedSetup& setup, const State& at, Workspace& ws) {
  State state = at;
  if (setup.solved && !find_accelerations(model, state, ws)) state.zdd.setConstant(kNoValue);
  SeedSample sample;
  sample.t = state.t;
  sample.z = state.z;
  sample.zd = state.zd;
  sample.zdd = state.zdd;
  sample.multipliers = state.multipliers;
  if (setup.read) sample.read = setup.read(model, state);
  return sample;
}

/// What becomes of the stored energy, J.
struct EnergyWatch {
  std::optional<double> first;
  double sum = 0.0, largest = 0.0, late_sum = 0.0;
  long count = 0, late_count = 0;

  void see(double energy, bool late) {
    if (!first) first = energy;
    const double change = energy - *first;
    sum += std::abs(change);
    ++count;
    largest = std::max(largest, std::abs(change));
    if (!late) return;
    late_sum += change;
    ++late_count;
  }
};

Drive make_seed_drive(const DriveDescription& description, const SchemeChoice& scheme,
                      const SeedSetup& setup) {
  Scenario scenario = description.scenario;
  scenario.scheme = scheme;
  scenario.closing = setup.closing;
  scenario.projection = setup.projection;
  scenario.iterations = 0;
  scenario.step = setup.step;
  scenario.until = setup.until;
  scenario.error_tolerance = setup.error_tolerance;
  Drive drive =
      make_drive(description.vehicle, scenario, {TangentChoice::automatic, setup.formulation});
  drive.settings.control.printed = setup.printed;
  drive.settings.step.classic_euler_parameters = setup.classic;
  if (setup.exact) {
    // what an iteration leaves of a position counts 4/h^2 times in the acceleration, and
    // round-off of the closures kappa times in the multipliers
    drive.settings.step.tolerance = 1e-12;
    drive.settings.step.kappa = 1e4;
  }
  return drive;
}

/// The smallest CPU time of some runs without audit and records; a run that fails says so.
void time_runs(const Drive& drive, const SeedSetup& setup, const State& start,
               const std::function<bool()>& interrupted, SeedRun& out) {
  Workspace ws(drive.model);
  RunSettings settings = drive.settings;
  settings.audit = false;
  settings.record = 2.0 * setup.until;
  RunObserver bare;
  bare.keep_going = [&](double /*t*/) { return !interrupted(); };
  double spent = 0.0;
  for (int k = 0; k < setup.timed || spent < kTimedFor; ++k) {
    State again = start;
    const RunReport timed = run(drive.model, settings, again, ws, bare);
    if (timed.status != RunStatus::finished) {
      out.failure = timed.status == RunStatus::stopped ? "interrupted" : timed.message;
      return;
    }
    if (k == 0 || timed.step_cpu < out.cpu) out.cpu = timed.step_cpu;
    spent += std::max(timed.step_cpu, timed.wall);
  }
}

}  // namespace

const std::vector<SeedMethod>& seed_methods() {
  static const std::vector<SeedMethod> methods{
      {"HHT-I3 (-0.3)", "hht", {{"alpha", -0.3}}, 2.0},
      {"HHT-I3 (-0.05)", "hht", {{"alpha", -0.05}}, 2.0},
      {"Newmark (0.6)", "newmark", {{"gamma", 0.6}}, 1.0},
      {"NSTIFF", "nstiff", {}, 2.0},
      {"NSTIFF-SI2", "nstiff_si2", {}, 2.0},
      {"HHT-ADD (-0.3)", "hht_add", {{"alpha", -0.3}}, 2.0},
      {"HHT-SI2 (-0.3)", "hht_si2", {{"alpha", -0.3}}, 2.0},
      {"lin. implicit Euler", "linearly_implicit_euler", {}, 1.0},
      {"trapezoid", "trapezoid", {}, 2.0},
      {"gen.-alpha (0.8)", "generalized_alpha", {{"rho", 0.8}}, 2.0}};
  return methods;
}

std::optional<SchemeChoice> find_seed_scheme(const SeedMethod& method) {
  for (const SchemeFamily* family : scheme_families())
    if (family->name == method.scheme) return choose_scheme(method.scheme, method.parameters);
  return std::nullopt;
}

SeedRun run_seed(const DriveDescription& description, const SchemeChoice& scheme,
                 const SeedSetup& setup, const std::function<bool()>& interrupted) {
  SeedRun out;
  try {
    const Drive drive = make_seed_drive(description, scheme, setup);
    out.n = drive.model.n();
    out.m = drive.model.m();
    Workspace ws(drive.model);
    Workspace scratch(drive.model);
    const State start = start_drive(drive, ws);

    State state = start;
    RunSettings settings = drive.settings;
    settings.record = setup.error_tolerance > 0.0 ? setup.sample : 0.0;
    RunObserver observer;
    EnergyWatch watch;
    double next = setup.sample;
    observer.record = [&](const State& at, const Energy& energy) {
      watch.see(stored_energy(energy), at.t > 0.9 * setup.until);
      if (setup.sample > 0.0 && at.t >= next - 1e-9) {
        out.samples.push_back(take_sample(drive.model, setup, at, scratch));
        next += setup.sample;
      }
      return true;
    };
    observer.keep_going = [&](double /*t*/) { return !interrupted(); };
    out.report = run(drive.model, settings, state, ws, observer);
    out.mean_energy_error = watch.sum / static_cast<double>(std::max(watch.count, 1L));
    out.largest_energy_error = watch.largest;
    out.net_energy = watch.late_sum / static_cast<double>(std::max(watch.late_count, 1L));
    if (out.report.status == RunStatus::stopped) out.failure = "interrupted";
    if (out.report.status == RunStatus::failed) out.failure = out.report.message;
    if (out.failure.empty() && setup.timed > 0) time_runs(drive, setup, start, interrupted, out);
  } catch (const ModelError& error) {
    out.failure = std::string("refused: ") + error.what();
  }
  return out;
}

double find_slope(const std::vector<double>& steps, const std::vector<double>& errors) {
  const auto count = static_cast<double>(steps.size());
  double x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    if (!(errors[k] > 0.0)) return kNoValue;
    const double a = std::log(steps[k]);
    const double b = std::log(errors[k]);
    x += a;
    y += b;
    xx += a * a;
    xy += a * b;
  }
  return (count * xy - x * y) / (count * xx - x * x);
}

double distance(const SeedRun& run, const SeedRun& reference, Eigen::VectorXd SeedSample::*part) {
  if (!run.failure.empty() || run.samples.size() != reference.samples.size()) return kNoValue;
  double sum = 0.0;
  for (std::size_t k = 0; k < run.samples.size(); ++k) {
    const Eigen::VectorXd& a = run.samples[k].*part;
    const Eigen::VectorXd& b = reference.samples[k].*part;
    if (a.size() != b.size()) return kNoValue;
    sum += (a - b).squaredNorm();
  }
  return std::sqrt(sum);
}

}  // namespace semirec::cli
