#include "apps/cli/terminal.hpp"

#include <csignal>
#include <unistd.h>

#include <fmt/core.h>

namespace semirec::cli {

namespace {

volatile std::sig_atomic_t caught = 0;
void on_interrupt(int /*signal*/) { caught = 1; }

}  // namespace

void catch_interrupts() {
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
}

bool interrupted() { return caught != 0; }

ProgressLine::ProgressLine() : terminal_(isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine() {
  if (shown_) fmt::print(stderr, "\r{:78}\r", "");
}

bool ProgressLine::due() const {
  return terminal_ && std::chrono::steady_clock::now() - last_ >= std::chrono::milliseconds(200);
}

void ProgressLine::show(double part, const std::string& what) {
  if (!due()) return;
  last_ = std::chrono::steady_clock::now();
  fmt::print(stderr, "\r  {:3.0f} %  {:<70.70}", 100.0 * part, what);
  shown_ = true;
}

}  // namespace semirec::cli
