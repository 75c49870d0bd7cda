#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "apps/cli/compare_output.hpp"

namespace semirec::cli {

/// What is run beside each other.
struct CompareTask {
  std::vector<Method> methods;
  std::vector<double> steps;           ///< s, ascending
  std::vector<VariableStep> variable;  ///< further rows of each method
  std::optional<double> good;          ///< largest error that is good; empty: the measure's own
  bool largest_step = false;           ///< find the largest good step of each method
  int repeat = 3;                      ///< runs of which the smallest CPU time counts, at least
};

/// Without names the formulations themselves. Throws ModelError for a name that is none.
std::vector<Method> choose_methods(const std::vector<std::string>& names);
/// 1, 3 and 10 times the scenario's step, of at most 1 s.
std::vector<double> usual_steps(const Scenario& scenario);
/// Sorts steps and takes those out that are there twice. Throws ModelError, naming `who`, for one
/// that is not above 0 and at most 1 s, more than 1e8 to the end of the scenario, or too many.
std::vector<double> check_steps(const std::string& who, std::vector<double> steps,
                                const Scenario& scenario);

/// What is to be known before it runs, a line each: what the start finds, the same for all methods;
/// an error_tolerance of the scenario, which is not followed; what formulations say of their
/// schemes.
std::vector<std::string> find_notes(const Bench& bench, const CompareTask& task);

/// Makes the reference with a tenth of the smallest step and runs everything, until
/// `bench.interrupted` says so. `show` is told what comes next.
Comparison compare(Bench& bench, const CompareTask& task,
                   const std::function<void(const std::string&)>& show);

}  // namespace semirec::cli
