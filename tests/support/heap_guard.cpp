#include "tests/support/heap_guard.hpp"

#include <cerrno>
#include <cstddef>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SEMIREC_OWN_MALLOC 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
#define SEMIREC_OWN_MALLOC 0
#endif
#endif
// the names behind glibc's malloc are glibc's own
#if !defined(SEMIREC_OWN_MALLOC) && defined(__GLIBC__)
#define SEMIREC_OWN_MALLOC 1
#endif
#ifndef SEMIREC_OWN_MALLOC
#define SEMIREC_OWN_MALLOC 0
#endif

namespace {

// plain numbers: in an executable reading them needs no memory of its own
thread_local bool counting = false;
thread_local long call_count = 0;
thread_local long byte_count = 0;

[[maybe_unused]] void note(std::size_t bytes) {
  if (!counting) return;
  ++call_count;
  byte_count += static_cast<long>(bytes);
}

}  // namespace

#if SEMIREC_OWN_MALLOC

extern "C" {

void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_realloc(void* old, std::size_t bytes);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);
void __libc_free(void* block);

void* malloc(std::size_t bytes) {
  note(bytes);
  return __libc_malloc(bytes);
}

void* calloc(std::size_t count, std::size_t bytes) {
  note(count * bytes);
  return __libc_calloc(count, bytes);
}

void* realloc(void* old, std::size_t bytes) {
  note(bytes);
  return __libc_realloc(old, bytes);
}

void free(void* block) {
  // free(nullptr) does nothing
  if (block != nullptr) note(0);
  __libc_free(block);
}

void* memalign(std::size_t alignment, std::size_t bytes) {
  note(bytes);
  return __libc_memalign(alignment, bytes);
}

void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  note(bytes);
  return __libc_memalign(alignment, bytes);
}

int posix_memalign(void** block, std::size_t alignment, std::size_t bytes) {
  note(bytes);
  *block = __libc_memalign(alignment, bytes);
  return *block == nullptr ? ENOMEM : 0;
}

}  // extern "C"

#endif

namespace semirec::test {

HeapGuard::HeapGuard() {
  call_count = 0;
  byte_count = 0;
  counting = true;
}

HeapGuard::~HeapGuard() { counting = false; }

long HeapGuard::calls() const { return call_count; }

long HeapGuard::bytes() const { return byte_count; }

bool HeapGuard::works() { return SEMIREC_OWN_MALLOC == 1; }

}  // namespace semirec::test
