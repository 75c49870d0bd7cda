/* Which of a library's two engines is used, decided when the library is loaded: the one for
   x86-64-v3 where the processor and the system have AVX2 and what came with it, the other
   elsewhere, or where the environment asks for it by SEMIREC_INSTRUCTIONS=x86-64. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void Initialiser(int, char**, char**);

/* of entries.cmake */
extern const char* semirec_chosen[];
extern const unsigned long semirec_entries;
extern const char* const semirec_entries_x86_64[];
extern const char* const semirec_entries_x86_64_v3[];

/* what an engine does before its first function is called; none where it does nothing */
#define WEAK __attribute__((weak, visibility("hidden")))
#define INITIALISERS(set)                                       \
  extern Initialiser* const __start_semirec_init__##set[] WEAK; \
  extern Initialiser* const __stop_semirec_init__##set[] WEAK
INITIALISERS(x86_64);
INITIALISERS(x86_64_v3);

/* 1: the engine for x86-64-v3 */
static int has_avx2(void) {
  __builtin_cpu_init();
  const int there = __builtin_cpu_supports("x86-64-v3") != 0;
  const char* const asked = getenv("SEMIREC_INSTRUCTIONS");
  if (asked == NULL || *asked == '\0' || (there && strcmp(asked, "x86-64-v3") == 0)) {
    return there;
  }
  if (strcmp(asked, "x86-64") == 0) {
    return 0;
  }
  fprintf(stderr, "semirec: SEMIREC_INSTRUCTIONS is '%.40s', expected x86-64%s: %s is used\n",
          asked, there ? " or x86-64-v3" : " (this processor has no x86-64-v3)",
          there ? "x86-64-v3" : "x86-64");
  return there;
}

__attribute__((constructor)) static void choose_set(int count, char** arguments,
                                                    char** environment) {
  const int avx2 = has_avx2();
  memcpy(semirec_chosen, avx2 ? semirec_entries_x86_64_v3 : semirec_entries_x86_64,
         semirec_entries * sizeof *semirec_chosen);
  Initialiser* const* at = avx2 ? __start_semirec_init__x86_64_v3 : __start_semirec_init__x86_64;
  Initialiser* const* const end =
      avx2 ? __stop_semirec_init__x86_64_v3 : __stop_semirec_init__x86_64;
  for (; at != end; ++at) {
    (*at)(count, arguments, environment);
  }
}
