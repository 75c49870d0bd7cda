#pragma once

#include <chrono>
#include <string>

#include <fmt/format.h>

namespace semirec::cli {

/// Puts the text on stdout or stderr. A failure of stdout is remembered for finish_output(); one of
/// stderr has nobody to be told to.
void put_on_stdout(const std::string& text);
void put_on_stderr(const std::string& text);

/// What the program says to whoever called it, on stdout.
template <class... Arguments>
void say(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  put_on_stdout(fmt::vformat(format, fmt::make_format_args(arguments...)));
}

/// Messages, notes and progress, on stderr.
template <class... Arguments>
void complain(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  put_on_stderr(fmt::vformat(format, fmt::make_format_args(arguments...)));
}

/// A note on stderr, however often it comes up: once.
void note_once(const std::string& text);

/// To be called first: a file never gets the number of a stdin, stdout or stderr that is closed,
/// and a file that may not grow (ulimit -f) is an error of writing, not the end of the program.
void prepare_output();
/// To be called last: writes what waits for stdout. `code`, or kCannotWrite with one line where
/// that was 0 and something that was said did not arrive.
int finish_output(int code);

/// From now on Ctrl-C, SIGTERM and a terminal that is closed are remembered instead of ending the
/// program; a second Ctrl-C ends it.
void catch_interrupts();
/// The same signals call a handler of the command's own. `flags` as in sigaction(): without
/// SA_RESTART calls that wait return.
void catch_interrupts(void (*handler)(int), int flags = 0);
bool interrupted();

/// One line on the terminal that tells how far a long command is; nothing where stderr is no
/// terminal. The destructor wipes it.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  /// On a terminal, five times a second.
  bool due() const;
  /// When due.
  void show(double part, const std::string& what);

 private:
  bool terminal_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace semirec::cli
