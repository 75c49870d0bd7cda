# Headers that nearly every source reads, precompiled once: half of the build time. They would hide a forgotten #include, so
# the presets dev and tidy go without.
#
# semirec_precompile(NAME [OPTIONS options...] [PACKAGES targets...] HEADERS headers...)
#
# The headers compiled as whoever says `REUSE_FROM NAME` is: with the same OPTIONS and PACKAGES.
function(semirec_precompile name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "OPTIONS;PACKAGES;HEADERS")
  add_library(${name} OBJECT "${PROJECT_SOURCE_DIR}/cmake/precompiled.cpp")
  target_link_libraries(${name} PRIVATE Eigen3::Eigen ${arg_PACKAGES})
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}")
  target_compile_definitions(${name} PRIVATE EIGEN_MAX_ALIGN_BYTES=32)
  target_compile_options(${name} PRIVATE $<$<CXX_COMPILER_ID:GNU,Clang>:-Wno-psabi> ${arg_OPTIONS})
  target_precompile_headers(${name} PRIVATE <Eigen/Dense> <string> <vector> ${arg_HEADERS})
endfunction()

set(semirec_model_headers <algorithm> <array> <cmath> <map> <memory> <optional> <sstream>
    "${PROJECT_SOURCE_DIR}/integrator/step.hpp"
    "${PROJECT_SOURCE_DIR}/integrator/formulation/evaluate.hpp"
    "${PROJECT_SOURCE_DIR}/penalty/factors/least_squares.hpp")
# of the rooms
semirec_precompile(semirec_precompiled HEADERS ${semirec_model_headers})

# Rooms and programs of many small files may be compiled some files at a time (CMAKE_UNITY_BUILD, on in the presets release
# and asan), in a third of the time; names in anonymous namespaces are unique within a room for that. Of the lower rooms what
# every step runs through is compiled file by file (ALONE below).
set(semirec_files_at_a_time 20)

# Code that runs once a file, not once a step, is most of the program: optimised little, it compiles in half the time; what runs
# once a command even less. Other build types keep their own level. It calls none of Eigen's decompositions and products of
# matrices of any size itself (penalty/factors/least_squares does that; tests/symbols.py looks): the linker would take its
# slower copy of a kernel for the engine's, and the last bits would differ between programs.
set(semirec_seldom_options $<$<AND:$<CONFIG:Release>,$<CXX_COMPILER_ID:GNU,Clang>>:-O1>)
set(semirec_command_options
    $<$<AND:$<CONFIG:Release>,$<CXX_COMPILER_ID:GNU>>:-Og$<SEMICOLON>-finline-small-functions$<SEMICOLON>-finline-functions-called-once>
    $<$<AND:$<CONFIG:Release>,$<CXX_COMPILER_ID:Clang>>:-O1>)

include(WideKernels)
include(InstructionSets)
semirec_also_for_other_sets(semirec_precompiled)

# of what runs seldom
semirec_precompile(semirec_precompiled_seldom
  OPTIONS ${semirec_seldom_options}
  HEADERS ${semirec_model_headers} "${PROJECT_SOURCE_DIR}/vehicles/description/vehicle.hpp"
          "${PROJECT_SOURCE_DIR}/vehicles/description/scenario.hpp")
semirec_also_for_other_sets(semirec_precompiled_seldom)

