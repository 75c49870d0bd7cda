# cmake -DLINKER= -DOBJCOPY= -DNM= -DOBJDUMP= -DOUTPUT= -DSET= -DENTRIES= -P engine_of_set.cmake -- OBJECT...
#
# OBJECT... as the one object OUTPUT (semirec_engine_of_set, CMakeLists.txt). Of its symbols those that match ENTRIES are seen, as
# <set>__<name>, with _ for -; its initialisers lie in the section semirec_init__<set>.
cmake_minimum_required(VERSION 3.25)
set(objects "")
set(seen FALSE)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(index RANGE ${last})
  if(seen)
    list(APPEND objects "${CMAKE_ARGV${index}}")
  elseif("${CMAKE_ARGV${index}}" STREQUAL "--")
    set(seen TRUE)
  endif()
endforeach()
string(REPLACE "-" "_" set "${SET}")

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# groups of sections dissolved: the final link must not take an inline function of this set for that of another; sections kept
# apart, so that it leaves out what nothing needs
list(JOIN objects "\"\n\"" lines)
file(WRITE "${OUTPUT}.objects" "\"${lines}\"\n")
run("${LINKER}" -r --force-group-allocation "--unique=.text*" "--unique=.rodata*" "--unique=.data*" "--unique=.bss*" -o "${OUTPUT}.all"
    "@${OUTPUT}.objects")

execute_process(COMMAND "${NM}" --defined-only --extern-only --format=posix "${OUTPUT}.all" OUTPUT_VARIABLE listing
                COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^\n]+" listing "${listing}")
set(unique "${listing}")
list(FILTER unique INCLUDE REGEX " u ")
list(TRANSFORM unique REPLACE " .*" "")
list(JOIN unique "\n" lines)
file(WRITE "${OUTPUT}.unique" "${lines}\n")
list(TRANSFORM listing REPLACE " .*" "")
list(FILTER listing INCLUDE REGEX "${ENTRIES}")
if(NOT listing)
  message(FATAL_ERROR "no symbol of ${OUTPUT} matches ${ENTRIES}")
endif()
list(JOIN listing "\n" lines)
file(WRITE "${OUTPUT}.kept" "${lines}\n")
list(TRANSFORM listing REPLACE "^(.+)$" "\\1 ${set}__\\1" OUTPUT_VARIABLE renamed)
list(JOIN renamed "\n" lines)
file(WRITE "${OUTPUT}.renamed" "${lines}\n")

# (weak first: what is to be unique in the whole process does not become local otherwise)
run("${OBJCOPY}" "--weaken-symbols=${OUTPUT}.unique" "${OUTPUT}.all")
run("${OBJCOPY}" "--keep-global-symbols=${OUTPUT}.kept" "${OUTPUT}.all")
run("${OBJCOPY}" "--redefine-syms=${OUTPUT}.renamed" --rename-section ".init_array=semirec_init__${set}" "${OUTPUT}.all" "${OUTPUT}")

# whatever else would run when the library is loaded or unloaded, in both engines
execute_process(COMMAND "${OBJDUMP}" --section-headers "${OUTPUT}" OUTPUT_VARIABLE listing COMMAND_ERROR_IS_FATAL ANY)
if(listing MATCHES " (\\.(init_array|preinit_array|fini_array|ctors|dtors|init|fini)[.a-z0-9_]*)")
  message(FATAL_ERROR "${OUTPUT} has a section ${CMAKE_MATCH_1}, expected semirec_init__${set} alone")
endif()
file(REMOVE "${OUTPUT}.all" "${OUTPUT}.objects" "${OUTPUT}.unique" "${OUTPUT}.kept" "${OUTPUT}.renamed")
