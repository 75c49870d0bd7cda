#pragma once

#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/seccomp.h>

namespace semirec::test {

/// Sanitizers make system calls of their own.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#elif defined(__has_feature)
inline constexpr bool kSanitized =
    __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
inline constexpr bool kSanitized = false;
#endif

/// What becomes of a child that calls `body` where the kernel allows nothing but read, write and to
/// end (seccomp's strict mode) and kills at any other system call: its wait status, exit code 0
/// when `body` returned true; -1 where the kernel has no such mode.
template <typename Body>
int run_in_strict_mode(const Body& body) {
  constexpr int kNoSuchMode = 77;
  const pid_t child = fork();
  if (child == 0) {
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) != 0) _exit(kNoSuchMode);
    // _exit() would end all threads, by a call that strict mode does not know
    syscall(SYS_exit, body() ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == kNoSuchMode ? -1 : status;
}

}  // namespace semirec::test
