#pragma once

#include <map>
#include <string>

#include <nlohmann/json.hpp>

#include "integrator/statics/initial_conditions.hpp"
#include "vehicles/session/drive.hpp"

namespace semirec::cli {

/// Largest magnitude of a channel with its time.
struct Peak {
  double value = 0.0;
  double time = 0.0;
};

/// What summary.json says of a run, but for the counts and courses of its channels.
nlohmann::ordered_json summary_of(const Drive& drive, const Scenario& scenario,
                                  const RunReport& report, const ClosureRank& rank,
                                  const std::map<std::string, Peak>& peaks,
                                  const std::string& status);

/// The same on the screen.
void print_summary(const nlohmann::ordered_json& summary, const Drive& drive, double final_time);

}  // namespace semirec::cli
