/* An engine of a library that holds several, one for each kind of processors (entries.cmake writes
   the list, choose_set.c chooses). */
#ifndef SEMIREC_PORTABLE_ENGINE_H
#define SEMIREC_PORTABLE_ENGINE_H

typedef void Initialiser(int, char**, char**);

struct semirec_engine {
  const char* set;            /* of instructions, as -march names it */
  int (*runs_here)(void);     /* whether the processor and the system have it */
  const char* const* entries; /* [exported function] where it lies in this engine */
  Initialiser* const* begin;  /* what it does before its first function is called */
  Initialiser* const* end;
};

/* from the oldest processors on; the first runs on all */
#define HIDDEN __attribute__((visibility("hidden")))
extern HIDDEN const struct semirec_engine semirec_engines[];
extern HIDDEN const int semirec_engine_count;
extern HIDDEN const unsigned long semirec_entry_count;
extern HIDDEN const char* semirec_chosen[]; /* [exported function] */

#endif
