#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/cli/compare_cell.hpp"

namespace semirec::cli {

/// What the hybrid paper ([H03] section 4) prints of one method at one step.
struct PaperCell {
  std::string method;           ///< ours that does the same; ADAMS: none
  double step = 0.0;            ///< s; 0: variable
  bool largest = false;         ///< table 4: the largest step with good results
  std::optional<double> error;  ///< in the table's unit, with its sign
  std::optional<double> time;   ///< CPU time, s
  std::string words;            ///< instead of numbers, or about them
};

struct PaperTable {
  int number = 0;
  std::string title;
  std::string model, scenario;  ///< files under models/ and scenarios/
  Measure measure;
  bool known = false;  ///< all of the paper's model and motion is known: errors must agree
  int global_coordinates = 0, relative_coordinates = 0;
  std::vector<double> steps;  ///< s
  std::vector<PaperCell> cells;
  bool has_largest = false;
  double smallest = 0.0;         ///< s, where the search for the largest good step begins
  double farthest = 0.0;         ///< m, a motion farther than that from the reference's is wrong
  bool each_coordinate = false;  ///< the plain topological method with each as the independent one
};

/// Tables 1 to 4. The only numbers of the comparison that are not measured.
const std::vector<PaperTable>& paper_tables();

/// The paper's cell of a formulation, or none.
const PaperCell* find_cell(const PaperTable& table, const std::string& method, double step);
const PaperCell* find_largest(const PaperTable& table, const std::string& method);

}  // namespace semirec::cli
