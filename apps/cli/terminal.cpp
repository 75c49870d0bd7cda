#include "apps/cli/terminal.hpp"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <iostream>
#include <mutex>
#include <set>
#include <unistd.h>

#include "apps/cli/commands.hpp"

namespace semirec::cli {

namespace {

/// Why stdout took no more; 0: it took all.
int stdout_error = 0;

volatile std::sig_atomic_t caught = 0;

void on_interrupt(int signal) {
  if (caught != 0 && signal == SIGINT) _exit(kInterrupted);
  caught = 1;
}

}  // namespace

void put_on_stdout(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() && stdout_error == 0)
    stdout_error = errno;
}

void put_on_stderr(const std::string& text) {
  static_cast<void>(std::fwrite(text.data(), 1, text.size(), stderr));
}

void note_once(const std::string& text) {
  static std::mutex guard;
  static std::set<std::string> said;
  const std::lock_guard lock(guard);
  if (said.insert(text).second) complain("note: {}\n", text);
}

void prepare_output() {
  // a descriptor for reading in the place of a closed one: writing to it fails
  for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(file, F_GETFD) < 0) static_cast<void>(::open("/dev/null", O_RDONLY));
  std::signal(SIGXFSZ, SIG_IGN);
}

int finish_output(int code) {
  if (std::fflush(stdout) != 0 && stdout_error == 0) stdout_error = errno;
  std::cout.flush();
  if (stdout_error == 0 && std::ferror(stdout) == 0) return code;
  complain("standard output cannot be written{}{}, expected a place that takes all of it\n",
           stdout_error == 0 ? "" : ": ", stdout_error == 0 ? "" : std::strerror(stdout_error));
  return code == kDone ? kCannotWrite : code;
}

void catch_interrupts() { catch_interrupts(on_interrupt, SA_RESTART); }

void catch_interrupts(void (*handler)(int), int flags) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  // a terminal that is closed ends a command as Ctrl-C does, unless nohup has it ignored
  struct sigaction before {};
  sigaction(SIGHUP, &action, &before);
  if (before.sa_handler == SIG_IGN) sigaction(SIGHUP, &before, nullptr);
}

bool interrupted() { return caught != 0; }

ProgressLine::ProgressLine() : terminal_(isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine() {
  if (shown_) complain("\r{:78}\r", "");
}

bool ProgressLine::due() const {
  return terminal_ && std::chrono::steady_clock::now() - last_ >= std::chrono::milliseconds(200);
}

void ProgressLine::show(double part, const std::string& what) {
  if (!due()) return;
  last_ = std::chrono::steady_clock::now();
  complain("\r  {:3.0f} %  {:<70.70}", 100.0 * part, what);
  shown_ = true;
}

}  // namespace semirec::cli
