#include "apps/cli/commands.hpp"
#include "apps/cli/report_output.hpp"
#include "apps/cli/terminal.hpp"

namespace semirec::cli {

void register_pages(Program& program, int& exit_code) {
  const auto shell = std::make_shared<std::string>();
  Command* completion = program.root().add_subcommand(
      "completion", "print the completion of the command line for a shell");
  completion->add_option("SHELL", *shell, "bash or zsh")->required()->choices({"bash", "zsh"});
  completion->footer(
      "example: semirec completion bash > ~/.local/share/bash-completion/completions/semirec");
  completion->callback([&program, &exit_code, shell] {
    const CommandText text = program.describe();
    say("{}", *shell == "bash" ? bash_completion(text) : zsh_completion(text));
    exit_code = kDone;
  });
  Command* manual = program.root().add_subcommand("man", "print the page of the manual");
  manual->footer("example: semirec man > semirec.1; man ./semirec.1");
  manual->callback([&program, &exit_code] {
    say("{}", manual_page(program.describe(), kVersion));
    exit_code = kDone;
  });
}

}  // namespace semirec::cli
