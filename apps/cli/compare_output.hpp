#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "apps/cli/compare_cell.hpp"
#include "apps/cli/output.hpp"

namespace semirec::cli {

/// Text in columns that are as wide as they must be. Numbers to the right, `left` columns to the
/// left; a row with fewer cells ends in words that may run over the columns that it lacks.
class TextTable {
 public:
  TextTable(std::vector<std::string> names, std::vector<bool> left);
  void add(std::vector<std::string> cells);
  /// The last cell runs on over the columns after it.
  void add_words(std::vector<std::string> cells, const std::string& words);
  std::string text(const std::string& indent = "  ") const;

 private:
  struct Row {
    std::vector<std::string> cells;
    std::string words;
  };
  std::vector<bool> left_;
  std::vector<Row> rows_;
};

/// A comparison that was made.
struct Comparison {
  std::string model, scenario;
  double until = 0.0;
  std::string measure, unit, criterion, wrong;  ///< in words
  double limit = 0.0;
  int repeat = 0;
  std::string reference_failure;
  double reference_step = 0.0, reference_error = 0.0;
  std::vector<Cell> cells;
  std::vector<LargestStep> largest;
};

Comparison describe(const Bench& bench, int repeat);

/// What is compared and how it is judged, five lines.
std::string head_of(const Comparison& comparison);
void print(const Comparison& comparison);
/// First row names, second row units, one row a run; the largest good steps at the end.
std::string to_csv(const Comparison& comparison);
/// The pieces of that; `names`, `units` and `extra` are further columns, each after a comma.
std::string csv_head(const std::string& names, const std::string& units);
std::string csv_row(const Comparison& comparison, const Cell& cell, const std::string& kind,
                    const std::string& extra);
nlohmann::ordered_json to_json(const Comparison& comparison);
nlohmann::ordered_json to_json(const Cell& cell);

/// Number with 3 digits; `-` for none.
std::string brief(double value);
/// `1.9k`; `-` for none.
std::string in_thousands(double count);

/// Files that are to be written at the end. Refused now rather than then.
class OutputFiles {
 public:
  /// `-` stands for stdout, an empty name for none. Throws ModelError for a file that is there
  /// without `overwrite`, a folder that is not or may not be written, a plot without gnuplot.
  OutputFiles(std::string csv, std::string json, std::string plot, const std::string& folder,
              bool overwrite);
  bool prints() const { return csv_ == "-" || json_ == "-"; }
  /// False, with one line on stderr, when something could not be written. `has_runs`: whether there
  /// is anything to draw.
  bool write(const std::string& csv, const nlohmann::ordered_json& json, bool has_runs = true);
  std::vector<std::string> names() const;

 private:
  std::string csv_, json_, plot_;
  std::string script_;
  bool draw(const std::string& csv);
  bool leave_undrawn();

  std::optional<OutputFolder> folder_;
  std::optional<OutputFile> csv_file_, json_file_, plot_file_;
};

}  // namespace semirec::cli
