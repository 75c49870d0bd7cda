#pragma once

#include <string>
#include <vector>

#include "recursive/forces/force_element.hpp"

namespace semirec::report {

/// What `run --out` left in a folder.
struct Results {
  std::string folder;
  std::vector<Channel> channels;                     ///< without the time
  std::vector<double> times;                         ///< [row] s, not decreasing
  std::vector<std::vector<double>> columns;          ///< [channel][row]
  std::string model, scenario, formulation, status;  ///< of summary.json; empty without one
  std::string cut;  ///< what is missing of a file that was cut short; empty: nothing
};

/// Reads results.csv of a folder, and what summary.json says of the run. A last line without its
/// end is left out, and `cut` says so. Throws ModelError (one line, with file and line) where there
/// is no such folder or file, and where it is no table of a run.
Results read_results(const std::string& folder);

}  // namespace semirec::report
