# Code for eight cars side by side: sources called *_wide.cpp, compiled for AVX-512 whatever the rest is compiled for, and
# called only where the processor has it (integrator/batch/batch.cpp).
#
# What such an object has of inline functions and templates, of ours and of libraries, must not be taken by the linker for
# the one that all others use: its symbols become local, but for the entries, whose names contain `of_eight`.
#
# Only where the compiler and binutils can, in optimised builds on x86-64; elsewhere these sources are compiled as any other
# and give the same numbers.
include(CheckCXXCompilerFlag)
set(semirec_wide_kernels FALSE)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64" AND CMAKE_BUILD_TYPE STREQUAL "Release" AND CMAKE_OBJCOPY
   AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  check_cxx_compiler_flag(-march=x86-64-v4 semirec_compiles_avx512)
  set(semirec_wide_kernels ${semirec_compiles_avx512})
endif()

# With 32 registers of 64 bytes more is worth being inlined than the compiler thinks: 1.5 to 3 % of a step.
set(semirec_wide_inlining "SHELL:--param max-inline-insns-auto=60" "SHELL:--param large-function-growth=1000"
                          "SHELL:--param large-function-insns=20000" "SHELL:--param inline-unit-growth=300")

# wide_kernels(ROOM SOURCES LIBRARIES): appends to the list `sources` of the caller what stands for these sources.
function(wide_kernels target wide libraries)
  if(NOT wide)
    return()
  endif()
  if(NOT semirec_wide_kernels)
    list(APPEND sources ${wide})
    set(sources "${sources}" PARENT_SCOPE)
    return()
  endif()
  add_library(${target}_wide OBJECT ${wide})
  set_target_properties(${target}_wide PROPERTIES UNITY_BUILD OFF)
  target_compile_options(${target}_wide PRIVATE -march=x86-64-v4 ${semirec_wide_inlining})
  target_link_libraries(${target}_wide PRIVATE ${libraries})
  target_compile_options(${target}_wide PRIVATE -Wno-psabi)
  target_compile_definitions(${target}_wide PRIVATE EIGEN_MAX_ALIGN_BYTES=32)
  set(object "${PROJECT_BINARY_DIR}/${target}_wide.o")
  add_custom_command(
    OUTPUT "${object}"
    COMMAND "${CMAKE_LINKER}" -r --force-group-allocation -o "${object}" $<TARGET_OBJECTS:${target}_wide>
    COMMAND "${CMAKE_OBJCOPY}" --wildcard "--keep-global-symbol=*of_eight*" "${object}"
    DEPENDS ${target}_wide $<TARGET_OBJECTS:${target}_wide>
    COMMAND_EXPAND_LISTS VERBATIM)
  set_source_files_properties("${object}" PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
  set_property(GLOBAL APPEND PROPERTY semirec_wide_objects "${object}")
  list(APPEND sources "${object}")
  set(sources "${sources}" PARENT_SCOPE)
endfunction()