# room(NAME [STANDS_ON rooms...] [PACKAGES targets...] [PRIVATE_PACKAGES targets...] [SELDOM parts...] [TOGETHER folders...]
#      [ALONE sources...] [APART folder] [PROGRAM_ONLY parts...])
#
# Declares the folder NAME as the static library semirec_NAME, alias semirec::NAME. Its sources are every .cpp, its
# public headers every .hpp below the folder, included from the repository root (#include "topology/mechanism.hpp") in
# the tree and after installation alike. STANDS_ON names the lower rooms; a room that has not been declared yet is
# refused, so the order of the calls is the order of the floors. PACKAGES are seen by whoever links the room,
# PRIVATE_PACKAGES by its sources only. SELDOM names folders in it, and sources without .cpp, that no step runs through
# (semirec_seldom_options). TOGETHER names folders whose sources are compiled as one, "." the sources of NAME itself, but for those
# that ALONE names, without .cpp: what every step runs through is up to a tenth slower when it is inlined otherwise. APART names a
# folder that not every program links: a library of its own, semirec::<folder>, that stands on this
# room; headers stay with the room. PROGRAM_ONLY names folders, and sources without .cpp, that libraries which travel have no use
# for (apps/portable). A folder without sources makes a library of headers. Folders called without_packages are left out (apps/portable).
function(room name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "APART" "STANDS_ON;PACKAGES;PRIVATE_PACKAGES;SELDOM;TOGETHER;ALONE;PROGRAM_ONLY")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "room ${name}: unknown argument ${arg_UNPARSED_ARGUMENTS}")
  endif()
  foreach(lower IN LISTS arg_STANDS_ON)
    if(NOT TARGET semirec_${lower})
      message(FATAL_ERROR "room ${name} stands on ${lower}, which is not a lower room")
    endif()
  endforeach()

  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${name}/*.cpp")
  list(FILTER sources EXCLUDE REGEX "/without_packages/")
  set(wide ${sources})
  list(FILTER wide INCLUDE REGEX "_wide\\.cpp$")
  list(FILTER sources EXCLUDE REGEX "_wide\\.cpp$")
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${name}/*.hpp")
  if(arg_APART)
    set(wide_apart ${wide})
    set(sources_apart ${sources})
    foreach(list wide sources)
      list(FILTER ${list} EXCLUDE REGEX "/${name}/${arg_APART}/")
      list(FILTER ${list}_apart INCLUDE REGEX "/${name}/${arg_APART}/")
    endforeach()
  endif()
  set(target semirec_${name})
  list(TRANSFORM arg_STANDS_ON PREPEND semirec_)
  if(arg_SELDOM)
    list(TRANSFORM arg_SELDOM PREPEND "${PROJECT_SOURCE_DIR}/${name}/" OUTPUT_VARIABLE parts)
    list(TRANSFORM parts APPEND "/*.cpp" OUTPUT_VARIABLE folders)
    list(TRANSFORM parts APPEND ".cpp" OUTPUT_VARIABLE files)
    file(GLOB_RECURSE seldom CONFIGURE_DEPENDS ${folders} ${files})
    list(FILTER seldom EXCLUDE REGEX "/without_packages/")
    list(REMOVE_ITEM sources ${seldom})
    add_library(${target}_seldom OBJECT ${seldom})
    target_link_libraries(${target}_seldom PRIVATE ${arg_STANDS_ON} ${arg_PACKAGES} ${arg_PRIVATE_PACKAGES})
    target_include_directories(${target}_seldom PRIVATE "${PROJECT_SOURCE_DIR}")
    target_compile_definitions(${target}_seldom PRIVATE EIGEN_MAX_ALIGN_BYTES=32)
    target_compile_options(${target}_seldom PRIVATE $<$<CXX_COMPILER_ID:GNU,Clang>:-Wno-psabi> ${semirec_seldom_options})
    target_precompile_headers(${target}_seldom REUSE_FROM semirec_precompiled_seldom)
    set_target_properties(${target}_seldom PROPERTIES UNITY_BUILD_BATCH_SIZE ${semirec_files_at_a_time})
    list(APPEND sources $<TARGET_OBJECTS:${target}_seldom>)
  endif()
  wide_kernels(${target} "${wide}" "${arg_STANDS_ON};${arg_PACKAGES};${arg_PRIVATE_PACKAGES}")
  if(sources)
    add_library(${target} STATIC ${sources})
    set(public PUBLIC)
    target_link_libraries(${target} PRIVATE ${arg_PRIVATE_PACKAGES})
    target_precompile_headers(${target} REUSE_FROM semirec_precompiled)
  else()
    add_library(${target} INTERFACE)
    set(public INTERFACE)
  endif()
  add_library(semirec::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  if(name STREQUAL "vehicles")
    set_target_properties(${target} PROPERTIES UNITY_BUILD_BATCH_SIZE ${semirec_files_at_a_time})
  else()
    set_target_properties(${target} PROPERTIES UNITY_BUILD OFF)
  endif()

  list(TRANSFORM arg_ALONE PREPEND "${PROJECT_SOURCE_DIR}/${name}/")
  list(TRANSFORM arg_ALONE APPEND ".cpp")
  set_source_files_properties(${arg_ALONE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  foreach(folder IN LISTS arg_TOGETHER)
    file(GLOB together CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${name}/${folder}/*.cpp")
    set_source_files_properties(${together} PROPERTIES UNITY_GROUP "${name}_${folder}")
    set_target_properties(${target} PROPERTIES UNITY_BUILD "${CMAKE_UNITY_BUILD}" UNITY_BUILD_MODE GROUP)
  endforeach()

  target_sources(${target} ${public} FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}" FILES ${headers})
  target_compile_features(${target} ${public} cxx_std_20)
  # packs (recursive/packs/pack.hpp) are passed inside of a room and to inlined functions only
  target_compile_options(${target} ${public} $<BUILD_INTERFACE:$<$<CXX_COMPILER_ID:GNU,Clang>:-Wno-psabi>>)
  # one alignment of Eigen's types whatever instruction set the room and its user are compiled for
  target_compile_definitions(${target} ${public} EIGEN_MAX_ALIGN_BYTES=32)
  target_link_libraries(${target} ${public} ${arg_STANDS_ON} ${arg_PACKAGES})

  list(JOIN arg_PROGRAM_ONLY "|" program_only)
  if(program_only)
    string(REGEX REPLACE "([][+.*()^$?|\\\\])" "\\\\\\1" here "${PROJECT_SOURCE_DIR}")
    set(program_only "^${here}/${name}/(${program_only})([.]cpp$|/)")
  endif()
  if(sources)
    semirec_also_for_other_sets(${target} EXCEPT "${program_only}")
  endif()
  if(arg_SELDOM)
    semirec_also_for_other_sets(${target}_seldom EXCEPT "${program_only}")
  endif()

  install(TARGETS ${target} EXPORT semirecTargets
          ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
          FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/semirec")

  if(arg_APART)
    set(sources ${sources_apart})
    wide_kernels(semirec_${arg_APART} "${wide_apart}" "${target}")
    add_library(semirec_${arg_APART} STATIC ${sources})
    add_library(semirec::${arg_APART} ALIAS semirec_${arg_APART})
    target_precompile_headers(semirec_${arg_APART} REUSE_FROM semirec_precompiled)
    set_target_properties(semirec_${arg_APART} PROPERTIES UNITY_BUILD OFF EXPORT_NAME ${arg_APART})
    target_link_libraries(semirec_${arg_APART} PUBLIC ${target})
    semirec_also_for_other_sets(semirec_${arg_APART} EXCEPT "${program_only}")
    install(TARGETS semirec_${arg_APART} EXPORT semirecTargets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
  endif()
endfunction()

# rooms_first(TARGET [EXCEPT sources...])
#
# Of an inline function that several objects hold the linker takes the first it meets. In the link of TARGET, a program or a
# shared library, what every step runs through comes first, what the rooms run seldom next, so that nothing runs copies of code
# that is optimised less. EXCEPT names sources, without folder and .cpp, that TARGET has others of.
function(rooms_first target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "EXCEPT")
  objects_of_rooms(objects "" ${arg_EXCEPT})
  target_link_options(${target} PRIVATE ${objects})
endfunction()

# objects_of_rooms(RESULT SUFFIX [except...]): those objects in that order; SUFFIX is that of a set (InstructionSets.cmake)
function(objects_of_rooms result suffix)
  set(all "")
  foreach(part "" _seldom)
    foreach(room topology recursive natural_coords penalty integrator vehicles)
      if(TARGET semirec_${room}${part}${suffix})
        set(objects "$<TARGET_OBJECTS:semirec_${room}${part}${suffix}>")
        foreach(source IN LISTS ARGN)
          set(objects "$<FILTER:${objects},EXCLUDE,/${source}[.]cpp[.]>")
        endforeach()
        list(APPEND all "${objects}")
      endif()
    endforeach()
  endforeach()
  set(${result} "${all}" PARENT_SCOPE)
endfunction()
