#pragma once

namespace semirec::test {

/// Counts the heap calls of the calling thread while it lives: malloc, calloc, realloc, free, the
/// aligned ones, and operator new and delete above them. The C functions themselves are replaced,
/// so that calls from C libraries (CHOLMOD) are seen as well. Guards must not overlap.
class HeapGuard {
 public:
  HeapGuard();
  ~HeapGuard();
  HeapGuard(const HeapGuard&) = delete;
  HeapGuard& operator=(const HeapGuard&) = delete;

  /// Heap calls since the guard began; the count goes on.
  long calls() const;
  /// Bytes asked for.
  long bytes() const;
  /// False in builds that bring their own malloc (sanitizers): nothing is counted there.
  static bool works();
};

}  // namespace semirec::test
