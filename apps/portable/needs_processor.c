/* Of a program or library that is compiled for one kind of processor alone (SEMIREC_ARCH): before
   anything of it runs, a processor of another kind is told in one line, where its first wrong
   instruction would end the process without a word. */
#include <stdio.h>
#include <unistd.h>

/* 126: the shell's "found, but cannot be executed" */
__attribute__((constructor(101))) static void need_processor(void) {
  __builtin_cpu_init();
  if (!__builtin_cpu_supports(SEMIREC_OWN_SET)) {
    fputs("semirec: compiled for processors of the kind " SEMIREC_OWN_SET
          ", which this one is not, expected such a processor or a build for every x86-64 (cmake "
          "-DSEMIREC_ARCH=)\n",
          stderr);
    _exit(126);
  }
}
