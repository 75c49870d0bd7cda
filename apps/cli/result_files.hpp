#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "apps/cli/command.hpp"
#include "apps/cli/output.hpp"
#include "apps/results/table.hpp"
#include "recursive/forces/force_element.hpp"

namespace semirec::cli {

/// How a table of channels is written.
enum class ResultFormat { csv, hdf5, mf4, mcap };

/// The formats of `--format csv,mf4`. Throws ModelError where one is not known or comes twice.
std::vector<ResultFormat> parse_formats(const std::string& words);
/// The option --format into `words`, allowed beside `needed` alone; `about` stands before the names
/// in its help.
void add_format(Command& command, std::string& words, const std::string& about, Argument* needed);

/// results.csv, results.h5, results.mf4 or results.mcap; with another name for `results`.
std::string file_name(ResultFormat format, const std::string& name = "results");
/// Whether a file of this name is the table of some run.
bool is_result_table(const std::string& file);
/// Whether it belongs to some run: its table or its summary.
bool is_result_file(const std::string& file);
/// Name of the summary of a run.
inline constexpr const char* kSummaryName = "summary.json";
/// Removes the table of a name from a folder in all formats but these, where it may be overwritten.
void remove_other_formats(const OutputFolder& folder, const std::vector<ResultFormat>& formats,
                          const std::string& name);
/// Removes the summary of a run from a folder, where it may be overwritten.
void remove_summary(const OutputFolder& folder);
/// Whether it ends as a table in one of the formats other than CSV does.
bool ends_as_table(const std::string& file);

/// The columns of channels, with what each is in words.
std::vector<results::Column> columns_of(const std::vector<Channel>& channels);

/// The table of a run in one or several formats, in a folder that outlives it. Rows are handed to
/// the system at least once a second of wall time, as long as some come.
class ResultFiles {
 public:
  /// `head.started` is filled in here, and of columns of one name the later ones become `name#2`.
  /// Throws ModelError where a file cannot be made.
  ResultFiles(const OutputFolder& folder, const std::vector<ResultFormat>& formats,
              results::TableHead head, std::string name = "results");

  /// Files begin with their names; where the folder may be overwritten, the table of an earlier run
  /// in another format goes, and before any table of this one the summary of that. False here and
  /// below: no room, or a name was taken meanwhile; the other files are complete up to there.
  bool begin();
  bool wants_poses() const;
  bool add(const results::TableRow& row);
  bool add_road(double time, const results::Mesh& piece);
  bool finish();
  /// One line that says why one of the above returned false.
  std::string trouble() const;
  /// For the line that tells what was written: paths with commas between of the files that have
  /// got their names.
  std::string paths(const std::string& folder) const;

 private:
  struct File {
    ResultFormat format;
    std::unique_ptr<OutputFile> output;
    std::unique_ptr<results::TableFile> table;
  };
  template <class Call>
  bool all(Call call);

  const OutputFolder& folder_;
  std::string name_;
  std::vector<File> files_;
  std::chrono::steady_clock::time_point flushed_;
};

}  // namespace semirec::cli
