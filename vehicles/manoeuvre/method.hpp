#pragma once

#include <limits>
#include <string>
#include <vector>

#include "vehicles/analysis/answer.hpp"
#include "vehicles/description/vehicle.hpp"
#include "vehicles/manoeuvre/manoeuvre.hpp"

namespace semirec {

/// A number that a method reads, if the file does not say otherwise, and where it may lie.
struct ValueRule {
  std::string name;
  double fallback = 0.0;  ///< NaN: taken from the vehicle
  std::string unit;       ///< `1` without dimension
  double least = 0.0;     ///< both ends are allowed
  double most = std::numeric_limits<double>::max();
  std::string about;
  bool whole = false;  ///< a whole number
};

/// How one kind of manoeuvre is driven and judged.
struct Method {
  std::string name;
  std::string about;
  std::vector<ValueRule> values;
  /// Throws ModelError where the vehicle lacks what it takes, AnalysisError where it cannot be
  /// driven, Interrupted.
  Answer (*answer)(const Vehicle&, const Manoeuvre&, const Progress&) = nullptr;
  /// Values that differ in the second drive, by a factor: what is to be slow happens twice as fast,
  /// so that the difference of the answers holds what its haste has changed, too.
  struct Scaled {
    std::string value;
    double factor = 1.0;
  };
  std::vector<Scaled> second_drive = {};
  bool reads_path = false;    ///< `<path>`; elsewhere one is refused
  bool reads_driver = false;  ///< `<driver>`; elsewhere one is refused
};

/// All of them. A new one is a function `Method NAME_method()` declared in methods.hpp and one line
/// in methods.cpp.
const std::vector<Method>& all_methods();
/// Null where there is none of this name.
const Method* find_method(const std::string& name);

struct ManoeuvreOptions {
  bool quick = false;  ///< leave out the second drive that tells how sure the numbers are
};

/// Drives the manoeuvre, and once more with twice the step and Method::second_drive: a quantity's
/// uncertainty is the difference (which bounds the error of the finer one), joined with its own, if
/// the method gave one, as root of the sum of squares. Throws what the method throws.
Answer run_manoeuvre(const Vehicle& vehicle, const Manoeuvre& manoeuvre,
                     const ManoeuvreOptions& options = {}, const Progress& progress = {});

}  // namespace semirec
