#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "apps/cli/seed_run.hpp"

namespace semirec::cli {

/// One thing that a paper states, and what is measured here.
struct SeedRow {
  std::string what;
  std::string paper;           ///< its statement in words or numbers
  std::vector<double> values;  ///< ours, in the table's columns; NaN: none
  std::string remark;          ///< where both differ, and why; or why there is none of ours
};

struct SeedTable {
  std::string source;  ///< paper and figure
  std::string title;
  std::string setup;  ///< model, formulation, steps
  std::vector<std::string> columns;
  std::vector<SeedRow> rows;
  std::string failure;  ///< why it was not made
};

/// What all tables need.
struct SeedBench {
  std::string folder;  ///< of models/ and scenarios/
  int repeat = 1;
  std::function<bool()> interrupted;
  std::function<void(const std::string&)> show;  ///< progress

  /// Reads a model of the folder. Throws ModelError.
  DriveDescription read(const std::string& model, const std::string& scenario = "let_go.xml",
                        const std::vector<std::string>& overrides = {}) const;
};

inline constexpr double kNotMeasured = std::numeric_limits<double>::quiet_NaN();

inline constexpr const char* kSchemeNotThere = "not there: no scheme of this name yet";

/// Place among the relative coordinates of the first coordinate of a tree joint. Throws ModelError
/// for a joint that is not there, or cut.
int coordinate_of(const Model& model, const std::string& joint);

/// Makes a table and puts it behind the others; one whose files cannot be read says so.
void add_table(const SeedBench& bench, const std::string& source, const std::string& what,
               const std::function<SeedTable()>& make, std::vector<SeedTable>& tables);

/// [SIX] Figs 3, 5 to 9, 13 to 16.
std::vector<SeedTable> make_six_tables(const SeedBench& bench);
/// [HHT]: variable step.
std::vector<SeedTable> make_hht_tables(const SeedBench& bench);
/// [EP]: spin, heavy top, V8.
std::vector<SeedTable> make_euler_parameter_tables(const SeedBench& bench);
/// [LIE]: rear suspension.
std::vector<SeedTable> make_suspension_tables(const SeedBench& bench);

}  // namespace semirec::cli
