#pragma once

#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace semirec::cli {

/// Figures and tables of seeds 000 to 003, the papers on integrators, measured again.
struct SeedComparison {
  std::string text;
  std::string csv;  ///< of the work-precision runs, as of `compare`
  nlohmann::ordered_json json;
};

/// `folder` holds models/ and scenarios/. A table whose files cannot be read says so in a line; the
/// others are made. `only` names the seeds that are wanted, and `work` for the work-precision plot;
/// empty: all. Throws ModelError for another name.
SeedComparison compare_with_seeds(const std::string& folder, int repeat,
                                  const std::vector<std::string>& only,
                                  const std::function<bool()>& interrupted);

}  // namespace semirec::cli
