# Read by CTest before it runs: each suite of a GoogleTest program is one test, NAME.SUITE, so that a program is started
# once a suite and not once a test. Set before: name, program, properties (of set_tests_properties).
cmake_minimum_required(VERSION 3.25)

if(NOT EXISTS "${program}")
  add_test("${name}_NOT_BUILT" "${program}")
  return()
endif()
execute_process(COMMAND "${program}" --gtest_list_tests
                OUTPUT_VARIABLE semirec_listed RESULT_VARIABLE semirec_failed TIMEOUT 120)
if(semirec_failed)
  message(FATAL_ERROR "${program} --gtest_list_tests: ${semirec_failed}")
endif()
# "Suite." or "Suite/0.  # TypeParam = ..."; the tests of the suite follow indented, their parameters may hold anything
string(REGEX REPLACE "[][;]" "_" semirec_listed "${semirec_listed}")
string(REGEX REPLACE "\n [^\n]*" "" semirec_listed "${semirec_listed}")
string(REGEX MATCHALL "[^\n]+" semirec_lines "${semirec_listed}")
foreach(semirec_line IN LISTS semirec_lines)
  if(semirec_line MATCHES "^([^ ]+)\\.(  #.*)?$")
    add_test("${name}.${CMAKE_MATCH_1}" "${program}" "--gtest_filter=${CMAKE_MATCH_1}.*")
    set_tests_properties("${name}.${CMAKE_MATCH_1}" PROPERTIES ${properties})
  endif()
endforeach()
