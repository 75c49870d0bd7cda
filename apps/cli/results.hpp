#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "recursive/forces/force_element.hpp"

namespace semirec::cli {

/// Makes the folder ready to be written. Throws ModelError when it cannot be made or written, or
/// holds one of the files and `overwrite` is false; nothing is changed then.
void prepare_folder(const std::filesystem::path& folder, const std::vector<std::string>& files,
                    bool overwrite);

/// Folder that a run writes into: results.csv while it runs, summary.json at its end.
class ResultFolder {
 public:
  /// Throws ModelError when the folder cannot be made or written, or holds results and `overwrite`
  /// is false; nothing is changed then.
  ResultFolder(const std::filesystem::path& folder, bool overwrite);

  /// First row names, second row units.
  bool write_header(const std::vector<Channel>& channels);
  /// False when the row could not be written.
  bool write_row(const std::vector<double>& values);
  /// Flushes and closes the table.
  bool close_table();
  bool write_summary(const nlohmann::ordered_json& summary);

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::filesystem::path folder_;
  std::unique_ptr<std::FILE, Close> table_;
};

}  // namespace semirec::cli
