#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include "integrator/simulation.hpp"
#include "vehicles/session/drive.hpp"

namespace semirec::cli {

/// A method of the papers on integrators, by the names of the scheme and its parameters.
struct SeedMethod {
  std::string label;   ///< as the papers call it
  std::string scheme;  ///< as --scheme calls it
  std::vector<std::pair<std::string, double>> parameters;
  double order = 2.0;  ///< that its paper states
};

/// The methods of the papers, and the trapezoidal rule and generalized-alpha beside them.
const std::vector<SeedMethod>& seed_methods();
/// The method's scheme; none: there is no scheme of that name here.
std::optional<SchemeChoice> find_seed_scheme(const SeedMethod& method);

/// How a model is run.
struct SeedSetup {
  Formulation formulation = CompileSettings{}.formulation;  ///< hybrid
  Closing closing = Closing::penalty;
  bool projection = true;
  double step = 1e-3;            ///< s
  double until = 1.0;            ///< s
  double sample = 0.0;           ///< interval of the samples, s; 0: none
  double error_tolerance = 0.0;  ///< above 0: steps of a length of their own
  bool printed = false;          ///< these by the printed error constant
  bool classic = false;          ///< Euler parameters: rates of the scheme itself
  bool exact = false;            ///< iterations go on to 1e-12, where orders are measured
  bool solved = false;           ///< samples: accelerations and multipliers solved anew
  int timed = 0;                 ///< further runs for the CPU time; 0: it is not measured
  /// What else a sample holds; may be empty.
  std::function<Eigen::VectorXd(const Model&, const State&)> read;
};

/// A state on the way.
struct SeedSample {
  double t = 0.0;  ///< s
  Eigen::VectorXd z, zd, zdd, multipliers, read;
};

/// What a run leaves.
struct SeedRun {
  std::string failure;  ///< one line; empty: it came to its end
  int n = 0, m = 0;     ///< coordinates, closure rows
  RunReport report;
  std::vector<SeedSample> samples;
  double mean_energy_error = 0.0;     ///< mean of |E - E_0|, J
  double largest_energy_error = 0.0;  ///< J
  double net_energy = 0.0;            ///< mean of E - E_0 over the last tenth of the run, J
  double cpu = 0.0;                   ///< s, of the steps alone
};

/// Runs a model with a scheme. Never throws for a run that fails or is refused: it says so.
SeedRun run_seed(const DriveDescription& description, const SchemeChoice& scheme,
                 const SeedSetup& setup, const std::function<bool()>& interrupted);

/// Slope of log error over log step, by least squares. NaN where an error is none.
double find_slope(const std::vector<double>& steps, const std::vector<double>& errors);

/// Root of the sum of squares of a part of the samples against the same of others at the same
/// instants; NaN where they do not correspond.
double distance(const SeedRun& run, const SeedRun& reference, Eigen::VectorXd SeedSample::*part);

}  // namespace semirec::cli
