#pragma once

namespace semirec {

/// What the cutting of steps at contacts did in a run.
struct ContactReport {
  long cuts = 0;     ///< steps that end where contacts begin or end
  long changes = 0;  ///< contacts that began or ended there
  long passed = 0;   ///< changes within steps that were not cut: too many in a row, or grazing
  long trials = 0;   ///< steps taken in search of the instants
};

/// Below this share of a step's length a state is carried on by its rates and accelerations: the
/// round-off of closures would count for too much in a step of the scheme.
inline constexpr double kShortestStep = 1e-5;

}  // namespace semirec
