/* Which of a library's engines is used, decided when the library is loaded: the one for the latest
   processors of those that run here, or an older one where the environment asks for it:
   SEMIREC_INSTRUCTIONS=x86-64. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine.h"

static const struct semirec_engine* choose_engine(void) {
  const struct semirec_engine* best = semirec_engines;
  for (int k = 1; k < semirec_engine_count; ++k) {
    if (semirec_engines[k].runs_here()) best = &semirec_engines[k];
  }
  const char* const asked = getenv("SEMIREC_INSTRUCTIONS");
  if (asked == NULL || *asked == '\0') return best;
  for (int k = 0; k < semirec_engine_count; ++k) {
    if (strcmp(asked, semirec_engines[k].set) == 0 && semirec_engines[k].runs_here())
      return &semirec_engines[k];
  }
  fprintf(stderr, "semirec: SEMIREC_INSTRUCTIONS is '%.40s', expected", asked);
  const char* before = " ";
  for (int k = 0; k < semirec_engine_count; ++k) {
    if (!semirec_engines[k].runs_here()) continue;
    fprintf(stderr, "%s%s", before, semirec_engines[k].set);
    before = " or ";
  }
  for (int k = 0; k < semirec_engine_count; ++k) {
    if (strcmp(asked, semirec_engines[k].set) == 0)
      fprintf(stderr, " (this processor has no %s)", asked);
  }
  fprintf(stderr, ": %s is used\n", best->set);
  return best;
}

__attribute__((constructor)) static void choose_set(int count, char** arguments,
                                                    char** environment) {
  const struct semirec_engine* const engine = choose_engine();
  memcpy(semirec_chosen, engine->entries, semirec_entry_count * sizeof *semirec_chosen);
  for (Initialiser* const* at = engine->begin; at != engine->end; ++at) {
    (*at)(count, arguments, environment);
  }
}
