# cmake -DNM= -DENGINES= -DOUTPUT= -P entries.cmake
#
# Writes the C source of the exported functions of a library with two engines: each jumps to where choose_set.c has found it to
# lie in the engine that was chosen, whatever its arguments are. The engines are <ENGINES>_x86-64.o and <ENGINES>_x86-64-v3.o.
cmake_minimum_required(VERSION 3.25)
foreach(set x86-64 x86-64-v3)
  execute_process(COMMAND "${NM}" --defined-only --extern-only --format=posix "${ENGINES}_${set}.o" OUTPUT_VARIABLE listing
                  COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "-" "_" beginning "${set}__")
  string(REGEX MATCHALL "[^\n]+" listing "${listing}")
  list(FILTER listing INCLUDE REGEX "^${beginning}")
  list(TRANSFORM listing REPLACE "^${beginning}([^ ]*) .*" "\\1")
  list(SORT listing)
  set(names_${set} "${listing}")
endforeach()
if(NOT names_x86-64 OR NOT names_x86-64 STREQUAL names_x86-64-v3)
  message(FATAL_ERROR "the engines of ${ENGINES} have other functions: ${names_x86-64} and ${names_x86-64-v3}")
endif()
set(listing "${names_x86-64}")
list(LENGTH listing count)

set(functions "")
set(declared "")
set(every "")
set(avx2 "")
set(index 0)
foreach(name IN LISTS listing)
  math(EXPR offset "8 * ${index}")
  string(APPEND functions "      \".globl ${name}\\n.type ${name}, @function\\n\"\n"
                          "      \"${name}: .cfi_startproc\\nendbr64\\njmp *semirec_chosen+${offset}(%rip)\\n.cfi_endproc\\n.size ${name}, . - ${name}\\n\"\n")
  string(APPEND declared "extern const char x86_64__${name}[], x86_64_v3__${name}[];\n")
  string(APPEND every "  x86_64__${name},\n")
  string(APPEND avx2 "  x86_64_v3__${name},\n")
  math(EXPR index "${index} + 1")
endforeach()
file(WRITE "${OUTPUT}" "// written by apps/portable/entries.cmake
__attribute__((visibility(\"hidden\"))) const char* semirec_chosen[${count}];
__attribute__((visibility(\"hidden\"))) const unsigned long semirec_entries = ${count};
${declared}
__attribute__((visibility(\"hidden\"))) const char* const semirec_entries_x86_64[] = {
${every}};
__attribute__((visibility(\"hidden\"))) const char* const semirec_entries_x86_64_v3[] = {
${avx2}};
__asm__(\".pushsection .text\\n.p2align 4\\n\"
${functions}      \".popsection\\n\");
")
