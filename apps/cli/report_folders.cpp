#include <algorithm>

#include "apps/cli/commands.hpp"
#include "apps/cli/report_output.hpp"
#include "apps/cli/terminal.hpp"
#include "apps/report/run_differences.hpp"

namespace semirec::cli {

namespace {

struct ReportOptions {
  std::vector<std::string> folders;
  std::string out;
  bool overwrite = false;
};

int report_command(const ReportOptions& options) {
  if (options.folders.size() < 2)
    throw ModelError("report: one folder is given, expected two or more to compare");
  for (auto folder = options.folders.begin(); folder != options.folders.end(); ++folder)
    if (std::find(options.folders.begin(), folder, *folder) != folder)
      throw ModelError("report: '" + *folder + "' is given twice, expected different folders");
  const std::unique_ptr<ReportFile> page = open_report(options.out, options.overwrite);
  std::vector<report::Results> runs;
  for (const std::string& folder : options.folders) runs.push_back(report::read_results(folder));
  report::Report content = report::make_difference_page(runs);
  const std::string trouble = page->write(content);
  for (const std::string& warning : content.warnings) complain("{}\n", warning);
  if (!trouble.empty()) {
    complain("{}\n", trouble);
    return kCannotWrite;
  }
  for (const report::Results& run : runs)
    say("{}: {} channels, {} rows to {:.6g} s\n", run.folder, run.channels.size(), run.times.size(),
        run.times.back());
  say("  page        {}\n", page->path());
  return kDone;
}

}  // namespace

void register_report(Command& app, int& exit_code) {
  auto options = std::make_shared<ReportOptions>();
  Command* command = app.add_subcommand(
      "report",
      "a page of two or more result folders: channels of the same name over one another, the\n"
      "difference of each to that of the first folder as curves, and a table of the largest.\n\n"
      "  semirec report stiff soft --out stiff_and_soft.html");
  command->add_option("FOLDER", options->folders, "folders that `run --out` has written")
      ->required();
  command
      ->add_option("--out", options->out,
                   "HTML file to write; an existing file is kept unless --overwrite is given")
      ->required()
      ->type_name("FILE");
  command->add_flag("--overwrite", options->overwrite, "replace a page that is already there");
  command->callback([options, &exit_code] { exit_code = report_command(*options); });
}

}  // namespace semirec::cli
