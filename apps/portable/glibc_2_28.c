/* Linked into libraries that are to load on systems with glibc 2.28 and later, whatever glibc they
 * are built with: what newer versions have added or moved, under its own name, hidden, handed to
 * the version that old systems know. */
#define _GNU_SOURCE
#include <stddef.h>
#include <stdint.h>

#include <link.h>

#define OLD(name) __asm__(".symver old_" #name "," #name "@GLIBC_2.2.5")
#define HIDDEN __attribute__((visibility("hidden")))

/* libm: versions without errno since 2.29 (2.35: hypot) */
#define ONE(name)            \
  OLD(name);                 \
  double old_##name(double); \
  HIDDEN double name(double x) { return old_##name(x); }
#define TWO(name)                    \
  OLD(name);                         \
  double old_##name(double, double); \
  HIDDEN double name(double x, double y) { return old_##name(x, y); }

ONE(exp)
ONE(exp2)
ONE(log)
ONE(log2)
TWO(hypot)
TWO(pow)

/* the stat family: functions of their own since 2.33, before with the version of the struct (1 on
 * x86-64) */
#define STAT(name, old, first)      \
  OLD(old);                         \
  int old_##old(int, first, void*); \
  HIDDEN int name(first file, void* to) { return old_##old(1, file, to); }

STAT(stat, __xstat, const char*)
STAT(lstat, __lxstat, const char*)
STAT(fstat, __fxstat, int)
STAT(stat64, __xstat64, const char*)
STAT(lstat64, __lxstat64, const char*)
STAT(fstat64, __fxstat64, int)

/* threads: in libpthread before 2.34 */
OLD(pthread_once);
int old_pthread_once(int*, void (*)(void));
HIDDEN int pthread_once(int* once, void (*function)(void)) {
  return old_pthread_once(once, function);
}
OLD(__pthread_key_create);
int old___pthread_key_create(unsigned*, void (*)(void*));
HIDDEN int __pthread_key_create(unsigned* key, void (*destroy)(void*)) {
  return old___pthread_key_create(key, destroy);
}
/* since 2.32; 0: there may be others */
HIDDEN char __libc_single_threaded = 0;

/* since 2.35: where the unwinder finds the tables of the code at an address */
struct search {
  uintptr_t address;
  struct dl_find_object* found;
};

static int visit(struct dl_phdr_info* info, size_t size, void* data) {
  struct search* search = data;
  const ElfW(Phdr) * header;
  void *start = NULL, *end = NULL, *frames = NULL;
  int k;
  (void)size;
  for (k = 0, header = info->dlpi_phdr; k < info->dlpi_phnum; ++k, ++header) {
    const uintptr_t begin = info->dlpi_addr + header->p_vaddr;
    if (header->p_type == PT_GNU_EH_FRAME) frames = (void*)begin;
    if (header->p_type != PT_LOAD || search->address < begin ||
        search->address >= begin + header->p_memsz)
      continue;
    start = (void*)begin;
    end = (void*)(begin + header->p_memsz);
  }
  if (start == NULL) return 0;
  search->found->dlfo_flags = 0;
  search->found->dlfo_map_start = start;
  search->found->dlfo_map_end = end;
  search->found->dlfo_link_map = NULL;
  search->found->dlfo_eh_frame = frames;
  return frames != NULL ? 1 : 2;
}

HIDDEN int _dl_find_object(void* address, struct dl_find_object* found) {
  struct search search = {(uintptr_t)address, found};
  return dl_iterate_phdr(visit, &search) == 1 ? 0 : -1;
}
