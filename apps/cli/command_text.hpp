#pragma once

#include <string>
#include <vector>

namespace semirec::cli {

/// What --help says of an argument.
struct ArgumentText {
  std::string name;                ///< `--speed` with its dashes; a positional one bears none
  std::string letter;              ///< `-h`; empty: none
  std::string about;               ///< what it means
  std::string type;                ///< `TEXT`, `FLOAT`, `FILE`; empty: a flag
  std::string standard;            ///< value without it; empty: none, or not said
  std::vector<std::string> words;  ///< the only values that it takes; empty: any
  bool required = false;
  bool positional() const { return name.empty() || name.front() != '-'; }
};

/// What --help says of a command.
struct CommandText {
  std::string name;
  std::string about;
  std::string footer;
  std::vector<ArgumentText> arguments;
  std::vector<CommandText> commands;
};

/// Completion of the command line for bash, and for zsh, as the text of a file that the shell
/// reads.
std::string bash_completion(const CommandText& program);
std::string zsh_completion(const CommandText& program);

/// The page of the manual in troff with the macros `man`; `version` stands in its last line.
std::string manual_page(const CommandText& program, const std::string& version);

}  // namespace semirec::cli
