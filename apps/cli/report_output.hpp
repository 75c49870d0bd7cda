#pragma once

#include <memory>
#include <string>
#include <vector>

#include "apps/cli/command.hpp"
#include "apps/cli/output.hpp"
#include "apps/report/report.hpp"

namespace semirec::cli {

/// Name and number of the program, as --version prints them.
inline constexpr const char* kVersion = "semirec 0.1.0";

/// The command line as it was typed, for pages; words with other characters than letters, digits
/// and those of paths are put in quotes.
void remember_command(int argc, char** argv);
const std::string& command_line();

/// Words for a shell, in quotes where they need them.
std::string shell_text(const std::vector<std::string>& words);

/// --report of a command that has --overwrite.
void add_report(Command& command, std::string& file);

/// The page that a command writes at its end. Nothing is there under its name before.
class ReportFile {
 public:
  /// To be called before the work: throws ModelError where the program has no pages, where the name
  /// is taken and `overwrite` is false, or where its folder takes no file.
  ReportFile(const std::string& path, bool overwrite);
  /// Fills in command and version, and writes the page. Empty, or one line that says why it is not
  /// there.
  std::string write(report::Report& report);
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  OutputFile file_;
};

/// Null without a path.
std::unique_ptr<ReportFile> open_report(const std::string& path, bool overwrite);

}  // namespace semirec::cli
