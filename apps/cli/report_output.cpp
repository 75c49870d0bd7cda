#include "apps/cli/report_output.hpp"

#include <algorithm>
#include <string_view>

#include "apps/report/report_json.hpp"
#include "topology/ascii.hpp"
#include "topology/mechanism.hpp"

namespace semirec::cli {

namespace {

std::string& remembered_command() {
  static std::string line;
  return line;
}

bool is_plain(const std::string& word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
    return ascii::is_letter_or_digit(c) || static_cast<unsigned char>(c) >= 0x80 ||
           std::string_view("_-./=,:+@%").find(c) != std::string_view::npos;
  });
}

/// For a shell, in one pair of quotes.
std::string quoted(const std::string& word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
}

const std::string& with_pages(const std::string& path) {
  if (!report::has_pages())
    throw ModelError(
        "--report: this program was built without its pages, expected one that was built where the "
        "commands node (18 or later) and npm are: install both, then run scripts/build again");
  return path;
}

}  // namespace

void remember_command(int argc, char** argv) {
  std::vector<std::string> words{"semirec"};
  if (argc > 1) words.insert(words.end(), argv + 1, argv + argc);
  remembered_command() = shell_text(words);
}

std::string shell_text(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words)
    text += (text.empty() ? "" : " ") + (is_plain(word) ? word : quoted(word));
  return text;
}

const std::string& command_line() { return remembered_command(); }

void add_report(Command& command, std::string& file) {
  command
      .add_option("--report", file,
                  "HTML file to write: a page with the moving car, curves and answers, for any "
                  "browser; an existing file is kept unless --overwrite is given")
      ->type_name("FILE");
}

ReportFile::ReportFile(const std::string& path, bool overwrite)
    : path_(with_pages(path)), file_(path, overwrite) {}

std::string ReportFile::write(report::Report& report) {
  report.command = command_line();
  report.version = kVersion;
  if (file_.write(report::html_of(report)) && file_.finish()) return {};
  return file_.trouble();
}

std::unique_ptr<ReportFile> open_report(const std::string& path, bool overwrite) {
  return path.empty() ? nullptr : std::make_unique<ReportFile>(path, overwrite);
}

}  // namespace semirec::cli
