#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/cli/command_text.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace semirec::cli {

// What this program needs of CLI11, compiled once: its header costs seven seconds in every source.

/// One file or folder: there under both names, or the same name of what is not there yet.
bool is_same_place(const std::string& a, const std::string& b);

/// One argument of a command.
class Argument {
 public:
  explicit Argument(CLI::Option& option) : option_(option) {}
  Argument* required();
  Argument* capture_default_str();  ///< --help shows the default
  Argument* take_all();             ///< all of its occurrences count
  Argument* delimiter(char between);
  Argument* choices(const std::vector<std::string>& words);  ///< one of these
  Argument* between(double least, double most);
  Argument* one_each_time();  ///< a list that grows by one word each time it is named
  Argument* type_name(const std::string& words);  ///< for --help
  Argument* excludes(Argument* other);
  Argument* needs(Argument* other);

 private:
  CLI::Option& option_;
};

/// A command with its arguments: --long options, and positional ones that bear a name without
/// dashes. The variables must live as long as the command.
class Command {
 public:
  explicit Command(CLI::App& app) : app_(app) {}

  Command* add_subcommand(const std::string& name, const std::string& about);
  void require_subcommand(int count);

  /// Types: std::string, int, unsigned, long, unsigned long, double; std::optional of int, unsigned
  /// long, double, std::string; std::vector of std::string, double.
  template <class Type>
  Argument* add_option(const std::string& name, Type& value, const std::string& about);
  Argument* add_flag(const std::string& name, bool& value, const std::string& about);
  /// A flag that calls `print` and ends the program, whatever else is missing.
  void add_print_flag(const std::string& name, std::function<void()> print,
                      const std::string& about);

  /// Below the options in --help.
  void footer(const std::string& text);
  /// Called when the command was given and its arguments were understood.
  void callback(std::function<void()> call);

 private:
  Argument* keep(CLI::Option* option);

  CLI::App& app_;
  std::vector<std::unique_ptr<Command>> commands_;
  std::vector<std::unique_ptr<Argument>> arguments_;
};

/// The command line as a whole.
class Program {
 public:
  Program(const std::string& name, const std::string& about, const std::string& version);
  ~Program();
  Command& root() { return *root_; }
  /// All commands with their arguments, as --help has them.
  CommandText describe() const;
  /// Reads the command line and calls the command's callback. A value: it ended here, with help
  /// (true) or with a message (false).
  std::optional<bool> parse(int argc, char** argv);

 private:
  std::unique_ptr<CLI::App> app_;
  std::unique_ptr<Command> root_;
};

/// Reads `words` (without the command's own name) as the arguments of a command that `add` fills.
/// Empty, or what is wrong.
std::string parse_words(const std::string& command, const std::vector<std::string>& words,
                        const std::function<void(Command&)>& add);

/// To be called from a callback: an argument is missing after all.
[[noreturn]] void report_missing(const std::string& argument);

/// All of the text as a number. False: it is none.
bool parse_number(const std::string& text, double& value);

}  // namespace semirec::cli
