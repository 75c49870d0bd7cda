# cmake -DNM= -DENGINES= -DSETS= -DOUTPUT= -P entries.cmake
#
# Writes the C source of the exported functions of a library with an engine for each of SETS: each jumps to where choose_set.c has
# found it to lie in the engine that was chosen, whatever its arguments are. The engines are <ENGINES>_x86-64.o and so on.
cmake_minimum_required(VERSION 3.25)
set(names "")
foreach(set IN LISTS SETS)
  execute_process(COMMAND "${NM}" --defined-only --extern-only --format=posix "${ENGINES}_${set}.o" OUTPUT_VARIABLE listing
                  COMMAND_ERROR_IS_FATAL ANY)
  string(MAKE_C_IDENTIFIER "${set}__" beginning)
  string(REGEX MATCHALL "[^\n]+" listing "${listing}")
  list(FILTER listing INCLUDE REGEX "^${beginning}")
  list(TRANSFORM listing REPLACE "^${beginning}([^ ]*) .*" "\\1")
  list(SORT listing)
  if(NOT listing OR (names AND NOT names STREQUAL listing))
    message(FATAL_ERROR "the engines of ${ENGINES} have other functions: ${names} and, for ${set}, ${listing}")
  endif()
  set(names "${listing}")
endforeach()
list(LENGTH names count)

set(functions "")
set(index 0)
foreach(name IN LISTS names)
  math(EXPR offset "8 * ${index}")
  string(APPEND functions "      \".globl ${name}\\n.type ${name}, @function\\n\"\n"
                          "      \"${name}: .cfi_startproc\\nendbr64\\njmp *semirec_chosen+${offset}(%rip)\\n.cfi_endproc\\n.size ${name}, . - ${name}\\n\"\n")
  math(EXPR index "${index} + 1")
endforeach()

set(engines "")
set(list "")
foreach(set IN LISTS SETS)
  string(MAKE_C_IDENTIFIER "${set}" c)
  list(TRANSFORM names PREPEND "${c}__" OUTPUT_VARIABLE own)
  list(TRANSFORM own APPEND "[]" OUTPUT_VARIABLE declared)
  list(JOIN declared ", " declared)
  list(JOIN own ",\n  " own)
  # an engine that does nothing before its first function has no such section
  string(APPEND engines "
extern const char ${declared};
static const char* const entries_${c}[] = {
  ${own},
};
extern Initialiser* const __start_semirec_init__${c}[] __attribute__((weak, visibility(\"hidden\")));
extern Initialiser* const __stop_semirec_init__${c}[] __attribute__((weak, visibility(\"hidden\")));
static int runs_${c}(void) {
  __builtin_cpu_init();
  return __builtin_cpu_supports(\"${set}\") != 0;
}
")
  string(APPEND list "  {\"${set}\", runs_${c}, entries_${c}, __start_semirec_init__${c}, __stop_semirec_init__${c}},\n")
endforeach()
list(LENGTH SETS set_count)
file(WRITE "${OUTPUT}" "// written by apps/portable/entries.cmake
#include \"engine.h\"

const char* semirec_chosen[${count}];
const unsigned long semirec_entry_count = ${count};
${engines}
const int semirec_engine_count = ${set_count};
const struct semirec_engine semirec_engines[] = {
${list}};
__asm__(\".pushsection .text\\n.p2align 4\\n\"
${functions}      \".popsection\\n\");
")
