#pragma once

#include <chrono>
#include <string>

namespace semirec::cli {

/// From now on Ctrl-C and SIGTERM are remembered instead of ending the program.
void catch_interrupts();
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
